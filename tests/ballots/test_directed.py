"""Each protection, left out, is missed in a schedule made for it; with all of them the same schedule breaks nothing."""

from collections.abc import Callable

import pytest

from tests.ballots.checks import check, finish
from tests.ballots.counting import Protections
from tests.ballots.ledger import Entry, Seats, See, Slot, Vote
from tests.ballots.plain import plain_table
from tests.ballots.real import real_table
from tests.ballots.schedules import BrokenError, Play

NOBODY: Seats = frozenset()


def written(entry: Entry | None) -> Entry:
    assert entry is not None
    return entry


def two_halves_go_on(play: Play) -> None:
    """Seats 0, 1 and 2 put out 3 and 4; seat 2, who does not know that it is decided, puts out 0 and 1 with them."""
    play.go_on(range(5), rounds=12, until=3)
    votes = [play.vote(2, 3, 4), play.vote(1, 3, 4)]
    play.give([0], *votes)
    play.give([1], votes[0], play.vote(0, 3, 4))
    play.go_on([0, 1], rounds=3)
    for seat in (2, 3, 4):
        play.sync([2, seat])
        written(play.vote(seat, 0, 1))
    play.go_on([2, 3, 4], rounds=8)


def a_liar_goes_on_before_all_have_seen_the_votes(play: Play) -> None:
    """Seats 0, 1 and 2 put out 3 and 4, but 0 does not know it yet; the liar 1 takes the next step all the same."""
    votes = [play.vote(seat, 3, 4) for seat in (0, 2)]
    none = (None,) * 4
    votes.append(play.lie(1, (votes[0], *none), written(votes[0]).words))
    play.give([2], *votes)
    heads = (votes[0], votes[2], votes[1], None, None)
    play.give([2], play.lie(1, heads, Slot(1, 0)))
    play.slot(2)
    for seat in (0, 3, 4):
        play.sync([0, seat])
        written(play.vote(seat, 1, 2))
    play.go_on([0, 3, 4], rounds=8)


def a_bag_opens_on_what_was_named_while_bound(play: Play) -> None:
    """Seats 2 and 3 have voted before they see the choice of 0; the liar votes on another branch than 1 gets."""
    choice = written(play.slot(0))
    votes = [written(play.vote(seat, 0, 1)) for seat in (2, 3)]
    play.give([2, 3], choice)
    none = (None,) * 4
    play.give([1], play.see(2), play.see(3), play.lie(4, (choice, *none), See()))
    play.slot(1)
    play.give([2, 3], play.lie(4, (None, *none), votes[0].words), *votes)
    check(play)


def a_seat_that_has_voted_takes_its_turn(play: Play) -> None:
    """Seats 0 and 1 put out 2; before it knows that, seat 0 takes its turn on the state before."""
    votes = [play.vote(seat, 2) for seat in (0, 1)]
    play.slot(0)
    check(play)
    play.give([0], *votes)
    play.go_on([0, 1], rounds=4)


def votes_on_two_branches_of_a_seat_that_stays(play: Play) -> None:
    """The liar 1 shows 2 another turn than the others; 2 goes on behind it, and all three put out 3."""
    first = written(play.slot(0))
    ours, theirs = (play.lie(1, (first, None, None, None), Slot(1, choice)) for choice in (0, 1))
    play.give([0], ours)
    play.give([2], theirs)
    written(play.slot(2))
    check(play)
    vote = Vote((), frozenset({3}), 0)
    play.give([0, 2], play.vote(0, 3), play.vote(2, 3), play.lie(1, (first, ours, None, None), vote))
    play.go_on([0, 2], rounds=2)


SCHEDULES: list[tuple[Callable[[Play], None], int, Seats, Protections, str]] = [
    (two_halves_go_on, 5, NOBODY, Protections(confirmation=False), "P1: honest seats went on after"),
    (
        a_liar_goes_on_before_all_have_seen_the_votes,
        5,
        frozenset({1}),
        Protections(confirmation=False),
        "P1: honest seats went on after",
    ),
    (a_bag_opens_on_what_was_named_while_bound, 5, frozenset({4}), Protections(naming_free=False), "P3: seat 1 has"),
    (a_seat_that_has_voted_takes_its_turn, 3, NOBODY, Protections(binding=False), "P2: node 0 has undone"),
    (votes_on_two_branches_of_a_seat_that_stays, 4, frozenset({1}), Protections(consistency=False), "P2: node 2 has"),
]


@pytest.mark.parametrize(("schedule", "seats", "liars", "without", "broken"), SCHEDULES)
def test_a_protection_left_out_is_missed_in_the_schedule_made_for_it(
    schedule: Callable[[Play], None], seats: int, liars: Seats, without: Protections, broken: str
) -> None:
    play = plain_table(seats, liars, without)
    with pytest.raises(BrokenError, match=broken):
        _run(schedule, play)


@pytest.mark.parametrize("table", [plain_table, real_table], ids=["the model", "the code"])
@pytest.mark.parametrize(("schedule", "seats", "liars"), [row[:3] for row in SCHEDULES])
def test_with_all_protections_the_same_schedule_breaks_nothing_and_the_game_goes_on(
    schedule: Callable[[Play], None], seats: int, liars: Seats, table: Callable[[int, Seats], Play]
) -> None:
    play = table(seats, liars)
    _run(schedule, play)
    assert finish(play, play.honest) is not False
    check(play)


def _run(schedule: Callable[[Play], None], play: Play) -> None:
    schedule(play)
    check(play)


def test_a_seat_that_voted_higher_before_it_was_put_out_learns_that_it_is_out() -> None:
    play = plain_table(4)
    play.vote(3, 0)
    written(play.vote(3))
    for seat in (0, 1, 2):
        written(play.vote(seat, 3))
    play.sync([0, 1, 2, 3])
    assert not play.nodes[3].is_out
    play.go_on([0, 1, 2], rounds=3)
    play.sync([0, 1, 2, 3])
    assert play.nodes[3].is_out


def test_a_vote_on_a_branch_that_nobody_has_named_is_named_by_what_builds_on_it() -> None:
    play = plain_table(4, frozenset({3}))
    vote = written(play.vote(0))
    seen, hidden = (play.lie(3, (vote, None, None, None), words) for words in (See(), vote.words))
    play.give([0], seen)
    play.give([0], hidden, play.vote(1), play.vote(2))
    next_vote = written(play.vote(0, 3))
    assert next_vote.past >> hidden.number & 1
    assert finish(play, play.honest)
    check(play)


def test_an_equivocator_in_both_majorities_can_make_two_games_and_its_two_entries_are_the_evidence() -> None:
    play = plain_table(5, frozenset({2}))
    none: tuple[Entry | None, ...] = (None,) * 5
    for out, voters in (((3, 4), (0, 1)), ((0, 1), (3, 4))):
        votes = [play.vote(seat, *out) for seat in voters]
        lie = play.lie(2, none, Vote((), frozenset(out), 0))
        play.give(voters, *votes, lie)
        sees = [play.see(seat) for seat in voters]
        play.give(voters, *sees, play.lie(2, _heads(lie, *votes), See()))
        play.go_on(voters, rounds=2)
    check(play)
    assert len(play.acted) == 2
    assert play.ledger.forks(play.present, play.ledger.seats) == {2}


def _heads(*named: Entry | None) -> tuple[Entry | None, ...]:
    heads: list[Entry | None] = [None] * 5
    for entry in named:
        heads[written(entry).author] = entry
    return tuple(heads)
