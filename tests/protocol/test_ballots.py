"""Some go on without others: whoever stays agrees, the history is one, and nobody honest is blamed or undone."""

from collections.abc import Sequence
from random import Random

import pytest

from protocol import budget
from protocol.ballots import Vote, vote_payload
from protocol.entry import Head, SignedEntry
from protocol.errors import LocalError
from protocol.faults import FaultCode
from protocol.table import Certified, Folded, Spoken, Table, Undone
from tests.protocol.toy import (
    CHARTER,
    PLAYERS,
    UNLUCKY,
    Toy,
    charter_of,
    identities,
    seated,
    sign,
    tell,
    the_fault,
    write,
)

FIVE = identities(5, "five")
ROUND_OF_FIVE = ((0, 1, 2, 3, 4), (0,), (1,), (2,), (3,), (4,), (0, 1, 2, 3, 4))


def five(*stages: tuple[int, ...]) -> list[Table[Toy]]:
    charter = charter_of(FIVE, seed="five")
    return [Table(charter, Toy(stages or ROUND_OF_FIVE), one) for one in FIVE]


def share(tables: Sequence[Table[Toy]]) -> None:
    """Everybody here gets all that somebody here has."""
    entries = [signed.to_bytes() for table in tables for signed in table.transcript.in_order()]
    for table in tables:
        for _ in range(2):  # What came too early the first time.
            for data in entries:
                table.receive(data)


def vote(tables: Sequence[Table[Toy]], voters: Sequence[int], *out: int) -> None:
    """These vote, one after the other, and do not hear each other."""
    for seat in voters:
        tables[seat].vote(out)


def see(tables: Sequence[Table[Toy]]) -> None:
    """All who may say what they have seen of a certificate's votes."""
    for table in tables:
        if table.unconfirmed and not table.is_bound and table.seat in table.seats:
            table.write(None, free=True)
    share(tables)


def play_on(tables: Sequence[Table[Toy]]) -> None:
    """All who may write do so until nobody may."""
    while any(table.may_write for table in tables):
        for table in tables:
            if table.may_write:
                table.write(7)
        share(tables)


def assert_one_history(tables: Sequence[Table[Toy]]) -> None:
    assert len({tuple(step for step in table._position.log) for table in tables}) == 1
    assert len({(table.game, table.step, table.stage) for table in tables}) == 1
    assert all(table.faults == {} for table in tables)


class TestAgreement:
    def test_those_who_stay_go_on_when_all_of_them_have_voted_and_seen_it(self) -> None:
        tables = seated((0, 1, 2, 3), (3,), (0, 1, 2))
        for seat in (0, 1, 2):
            write(tables, seat, seat)
        vote(tables, (0, 1, 2), 3)
        here = tables[:3]
        assert all(table.is_bound for table in here)
        share(here)
        assert [table.seats for table in here] == [(0, 1, 2)] * 3
        assert [table.may_write for table in here] == [False] * 3  # Nobody knows yet that all have seen the votes.
        see(here)
        assert [table.may_write for table in here] == [True] * 3
        play_on(here)
        assert_one_history(here)
        assert [number for _, number in tables[0].game.numbers] == [0, 1, 2, 7, 7, 7]

    def test_entries_of_the_stage_that_wait_for_who_left_count(self) -> None:
        tables = seated((0, 1, 2, 3))
        for seat in (1, 2, 3):
            write(tables, seat, seat)
        assert tables[1].game.numbers == []
        vote(tables, (1, 2, 3), 0)
        share(tables)
        assert all(table.game.numbers == [(1, 1), (2, 2), (3, 3)] for table in tables)

    def test_what_counts_of_who_left_is_what_the_votes_name_and_the_rest_is_void_without_fault(self) -> None:
        tables = seated((0,), (0,), (1, 2, 3))
        write(tables, 0, 5)
        tables[0].write(6)  # Nobody hears it in time.
        vote(tables, (1, 2, 3), 0)
        share(tables)
        assert all(table.game.numbers == [(0, 5)] for table in tables)
        assert all(table.faults == {} for table in tables)
        see(tables[1:])
        play_on(tables)
        assert all(table.transcript.heads[0].length == 1 for table in tables[1:])
        assert_one_history(tables[1:])

    def test_one_voter_who_has_heard_more_of_who_left_makes_it_count_for_all(self) -> None:
        tables = seated((0,), (0,), (1, 2, 3))
        write(tables, 0, 5)
        more, _ = tables[0].write(6)
        tables[2].receive(more)
        vote(tables, (1, 2, 3), 0)
        share(tables)
        assert all(table.game.numbers == [(0, 5), (0, 6)] for table in tables)

    def test_who_is_out_knows_it_and_has_nothing_more_to_say(self) -> None:
        tables = seated((0,), (0, 1, 2, 3))
        vote(tables, (1, 2, 3), 0)
        share(tables)
        assert tables[0].seats == (1, 2, 3)
        assert not tables[0].may_write
        with pytest.raises(LocalError, match="only who stays"):
            tables[0].vote(())

    def test_the_certificate_is_told_once_with_the_game_after_it(self) -> None:
        tables = seated((0,), (1, 2, 3))
        vote(tables, (1, 2), 0)
        share(tables[1:3])
        data, events = tables[3].vote((0,))
        assert [type(event) for event in events] == [Spoken]
        tables[1].receive(tables[2].transcript.chains[2][-1].to_bytes())
        told = tables[1].receive(data)
        assert [type(event) for event in told] == [Spoken, Certified]


