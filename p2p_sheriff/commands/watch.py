"""``p2p-sheriff watch``: looks on at a game, and checks all of it."""

import argparse
from dataclasses import replace
from pathlib import Path

from p2p_sheriff import arguments
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.seat.finding import find_game
from p2p_sheriff.seat.intents import Watch
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError


def run(given: argparse.Namespace) -> int:
    """Watches a game until its end, or until the onlooker has seen enough."""
    options, shown = arguments.node_options(given), replace(arguments.display(given), from_start=given.from_start)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            info = await find_game(node, given.table, options.texts, tell)
            driver = await attend(node, profile, options, shown, Watch(info.charter.game))
            if given.out and driver.spectator is not None:
                _keep(given.out, driver.spectator, options.texts)

    return run_game(game(), options)


def _keep(path: Path, spectator: Spectator, texts: Texts) -> None:
    try:
        path.write_bytes(record_of(spectator.table).to_bytes())
    except OSError as error:
        raise UsageError(texts("watch.not_written", path=path, reason=error.strerror)) from error
    tell(texts("seat.transcript", path=path))
