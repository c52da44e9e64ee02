from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.gathering.gathering import Chatted, Closed, LobbyError, Send
from p2p_sheriff.gathering.tables import Chats, Closes, Closing, Member
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.terms import setup_of
from protocol.codec import Value
from protocol.errors import MalformedError
from protocol.group import Edwards25519, Group
from protocol.identity import Identity, PublicIdentity
from tests.gathering.lobby_room import LOST, SAID, Room
from tests.table.games import SHORT_DECK


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
    with pytest.raises(LobbyError, match=r"news\.starts_when"):
        room.opener.begin()
    room.fill()
    room.carry_out(room.members[1].identity, room.gatherings[room.members[1].identity].set_ready(False))
    with pytest.raises(LobbyError, match=r"news\.starts_when"):
        room.opener.begin()
    with pytest.raises(LobbyError, match=r"news\.starts$"):
        room.gatherings[room.members[1].identity].begin()


def test_a_fourth_player_finds_the_table_full(room: Room) -> None:
    room.fill()
    late = Member(Identity.generate(room.rng).public, "Dan", "127.0.0.1", 4009)
    with pytest.raises(LobbyError, match=r"news\.full"):
        room.join(late)
    answer = room.hear(room.opener.me.identity, late.identity, ("join", room.opener.info.id, late.to_value()))
    assert answer == [Send(late.identity, Closes(room.opener.info.id, Closing.FULL))]


def test_who_leaves_or_is_sent_away_frees_the_seat(room: Room) -> None:
    room.fill()
    ben, cleo = room.members[1].identity, room.members[2].identity
    room.carry_out(ben, room.gatherings[ben].leave())
    assert room.opener.info.free_seats == 1
    room.carry_out(room.members[0].identity, room.opener.kick(cleo))
    assert room.opener.info.free_seats == 2
    assert room.closed[cleo] == Phrase("closings.sent_away", name=room.members[0].name)
    with pytest.raises(LobbyError, match=r"news\.send_away"):
        room.gatherings[ben].kick(cleo)


def test_a_table_whose_opener_is_gone_is_closed(room: Room) -> None:
    room.fill()
    ben = room.gatherings[room.members[1].identity]
    assert ben.gone(room.members[0].identity) == [Closed(Phrase("news.opener_gone"))]
    room.carry_out(room.members[0].identity, room.opener.leave())
    assert len(room.closed) == 3


@pytest.mark.parametrize("why", Closing)
def test_a_table_is_closed_with_a_reason_that_is_one_of_few(room: Room, why: Closing) -> None:
    room.fill()
    opener, ben = room.members[0], room.members[1].identity
    outputs = room.hear(ben, opener.identity, ("closed", room.opener.info.id, why.value))
    assert outputs == [Closed(Phrase(f"closings.{why}", name=opener.name))]


@pytest.mark.parametrize("word", ["", "full of itself", "\x1b[2J", "x" * 10_000, 1, None])
def test_a_table_is_not_closed_with_words_of_the_openers_own(room: Room, word: Value) -> None:
    room.fill()
    with pytest.raises(MalformedError):
        room.hear(room.members[1].identity, room.members[0].identity, ("closed", room.opener.info.id, word))


def test_an_opener_who_shows_different_lists_is_found_out_before_the_game(room: Room) -> None:
    room.fill()
    cleo = room.members[2].identity
    richer = replace(
        room.opener.info, members=(replace(room.opener.info.members[0], purse=99), *room.opener.info.members[1:])
    )
    room.hear(cleo, room.members[0].identity, ("table", richer.id, richer.to_value()))
    room.carry_out(room.members[0].identity, room.opener.begin())
    assert room.charters == {}
    assert room.closed[cleo].key == "news.unequal"


def test_a_commitment_that_overtakes_the_list_waits_for_it(room: Room) -> None:
    room.fill()
    anna, ben, cleo = (member.identity for member in room.members)
    held: list[Value] = []

    def delay(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        match message:
            case ("table" | "pledge", *_) if sender == anna and receiver == cleo:
                held.append(message)
                return LOST
            case _:
                return message

    room.tamper = delay
    room.carry_out(ben, room.gatherings[ben].set_ready(False))
    room.carry_out(ben, room.gatherings[ben].set_ready(True))
    room.carry_out(anna, room.opener.begin())
    room.tamper = lambda _sender, _receiver, message: message
    assert room.charters == {}
    for message in held:
        room.carry_out(cleo, room.hear(cleo, anna, message))
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3


@pytest.mark.parametrize("lost", ["join", "ready", "table"])
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
    connect_anew()
    room.carry_out(anna.identity, room.opener.begin())
    assert len({charter.game for charter in room.charters.values()}) == 1
    assert len(room.charters) == 3


@pytest.mark.parametrize("setup", [Setup(3, short=SHORT_DECK), Setup(3, options=frozenset({"royal"}))])
def test_an_opener_can_not_change_what_is_played_once_somebody_has_seen_it_and_joined(room: Room, setup: Setup) -> None:
    room.fill()
    ben, info = room.members[1].identity, room.opener.info
    swapped = replace(info, setup=setup, version=info.version + 1)
    with pytest.raises(MalformedError, match="is said when it is opened"):
        room.hear(ben, room.members[0].identity, ("table", info.id, swapped.to_value()))
    assert room.gatherings[ben].info == info


@pytest.mark.parametrize("message", ["table", "closed"])
def test_only_the_opener_speaks_for_the_table(room: Room, message: str) -> None:
    room.fill()
    info = room.opener.info
    bodies: dict[str, Value] = {"table": info.to_value(), "closed": Closing.FULL.value}
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
        st.sampled_from(["join", "ready", "purse", "leave", "table", "closed", "pledge", "agreed"]),
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


def test_what_a_member_says_at_the_table_is_heard_by_all_and_a_strangers_words_by_nobody(room: Room) -> None:
    room.fill()
    first, second, _ = (member.identity for member in room.members)
    outputs = room.gatherings[second].chat("Hello!")
    assert Chatted(second, "Hello!") in outputs
    assert room.hear(first, second, SAID.write(Chats(room.opener.info.id, "Hello!"))) == [Chatted(second, "Hello!")]
    stranger = Identity(bytes([9]) * 32).public
    with pytest.raises(MalformedError, match="not at this table"):
        room.hear(first, stranger, SAID.write(Chats(room.opener.info.id, "Hello!")))


@pytest.mark.parametrize("text", ["", "x" * 401])
def test_nothing_and_too_much_can_not_be_said_at_a_table(room: Room, text: str) -> None:
    room.fill()
    with pytest.raises(LobbyError):
        room.opener.chat(text)
    said = SAID.write(Chats(room.opener.info.id, text))
    with pytest.raises(MalformedError):
        room.hear(room.members[0].identity, room.members[1].identity, said)
