import asyncio
from pathlib import Path
from secrets import token_hex

import pytest

from p2p_sheriff.node.timing import Timing
from tests.node.nodes import SETUP, Party, Place, until
from tests.node.running import awaited

NODES = 30
TABLES = 6
PATIENT = Timing(heartbeat_seconds=10, dead_after_seconds=300, handshake_seconds=120)
"""All thirty share one thread: who is slow to answer is neither dead nor a stranger to hang up on."""


def lists(place: Place, names: set[str], titles: set[str]) -> bool:
    """Whether a lobby has all these players and tables of others; who else is on this machine does not matter."""
    listed = {info.title for info in place.node.tables.values()}
    others = names - {place.node.name}
    return others <= set(place.node.connected().values()) and titles - {table_of(place)} <= listed


def table_of(place: Place) -> str:
    return f"{place.node.name}'s table"


@pytest.mark.slow
@awaited
async def test_thirty_nodes_that_start_at_once_all_list_six_tables_and_each_other(tmp_path: Path) -> None:
    crowd = token_hex(4)
    names = {f"{crowd}-{number}" for number in range(NODES)}
    party, places, over = Party(tmp_path, PATIENT), list[Place](), asyncio.Event()

    async def stay(name: str) -> None:
        async with party.place(name, discover=True) as place:
            places.append(place)
            await over.wait()

    async with asyncio.TaskGroup() as tasks:  # All come and go at once.
        for name in names:
            tasks.create_task(stay(name))
        await until(lambda: len(places) == NODES)
        for place in places[:TABLES]:
            await place.node.open_table(table_of(place), SETUP)
        titles = {table_of(place) for place in places[:TABLES]}
        await until(lambda: all(lists(place, names, titles) for place in places))
        over.set()
