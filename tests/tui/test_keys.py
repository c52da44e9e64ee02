"""Keys as a function: what they choose, what they refuse and why, and what comes of it at the table."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Choice, Handle, Phase, Seat
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Declare,
    HandOver,
    Inspect,
    LayDown,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    Payment,
    SetAside,
    TakeDiscards,
    Trade,
    Verb,
    Withdraw,
)
from p2p_sheriff.tui.composing import Composer
from p2p_sheriff.tui.desk import Desk
from p2p_sheriff.tui.model import AskHelp, LoadBag, Model, Play, Say, in_order
from p2p_sheriff.tui.picking import Picking
from p2p_sheriff.tui.questions import seen
from p2p_sheriff.tui.screen import Intent, Leave, draw
from p2p_sheriff.tui.table import Table
from tests.tui.gallery import FOUR, GALLERY, MARKET, NOW, model_of, pressed
from tests.tui.scenes import Scene


def intents_of(model: Model, *keys: str) -> Sequence[Intent]:
    """Returns what the last of these keys asks for."""
    before = pressed(model, *keys[:-1])
    _, intents = Table(before).press(keys[-1])
    return intents


def hand_of(model: Model) -> list[Handle]:
    assert model.view is not None
    return [card.handle for card in in_order(model.view.state, model.view.hand)]


def played(intents: Sequence[Intent]) -> object:
    (intent,) = intents
    assert isinstance(intent, Play)
    return intent.move


# -- choosing cards


def test_digits_choose_cards_and_enter_sets_them_aside() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.SET_ASIDE).model
    hand = hand_of(model)
    assert played(intents_of(model, "2", "5", "enter")) == SetAside(Seat(0), (hand[1], hand[4]))


def test_arrows_and_space_choose_like_digits() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.SET_ASIDE).model
    assert intents_of(model, "right", "space", "end", "space", "enter") == intents_of(model, "2", "6", "enter")


def test_a_click_on_a_card_chooses_it() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    assert intents_of(model, "card:3", "enter") == intents_of(model, "4", "enter")


def test_the_same_digit_takes_a_card_back() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.SET_ASIDE).model
    assert played(intents_of(model, "2", "2", "enter")) == SetAside(Seat(0), ())


def test_backspace_undoes_the_last_choice_and_escape_all_of_them() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    assert intents_of(model, "1", "2", "backspace", "enter") == intents_of(model, "1", "enter")
    assert intents_of(model, "1", "2", "escape", "3", "enter") == intents_of(model, "3", "enter")


def test_a_sixth_card_is_refused_with_the_reason() -> None:
    model = pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, *"123456")
    assert isinstance(model.dialogue, Picking)
    assert len(model.dialogue.chosen) == 5
    assert model.notice is not None
    assert model.notice.text == "Not more than 5 cards."


def test_an_empty_bag_can_t_be_closed() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    assert intents_of(model, "enter") == ()
    after = pressed(model, "enter")
    assert after.notice is not None
    assert after.notice.refused


def test_a_loaded_bag_goes_out_once() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    assert intents_of(model, "1", "enter") == (LoadBag((hand_of(model)[0],)),)
    assert intents_of(model, "1", "enter", "enter") == ()


def test_after_a_refusal_the_player_can_choose_again() -> None:
    model = pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "1", "enter").refused("No.")
    assert len(intents_of(model, "enter")) == 1


def test_what_is_chosen_stays_while_others_act() -> None:
    scene = Scene.of(FOUR, 1).asked(Choice.LOAD)
    scene.model = pressed(scene.model, "1", "2")
    other = next(one.seat for one in scene.dealer.choices() if one.seat != scene.seat)
    scene.load(other, scene.bots[other].load(scene.dealer.view(other)))
    assert isinstance(scene.model.dialogue, Picking)
    assert len(scene.model.dialogue.chosen) == 2


def test_in_the_first_edition_the_order_of_choosing_is_the_order_on_the_pile() -> None:
    model = model_of("first_lay_down")  # The second card was chosen first, and the right pile.
    move = played(intents_of(model, "3", "4", "5", "enter"))
    assert isinstance(move, LayDown)
    assert move.pile == 1
    dialogue = model.dialogue
    assert isinstance(dialogue, Picking)
    assert move.handles[:2] == (dialogue.cards[1].handle, dialogue.cards[0].handle)


def test_cards_promised_blind_are_handed_over() -> None:
    move = played(intents_of(model_of("hand_over"), "enter"))
    assert isinstance(move, HandOver)
    assert len(move.handles) == 1


# -- choosing one of a few


def test_the_marked_merchant_begins() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.NAME_FIRST).model
    assert model.view is not None
    merchants = model.view.state.merchants
    assert played(intents_of(model, "3", "enter")) == NameFirst(model.view.seat, merchants[2])
    assert played(intents_of(model, f"seat:{merchants[1]}", "enter")) == NameFirst(model.view.seat, merchants[1])


def test_the_number_declared_is_always_the_true_one() -> None:
    model = Scene.of(FOUR, 1).asked(Choice.DECLARE).model
    assert model.view is not None
    move = played(intents_of(model, "4", "enter"))
    assert move == Declare(Seat(0), len(model.view.bag), "chicken")


def test_discards_are_taken_by_numbers() -> None:
    assert isinstance(played(intents_of(model_of("first_take"), "enter")), TakeDiscards)


def test_the_black_market_can_be_refused() -> None:
    assert played(intents_of(model_of("trade"), "home", "enter")) == Trade(Seat(2))


# -- paying


def test_goods_pay_a_fine_once_they_cover_it() -> None:
    model = Scene.of(MARKET, 1).asked(Choice.PAY_IN_KIND).model
    assert intents_of(model, "enter") == ()
    move = played(intents_of(model, "right", "enter"))
    assert isinstance(move, PayInKind)
    assert move.goods
    refused = pressed(model, "right", "down", "right", "enter")
    assert refused.notice is not None
    assert refused.notice.text == "one of these is superfluous"


# -- the sheriff


def test_the_sheriff_is_asked_before_a_bag_is_opened() -> None:
    model = model_of("desk")
    dialogue = model.dialogue
    assert isinstance(dialogue, Desk)
    assert intents_of(model, "i") == ()
    assert played(intents_of(model, "i", "enter")) == Inspect(Seat(0), dialogue.marked)  # type: ignore[arg-type]
    assert pressed(model, "i", "escape").overlay is None


def test_the_sheriff_lets_a_bag_pass_with_its_bribe_or_for_nothing() -> None:
    model = model_of("desk")
    assert model.view is not None
    briber = next(one.offer.payer for one in model.view.state.offers if one.offer.seat != model.seat)
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
            and any(one.offer.seat == one.offer.payer != it.seat for one in it.dealer.state.offers)
        )
    )
    offer = next(one.offer for one in scene.dealer.state.offers if one.offer.seat == one.offer.payer)
    scene.model = pressed(scene.model, f"seat:{offer.payer}", "p")
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
    assert move.payment == Payment(gold=5)


def test_gold_is_typed_or_counted() -> None:
    model = model_of("haggle")
    for keys, gold in (("right", 6), ("left", 4), ("pageup", 10), ("1", 1), ("backspace", 0)):
        move = played(intents_of(model, "o", keys, "enter"))
        assert isinstance(move, Offer)
        expected = 51 if keys == "1" and model.view and model.view.me.gold >= 51 else gold
        assert move.payment.gold == expected


def test_more_gold_than_there_is_can_t_be_offered() -> None:
    model = model_of("haggle")
    composing = pressed(model, "o", *["pageup"] * 30)
    assert model.view is not None
    assert isinstance(composing.overlay, Composer)
    assert composing.overlay.payment.gold == model.view.me.gold
    assert pressed(composing, "right").notice is not None


def test_an_offer_can_ask_for_the_inspection_of_somebody_else() -> None:
    model = model_of("haggle")
    assert model.view is not None
    other = next(seat for seat in model.view.state.closed_bags if seat != model.seat)
    move = played(intents_of(model, f"seat:{other}", "o", "enter"))
    assert isinstance(move, Offer)
    assert move.acts == (Act(other, Verb.INSPECT),)
    assert move.payer == model.seat


def test_an_offer_with_a_promise_of_words_and_goods_of_the_bag() -> None:
    model = pressed(model_of("haggle"), "o")
    assert isinstance(model.overlay, Composer)
    rows = model.overlay.rows(model)
    blind = next(place for place, row in enumerate(rows) if row.part.value == "bag")
    keys = [*["down"] * blind, "right", *["down"] * (len(rows) - 1 - blind), *"next", "space", *"round"]
    move = played(intents_of(model, *keys, "enter"))
    assert isinstance(move, Offer)
    assert move.payment.bag_blind == 1
    assert move.payment.promise == "next round"


def test_an_offer_for_nothing_to_do_is_refused() -> None:
    model = pressed(model_of("haggle"), "o", "tab", "right", "right")
    assert intents_of(model, "enter") == ()
    refused = pressed(model, "enter").notice
    assert refused is not None
    assert refused.refused


def test_the_sheriff_accepts_an_offer_after_seeing_what_it_does() -> None:
    model = model_of("desk")
    move = played(intents_of(model, "1", "enter"))
    assert isinstance(move, Accept)
    assert move.seat == model.seat


def test_a_counter_offer_begins_as_the_offer_that_it_answers() -> None:
    model = model_of("desk")
    assert model.view is not None
    answered = played(intents_of(model, "1", "enter"))
    assert isinstance(answered, Accept)
    move = played(intents_of(model, "1", "c", "right", "enter"))
    assert isinstance(move, Offer)
    assert move.seat == model.seat
    assert move.payer == answered.author


def test_an_own_offer_is_withdrawn() -> None:
    model = model_of("haggle")
    assert model.view is not None
    own = next(one.offer for one in model.view.state.offers if one.offer.seat == model.seat)
    for number in range(1, len(model.view.state.offers) + 1):
        intents = intents_of(model, str(number), "w")
        if intents:
            assert played(intents) == Withdraw(Seat(0), own.number)
            return
    pytest.fail("The own offer was not in the list.")


def test_a_composer_closes_when_there_is_nothing_to_offer_any_more() -> None:
    scene = Scene.of(FOUR, 1).until(lambda it: it.dealer.state.phase is Phase.INSPECT)
    scene.model = pressed(scene.model, "o")
    assert isinstance(scene.model.overlay, Composer)
    scene.until(lambda it: it.dealer.state.phase is not Phase.INSPECT)
    assert scene.model.overlay is None


# -- everything else


def test_a_key_that_means_nothing_says_which_ones_do() -> None:
    after = pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "x")
    assert after.notice is not None
    assert after.notice.text.startswith("x does nothing now. Try: ")
    assert "Enter close the bag" in after.notice.text


def test_capital_letters_do_the_same() -> None:
    model = model_of("desk")
    assert intents_of(model, "I", "enter") == intents_of(model, "i", "enter")
    assert pressed(model, "G").overlay == pressed(model, "g").overlay
    assert intents_of(model, "t", *"Ho", "enter") == (Say("Ho"),)


def test_no_hidden_card_is_in_the_text_of_a_model() -> None:
    for name in ("set_aside", "load", "declare", "haggle", "compose", "hand_over", "pay_in_kind", "trade"):
        model = model_of(name)
        assert model.view is not None
        hidden = {card.handle for card in (*model.view.hand, *model.view.stack, *model.view.bag)}
        hidden -= model.view.state.kinds.keys()
        assert hidden
        text = repr(Table(model))
        assert not any(f"Card(handle={handle}," in text for handle in hidden)
        assert "Your bag" not in text


def test_the_next_key_wipes_the_explanation() -> None:
    assert pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "x", "1").notice is None


def test_chat_sends_what_was_written_or_a_phrase() -> None:
    model = model_of("load")
    assert intents_of(model, "t", *"ab", "space", "c", "backspace", "d", "enter") == (Say("ab d"),)
    assert intents_of(model, "t", "1") == (Say("Trust me!"),)
    assert intents_of(model, "t", "escape") == ()


def test_panels_open_and_close() -> None:
    for key in "gvdt":
        model = pressed(model_of("load"), key)
        assert model.overlay is not None
        assert pressed(model, "escape").overlay is None


def test_the_log_filters() -> None:
    titles = set()
    model = pressed(model_of("haggle"), "g")
    for _ in range(4):
        model = pressed(model, "f")
        assert model.overlay is not None
        titles.add(str(model.overlay))
    assert len(titles) == 4


def test_help_is_one_key_away() -> None:
    assert intents_of(model_of("load"), "?") == (AskHelp(),)


def test_leaving_is_asked_for_twice() -> None:
    assert intents_of(model_of("load"), "q") == ()
    assert intents_of(model_of("load"), "q", "enter") == (Leave(),)
    assert intents_of(model_of("compose"), "c-c", "enter") == (Leave(),)


def test_the_score_can_t_be_left_before_all_have_signed() -> None:
    model = model_of("score")
    assert intents_of(model, "enter") == (Leave(),)
    assert intents_of(replace(model, signed=False), "enter") == ()


def test_any_key_shows_the_whole_bag_and_the_next_one_goes_on() -> None:
    table = Table(model_of("inspected"))
    half, _ = table.press("x")
    assert isinstance(half, Table)
    assert half.model.reveals[0].skipped
    after, intents = half.press("enter")
    assert isinstance(after, Table)
    assert (after.model.reveals, intents) == ((), ())


def test_a_reveal_goes_by_itself() -> None:
    table = Table(model_of("inspected"))
    assert table.moves
    assert not table.at(NOW + 60).moves


def test_a_key_that_comes_too_late_to_skip_a_reveal_answers_nothing() -> None:
    model = replace(Scene.of(FOUR, 1).asked(Choice.SET_ASIDE).model, reveals=model_of("inspected").reveals)
    gone = Table(model).at(NOW + 60)
    assert gone.at(NOW + 60.1).press("enter")[1] == ()
    assert len(gone.at(NOW + 61).press("enter")[1]) == 1


@pytest.mark.parametrize("name", GALLERY)
def test_every_place_that_can_be_clicked_is_understood(name: str) -> None:
    model = model_of(name)
    for region in draw(Table(model), 80, 24, model.words).regions:
        Table(model).press(region.key)


def test_a_view_that_did_not_change_keeps_the_dialogue() -> None:
    model = pressed(model_of("haggle"), "down")
    assert model.view is not None
    assert seen(model, model.view, model.choice).dialogue == model.dialogue
