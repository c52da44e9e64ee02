"""Who sits where, with how much in the purse, under which name, and once more."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.gathering.gathering import Gathering, LobbyError, Send
from p2p_sheriff.gathering.tables import MAX_PURSE, Lists, Member
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
    with pytest.raises(LobbyError, match=r"news\.purse"):
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

    def cut(_sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case ("pledge", _, _, _, 1, "reveal", *_) if receiver == anna.identity:
                return LOST
            case _:
                return message

    room.tamper = cut
    room.carry_out(anna.identity, room.opener.begin())
    assert set(room.charters) == {ben.identity, cleo.identity}
    room.act(cleo, lambda gathering: gathering.set_purse(99))
    room.act(cleo, lambda gathering: gathering.set_ready(False))
    with pytest.raises(LobbyError, match=r"news\.too_late"):
        room.opener.kick(cleo.identity)
    with pytest.raises(LobbyError, match=r"news\.too_late"):
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
        with pytest.raises(LobbyError, match=r"news\.order"):
            room.opener.arrange(order)
    with pytest.raises(LobbyError, match=r"news\.arrange"):
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
    assert room.closed[stranger.identity].key == "closings.invited"
    assert room.opener.info.free_seats == 1
    assert [room.opener.is_for(one.identity) for one in (*room.members, stranger)] == [True, True, True, False]


def a_stranger(room: Room, name: str = "Dan") -> Member:
    return Member(Identity.generate(room.rng).public, name, "127.0.0.1", 4009)


def test_who_declines_a_rematch_is_listed_for_all_and_may_still_come(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0)
    anna, _, cleo = room.members
    room.hear(room.opener.me.identity, cleo.identity, ("decline", room.opener.info.id))
    assert room.opener.info.declined == (cleo.identity,)
    room.carry_out(room.opener.me.identity, [Send(None, Lists(room.opener.info.id, room.opener.info))])
    assert room.gatherings[anna.identity].info.declined == (cleo.identity,)
    assert room.hear(room.opener.me.identity, cleo.identity, ("decline", room.opener.info.id)) == []
    room.join(cleo)
    assert not room.opener.info.declined
    assert room.opener.info.free_seats == 0


def test_a_rematch_is_opened_to_others_only_when_somebody_does_not_play_again(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1)
    anna, ben, cleo = room.members
    dan, eve = a_stranger(room), a_stranger(room, "Eve")
    with pytest.raises(LobbyError, match=r"news\.seats_kept"):
        room.opener.open_up()
    room.carry_out(ben.identity, room.opener.gone(cleo.identity))
    room.join(dan)
    assert room.closed[dan.identity].key == "closings.invited"  # Nobody has let others in yet.
    assert room.opener.open_up() == []
    room.join(dan)
    assert [member.name for member in room.opener.info.members] == ["Ben", "Dan"]
    for late in (eve, cleo):  # The last free seat is kept for Anna.
        room.join(late)
        assert room.closed[late.identity].key == "closings.full"
        assert room.opener.info.free_seats == 1
    room.join(anna)
    assert [member.name for member in room.opener.info.members] == ["Anna", "Ben", "Dan"]


def test_only_who_opened_a_rematch_may_open_it_to_others(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0)
    with pytest.raises(LobbyError, match=r"news\.opens_up"):
        room.gatherings[room.members[0].identity].open_up()


def test_who_stands_up_from_a_rematch_or_is_sent_away_has_no_seat_kept_any_more(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0, 2)
    anna, ben, cleo = room.members
    room.act(anna, lambda gathering: gathering.leave())
    room.act(ben, lambda gathering: gathering.kick(cleo.identity))
    assert set(room.opener.info.declined) == {anna.identity, cleo.identity}
    room.opener.open_up()


def test_a_stranger_who_declines_a_rematch_or_a_player_who_sits_there_changes_nothing(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0)
    before = room.opener.info
    for who in (a_stranger(room), room.members[0]):
        assert room.hear(room.opener.me.identity, who.identity, ("decline", before.id)) == []
    assert room.opener.info == before


def test_a_table_that_is_no_rematch_can_not_be_declined(room: Room) -> None:
    room.join(room.members[1])
    before = room.opener.info
    assert room.hear(room.opener.me.identity, room.members[2].identity, ("decline", before.id)) == []
    assert room.opener.info == before


def test_a_guest_is_not_told_that_somebody_declines(room: Room) -> None:
    room.fill()
    room.play_again(room.begin(), 1, 0)
    with pytest.raises(MalformedError, match="somebody else"):
        room.hear(room.members[0].identity, room.members[2].identity, ("decline", room.opener.info.id))


def test_who_goes_over_to_another_table_is_as_ready_and_as_rich_there(room: Room) -> None:
    room.fill()
    key = Identity.generate(room.rng)
    dan = Member(key.public, "Dan", "127.0.0.1", 4009)
    other = Gathering.open(room.rng, key, dan, "other", Setup(3))
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
    with pytest.raises(LobbyError, match=r"news\.full"):
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
