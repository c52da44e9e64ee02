"""Keys of the sheriff, and of everybody who makes or answers an offer."""

from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.composing import Composer
from p2p_sheriff.fronts.tui.desk import Desk
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.screen import draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Phase, Seat
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Condition,
    Gift,
    Inspect,
    Offer,
    Pass,
    Things,
    Verb,
    Withdraw,
)
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.tui.gallery import FOUR, model_of
from tests.fronts.tui.pressing import intents_of, played
from tests.fronts.tui.scenes import Scene, pressed

# -- the sheriff


def test_the_sheriff_is_asked_before_a_bag_is_opened() -> None:
    model = model_of("desk")
    dialogue = model.dialogue
    assert isinstance(dialogue, Desk)
    assert dialogue.marked is not None
    assert intents_of(model, "i") == ()
    assert played(intents_of(model, "i", "enter")) == Inspect(Seat(0), dialogue.marked)
    assert pressed(model, "i", "escape").overlay is None


def test_the_sheriff_lets_a_bag_pass_with_its_bribe_or_for_nothing() -> None:
    model = model_of("desk")
    assert model.view is not None
    briber = next(one.offer.gift.giver for one in model.view.state.offers if one.offer.seat != model.seat)
    at = pressed(model, f"seat:{briber}")
    assert played(intents_of(at, "p", "enter")) == Pass(Seat(0), briber)
    assert played(intents_of(at, "n", "enter")) == Pass(Seat(0), briber, for_nothing=True)
    asked = pressed(at, "p").overlay
    assert asked is not None
    assert "take:" in asked.prompt(at)


def test_a_bribe_that_changes_takes_the_question_away() -> None:
    scene = Scene.of(FOUR, 1).until(
        lambda it: (
            it.model.choice is Choice.ACT
            and any(one.offer.seat == one.offer.gift.giver != it.seat for one in it.dealer.state.offers)
        )
    )
    offer = next(one.offer for one in scene.dealer.state.offers if one.offer.seat == one.offer.gift.giver)
    scene.model = pressed(scene.model, f"seat:{offer.gift.giver}", "p")
    assert scene.model.overlay is not None
    scene.submit(Withdraw(offer.seat, offer.number))
    assert scene.model.overlay is None
    assert scene.model.notice is not None


def test_arrows_go_around_all_closed_bags() -> None:
    model = model_of("desk")
    assert model.view is not None
    bags = model.view.state.closed_bags
    marked = []
    for _ in bags:
        model = pressed(model, "down")
        assert isinstance(model.dialogue, Desk)
        marked.append(model.dialogue.marked)
    assert sorted(seat for seat in marked if seat is not None) == sorted(bags)


def test_a_merchant_can_t_inspect() -> None:
    after = pressed(model_of("haggle"), "i")
    assert after.overlay is None
    assert after.notice is not None
    assert after.notice.refused


# -- haggling


def test_an_offer_for_the_own_bag_takes_two_keys() -> None:
    model = model_of("haggle")
    move = played(intents_of(model, "o", "enter"))
    assert isinstance(move, Offer)
    assert move.acts == (Act(Seat(0), Verb.PASS),)
    assert move.gift.things == Things(gold=5)


def test_gold_is_typed_or_counted() -> None:
    model = model_of("haggle")
    for keys, gold in (("right", 6), ("left", 4), ("pageup", 10), ("1", 1), ("backspace", 0)):
        move = played(intents_of(model, "o", keys, "enter"))
        assert isinstance(move, Offer)
        expected = 51 if keys == "1" and model.view and model.view.me.gold >= 51 else gold
        assert move.gift.things.gold == expected


def test_more_gold_than_there_is_can_t_be_offered() -> None:
    model = model_of("haggle")
    composing = pressed(model, "o", *["pageup"] * 30)
    assert model.view is not None
    assert isinstance(composing.overlay, Composer)
    assert composing.overlay.things.gold == model.view.me.gold
    assert pressed(composing, "right").notice is not None


def test_an_offer_can_ask_for_the_inspection_of_somebody_else() -> None:
    model = model_of("haggle")
    assert model.view is not None
    other = next(seat for seat in model.view.state.closed_bags if seat != model.seat)
    move = played(intents_of(model, f"seat:{other}", "o", "enter"))
    assert isinstance(move, Offer)
    assert move.acts == (Act(other, Verb.INSPECT),)
    assert move.gift.giver == model.seat


def test_an_offer_with_a_promise_of_words_and_goods_of_the_bag() -> None:
    model = pressed(model_of("haggle"), "o")
    assert isinstance(model.overlay, Composer)
    rows = model.overlay.rows(model)
    blind = next(place for place, row in enumerate(rows) if row.part.value == "bag")
    keys = [*["down"] * blind, "right", *["down"] * (len(rows) - 1 - blind), *"next", "space", *"round"]
    move = played(intents_of(model, *keys, "enter"))
    assert isinstance(move, Offer)
    assert move.gift.things.bag_blind == 1
    assert move.promise == "next round"


def test_an_offer_for_nothing_to_do_is_refused() -> None:
    model = pressed(model_of("haggle"), "o", "tab", "right", "right")
    assert intents_of(model, "enter") == ()
    refused = pressed(model, "enter").notice
    assert refused is not None
    assert refused.refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_makes_more_than_a_bribe_is_named_while_a_bribe_is_composed_in_the_smallest_window(language: str) -> None:
    model = model_of("haggle")
    words = Words(Texts.of(language))
    composing = pressed(replace(model, words=words), "o")
    picture = draw(TableScreen(composing), 80, 24, words).to_text()
    beside = [line.split("│")[-1].strip("┃ ") for line in picture.split("\n") if "│" in line]
    assert words("help.keys.richer") in " ".join(beside)


