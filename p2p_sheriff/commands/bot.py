"""``p2p-sheriff bot``: a bot that joins a table, like any player."""

import argparse
import asyncio
import sys
from random import Random

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.commands.botseat import BotSeat
from p2p_sheriff.commands.network import add_network_arguments, find_table, open_node, wait_for_start
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.result import result_digest

_FIND_SECONDS = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    parser.add_argument("--join", metavar="TABLE", help="the table's title; default: any table with a free seat")
    parser.add_argument("--style", choices=STYLES, default=STYLES[-1], help="how it plays")
    parser.add_argument("--seed", type=int, help="repeats its choices; its secrets are never seeded")
    parser.add_argument("--pace", type=float, default=1.0, metavar="SECONDS", help="how long it lets others talk")


def run(options: argparse.Namespace) -> int:
    """Plays one game."""
    asyncio.run(_play(options))
    return 0


async def _play(options: argparse.Namespace) -> None:
    async with open_node(options) as (node, profile):
        info = await find_table(node, lambda info: options.join in (None, info.title), _FIND_SECONDS)
        await node.join_table(info)
        await node.at_table(lambda gathering: gathering.set_ready(True))
        session = await wait_for_start(node)
        rng = Random(options.seed)  # noqa: S311 - for choices, not for secrets.
        await BotSeat(node, make_bot(options.style, session.seat, rng), max(options.pace, 0.05)).play()
        game = session.table.charter.game
        profile.keep_transcript(game, record_of(session.table).to_bytes())
        if node.keeper is not None:
            await asyncio.to_thread(node.keeper.finish)
        sys.stdout.write(f"result {result_digest(game, session.play.state).hex()}\n")
