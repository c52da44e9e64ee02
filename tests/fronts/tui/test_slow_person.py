"""A person who takes their time at a table of bots at the default pace, and one who is done at once."""

import re
import time
from pathlib import Path
from secrets import token_hex

import pytest

from tests.fronts.tui.terminal import ScreenTerminal

ANSWERS = (
    ("Enter goes on", ("enter",)),
    ("market first?", ("enter",)),
    ("The market: set", ("enter",)),
    ("Load your bag", ("1", "enter")),
    ("What do you say is in it?", ("enter",)),
    ("You are the sheriff: inspect", ("p", "enter")),
)
OPEN = r"your bag: (\d+):(\d\d)"
SLOW_SECONDS = 8


def play_to_the_haggling(terminal: ScreenTerminal) -> None:
    """Answers what is asked, each thing slowly, until a bot has the own bag, and leaves it open."""
    end = time.monotonic() + terminal.SECONDS
    while not re.search(OPEN, text := terminal.settle(0.2)) or "Enter goes on" in text:
        assert time.monotonic() < end, text
        for words, keys in ANSWERS:
            if words in text and "On its way" not in text:
                if stands_for_a_while(terminal, words):
                    terminal.press(*keys)
                break


def stands_for_a_while(terminal: ScreenTerminal, words: str) -> bool:
    """Takes the time of a slow person; returns whether it is still asked: a bag that opens goes on by itself."""
    end = time.monotonic() + SLOW_SECONDS
    while time.monotonic() < end:
        if words not in terminal.settle(0.2):
            return False
        time.sleep(0.3)
    return True


def _decided(name: str) -> str:
    """Returns what the line at the bottom says while a bag is shown; a half-written offer says it elsewhere."""
    return rf"\n {name}'s bag (passes|is inspected!) *\n"


def assert_open(terminal: ScreenTerminal, name: str) -> None:
    text = terminal.settle()
    assert re.search(OPEN, text), text
    assert not re.search(_decided(name), text)


def dawdle(terminal: ScreenTerminal, name: str) -> None:
    """Does nothing for a while; meanwhile nothing is decided about the own bag."""
    end = time.monotonic() + SLOW_SECONDS
    while time.monotonic() < end:
        assert_open(terminal, name)
        time.sleep(0.3)


@pytest.mark.slow
def test_nothing_is_decided_before_a_slow_person_is_done_and_then_nobody_waits(tmp_path: Path) -> None:
    name = f"Kim{token_hex(2)}"
    # A countdown that outlasts the test: whoever waits for it is told from who does not without a clock.
    command = ["-m", "p2p_sheriff", "play", "--haggle", "3600", "--name", name, "--data", str(tmp_path)]
    with ScreenTerminal(command) as terminal:
        play_to_the_haggling(terminal)
        dawdle(terminal, name)
        terminal.press("o", "1")
        dawdle(terminal, name)  # With the offer half written.
        terminal.press("escape")
        terminal.wait_for("n  nothing more")
        minutes, seconds = map(int, terminal.wait_for(OPEN).groups())
        assert 60 * minutes + seconds > 2 * terminal.SECONDS
        terminal.press("n")
        terminal.wait_for(_decided(name))  # Somebody who has nothing more to say is not waited for.
