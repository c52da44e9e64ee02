"""``p2p-sheriff play``: a table of your own, filled with bots, each a node in a process of its own."""

import argparse
import sys
from dataclasses import replace

from p2p_sheriff import arguments
from p2p_sheriff.commands.demo import Demo
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.intents import OpenTable
from p2p_sheriff.seat.settings import DEFAULT_PROFILE, LOOPBACK
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.usage import UsageError

_OF_A_PLAYER = ("name", "private", "connect", "interface", "profile", "data", "trust_new_key")
"""The options that mean nothing where nobody plays."""


def run(given: argparse.Namespace) -> int:
    """Plays with bots; without a terminal, the bots play the narrated demo by themselves.

    Raises:
        UsageError: It can't be played so.
    """
    setup, texts = arguments.setup_of(given, given.bots + 1), given.texts
    if not given.lines and not (sys.stdin.isatty() and sys.stdout.isatty()):
        ignored = [name for name in _OF_A_PLAYER if getattr(given, name) not in (None, False, [], DEFAULT_PROFILE)]
        if ignored:
            named = ", ".join(f"--{name.replace('_', '-')}" for name in ignored)
            raise UsageError(texts("usage.nobody_plays", options=named))
        tell(texts("seat.no_terminal"))
        return Demo(setup, texts, arguments.tempo(given)).run()
    options, shown = arguments.ask_name(arguments.node_options(given)), arguments.display(given)
    options = replace(options, interfaces=options.interfaces or (LOOPBACK,))

    async def game() -> None:
        async with open_node(options) as (node, profile):
            await attend(node, profile, options, shown, OpenTable(setup, with_bots=True))

    return run_game(game(), options)
