"""Who lacks entries gets them at once and once; who only asks again and again gets nothing for it."""

import pytest

from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.node.answers import Answers
from p2p_sheriff.node.copy import GameCopy
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import MalformedError
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.table.games import SHORT_DECK

PAUSE = 1.0
GROUP = Edwards25519()


@pytest.fixture
def session() -> Session:
    return open_table(Setup(3, short=SHORT_DECK), Edwards25519(), Drbg("answers"))[0]


@pytest.fixture
def copy(session: Session) -> GameCopy:
    return GameCopy(session)


@pytest.fixture
def peer() -> PublicIdentity:
    return Identity.generate(Drbg("peer")).public


def talk(session: Session, times: int, text: str = "word") -> list[bytes]:
    for _ in range(times):
        session.say(text)
    written, session.outbox = session.outbox, []
    return written


def test_who_has_nothing_gets_all_and_the_same_again_only_after_a_pause(
    session: Session, copy: GameCopy, peer: PublicIdentity
) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    written = talk(session, 5)
    assert answers.to(peer, copy, nothing, 0.0) == written
    for number in range(100):
        assert answers.to(peer, copy, nothing, 0.5 + number / 1000) == []
    assert answers.to(peer, copy, nothing, PAUSE) == written


def test_an_answer_without_anything_starts_no_pause(session: Session, copy: GameCopy, peer: PublicIdentity) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    assert answers.to(peer, copy, nothing, 0.0) == []
    written = talk(session, 1)
    assert answers.to(peer, copy, nothing, 0.1) == written


def test_who_gets_on_is_sent_only_what_was_not_sent_before_and_all_of_it_when_stuck(
    session: Session, copy: GameCopy, peer: PublicIdentity
) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    old = talk(session, 4)
    assert answers.to(peer, copy, nothing, 0.0) == old
    new = talk(session, 2)
    half = (session.table.transcript.head(0, 2), *nothing[1:])
    assert answers.to(peer, copy, half, 1.0) == new
    assert answers.to(peer, copy, half, 2.0) == [*old[2:], *new]


def test_who_is_connected_anew_gets_all_at_once(session: Session, copy: GameCopy, peer: PublicIdentity) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    written = talk(session, 3)
    assert answers.to(peer, copy, nothing, 0.0) == written
    answers.forget(peer)
    assert answers.to(peer, copy, nothing, 0.1) == written


def test_one_who_asks_does_not_keep_another_waiting(session: Session, copy: GameCopy, peer: PublicIdentity) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    written = talk(session, 3)
    assert answers.to(peer, copy, nothing, 0.0) == written
    assert answers.to(Identity.generate(Drbg("other")).public, copy, nothing, 0.0) == written


def test_an_answer_is_bounded_and_the_next_one_goes_on_where_it_ended(
    session: Session, copy: GameCopy, peer: PublicIdentity
) -> None:
    answers, nothing, long = Answers(PAUSE, most_bytes=10_000), copy.heads, "x" * 400
    written = talk(session, 30, long)
    first = answers.to(peer, copy, nothing, 0.0)
    assert first == written[: len(first)]
    assert 9_000 < sum(map(len, first)) < 11_500
    some = (session.table.transcript.head(0, 1), *nothing[1:])
    assert answers.to(peer, copy, some, 1.0) == written[len(first) :]


def test_whose_entries_differ_is_shown_ours_once_a_pause(
    session: Session, copy: GameCopy, peer: PublicIdentity
) -> None:
    answers, nothing = Answers(PAUSE), copy.heads
    written = talk(session, 3)
    other = (Head(2, bytes(32)), *nothing[1:])
    assert answers.to(peer, copy, other, 0.0) == [written[1], written[2], written[0]]
    assert answers.to(peer, copy, other, 0.5) == []


def test_heads_of_another_table_are_refused(copy: GameCopy, peer: PublicIdentity) -> None:
    with pytest.raises(MalformedError):
        Answers(PAUSE).to(peer, copy, copy.heads[1:], 0.0)


def test_heads_beyond_the_end_are_answered_with_nothing(session: Session, copy: GameCopy, peer: PublicIdentity) -> None:
    talk(session, 3)
    beyond = tuple(Head(1 << 62, bytes(32)) for _ in copy.heads)
    assert Answers(PAUSE).to(peer, copy, beyond, 0.0) == []


