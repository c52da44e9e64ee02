"""The tutorial: by its own suggestions to its end; nothing else goes on; it can be left at any moment."""

from random import Random

import pytest

from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.lessons import LESSONS, MARIAN, TUCK, YOU
from p2p_sheriff.fronts.tui.panels import Chat
from p2p_sheriff.fronts.tui.screen import Pop, Push, Wish
from p2p_sheriff.fronts.tui.tutorial import Tutorial
from p2p_sheriff.lab.rehearsal import begin_tutorial
from p2p_sheriff.rules import Phase
from p2p_sheriff.seat.words import Words
from tests.fronts.tui.saved import SIZES, assert_none_left_over, assert_saved, text_of
from tests.fronts.tui.spoken import spoken
from tests.fronts.tui.terminal import ScreenTerminal

KEYS = tuple(lesson.key for lesson in LESSONS)


def begun() -> Tutorial:
    return begin_tutorial(spoken(), "Robin")


def pressed(screen: Tutorial, *keys: str) -> Tutorial:
    for key in keys:
        screen = _pressed(screen, key)[0]
    return screen


def _pressed(screen: Tutorial, key: str) -> tuple[Tutorial, tuple[Wish, ...]]:
    after, intents = screen.press(key)
    assert isinstance(after, Tutorial)
    return after, intents


def seen_through(screen: Tutorial) -> Tutorial:
    """Waits until every bag is open and was seen, and what is asked was read."""
    while screen.moves:
        screen = screen.at(screen.model.now + 20)
    return screen.at(screen.model.now + 1).at(screen.model.now + 2)


def at(key: str) -> Tutorial:
    """Follows the coach to a lesson."""
    screen = begun()
    for lesson in LESSONS[: KEYS.index(key)]:
        assert screen.lesson is lesson
        screen = seen_through(pressed(screen, *lesson.presses))
    return screen


# -- the story


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_lesson_is_as_it_was_saved(key: str, width: int, height: int) -> None:
    assert_saved(at(key), f"tutorial/{key}", width, height)


def test_no_saved_lesson_is_left_over() -> None:
    assert_none_left_over("tutorial", KEYS)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("width", "height"), [*SIZES, (80, 25), (133, 33), (200, 60)])
def test_what_the_coach_says_is_not_cut_off(key: str, width: int, height: int) -> None:
    said = " ".join(text_of(at(key), width, height).split())
    for part in ("title", "text", "do"):
        assert Words()(f"tutorial.{key}.{part}") in said


def test_who_presses_what_the_coach_says_comes_to_the_end_and_leaves() -> None:
    screen, intents = _pressed(at("end"), "enter")
    assert intents == (Pop(),)
    assert screen.lesson.key == "end"


def test_the_story_is_a_good_one() -> None:
    state = at("honest").model.told
    assert state is not None
    assert state[YOU].gold - state[MARIAN].gold == 16, "The sheriff pays for a true bag that was opened."
    state = at("passed").model.told
    assert state is not None
    assert len(state[YOU].stack) == 1, "Contraband got in."
    assert state[YOU].gold == 53, "A bribe was paid."
    state = at("mercy").model.told
    assert state is not None
    assert (state[YOU].gold, state[TUCK].gold) == (65, 43), "A liar was caught."
    assert state.phase is Phase.INSPECT
    state = at("end").model.told
    assert state is not None
    assert state[YOU].gold == max(player.gold for player in state.players) == 67
    assert state.round == 4


def test_the_keys_that_the_coach_names_are_those_that_go_on() -> None:
    names = {"enter": "Enter", "down": "↓"}
    for lesson in LESSONS:
        do = Words()(f"tutorial.{lesson.key}.do")
        for key in lesson.presses:
            assert names.get(key, key) in do.replace(",", "").split() or names.get(key, key) in do, (lesson.key, key)


def test_a_bag_that_opens_is_not_spoiled_by_the_coach() -> None:
    screen = pressed(at("suspense"), "enter")
    assert screen.moves
    assert "It was true" not in text_of(screen)
    assert "It was true" in text_of(seen_through(screen))


def test_enter_shows_a_bag_at_once_and_once_more_goes_on() -> None:
    screen = pressed(at("suspense"), "enter")
    screen = pressed(screen.at(screen.model.now).at(screen.model.now + 0.5), "enter", "enter")
    assert not screen.model.reveals
    assert screen.lesson.key == "honest"


