"""From a list to one charter: whoever lies, dies or is a stranger, nobody is split, and who lied is named."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from p2p_sheriff.gathering.gathering import Closed, Gathering, Output, Started
from p2p_sheriff.gathering.pledges import Agreed, Pledge, PledgeStep, terms_of
from p2p_sheriff.gathering.tables import Joins, Leaves, Member
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Setup
from protocol.codec import Value
from protocol.errors import InvalidSignatureError, MalformedError, VerificationError
from protocol.group import Group
from protocol.identity import Identity, PublicIdentity
from tests.gathering.lobby_room import LOST, SAID, Room


@pytest.fixture
def room(group: Group) -> Room:
    room = Room(group, ["Anna", "Ben", "Cleo", "Dan"], Setup(4))
    room.fill()
    return room


def pledge(room: Room, member: Member, step: PledgeStep, value: bytes, version: int | None = None) -> Pledge:
    """Returns what a member might say of the list as the opener has it."""
    info = room.opener.info
    seat = [one.identity for one in info.members].index(member.identity)
    terms, number = terms_of(info.proposal()), info.version if version is None else version
    return Pledge.sign(room.key(member), info.id, number, terms, seat, step, value)


def is_pledge(message: Value, step: PledgeStep, seat: int) -> bool:
    match message:
        case ("pledge", _, _, _, int(author), str(said), *_):
            return (author, said) == (seat, step.value)
        case _:
            return False


def everybody_repeats(room: Room) -> None:
    for _ in range(3):
        for gathering in list(room.gatherings.values()):
            room.carry_out(gathering.me.identity, gathering.repeat())


def assert_one_game(room: Room) -> None:
    assert set(room.charters) == set(room.gatherings)
    assert len({charter.game for charter in room.charters.values()}) == 1


# -- strangers


@pytest.mark.parametrize("step", PledgeStep)
def test_what_a_stranger_says_too_early_is_nobody_elses_fault(room: Room, step: PledgeStep) -> None:
    anna, _, cleo, _ = (member.identity for member in room.members)
    stranger = Member(Identity.generate(room.rng).public, "Eve", "127.0.0.1", 4009)
    said = replace(pledge(room, room.members[1], step, bytes(32), room.opener.info.version + 2), seat=3)
    for _ in range(100):
        assert room.hear(cleo, stranger.identity, SAID.write(said)) == []
    assert stranger.identity not in room.gatherings[cleo]._early
    room.act(room.members[1], lambda gathering: gathering.set_ready(False))
    room.act(room.members[1], lambda gathering: gathering.set_ready(True))
    assert room.gatherings[cleo].info == room.opener.info
    with pytest.raises(MalformedError, match="not at this table"):
        room.hear(cleo, stranger.identity, SAID.write(replace(said, version=room.opener.info.version)))
    room.carry_out(anna, room.opener.begin())
    assert_one_game(room)


def test_what_a_member_says_too_early_and_is_nonsense_is_not_the_openers_fault(room: Room) -> None:
    anna, ben, cleo, _ = (member.identity for member in room.members)
    forged = replace(pledge(room, room.members[1], PledgeStep.COMMIT, bytes(32), room.opener.info.version + 2), seat=3)
    assert room.hear(cleo, ben, SAID.write(forged)) == []
    room.act(room.members[3], lambda gathering: gathering.set_ready(False))
    room.act(room.members[3], lambda gathering: gathering.set_ready(True))
    with pytest.raises(InvalidSignatureError):
        room.hear(cleo, ben, SAID.write(forged))
    room.carry_out(anna, room.opener.begin())
    assert_one_game(room)


def test_what_waits_for_its_list_is_bounded(room: Room) -> None:
    ben, cleo = room.members[1].identity, room.members[2].identity
    for number in range(200):
        said = pledge(room, room.members[1], PledgeStep.COMMIT, bytes(32), 1000 + number)
        assert room.hear(cleo, ben, SAID.write(said)) == []
    assert len(room.gatherings[cleo]._early[ben]) == 24


def test_who_keeps_the_list_keeps_nothing_that_overtakes_it_of_guests_who_come_and_go(room: Room) -> None:
    for number in range(3):
        room.act(room.members[3], Gathering.leave)
        guest = Member(Identity.generate(room.rng).public, f"Eve {number}", "127.0.0.1", 4010 + number)
        room.hear(room.opener.me.identity, guest.identity, SAID.write(Joins(room.opener.info.id, guest)))
        early = pledge(room, guest, PledgeStep.COMMIT, bytes(32), 1000)
        assert room.hear(room.opener.me.identity, guest.identity, SAID.write(early)) == []
        room.hear(room.opener.me.identity, guest.identity, SAID.write(Leaves(room.opener.info.id)))
        assert room.opener.info.member(guest.identity) is None
    assert not room.opener._early


# -- liars


@pytest.mark.parametrize("step", [PledgeStep.COMMIT, PledgeStep.ECHO])
def test_who_signs_two_different_things_is_named_by_all_and_nobody_begins(room: Room, step: PledgeStep) -> None:
    anna, ben, _, dan = (member.identity for member in room.members)
    other = SAID.write(pledge(room, room.members[1], step, bytes(32)))
    room.carry_out(dan, room.hear(dan, ben, other))  # Which is passed on, to all.
    room.carry_out(anna, room.opener.begin())
    everybody_repeats(room)
    assert room.charters == {}
    honest = {one.identity for one in room.members} - {ben}
    assert {room.closed[one] for one in honest} <= {
        Phrase("news.two_faced", name="Ben"),
        Phrase("news.unequal", name="Ben"),
    }
    assert Phrase("news.two_faced", name="Ben") in room.closed.values() or step is PledgeStep.ECHO


@pytest.mark.parametrize("lied_to", [0, 2, 3])
def test_whomever_two_commitments_are_told_to_and_whenever_nobody_is_split(room: Room, lied_to: int) -> None:
    anna, ben = room.members[0].identity, room.members[1].identity
    other = SAID.write(pledge(room, room.members[1], PledgeStep.COMMIT, bytes(32)))

    def lie(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        is_lie = (
            sender == ben and receiver == room.members[lied_to].identity and is_pledge(message, PledgeStep.COMMIT, 1)
        )
        return other if is_lie else message

    room.tamper = lie
    room.carry_out(anna, room.opener.begin())
    everybody_repeats(room)
    assert len({charter.game for charter in room.charters.values()}) <= 1
    assert len(room.charters) in (0, 4)


def test_who_reveals_another_nonce_to_some_is_refused_there_and_the_true_one_arrives_through_others(room: Room) -> None:
    anna, ben, _, dan = (member.identity for member in room.members)
    false = SAID.write(pledge(room, room.members[1], PledgeStep.REVEAL, bytes(32)))
    refused = 0

    def lie(sender: PublicIdentity, receiver: PublicIdentity, message: Value) -> Value:
        nonlocal refused
        if sender == ben and receiver == dan and is_pledge(message, PledgeStep.REVEAL, 1):
            with pytest.raises(MalformedError, match="not committed to"):
                room.hear(dan, ben, false)
            refused += 1
            return LOST
        return message

    room.tamper = lie
    room.carry_out(anna, room.opener.begin())
    assert refused > 0
    assert_one_game(room)


def test_who_speaks_of_another_list_is_named_and_must_have_signed_it(room: Room) -> None:
    ben, cleo = room.members[1].identity, room.members[2].identity
    other = replace(pledge(room, room.members[3], PledgeStep.COMMIT, bytes(32)), terms=bytes(32))
    assert room.hear(cleo, ben, SAID.write(other)) == []
    signed = Pledge.sign(
        room.key(room.members[1]), other.table, other.version, other.terms, 1, PledgeStep.COMMIT, bytes(32)
    )
    assert Closed(Phrase("news.unequal", name="Ben")) in room.hear(cleo, ben, SAID.write(signed))


def test_an_opener_who_begins_with_two_lists_splits_nobody(room: Room) -> None:
    anna, _, cleo, _ = (member.identity for member in room.members)
    richer = replace(
        room.opener.info, members=(replace(room.opener.info.members[0], purse=99), *room.opener.info.members[1:])
    )
    room.hear(cleo, anna, ("table", richer.id, richer.to_value()))
    room.carry_out(anna, room.opener.begin())
    everybody_repeats(room)
    assert room.charters == {}
    assert room.closed[cleo].key == "news.unequal"


def test_nobody_says_anything_in_somebody_elses_name(room: Room) -> None:
    anna, ben, cleo, _ = room.members
    false = replace(pledge(room, ben, PledgeStep.BEGIN, terms_of(room.opener.info.proposal())), seat=0)
    with pytest.raises(InvalidSignatureError):
        room.hear(cleo.identity, ben.identity, SAID.write(false))
    with pytest.raises(MalformedError, match="who keeps the list"):
        room.hear(cleo.identity, anna.identity, SAID.write(pledge(room, ben, PledgeStep.BEGIN, false.value)))
    with pytest.raises(MalformedError, match="nobody has that seat"):
        room.hear(cleo.identity, anna.identity, SAID.write(replace(false, seat=4)))


def test_a_game_is_not_begun_before_all_are_there_and_ready(room: Room) -> None:
    anna, ben, _, _ = room.members
    room.act(ben, lambda gathering: gathering.set_ready(False))
    begin = pledge(room, anna, PledgeStep.BEGIN, terms_of(room.opener.info.proposal()))
    with pytest.raises(MalformedError, match="before all are there"):
        room.hear(ben.identity, anna.identity, SAID.write(begin))


# -- who has echoed never returns to this list


def held_before(room: Room, step: PledgeStep, seat: int) -> None:
    """Lets the flow come to the point where only this is missing, for everybody but its author."""
    room.tamper = lambda _sender, _receiver, message: LOST if is_pledge(message, step, seat) else message
    room.carry_out(room.members[0].identity, room.opener.begin())


def test_a_new_list_after_the_own_echo_ends_the_attempt_and_nothing_is_ever_revealed(room: Room) -> None:
    anna, ben = room.members[:2]
    held_before(room, PledgeStep.ECHO, 3)
    newer = replace(room.opener.info, version=room.opener.info.version + 1)
    outputs = room.hear(ben.identity, anna.identity, ("table", newer.id, newer.to_value()))
    assert outputs[-1] == Closed(Phrase("news.list_changed"))
    assert room.opener.gone(room.members[3].identity)[-1] == Closed(Phrase("news.lost_at_start", name="Dan"))


def test_after_the_own_nonce_is_out_neither_the_opener_nor_anybody_who_goes_closes_the_table(room: Room) -> None:
    anna, ben, cleo, dan = room.members
    held_before(room, PledgeStep.REVEAL, 3)
    newer = replace(room.opener.info, version=room.opener.info.version + 1)
    assert room.hear(ben.identity, anna.identity, ("table", newer.id, newer.to_value())) == []
    assert room.hear(ben.identity, anna.identity, ("closed", newer.id, "closed")) == []
    assert [room.gatherings[one.identity].gone(anna.identity) for one in (ben, cleo)] == [[], []]
    assert room.opener.gone(dan.identity) == []
    room.tamper = lambda _sender, _receiver, message: message
    everybody_repeats(room)
    assert_one_game(room)


# -- deaths


class Mortal(Room):
    """A room in which one node dies when so many messages were carried."""

    victim: PublicIdentity | None = None
    left = 0

    def hear(self, receiver: PublicIdentity, sender: PublicIdentity, message: Value, name: str = "") -> list[Output]:
        self.left -= 1
        if self.left == 0 and self.victim is not None:
            self.gatherings.pop(self.victim)
            self.charters.pop(self.victim, None)
        is_alive = receiver in self.gatherings and sender in self.gatherings
        return super().hear(receiver, sender, message, name) if is_alive else []

    def carry_out(self, sender: PublicIdentity, outputs: Sequence[Output]) -> None:
        for output in outputs:
            if sender in self.gatherings:
                super().carry_out(sender, [output])


@pytest.mark.parametrize("victim", [0, 2])
def test_a_node_that_dies_at_any_message_splits_nobody_and_gets_the_charter_if_there_is_one(
    group: Group, victim: int
) -> None:
    outcomes = set()
    for moment in range(1, 100):
        room = Mortal(group, ["Anna", "Ben", "Cleo"], Setup(3))
        room.left = -1
        room.fill()
        opener = room.opener
        dead = room.members[victim].identity
        room.victim, room.left = dead, moment
        room.carry_out(opener.me.identity, opener.begin())
        if dead in room.gatherings:
            break
        everybody_repeats(room)
        survivors = [one.identity for one in room.members if one.identity != dead]
        games = {room.charters[one].game for one in survivors if one in room.charters}
        assert len(games) <= 1
        assert set(room.charters) in (set(), set(survivors)), "all who are left have begun, or nobody has"
        for one in survivors:
            if one in room.charters:
                *_, again = room.gatherings[one].come(dead)
                assert isinstance(again.message, Agreed)
                again.message.verify()
                assert {again.message.charter.game} == games
            else:
                room.carry_out(one, room.gatherings[one].gone(dead))
        outcomes.add(bool(games))
    assert outcomes == {False, True}


FORGERIES: dict[str, Callable[[Agreed], Agreed]] = {
    "another echo": lambda agreed: replace(agreed, echoes=(agreed.reveals[0], *agreed.echoes[1:])),
    "another reveal": lambda agreed: replace(agreed, reveals=(*agreed.reveals[:-1], agreed.echoes[0])),
    "another table": lambda agreed: replace(agreed, table=bytes(16)),
    "another version": lambda agreed: replace(agreed, version=agreed.version + 1),
    "another commitment": lambda agreed: replace(agreed, commitments=(bytes(32), *agreed.commitments[1:])),
    "a nonce chosen later": lambda agreed: replace(
        agreed, charter=replace(agreed.charter, nonces=(bytes(32), *agreed.charter.nonces[1:]))
    ),
    "a seat less": lambda agreed: replace(agreed, echoes=agreed.echoes[1:]),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_nobody_is_brought_into_a_game_that_they_have_not_agreed_to(
    room: Room, forgery: Callable[[Agreed], Agreed]
) -> None:
    anna, ben, cleo, _ = (member.identity for member in room.members)
    room.tamper = lambda _sender, receiver, message: LOST if receiver == cleo and is_reveal(message) else message
    room.carry_out(anna, room.opener.begin())
    agreed = room.gatherings[ben].agreed
    assert agreed is not None
    with pytest.raises(VerificationError):
        room.hear(cleo, ben, SAID.write(forgery(agreed)))
    assert room.gatherings[cleo].agreed is None
    assert room.hear(cleo, ben, SAID.write(agreed)) == [Started(agreed.charter)]


def test_who_has_not_heard_the_end_starts_with_the_proof_of_somebody_who_has(room: Room) -> None:
    ben, cleo = room.members[1].identity, room.members[2].identity
    cut = {cleo}
    room.tamper = lambda _sender, receiver, message: LOST if receiver in cut and is_reveal(message) else message
    room.carry_out(room.members[0].identity, room.opener.begin())
    assert set(room.charters) == {one.identity for one in room.members} - {cleo} or room.charters == {}
    room.tamper = lambda _sender, _receiver, message: message
    everybody_repeats(room)
    assert_one_game(room)
    agreed = room.gatherings[ben].agreed
    assert agreed is not None
    assert room.hear(cleo, ben, SAID.write(agreed)) == []


def is_reveal(message: Value) -> bool:
    return any(is_pledge(message, PledgeStep.REVEAL, seat) for seat in range(4))
