"""Tables on real connections: seats, purses, rematches, private tables, and who is refused."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from secrets import token_bytes

import pytest

from p2p_sheriff.gathering.gathering import Changed, Closed, Gathering, LobbyError
from p2p_sheriff.gathering.pledges import Pledge, PledgeStep
from p2p_sheriff.gathering.tables import Joins, Lists, Member, TableInfo
from p2p_sheriff.node.certificate import server_context
from p2p_sheriff.node.events import PeerDown, Refused
from p2p_sheriff.node.farewell import Farewell, TransportError, Why
from p2p_sheriff.node.handshake import challenge
from p2p_sheriff.node.limits import DEFAULT
from p2p_sheriff.node.transport import Connection, connect
from p2p_sheriff.node.wire import Tables, TableTalk, to_bytes
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.terms import setup_of
from p2p_sheriff.texts import translated
from protocol.charter import Charter
from protocol.codec import encode
from protocol.framing import frame
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.nodes import HOST, QUICK, SETUP, TITLE, Party, Place, found, seated, until
from tests.node.running import awaited
from tests.node.stage import frames_of
from tests.node.strangers import GOODBYE, Stranger, serving

PHRASE = "the miller's blue door"
WRONG = "the miller's green door"


def info_of(place: Place) -> TableInfo:
    assert place.node.gathering is not None
    return place.node.gathering.info


def all_see(party: Party, holds: Callable[[TableInfo], bool]) -> bool:
    return all(place.node.gathering is not None and holds(place.node.gathering.info) for place in party.places)


def want(place: Place, other: Place) -> None:
    """Lets a node know where another one is, as discovery does."""
    place.node.want(other.node.identity.public, other.node.name, [(HOST, other.node.port)])


def refusals(place: Place) -> list[Refused]:
    return [event for event in place.drain() if isinstance(event, Refused)]


# -- seats and purses


@awaited
async def test_who_joins_from_an_address_with_endless_text_behind_it_is_dropped_and_the_table_stays(
    tmp_path: Path,
) -> None:
    """Two of them made the list longer than a frame, and the node of who had to send it ended."""
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)
        for name in ("Mallory", "Trudy"):
            who = Identity.generate(Drbg(name))
            stranger = await connect(who, name, QUICK, HOST, anna.node.port)
            member = Member(who.public, name, f"fe80::1%{'x' * 140_000}", 4711)
            await stranger.send(to_bytes(TableTalk(Joins(info_of(anna).id, member))))
            dropped = asyncio.create_task(frames_of(stranger))
            await until(
                lambda dropped=dropped: dropped.done() or not anna.node.is_running or len(info_of(anna).members) > 1  # type: ignore[misc]
            )
            assert anna.node.is_running
            assert [member.name for member in info_of(anna).members] == ["Anna"]
            assert stranger.ended is not None
            assert "a host is an address" in stranger.ended.detail


@awaited
async def test_all_see_the_seats_and_the_purses_and_play_by_them(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        anna, ben, cleo = (place.node.identity.public for place in party.places)
        for place, purse in zip(party.places, (1, None, 5), strict=True):
            await place.node.at_table(partial(Gathering.set_purse, purse=purse))
        await party.places[0].node.at_table(lambda gathering: gathering.arrange([cleo, anna, ben]))
        await until(lambda: all_see(party, lambda info: [one.purse for one in info.members] == [5, 1, None]))
        charters = {session.table.charter for session in await party.start()}
        assert len(charters) == 1
        charter = charters.pop()
        assert [player.identity for player in charter.players] == [cleo, anna, ben]
        assert setup_of(charter).candidates == (0,)


@awaited
async def test_who_sits_at_a_table_sits_at_no_other(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        opener, guest, other = party.places
        await opener.node.open_table(TITLE, SETUP)
        await guest.node.join_table(await found(guest))
        for sitting in (opener, guest):
            with pytest.raises(LobbyError, match=r"news\.sits_already"):
                await sitting.node.open_table("another", SETUP)
        await other.node.open_table("another", SETUP)
        info = await found(opener)
        with pytest.raises(LobbyError, match=r"news\.sits_already"):
            await opener.node.join_table(info)


@awaited
async def test_who_asks_for_a_seat_at_a_table_that_was_closed_meanwhile_is_told_so(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(2)
        opener, guest = party.places
        await opener.node.open_table(TITLE, SETUP)
        info = await found(guest)
        await opener.node.at_table(lambda gathering: gathering.leave())
        await guest.node.join_table(info)
        await until(lambda: guest.node.gathering is None)
        assert Closed(Phrase("closings.gone", name=opener.node.name)) in guest.drain()


@awaited
async def test_a_purse_that_nobody_carries_is_refused_before_anybody_hears_of_it(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        place = await party.add("Anna")
        with pytest.raises(LobbyError, match=r"news\.purse"):
            await place.node.open_table(TITLE, SETUP, -1)
        assert place.node.gathering is None


@awaited
async def test_who_is_cut_off_can_be_sent_away_from_the_table(tmp_path: Path) -> None:
    victim = Identity.generate(Drbg("victim"))
    async with Party(tmp_path) as party:
        opener = await party.add("Anna")
        await opener.node.open_table(TITLE, SETUP)
        connection = await connect(victim, "Victim", QUICK, HOST, opener.node.port)
        member = Member(victim.public, "Victim", "", 4000)
        await connection.send(to_bytes(TableTalk(Joins(info_of(opener).id, member))))
        await until(lambda: info_of(opener).free_seats == 1)
        connection.cut()
        await until(lambda: not opener.node.connected())
        assert info_of(opener).free_seats == 1
        await opener.node.at_table(lambda gathering: gathering.kick(victim.public))
        assert info_of(opener).free_seats == 2


# -- a rematch


async def played(party: Party, setup: Setup = SETUP) -> Charter:
    """Lets three play a game, which they put down at once; returns its charter."""
    await party.meet(3)
    sessions = await party.begin(setup)
    for place in party.places:
        await place.node.put_down()
    await until(lambda: all(len(place.node.connected()) == 2 for place in party.places))
    return sessions[0].table.charter


async def play_again(party: Party, charter: Charter) -> None:
    """Starts the rematch, for which all sit at one table."""
    await until(lambda: all_see(party, lambda info: info.free_seats == 0))
    opener = info_of(party.places[0]).opener
    assert {info_of(place).opener for place in party.places} == {opener}
    party.places.sort(key=lambda place: place.node.identity.public != opener)
    sessions = await party.start()
    assert {session.table.charter.players for session in sessions} == {charter.players}
    assert {setup_of(session.table.charter) for session in sessions} == {setup_of(charter)}
    assert len({session.table.charter.game for session in sessions} - {charter.game}) == 1


def by_key(party: Party) -> list[Place]:
    return sorted(party.places, key=lambda place: place.node.identity.public.key)


@awaited
async def test_the_players_of_a_game_play_again_and_nobody_else_sees_their_table(tmp_path: Path) -> None:
    async with Party(tmp_path) as party, party.place("Late") as late:
        charter = await played(party)
        _, second, third = party.places
        await late.node.dial(HOST, second.node.port)
        await until(lambda: len(second.node.connected()) == 3)
        await second.node.rematch(charter, 3)
        await found(third)
        for place in (third, party.places[0]):
            await found(place)
            await place.node.rematch(charter, 3)
        await play_again(party, charter)
        assert not late.node.tables
        with pytest.raises(LobbyError, match=r"news\.not_in_game"):
            await late.node.rematch(charter)


@awaited
async def test_a_stranger_who_asks_for_a_seat_at_a_rematch_is_told_for_whom_it_is(tmp_path: Path) -> None:
    async with Party(tmp_path) as party, party.place("Late") as late:
        charter = await played(party)
        opener = party.places[0]
        await opener.node.rematch(charter)
        await late.node.dial(HOST, opener.node.port)
        await until(lambda: bool(late.node.connected()))
        await late.node.join_table(info_of(opener))
        await until(lambda: Closed(Phrase("closings.invited", name=opener.node.name)) in late.drain())
        assert info_of(opener).free_seats == 2


@awaited
async def test_when_all_open_a_rematch_at_once_all_end_at_the_table_of_the_smallest_key(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)

        async def sit_down(place: Place) -> None:
            await place.node.rematch(charter, 4)
            await place.node.at_table(lambda gathering: gathering.set_ready(True))

        for place in party.places:
            place.drain()
            place.told.clear()
        await asyncio.gather(*(sit_down(place) for place in party.places))
        await until(lambda: all_see(party, lambda info: info.is_complete))
        assert info_of(party.places[0]).opener == by_key(party)[0].node.identity.public
        assert {member.purse for member in info_of(party.places[0]).members} == {4}
        tables = {event.info.id for place in party.places for event in place.drain() if isinstance(event, Changed)}
        assert len(tables) == 3, "not all have opened a table of their own first"
        assert not any(isinstance(event, Closed) for place in party.places for event in place.told)
        await play_again(party, charter)


@awaited
async def test_guests_of_a_rematch_go_over_with_who_opened_it(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)
        small, middle, large = by_key(party)
        await middle.node.rematch(charter)
        await found(large)
        await large.node.rematch(charter, 9)
        await large.node.at_table(lambda gathering: gathering.set_ready(True))
        await until(lambda: any(member.ready for member in info_of(middle).members))
        await until(lambda: small.table() == info_of(middle))  # Nothing more of it is on the way.
        small.node.tables.clear()  # It has not heard of that table yet.
        await small.node.rematch(charter, 9)
        await until(lambda: all_see(party, lambda info: info.opener == small.node.identity.public))
        await until(lambda: all_see(party, lambda info: info.free_seats == 0))
        member = info_of(small).member(large.node.identity.public)
        assert member is not None
        assert (member.purse, member.ready) == (9, True)
        await middle.node.at_table(lambda gathering: gathering.set_purse(9))
        await play_again(party, charter)
        assert not any(isinstance(event, Closed) for place in party.places for event in place.drain())


@awaited
async def test_who_leaves_a_rematch_is_not_drawn_to_the_table_of_another(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)
        small, _, large = by_key(party)
        await large.node.rematch(charter)
        await found(small)
        await large.node.at_table(lambda gathering: gathering.leave())
        await until(lambda: not small.node.tables)
        await small.node.rematch(charter)
        await found(large)
        await large.node.open_table(TITLE, SETUP)
        await found(small)
        assert info_of(large).title == TITLE


@pytest.mark.parametrize("is_early", [False, True], ids=["after the invitation", "before it"])
@awaited
async def test_who_declines_a_rematch_is_told_to_the_table_and_a_stranger_may_have_the_seat(
    tmp_path: Path, is_early: bool
) -> None:
    async with Party(tmp_path) as party, party.place("Late") as late:
        charter = await played(party)
        opener, second, third = party.places
        await late.node.dial(HOST, opener.node.port)
        if is_early:
            await third.node.decline(charter.game)
        await opener.node.rematch(charter)
        await found(third)
        if not is_early:
            with pytest.raises(LobbyError, match=r"news\.seats_kept"):
                await opener.node.at_table(lambda gathering: gathering.open_up())
            await third.node.decline(charter.game)
        await until(lambda: info_of(opener).declined == (third.node.identity.public,))
        assert not late.node.tables
        await opener.node.at_table(lambda gathering: gathering.open_up())
        await late.node.join_table(await found(late))
        await until(lambda: info_of(opener).free_seats == 1)
        await third.node.rematch(charter)  # Too late: the other seat is kept.
        await until(lambda: Closed(Phrase("closings.full", name=opener.node.name)) in third.drain())
        await second.node.rematch(charter)
        await until(lambda: info_of(opener).free_seats == 0)
        assert [member.name for member in info_of(opener).members][-1] == "Late"


@awaited
async def test_who_declined_and_sits_down_after_all_is_not_said_to_decline(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)
        opener, second, third = party.places
        await third.node.decline(charter.game)
        await opener.node.rematch(charter)
        await until(lambda: info_of(opener).declined == (third.node.identity.public,))
        await found(third)
        await third.node.rematch(charter)
        await second.node.rematch(charter)
        await play_again(party, charter)


@awaited
async def test_who_leaves_the_network_declines_a_rematch(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)
        opener, _, third = party.places
        await opener.node.rematch(charter)
        await third.node.__aexit__()
        await until(lambda: info_of(opener).declined == (third.node.identity.public,))


# -- who is refused


@awaited
async def test_a_private_table_is_for_those_who_know_the_passphrase(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna, ben = await party.add("Anna", passphrase=PHRASE), await party.add("Ben", passphrase=f" {PHRASE} ")
        want(ben, anna)
        await anna.node.open_table(TITLE, SETUP)
        await ben.node.join_table(await found(ben))
        await until(lambda: seated(ben))
        without, wrong = await party.add("Cleo"), await party.add("Dan", passphrase=WRONG)
        for place in (without, wrong):
            want(place, anna)
        await until(lambda: bool(refusals(without)) and bool(refusals(wrong)))
        assert refusals(without) == [
            Refused("Anna", Phrase("endings.private", detail="")),
        ]
        assert refusals(wrong) == [
            Refused("Anna", Phrase("endings.passphrase", detail="")),
        ]
        want(anna, without)
        await until(lambda: bool(refusals(anna)))
        assert refusals(anna)[0].sentence.key == "endings.public"
        assert not without.node.tables
        assert not wrong.node.tables
        with pytest.raises(TransportError, match=r"endings\.private"):
            await without.node.dial(HOST, anna.node.port)


@pytest.mark.parametrize("says_goodbye", [False, True], ids=["we notice", "they notice"])
@awaited
async def test_another_version_is_told_once_and_not_dialled_again(tmp_path: Path, says_goodbye: bool) -> None:
    newer = Identity.generate(Drbg("newer"))
    calls = 0

    async def serve(client: Stranger) -> None:
        nonlocal calls
        calls += 1
        if says_goodbye:
            client.send(challenge(newer.public, None, token_bytes).hello)
            await client.receive()
            client.writer.write(frame(GOODBYE + Farewell(Why.VERSION, "You need an update.").to_bytes()))
        else:
            client.send(encode(("p2p-sheriff/99", "something else")))
        await client.reader.read()

    async with Party(tmp_path) as party, serving(server_context(newer), serve) as port:
        place = await party.add("Anna")
        place.node.want(newer.public, "Newer", [(HOST, port)])
        await until(lambda: bool(refusals(place)))
        place.node.want(newer.public, "Newer", [(HOST, port)])
        await asyncio.sleep(3 * QUICK.most_reconnect_seconds)
        assert calls == 1
        (refused,) = refusals(place)
        assert refused.name == "Newer"
        assert "update" in translated(refused.sentence)
        place.node.want(newer.public, "Newer", [("localhost", port)])  # It may be another program by now.
        await until(lambda: calls > 1)


@awaited
async def test_somebody_else_at_a_known_address_is_told_once(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna, ben = await party.add("Anna"), await party.add("Ben")
        anna.node.want(Identity.generate(Drbg("absent")).public, "Absent", [(HOST, ben.node.port)])
        await until(lambda: bool(refusals(anna)))
        await asyncio.sleep(3 * QUICK.most_reconnect_seconds)
        (refused,) = refusals(anna)
        assert refused.name == "Absent"
        assert refused.sentence.key == "endings.identity"


@awaited
async def test_nobody_is_told_of_a_node_that_can_not_be_reached(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        async with party.place("Ben") as ben:
            identity, port = ben.node.identity.public, ben.node.port
        anna.node.want(identity, "Ben", [(HOST, port)])
        await asyncio.sleep(3 * QUICK.most_reconnect_seconds)
        assert anna.drain() == []


@awaited
async def test_a_stranger_with_a_stolen_name_gets_no_connection_and_both_are_told(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        anna, ben = await party.add("Anna"), await party.add("Ben")
        ben.profile.pin("Anna", anna.node.identity.public)
        mallory = await party.add("anna", profile="mallory")
        want(mallory, ben)
        await until(lambda: bool(refusals(mallory)))
        assert "Take another name" in translated(refusals(mallory)[0].sentence)
        want(ben, mallory)
        await until(lambda: bool(refusals(ben)))
        (refused,) = refusals(ben)
        assert refused.name == "anna"
        assert "--trust-new-key anna" in translated(refused.sentence)
        await until(lambda: not ben.node.connected() and not mallory.node.connected())
        want(ben, anna)
        await until(lambda: ben.node.connected() == {anna.node.identity.public: "Anna"})


@awaited
async def test_who_has_a_new_key_is_let_in_once_the_old_one_is_forgotten(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        ben, anew = await party.add("Ben"), await party.add("Anna", profile="new-machine")
        ben.profile.pin("Anna", Identity.generate(Drbg("old machine")).public)
        with pytest.raises(TransportError, match=r"endings\.name"):
            await anew.node.dial(HOST, ben.node.port)
        ben.profile.unpin("ANNA")
        await anew.node.dial(HOST, ben.node.port)
        await until(lambda: bool(ben.node.connected()))


async def join_table_of(opener: Identity, guest: Place) -> tuple[Connection, TableInfo]:
    """Lets a guest sit down at the table of somebody who does not behave."""
    connection = await connect(opener, "Opener", QUICK, HOST, guest.node.port)
    info = TableInfo(bytes(16), TITLE, SETUP, opener.public, (Member(opener.public, "Opener", "", 4000),))
    await connection.send(to_bytes(Tables((info,))))
    await guest.node.join_table(await found(guest))
    return connection, info


@awaited
async def test_an_opener_who_lists_a_stranger_under_a_known_name_loses_the_guest(tmp_path: Path) -> None:
    opener, mallory = Identity.generate(Drbg("opener")), Identity.generate(Drbg("mallory"))
    async with Party(tmp_path) as party:
        guest = await party.add("Cleo")
        guest.profile.pin("Anna", Identity.generate(Drbg("anna")).public)
        connection, info = await join_table_of(opener, guest)
        listed = replace(info, members=(*info.members, Member(mallory.public, "Anna", "", 4001)), version=1)
        await connection.send(to_bytes(TableTalk(Lists(info.id, listed))))
        await until(lambda: guest.node.gathering is None)
        (closed,) = [event for event in guest.drain() if isinstance(event, Closed)]
        assert "Anna belongs to another key" in translated(closed.reason)
        await connection.close("done")


@pytest.mark.parametrize("host", ["x" * 64, "a..b", "a\0b", "nowhere.invalid"])
@awaited
async def test_a_list_with_a_name_in_place_of_an_address_is_refused_and_nobody_is_asked_for_it(
    tmp_path: Path, host: str
) -> None:
    opener, nobody = Identity.generate(Drbg("opener")), Identity.generate(Drbg("nobody"))
    async with Party(tmp_path) as party:
        guest = await party.add("Cleo")
        connection, info = await join_table_of(opener, guest)
        listed = replace(info, members=(*info.members, Member(nobody.public, "Nobody", host, 4001)), version=1)
        await connection.send(to_bytes(TableTalk(Lists(info.id, listed))))
        with suppress(TransportError):
            async for _ in connection:
                pass
        assert connection.ended is not None
        assert "a host is an address" in connection.ended.detail


@pytest.mark.parametrize("host", ["255.255.255.255", "127.255.255.254"])
@awaited
async def test_a_member_at_an_impossible_address_harms_nobody(tmp_path: Path, host: str) -> None:
    opener, nobody = Identity.generate(Drbg("opener")), Identity.generate(Drbg("nobody"))
    async with Party(tmp_path) as party:
        guest = await party.add("Cleo")
        connection, info = await join_table_of(opener, guest)
        listed = replace(info, members=(*info.members, Member(nobody.public, "Nobody", host, 4001)), version=1)
        await connection.send(to_bytes(TableTalk(Lists(info.id, listed))))
        await until(lambda: info_of(guest).version == 1)
        await asyncio.sleep(3 * QUICK.reconnect_seconds)
        await guest.node.at_table(lambda gathering: gathering.leave())
        await connection.close("done")


@awaited
async def test_a_stranger_who_talks_early_makes_nobody_hang_up_on_the_opener(tmp_path: Path) -> None:
    eve = Identity.generate(Drbg("eve"))
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        info, guests, connections = info_of(party.places[0]), party.places[1:], []
        for guest in guests:
            connection = await connect(eve, "Eve", QUICK, HOST, guest.node.port)
            connections.append(connection)
            for version in range(info.version + 1, info.version + 9):
                for step in PledgeStep:
                    said = Pledge.sign(eve, info.id, version, bytes(32), 1, step, bytes(32))
                    await connection.send(to_bytes(TableTalk(said)))
        sessions = await party.start()
        assert len({session.table.charter.game for session in sessions}) == 1
        opener = party.places[0].node.identity.public
        assert not any(
            isinstance(one, PeerDown) and one.identity == opener for guest in guests for one in guest.drain()
        )
        for connection in connections:
            await connection.close("that was all")


@awaited
async def test_an_opener_who_lists_ever_new_members_makes_a_guest_dial_only_so_many_and_remember_few(
    tmp_path: Path,
) -> None:
    """The list says where members are: it could be any machine, and any number of them."""
    dialled = 0

    async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal dialled
        dialled += 1
        with suppress(OSError):
            await reader.read()
        writer.close()

    opener, server, rng = (
        Identity.generate(Drbg("opener")),
        await asyncio.start_server(stay_silent, HOST),
        Drbg("fakes"),
    )
    port = server.sockets[0].getsockname()[1]
    async with Party(tmp_path) as party:
        guest = await party.add("Cleo")
        connection, info = await join_table_of(opener, guest)
        for version in range(1, 15):
            fakes = (Member(Identity.generate(rng).public, f"Fake {number}", HOST, port) for number in range(2))
            listed = replace(info, members=(*info.members, *fakes), version=version)
            await connection.send(to_bytes(TableTalk(Lists(info.id, listed))))
            await until(lambda version=version: info_of(guest).version == version)  # type: ignore[misc]
            await asyncio.sleep(2 * QUICK.courtesy_seconds)
        assert 0 < dialled <= DEFAULT.dials_per_address
        assert len(guest.node._mesh.peers) <= 3
        connection.cut()
    server.close()
    await server.wait_closed()
