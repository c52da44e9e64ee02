"""Keys as a function: what they choose, what they refuse and why, and what comes of it at the table."""

from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.paying import Paying
from p2p_sheriff.fronts.tui.picking import Picking
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.screen import AskHelp, draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, LoadBag, Seat
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
from p2p_sheriff.seat.intents import LeaveGame, Say
from p2p_sheriff.seat.picture import LogLine, Picture, Topic
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.tui.gallery import FOUR, GALLERY, MARKET, SIZES, model_of
from tests.fronts.tui.pressing import hand_of, intents_of, played
from tests.fronts.tui.scenes import NOW, Scene, pressed

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
    assert intents_of(model, "1", "enter") == (LoadBag(Seat(0), (hand_of(model)[0],)),)
    assert intents_of(model, "1", "enter", "enter") == ()


def test_after_a_refusal_the_player_can_choose_again() -> None:
    model = pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "1", "enter").refused("No.")
    assert len(intents_of(model, "enter")) == 1


def test_what_is_chosen_stays_while_others_act() -> None:
    scene = Scene.of(FOUR, 1).asked(Choice.LOAD)
    scene.model = pressed(scene.model, "1", "2")
    other = next(one.seat for one in scene.dealer.choices() if one.seat != scene.seat)
    bag = scene.bots[other].choose(scene.dealer.view(other), Choice.LOAD)
    assert bag is not None
    scene.submit(bag)
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
    move = played(intents_of(model_of("trade"), "home", "enter"))
    assert isinstance(move, Trade)
    assert move.cards == ()


# -- paying


def test_goods_pay_a_fine_once_they_cover_it() -> None:
    model = Scene.asking(MARKET, Choice.PAY_IN_KIND).model
    assert intents_of(model, "enter") == ()
    while isinstance(model.dialogue, Paying) and model.dialogue.verdict(model.mine) == "pay.short":
        model = pressed(model, "right") if pressed(model, "right").notice is None else pressed(model, "down")
    move = played(intents_of(model, "enter"))
    assert isinstance(move, PayInKind)
    assert move.goods
    assert isinstance(model.dialogue, Paying)
    everything = replace(model.dialogue, given=tuple(count for _, count in model.dialogue.there))
    refused = pressed(model.asking(everything), "enter")
    assert refused.notice is not None
    assert refused.notice.text == "one of these is superfluous"


# -- everything else


def test_a_key_that_means_nothing_says_which_ones_do() -> None:
    after = pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "x")
    assert after.notice is not None
    assert after.notice.text.startswith("x does nothing now. Try: ")
    assert "Enter close the bag" in after.notice.text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", ["escape", "backspace"])
@pytest.mark.parametrize("name", ["haggle", "desk_bribed"])
def test_the_keys_that_are_named_instead_are_read_to_their_end_in_the_smallest_window(
    name: str, key: str, language: str
) -> None:
    after = pressed(model_of(name, language), key)
    assert after.notice is not None
    assert f" {after.notice.text} " in draw(TableScreen(after), 80, 24, after.words).to_text()
    assert "Escape" not in after.notice.text


def test_for_how_many_the_game_waits_is_said_where_there_is_no_room_for_their_names() -> None:
    model = model_of("six_load")
    narrow, wide = (draw(TableScreen(model), width, 40, model.words).to_text() for width in (80, 200))
    assert "Waiting for 3 players: loading the bag." in narrow
    assert "シャーウッド" in next(line for line in wide.split("\n") if "Waiting for " in line)


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
        assert "Your bag:" not in text


def test_the_next_key_wipes_the_explanation() -> None:
    assert pressed(Scene.of(FOUR, 1).asked(Choice.LOAD).model, "x", "1").notice is None


def test_chat_sends_what_was_written_or_a_phrase() -> None:
    model = model_of("load")
    assert intents_of(model, "t", *"ab", "space", "c", "backspace", "d", "enter") == (Say("ab d"),)
    assert intents_of(model, "t", "down", "enter") == (Say("Trust me!"),)
    assert intents_of(model, "t", "phrase:3", "enter") == (Say("I don't believe a word."),)
    assert intents_of(model, "t", "escape") == ()


