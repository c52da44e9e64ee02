from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.gathering.gathering import Closed, LobbyError, Send
from p2p_sheriff.gathering.tables import Closes, Member
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.terms import setup_of
from protocol.codec import Value
from protocol.errors import MalformedError
from protocol.group import Edwards25519, Group
from protocol.identity import Identity, PublicIdentity
from tests.gathering.lobby_room import LOST, Room


@pytest.fixture
def room(group: Group) -> Room:
    return Room(group, ["Anna", "Ben", "Cleo"], Setup(3), [7, None, 7])


def test_players_join_get_ready_and_all_start_with_the_same_charter(room: Room) -> None:
    room.fill()
    assert all(gathering.info == room.opener.info for gathering in room.gatherings.values())
    room.carry_out(room.members[0].identity, room.opener.begin())
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3
    charter = room.charters[room.members[0].identity]
    assert [player.name for player in charter.players] == ["Anna", "Ben", "Cleo"]
    assert setup_of(charter).candidates == (0, 2)


def test_the_game_does_not_start_before_all_seats_are_taken_and_all_are_ready(room: Room) -> None:
    with pytest.raises(LobbyError, match="every seat"):
        room.opener.begin()
    room.fill()
    room.carry_out(room.members[1].identity, room.gatherings[room.members[1].identity].set_ready(False))
    with pytest.raises(LobbyError, match="ready"):
        room.opener.begin()
    with pytest.raises(LobbyError, match="opened"):
        room.gatherings[room.members[1].identity].begin()


def test_a_fourth_player_finds_the_table_full(room: Room) -> None:
    room.fill()
    late = Member(Identity.generate(room.rng).public, "Dan", "127.0.0.1", 4009)
    with pytest.raises(LobbyError, match="full"):
        room.join(late)
    answer = room.hear(room.opener.me.identity, late.identity, ("join", room.opener.info.id, late.to_value()))
    assert answer == [Send(late.identity, Closes(room.opener.info.id, "The table is full."))]


def test_who_leaves_or_is_sent_away_frees_the_seat(room: Room) -> None:
    room.fill()
    ben, cleo = room.members[1].identity, room.members[2].identity
    room.carry_out(ben, room.gatherings[ben].leave())
    assert room.opener.info.free_seats == 1
    room.carry_out(room.members[0].identity, room.opener.kick(cleo))
    assert room.opener.info.free_seats == 2
    assert "sent away" in room.closed[cleo]
    with pytest.raises(LobbyError, match="opened"):
        room.gatherings[ben].kick(cleo)


def test_a_table_whose_opener_is_gone_is_closed(room: Room) -> None:
    room.fill()
    ben = room.gatherings[room.members[1].identity]
    assert ben.gone(room.members[0].identity) == [Closed("The player who opened the table is gone.")]
    room.carry_out(room.members[0].identity, room.opener.leave())
    assert len(room.closed) == 3


def test_an_opener_who_shows_different_lists_is_found_out_before_the_game(room: Room) -> None:
    room.fill()
    cleo = room.members[2].identity
    richer = replace(
        room.opener.info, members=(replace(room.opener.info.members[0], purse=99), *room.opener.info.members[1:])
    )
    room.hear(cleo, room.members[0].identity, ("table", richer.id, richer.to_value()))
    room.carry_out(room.members[0].identity, room.opener.begin())
    assert room.charters == {}
    assert any("different lists" in reason for reason in room.closed.values())


