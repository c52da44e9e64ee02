"""``p2p-sheriff play``: a table of your own, filled with bots, each a node in a process of its own."""

import argparse
import sys
from dataclasses import replace

from p2p_sheriff.arguments import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    add_table_arguments,
    display,
    node_options,
    setup_of,
)
from p2p_sheriff.commands.demo import Demo
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.intents import OpenTable
from p2p_sheriff.seat.settings import LOOPBACK
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.texts import chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    parser.add_argument("--bots", type=int, default=3, metavar="N", help="how many bots play along; default: 3")
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(given: argparse.Namespace) -> int:
    """Plays with bots; without a terminal, the bots play the narrated demo by themselves."""
    setup, texts = setup_of(given, given.bots + 1), chosen(given)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        tell(texts("seat.no_terminal"))
        return Demo(setup, texts, given.pace).run()
    options, shown = node_options(given), display(given)
    options = replace(options, interfaces=options.interfaces or (LOOPBACK,))

    async def game() -> None:
        async with open_node(options) as (node, profile):
            if not shown.on_screen:
                tell(texts("seat.being_set"))
            await attend(node, profile, options, shown, OpenTable(setup, with_bots=True))

    return run_game(game(), texts)
