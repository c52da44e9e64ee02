"""Who sits where, with how much in the purse, under which name, and once more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.gathering.gathering import Gathering, LobbyError, Send
from p2p_sheriff.gathering.tables import MAX_PURSE, Member
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.codec import Value
from protocol.errors import MalformedError
from protocol.group import Edwards25519, Group
from protocol.identity import Identity, PublicIdentity
from tests.gathering.lobby_room import LOST, Room


@pytest.fixture
def room(group: Group) -> Room:
    return Room(group, ["Anna", "Ben", "Cleo"], Setup(3), [7, None, 7])


def names_of(charter: Charter) -> list[str]:
    return [player.name for player in charter.players]


# -- purses


@pytest.mark.parametrize("who", [0, 1])
def test_a_purse_that_is_stated_at_the_table_is_seen_by_all_and_keeps_who_is_ready(room: Room, who: int) -> None:
    room.fill()
    room.act(room.members[who], lambda gathering: gathering.set_purse(8))
    assert all(gathering.info.members[who].purse == 8 for gathering in room.gatherings.values())
    assert room.opener.info.is_complete
    assert setup_of(room.begin()).candidates == (who,)


def test_a_purse_can_be_put_away_again(room: Room) -> None:
    room.fill()
    for member in room.members:
        room.act(member, lambda gathering: gathering.set_purse(None))
    assert setup_of(room.begin()).candidates == (0, 1, 2)


@pytest.mark.parametrize("purse", [-1, MAX_PURSE + 1])
def test_a_purse_that_nobody_carries_is_refused(room: Room, purse: int) -> None:
    room.fill()
    with pytest.raises(LobbyError, match="coins"):
        room.opener.set_purse(purse)
    with pytest.raises(MalformedError, match="purse"):
        room.hear(room.opener.me.identity, room.members[1].identity, ("purse", room.opener.info.id, purse))


def test_a_purse_that_was_lost_with_a_connection_is_stated_again_on_the_next(room: Room) -> None:
    room.fill()
    anna, ben, _ = room.members
    room.gatherings[ben.identity].set_purse(9)  # What it says never arrives.
    room.carry_out(ben.identity, room.gatherings[ben.identity].come(anna.identity))
    assert room.opener.info.members[1].purse == 9
    assert room.opener.info.members[1].ready


def test_what_is_said_after_the_own_nonce_is_out_changes_nothing(room: Room) -> None:
    room.fill()
    anna, ben, cleo = room.members

    def cut(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case ("reveal", *_) if (sender, receiver) == (ben.identity, anna.identity):
                return LOST
            case _:
                return message

    room.tamper = cut
    room.carry_out(anna.identity, room.opener.begin())
    assert set(room.charters) == {ben.identity, cleo.identity}
    room.act(cleo, lambda gathering: gathering.set_purse(99))
    room.act(cleo, lambda gathering: gathering.set_ready(False))
    with pytest.raises(LobbyError, match="too late"):
        room.opener.kick(cleo.identity)
    with pytest.raises(LobbyError, match="too late"):
        room.opener.arrange([cleo.identity, ben.identity, anna.identity])
    room.tamper = lambda _sender, _receiver, message: message
    room.carry_out(ben.identity, room.gatherings[ben.identity].come(anna.identity))
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3


# -- seats


@given(st.permutations(range(4)))
def test_the_game_is_played_in_the_order_in_which_the_opener_arranges_the_seats(order: list[int]) -> None:
    room = Room(Edwards25519(), ["Anna", "Ben", "Cleo", "Dan"], Setup(4), [1, 2, 3, 4])
    room.fill()
    anna = room.members[0]
    room.act(anna, lambda gathering: gathering.arrange([room.members[number].identity for number in order]))
    assert all(gathering.info == room.opener.info for gathering in room.gatherings.values())
    assert room.opener.info.opener == anna.identity
    charter = room.begin()
    assert names_of(charter) == [room.members[number].name for number in order]
    assert setup_of(charter).candidates == (order.index(3),)


def test_an_order_that_is_not_one_of_all_members_is_refused(room: Room) -> None:
    room.fill()
    anna, ben, cleo = (member.identity for member in room.members)
    stranger = Identity.generate(room.rng).public
    for order in ([anna, ben], [anna, ben, ben], [anna, ben, stranger], [anna, ben, cleo, stranger], []):
        with pytest.raises(LobbyError, match="each once"):
            room.opener.arrange(order)
    with pytest.raises(LobbyError, match="opened"):
        room.gatherings[ben].arrange([cleo, ben, anna])
    assert room.opener.arrange([anna, ben, cleo]) == []


def test_who_comes_later_sits_behind_and_who_comes_back_sits_where_they_sat(room: Room) -> None:
    anna, ben, cleo = room.members
    room.join(ben)
    room.act(anna, lambda gathering: gathering.arrange([ben.identity, anna.identity]))
    room.join(cleo)
    assert [member.name for member in room.opener.info.members] == ["Ben", "Anna", "Cleo"]
    room.act(ben, lambda gathering: gathering.leave())
    room.join(ben)
    assert [member.name for member in room.opener.info.members] == ["Ben", "Anna", "Cleo"]


# -- a rematch


@given(st.permutations(range(3)))
def test_whoever_opens_a_rematch_all_sit_where_they_sat_and_play_on_the_same_terms(order: list[int]) -> None:
    setup = Setup(3, options=frozenset({"royal"}))
    room = Room(Edwards25519(), ["Anna", "Ben", "Cleo"], setup, [7, None, 2])
    room.fill()
    first = room.begin()
    room.members = [replace(member, purse=None) for member in room.members]
    room.play_again(first, *order)
    assert room.opener.info.again == first.game
    second = room.begin()
    assert second.players == first.players
    assert setup_of(second) == replace(setup, candidates=(Seat(0), Seat(1), Seat(2)))
    assert second.game != first.game


def test_a_rematch_is_for_the_players_of_the_last_game_alone(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0)
    stranger = Member(Identity.generate(room.rng).public, "Dan", "127.0.0.1", 4009)
    room.join(stranger)
    assert room.closed[stranger.identity] == "The table is for the players of the last game."
    assert room.opener.info.free_seats == 1
    assert [room.opener.is_for(one.identity) for one in (*room.members, stranger)] == [True, True, True, False]


def test_who_goes_over_to_another_table_is_as_ready_and_as_rich_there(room: Room) -> None:
    room.fill()
    dan = Member(Identity.generate(room.rng).public, "Dan", "127.0.0.1", 4009)
    other = Gathering.open(room.rng, dan, "other", Setup(3))
    for member in room.members[:2]:
        room.act(member, lambda gathering: gathering.set_purse(5))
        moved, outputs = room.gatherings[member.identity].move(other.info)
        assert moved.info == other.info
        for output in outputs:
            assert isinstance(output, Send)
            assert output.to == dan.identity
            other.handle(member.identity, output.message)
    assert [(one.name, one.purse, one.ready) for one in other.info.members[1:]] == [("Anna", 5, True), ("Ben", 5, True)]
    filled = replace(other.info, members=(*other.info.members[:2], room.members[2]))
    with pytest.raises(LobbyError, match="full"):
        room.gatherings[room.members[1].identity].move(filled)


# -- names


def test_nobody_joins_under_another_name_than_that_of_their_connection(room: Room) -> None:
    ben = room.members[1]
    with pytest.raises(MalformedError, match="name"):
        room.hear(room.opener.me.identity, ben.identity, ("join", room.opener.info.id, ben.to_value()), "Mallory")
    assert room.hear(room.opener.me.identity, ben.identity, ("join", room.opener.info.id, ben.to_value()), "Ben") != []


def test_a_list_that_calls_the_own_player_by_another_name_is_refused(room: Room) -> None:
    room.fill()
    anna, ben, cleo = room.opener.info.members
    false = replace(room.opener.info, members=(anna, replace(ben, name="Mallory"), cleo), version=99)
    with pytest.raises(MalformedError, match="another name"):
        room.hear(ben.identity, anna.identity, ("table", false.id, false.to_value()))
