"""The time of day means nothing to a node: however it jumps, nodes find each other, prove who they are, and play."""

import asyncio
import time
from itertools import cycle
from pathlib import Path

import pytest

from p2p_sheriff.node.store import Keeper
from protocol.group import Edwards25519
from tests.drbg import Drbg
from tests.node.nodes import NAMES, Party, until
from tests.node.running import awaited
from tests.table.games import assert_agreed

DAY = 24 * 60 * 60
YEAR = 365 * DAY


@pytest.fixture
def wild_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock shows another day, year or millennium: in all nodes, at any moment."""
    real, jumps = time.time, cycle((0, DAY, -DAY, 30 * YEAR, -20 * YEAR, 7000 * YEAR))
    monkeypatch.setattr(time, "time", lambda: real() + next(jumps))
    monkeypatch.setattr(time, "time_ns", lambda: int(time.time() * 10**9))


@pytest.mark.usefixtures("wild_clock")
@awaited
async def test_nodes_whose_clocks_jump_find_each_other_play_come_back_and_end_alike(tmp_path: Path) -> None:
    assert abs(time.time() - time.time()) >= DAY
    async with Party(tmp_path) as party:
        for name in NAMES[:3]:
            await party.add(name, discover=True)
        ours = {place.node.identity.public for place in party.places}
        await until(lambda: all(len(ours & place.node.connected().keys()) == 2 for place in party.places))
        sessions = await party.begin()
        cleo, game = party.places[2], sessions[0].table.charter.game
        await cleo.node.put_down()
        keeper = await asyncio.to_thread(Keeper.resume, cleo.profile, game, Edwards25519(), Drbg("again"))
        await cleo.node.resume(keeper)
        await until(lambda: keeper.is_home)
        await party.play()
        assert_agreed([*sessions[:2], keeper.session])
