"""What one seat may write is bounded, by its chain alone: beyond it is a fault, on every node, before delivery."""

from dataclasses import replace

import pytest

from protocol import budget
from protocol.budget import Spent, chain_bytes
from protocol.codec import Value
from protocol.entry import MAX_ENTRY_BYTES, Head, SignedEntry
from protocol.errors import LocalError
from protocol.faults import FaultCode
from protocol.transcript import Transcript
from tests.protocol.toy import CHARTER, PLAYERS, SEATS, UNLUCKY, say, seated, sign, tell, the_fault, write

EMPTY = (Head(0, CHARTER.game),) * SEATS


def word(size: int = 0) -> SignedEntry:
    return sign(CHARTER, PLAYERS[0], EMPTY, bytes(size))


def size_of(signed: SignedEntry) -> int:
    """Returns what it takes in a record."""
    return 4 + len(signed.to_bytes())


def refused(transcript: Transcript, signed: SignedEntry) -> str:
    (fault,) = transcript.receive(signed)
    assert not isinstance(fault, SignedEntry)
    assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.OVER_BUDGET, (signed,))
    assert transcript.chains[0] == []
    return fault.reason


ONE = size_of(word())
EDGES = [
    (Spent(entries=budget.CHAIN_ENTRIES), "entries in a chain"),
    (Spent(size=chain_bytes(SEATS) - ONE + 1), "bytes in a chain"),
    (Spent(words_since_step=budget.WORDS_BETWEEN_STEPS), "since the author's last step"),
    (Spent(words=budget.WORDS), "free entries in a chain"),
    (Spent(words_size=budget.WORDS_BYTES - ONE + 1), "bytes in the free entries"),
]


@pytest.mark.parametrize(("spent", "what"), EDGES)
def test_one_more_than_a_chain_may_have_is_a_fault_and_the_last_one_is_not(spent: Spent, what: str) -> None:
    full, nearly = Transcript(CHARTER), Transcript(CHARTER)
    full._spent[CHARTER.game] = spent
    nearly._spent[CHARTER.game] = replace(
        spent, **{name: max(used - 1, 0) for name in Spent.__slots__ if isinstance(used := getattr(spent, name), int)}
    )
    assert what in refused(full, word())
    assert list(nearly.receive(word())) == [word()]


def test_all_chains_together_fit_into_a_record_beside_its_charter() -> None:
    for seats in range(2, 17):
        assert seats * chain_bytes(seats) + (1 << 16) + 4 + 8 <= budget.RECORD_BYTES
    assert chain_bytes(6) > 10 << 20