class TestNoAgreement:
    def test_half_of_the_seats_can_not_put_the_others_out(self) -> None:
        tables = seated((0, 1, 2, 3))
        with pytest.raises(LocalError, match="more than half"):
            tables[0].vote((2, 3))

    def test_an_accomplice_who_never_votes_keeps_the_table_waiting_and_can_be_put_out_too(self) -> None:
        tables = five()
        for seat in range(1, 5):
            tables[seat].write(seat)
        vote(tables, (1, 2, 3), 0)
        share(tables[1:])
        assert all(table.is_bound and not table.may_write for table in tables[1:4])
        vote(tables, (1, 2, 3), 0, 4)
        share(tables)
        assert all(table.seats == (1, 2, 3) for table in tables)
        see(tables[1:4])
        play_on(tables[1:4])
        assert_one_history(tables[1:4])

    def test_a_split_of_two_against_two_waits_until_all_want_the_same(self) -> None:
        tables = seated((0, 1, 2, 3), (0, 1, 2, 3))
        vote(tables, (0, 1), 3)
        vote(tables, (2, 3), 1)
        share(tables)
        assert all(table.seats == (0, 1, 2, 3) and not table.may_write for table in tables)
        vote(tables, (0, 1, 2, 3), *())
        share(tables)
        see(tables)
        play_on(tables)
        assert_one_history(tables)
        assert len(tables[0].game.numbers) == 8

    def test_a_refusal_that_comes_late_changes_nothing(self) -> None:
        tables = seated((0, 1, 2, 3), (1, 2, 3))
        late, _ = tables[3].vote(())
        vote(tables, (0, 1, 2), 3)
        share(tables[:3])
        see(tables[:3])
        for table in tables[:3]:
            table.receive(late)
        assert all(table.seats == (0, 1, 2) for table in tables[:3])
        play_on(tables[:3])
        assert_one_history(tables[:3])

    def test_of_two_sets_that_are_proposed_at_once_one_counts_for_all(self) -> None:
        tables = five()
        vote(tables, (1, 2, 3, 4), 0)
        share(tables[2:])
        vote(tables, (2, 3, 4), 0, 1)
        share(tables[2:])
        share(tables)
        assert all(table.seats == (2, 3, 4) for table in tables)
        see(tables[2:])
        play_on(tables[2:])
        assert_one_history(tables[2:])

    def test_who_comes_back_in_the_middle_of_a_ballot_is_gone_on_with(self) -> None:
        tables = seated((0, 1, 2, 3), (3,), (0, 1, 2, 3))
        vote(tables, (0, 1), 3)
        share(tables)
        tables[3].vote(())
        share(tables)
        vote(tables, (0, 1, 2), *())
        share(tables)
        see(tables)
        play_on(tables)
        assert_one_history(tables)
        assert tables[0].seats == (0, 1, 2, 3)
        assert tables[0].game.stages == ()