def test_panels_open_and_close() -> None:
    for key in "gvdt":
        model = pressed(model_of("load"), key)
        assert model.overlay is not None
        assert pressed(model, "escape").overlay is None


def test_from_its_first_line_the_log_goes_on_by_one_line_and_back() -> None:
    model = pressed(model_of("haggle"), "g", "home")
    shown = {
        keys: draw(TableScreen(pressed(model, *keys)), 80, 24, model.words).to_text().split("\n")[2:20]
        for keys in ((), ("down",), ("down", "up"), ("end",))
    }
    assert shown[()] == shown["down", "up"] != shown["end",]
    assert shown["down",][:-1] == shown[()][1:]


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
    assert intents_of(model_of("load"), "q", "enter") == (LeaveGame(),)
    assert intents_of(model_of("compose"), "c-c", "enter") == (LeaveGame(),)


@pytest.mark.parametrize("is_signed", [True, False])
@pytest.mark.parametrize("key", ["enter", "escape", "space"])
def test_no_key_that_answers_other_questions_leaves_the_score_and_the_rematch(key: str, is_signed: bool) -> None:
    model = replace(model_of("score"), signed=is_signed)
    assert intents_of(model, key) == ()
    notice = pressed(model, key).notice
    assert notice is not None
    assert notice.text.endswith("r rematch; q leave; Tab sheet / chart; ↑↓ scroll")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["score", "chart", "six_score"])
def test_the_score_names_the_key_that_leaves_it_once_in_every_window(name: str, language: str) -> None:
    model = replace(model_of(name), words=Words(Texts.of(language)))
    for width, height in SIZES:
        keys = draw(TableScreen(model), width, height, model.words).to_text().split("\n")[-1]
        assert keys.count(f" q  {model.words('key.quit')}") == 1
    assert intents_of(model, "q") == (LeaveGame(),)


@pytest.mark.parametrize("key", ["q", "c-c"])
def test_who_does_not_want_to_wait_for_the_last_signature_leaves_after_a_question(key: str) -> None:
    model = replace(model_of("score"), signed=False)
    assert intents_of(model, key) == ()
    assert intents_of(model, key, "enter") == (LeaveGame(),)


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


def test_enter_shows_the_whole_bag_and_once_more_goes_on() -> None:
    table = TableScreen(model_of("inspected"))
    half, _ = table.press("enter")
    assert isinstance(half, TableScreen)
    assert half.model.reveals[0].skipped
    after, intents = half.press("enter")
    assert isinstance(after, TableScreen)
    assert (after.model.reveals, intents) == ((), ())


def test_neither_gold_nor_log_tells_of_a_bag_before_it_was_seen_to_open() -> None:
    now = model_of("inspected")
    before = replace(now.unrevealed or now, reveals=(), unrevealed=None, view=None, log=())
    assert before.told is not None
    purse = replace(before.told.players[0], gold=987)
    after = replace(before.told, players=(purse, *before.told.players[1:]))
    log = (LogLine(Topic.GAME, "It was a lie."),)
    opened = replace(before, told=after, log=log, reveals=now.reveals[:1], unrevealed=before)
    first, then = _before_and_after(opened)
    assert "987" not in first
    assert "987" in then
    six = replace(model_of("six_load"), dialogue=None, choice=None, overlay=None, log=())
    full = replace(six, log=log, reveals=now.reveals[:1], unrevealed=six)
    for one in (opened, full):  # With room for a log, and with none: its end is told in a line of its own then.
        first, then = _before_and_after(one)
        assert "It was a lie." not in first
        assert "It was a lie." in then


def _before_and_after(opened: Picture) -> tuple[str, str]:
    """Returns the screen while a bag opens, and when it was seen to open."""
    table = TableScreen(Model(opened.names, opened.words, now=NOW).showing(opened)).at(NOW + 1)
    first, then = (draw(one, 80, 24, opened.words).to_text() for one in (table, table.at(NOW + 60).at(NOW + 61)))
    return first, then


def test_a_reveal_goes_by_itself() -> None:
    table = TableScreen(model_of("inspected"))
    assert table.moves
    assert not table.at(NOW + 60).at(NOW + 61).moves


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
