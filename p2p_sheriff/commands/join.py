"""``p2p-sheriff join``: sits down at a table on the network."""

import argparse

from p2p_sheriff.commands.lineseat import printable, tell
from p2p_sheriff.commands.network import add_network_arguments, address, find_table, open_node, wait_for_start
from p2p_sheriff.commands.sitting import run_game, say_who, sit
from p2p_sheriff.lobby import TableInfo
from p2p_sheriff.usage import UsageError

_FIND_SECONDS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    parser.add_argument("table", metavar="TABLE", help="the table's title, or HOST:PORT of who opened it")
    parser.add_argument("--purse", type=int, metavar="COINS", help="the cash you carry: the richest is sheriff first")


def run(options: argparse.Namespace) -> int:
    """Finds the table, joins it, and plays."""
    by_address = ":" in options.table
    if by_address:
        try:
            options.connect.append(address(options.table))
        except argparse.ArgumentTypeError as error:
            raise UsageError(str(error)) from error

    def fits(info: TableInfo) -> bool:
        return by_address or options.table.lower() in info.title.lower()

    async def game() -> None:
        async with open_node(options) as (node, profile):
            info = await find_table(node, fits, _FIND_SECONDS)
            await node.join_table(info, options.purse)
            await node.at_table(lambda gathering: gathering.set_ready(True))
            tell(f'You sit at "{printable(info.title)}". The game begins when all seats are taken.')
            await sit(node, profile, await wait_for_start(node, say_who))

    return run_game(game())
