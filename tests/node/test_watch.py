"""Onlookers: they come when they like, check everything, see what all see, and nothing depends on them."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node import room, runner
from p2p_sheriff.node.events import GamesChanged, Trouble, WatchingStarted
from p2p_sheriff.node.limits import Limits
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.transport import Connection, connect
from p2p_sheriff.node.wire import EntryOf, GameInfo, Games, HeadsOf, Message, Where, from_bytes, to_bytes
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.intents import Intent, LeaveGame
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.acts import FREE, Says
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.entry import Entry, Head, SignedEntry
from protocol.faults import Fault, FaultCode
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.nodes import HOST, QUICK, TITLE, Party, Place, goes_on, seat, until
from tests.node.running import SECONDS, awaited
from tests.node.test_obstacles import says, told, words
from tests.seat.memory import MemoryFront
from tests.seat.test_aftermath import never_signs
from tests.table.games import assert_agreed

GROUP = Edwards25519()


async def visitor(party: Party, name: str = "Wanda") -> Place:
    """Adds a node that plays nothing, and is connected with the first player."""
    place = await party.add(name)
    party.places.remove(place)
    await place.node.dial(HOST, party.places[0].node.port)
    return place


async def watch(place: Place) -> Spectator:
    """Lets a visitor watch the only game."""
    await until(lambda: len(place.node.games) == 1)
    (info,) = place.node.games.values()
    await place.node.watch(info)
    assert place.node.watched is not None
    return place.node.watched.spectator


def assert_saw_all(spectator: Spectator, sessions: list[Session]) -> None:
    """Asserts that an onlooker has the game of the players, to its last signature."""
    assert spectator.table.faults == {}
    assert spectator.play == sessions[0].play
    assert record_of(spectator.table) == record_of(sessions[0].table)


async def stranger(place: Place, name: str = "Mallory") -> Connection:
    return await connect(Identity.generate(Drbg(name)), name, QUICK, HOST, place.node.port)


async def goodbye(connection: Connection) -> str:
    """Returns why the other side has closed the connection."""
    async for _ in connection:
        pass
    assert connection.ended is not None
    return connection.ended.detail


# -- coming at any time


@awaited
@pytest.mark.parametrize("seed", range(2))
async def test_onlookers_who_come_before_in_the_middle_and_at_the_end_see_the_same_game(
    tmp_path: Path, seed: int
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        early = await visitor(party, "Early")
        assert early.node.games == {}
        sessions = await party.begin()
        spectators = [await watch(early)]
        assert {info.title for info in early.node.games.values()} == {TITLE}
        playing = asyncio.create_task(party.play())
        moment = Random(seed).randrange(20, 150)
        await until(lambda: sum(map(len, sessions[0].table.transcript.chains)) >= moment)
        spectators.append(await watch(await visitor(party, "Midway")))
        await playing
        spectators.append(await watch(await visitor(party, "Late")))
        await until(lambda: all(spectator.play.is_over for spectator in spectators))
        assert_agreed(sessions)
        for spectator in spectators:
            assert_saw_all(spectator, sessions)
        inputs = [item for event in told(early, Happened) for item in event.inputs]
        assert inputs == [item for event in told(party.places[0], Happened) for item in event.inputs]
        assert len(told(early, WatchingStarted)) == 1


@awaited
async def test_a_game_can_be_watched_until_its_players_have_put_it_down(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        guest = await visitor(party)
        await party.begin()
        await watch(guest)
        await until(lambda: len(guest.node.connected()) == 3)
        await asyncio.sleep(3 * QUICK.heartbeat_seconds)
        for place in party.places:
            assert len(guest.node.games) == 1
            await place.node.put_down()
        await until(lambda: guest.node.games == {})
        assert told(guest, GamesChanged)


@awaited
async def test_who_plays_or_sits_at_a_table_can_not_watch_and_who_watches_may_sit_down_to_play(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        info = GameInfo(TITLE, sessions[0].table.charter)
        with pytest.raises(LobbyError, match=r"news\.watch_in_game"):
            await party.places[0].node.watch(info)
        async with Party(tmp_path / "others") as others:
            await others.meet(3)
            for place in others.places:
                await place.node.watch(info)
            await others.gather()
            with pytest.raises(LobbyError, match=r"news\.watch_at_table"):
                await others.places[0].node.watch(info)
            await others.start()
            assert all(place.node.watched is None for place in others.places)


@awaited
async def test_an_onlooker_who_is_cut_off_again_and_again_comes_back_and_sees_all(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        guest = await visitor(party)
        spectator = await watch(guest)
        playing = asyncio.create_task(party.play())
        while await goes_on(playing, spectator.table.transcript):
            for connection in guest.node.connections:
                connection.cut()
        await playing
        await until(lambda: spectator.play.is_over)
        assert_saw_all(spectator, sessions)


class Leaver(MemoryFront):
    """Looks on until the game is decided, and leaves."""

    def _next(self, scene: Scene) -> Intent | None:
        return LeaveGame() if isinstance(scene, Picture) and scene.is_ended else None


@pytest.mark.parametrize("stay", [True, False], ids=["players stay", "players are gone"])
@awaited
async def test_an_onlooker_who_leaves_a_decided_game_waits_for_its_last_signature_while_players_may_bring_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stay: bool
) -> None:
    monkeypatch.setattr(runner, "_ONLOOKERS_SECONDS", 10 * SECONDS)
    async with Party(tmp_path) as party:
        await party.meet(3)
        guest = await visitor(party)
        sessions = await party.begin()
        spectator = await watch(guest)
        driver = Driver(guest.node, guest.profile, Leaver(), Words(), settle_seconds=10 * SECONDS)
        with monkeypatch.context() as hesitating:
            never_signs(sessions[0], hesitating)
            playing = [asyncio.ensure_future(seat(place).play()) for place in party.places]
            await until(lambda: len(spectator.table.awaited) == 1 and spectator.play.is_decided)
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
            leaving = asyncio.ensure_future(driver.run())
            await asyncio.wait({leaving}, timeout=2)  # Time enough for who does not wait.
            assert not leaving.done()
        for place in party.places:
            await (place.node.do(lambda _: None) if stay else place.node.kill())
        await leaving
        assert spectator.play.is_over is stay
        if stay:
            assert_saw_all(spectator, sessions)


# -- checking everything


@awaited
async def test_an_onlooker_drops_who_brings_an_entry_that_nobody_signed_and_sees_the_game(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        guest = await visitor(party)
        spectator = await watch(guest)
        game = sessions[0].table.charter.game
        await until(lambda: len(spectator.table.transcript.chains[0]) > 0)
        entry = bytearray(spectator.table.transcript.chains[0][0].to_bytes())
        entry[-1] ^= 1
        liar = await stranger(guest)
        await liar.send(to_bytes(EntryOf(game, bytes(entry))))
        assert "makes no sense" in await goodbye(liar)
        await party.play()
        await until(lambda: spectator.play.is_over)
        assert_saw_all(spectator, sessions)


@awaited
async def test_a_player_who_shows_onlookers_another_entry_is_found_out_by_all(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        guest = await visitor(party)
        spectator = await watch(guest)
        cleo = party.places[2]
        await cleo.node.do(says("yes"))
        number = len(sessions[2].table.transcript.chains[2]) - 1
        await until(lambda: len(spectator.table.transcript.chains[2]) > number)
        charter = sessions[2].table.charter
        seen = sessions[2].table.transcript.chains[2][number].entry.heads
        forged = SignedEntry.sign(cleo.node.identity, Entry(charter.game, 2, seen, None, FREE.write(Says("no"))))
        bearer = await stranger(guest)
        await bearer.send(to_bytes(EntryOf(charter.game, forged.to_bytes())))
        for place in (guest, *party.places[:2]):
            await until(lambda place=place: bool(told(place, Fault)))  # type: ignore[misc]
            (fault,) = told(place, Fault)
            assert (fault.seat, fault.code) == (2, FaultCode.EQUIVOCATION)
            assert not told(place, Trouble)
        await until(lambda: bool(told(cleo, Trouble)))
        await until(lambda: sessions[0].play == sessions[1].play)
        await bearer.close("enough")


@awaited
async def test_a_false_entry_that_is_shown_to_onlookers_alone_is_reported_by_them_and_changes_nothing_for_players(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        guest = await party.add("Wanda")
        party.places.remove(guest)
        charter = sessions[0].table.charter
        await guest.node.watch(GameInfo(TITLE, charter))
        spectator = guest.node.watched.spectator if guest.node.watched is not None else None
        assert spectator is not None
        liar = party.places[0].node.identity
        heads = tuple(Head(0, charter.game) for _ in charter.players)
        forged = SignedEntry.sign(liar, Entry(charter.game, 0, heads, 0, ((("seal", bytes(32)),), b"")))
        bearer = await stranger(guest)
        await bearer.send(to_bytes(EntryOf(charter.game, forged.to_bytes())))
        await until(lambda: bool(told(guest, Fault)))
        (fault,) = told(guest, Fault)
        assert fault.seat == 0
        assert fault.evidence == (forged,)
        await bearer.close("enough")
        await party.play()
        assert_agreed(sessions)


# -- having nothing to say


@awaited
async def test_what_an_onlooker_writes_is_no_entry_and_who_sends_it_is_dropped(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        playing = asyncio.create_task(party.play())
        charter = sessions[0].table.charter
        for seat in range(4):
            identity = Identity.generate(Drbg(f"heckler {seat}"))
            heckler = await connect(identity, "Heckler", QUICK, HOST, party.places[0].node.port)
            await heckler.send(to_bytes(HeadsOf(charter.game, sessions[0].table.transcript.heads)))
            heads = sessions[0].table.transcript.heads
            entry = Entry(charter.game, seat, heads, None, FREE.write(Says("I play too")))
            await heckler.send(to_bytes(EntryOf(charter.game, SignedEntry.sign(identity, entry).to_bytes())))
            assert "makes no sense" in await goodbye(heckler)
        await playing
        assert_agreed(sessions)
        assert all(words(place) == [] for place in party.places)


@awaited
async def test_no_player_waits_for_what_an_onlooker_says_to_have(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        liar = await stranger(party.places[0])
        game = sessions[0].table.charter.game
        beyond = tuple(Head(1 << 40, bytes(32)) for _ in range(3))
        await liar.send(to_bytes(HeadsOf(game, beyond)))
        await party.play()
        assert_agreed(sessions)
        assert all([await place.node.settle(SECONDS) for place in party.places])
        await liar.close("enough")


@awaited
async def test_who_leaves_gives_an_onlooker_a_moment_to_get_the_end(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        player, keeper = party.places[0], party.places[0].node.keeper
        assert keeper is not None
        onlooker = await stranger(player)
        await onlooker.send(to_bytes(HeadsOf(keeper.game, (Head(0, bytes(32)),) * 3)))
        await party.play()
        assert_agreed(sessions)
        settling = asyncio.ensure_future(player.node.settle(SECONDS))
        await asyncio.sleep(3 * QUICK.heartbeat_seconds)
        assert not settling.done()
        await onlooker.send(to_bytes(HeadsOf(keeper.game, keeper.heads)))
        assert await settling
        await onlooker.close("enough")


@awaited
async def test_an_onlooker_who_does_not_read_gets_no_other_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other they would wait here: up to 8 MiB for each of hundreds of strangers."""
    async with Party(tmp_path) as party:
        await party.meet(3)
        table = (await party.begin())[0].table
        game = table.charter.game
        await until(lambda: len(table.transcript.delivered) > 0)
        first, copies = table.transcript.delivered[0].to_bytes(), 0
        onlooker = await stranger(party.places[0])

        async def ask() -> None:
            await onlooker.send(to_bytes(HeadsOf(game, (Head(0, game),) * 3)))
            await asyncio.sleep(2 * QUICK.heartbeat_seconds)

        async def count() -> None:
            nonlocal copies
            async for data in onlooker:
                copies += from_bytes(GROUP, data) == EntryOf(game, first)

        counting = asyncio.create_task(count())
        with monkeypatch.context() as patch:
            patch.setattr(Connection, "is_behind", True)
            await ask()
            assert copies == 0
        await ask()
        await until(lambda: copies == 1)
        await onlooker.close("enough")
        await counting


