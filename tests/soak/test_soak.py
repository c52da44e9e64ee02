"""The plans of a soak follow from their seeds, and one of them is played: with mishaps, and a cheat whom all find."""

from pathlib import Path

import pytest

from p2p_sheriff.rules import Edition
from p2p_sheriff.session.terms import OPTIONS, PLAYERS
from tests.node.lan import missing
from tests.soak.evening import play
from tests.soak.plan import GONE, MISHAPS, Moment, Plan
from tests.soak.rogue import DEEDS

SEEDS = range(200)


def test_a_seed_has_one_plan_and_many_have_everything_that_may_happen() -> None:
    plans = [Plan.of(seed) for seed in SEEDS]
    assert plans == [Plan.of(seed) for seed in SEEDS]
    assert {plan.setup.players for plan in plans} == set(PLAYERS)
    assert {plan.setup.edition for plan in plans} == set(Edition)
    assert {option for plan in plans for option in plan.setup.options} == set(OPTIONS)
    assert {one.name for plan in plans for one in plan.mishaps} == {*MISHAPS, GONE}
    assert {plan.deed for plan in plans if plan.rogue is not None} == set(DEEDS)


def test_no_mishap_befalls_who_cheats() -> None:
    assert all(one.host != plan.rogue for plan in map(Plan.of, SEEDS) for one in plan.mishaps)


def test_moments_are_in_the_order_in_which_bots_tell_of_them() -> None:
    told = [
        "setup of round 1",
        "market of round 1 as sheriff",
        "inspect of round 1",
        "end of round of round 1",
        "load of round 2",
    ]
    assert sorted(map(Moment.told, reversed(told))) == list(map(Moment.told, told))


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_game_with_a_kill_a_bad_cable_and_a_cheat_ends_the_same_for_all_honest_players(tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    plan = next(plan for plan in map(Plan.of, range(10**6)) if _is_telling(plan))
    evening = play(plan, tmp_path)
    assert evening.entries
    assert evening.happened == len(plan.mishaps)
    assert evening.found == plan.setup.players - 1


def _is_telling(plan: Plan) -> bool:
    names = {one.name for one in plan.mishaps}
    is_found = plan.rogue is not None and plan.deed == "floods"
    # The three who remain without the cheat have twice their turn as sheriff: later rounds may never come.
    is_in_time = all(one.moment.round <= 5 for one in plan.mishaps)
    return plan.setup.players == 4 and names == {"kill", "loss"} and is_found and is_in_time
