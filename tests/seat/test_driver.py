"""A player at a node, driven through the seam that all fronts share."""

import asyncio
from pathlib import Path

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.rules import Choice, Phase, Transition
from p2p_sheriff.rules.moves import Declare
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import AddBot, BeReady, Join, OpenTable, Rematch, Say
from p2p_sheriff.seat.picture import Answered, LogLine, Picture, Topic
from p2p_sheriff.seat.words import Words
from protocol.group import Edwards25519
from tests.node.nodes import SETUP, Party, Place, found, seat, until
from tests.node.running import awaited
from tests.seat.memory import MemoryFront


def driver_of(place: Place, front: MemoryFront) -> Driver:
    return Driver(place.node, place.profile, front, Words(), audits=False, settle_seconds=5)


def pictures(front: MemoryFront) -> list[Picture]:
    return [scene for scene in front.scenes if isinstance(scene, Picture)]


@pytest.mark.slow
@pytest.mark.timeout(600)
@awaited
async def test_fronts_in_memory_gather_a_table_play_a_whole_game_and_begin_its_rematch(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        fronts = [MemoryFront(games=2) for _ in party.places]
        opener, *guests = (driver_of(place, front) for place, front in zip(party.places, fronts, strict=True))
        running = [asyncio.ensure_future(opener.run(OpenTable(SETUP)))]
        for place, guest in zip(party.places[1:], guests, strict=True):
            info = await found(place)
            running.append(asyncio.ensure_future(guest.run(Join(info.id))))
        await until(lambda: all(len({one.game for one in pictures(front)}) == 2 for front in fronts))
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        for place, front in zip(party.places, fronts, strict=True):
            first = pictures(front)[0].game
            last = [one for one in pictures(front) if one.game == first][-1]
            assert last.told is not None
            assert last.told.phase is Phase.OVER
            data = (place.profile.folder / "games" / f"{first.hex()}.sheriff").read_bytes()
            assert isinstance(audit(data, Edwards25519()).verdict, Valid)
            changes = [one for one in front.news if isinstance(one, Transition)]
            assert sum(isinstance(one.item, Declare) for one in changes) == 18
            assert any(isinstance(one, LogLine) and one.topic is Topic.ROUND for one in front.news)


@awaited
async def test_what_can_not_be_done_is_answered_with_its_reason_and_the_player_goes_on(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        front = MemoryFront()
        driver = driver_of(party.places[0], front)
        running = asyncio.ensure_future(driver.run(OpenTable(SETUP), OpenTable(SETUP), AddBot(None), Rematch()))
        await until(lambda: len([one for one in front.news if isinstance(one, Answered)]) >= 4)
        answers = [one.refusal for one in front.news if isinstance(one, Answered)][:4]
        assert answers[0] == ""
        assert "leave it first" in answers[1]
        assert "Bots can only be added" in answers[2]
        assert "not there any more" in answers[3]
        hall = front.scenes[-1]
        assert isinstance(hall, Hall)
        assert hall.table is not None
        await driver.submit(BeReady(False))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@awaited
async def test_a_driver_takes_up_a_game_that_has_begun_before_it_came(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.begin()
        others = [asyncio.ensure_future(seat(place).play()) for place in party.places[1:]]
        party.places[0].drain()
        front = MemoryFront()
        running = asyncio.ensure_future(driver_of(party.places[0], front).run(Say("here I am")))
        await until(lambda: any(one.choice is Choice.SET_ASIDE for one in pictures(front)))
        await until(lambda: any(isinstance(one, LogLine) and one.text == "Anna: here I am" for one in front.news))
        for task in (running, *others):
            task.cancel()
        await asyncio.gather(running, *others, return_exceptions=True)
