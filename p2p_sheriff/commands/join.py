"""``p2p-sheriff join``: sits down at a table on the network."""

import argparse
from dataclasses import replace

from p2p_sheriff import arguments
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.seat.finding import find_table
from p2p_sheriff.seat.intents import BeReady, Intent, Join
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.starting import open_node


def run(given: argparse.Namespace) -> int:
    """Finds the table, joins it, and plays."""
    where: tuple[str, int] | None = None if isinstance(given.table, str) else given.table
    options, shown = arguments.ask_name(arguments.node_options(given)), arguments.display(given)
    options = replace(options, connect=(*options.connect, where)) if where else options

    def fits(info: TableInfo) -> bool:
        if where is None:
            return bool(given.table.lower() in info.title.lower())
        opener = info.member(info.opener)
        return opener is not None and opener.port == where[1]

    async def game() -> None:
        async with open_node(options) as (node, profile):
            info = await find_table(node, fits, options.texts, tell)
            if not shown.on_screen:
                tell(options.texts("gather.you_sit_down", title=short(info.title)))
            first: list[Intent] = [Join(info.id, given.purse), *([BeReady(True)] if given.ready else [])]
            await attend(node, profile, options, shown, *first)

    return run_game(game(), options)
