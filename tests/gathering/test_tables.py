from dataclasses import replace

import pytest

from p2p_sheriff.gathering.tables import MAX_PURSE, Member, TableInfo
from p2p_sheriff.rules import Setup
from protocol.codec import Value, decode, encode
from protocol.errors import LocalError, MalformedError
from protocol.group import Group
from protocol.identity import Identity
from tests.gathering.lobby_room import Room

TABLE = ("id", "title", "terms", "opener", "members", "again", "version", "declined")
MEMBER = ("key", "name", "host", "port", "purse", "ready")


@pytest.fixture
def room(group: Group) -> Room:
    return Room(group, ["Anna", "Ben", "Cleo"], Setup(3), [7, None, 7])


def test_a_table_comes_back_from_its_plain_form(room: Room, group: Group) -> None:
    room.fill()
    info = room.opener.info
    assert TableInfo.from_value(decode(encode(info.to_value())), group) == info


def test_a_table_where_somebody_sits_on_two_seats_is_malformed(room: Room, group: Group) -> None:
    room.fill()
    one, other, _ = room.opener.info.members
    with pytest.raises(LocalError, match="two seats"):
        replace(room.opener.info, members=(one, other, other))
    plain, place = room.opener.info.to_value(), TABLE.index("members")
    members = tuple(member.to_value() for member in (one, other, other))
    with pytest.raises(MalformedError, match="two seats"):
        TableInfo.from_value((*plain[:place], members, *plain[place + 1 :]), group)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", b"short"),
        ("title", "x" * 65),
        ("terms", ()),
        ("opener", bytes(32)),
        ("opener", Identity(bytes(32)).public.key),
        ("members", ()),
        ("again", b"not an id"),
        ("version", -1),
        ("version", True),
        ("declined", (bytes(31),)),
        ("declined", (Identity(bytes(32)).public.key,)),  # This table is no rematch.
    ],
)
def test_a_table_with_an_impossible_field_is_malformed(room: Room, group: Group, field: str, value: Value) -> None:
    room.fill()
    plain = room.opener.info.to_value()
    place = TABLE.index(field)
    with pytest.raises(MalformedError):
        TableInfo.from_value((*plain[:place], value, *plain[place + 1 :]), group)


def test_who_declines_a_rematch_does_so_once_and_does_not_sit_there(room: Room) -> None:
    room.fill()
    info, (anna, ben, cleo) = replace(room.opener.info, again=bytes(32)), room.opener.info.members
    absent = replace(info, members=(anna, ben), declined=(cleo.identity,))
    assert absent.declined == (cleo.identity,)
    for declined in ((cleo.identity, cleo.identity), (ben.identity,)):
        with pytest.raises(LocalError, match="declines"):
            replace(absent, declined=declined)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("key", bytes(32)),
        ("name", ""),
        ("name", "x" * 65),
        ("host", "x" * 65),
        ("port", -1),
        ("port", 0),
        ("port", 1 << 16),
        ("port", True),
        ("purse", -1),
        ("purse", MAX_PURSE + 1),
        ("purse", True),
        ("purse", "rich"),
        ("ready", 1),
    ],
)
def test_a_member_with_an_impossible_field_is_malformed(room: Room, group: Group, field: str, value: Value) -> None:
    plain = room.members[0].to_value()
    place = MEMBER.index(field)
    with pytest.raises(MalformedError):
        Member.from_value((*plain[:place], value, *plain[place + 1 :]), group)
