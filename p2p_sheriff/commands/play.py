"""``p2p-sheriff play``: a table of your own, filled with bots, each a node in a process of its own."""

import argparse
import sys
from contextlib import AsyncExitStack

from p2p_sheriff.commands import company, demo
from p2p_sheriff.commands.lobby import play_on_screen
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    add_table_arguments,
    open_node,
    setup_of,
    wait_for_start,
)
from p2p_sheriff.commands.private import bots_share
from p2p_sheriff.commands.screengame import has_screen
from p2p_sheriff.commands.sitting import run_game, sit
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.texts import chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    parser.add_argument("--bots", type=int, default=3, metavar="N", help="how many bots play along; default: 3")
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Plays with bots; without a terminal, the bots play the narrated demo by themselves."""
    setup, texts = setup_of(options, options.bots + 1), chosen(options)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        tell(texts("seat.no_terminal"))
        return demo.run(argparse.Namespace(**{**vars(options), "players": setup.players, "seed": None, "out": None}))
    if has_screen(options):
        return play_on_screen(options, setup)

    async def game() -> None:
        options.interface = options.interface or [company.LOOPBACK]
        async with AsyncExitStack() as stack:
            node, profile = await stack.enter_async_context(open_node(options))
            await node.open_table(texts("gather.title", name=node.name), setup)
            table = node.gathering.info.id if node.gathering is not None else b""
            bots = company.hire(options.bots, options.pace, [node.name])
            company.take_note(profile, bots)
            started = company.Company(stack, company.home(profile), tell, texts)
            arguments, environment = bots_share(options)
            await node.at_table(lambda gathering: gathering.set_ready(True))
            for bot in bots:
                joining = ("--table", table.hex(), "--rematch", "--interface", options.interface[0], *arguments)
                await started.start(bot, *joining, environment=environment)
            tell(texts("seat.being_set"))
            await sit(node, profile, await wait_for_start(node, texts=texts), texts=texts)

    return run_game(game(), texts)
