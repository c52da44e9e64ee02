"""Keys as a function: what they choose, what they refuse and why, and what comes of it at the table."""

from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.model import AskHelp, LoadBag, Say
from p2p_sheriff.fronts.tui.picking import Picking
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.screen import Leave, draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Seat
from p2p_sheriff.rules.moves import (
    Declare,
    HandOver,
    LayDown,
    NameFirst,
    PayInKind,
    SetAside,
    TakeDiscards,
    Trade,
)
from tests.fronts.tui.gallery import FOUR, GALLERY, MARKET, NOW, model_of, pressed
from tests.fronts.tui.pressing import hand_of, intents_of, played
from tests.fronts.tui.scenes import Scene

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
        text = repr(TableScreen(model))
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


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_who_does_not_want_to_wait_for_the_last_signature_leaves_after_a_question(key: str) -> None:
    model = replace(model_of("score"), signed=False)
    assert intents_of(model, key) == ()
    assert intents_of(model, key, "enter") == (Leave(),)


def test_who_only_looks_on_has_no_voice_at_the_table() -> None:
    model = model_of("watching")
    assert "chat" not in draw(TableScreen(model), 120, 40, model.words).to_text()
    assert pressed(model, "t").overlay is None


def test_only_who_plays_is_told_that_the_others_will_wait() -> None:
    waiting = "The others wait for you"
    playing = pressed(model_of("load"), "q")
    assert waiting in draw(TableScreen(playing), 80, 24, playing.words).to_text()
    watching = pressed(model_of("watching"), "q")
    text = draw(TableScreen(watching), 80, 24, watching.words).to_text()
    assert "Leave the table?" in text
    assert waiting not in text


def test_any_key_shows_the_whole_bag_and_the_next_one_goes_on() -> None:
    table = TableScreen(model_of("inspected"))
    half, _ = table.press("x")
    assert isinstance(half, TableScreen)
    assert half.model.reveals[0].skipped
    after, intents = half.press("enter")
    assert isinstance(after, TableScreen)
    assert (after.model.reveals, intents) == ((), ())


def test_a_reveal_goes_by_itself() -> None:
    table = TableScreen(model_of("inspected"))
    assert table.moves
    assert not table.at(NOW + 60).moves


def test_a_key_that_comes_too_late_to_skip_a_reveal_answers_nothing() -> None:
    model = replace(Scene.of(FOUR, 1).asked(Choice.SET_ASIDE).model, reveals=model_of("inspected").reveals)
    gone = TableScreen(model).at(NOW + 60)
    assert gone.at(NOW + 60.1).press("enter")[1] == ()
    assert len(gone.at(NOW + 61).press("enter")[1]) == 1


@pytest.mark.parametrize("name", GALLERY)
def test_every_place_that_can_be_clicked_is_understood(name: str) -> None:
    model = model_of(name)
    for region in draw(TableScreen(model), 80, 24, model.words).regions:
        TableScreen(model).press(region.key)


def test_a_view_that_did_not_change_keeps_the_dialogue() -> None:
    model = pressed(model_of("haggle"), "down")
    assert model.view is not None
    assert seen(model, model.view, model.choice).dialogue == model.dialogue