def test_two_merchants_pay_in_one_offer() -> None:
    """The first gift is kept, and the next one is of the next merchant; the sheriff gets both."""
    model = model_of("haggle")
    assert model.view is not None
    state, seat = model.view.state, model.mine.seat
    bag = next(one for one in state.closed_bags if one != seat)
    move = played(intents_of(model, f"seat:{bag}", "o", "m", "3", "enter"))
    assert isinstance(move, Offer)
    after = state.merchants[(state.merchants.index(seat) + 1) % len(state.merchants)]
    (sheriff,) = state.officers
    assert move.gifts == (Gift(seat, sheriff, Things(gold=5)), Gift(after, sheriff, Things(gold=3)))
    assert move.acts == (Act(bag, Verb.INSPECT),)


def test_a_trade_is_a_gift_to_a_merchant_for_no_act() -> None:
    model = model_of("haggle")
    assert model.view is not None
    move = played(intents_of(model, "o", "u", "tab", "right", "right", "enter"))
    assert isinstance(move, Offer)
    assert move.acts == ()
    other = next(seat for seat in model.view.state.merchants if seat != model.seat)
    assert move.gifts == (Gift(model.mine.seat, other, Things(gold=5)),)


def test_a_surety_hangs_on_the_inspection() -> None:
    model = model_of("haggle")
    assert model.view is not None
    other = next(seat for seat in model.view.state.closed_bags if seat != model.seat)
    for keys, condition in ((("i",), Condition.IF_TRUE), (("i", "i"), Condition.IF_LIE), (("i", "i", "i"), None)):
        move = played(intents_of(model, f"seat:{other}", "o", *keys, "enter"))
        assert isinstance(move, Offer)
        assert [gift.condition for gift in move.gifts] == [condition]
    refused = pressed(model, "o", "i", "enter").notice
    assert refused is not None
    assert refused.refused, "A bag that passes is not found true or a lie."


def _acceptable(model: Model) -> str:
    """Returns the key for an offer that the player can accept."""
    return next(str(model.numbers[move.author, move.number]) for move in model.legal() if isinstance(move, Accept))


def test_the_sheriff_accepts_an_offer_after_seeing_what_it_does() -> None:
    model = model_of("desk")
    move = played(intents_of(model, _acceptable(model), "enter"))
    assert isinstance(move, Accept)
    assert move.seat == model.seat


def test_a_counter_offer_begins_as_the_offer_that_it_answers() -> None:
    model = model_of("desk")
    assert model.view is not None
    number = _acceptable(model)
    answered = played(intents_of(model, number, "enter"))
    assert isinstance(answered, Accept)
    move = played(intents_of(model, number, "c", "right", "enter"))
    assert isinstance(move, Offer)
    assert move.seat == model.seat
    assert move.gift.giver == answered.author


@pytest.mark.parametrize("name", ["deal_several", "deal_trade", "deal_surety"])
def test_a_deal_that_is_more_than_a_bribe_is_read_accepted_and_refused_but_offers_no_key_to_counter_it(
    name: str,
) -> None:
    model = model_of(name)
    assert model.overlay is not None
    assert [key for key, _ in model.overlay.keys(model)] == ["Enter", "r", "Esc"]
    assert isinstance(played(intents_of(model, "enter")), Accept)
    assert intents_of(model, "c") == ()
    bribe = model_of("deal")
    assert bribe.overlay is not None
    assert ("c", "key.counter") in bribe.overlay.keys(bribe)


@pytest.mark.parametrize("name", ["six_several", "six_deal"])
def test_what_goes_onto_the_loot_is_told_in_whole_sentences(name: str) -> None:
    told = draw(TableScreen(model_of(name)), 80, 24, Words()).to_text()
    assert "the Loot" in told
    assert "• the Loot" not in told


def test_an_own_offer_is_withdrawn() -> None:
    model = Scene.where(FOUR, lambda it: any(one.offer.seat == it.seat for one in it.dealer.state.offers)).model
    assert model.view is not None
    own = next(one.offer for one in model.view.state.offers if one.offer.seat == model.seat)
    number = model.numbers[own.seat, own.number]
    assert played(intents_of(model, str(number), "w")) == Withdraw(Seat(0), own.number)


def test_a_composer_closes_when_there_is_nothing_to_offer_any_more() -> None:
    scene = Scene.of(FOUR, 1).until(lambda it: it.dealer.state.phase is Phase.INSPECT)
    scene.model = pressed(scene.model, "o")
    assert isinstance(scene.model.overlay, Composer)
    scene.until(lambda it: it.dealer.state.phase is not Phase.INSPECT)
    assert scene.model.overlay is None


@pytest.mark.parametrize("keys", [("u",), ("u", "2", "m", "3", "m")], ids=["who would get this gift", "an earlier one"])
def test_a_composer_closes_when_somebody_leaves_who_is_named_in_it(keys: tuple[str, ...]) -> None:
    scene = Scene.of(FOUR, 1).until(lambda it: it.dealer.state.phase is Phase.INSPECT)
    scene.model = pressed(scene.model, "o", *keys)
    composer = scene.model.overlay
    assert isinstance(composer, Composer)
    gone, other = (seat for seat in scene.dealer.state.merchants if seat != scene.seat)
    assert composer.giver != gone
    scene.submit(Left((gone,)))
    assert scene.model.overlay is None
    assert scene.model.notice is not None
    scene.model = pressed(scene.model, "o", "u")
    assert isinstance(scene.model.overlay, Composer)
    assert scene.model.overlay.receiver == other
