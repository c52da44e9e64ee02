"""A disk that is full or broken, and a key that somebody else uses too: nothing is sent that is not stored."""

import asyncio
import errno
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import DiskFull
from p2p_sheriff.node.events import NodeEvent, Obstacle, Trouble
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.transport import Connection, connect
from p2p_sheriff.node.wire import EntryOf, to_bytes
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.session.acts import FREE, Says
from p2p_sheriff.session.happenings import Said
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import translated
from protocol.entry import Entry, SignedEntry
from protocol.faults import Fault, FaultCode
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.mortal import WeakDisk
from tests.node.nodes import HOST, NAMES, QUICK, Party, Place, until
from tests.node.running import SECONDS, awaited
from tests.node.wiretap import tapped
from tests.table.games import assert_agreed

E = TypeVar("E", bound=NodeEvent)
BEATS = 4 * QUICK.heartbeat_seconds
"""Long enough for everything that a node does by itself to be tried several times."""


def told(place: Place, kind: type[E]) -> list[E]:
    return [event for event in place.drain() if isinstance(event, kind)]


def words(place: Place) -> list[str]:
    return [event.text for event in told(place, Said)]


def keeper_of(place: Place) -> Keeper:
    assert place.node.keeper is not None
    return place.node.keeper


def says(text: str) -> Callable[[Session], None]:
    return lambda session: session.say(text)


def is_at_rest(party: Party) -> bool:
    """Whether no node writes anything by itself: all have the same, and somebody is to choose."""
    keepers = [keeper_of(place) for place in party.places]
    return len({keeper.heads for keeper in keepers}) == 1 and any(keeper.seen.choice is not None for keeper in keepers)


async def begin_and_rest(party: Party) -> list[Session]:
    """Starts the game, and waits until its cards are dealt."""
    sessions = await party.begin()
    await until(lambda: is_at_rest(party))
    return sessions


@contextmanager
def watching_what_is_sent(place: Place) -> Iterator[list[bytes]]:
    """Fails if an own entry is sent that is not on the disk; yields the list of those that are sent."""
    keeper, sent = keeper_of(place), list[bytes]()

    def look(connection: Connection, signed: SignedEntry) -> None:
        if connection in place.node.connections and signed.entry.author == keeper.session.seat:
            assert signed.to_bytes() in keeper.log.path.read_bytes()
            sent.append(signed.to_bytes())

    with tapped(keeper.charter, look):
        yield sent


# -- a full disk


@awaited
async def test_on_a_disk_that_gets_full_the_game_waits_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        sessions = await party.begin()
        ben, known = party.places[1], sessions[0].table.transcript
        with watching_what_is_sent(ben) as sent:
            playing = asyncio.create_task(party.play())
            await until(lambda: sessions[0].play.state.round >= 2)
            disk.write_error = errno.ENOSPC
            await until(lambda: bool(told(ben, Obstacle)))
            stored = len(sent)
            await until(lambda: known.chains[1][-1].to_bytes() == sent[-1])
            await asyncio.sleep(BEATS)
            assert len(sent) == stored
            assert known.chains[1][-1].to_bytes() == sent[-1]
            assert not any(session.play.is_over for session in sessions)
            disk.write_error = None
            await playing
        assert_agreed(sessions)
        (obstacle,) = told(ben, Obstacle)
        assert "The disk is full" in translated(obstacle.sentence)
        assert len(sent) > stored > 0
        assert not any(told(place, Trouble) for place in party.places)