class TestFalseVotes:
    @pytest.mark.parametrize(
        ("ballot", "reason"),
        [
            (Vote((), (1,), 0), "only who stays"),
            (Vote((), (2, 3), 0), "more than half"),
            (Vote((), (3,), 1), "one above all others"),
            (Vote(((0, (3,)),), (2,), 1), "builds on"),
        ],
    )
    def test_a_vote_that_its_author_may_not_cast_is_a_fault(self, ballot: Vote, reason: str) -> None:
        tables = seated((0,))
        signed = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, vote_payload(ballot))
        for events in tell(tables, signed):
            fault = the_fault(events)
            assert (fault.seat, fault.code) == (1, FaultCode.FALSE_VOTE)
            assert reason in fault.reason

    def test_a_second_vote_must_have_a_higher_try(self) -> None:
        tables = seated((0,))
        tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, vote_payload(Vote((), (3,), 0))))
        again = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, vote_payload(Vote((), (0,), 0)))
        assert {the_fault(events).code for events in tell(tables, again)} == {FaultCode.FALSE_VOTE}

    def test_seats_in_another_order_are_no_vote(self) -> None:
        tables = seated((0,))
        signed = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, ("vote", (), (3, 2), 0))
        assert {the_fault(events).code for events in tell(tables, signed)} == {FaultCode.MALFORMED}

    def test_a_step_by_who_is_bound_by_a_vote_is_out_of_turn(self) -> None:
        tables = seated((1,))
        tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, vote_payload(Vote((), (3,), 0))))
        step = sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, 5, step=0)
        assert {the_fault(events).code for events in tell(tables, step)} == {FaultCode.OUT_OF_TURN}

    def test_more_votes_than_a_chain_may_have_are_a_fault(self) -> None:
        tables = seated((0,))
        for attempt in range(budget.VOTES_BETWEEN_CERTIFICATES):
            ballot = vote_payload(Vote((), (3,) if attempt % 2 else (), attempt))
            told = tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, ballot))
            assert all(isinstance(event, Spoken) for events in told for event in events)
        more = vote_payload(Vote((), (), budget.VOTES_BETWEEN_CERTIFICATES))
        events = tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, more))
        assert {the_fault(one).code for one in events} == {FaultCode.OVER_BUDGET}