# -- other ways


def test_other_cards_are_refused_with_what_to_do_and_can_be_taken_back() -> None:
    screen = pressed(at("load"), "1", "6", "enter")
    assert screen.lesson.key == "load"
    assert "Not yet: Press 1, 2, 3 and 4" in text_of(screen)
    assert pressed(screen, "escape", "1", "2", "3", "4", "enter").lesson.key == "declare"


def test_a_lie_too_early_is_refused() -> None:
    assert pressed(at("declare"), "2", "enter").lesson.key == "declare"


def test_letting_the_liar_pass_is_refused() -> None:
    assert pressed(at("desk"), "down", "p", "enter").lesson.key == "desk"


def test_a_higher_bribe_is_as_good_and_a_lower_one_is_not() -> None:
    assert pressed(at("bribe"), "o", "right", "right", "enter").lesson.key == "passed"
    assert pressed(at("bribe"), "o", "left", "enter").lesson.key == "bribe"


def test_either_merchant_may_begin() -> None:
    screen = pressed(at("badge"), "2", "enter")
    assert screen.lesson.key == "desk"


def test_what_is_read_only_can_be_looked_around_in() -> None:
    screen = pressed(at("suspense"), "g")
    assert "everything" in text_of(screen)
    assert pressed(screen, "escape", "enter").lesson.key == "honest"
    _, intents = _pressed(at("suspense"), "?")
    (pushed,) = intents
    assert isinstance(pushed, Push)
    assert isinstance(pushed.screen, HelpScreen)


def test_what_the_player_says_is_in_the_log() -> None:
    assert "Robin: hi" in text_of(pressed(at("suspense"), "t", "h", "i", "enter", "g"))


# -- leaving


@pytest.mark.parametrize("key", KEYS)
def test_escape_twice_leaves_at_any_moment(key: str) -> None:
    screen, intents = _pressed(at(key), "escape")
    assert intents == ()
    assert "Press Esc once more" in text_of(screen)
    assert _pressed(screen, "escape")[1] == (Pop(),)


def test_escape_takes_back_what_is_chosen_before_it_leaves() -> None:
    screen = pressed(at("market"), "4", "escape")
    assert "Press Esc once more" not in text_of(screen)
    assert _pressed(pressed(screen, "escape"), "escape")[1] == (Pop(),)


def test_another_key_after_escape_goes_on() -> None:
    screen = pressed(at("market"), "escape", "4")
    assert _pressed(pressed(screen, "escape"), "escape")[1] == ()


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_pressed_there_is_a_picture(seed: int) -> None:
    rng = Random(seed)
    screen = at(KEYS[rng.randrange(len(KEYS))])
    keys = [
        *"123456iopnabgdvt",
        "enter",
        "escape",
        "left",
        "right",
        "up",
        "down",
        "tab",
        "space",
        "backspace",
        "seat:1",
    ]
    for tick in range(120):
        screen, intents = _pressed(screen.at(float(tick)), rng.choice(keys))
        assert all(isinstance(intent, Push | Pop) for intent in intents)
        text_of(screen)


def test_in_a_real_terminal_the_coach_takes_a_player_through_it() -> None:
    with ScreenTerminal(["-m", "p2p_sheriff", "tutorial"]) as terminal:
        for number, lesson in enumerate(LESSONS, start=1):
            while "A bag opens in front of everybody" in terminal.wait_for(rf"Lesson {number} of").string:
                terminal.press("enter")
                terminal.settle()
            terminal.press(*lesson.presses)
        assert terminal.exit_code() == 0


def test_in_the_chat_q_is_a_letter_and_the_tutorial_goes_on() -> None:
    screen = pressed(at("load"), "t", "q")
    assert not screen.is_leaving
    assert screen.model.overlay == Chat("q")


@pytest.mark.parametrize("key", ["q", "Q", "й"])
def test_q_leaves_the_tutorial_and_no_game_is_said_to_wait_whatever_the_keyboard(key: str) -> None:
    screen = pressed(at("load"), key)
    assert screen.is_leaving
    assert screen.model.overlay is None
    assert _pressed(screen, key)[1] == (Pop(),)
