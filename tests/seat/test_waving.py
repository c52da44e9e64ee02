"""All the rest may pass: bag by bag, until something else is said about them."""

from p2p_sheriff.rules import Choice, Knowledge, View
from p2p_sheriff.rules.moves import Pass
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.seat.waving import Waving
from p2p_sheriff.seat.words import Words
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection


def seen(game: Scenario, choice: Choice | None = Choice.ACT) -> Picture:
    return Picture(("Ann", "Ben", "Cat", "Dan"), Words(), View(game.state, Knowledge(ANN, {})), choice=choice)


def begun(game: Scenario) -> Waving:
    return Waving.begin(View(game.state, Knowledge(ANN, {})))


def test_one_bag_passes_after_the_other_until_none_is_left() -> None:
    game, passed = at_inspection({}), []
    waving: Waving | None = begun(game)
    while waving is not None:
        waving, move = waving.next(seen(game))
        if isinstance(move, Pass):
            passed.append(move)
            game.passes(move.bag)
    assert passed == [Pass(ANN, BEN), Pass(ANN, CAT), Pass(ANN, DAN)]


def test_nothing_is_done_while_the_bag_before_is_being_opened() -> None:
    game = at_inspection({})
    waving = begun(game)
    assert waving.next(seen(game, choice=None)) == (waving, None)


def test_a_new_offer_stops_it_and_one_that_stood_before_is_taken() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=5)
    waving, move = begun(game).next(seen(game))
    assert move == Pass(ANN, BEN)
    game.passes(BEN)
    game.offer(CAT, "inspect 3", gold=9)
    assert waving is not None
    assert waving.next(seen(game)) == (None, None)


def test_a_bag_that_was_dealt_with_by_a_deal_stops_it() -> None:
    game = at_inspection({})
    waving = begun(game)
    game.passes(CAT)
    assert waving.next(seen(game)) == (None, None)
