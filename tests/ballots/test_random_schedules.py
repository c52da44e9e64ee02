"""Random schedules with a bad network, restarts and liars: nothing that the rules promise is ever broken."""

from collections.abc import Callable
from random import Random

import pytest

from tests.ballots.checks import check, finish
from tests.ballots.ledger import Seats
from tests.ballots.plain import plain_table
from tests.ballots.schedules import Play, random_schedule
from tests.cases import some

TABLES = [
    (4, 0, False),
    (5, 0, False),
    (4, 1, False),
    (4, 1, True),
    (5, 1, False),
    (5, 1, True),
    (5, 2, False),
    (5, 2, True),
]
MANY = 2000


@pytest.mark.parametrize("seed", some(range(MANY), few=25))
@pytest.mark.parametrize(("seats", "lying", "may_fork"), TABLES)
def test_no_honest_nodes_disagree_nothing_is_undone_and_the_game_goes_on(
    seats: int, lying: int, may_fork: bool, seed: int
) -> None:
    go_through(plain_table, seats, lying, may_fork, seed)


def go_through(table: Callable[[int, Seats], Play], seats: int, lying: int, may_fork: bool, seed: int) -> None:
    """Lets a table go through a random schedule, and then go on, as far as those who are alive want to."""
    rng = Random(seed)
    liars = frozenset(rng.sample(range(seats), lying))
    play = table(seats, liars)
    for action in random_schedule(seats, liars, may_fork=may_fork, seed=seed):
        play.do(action)
        check(play)
    alive = play.honest
    if 2 * (len(alive) - 1) > seats and rng.random() < 0.4:
        alive -= {rng.choice(sorted(alive))}
    if rng.random() < 0.3:
        play.restart(min(alive))
    went_on = finish(play, alive)
    assert went_on is not False, "P4: they are stuck"
    check(play)
    onlooker = len(play.nodes) - 1
    play.sync([*sorted(play.honest), onlooker])
    check(play)
    if went_on:
        assert {play.nodes[seat].log for seat in alive if not play.nodes[seat].is_out} == {play.nodes[onlooker].log}
