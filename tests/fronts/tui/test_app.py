"""The real app in a real terminal: keys, mouse, another size, colours or none."""

import time

import pytest

from tests.fronts.tui.terminal import ScreenTerminal

GAME = ("-m", "tests.fronts.tui.solitaire", "1")


def play_on(terminal: ScreenTerminal, until: str, seconds: float) -> None:
    """Answers whatever is asked with the first thing that works, until something is on the screen."""
    end = time.monotonic() + seconds
    while until not in (text := terminal.settle(0.05)) or "Enter goes on" in text:
        assert time.monotonic() < end, text
        if "Enter goes on" in text:
            terminal.press("space")
        elif "Load your bag" in text:
            terminal.press("1", "2", "enter")
        elif "inspect a bag, let it pass" in text:
            terminal.press("p", "enter")
        elif "give goods worth" in text:
            terminal.press("right", "enter", "down")
        elif "On its way" not in text:
            terminal.press("enter")


@pytest.mark.slow
def test_a_whole_game_by_keys_ends_with_the_score_sheet() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("Round 1 of 8")
        play_on(terminal, "wins with", seconds=600)
        terminal.press("tab")
        terminal.wait_for("round by round")
        terminal.press("q")
        assert terminal.exit_code() == 0
        terminal.wait_for("The game was left")


def test_a_round_by_mouse() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up to 5 cards aside")
        terminal.click_on("cheese    │")
        terminal.wait_for(" ✓ ")
        terminal.click_on("Enter")
        terminal.wait_for("Load your bag")
        terminal.click_on("apples    │" if "apples    │" in terminal.text else "cheese    │")
        terminal.wait_for(" ✓ ")
        terminal.click_on("Enter")
        terminal.wait_for("What do you say is in it")
        terminal.click_on("bread”")
        terminal.wait_for("As bread")
        terminal.click_on("bread”")
        terminal.wait_for("bag: “. bread”")


def test_a_window_that_changes_its_size_is_drawn_anew() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        assert "│ Log" not in terminal.text
        terminal.resize(120, 40)
        terminal.wait_for("│ Log")
        terminal.resize(60, 20)
        terminal.wait_for("too small")
        terminal.resize(80, 24)
        terminal.wait_for("The market: set up")


def test_a_window_that_is_too_small_is_left_with_control_c() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.resize(60, 20)
        terminal.wait_for("too small")
        terminal.press("\x03")
        assert terminal.exit_code() == 0


def test_chat_is_typed_and_seen() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.press("t")
        terminal.wait_for("Ready phrases")
        terminal.press(*"gold, please", "enter")
        terminal.wait_for("Robin: gold, please")


def test_a_wrong_key_explains_itself() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.press("x")
        terminal.wait_for("x does nothing now. Try: ")


def test_leaving_asks_and_gives_the_terminal_back() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.press("\x03")
        terminal.wait_for("Leave the table")
        terminal.press("enter")
        assert terminal.exit_code() == 0
        terminal.wait_for("The game was left")


def test_control_l_paints_a_screen_anew_that_something_else_has_written_on() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.wipe()
        assert "bonus" not in terminal.settle()
        terminal.press("\x0c")
        terminal.wait_for("bonus +gold(?s:.*)The market: set up")


def test_escape_is_answered_at_once() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.press("2")
        terminal.wait_for(" ✓ ")
        terminal.press("escape")
        terminal.wait_for("You keep your whole hand")


def test_what_is_chosen_has_the_colours_of_the_theme() -> None:
    with ScreenTerminal(GAME) as terminal:
        terminal.wait_for("The market: set up")
        terminal.press("2")
        terminal.wait_for(" ✓ ")
        assert terminal.look_of("✓") == ("1c1c1c", "87d7ff", False)
        assert terminal.look_of("The market: set up")[:2] == ("1c1c1c", "ffd787")


def test_no_color_shows_none() -> None:
    with ScreenTerminal(GAME, environment={"NO_COLOR": "1"}) as terminal:
        terminal.wait_for("The market: set up")
        assert terminal.colours() == {"default"}


def test_a_locale_without_unicode_gets_ascii() -> None:
    with ScreenTerminal(GAME, environment={"LC_ALL": "C", "PYTHONUTF8": "0"}) as terminal:
        terminal.wait_for("The market: set up")
        assert terminal.settle().isascii()
        assert "+ 1 " in terminal.text or "# 1 " in terminal.text
