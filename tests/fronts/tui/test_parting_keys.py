"""Leaving, waiting and going on without somebody, on the screen."""

from dataclasses import replace

import pytest

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.screen import draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Choice, Seat
from p2p_sheriff.seat.intents import Autopilot, GoOnWithout, LeaveForGood, LeaveGame, WaitOn
from p2p_sheriff.seat.picture import Ground, Missed
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.tui.gallery import FOUR
from tests.fronts.tui.pressing import intents_of
from tests.fronts.tui.scenes import NOW, Scene, pressed

ME, MUCH = Seat(0), Seat(3)


def missing(seconds: float, **more: object) -> Model:
    """Returns the table of somebody who loads, and misses Much: for so many seconds more."""
    model = Scene.of(FOUR, 1).asked(Choice.LOAD).model
    return replace(model, now=NOW, is_new=False, missed={MUCH: Missed(Ground.ABSENT, NOW + seconds)}, **more)  # type: ignore[arg-type]


def screen(model: Model) -> str:
    return draw(TableScreen(model), 80, 24, model.words).to_text()


def test_before_the_time_is_over_it_is_counted_down_and_the_key_does_nothing() -> None:
    model = missing(42)
    assert "Much is not here. In 0:42 the game may go on without Much." in screen(model)
    assert intents_of(model, "x", "enter") != (GoOnWithout((MUCH,)),)


def test_afterwards_a_key_goes_on_without_them_and_asks_first() -> None:
    model = missing(0)
    assert " x  go on without" in screen(model)
    assert intents_of(model, "x") == ()
    assert intents_of(model, "x", "enter") == (GoOnWithout((MUCH,)),)
    assert intents_of(model, "x", "escape") == ()


def test_what_others_vote_is_shown_and_joined_or_refused_with_a_key() -> None:
    model = missing(5, votes={Seat(1): (MUCH,)})
    assert "To go on without Much: Marian. Still to vote: Robin and Tuck." in screen(model)
    assert intents_of(model, "x", "enter") == (GoOnWithout((MUCH,)),)
    assert intents_of(model, "w") == (WaitOn(),)


def test_an_own_vote_is_taken_back_with_a_key_and_a_refusal_is_not_repeated() -> None:
    assert intents_of(missing(0, votes={ME: (MUCH,)}), "w") == (WaitOn(),)
    assert intents_of(missing(0, votes={ME: (), Seat(1): (MUCH,)}), "w") == ()
    assert intents_of(missing(0), "w") == ()


def test_leaving_is_for_now_for_good_or_with_a_bot_in_the_own_place() -> None:
    model = missing(42)
    assert intents_of(model, "q", "enter") == (LeaveGame(),)
    assert intents_of(model, "q", "x") == ()
    assert intents_of(model, "q", "x", "enter") == (LeaveForGood(),)
    assert intents_of(model, "q", "x", "escape", "escape") == ()
    assert intents_of(model, "q", "p") == (Autopilot(is_on=True),)


@pytest.mark.parametrize("key", ["enter", "1", "q", "c-c", "?", "t"])
def test_on_autopilot_any_key_takes_over_and_does_nothing_else(key: str) -> None:
    model = missing(42, autopilot=True)
    assert "A bot plays for you: any key takes over." in screen(model)
    assert intents_of(model, key) == (Autopilot(is_on=False),)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_ways_to_leave_fit_the_screen_in_every_language(language: str) -> None:
    words = Words(Texts.of(language))
    model = replace(missing(42), words=words)
    (row,) = (
        line for line in screen(pressed(model, "q")).splitlines() if f"{words('key.for_now')} " in line and "┃" in line
    )
    for key in ("for_good", "pilot", "no"):
        assert f"{words(f'key.{key}')} " in row