class TestLiars:
    def test_a_cheat_whose_step_was_refused_is_put_out_and_the_stage_goes_on(self) -> None:
        tables = seated((0, 1, 2, 3), (0, 1, 2, 3))
        for seat in (0, 2, 3):
            write(tables, seat, seat)
        tell(tables, sign(CHARTER, PLAYERS[1], tables[1].transcript.heads, UNLUCKY, step=0))
        honest = [tables[0], *tables[2:]]
        assert all(table.is_stuck for table in honest)
        vote(tables, (0, 2, 3), 1)
        share(honest)
        see(honest)
        play_on(honest)
        assert all(table.game.numbers == [(0, 0), (2, 2), (3, 3), (0, 7), (2, 7), (3, 7)] for table in honest)
        assert all(list(table.faults) == [1] for table in honest)

    def test_an_equivocator_with_half_of_the_table_on_each_branch_is_put_out_and_one_branch_counts(self) -> None:
        tables = five((0,), (1, 2, 3, 4), (1, 2, 3, 4))
        charter = tables[0].charter
        one, other = (sign(charter, FIVE[0], tables[0].transcript.heads, number, step=0) for number in (5, 6))
        for seat, version in ((1, one), (2, one), (3, other), (4, other)):
            tables[seat].receive(version.to_bytes())
        for seat in (1, 3):
            tables[seat].write(seat)  # Each on another branch.
        honest = tables[1:]
        share([*honest])
        for table in honest:
            table.receive(one.to_bytes())
            table.receive(other.to_bytes())
        share(honest)
        assert all(list(table.faults) == [0] for table in honest)
        assert not any(table.may_write for table in honest)
        vote(tables, (1, 2, 3, 4), 0)
        share(honest)
        assert all(table.seats == (1, 2, 3, 4) for table in honest)
        see(honest)
        play_on(honest)
        assert len({table.game for table in honest}) == 1
        assert tables[1].game.numbers[0] == (0, 5)  # Two votes name each branch: the lowest seat's counts.
        assert tables[1].game.stages == ()
        assert all(list(table.faults) == [0] for table in honest)

    def test_a_vote_of_an_equivocator_counts_on_whichever_branch_it_is(self) -> None:
        tables = five((4,), (0, 1, 2, 3))
        charter = tables[0].charter
        ballot = vote_payload(Vote((), (4,), 0))
        one = sign(charter, FIVE[0], tables[0].transcript.heads, ballot)
        other = sign(charter, FIVE[0], tables[0].transcript.heads, vote_payload(Vote((), (), 0)))
        vote(tables, (1, 2, 3), 4)
        for table in tables[1:3]:
            table.receive(one.to_bytes())
        tables[3].receive(other.to_bytes())
        share(tables[1:4])
        for table in tables[1:4]:
            table.receive(one.to_bytes())
            table.receive(other.to_bytes())
        share(tables[1:4])
        see(tables[1:4])  # Who named it first gives the others a reason to keep it.
        share(tables[1:4])
        assert all(0 in table.faults and table.seats == (0, 1, 2, 3) for table in tables[1:4])
        vote(tables, (1, 2, 3), 0)
        share(tables[1:4])
        see(tables[1:4])
        play_on(tables[1:4])
        assert all(table.seats == (1, 2, 3) for table in tables[1:4])
        assert len({table.game for table in tables[1:4]}) == 1

    def test_a_vote_on_a_longer_branch_than_the_one_that_is_followed_here_breaks_nothing(self) -> None:
        tables = five((1,), (2,))
        charter, heads = tables[0].charter, tables[0].transcript.heads
        tables[1].receive(sign(charter, FIVE[0], heads, "the short one").to_bytes())
        for payload in ("the long one", "and on", vote_payload(Vote((), (), 0))):
            said = sign(charter, FIVE[0], heads, payload)
            heads = (Head(heads[0].length + 1, said.hash), *heads[1:])
            tables[2].receive(said.to_bytes())
        tables[1].write(5)
        tables[2].write("I have heard that.", free=True)
        for signed in (*tables[2].transcript.chains[2], *tables[2].transcript.chains[0][::-1]):
            tables[1].receive(signed.to_bytes())
        assert len(tables[1].transcript.history.past.ends[0]) == 2
        assert not tables[1].has_seen(0, tables[1].transcript.chains[1][0])
        share(tables[1:])
        vote(tables, (1, 2, 3, 4), 0)
        share(tables[1:])
        assert all(table.seats == (1, 2, 3, 4) for table in tables[1:])

    def test_who_names_more_of_a_seat_that_is_out_than_the_votes_do_is_refused(self) -> None:
        tables = seated((0,), (0,), (1, 2, 3))
        write(tables, 0, 5)
        late, _ = tables[0].write(6)
        vote(tables, (1, 2, 3), 0)
        share(tables[1:])
        for table in tables[1:]:
            table.receive(late)
        heads = tables[1].transcript.heads
        beyond = Head(2, SignedEntry.from_bytes(CHARTER, late).hash)
        false = sign(CHARTER, PLAYERS[1], (beyond, *heads[1:]), "it is still there")
        for events in tell(tables[1:], false):
            assert (the_fault(events).seat, the_fault(events).code) == (1, FaultCode.OPEN_HEADS)


