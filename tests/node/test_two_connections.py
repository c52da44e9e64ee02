"""What is said at a table is heard, whatever becomes of the connection that it was said on."""

import asyncio
from itertools import count
from pathlib import Path

import pytest

from p2p_sheriff.gathering.gathering import Chatted, Closed
from p2p_sheriff.gathering.tables import Chats, Closes, Closing, Joins, Leaves, Lists, Member, TableInfo, TableMessage
from p2p_sheriff.node.transport import Connection, Listener, connect
from p2p_sheriff.node.wire import TableTalk, from_bytes, to_bytes
from p2p_sheriff.phrase import Phrase
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.mortal import GROUP
from tests.node.nodes import HOST, QUICK, SETUP, TITLE, Party, Place, seated, until
from tests.node.running import awaited
from tests.node.test_runner import cut_all


def info_of(place: Place) -> TableInfo:
    assert place.node.gathering is not None
    return place.node.gathering.info


def identity_beside(other: PublicIdentity, *, smaller: bool) -> Identity:
    """Returns somebody whose key is smaller than another one, or greater: of two connections, the smaller's stays."""
    made = (Identity.generate(Drbg(f"ben {number}")) for number in count())
    return next(one for one in made if (one.public.key < other.key) is smaller)


async def talk(connection: Connection, message: TableMessage) -> None:
    await connection.send(to_bytes(TableTalk(message)))


async def heard(connection: Connection, kind: type[TableMessage]) -> TableMessage:
    """Waits for a message of a kind."""
    async for data in connection:
        match from_bytes(GROUP, data):
            case TableTalk(message) if isinstance(message, kind):
                return message
            case _:
                pass
    raise AssertionError(f"the connection ended: {connection.ended}")


async def sit_down(who: Identity, connection: Connection, opener: Place) -> None:
    await talk(connection, Joins(info_of(opener).id, Member(who.public, "Ben", "", 4000)))
    await until(lambda: info_of(opener).member(who.public) is not None)


@awaited
async def test_a_lobby_message_on_a_connection_that_is_replaced_is_not_lost(tmp_path: Path) -> None:
    """The guest dials anew. The opener speaks on the new connection already when the guest still uses the old one."""
    ben = Identity.generate(Drbg("ben"))
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)
        old = await connect(ben, "Ben", QUICK, HOST, anna.node.port)
        await sit_down(ben, old, anna)
        new = await connect(ben, "Ben", QUICK, HOST, anna.node.port)
        await heard(new, Lists)
        await talk(old, Chats(info_of(anna).id, "wait for me"))
        await talk(old, Leaves(info_of(anna).id))
        await until(lambda: Chatted(ben.public, "wait for me") in anna.drain())
        await until(lambda: info_of(anna).member(ben.public) is None)
        await until(lambda: len(anna.node.connections) == 1)
        await new.close("done")


@pytest.mark.parametrize("smaller", [True, False])
@awaited
async def test_a_lobby_message_on_the_one_of_two_crossing_connections_that_is_dropped_is_not_lost(
    tmp_path: Path, smaller: bool
) -> None:
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)
        ben = identity_beside(anna.node.identity.public, smaller=smaller)
        arrived = asyncio.Queue[Connection]()
        listener = Listener(ben, "Ben", QUICK, HOST, arrived.put)
        await listener.start()
        anna.node.want(ben.public, "Ben", [(HOST, listener.port)])
        called = await arrived.get()
        await sit_down(ben, called, anna)
        calling = await connect(ben, "Ben", QUICK, HOST, anna.node.port)
        kept, dropped = (calling, called) if smaller else (called, calling)
        await until(lambda: len(anna.node.connections) == 2)
        await talk(dropped, Chats(info_of(anna).id, "wait for me"))
        await until(lambda: Chatted(ben.public, "wait for me") in anna.drain())
        await until(lambda: len(anna.node.connections) == 1)
        await talk(kept, Chats(info_of(anna).id, "thanks"))
        await until(lambda: Chatted(ben.public, "thanks") in anna.drain())
        await kept.close("done")
        await listener.stop()


@awaited
async def test_who_leaves_the_table_while_the_cable_is_cut_keeps_no_seat_when_it_heals(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        opener, guest, other = party.places
        await cut_all(party)
        await guest.node.at_table(lambda gathering: gathering.leave())
        await until(lambda: len(opener.node.connected()) == 2)
        await until(lambda: info_of(opener).free_seats == 1)
        assert seated(other)
        assert not seated(guest)


@awaited
async def test_who_is_sent_away_while_the_cable_is_cut_hears_so_when_it_heals(tmp_path: Path) -> None:
    ben = Identity.generate(Drbg("ben"))
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        await anna.node.open_table(TITLE, SETUP)
        connection = await connect(ben, "Ben", QUICK, HOST, anna.node.port)
        await sit_down(ben, connection, anna)
        connection.cut()
        await until(lambda: not anna.node.connected())
        await anna.node.at_table(lambda gathering: gathering.kick(ben.public))
        again = await connect(ben, "Ben", QUICK, HOST, anna.node.port)
        assert await heard(again, Closes) == Closes(info_of(anna).id, Closing.SENT_AWAY)
        await again.close("done")


@awaited
async def test_a_guest_who_was_sent_away_unheard_is_off_the_table_on_both_sides(tmp_path: Path) -> None:
    """The guest asks for the own seat when it is connected anew, before it hears that it was sent away."""
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.gather()
        opener, guest, _ = party.places
        await cut_all(party)
        await opener.node.at_table(lambda gathering: gathering.kick(guest.node.identity.public))
        await until(lambda: guest.node.gathering is None)
        assert Closed(Phrase("closings.sent_away", name="Anna")) in guest.drain()
        await until(lambda: info_of(opener).free_seats == 1)
