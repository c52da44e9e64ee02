"""A slow person in lines of text, at the tempo that bots have by default: nobody decides about the bag meanwhile."""

import re
import time
from pathlib import Path

import pytest

from tests.commands.person import QUESTION, Person
from tests.commands.terminal import Terminal

THINKS_SECONDS = 8
DECIDED = re.compile(
    r"lets Kim's bag pass|inspects Kim's bag|(?:accepts (?:\w+'s|your) offer \d|Agreed): [^.]*your bag"
)


@pytest.mark.slow
def test_nothing_is_decided_about_a_slow_persons_bag_before_they_are_done_and_then_nobody_waits(tmp_path: Path) -> None:
    """Eight seconds for each answer and each word about the bag, at the default pace; then `done`, and on it goes."""
    options = ["--name", "Kim", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    # A countdown that outlasts the test: whoever waits for it is told from who does not without a clock.
    with Terminal(["play", "--bots", "2", "--lines", "--haggle", "3600", *options]) as terminal:
        person, place, asked = Person(terminal), 0, None
        while asked is None:  # Until a bot is sheriff: in the first round, or in the second.
            found = terminal.wait_for(QUESTION.pattern, start=place)
            place = found.end()
            if "is handed over" in found["question"]:
                asked = found
            else:
                _keep_reading(terminal, THINKS_SECONDS)
                terminal.type(person.answer(found["question"], found["shown"]))
        left = re.search(r"bag stays open for (\d+) second", asked["shown"])
        assert left is not None
        assert int(left[1]) > 2 * terminal.SECONDS
        for words in ("say Let me think.", "offers", "say It is nothing but apples."):
            _keep_reading(terminal, THINKS_SECONDS)
            assert not DECIDED.search(" ".join(terminal.text[place:].split()))
            terminal.type(words)
        terminal.type("done")
        terminal.wait_for(
            r"lets\s+Kim's\s+bag\s+pass|inspects\s+Kim's\s+bag|'s\s+offer\s+\d:[^.]*your\s+bag", start=place
        )
        assert "Traceback" not in terminal.text
        assert terminal.text.count("on their way") == 1
        assert "on its way" not in terminal.text


def _keep_reading(terminal: Terminal, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        terminal._read(0.2)
