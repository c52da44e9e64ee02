from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.budget import CHAIN_ENTRIES
from protocol.codec import Value
from protocol.entry import Head, SignedEntry
from protocol.faults import Fault, FaultCode
from protocol.pending import MAX_AHEAD_BYTES
from protocol.transcript import MAX_AHEAD, Missing, Transcript
from tests.protocol.toy import charter_of, identities, say, sign

SEATS = 3
PLAYERS = identities(SEATS)
CHARTER = charter_of(PLAYERS)
EMPTY = Head(0, CHARTER.game)
NOTHING = (EMPTY,) * SEATS
INVENTED = bytes(range(32))


def history(seed: int, length: int = 24) -> list[SignedEntry]:
    """Returns what honest seats wrote, each having seen some of the others' entries, in an order it could happen in."""
    rng = Random(seed)
    nodes = [Transcript(CHARTER, seat) for seat in range(SEATS)]
    written: list[SignedEntry] = []
    for number in range(length):
        seat = rng.randrange(SEATS)
        for signed in rng.sample(written, len(written) // 2):
            list(nodes[seat].receive(signed))
        written.append(say(nodes[seat], PLAYERS[seat], number))
    return written


def delivered(transcript: Transcript, entries: Iterable[SignedEntry]) -> list[SignedEntry | Fault]:
    return [event for signed in entries for event in transcript.receive(signed)]


def faults(transcript: Transcript, *entries: SignedEntry) -> list[Fault]:
    return [event for event in delivered(transcript, entries) if isinstance(event, Fault)]


def chain_of(
    seat: int, *payloads: Value, heads: tuple[Head, ...] = NOTHING, step: int | None = None
) -> list[SignedEntry]:
    """Returns entries of one seat that follow one another and have seen nothing else but ``heads``."""
    chain: list[SignedEntry] = []
    for payload in payloads:
        own = Head(len(chain), chain[-1].hash) if chain else EMPTY
        chain.append(sign(CHARTER, PLAYERS[seat], (*heads[:seat], own, *heads[seat + 1 :]), payload, step))
    return chain


def heads_with(**named: Head) -> tuple[Head, ...]:
    return tuple(named.get(f"seat{seat}", EMPTY) for seat in range(SEATS))


class TestDelivery:
    @given(st.integers(0, 50), st.randoms(use_true_random=False))
    def test_in_any_order_everything_comes_once_and_after_what_its_author_had_seen(
        self, seed: int, order: Random
    ) -> None:
        written = history(seed)
        arrivals = written + order.sample(written, len(written) // 3)
        order.shuffle(arrivals)
        transcript = Transcript(CHARTER)
        events = delivered(transcript, arrivals)
        assert {event.hash for event in events if isinstance(event, SignedEntry)} == {signed.hash for signed in written}
        assert len(events) == len(written)
        lengths = [0] * SEATS
        for event in events:
            assert isinstance(event, SignedEntry)
            assert all(head.length <= lengths[seat] for seat, head in enumerate(event.entry.heads))
            assert event.entry.sequence == lengths[event.entry.author]
            lengths[event.entry.author] += 1
        assert transcript.missing() == ()

    @given(st.integers(0, 50), st.randoms(use_true_random=False))
    def test_the_canonical_order_and_the_heads_do_not_depend_on_the_order_of_delivery(
        self, seed: int, order: Random
    ) -> None:
        written = history(seed)
        one, other = Transcript(CHARTER), Transcript(CHARTER)
        delivered(one, written)
        delivered(other, order.sample(written, len(written)))
        assert list(one.in_order()) == list(other.in_order())
        assert one.heads == other.heads

    @given(st.integers(0, 50))
    def test_the_canonical_order_is_one_in_which_it_could_have_happened(self, seed: int) -> None:
        transcript, again = Transcript(CHARTER), Transcript(CHARTER)
        delivered(transcript, history(seed))
        ordered = list(transcript.in_order())
        assert [list(again.receive(signed)) for signed in ordered] == [[signed] for signed in ordered]

    @given(st.integers(0, 50), st.randoms(use_true_random=False), st.integers(0, 23))
    def test_what_is_lost_is_found_through_missing_alone(self, seed: int, order: Random, lost: int) -> None:
        written = history(seed)
        # The last entry of each chain arrives, or nobody would know that it exists.
        last = {signed.entry.author: signed for signed in written}
        arrivals = [*order.sample(written, len(written) - lost), *last.values()]
        places = {(signed.entry.author, signed.entry.sequence): signed for signed in written}
        transcript = Transcript(CHARTER)
        delivered(transcript, arrivals)
        for _ in written:
            for missing in transcript.missing():
                assert missing.claimed_by in range(SEATS)
                delivered(transcript, [places[missing.seat, missing.sequence]])
        assert transcript.missing() == ()
        assert sum(map(len, transcript.chains)) == len(written)

    def test_a_repeated_entry_is_ignored_delivered_or_not(self) -> None:
        first, second = chain_of(0, "first", "second")
        transcript = Transcript(CHARTER)
        assert delivered(transcript, [second, second]) == []
        assert delivered(transcript, [first, first, second]) == [first, second]

    def test_a_second_signature_of_the_same_body_is_the_same_entry(self) -> None:
        (first,) = chain_of(0, "first")
        assert delivered(Transcript(CHARTER), [first, replace(first, signature=bytes(64))]) == [first]

    def test_an_entry_waits_for_what_it_names(self) -> None:
        (first,) = chain_of(0, "first")
        answer = sign(CHARTER, PLAYERS[1], heads_with(seat0=Head(1, first.hash)), "answer")
        transcript = Transcript(CHARTER)
        assert delivered(transcript, [answer]) == []
        assert transcript.missing() == (Missing(0, 0, claimed_by=1),)
        assert transcript.get(1, 0) == answer
        assert transcript.heads == NOTHING
        assert delivered(transcript, [first]) == [first, answer]
        assert transcript.heads == (Head(1, first.hash), Head(1, answer.hash), EMPTY)

    def test_earlier_heads_can_be_asked_for(self) -> None:
        first, second = chain_of(1, "first", "second")
        transcript = Transcript(CHARTER)
        delivered(transcript, [first, second])
        assert [transcript.head(1, length) for length in range(3)] == [EMPTY, Head(1, first.hash), Head(2, second.hash)]


class TestEquivocation:
    @pytest.mark.parametrize("order", list(permutations(range(5))))
    def test_is_found_in_any_order_with_both_entries_as_evidence(self, order: tuple[int, ...]) -> None:
        first, second, third = chain_of(0, "first", "second", "third")
        other = sign(CHARTER, PLAYERS[0], second.entry.heads, "another second")
        answer = sign(CHARTER, PLAYERS[1], heads_with(seat0=Head(3, third.hash)), "answer")
        entries = [first, second, third, other, answer]
        found = faults(Transcript(CHARTER), *(entries[i] for i in order))
        assert {fault.seat for fault in found} == {0}
        # Where the third comes upon the other second, it breaks the chain: that is the same lie.
        assert found[0].code in (FaultCode.EQUIVOCATION, FaultCode.BROKEN_CHAIN)
        assert {
            signed.hash for fault in found if fault.code is FaultCode.EQUIVOCATION for signed in fault.evidence
        } == {
            second.hash,
            other.hash,
        }

    def test_of_the_first_entry_counts_too(self) -> None:
        one, other = sign(CHARTER, PLAYERS[2], NOTHING, "one"), sign(CHARTER, PLAYERS[2], NOTHING, "other")
        (fault,) = faults(Transcript(CHARTER), one, other)
        assert (fault.seat, fault.code, fault.evidence) == (2, FaultCode.EQUIVOCATION, (one, other))

    def test_two_that_saw_different_versions_never_blame_each_other(self) -> None:
        one, other = sign(CHARTER, PLAYERS[2], NOTHING, "one"), sign(CHARTER, PLAYERS[2], NOTHING, "other")
        anna, ben = Transcript(CHARTER, 0), Transcript(CHARTER, 1)
        delivered(anna, [one])
        delivered(ben, [other])
        hers, his = say(anna, PLAYERS[0]), say(ben, PLAYERS[1])
        assert delivered(anna, [his]) == delivered(ben, [hers]) == []
        assert anna.missing() == (Missing(2, 0, claimed_by=1),)
        assert ben.missing() == (Missing(2, 0, claimed_by=0),)
        for node, version in ((anna, other), (ben, one)):
            (fault,) = faults(node, version)
            assert (fault.seat, fault.code) == (2, FaultCode.EQUIVOCATION)
            assert node.missing() == ()

    def test_a_lie_between_entries_that_wait_for_each_other_is_asked_for(self) -> None:
        # Seat 2 told seat 0 one thing; then, knowing the answer, it told us another thing with the same number.
        one = sign(CHARTER, PLAYERS[2], NOTHING, "one")
        answer = sign(CHARTER, PLAYERS[0], heads_with(seat2=Head(1, one.hash)), "answer")
        other = sign(CHARTER, PLAYERS[2], heads_with(seat0=Head(1, answer.hash)), "other")
        transcript = Transcript(CHARTER, 1)
        assert delivered(transcript, [answer, other]) == []
        assert transcript.missing() == (Missing(2, 0, claimed_by=0),)
        (fault,) = faults(transcript, one)
        assert (fault.seat, fault.code, fault.evidence) == (2, FaultCode.EQUIVOCATION, (other, one))


class Fork:
    """Seat 0 has told us one thing, and seat 1 another, which seat 1 has answered: both branches are here."""

    def __init__(self) -> None:
        (self.ours,), (self.theirs,) = chain_of(0, "one"), chain_of(0, "other")
        self.here = Transcript(CHARTER, 2)
        self.answer = self.says(1, heads_with(seat0=Head(1, self.theirs.hash)))
        assert delivered(self.here, [self.ours, self.answer]) == [self.ours]
        assert delivered(self.here, [self.theirs])[1:] == [self.theirs, self.answer]

    @staticmethod
    def says(seat: int, heads: Sequence[Head], words: str = "words") -> SignedEntry:
        return sign(CHARTER, PLAYERS[seat], heads, words)

    def more(self, words: str = "more") -> SignedEntry:
        """The liar goes on with the branch that is not followed here."""
        return self.says(0, heads_with(seat0=Head(1, self.theirs.hash)), words)


class TestBranches:
    def test_what_a_liar_adds_to_a_branch_that_is_not_followed_comes_when_somebody_else_names_it(self) -> None:
        fork = Fork()
        more = fork.more()
        last = fork.says(0, heads_with(seat0=Head(2, more.hash)), "last")
        heard = fork.says(1, (Head(3, last.hash), Head(1, fork.answer.hash), EMPTY))
        assert delivered(fork.here, [last, more]) == []
        assert delivered(fork.here, [heard]) == [more, last, heard]

    def test_a_liar_who_goes_on_with_a_branch_in_ever_new_ways_fills_nobodys_memory(self) -> None:
        fork = Fork()
        came = delivered(fork.here, [fork.more(f"way {way}") for way in range(50)])
        assert {one.code for one in came if isinstance(one, Fault)} == {FaultCode.EQUIVOCATION}
        assert not any(isinstance(one, SignedEntry) for one in came)
        assert len(fork.here.delivered) == 3
        assert fork.here.history.past.ends[0] == (fork.ours.hash, fork.theirs.hash)

    def test_a_liar_who_names_the_own_other_branches_fills_nobodys_memory_either(self) -> None:
        """Each branch is shown from its end back, and is longer than those before: its last entry waits here."""
        fork = Fork()
        for length in range(2, 20):
            branch = [fork.theirs]
            for number in range(1, length):
                heads = heads_with(seat0=Head(number, branch[-1].hash))
                branch.append(fork.says(0, heads, f"{length}: {number}"))
            delivered(fork.here, branch[:0:-1])
        assert len(fork.here.delivered) == 3
        assert fork.here.history.past.ends[0] == (fork.ours.hash, fork.theirs.hash)

    @pytest.mark.parametrize("is_ahead", [False, True])
    def test_two_liars_of_whom_one_names_branches_of_the_other_fill_nobodys_memory(self, is_ahead: bool) -> None:
        """Nor do they crowd out the branch that an honest seat names."""
        here, big = Transcript(CHARTER, 2), bytes(400_000)
        delivered(here, chain_of(0, *map(str, range(1 if is_ahead else 16)), step=0))
        for branch in range(6):
            fake = chain_of(0, *((branch, number, big) for number in range(16)), step=0)
            if is_ahead:  # They wait in the chain, until its next entry is refused.
                fake[1] = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, INVENTED)), (branch, big), 0)
            own = Head(branch + 1, INVENTED)
            delivered(here, [sign(CHARTER, PLAYERS[1], (Head(16, fake[-1].hash), own, EMPTY), "named")])
            delivered(here, fake[:0:-1])
        kept = sum(len(one.body) for one in here._pending.versions[0].values())
        assert kept <= MAX_AHEAD_BYTES

    def test_what_a_liars_accomplice_names_leaves_room_for_the_branch_of_an_honest_seat(self) -> None:
        players = identities(4)
        charter, big = charter_of(players), bytes(400_000)
        empty = Head(0, charter.game)
        here = Transcript(charter, 3)

        def branch(word: Value) -> list[SignedEntry]:
            chain: list[SignedEntry] = []
            for number in range(16):
                own = Head(number, chain[-1].hash) if chain else empty
                chain.append(sign(charter, players[0], (own, empty, empty, empty), (word, number), 0))
            return chain

        def names(seat: int, end: Head) -> SignedEntry:
            return sign(charter, players[seat], (end, empty, empty, empty), "named")

        ours, theirs, junk = branch("ours"), branch("theirs"), branch(big)
        delivered(here, [*ours, names(1, Head(16, junk[-1].hash)), *junk[::-1]])
        answer = names(2, Head(16, theirs[-1].hash))
        came = delivered(here, [answer, *theirs[::-1]])
        assert [one for one in came if isinstance(one, SignedEntry)] == [*theirs, answer]

    @pytest.mark.parametrize(("count", "size"), [(320, 1_800), (1_500, 4), (2_000, 1_800)])
    @pytest.mark.parametrize("is_from_the_end", [False, True])
    def test_a_branch_as_long_as_a_chain_can_be_is_taken_whole_if_an_honest_seat_names_it(
        self, count: int, size: int, is_from_the_end: bool
    ) -> None:
        """Else who was shown another one could never see what the others vote, and was put out."""
        branch = chain_of(0, *((number, bytes(size)) for number in range(count)), step=0)
        answer = sign(CHARTER, PLAYERS[1], heads_with(seat0=Head(count, branch[-1].hash)), "I heard")
        here = Transcript(CHARTER, 2)
        (other,) = chain_of(0, "for you alone")
        came = delivered(here, [other, answer, *branch[:: -1 if is_from_the_end else 1]])
        if not is_from_the_end:  # What came before it was known who names it is shown again.
            came += delivered(here, [*branch, *branch])
        assert [one for one in came if isinstance(one, SignedEntry)] == [other, *branch, answer]
        assert not here._pending.versions[0]
        assert not here._pending.ahead[0]

    def test_two_liars_of_whom_one_names_finished_branches_fill_neither_memory_nor_disk(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """They are delivered, so nothing waits; and a broken entry of the accomplice makes room to name others."""
        monkeypatch.setattr("protocol.transcript.MAX_ASIDE_BYTES", 100_000)
        here = Transcript(CHARTER, 2)
        delivered(here, chain_of(0, "for you alone"))
        for branch in range(30):
            fake = chain_of(0, *((branch, number, bytes(500)) for number in range(20)), step=0)
            named = sign(CHARTER, PLAYERS[1], (Head(20, fake[-1].hash), Head(branch + 9, INVENTED), EMPTY), "named")
            broken = sign(CHARTER, PLAYERS[1], heads_with(seat1=Head(0, INVENTED)), branch)
            delivered(here, [named, *fake[::-1], broken])
        assert 90_000 < sum(len(signed.body) for signed in here.delivered) < 110_000
        honest = sign(CHARTER, PLAYERS[2], here.heads, "I go on")
        assert delivered(here, [honest]) == [honest]

    def test_an_entry_of_another_branch_is_delivered_once_however_often_it_comes(self) -> None:
        fork = Fork()
        more = fork.more()
        heard = fork.says(1, (Head(2, more.hash), Head(1, fork.answer.hash), EMPTY))
        delivered(fork.here, [heard])
        assert delivered(fork.here, [more, more, fork.theirs, more]) == [more, heard]
        assert len(fork.here.delivered) == len({signed.hash for signed in fork.here.delivered})


class TestFalseLinks:
    def test_an_entry_that_does_not_follow_its_authors_previous_one(self) -> None:
        (first,) = chain_of(0, "first")
        stray = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, INVENTED)), "stray")
        (fault,) = faults(Transcript(CHARTER), first, stray)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.BROKEN_CHAIN, (first, stray))

    def test_a_first_entry_that_does_not_begin_with_the_game(self) -> None:
        stray = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(0, INVENTED)), "stray")
        (fault,) = faults(Transcript(CHARTER), stray)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.BROKEN_CHAIN, (stray,))

    def test_what_follows_a_refused_entry_is_dropped_and_asked_for_no_more(self) -> None:
        stray, after = chain_of(0, "stray", "after", heads=(EMPTY, Head(0, INVENTED), EMPTY))
        transcript = Transcript(CHARTER)
        assert len(faults(transcript, after, stray)) == 1
        assert transcript.get(0, 1) is None
        assert transcript.missing() == ()

    def test_heads_that_went_back(self) -> None:
        (word,) = chain_of(1, "word")
        seen = sign(CHARTER, PLAYERS[0], heads_with(seat1=Head(1, word.hash)), "seen")
        unseen = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, seen.hash)), "unseen")
        (fault,) = faults(Transcript(CHARTER), word, seen, unseen)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.HEADS_WENT_BACK, (seen, unseen))

    def test_heads_that_change_their_mind_about_an_entry(self) -> None:
        (word,), (other,) = chain_of(1, "word"), chain_of(1, "another")
        seen = sign(CHARTER, PLAYERS[0], heads_with(seat1=Head(1, word.hash)), "seen")
        changed = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, seen.hash), seat1=Head(1, other.hash)), "changed")
        forked, fault = faults(Transcript(CHARTER), word, seen, changed, other)
        assert (forked.seat, forked.code) == (1, FaultCode.EQUIVOCATION)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.HEADS_WENT_BACK, (seen, changed))

    @pytest.mark.parametrize("own", [None, 1, 2])
    def test_an_empty_chain_that_begins_with_another_game(self, own: int | None) -> None:
        stray = sign(CHARTER, PLAYERS[0], heads_with(seat1=Head(0, INVENTED)), "stray")
        transcript = Transcript(CHARTER, own)
        (fault,) = faults(transcript, stray)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.UNKNOWN_HEADS, (stray,))
        assert transcript.missing() == ()

    @pytest.mark.parametrize("head", [Head(2, INVENTED), Head(1, INVENTED), Head(1 << 63, INVENTED)])
    def test_an_entry_of_ours_that_we_never_wrote(self, head: Head) -> None:
        transcript = Transcript(CHARTER, own=1)
        say(transcript, PLAYERS[1], "the only one")
        liar = sign(CHARTER, PLAYERS[0], heads_with(seat1=head), "you said")
        (fault,) = faults(transcript, liar)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.UNKNOWN_HEADS, (liar,))

    @pytest.mark.parametrize("head", [Head(2, INVENTED), Head(1, INVENTED)])
    def test_an_entry_of_somebody_else_that_does_not_exist_is_waited_for_in_the_name_of_who_claimed_it(
        self, head: Head
    ) -> None:
        (word,) = chain_of(1, "word")
        liar = sign(CHARTER, PLAYERS[0], heads_with(seat1=head), "seat 1 said")
        transcript = Transcript(CHARTER, own=2)
        assert delivered(transcript, [word, liar]) == [word]
        assert transcript.missing() == (Missing(1, head.length - 1, claimed_by=0),)
        # The game goes on without it as far as it can.
        again = sign(CHARTER, PLAYERS[1], (EMPTY, Head(1, word.hash), EMPTY), "again")
        assert delivered(transcript, [again]) == [again]

    def test_several_who_claim_the_same_entry_are_all_named(self) -> None:
        (first,) = chain_of(2, "first")
        transcript = Transcript(CHARTER)
        for seat in (0, 1):
            delivered(transcript, [sign(CHARTER, PLAYERS[seat], heads_with(seat2=Head(1, first.hash)), "seen")])
        assert transcript.missing() == (Missing(2, 0, claimed_by=0), Missing(2, 0, claimed_by=1))

    def test_what_a_seat_claims_later_is_not_asked_for_before_what_it_needs_now(self) -> None:
        (word,) = chain_of(1, "word")
        modest = sign(CHARTER, PLAYERS[0], heads_with(seat1=Head(1, word.hash)), "modest")
        boast = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, modest.hash), seat1=Head(99, INVENTED)), "boast")
        transcript = Transcript(CHARTER)
        delivered(transcript, [boast, modest])
        assert transcript.missing() == (Missing(1, 0, claimed_by=0),)

    def test_what_a_liar_claims_is_asked_for_no_more(self) -> None:
        boast = sign(CHARTER, PLAYERS[0], heads_with(seat1=Head(99, INVENTED)), "boast")
        transcript = Transcript(CHARTER)
        delivered(transcript, [boast])
        assert len(transcript.missing()) == 99
        assert len(faults(transcript, sign(CHARTER, PLAYERS[0], NOTHING, "another"))) == 1
        assert transcript.missing() == ()


