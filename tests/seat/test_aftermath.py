"""Whatever the others do at the end, or the disk: everybody has the result, a transcript that holds, and no key."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.node import store
from p2p_sheriff.node.log import first_record
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import Seat
from p2p_sheriff.seat.aftermath import Aftermath
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session import record
from p2p_sheriff.session.replay import Finding
from p2p_sheriff.session.resume import FirstRecord
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.faults import FaultCode
from protocol.group import Group
from protocol.identity import Identity
from protocol.randomness import Rng
from tests.drbg import Drbg
from tests.node.mortal import GROUP, FullDisk
from tests.node.nodes import Party, Place, seat, until
from tests.node.running import SECONDS, awaited
from tests.node.test_latecomers import leave_at_the_end
from tests.soak.rogue import DEEDS, Rogue

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def assert_ended(place: Place, game: bytes, unsigned: tuple[Seat, ...] = ()) -> None:
    """Asserts that a player has a transcript that holds, remembers the own cards, and has no key."""
    games = place.profile.folder / "games"
    verdict = audit((games / f"{game.hex()}.sheriff").read_bytes(), GROUP).verdict
    assert isinstance(verdict, Valid)
    assert verdict.unsigned == unsigned
    assert place.profile.unfinished_games() == ()
    assert not list(place.profile.folder.rglob("*.keys"))


def never_signs(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    advance = session.advance
    monkeypatch.setattr(session, "advance", lambda: not session.play.is_decided and advance())


def kept_before(settle: Callable[[float], Awaitable[bool]], transcript: Path) -> Callable[[float], Awaitable[bool]]:
    """Returns how a node waits for the others: the transcript is there before, whatever happens while they sign."""

    def settled(seconds: float) -> Awaitable[bool]:
        assert transcript.exists()
        return settle(seconds)

    return settled


@pytest.mark.parametrize("speaks", [False, True], ids=["silent", "speaks"])
@awaited
async def test_a_loser_who_never_signs_keeps_nobody_from_the_result_nor_from_wiping_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speaks: bool
) -> None:
    """Once all have named what decided it, if only with other words, or else when the player closes the game."""
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        never_signs(sessions[0], monkeypatch)
        playing = [asyncio.ensure_future(seat(place).play()) for place in party.places]
        await until(lambda: all(session.play.is_decided for session in sessions))
        await until(lambda: all(len(session.table.awaited) == 1 for session in sessions))
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        assert not any(session.play.is_over for session in sessions)
        if speaks:
            await party.places[0].node.do(lambda session: session.say("I do not agree."))
            await until(lambda: len({session.table.transcript.tips for session in sessions}) == 1)

        game = sessions[0].table.charter.game
        for place, session in zip(party.places, sessions, strict=True):
            transcript = place.profile.folder / "games" / f"{game.hex()}.sheriff"
            monkeypatch.setattr(place.node, "settle", kept_before(place.node.settle, transcript))
            ending = Aftermath(place.node, place.profile, session, Words(), settle_seconds=0.1)
            assert (await ending.told())[-1] == "The game is decided. Not yet signed by: Anna."
            assert not ending.is_signed
            assert bool(list(place.profile.folder.rglob("*.keys"))) is not speaks
            await ending.close()
            assert_ended(place, game, (Seat(0),))
            assert session.secrets.keys.secrets() == ()
            kept = FirstRecord.from_value(first_record(place.profile.folder / "games" / f"{game.hex()}.log"))
            assert kept.memory is not None
            assert kept.memory.kinds, "what the own cards were is forgotten"


@awaited
async def test_who_signs_late_is_waited_for_so_that_all_have_the_same_transcript(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        with monkeypatch.context() as hesitating:
            never_signs(sessions[0], hesitating)
            playing = [asyncio.ensure_future(seat(place).play()) for place in party.places]
            await until(lambda: all(session.play.is_decided for session in sessions))
            await until(lambda: all(len(session.table.awaited) == 1 for session in sessions))
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            endings = [
                Aftermath(place.node, place.profile, session, Words(), settle_seconds=SECONDS)
                for place, session in zip(party.places, sessions, strict=True)
            ]
            # Time enough for who does not wait: all have the same entries.
            await asyncio.wait([asyncio.ensure_future(ending.kept()) for ending in endings], timeout=2)
        await party.places[0].node.do(lambda _: None)
        (transcript,) = {(await ending.kept()).read_bytes() for ending in endings}
        verdict = audit(transcript, GROUP).verdict
        assert isinstance(verdict, Valid)
        assert verdict.unsigned == ()


@awaited
async def test_a_disk_that_is_full_at_the_end_keeps_no_key_and_the_transcript_is_written_when_there_is_room(
    tmp_path: Path,
) -> None:
    disk = FullDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        anna, ben, cleo = party.places
        game = sessions[0].table.charter.game
        disk.is_full = True
        drivers = await asyncio.gather(*map(leave_at_the_end, party.places))
        assert [driver.went_wrong for driver in drivers] == [False, True, False]
        assert "The disk is full" in drivers[1].last_word
        for place in (anna, cleo):
            assert_ended(place, game)
        assert sessions[1].secrets.keys.secrets() == ()
        assert not list(ben.profile.folder.rglob("*.keys"))
        assert ben.profile.unfinished_games() == (game,)

        disk.is_full = False
        keeper = await asyncio.to_thread(Keeper.resume, ben.profile, game, GROUP, Drbg("again"))
        await ben.node.resume(keeper)
        await leave_at_the_end(ben)
        assert_ended(ben, game)


@awaited
async def test_a_transcript_that_would_be_too_long_keeps_no_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        monkeypatch.setattr(record, "MAX_RECORD_BYTES", 1000)
        drivers = await asyncio.gather(*map(leave_at_the_end, party.places))
        for place, session, driver in zip(party.places, sessions, drivers, strict=True):
            assert driver.went_wrong
            assert "longer than any transcript" in driver.last_word
            assert session.secrets.keys.secrets() == ()
            assert not list(place.profile.folder.rglob("*.keys"))


@awaited
async def test_a_chatterer_who_floods_is_named_and_the_others_have_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        anna, ben, cleo = party.places
        rogue = partial(Rogue, deed=DEEDS["floods"], moment=10)

        def sit(charter: Charter, identity: Identity, group: Group, rng: Rng) -> Session:
            is_ben = identity.public == ben.node.identity.public
            return (rogue if is_ben else Session)(charter, identity, group, rng)

        monkeypatch.setattr(store, "Session", sit)
        sessions = await party.begin()
        await party.play()
        assert all(session.play == sessions[0].play for session in sessions)
        assert not any(place.node._is_companion(ben.node.identity.public) for place in (anna, cleo))
        assert anna.node._is_companion(cleo.node.identity.public)
        game = sessions[0].table.charter.game
        await asyncio.gather(*map(leave_at_the_end, party.places))
        for place in (anna, cleo):
            assert_ended(place, game)
            assert not place.node._is_companion(ben.node.identity.public)  # Nor in the next game.
            (evidence,) = place.profile.folder.rglob("*.evidence")
            finding = audit(evidence.read_bytes(), GROUP).verdict
            assert isinstance(finding, Finding)
            assert finding.seat == sessions[1].seat
            assert finding.code in (FaultCode.OVER_BUDGET, FaultCode.EQUIVOCATION)
