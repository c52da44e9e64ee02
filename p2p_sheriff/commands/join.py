"""``p2p-sheriff join``: sits down at a table on the network."""

import argparse

from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    add_seat_arguments,
    address,
    find_table,
    open_node,
    why_refused,
)
from p2p_sheriff.commands.screengame import has_screen, play_at_table
from p2p_sheriff.commands.sitting import run_game, sit
from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.fronts.lines.lobbyseat import LobbySeat
from p2p_sheriff.fronts.lines.teller import printable, tell
from p2p_sheriff.fronts.tui.hall import BeReady
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.events import NodeEvent, Refused
from p2p_sheriff.texts import chosen
from p2p_sheriff.usage import UsageError

_FIND_SECONDS = 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_seat_arguments(parser)
    add_screen_arguments(parser)
    add_pace_argument(parser)
    parser.add_argument("table", metavar="TABLE", help="the table's title, or HOST:PORT of who opened it")


def run(options: argparse.Namespace) -> int:
    """Finds the table, joins it, and plays."""
    texts, port = chosen(options), None
    if ":" in options.table:
        try:
            host, port = address(options.table)
        except argparse.ArgumentTypeError as error:
            raise UsageError(str(error)) from error
        options.connect.append((host, port))

    def fits(info: TableInfo) -> bool:
        if port is None:
            return options.table.lower() in info.title.lower()
        opener = info.member(info.opener)
        return opener is not None and opener.port == port

    def tell_refusals(event: NodeEvent) -> None:
        if isinstance(event, Refused):
            tell(printable(why_refused(event, texts)))

    async def game() -> None:
        async with open_node(options) as (node, profile):
            info = await find_table(node, fits, _FIND_SECONDS, tell_refusals, texts)
            await node.join_table(info, options.purse)
            if has_screen(options):
                tell(await play_at_table(node, profile, options, *([BeReady(True)] if options.ready else [])))
                return
            tell(texts("gather.you_sit_down", title=printable(info.title)))
            keyboard = Keyboard()
            if session := await LobbySeat(node, keyboard, texts=texts).gather(ready=options.ready):
                await sit(node, profile, session, keyboard=keyboard, texts=texts)

    return run_game(game(), texts)