class TestOpenHeads:
    """Who names an entry has all that it names: to name Ann's answer, and not Ben's words that it answers, is a lie."""

    def test_who_names_an_answer_and_not_what_it_answers_is_refused_before_delivery(self) -> None:
        (words,) = chain_of(1, "I accept")
        answer = sign(CHARTER, PLAYERS[2], heads_with(seat1=Head(1, words.hash)), "did you hear?")
        deaf = sign(CHARTER, PLAYERS[0], heads_with(seat2=Head(1, answer.hash)), "nobody has accepted")
        transcript = Transcript(CHARTER)
        (fault,) = faults(transcript, words, answer, deaf)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.OPEN_HEADS, (answer, deaf))
        assert transcript.chains[0] == []
        honest = sign(CHARTER, PLAYERS[0], transcript.heads, "I heard")
        assert delivered(transcript, [honest]) == [honest]

    def test_through_others_too(self) -> None:
        (words,) = chain_of(1, "I accept")
        answer = sign(CHARTER, PLAYERS[2], heads_with(seat1=Head(1, words.hash)), "did you hear?")
        again = sign(CHARTER, PLAYERS[2], heads_with(seat1=Head(1, words.hash), seat2=Head(1, answer.hash)), "did you?")
        deaf = sign(CHARTER, PLAYERS[0], heads_with(seat2=Head(2, again.hash)), "nobody has accepted")
        (fault,) = faults(Transcript(CHARTER), words, answer, again, deaf)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.OPEN_HEADS, (again, deaf))

    def test_who_has_forked_and_names_what_rests_on_the_other_branch_is_refused(self) -> None:
        one, other = (sign(CHARTER, PLAYERS[0], NOTHING, words) for words in ("yes", "no"))
        answer = sign(CHARTER, PLAYERS[1], heads_with(seat0=Head(1, one.hash)), "good")
        both = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(1, other.hash), seat1=Head(1, answer.hash)), "I said no")
        transcript = Transcript(CHARTER)
        transcript.keeps_rivals = True
        equivocation, fault = faults(transcript, one, answer, other, both)
        assert (equivocation.seat, equivocation.code) == (0, FaultCode.EQUIVOCATION)
        assert (fault.seat, fault.code, fault.evidence) == (0, FaultCode.OPEN_HEADS, (both,))
        assert both.hash not in transcript.history

    def test_an_entry_waits_for_all_it_names_before_it_is_judged(self) -> None:
        (words,) = chain_of(1, "I accept")
        answer = sign(CHARTER, PLAYERS[2], heads_with(seat1=Head(1, words.hash)), "did you hear?")
        deaf = sign(CHARTER, PLAYERS[0], heads_with(seat2=Head(1, answer.hash)), "nobody has accepted")
        transcript = Transcript(CHARTER)
        assert delivered(transcript, [deaf, answer]) == []
        assert [event for event in delivered(transcript, [words]) if isinstance(event, SignedEntry)] == [words, answer]