@awaited
async def test_each_time_that_the_disk_is_full_is_told_once(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await party.begin()
        anna, ben = party.places[:2]
        for text in ("one", "two"):
            disk.write_error = errno.ENOSPC
            for _ in range(2):
                await ben.node.do(says(text))
            disk.write_error = None
            await until(lambda text=text: words(anna).count(text) == 2)  # type: ignore[misc]
        assert len(told(ben, Obstacle)) == 2


@awaited
async def test_while_the_disk_is_full_others_are_heard_the_player_looks_and_what_they_say_waits(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await party.begin()
        anna, ben = party.places[:2]
        disk.write_error = errno.ENOSPC
        await ben.node.do(says("anybody here?"))
        await anna.node.do(says("me"))
        chain = keeper_of(ben).session.table.transcript.chains[0]
        await until(lambda: any(signed.entry.payload == FREE.write(Says("me")) for signed in chain))
        seen: list[int] = []
        await ben.node.do(lambda session: seen.append(session.view().state.setup.players))
        assert seen == [3]
        await asyncio.sleep(BEATS)
        assert words(anna) == ["me"]
        disk.write_error = None
        await until(lambda: words(anna) == ["me", "anybody here?"])
        await until(lambda: sorted(words(ben)) == ["anybody here?", "me"])


@awaited
@pytest.mark.parametrize("name", NAMES[:2])
async def test_a_game_that_begins_on_a_full_disk_begins_there_when_there_is_room(tmp_path: Path, name: str) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={name: disk}) as party:
        await party.meet(3)
        await party.gather()
        disk.write_error = errno.ENOSPC
        starting = asyncio.create_task(party.start())
        late = next(place for place in party.places if place.node.name == name)
        others = [place for place in party.places if place is not late]
        await until(lambda: bool(told(late, Obstacle)) and all(place.node.keeper is not None for place in others))
        await asyncio.sleep(BEATS)
        assert late.node.keeper is None
        assert len(told(late, Obstacle)) == 1
        disk.write_error = None
        sessions = await starting
        await party.play()
        assert_agreed(sessions)
        assert len(told(late, Obstacle)) == 1


@awaited
async def test_on_a_full_disk_the_end_can_be_stored_later(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        ben = party.places[1]
        assert await ben.node.settle(SECONDS)
        disk.write_error = errno.ENOSPC
        with pytest.raises(DiskFull):
            await ben.node.finish()
        assert ben.profile.unfinished_games() == (sessions[0].table.charter.game,)
        disk.write_error = None
        await ben.node.finish()
        assert ben.profile.unfinished_games() == ()


@awaited
async def test_who_leaves_while_the_disk_is_full_loses_only_what_nobody_was_told(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await begin_and_rest(party)
        anna, ben, _ = party.places
        await ben.node.do(says("one"))
        await until(lambda: words(anna) == ["one"])
        game, chain = keeper_of(ben).game, keeper_of(ben).session.table.transcript.chains[0]
        await anna.node.do(says("I heard you"))
        await until(lambda: any(signed.entry.payload == FREE.write(Says("I heard you")) for signed in chain))
        disk.write_error = errno.ENOSPC
        with pytest.raises(DiskFull):
            await ben.node.put_down()
        disk.write_error = None
        keeper = await asyncio.to_thread(Keeper.resume, ben.profile, game, Edwards25519(), Drbg("again"))
        await ben.node.resume(keeper)
        await until(lambda: keeper.is_home and set(words(ben)) == {"one", "I heard you"})
        disk.write_error = errno.ENOSPC
        await ben.node.do(says("lost"))
        await ben.node.put_down()
        disk.write_error = None
        keeper = await asyncio.to_thread(Keeper.resume, ben.profile, game, Edwards25519(), Drbg("and again"))
        await ben.node.resume(keeper)
        await until(lambda: keeper.is_home)
        await ben.node.do(says("two"))
        await until(lambda: words(anna) == ["one", "I heard you", "two"])
        assert not any(told(place, Trouble) or told(place, Fault) for place in party.places)


@awaited
async def test_who_leaves_when_there_is_room_again_has_sent_everything(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await party.begin()
        anna, ben, _ = party.places
        disk.write_error = errno.ENOSPC
        await ben.node.do(says("bye"))
        disk.write_error = None
        await ben.node.put_down()
        await until(lambda: words(anna) == ["bye"])


# -- a broken disk


@awaited
async def test_on_a_broken_disk_the_game_stops_with_a_sentence_and_what_was_said_last_is_not_sent(
    tmp_path: Path,
) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await begin_and_rest(party)
        anna, ben, _ = party.places
        disk.sync_error = errno.EIO
        with pytest.raises(LobbyError, match=r"store\.write"):
            await ben.node.do(says("never sent"))
        (trouble,) = told(ben, Trouble)
        assert "Check the disk, then resume" in translated(trouble.sentence)
        assert ben.node.keeper is None
        with pytest.raises(LobbyError, match=r"news\.no_game"):
            await ben.node.do(says("nor this"))
        await until(lambda: all(len(place.node.connected()) == 2 for place in party.places))
        await asyncio.sleep(BEATS)
        assert words(anna) == []
        assert not any(told(place, Fault) for place in party.places)


@awaited
async def test_a_disk_that_breaks_when_it_had_been_full_stops_the_game_with_a_sentence(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await begin_and_rest(party)
        ben = party.places[1]
        disk.write_error = errno.ENOSPC
        await ben.node.do(says("hello"))
        disk.write_error = errno.EIO
        await until(lambda: bool(told(ben, Trouble)))
        assert ben.node.keeper is None
        assert len(ben.node.connected()) == 2


@awaited
async def test_a_game_that_a_broken_disk_can_not_begin_is_told_of(tmp_path: Path) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Ben": disk}) as party:
        await party.meet(3)
        await party.gather()
        disk.write_error = errno.EIO
        starting = asyncio.create_task(party.start())
        ben = party.places[1]
        await until(lambda: bool(told(ben, Trouble)))
        assert ben.node.keeper is None
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)


@awaited
async def test_who_writes_before_the_others_were_heard_is_stopped_and_it_never_leaves(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.begin()
        anna, ben, _ = party.places
        game = keeper_of(ben).game
        await ben.node.put_down()
        async with Party(tmp_path / "elsewhere") as other:
            alone = await other.add("Nobody")
            keeper = await asyncio.to_thread(Keeper.resume, ben.profile, game, Edwards25519(), Drbg("again"))
            await alone.node.resume(keeper)
            with pytest.raises(LobbyError, match="nothing may be written before"):
                await alone.node.do(says("too early"))
            assert len(told(alone, Trouble)) == 1
            keeper.log.close()
        assert words(anna) == []


# -- a key that is used twice


def another_entry(session: Session, identity: Identity, number: int, text: str) -> bytes:
    """Returns what a second copy of a profile might write as the entry with that number."""
    own = session.table.transcript.chains[session.seat]
    heads = list(own[number].entry.heads if number < len(own) else session.table.transcript.heads)
    heads[session.seat] = session.table.transcript.head(session.seat, number)
    entry = Entry(session.table.charter.game, session.seat, tuple(heads), None, FREE.write(Says(text)))
    return SignedEntry.sign(identity, entry).to_bytes()


async def bring(place: Place, data: bytes) -> None:
    """Lets a stranger hand an entry over."""
    connection = await connect(Identity.generate(Drbg("bearer")), "Bearer", QUICK, HOST, place.node.port)
    await connection.send(to_bytes(EntryOf(keeper_of(place).game, data)))
    await connection.close("that was all")


@awaited
async def test_who_has_forked_the_own_chain_hears_it_from_the_others_and_stops(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await begin_and_rest(party)
        anna, ben, cleo = party.places
        await ben.node.do(says("yes"))
        await until(lambda: all(words(place) == ["yes"] for place in (anna, cleo)))
        number = len(sessions[1].table.transcript.chains[1]) - 1
        await bring(anna, another_entry(sessions[1], ben.node.identity, number, "no"))
        await until(lambda: bool(told(ben, Trouble)))
        (trouble,) = told(ben, Trouble)
        assert trouble.sentence.key == "troubles.proof"
        assert ben.node.keeper is None
        for place in party.places:
            await until(lambda place=place: bool(told(place, Fault)))  # type: ignore[misc]
            (fault,) = told(place, Fault)
            assert (fault.seat, fault.code) == (1, FaultCode.EQUIVOCATION)
        assert anna.node.keeper is not None
        assert not told(anna, Trouble)


@awaited
async def test_who_is_shown_an_own_entry_that_was_written_elsewhere_stops_before_writing_another(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await begin_and_rest(party)
        ben = party.places[1]
        written = len(sessions[1].table.transcript.chains[1])
        await bring(ben, another_entry(sessions[1], ben.node.identity, written, "it was not me"))
        await until(lambda: bool(told(ben, Trouble)))
        (trouble,) = told(ben, Trouble)
        assert trouble.sentence == Phrase("troubles.forked", n=written)
        assert ben.node.keeper is None
        assert not told(ben, Fault)