def test_a_word_may_have_two_kilobytes_and_no_more() -> None:
    overhead = size_of(word(1000)) - 1000
    longest = word(budget.WORD_BYTES - overhead)
    assert list(Transcript(CHARTER).receive(longest)) == [longest]
    assert "bytes in a free entry" in refused(Transcript(CHARTER), word(budget.WORD_BYTES - overhead + 1))
    step = sign(CHARTER, PLAYERS[0], EMPTY, bytes(MAX_ENTRY_BYTES // 2), step=0)
    assert list(Transcript(CHARTER).receive(step)) == [step]


def test_a_vote_may_have_two_kilobytes_and_no_more() -> None:
    def vote(certificates: int) -> SignedEntry:
        below = tuple((attempt, (1,)) for attempt in range(certificates))
        return sign(CHARTER, PLAYERS[0], EMPTY, ("vote", below, (), certificates))

    most = next(count for count in range(2000) if size_of(vote(count + 1)) > budget.VOTE_BYTES)
    assert Spent().excess(vote(most), SEATS) is None
    assert "bytes in a vote" in refused(Transcript(CHARTER), vote(most + 1))


def test_words_are_counted_anew_after_each_step_of_their_author() -> None:
    transcript = Transcript(CHARTER)
    for _ in range(budget.WORDS_BETWEEN_STEPS):
        say(transcript, PLAYERS[0])
    assert transcript.fault(sign(CHARTER, PLAYERS[0], transcript.heads)) is not None
    say(transcript, PLAYERS[1], step=0)
    assert transcript.fault(sign(CHARTER, PLAYERS[0], transcript.heads)) is not None
    say(transcript, PLAYERS[0], step=0)
    say(transcript, PLAYERS[0])
    assert transcript.spent(0).words_since_step == 1
    assert transcript.spent(0).words == budget.WORDS_BETWEEN_STEPS + 1


def test_a_chatterer_is_named_by_all_and_the_game_goes_on() -> None:
    tables = seated((1,))
    for _ in range(budget.WORDS_BETWEEN_STEPS):
        write(tables, 0, "bla", free=True)
    with pytest.raises(LocalError, match="too much is written"):
        tables[0].write("bla", free=True)
    more = sign(CHARTER, PLAYERS[0], tables[0].transcript.heads, "bla")
    for events in tell(tables, more):
        assert (the_fault(events).seat, the_fault(events).code) == (0, FaultCode.OVER_BUDGET)
    write(tables, 1, 5)
    for table in tables:
        assert table.game.numbers == [(1, 5)]
        assert len(table.transcript.chains[0]) == budget.WORDS_BETWEEN_STEPS


def test_what_a_seat_says_after_a_refused_step_is_bounded_like_any_words() -> None:
    tables = seated((1,))
    tell(tables, sign(CHARTER, PLAYERS[1], tables[0].transcript.heads, UNLUCKY, step=0))
    for _ in range(budget.WORDS_BETWEEN_STEPS + 5):
        tell(tables, sign(CHARTER, PLAYERS[1], tables[0].transcript.heads, "not fair"))
    assert {len(table.transcript.chains[1]) for table in tables} == {1 + budget.WORDS_BETWEEN_STEPS}


def test_three_quarters_are_a_warning_to_the_own_player_alone() -> None:
    tables = seated((1,))
    for _ in range(budget.WORDS_BETWEEN_STEPS * 3 // 4):
        assert not tables[0].is_scarce
        write(tables, 0, "bla", free=True)
    assert tables[0].is_scarce
    assert not tables[1].is_scarce
    assert not seated((1,), onlookers=1)[-1].is_scarce
    write(tables, 0, "one more", free=True)


class TestAcknowledgements:
    """Entries that say nothing but what their author has seen: no words, and only as many as there is to see."""

    @staticmethod
    def is_taken(transcript: Transcript, payload: Value = None) -> bool:
        signed = sign(CHARTER, PLAYERS[0], transcript.heads, payload)
        fault = transcript.fault(signed)
        assert fault is None or (fault.seat, fault.code, fault.evidence) == (0, FaultCode.OVER_BUDGET, (signed,))
        return fault is None

    def test_of_nothing_is_a_fault(self) -> None:
        assert not self.is_taken(Transcript(CHARTER))

    def test_of_anothers_step_is_none_and_a_second_one_is(self) -> None:
        transcript = Transcript(CHARTER)
        say(transcript, PLAYERS[1], step=0)
        assert self.is_taken(transcript)
        say(transcript, PLAYERS[0], None)
        assert not self.is_taken(transcript)
        say(transcript, PLAYERS[2], step=1)
        assert self.is_taken(transcript)

    def test_of_words_or_of_an_own_step_is_a_fault(self) -> None:
        transcript = Transcript(CHARTER)
        say(transcript, PLAYERS[1])
        say(transcript, PLAYERS[0], step=0)
        say(transcript, PLAYERS[1])
        assert not self.is_taken(transcript)

    def test_of_a_step_that_the_own_last_words_have_named_is_a_fault(self) -> None:
        transcript = Transcript(CHARTER)
        say(transcript, PLAYERS[1], step=0)
        say(transcript, PLAYERS[0], "I see")
        assert not self.is_taken(transcript)

    def test_are_not_counted_as_words(self) -> None:
        transcript = Transcript(CHARTER)
        for step in range(budget.WORDS_BETWEEN_STEPS + 1):
            say(transcript, PLAYERS[1], step=step)
            say(transcript, PLAYERS[0], None)
        assert transcript.spent(0).words == transcript.spent(0).words_since_step == 0
        assert transcript.spent(0).entries == budget.WORDS_BETWEEN_STEPS + 1
