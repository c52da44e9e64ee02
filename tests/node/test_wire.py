"""The messages between nodes: what is sent is what is read, and everything else is refused."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.gathering.tables import Leaves, Member, TableInfo
from p2p_sheriff.node.wire import (
    MAX_ADDRESSES,
    Address,
    EntryOf,
    GameInfo,
    Games,
    HeadsOf,
    Message,
    Ping,
    Tables,
    TableTalk,
    Where,
    from_bytes,
    to_bytes,
)
from p2p_sheriff.rules import Setup
from protocol.charter import MAX_NAME_BYTES
from protocol.codec import Value, decode, encode
from protocol.entry import Head
from protocol.errors import MalformedError
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.mortal import charter_of

GROUP = Edwards25519()
PEOPLE = [Identity.generate(Drbg(f"person {number}")) for number in range(3)]
CHARTER = charter_of(PEOPLE, Setup(3))
KEY = PEOPLE[0].public.key
GAME = CHARTER.game
TABLE = TableInfo(bytes(16), "by the fire", Setup(3), PEOPLE[0].public, (Member(PEOPLE[0].public, "Anna", "", 1),))
MESSAGES: Sequence[Message] = (
    Ping(),
    Where(4711, (Address(KEY, "10.0.0.1", 1), Address(KEY, "", 65535))),
    Tables(()),
    Tables((TABLE,)),
    Games(()),
    Games((GameInfo("by the fire", CHARTER),)),
    Games((GameInfo("", CHARTER),)),
    TableTalk(Leaves(bytes(16))),
    EntryOf(GAME, b"entry"),
    HeadsOf(GAME, (Head(0, GAME), Head(3, bytes(32)))),
)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_is_read_as_it_was_sent(message: Message) -> None:
    assert from_bytes(GROUP, to_bytes(message)) == message


@pytest.mark.parametrize(
    "value",
    [
        (),
        None,
        ("dance",),
        ("ping", 1),
        ("where", 0, ()),
        ("where", 1 << 16, ()),
        ("where", True, ()),
        ("where", 1, ((KEY, "10.0.0.1"),)),
        ("where", 1, ((KEY, "a-name-that-would-have-to-be-resolved", 1),)),
        ("where", 1, ((KEY, "10.0.0.01", 1),)),
        ("where", 1, ((KEY, "fe80::1%eth0", 1),)),
        ("where", 1, ((KEY[:-1], "10.0.0.1", 1),)),
        ("where", 1, ((KEY, "10.0.0.1", 1),) * (MAX_ADDRESSES + 1)),
        ("tables", (TABLE.to_value(),) * 2),  # Who announces sits at one: reading more is work for the asking.
        ("tables", ((),)),
        ("games", (("", CHARTER.to_bytes()),) * 2),
        ("games", (("", CHARTER.to_bytes()[:-1]),)),
        ("games", (("x" * (MAX_NAME_BYTES + 1), CHARTER.to_bytes()),)),
        ("games", ((CHARTER.to_bytes(),),)),
        ("entry", GAME),
        ("entry", "game", b""),
        ("heads", GAME, ((-1, GAME),)),
        ("heads", GAME, ((True, GAME),)),
        ("heads", GAME, ((0, b"short"),)),
        ("heads", GAME, ((0,),)),
        ("heads", GAME, ((0, GAME),) * 17),
    ],
    ids=str,
)
def test_what_is_no_message_is_refused(value: Value) -> None:
    with pytest.raises(MalformedError):
        from_bytes(GROUP, encode(value))


@given(st.data())
def test_a_changed_message_is_another_one_or_refused(data: st.DataObject) -> None:
    sent = bytearray(to_bytes(data.draw(st.sampled_from(MESSAGES))))
    place = data.draw(st.integers(0, len(sent) - 1))
    sent[place] ^= data.draw(st.integers(1, 255))
    try:
        read = from_bytes(GROUP, bytes(sent))
    except MalformedError:
        return
    assert to_bytes(read) == bytes(sent)


@given(st.binary(max_size=200))
def test_garbage_is_refused(garbage: bytes) -> None:
    try:
        value = decode(garbage)
    except MalformedError:
        value = None
    match value:
        case ("ping" | "where" | "tables" | "games" | "lobby" | "entry" | "heads", *_):
            return
        case _:
            with pytest.raises(MalformedError):
                from_bytes(GROUP, garbage)


@pytest.mark.parametrize("body", [(), ("leave",), ("leave", "table"), ("dance", bytes(16)), 7], ids=str)
def test_a_message_of_the_lobby_that_is_none_or_names_no_table_is_refused(body: Value) -> None:
    with pytest.raises(MalformedError):
        from_bytes(GROUP, encode(("lobby", body)))
