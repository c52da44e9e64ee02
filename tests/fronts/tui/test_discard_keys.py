"""The market of the first edition on the full screen (rules 4.3 and 4.4)."""

from dataclasses import replace

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Seat, State, View
from p2p_sheriff.rules.moves import LayDown, SetAside, TakeDiscards
from tests.fronts.tui.gallery import FIRST, FOUR
from tests.fronts.tui.pressing import hand_of, intents_of, played
from tests.fronts.tui.saved import text_of
from tests.fronts.tui.scenes import Scene, pressed

ME = Seat(0)


def text(model: Model) -> str:
    return " ".join(text_of(TableScreen(model), 80, 24).split())


def with_state(model: Model, state: State) -> Model:
    view = View(state, model.mine.knowledge)
    return seen(replace(model, dialogue=None), view, model.choice)


def test_r4_3_arrows_choose_how_many_cards_are_taken_and_the_screen_says_which() -> None:
    model = Scene.of(FIRST, 0).asked(Choice.TAKE_DISCARDS).model
    state = model.mine.state
    assert played(intents_of(model, "enter")) == TakeDiscards(ME, (0, 0))
    assert played(intents_of(model, "down", "enter")) == TakeDiscards(ME, (0, 1))
    top = model.words.good(state.piles[1][-1].kind)
    assert f"Right: {top}" in text(model)


def test_r4_3_digits_give_the_order_and_tab_the_pile_of_what_is_put_back() -> None:
    model = Scene.of(FIRST, 0).asked(Choice.LAY_DOWN).model
    move = played(intents_of(model, "2", "1", "3", "tab", "enter"))
    assert isinstance(move, LayDown)
    assert move.pile == 1
    again = played(intents_of(model, "1", "2", "3", "enter"))
    assert isinstance(again, LayDown)
    assert (again.pile, again.handles) == (0, (move.handles[1], move.handles[0], move.handles[2]))
    assert not intents_of(model, "1", "2", "enter"), "all of them go back"


def test_r4_4_who_sets_more_aside_than_can_be_drawn_again_is_warned_and_not_stopped() -> None:
    for setup in (FIRST, FOUR):
        model = Scene.of(setup, 1).asked(Choice.SET_ASIDE).model
        state = model.mine.state
        empty = with_state(model, state.but(deck=1, piles=tuple(() for _ in state.piles)))
        warning = "Only 1 card can be drawn again"
        assert warning not in text(pressed(empty, "1"))
        assert warning in text(pressed(empty, "1", "2"))
        assert played(intents_of(empty, "1", "2", "enter")) == SetAside(ME, tuple(hand_of(empty)[:2]))


def test_r4_4_who_leaves_to_the_deck_what_it_has_not_is_warned() -> None:
    model = Scene.of(FIRST, 0).asked(Choice.TAKE_DISCARDS).model
    empty = with_state(model, model.mine.state.but(deck=0))
    assert "The deck can't fill your hand" in text(empty)
    assert "The deck can't fill your hand" not in text(model)