class TestBounds:
    def test_an_entry_too_far_ahead_is_not_kept(self) -> None:
        transcript = Transcript(CHARTER)
        for sequence, kept in ((CHAIN_ENTRIES - 1, True), (CHAIN_ENTRIES, False), (1 << 63, False)):
            far = sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(sequence, INVENTED)), "far")
            assert delivered(transcript, [far]) == []
            assert (transcript.get(0, sequence) is not None) == kept

    def test_what_is_kept_ahead_of_a_chain_is_bounded_and_the_next_entry_always_taken(self) -> None:
        big = bytes(100_000)
        transcript = Transcript(CHARTER)
        flood = [sign(CHARTER, PLAYERS[0], heads_with(seat0=Head(number, INVENTED)), big, 1) for number in range(1, 60)]
        assert delivered(transcript, flood) == []
        kept = [signed for number in range(60) if (signed := transcript.get(0, number)) is not None]
        assert 0 < sum(len(signed.body) for signed in kept) <= MAX_AHEAD_BYTES
        first = sign(CHARTER, PLAYERS[0], NOTHING, big, step=0)
        assert delivered(transcript, [first])[0] == first

    def test_the_list_of_missing_entries_is_bounded(self) -> None:
        transcript = Transcript(CHARTER)
        for seat in range(SEATS):
            endless = tuple(Head(MAX_AHEAD - 1 if seat == other else 1 << 63, INVENTED) for other in range(SEATS))
            delivered(transcript, [sign(CHARTER, PLAYERS[seat], endless, "endless")])
        assert len(transcript.missing()) <= SEATS * SEATS * MAX_AHEAD

    def test_a_chain_longer_than_the_window_is_caught_up_with(self) -> None:
        chain = chain_of(0, *map(str, range(MAX_AHEAD + 50)), step=0)
        transcript = Transcript(CHARTER)
        delivered(transcript, reversed(chain))
        while len(transcript.chains[0]) < len(chain):
            delivered(transcript, chain[len(transcript.chains[0]) :])
        assert transcript.missing() == ()
