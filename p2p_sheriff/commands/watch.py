"""``p2p-sheriff watch``: looks on at a game, and checks all of it."""

import argparse
from dataclasses import replace
from pathlib import Path

from p2p_sheriff.arguments import add_network_arguments, add_screen_arguments, display, node_options
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.finding import find_game
from p2p_sheriff.seat.intents import Watch
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser, profile="onlooker")  # So that who plays can look on at another table, or this one.
    add_screen_arguments(parser)
    parser.add_argument("table", nargs="?", metavar="TABLE", help="its title, or the name of somebody who plays there")
    parser.add_argument("--from-start", action="store_true", help="tell all that was played before, word for word")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the transcript goes")


def run(given: argparse.Namespace) -> int:
    """Watches a game until its end, or until the onlooker has seen enough."""
    options, shown = node_options(given), replace(display(given), from_start=given.from_start)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            info = await find_game(node, given.table, options.texts, tell)
            driver = await attend(node, profile, options, shown, Watch(info.charter.game))
            if given.out and driver.spectator is not None:
                _keep(given.out, driver.spectator, options.texts)

    return run_game(game(), options.texts)


def _keep(path: Path, spectator: Spectator, texts: Texts) -> None:
    try:
        path.write_bytes(record_of(spectator.table).to_bytes())
    except OSError as error:
        raise UsageError(texts("watch.not_written", path=path, reason=error.strerror)) from error
    tell(texts("seat.transcript", path=path))
