"""How long a bot that is sheriff leaves a person's bag open, as everybody counts it."""

from dataclasses import replace

import pytest

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Seat, Transition
from p2p_sheriff.rules.moves import Offer, Pass, Refuse, Things
from p2p_sheriff.seat import haggling, story
from p2p_sheriff.seat.picture import Picture, Timer
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.happenings import Happened, Introduced, Negotiated, Rested, Said
from tests.rules.notation import ANN, BEN, CAT, DAN, acts
from tests.rules.situations import at_inspection

NAMES = ("Ann", "Ben", "Cat", "Dan")
BRIBE = Negotiated(Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=3)))
DEMAND = Negotiated(Offer.bribe(ANN, 0, BEN, (ANN,), acts("pass 1"), Things(gold=8)))


def after(picture: Picture, now: float, *events: NodeEvent) -> Picture:
    for event in events:
        picture = haggling.after_event(picture, story.after_event(picture, event, (), now), event, now)
    return picture


def inspecting(*bots: Seat) -> Picture:
    """Everybody has declared; these are bots, with 30 seconds of patience; it is ten o'clock."""
    picture = Picture(NAMES, Words(), told=at_inspection({}).state)
    return after(picture, 10.0, *(Introduced(seat, "honest", 30) for seat in bots))


def test_the_bags_of_people_are_left_open_and_those_of_bots_are_not() -> None:
    assert inspecting(ANN, DAN).open_until == {BEN: 40.0, CAT: 40.0}
    assert inspecting(ANN, DAN).bots == {ANN: "honest", DAN: "honest"}


def test_a_person_who_is_sheriff_needs_no_countdown() -> None:
    assert inspecting(BEN, CAT).open_until == {}


@pytest.mark.parametrize("offer", [BRIBE, DEMAND], ids=["a bribe", "the sheriff's own demand"])
def test_an_offer_about_a_bag_starts_its_time_again_and_no_other(offer: Negotiated) -> None:
    assert after(inspecting(ANN), 20.0, offer).open_until == {BEN: 50.0, CAT: 40.0, DAN: 40.0}


def test_no_bag_is_left_open_longer_than_three_times_whatever_is_offered() -> None:
    picture = inspecting(ANN)
    for second in range(12, 140, 2):
        picture = after(picture, float(second), BRIBE)
    assert picture.open_until[BEN] == 100.0


def test_only_offers_count_and_no_chatter() -> None:
    assert after(inspecting(ANN), 20.0, Said(CAT, "Wait!")).open_until == inspecting(ANN).open_until


def test_nobody_waits_for_who_has_nothing_more_to_say_until_they_say_more() -> None:
    picture = after(inspecting(ANN), 20.0, Rested(BEN, 1))
    assert BEN not in picture.open_until
    assert picture.silent == {BEN}
    assert picture.log[-1].text == "Ben: nothing more about my bag."
    again = after(picture, 25.0, BRIBE)
    assert again.silent == frozenset()
    assert again.open_until[BEN] == 55.0


def test_who_refuses_the_sheriffs_demand_has_said_something_final_until_the_next_demand() -> None:
    picture = after(inspecting(ANN), 20.0, DEMAND, refusal(BEN, ANN))
    assert BEN not in picture.open_until
    less = Negotiated(Offer.bribe(ANN, 1, BEN, (ANN,), acts("pass 1"), Things(gold=5)))
    assert after(picture, 30.0, less).open_until[BEN] == 60.0


def test_a_refusal_by_somebody_else_ends_no_waiting() -> None:
    assert after(inspecting(ANN), 20.0, DEMAND, refusal(CAT, ANN)).open_until[BEN] == 50.0


def test_what_was_said_about_another_round_counts_for_nothing() -> None:
    assert after(inspecting(ANN), 20.0, Rested(BEN, 2)).silent == frozenset()


def test_a_bag_that_was_dealt_with_is_not_waited_for() -> None:
    picture = inspecting(ANN)
    assert picture.told is not None
    change = Transition.of(picture.told, Pass(ANN, BEN))
    assert after(picture, 20.0, Happened(ANN, (change,))).open_until == {CAT: 40.0, DAN: 40.0}


def test_with_a_timer_the_bot_finishes_in_time() -> None:
    picture = replace(inspecting(), timer=Timer(1, 30.0))
    assert after(picture, 10.0, Introduced(ANN, "honest", 30)).open_until[BEN] == 25.0


def refusal(seat: Seat, author: Seat) -> Negotiated:
    return Negotiated(Refuse(seat, author, 0))
