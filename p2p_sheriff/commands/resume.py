"""``p2p-sheriff resume``: goes on with a game that was interrupted."""

import argparse

from p2p_sheriff.arguments import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    display,
    node_options,
)
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.intents import Resume
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.usage import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(given: argparse.Namespace) -> int:
    """Comes back to the latest unfinished game of the profile."""
    options, shown = node_options(given), display(given)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            if not profile.unfinished_games():
                raise UsageError(options.texts("seat.no_game"))
            if not shown.on_screen:
                tell(options.texts("seat.checking"))
            await attend(node, profile, options, shown, Resume())

    return run_game(game(), options.texts)
