"""Whole games with random choices, for players x edition x options: what must always be true, after every input."""

from random import Random

import pytest

from p2p_sheriff.rules import OPTIONS, Edition, Ending, Good, Setup, Side, apply, new_game, outcome
from p2p_sheriff.rules.facts import Left
from tests.rules.notation import INPUTS
from tests.rules.plain import dump
from tests.rules.table import RandomTable

EXTRA = (
    Good("figs", Side.LEGAL, 8, 3, 2),
    Good("sweet apples", Side.LEGAL, 6, 2, 2, ("apples", 2)),
    Good("opium", Side.CONTRABAND, 6, 10, 5),
)

TABLES = {
    "plain": (frozenset[str](), ()),
    "royal, timer": (frozenset({"royal", "timer"}), ()),
    "missing, seven": (frozenset({"missing", "seven"}), ()),
    "black market": (frozenset({"royal", "black-market"}), ()),
    "everything": (frozenset(OPTIONS), EXTRA),
}

every_table = pytest.mark.parametrize(
    "setup",
    [
        pytest.param(Setup(players, edition, options, extra), id=f"{players} players, {edition.value}, {name}")
        for players in (3, 4, 5, 6)
        for edition in Edition
        for name, (options, extra) in TABLES.items()
    ],
)


@every_table
def test_a_random_game_keeps_all_cards_and_gold_and_ends(setup: Setup) -> None:
    table = RandomTable(setup, Random(repr(setup.to_value())))
    state = table.play()
    result = outcome(state)
    assert result.ending is Ending.FINISHED
    assert result.winners
    assert all(state[seat].served == setup.terms for seat in setup.seats)
    assert state.round == {3: 9, 4: 8, 5: 10, 6: 9}[setup.players]


@every_table
def test_a_random_game_that_people_leave_keeps_all_cards_and_gold_and_ends(setup: Setup) -> None:
    table = RandomTable(setup, Random(repr(setup.to_value())), leaving=0.006)
    state = table.play()
    result = outcome(state)
    gone = {seat for item in table.inputs if isinstance(item, Left) for seat in item.seats}
    remaining = set(setup.seats) - gone
    assert {score.seat for score in result.scores} == remaining
    if len(remaining) >= 3:
        assert result.ending is Ending.FINISHED
    if result.ending is Ending.ABANDONED:
        assert not result.winners
    else:
        assert set(result.winners) <= remaining


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("edition", Edition)
def test_the_inputs_of_a_game_fold_to_the_same_state_after_a_trip_over_the_wire(players: int, edition: Edition) -> None:
    setup = Setup(players, edition, frozenset(OPTIONS))
    table = RandomTable(setup, Random(players), leaving=0.002)
    last = table.play()
    state = new_game(Setup.from_value(setup.to_value()))
    for item in table.inputs:
        state = apply(state, INPUTS.read(INPUTS.write(item)))
    assert state == last
    assert hash(state) == hash(last)
    assert dump(state) == dump(last)