def test_a_nonce_that_was_not_committed_to_stops_the_start(room: Room) -> None:
    room.fill()
    ben = room.members[1].identity

    def change(sender: PublicIdentity, _receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case ("reveal", table, version, _) if sender == ben:
                return ("reveal", table, version, bytes(32))
            case _:
                return message

    room.tamper = change
    room.carry_out(room.members[0].identity, room.opener.begin())
    assert set(room.charters) <= {ben}
    assert all("nonce" in reason for reason in room.closed.values())


def test_a_commitment_that_overtakes_the_list_waits_for_it(room: Room) -> None:
    room.fill()
    anna, ben, cleo = (member.identity for member in room.members)
    held: list[Value] = []

    def delay(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case ("table" | "begin", *_) if sender == anna and receiver == cleo:
                held.append(message)
                return LOST
            case _:
                return message

    room.tamper = delay
    room.carry_out(ben, room.gatherings[ben].set_ready(False))
    room.carry_out(ben, room.gatherings[ben].set_ready(True))
    room.carry_out(anna, room.opener.begin())
    assert room.charters == {}
    for message in held:
        room.carry_out(cleo, room.hear(cleo, anna, message))
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3


def test_a_member_who_connects_late_is_told_what_was_said(room: Room) -> None:
    room.fill()
    anna, ben, cleo = (member.identity for member in room.members)
    cut = True

    def cable(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        return LOST if cut and {sender, receiver} == {ben, cleo} else message

    room.tamper = cable
    room.carry_out(anna, room.opener.begin())
    assert room.charters == {}
    cut = False
    room.carry_out(ben, room.gatherings[ben].come(cleo))
    room.carry_out(cleo, room.gatherings[cleo].come(ben))
    room.carry_out(ben, room.gatherings[ben].come(cleo))
    assert len(room.charters) == 3


@pytest.mark.parametrize("lost", ["join", "ready", "table", "begin", "commit", "reveal"])
def test_whatever_was_lost_with_a_connection_is_made_up_for_on_the_next(room: Room, lost: str) -> None:
    anna, ben, cleo = room.members

    def lose(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case (str(kind), *_) if kind == lost and {sender, receiver} == {anna.identity, ben.identity}:
                return LOST
            case _:
                return message

    def connect_anew() -> None:
        room.tamper = lambda _sender, _receiver, message: message
        for one, other in ((ben, anna), (anna, ben)):
            room.carry_out(one.identity, room.gatherings[one.identity].come(other.identity))

    room.tamper = lose
    for member in (ben, cleo):
        room.join(member)
    for member in room.members:
        room.carry_out(member.identity, room.gatherings[member.identity].set_ready(True))
    if lost in ("join", "ready", "table"):
        connect_anew()
    room.carry_out(anna.identity, room.opener.begin())
    assert (len(room.charters) < 3) == (lost in ("begin", "commit", "reveal"))
    connect_anew()
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3


@pytest.mark.parametrize("members", [slice(2), slice(0, 3, 2)], ids=["too few", "not even the own player"])
def test_a_game_that_is_begun_without_its_players_is_no_game(room: Room, members: slice) -> None:
    room.fill()
    anna, ben, cleo = (member.identity for member in room.members)
    info = replace(room.opener.info, members=room.opener.info.members[members], version=99)
    room.hear(ben, anna, ("table", info.id, info.to_value()))
    with pytest.raises(MalformedError, match=r"before all are there|not at this table"):
        room.hear(ben, cleo, ("commit", info.id, 99, bytes(32), bytes(32)))
    assert [type(output) for output in room.hear(ben, anna, ("begin", info.id, 99))] == [Closed]


@pytest.mark.parametrize("message", ["table", "closed", "begin"])
def test_only_the_opener_speaks_for_the_table(room: Room, message: str) -> None:
    room.fill()
    info = room.opener.info
    bodies: dict[str, Value] = {"table": info.to_value(), "closed": "bye", "begin": info.version}
    with pytest.raises(MalformedError):
        room.hear(room.members[2].identity, room.members[1].identity, (message, info.id, bodies[message]))


def test_nobody_joins_for_somebody_else(room: Room) -> None:
    ben, cleo = room.members[1:]
    with pytest.raises(MalformedError, match="themselves"):
        room.hear(room.opener.me.identity, ben.identity, ("join", room.opener.info.id, cleo.to_value()))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-1, 70000) | st.binary(max_size=33) | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=6).map(tuple),
        max_leaves=12,
    )
    | st.tuples(
        st.sampled_from(["join", "ready", "purse", "leave", "table", "closed", "begin", "commit", "reveal"]),
        st.binary(max_size=2),
        st.booleans() | st.integers(-1, 5) | st.binary(max_size=2),
    )
)
def test_any_other_message_is_malformed_or_changes_nothing(message: Value) -> None:
    room = Room(Edwards25519(), ["Anna", "Ben", "Cleo"], Setup(3))
    before = room.opener.info
    try:
        outputs = room.hear(room.opener.me.identity, room.members[1].identity, message)
    except MalformedError:
        return
    assert outputs == []
    assert room.opener.info == before
