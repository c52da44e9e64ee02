"""The time for the bags, by the clock of one node: when it begins, stands still, is over, and what comes of that."""

from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Choice, Knowledge, Phase, Setup, State, View
from p2p_sheriff.rules.facts import TimeUp
from p2p_sheriff.rules.moves import Inspect, Offer, Pass, Things
from p2p_sheriff.seat import hourglass, parting
from p2p_sheriff.seat.parting import Grace
from p2p_sheriff.seat.picture import Picture, Timer
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Acknowledged, Happened, Negotiated, Said, TimeCalled
from tests.node.nodes import until
from tests.node.running import awaited
from tests.rules.notation import ANN, BEN, CAT, DAN, acts
from tests.rules.scenario import Scenario
from tests.rules.situations import at_declare, at_inspection
from tests.seat.test_departures import ended, table
from tests.table.departures import SHORT

NAMES = ("Ann", "Ben", "Cat", "Dan")
BRIBE = Negotiated(Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=3)))
HELLO = Said(CAT, "Hello.")


def timed(players: int = 4) -> Scenario:
    return at_inspection({BEN: ("silk", "apples")}, players, "timer")


def seen(state: State, now: float, *events: NodeEvent, picture: Picture | None = None) -> Picture:
    """Returns what Ben sees when these have happened."""
    names, view = (*NAMES, "Eve", "Fay"), View(state, Knowledge(BEN, {}))
    picture = replace(picture or Picture(names, Words(), signed=False), view=view, told=state)
    for event in events or (HELLO,):
        picture = hourglass.after_event(picture, event, now)
    return picture


# -- the clock


@pytest.mark.parametrize(("players", "seconds"), [(3, 120), (4, 180), (5, 240), (6, 240)])
def test_r12_2_there_is_one_minute_for_each_merchant_and_of_six_players_four_are_merchants(
    players: int, seconds: float
) -> None:
    assert seen(timed(players).state, 10.0).timer == Timer(1, 10.0 + seconds)


def test_r12_2_the_time_begins_with_the_last_declaration() -> None:
    assert seen(at_declare({}, 4, "timer").state, 10.0).timer is None


def test_without_the_option_or_after_the_last_bag_there_is_no_clock() -> None:
    assert seen(at_inspection({}).state, 10.0).timer is None
    game = timed()
    picture = seen(game.state, 10.0)
    game.apply(TimeUp(1, Phase.INSPECT))
    assert seen(game.state, 20.0, picture=picture).timer is None


def test_r12_2_the_time_stands_still_while_a_merchant_has_to_do_something_and_goes_on_from_there() -> None:
    game = timed()
    before = seen(game.state, 10.0)
    game.apply(Inspect(ANN, BEN))
    opening = seen(game.state, 40.0, picture=before)
    assert opening.timer is not None
    assert [opening.timer.left(now) for now in (40.0, 400.0)] == [150.0, 150.0]
    assert hourglass.next_look(opening, 40.0) is None
    assert hourglass.told(opening, 400.0) == "Time left for all bags: 2:30. The clock stands still."
    game.settle()
    after = seen(game.state, 400.0, picture=opening)
    assert after.timer == Timer(1, 550.0)
    assert hourglass.next_look(after, 400.0) == 550.0


def test_r12_2_offers_and_talk_never_stop_or_start_it() -> None:
    state = timed().state
    picture = seen(state, 10.0)
    for now, event in ((50.0, BRIBE), (100.0, HELLO), (150.0, Acknowledged(CAT))):
        picture = seen(state, now, event, picture=picture)
    assert picture.timer == Timer(1, 190.0)


def test_the_clock_depends_on_nothing_that_is_hidden() -> None:
    """Two bags that differ in their cards alone, inspected and passed, are timed alike."""
    for verb in (Inspect, Pass):
        told = []
        for good in ("silk", "apples"):
            game = at_inspection({BEN: (good, "apples")}, 4, "timer")
            picture = seen(game.state, 10.0)
            game.apply(verb(ANN, BEN))
            told.append(seen(game.state, 20.0, picture=picture).timer)
        assert told[0] == told[1]


# -- what a node says


def test_a_node_says_once_that_the_time_is_up_and_not_before() -> None:
    state = timed().state
    picture = seen(state, 10.0)
    assert not hourglass.is_due(picture, 189.9)
    assert hourglass.is_due(picture, 190.0)
    called = seen(state, 190.0, TimeCalled(BEN, 1), picture=picture)
    assert not hourglass.is_due(called, 200.0)
    assert hourglass.next_look(called, 100.0) is None


def test_what_others_say_or_have_said_in_another_round_does_not_keep_a_node_from_it() -> None:
    state = timed().state
    picture = seen(state, 10.0, TimeCalled(CAT, 1), TimeCalled(BEN, 0))
    assert hourglass.is_due(picture, 190.0)


@pytest.mark.parametrize("more", [{"view": None}, {"is_out": True}, {"coming_back": (DAN,)}])
def test_who_looks_on_is_out_or_not_yet_back_says_nothing(more: dict[str, object]) -> None:
    assert not hourglass.is_due(replace(seen(timed().state, 10.0), **more), 1000.0)  # type: ignore[arg-type]


# -- who is waited for meanwhile


def test_r12_2_a_merchant_is_waited_for_once_for_all_demands_of_a_bag() -> None:
    game, grace = timed(), Grace(60.0, 180.0)
    game.apply(Inspect(ANN, BEN))
    view = View(game.state, Knowledge(CAT, {}))
    picture = Picture(NAMES, Words(), view, game.state, waiting_for=(BEN,), signed=False)
    picture = parting.after_event(picture, HELLO, 10.0, grace)
    assert picture.missed[BEN].until == 190.0
    picture = parting.after_event(picture, Happened(BEN, ()), 110.0, grace)
    assert picture.missed[BEN].until == 190.0
    picture = parting.after_event(replace(picture, waiting_for=(ANN,)), Happened(BEN, ()), 130.0, grace)
    assert BEN not in picture.missed
    assert picture.missed[ANN].until == 310.0
    picture = parting.after_event(replace(picture, waiting_for=(BEN,)), Happened(ANN, ()), 300.0, grace)
    assert picture.missed[BEN].until == 360.0


# -- at the table


@pytest.mark.slow
@awaited
async def test_with_no_time_at_all_the_bags_of_a_whole_game_pass_without_a_word_of_any_sheriff(tmp_path: Path) -> None:
    async with table(tmp_path, Setup(4, options=frozenset({"timer"}), short=SHORT), minute=0.0) as (_, crowd):
        for one in crowd:
            one.front.stops_at = Choice.ACT
        await ended(crowd)
        for one in crowd:
            assert one.front.log.count("The time is up.") == 8
            assert sum(line.endswith(": time!") for line in one.front.log) >= 3 * 8


@pytest.mark.slow
@awaited
async def test_the_clock_of_one_node_alone_ends_nothing_and_the_sheriff_goes_on(tmp_path: Path) -> None:
    setup = Setup(3, options=frozenset({"timer"}), short=SHORT)
    async with table(tmp_path, setup, minute=0.0, fast=1) as (_, crowd):
        fast, *others = crowd
        await until(lambda: any(line.endswith(": time!") for line in others[0].front.log))
        await ended(crowd)
        assert "The time is up." not in fast.front.log