def test_entries_of_all_seats_come_in_an_order_in_which_they_can_be_taken(peer: PublicIdentity) -> None:
    sessions = open_table(Setup(3, short=SHORT_DECK), Edwards25519(), Drbg("three talk"))
    nothing = sessions[0].table.transcript.heads
    for number in (2, 0, 1, 1, 2, 0):
        sessions[number].say(f"{number}")
        for data in sessions[number].outbox:
            for other in sessions:
                other.receive(data)
        sessions[number].outbox.clear()
    charter = sessions[0].table.charter
    seen: list[Entry] = []
    for data in Answers(PAUSE).to(peer, GameCopy(sessions[0]), nothing, 0.0):
        entry = SignedEntry.from_bytes(charter, data).entry
        for seat, head in enumerate(entry.heads):
            assert head.length <= sum(one.author == seat for one in seen)
        seen.append(entry)
    assert len(seen) == 6


class Forked:
    """Seat 0 has told seat 1 one story, and seat 2 another, which is longer."""

    def __init__(self, length: int) -> None:
        rng = Drbg("forked")
        liar, self.one, self.other = open_table(Setup(3, short=SHORT_DECK), GROUP, rng)
        identity = liar.table._identity
        assert identity is not None
        twin = resume(liar.table.charter, identity, GROUP, rng, [])
        self.first, self.second = talk(liar, length, "this"), talk(twin, length + 2, "that")
        for data in self.first:
            self.one.receive(data)
        for data in self.second:
            self.other.receive(data)


def disputed(session: Session, heads: tuple[Head, ...]) -> list[bytes]:
    """Returns what is shown of the liar's chain to somebody with these heads."""
    return [signed.to_bytes() for signed in GameCopy(session).disputed(heads).get(Seat(0), [])]


def test_who_has_another_branch_is_shown_ours_from_its_end_back_and_not_its_end_alone() -> None:
    forked = Forked(100)
    shown = [*forked.second[:99], *forked.second[100:], forked.second[99]]
    assert disputed(forked.other, GameCopy(forked.one).heads) == shown[::-1]


def test_of_another_branch_no_more_is_shown_than_an_answer_may_have(peer: PublicIdentity) -> None:
    forked = Forked(100)
    ours, theirs, answers = GameCopy(forked.other), GameCopy(forked.one).heads, Answers(PAUSE, most_bytes=4_000)
    shown = answers.to(peer, ours, theirs, 0.0)
    assert len(shown) < 40
    assert answers.to(peer, ours, theirs, 1.0)[0] == disputed(forked.other, theirs)[len(shown)]  # It goes on there.


def test_what_was_said_after_a_long_branch_is_heard_on_the_other_one_within_some_beats(peer: PublicIdentity) -> None:
    forked, answers = Forked(150), Answers(PAUSE, most_bytes=10_000)
    (word,) = talk(forked.other, 1)
    for beat in range(8):
        for data in (word, *answers.to(peer, GameCopy(forked.other), GameCopy(forked.one).heads, beat)):
            forked.one.receive(data)
    assert len(forked.one.table.transcript.chains[2]) == 1
    assert list(forked.one.table.faults) == [0]


def test_who_has_a_longer_branch_is_shown_ours_once_it_is_known_to_be_another() -> None:
    forked = Forked(3)
    theirs = GameCopy(forked.other).heads
    assert disputed(forked.one, theirs) == []  # They may only be ahead of us.
    (word,) = talk(forked.other, 1)
    for data in (word, *reversed(forked.second)):
        forked.one.receive(data)
    assert 0 in forked.one.table.faults
    assert disputed(forked.one, theirs) == forked.first[::-1]


def test_an_onlooker_who_follows_a_shorter_branch_than_the_one_that_counts_answers_with_its_own(
    peer: PublicIdentity,
) -> None:
    rng = Drbg("counted")
    liar, one, other = open_table(Setup(3, short=SHORT_DECK), GROUP, rng)
    identity, charter = liar.table._identity, liar.table.charter
    assert identity is not None
    short, long = talk(resume(charter, identity, GROUP, rng, []), 2, "this"), talk(liar, 5, "that")
    votes: list[bytes] = []
    for session, heard in ((one, long), (other, short)):
        for data in heard:
            session.receive(data)
        session.vote((Seat(0),))
        votes += session.outbox
    onlooker = Spectator(charter, GROUP, rng)
    for data in (*short, *votes, *long[::-1]):
        onlooker.receive(data)
    assert onlooker.table.seats == (1, 2)
    assert onlooker.table.transcript.heads[0] == one.table.transcript.head(0)  # Both have one vote: the lower seat's.
    nothing = tuple(Head(0, charter.game) for _ in charter.players)
    for heads in (nothing, one.table.transcript.tips, other.table.transcript.tips):
        assert set(Answers(PAUSE).to(peer, GameCopy(onlooker), heads, 0.0)) <= {*short, *long, *votes}
    assert Answers(PAUSE).to(peer, GameCopy(onlooker), nothing, 0.0)[:2] == short