class TestOnlookers:
    def test_who_knew_more_of_who_left_than_the_voters_takes_it_back(self) -> None:
        tables = seated((0,), (0,), (1, 2, 3), onlookers=1)
        write(tables, 0, 5)
        more, _ = tables[0].write(6)
        onlooker = tables[4]
        onlooker.receive(more)
        assert onlooker.game.numbers == [(0, 5), (0, 6)]
        vote(tables, (1, 2, 3), 0)
        votes = [table.transcript.chains[seat][-1] for seat, table in enumerate(tables[1:4], 1)]
        events = [event for signed in votes for event in onlooker.receive(signed.to_bytes())]
        assert [type(event) for event in events if not isinstance(event, Spoken)] == [Undone, Certified]
        assert onlooker.game.numbers == [(0, 5)]
        share(tables[1:])
        see(tables[1:4])
        play_on(tables[1:4])
        share(tables[1:])
        assert onlooker.game == tables[1].game
        assert not any(isinstance(event, Folded) for event in events)

    @pytest.mark.parametrize("seed", range(5))
    def test_who_was_shown_a_forged_beginning_first_sees_the_game_that_all_others_see(self, seed: int) -> None:
        """In whatever order the true entries come, and as often as it takes."""
        tables = seated((0,), (1,), (0,), (2,), (0,), (3,), (1, 2, 3), onlookers=1)
        onlooker, players = tables[4], tables[:4]
        forged = sign(CHARTER, PLAYERS[0], tables[0].transcript.heads, "hello")
        onlooker.receive(forged.to_bytes())
        for number, seat in enumerate((0, 1, 0, 2, 0, 3)):
            write(players, seat, number)
        vote(tables, (1, 2, 3), 0)
        share(players)
        see(tables[1:4])
        play_on(tables[1:4])
        entries = [signed.to_bytes() for signed in tables[1].transcript.in_order()]
        Random(seed).shuffle(entries)
        for _ in range(len(entries)):
            for data in entries:
                onlooker.receive(data)
        assert onlooker.game == tables[1].game
        assert onlooker.game.stages == ()
        assert list(onlooker.faults) == [0]
        here = [signed.hash for signed in onlooker.transcript.delivered]
        assert len(here) == len(set(here)) == len(entries) + 1
        assert not any(onlooker.transcript._pending.ahead)

    @pytest.mark.parametrize("seed", range(5))
    def test_who_was_shown_a_forged_beginning_first_sees_the_game_also_if_nobody_votes(self, seed: int) -> None:
        tables = seated((0,), (1,), (0,), (2,), (0,), (3,), onlookers=1)
        onlooker, players = tables[4], tables[:4]
        for number in range(3):
            heads = (onlooker.transcript.head(0), *(Head(0, CHARTER.game) for _ in range(3)))
            onlooker.receive(sign(CHARTER, PLAYERS[0], heads, f"hello {number}").to_bytes())
        for number, seat in enumerate((0, 1, 0, 2, 0, 3)):
            write(players, seat, number)
        entries = [signed.to_bytes() for signed in tables[1].transcript.in_order()]
        Random(seed).shuffle(entries)
        for _ in range(len(entries)):
            for data in entries:
                onlooker.receive(data)
        assert onlooker.game == tables[1].game
        assert onlooker.transcript.heads == tables[1].transcript.heads
        assert list(onlooker.faults) == [0]


def test_a_vote_of_who_is_out_beyond_what_counts_does_not_raise_the_tries_of_the_others() -> None:
    tables = five()
    vote(tables, (1, 2, 3, 4), 0)
    share(tables[1:])
    see(tables[1:])
    tables[0].receive(tables[1].transcript.chains[1][0].to_bytes())
    refusal, _ = tables[0].vote(())
    for table in tables[1:]:
        table.receive(refusal)
        assert table.seats == (1, 2, 3, 4)
    vote(tables, (2, 3, 4), 1)
    share(tables[2:])
    assert all(table.seats == (2, 3, 4) for table in tables[2:])