@awaited
async def test_onlookers_who_do_not_read_are_sent_nothing_new_and_while_they_are_many_no_other_one_gets_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What they have not read waits here: the game, and all that is written afterwards, for hundreds of them."""
    monkeypatch.setattr(room, "DEFAULT", Limits(onlookers_behind=1))
    lazy = set[PublicIdentity]()
    is_behind = Mesh.is_behind
    monkeypatch.setattr(Mesh, "is_behind", lambda mesh, who: who in lazy or is_behind(mesh, who))
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        game, loop = sessions[0].table.charter.game, asyncio.get_running_loop()
        heard: dict[str, list[Message]] = {"Mallory": [], "Trudy": []}

        async def listen(connection: Connection, name: str) -> None:
            async for data in connection:
                heard[name] += [from_bytes(GROUP, data)]

        async def ask(connection: Connection) -> None:
            for _ in range(3):
                await connection.send(to_bytes(HeadsOf(game, (Head(0, game),) * 3)))
                await asyncio.sleep(2 * QUICK.heartbeat_seconds)

        connections = [await stranger(party.places[0], name) for name in heard]
        listening = [loop.create_task(listen(*pair)) for pair in zip(connections, heard, strict=True)]
        await ask(connections[0])
        lazy.add(Identity.generate(Drbg("Mallory")).public)
        await asyncio.sleep(2 * QUICK.heartbeat_seconds)
        before = len(about(heard["Mallory"]))
        assert before > 0
        await ask(connections[1])
        assert not [one for one in heard["Trudy"] if isinstance(one, EntryOf)]
        await party.play()
        assert_agreed(sessions)
        assert len(about(heard["Mallory"])) == before
        lazy.clear()
        await ask(connections[1])
        assert [one for one in heard["Trudy"] if isinstance(one, EntryOf)]
        for connection in connections:
            await connection.close("enough")
        await asyncio.gather(*listening)


def about(heard: list[Message]) -> list[Message]:
    """Returns what was said about a game."""
    return [one for one in heard if isinstance(one, EntryOf | HeadsOf | Where)]


@awaited
async def test_an_onlooker_who_asks_for_the_game_again_and_again_gets_it_once_a_beat_and_the_game_ends(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        anna, loop = party.places[0], asyncio.get_running_loop()
        greedy = await stranger(anna)
        game = sessions[0].table.charter.game
        nothing = tuple(Head(0, game) for _ in range(3))
        copies, asked, start = 0, 0, loop.time()

        async def ask() -> None:
            nonlocal asked
            while greedy.ended is None:
                await greedy.send(to_bytes(HeadsOf(game, nothing)))
                asked += 1
                await asyncio.sleep(0.002)

        async def count() -> None:
            nonlocal copies
            first = None
            async for data in greedy:
                match from_bytes(GROUP, data):
                    case EntryOf(_, entry):
                        first = first or entry
                        copies += entry == first
                    case _:
                        pass

        greed = [asyncio.create_task(ask()), asyncio.create_task(count())]
        await party.play()
        assert_agreed(sessions)
        beats = (loop.time() - start) / (QUICK.heartbeat_seconds / 2)
        assert asked > 2 * copies
        assert 2 <= copies <= beats + 2
        greed[0].cancel()
        await greedy.close("enough")
        await asyncio.gather(*greed, return_exceptions=True)


@awaited
async def test_who_does_not_follow_a_game_is_not_sent_its_entries(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        passer_by = await stranger(party.places[0])
        heard: list[Message] = []

        async def listen() -> None:
            async for data in passer_by:
                heard.extend([from_bytes(GROUP, data)])

        listening = asyncio.create_task(listen())
        sessions = await party.begin()
        await party.play()
        assert_agreed(sessions)
        assert any(isinstance(message, Games) and message.infos for message in heard)
        assert not any(isinstance(message, EntryOf | HeadsOf) for message in heard)
        await passer_by.close("enough")
        await listening
