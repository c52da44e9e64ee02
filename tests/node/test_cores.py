"""A person's node works on all cores, a bot's on one, and what a game needs is made while its table gathers."""

from pathlib import Path
from secrets import token_bytes
from threading import current_thread
from threading import enumerate as threads

import pytest

from p2p_sheriff.node.cores import cores, group_on
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.settings import LOOPBACK, NodeOptions
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.session.labels import make_points
from p2p_sheriff.session.play import Play
from protocol.counting import CountingGroup
from protocol.group import Edwards25519
from protocol.proofs.shuffle import prepare
from tests.node.running import awaited


def test_on_several_cores_sums_are_the_same_and_made_by_threads_that_end() -> None:
    alone = Edwards25519()
    points = [alone.mul_base(i + 1) for i in range(40)]
    with group_on(3) as group:
        assert group.msm(range(40), points) == alone.msm(range(40), points)
        assert list(group.parallel(lambda _: current_thread().name.startswith("cores"), range(3))) == [True] * 3
    assert not [thread for thread in threads() if thread.name.startswith("cores")]


def test_on_one_core_no_thread_is_started() -> None:
    with group_on(1) as group:
        assert list(group.parallel(lambda _: current_thread(), range(2))) == [current_thread()] * 2


@pytest.mark.parametrize("bot", ["", "honest"])
@awaited
async def test_the_node_of_a_person_uses_all_cores_and_that_of_a_bot_one(tmp_path: Path, bot: str) -> None:
    options = NodeOptions("who", "Ann", interfaces=(LOOPBACK,), data=tmp_path, bot=bot)
    async with open_node(options) as (node, _):
        assert (node.group.parallel is map) is (bool(bot) or cores() == 1)


def test_once_all_points_are_made_no_game_has_to_make_any() -> None:
    group, setup = CountingGroup(Edwards25519()), Setup(3, short=(("apples", 20), ("silk", 4)))
    make_points(group, setup)
    assert group.counts["hash_to_group"] == 24 + 24 + 1
    group.counts.clear()
    Play.begin(bytes(32), setup, group, token_bytes)
    prepare(group, setup.cards, token_bytes)
    assert group.counts["hash_to_group"] == 0
