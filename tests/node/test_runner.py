import asyncio
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from time import thread_time

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.gathering.gathering import Closed, Gathering, LobbyError, Output
from p2p_sheriff.gathering.tables import GetsReady, Joins, Member
from p2p_sheriff.node.events import PeerDown
from p2p_sheriff.node.farewell import Why
from p2p_sheriff.node.foyer import Foyer
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.transport import Connection, TransportError, connect
from p2p_sheriff.node.wire import EntryOf, GameInfo, Games, HeadsOf, Ping, Tables, TableTalk, to_bytes
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.session.record import record_of
from protocol.codec import encode
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.nodes import HOST, QUICK, SETUP, TITLE, Party, Place, found, goes_on, seat, seated, until
from tests.node.running import SECONDS, awaited
from tests.table.games import assert_agreed


async def cut_all(party: Party) -> None:
    """Breaks every connection off, without a word."""
    for place in party.places:
        for connection in place.node.connections:
            connection.cut()


def assert_all_connected(party: Party) -> None:
    assert all(len(place.node.connected()) == len(party.places) - 1 for place in party.places)


@awaited
async def test_nodes_that_know_one_address_meet_gather_and_play_a_game_to_the_same_end(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        assert_agreed(sessions)
        assert_all_connected(party)
        records = {record_of(session.table).to_bytes() for session in sessions}
        assert len(records) == 1
        assert isinstance(audit(records.pop(), Edwards25519()).verdict, Valid)


@awaited
async def test_a_table_is_listed_until_its_game_begins(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.places[0].node.open_table(TITLE, SETUP)
        for place in party.places[1:]:
            info = await found(place)
            assert (info.title, info.setup, info.free_seats) == (TITLE, SETUP, 2)
        late = await party.add("Late")
        await late.node.dial(HOST, party.places[0].node.port)
        assert (await found(late)).title == TITLE
        party.places.remove(late)
        for place in party.places[1:]:
            await place.node.join_table(await found(place))
        await until(lambda: late.table() is not None and late.node.tables.popitem()[1].free_seats == 0)


@awaited
async def test_of_a_title_that_is_too_long_others_see_the_beginning(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(2)
        await party.places[0].node.open_table(50 * "long " + "title", SETUP)
        assert (await found(party.places[1])).title == (50 * "long ")[:64]


@awaited
async def test_a_table_vanishes_when_who_opened_it_leaves_the_network(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        guest = await party.add("Guest")
        async with party.place("Opener") as opener:
            await guest.node.dial(HOST, opener.node.port)
            await opener.node.open_table(TITLE, SETUP)
            await guest.node.join_table(await found(guest))
            await until(lambda: seated(guest))
        await until(lambda: not guest.node.tables and guest.node.gathering is None)
        assert any(event == Closed(Phrase("news.opener_gone")) for event in guest.drain())
        with pytest.raises(LobbyError, match=r"news\.no_table"):
            await guest.node.at_table(lambda gathering: gathering.set_ready(True))


@awaited
async def test_who_is_sent_away_frees_the_seat_and_may_come_again(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        opener, guest, _ = party.places
        await opener.node.at_table(lambda gathering: gathering.kick(guest.node.identity.public))
        await until(lambda: guest.node.gathering is None)
        assert any(isinstance(event, Closed) and event.reason.key == "closings.sent_away" for event in guest.drain())
        await until(lambda: (info := guest.table()) is not None and info.free_seats == 1)
        await guest.node.join_table(await found(guest))
        await until(lambda: seated(guest))


@awaited
async def test_who_leaves_the_table_is_off_it_and_the_seat_is_free(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        opener, guest, _ = party.places
        await guest.node.at_table(lambda gathering: gathering.leave())
        await until(lambda: opener.node.gathering is not None and opener.node.gathering.info.free_seats == 1)
        assert guest.node.gathering is None


@awaited
async def test_an_opener_who_leaves_closes_the_table_for_all(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        opener, *guests = party.places
        await opener.node.at_table(lambda gathering: gathering.leave())
        assert opener.node.gathering is None
        await until(lambda: all(place.node.gathering is None and not place.node.tables for place in guests))


@awaited
async def test_connections_that_are_cut_in_the_lobby_cost_nobody_the_seat(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        await cut_all(party)
        await until(lambda: all(any(isinstance(one, PeerDown) for one in place.drain()) for place in party.places))
        await until(lambda: all(len(place.node.connected()) == 2 for place in party.places))
        assert all(seated(place) for place in party.places)
        assert len({session.table.charter.game for session in await party.start()}) == 1


@awaited
async def test_who_is_hung_up_on_for_want_of_a_sign_of_life_keeps_the_seat(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        for place in party.places:
            for connection in place.node.connections:
                await connection.close("no sign of life")
        await until(lambda: all(any(isinstance(one, PeerDown) for one in place.drain()) for place in party.places))
        await until(lambda: all(len(place.node.connected()) == 2 for place in party.places))
        assert all(seated(place) for place in party.places)
        assert len({session.table.charter.game for session in await party.start()}) == 1


@awaited
async def test_who_leaves_the_network_frees_the_seat_at_once(tmp_path: Path) -> None:
    async with Party(tmp_path, replace(QUICK, seat_seconds=600)) as party:
        opener = await party.add("Opener")
        await opener.node.open_table(TITLE, SETUP)
        async with party.place("Guest") as guest:
            await guest.node.dial(HOST, opener.node.port)
            await guest.node.join_table(await found(guest))
            await until(lambda: seated(guest))
        table = opener.node.gathering
        assert table is not None
        await until(lambda: table.info.free_seats == SETUP.players - 1)


@awaited
async def test_who_is_cut_off_from_a_gathering_table_for_too_long_loses_the_seat(tmp_path: Path) -> None:
    async with Party(tmp_path, replace(QUICK, seat_seconds=0.5)) as party:
        await party.meet(3)
        await party.gather()
        opener, guest, victim = party.places
        await die(victim)
        await until(lambda: (table := guest.table()) is not None and table.free_seats == 1)
        await die(opener)
        await until(lambda: guest.node.gathering is None)
        assert any(event == Closed(Phrase("news.opener_gone")) for event in guest.drain())


@awaited
async def test_joining_a_table_whose_opener_is_not_connected_is_refused(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        guest = await party.add("Guest")
        async with party.place("Opener") as opener:
            await guest.node.dial(HOST, opener.node.port)
            await opener.node.open_table(TITLE, SETUP)
            info = await found(guest)
        await until(lambda: not guest.node.connected())
        with pytest.raises(LobbyError, match=r"news\.opener_away"):
            await guest.node.join_table(info)
        assert guest.node.gathering is None


@awaited
async def test_connections_that_are_cut_again_and_again_heal_and_the_game_ends(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        playing = asyncio.create_task(party.play())
        cuts = 0
        while await goes_on(playing, sessions[0].table.transcript):
            await cut_all(party)
            cuts += 1
        await playing
        assert cuts >= 2
        assert_agreed(sessions)


@awaited
async def test_two_that_dial_each_other_at_once_settle_on_one_connection(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna, ben = await party.add("Anna"), await party.add("Ben")
        for _ in range(5):
            await asyncio.gather(anna.node.dial(HOST, ben.node.port), ben.node.dial(HOST, anna.node.port))

        def ends() -> list[bool]:
            return sorted(connection.dialled for place in (anna, ben) for connection in place.node.connections)

        await until(lambda: ends() == [False, True])
        await anna.node.open_table(TITLE, SETUP)
        await found(ben)


@awaited
async def test_who_has_gone_when_a_wish_is_refused_leaves_no_error_behind(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)

        def refuse(_: Gathering) -> list[Output]:
            asking.cancel()
            raise LobbyError("news.nobody")

        asking = asyncio.create_task(anna.node.at_table(refuse))
        with pytest.raises(asyncio.CancelledError):
            await asking


async def goodbye(connection: Connection) -> str:
    """Returns why the other side has closed the connection on purpose."""
    async for _ in connection:
        pass
    assert connection.ended is not None
    assert connection.ended.why is Why.CLOSED
    return connection.ended.detail


@awaited
async def test_who_sends_garbage_is_dropped_with_the_reason_and_the_game_goes_on(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        playing = asyncio.create_task(party.play())
        game = sessions[0].table.charter.game
        for number, garbage in enumerate(
            (b"\xff\x00", encode(("dance", 1)), to_bytes(EntryOf(game, b"nonsense")), to_bytes(HeadsOf(game, ())))
        ):
            stranger = Identity.generate(Drbg(f"stranger {number}"))
            connection = await connect(stranger, "Mallory", QUICK, HOST, party.places[0].node.port)
            await connection.send(garbage)
            assert "makes no sense" in await goodbye(connection)
        await playing
        assert_agreed(sessions)


@awaited
async def test_who_announces_the_table_of_another_is_dropped(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(2)
        opener, guest = party.places
        await opener.node.open_table(TITLE, SETUP)
        info = await found(guest)
        connection = await connect(Identity.generate(Drbg("thief")), "Thief", QUICK, HOST, guest.node.port)
        await connection.send(to_bytes(Tables((info,))))
        assert "who opened it" in await goodbye(connection)
        assert guest.table() == info


@awaited
async def test_who_announces_the_game_of_others_is_dropped(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        charter = (await party.begin())[0].table.charter
        anna = party.places[0].node
        connection = await connect(Identity.generate(Drbg("boaster")), "Boaster", QUICK, HOST, anna.port)
        await connection.send(to_bytes(Games((GameInfo("mine", charter),))))
        assert "who plays it" in await goodbye(connection)


@awaited
async def test_a_flood_of_pings_does_not_keep_a_table_from_being_found(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(2)
        opener, guest = party.places
        connection = await connect(Identity.generate(Drbg("flood")), "Flood", QUICK, HOST, guest.node.port)

        async def flood() -> None:
            with suppress(TransportError):
                while True:
                    await connection.send(to_bytes(Ping()))
                    await asyncio.sleep(0)

        flooding = asyncio.create_task(flood())
        await opener.node.open_table(TITLE, SETUP)
        await found(guest)
        await connection.close("enough")
        await flooding


async def work_long(_foyer: Foyer, *_: object) -> None:
    until_then = thread_time() + 1
    while thread_time() < until_then:
        pass


@awaited
async def test_a_stranger_whose_messages_cost_more_time_than_a_stranger_may_is_told_so_and_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Foyer, "hear", work_long)
    async with Party(tmp_path, replace(QUICK, dead_after_seconds=30)) as party:
        anna = await party.add("Anna")
        connection = await connect(Identity.generate(Drbg("costly")), "Costly", QUICK, HOST, anna.node.port)
        why = asyncio.ensure_future(goodbye(connection))
        with suppress(TransportError):
            while not why.done():
                await connection.send(to_bytes(Tables(())))
                await asyncio.sleep(0.1)
        assert await why == "more than a stranger may send"


@awaited
async def test_a_guest_whose_messages_cost_more_time_than_a_stranger_may_is_told_so_and_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Anybody may sit down, and each time that somebody is ready or not is told to all on the network."""
    async with Party(tmp_path, replace(QUICK, dead_after_seconds=30)) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)
        guest = Identity.generate(Drbg("costly"))
        connection = await connect(guest, "Costly", QUICK, HOST, anna.node.port)
        table = anna.node.gathering
        assert table is not None
        await connection.send(to_bytes(TableTalk(Joins(table.info.id, Member(guest.public, "Costly", HOST, 4001)))))
        await until(lambda: table.info.member(guest.public) is not None)
        monkeypatch.setattr(Foyer, "hear", work_long)
        why = asyncio.ensure_future(goodbye(connection))
        with suppress(TransportError):
            while not why.done():
                await connection.send(to_bytes(TableTalk(GetsReady(table.info.id, ready=True))))
                await asyncio.sleep(0.1)
        assert await why == "more than a stranger may send"


@awaited
async def test_what_a_stranger_waits_for_while_the_machine_does_something_else_is_not_held_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = list[object]()

    async def wait_long(_foyer: Foyer, *_: object) -> None:
        await asyncio.sleep(1)
        heard.append(None)

    monkeypatch.setattr(Foyer, "hear", wait_long)
    async with Party(tmp_path, replace(QUICK, dead_after_seconds=30)) as party:
        anna = await party.add("Anna")
        connection = await connect(Identity.generate(Drbg("patient")), "Patient", QUICK, HOST, anna.node.port)
        why = asyncio.ensure_future(goodbye(connection))

        async def speak() -> None:
            before = len(heard)
            await connection.send(to_bytes(Tables(())))
            await until(lambda: why.done() or len(heard) > before)

        for _ in range(3):  # By the time of day one message of a second is more than a stranger may cost.
            await speak()
        assert not why.done()
        await connection.close("has seen enough")


@awaited
async def test_a_node_that_falls_silent_is_taken_for_dead_though_its_connection_stands(tmp_path: Path) -> None:
    async with Party(tmp_path, replace(QUICK, dead_after_seconds=1)) as party:
        place = await party.add("Anna")
        connection = await connect(Identity.generate(Drbg("silent")), "Silent", QUICK, HOST, place.node.port)
        await until(lambda: len(place.node.connected()) == 1)
        await until(lambda: not place.node.connected())
        assert any(isinstance(event, PeerDown) for event in place.drain())
        await connection.close("was only asleep")


@awaited
async def test_a_node_that_was_killed_in_the_middle_comes_back_from_its_disk_and_all_end_alike(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        survivors = [asyncio.create_task(seat(place).play()) for place in party.places[:2]]
        victim = party.places[2]
        dying = asyncio.create_task(seat(victim).play())
        await until(lambda: sessions[0].play.state.round >= 2)
        dying.cancel()
        game = sessions[0].table.charter.game
        port = party.places[0].node.port
        await die(victim)
        async with party.place(victim.node.name) as again:
            keeper = await asyncio.to_thread(Keeper.resume, again.profile, game, Edwards25519(), Drbg("again"))
            await again.node.dial(HOST, port)
            await again.node.resume(keeper)
            await asyncio.gather(seat(again).play(), *survivors)
            assert await again.node.settle(SECONDS)
            assert_agreed([*sessions[:2], keeper.session])


async def die(place: Place) -> None:
    """Ends a node as a loss of power does: the lock on its profile is gone too."""
    await place.node.kill()
    place.profile.close()


@awaited
async def test_a_node_with_a_defect_names_it_to_who_asks_at_the_very_moment_it_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def break_down(_: Foyer) -> None:
        raise ZeroDivisionError("half a card")

    async with Party(tmp_path) as party:
        node = (await party.add("Ann")).node
        monkeypatch.setattr(Foyer, "free_seats", break_down)
        while node.is_running:  # noqa: ASYNC110 - An event would come after the moment that is asked for.
            await asyncio.sleep(0)
        with pytest.raises(LobbyError, match=r"troubles\.defect detail=ZeroDivisionError: half a card"):
            await node.put_down()
