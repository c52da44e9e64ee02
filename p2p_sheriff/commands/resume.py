"""``p2p-sheriff resume``: goes on with a game that was interrupted."""

import argparse

from p2p_sheriff import arguments
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.intents import Resume
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.usage import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    arguments.add_player(parser)


def run(given: argparse.Namespace) -> int:
    """Comes back to the latest unfinished game of the profile."""
    options, shown = arguments.node_options(given), arguments.display(given)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            if not profile.unfinished_games():
                raise UsageError(options.texts("seat.no_game"))
            if not shown.on_screen:
                tell(options.texts("seat.checking"))
            await attend(node, profile, options, shown, Resume())

    return run_game(game(), options.texts)
