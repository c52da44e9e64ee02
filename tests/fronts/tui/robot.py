"""Somebody at a terminal who knows nothing but what is on the screen, and answers what is asked, by keys or mouse."""

import re
import time
from collections.abc import Callable, Collection
from random import Random

from tests.fronts.tui.terminal import ScreenTerminal

_ASKED, _KEYS = -2, -1
"""The lines of the screen that say what is asked, and which keys answer it."""
_CARD = re.compile(r"[╭┏] (\d) ")
_OFFER_TO_ME = re.compile(r"^ +\S+'s offer (\d): \S+ pays you ", re.MULTILINE)
"""An offer that the player can accept stands first in the list."""
_PATIENCE_SECONDS = 1.5
"""So long a sheriff lets the others talk before a decision."""


class Robot:
    """Plays on a terminal that shows a game."""

    def __init__(
        self,
        terminal: ScreenTerminal,
        rng: Random | None = None,
        by_mouse: Collection[int] = (),
        watch: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Takes a terminal, and the rounds in which no key is touched; `watch` hears what is asked before an answer."""
        self._terminal, self._rng, self._by_mouse, self._watch = terminal, rng or Random(1), by_mouse, watch
        self._text = ""
        self._haggled = 0
        self._bags: tuple[float, str] = (0.0, "")
        self._goods = 0
        self.done: list[tuple[int, str, str]] = []
        """All that was done: in which round, by "keys" or "mouse", and what."""
        self.offered: set[int] = set()
        """The rounds in which an offer of the player's own was seen to stand."""

    @property
    def round(self) -> int:
        found = re.search(r"Round (\d+) of", self._text)
        return int(found[1]) if found else 0

    @property
    def _is_last_round(self) -> bool:
        found = re.search(r"Round (\d+) of (\d+)", self._text)
        return found is not None and found[1] == found[2]

    def did(self, what: str) -> set[tuple[int, str]]:
        """Returns in which rounds something was done, and how."""
        return {(number, how) for number, how, one in self.done if one == what}

    def play_until(self, ending: str, seconds: float) -> None:
        """Answers one question after the other until something is on the screen and no bag is being opened."""
        end = time.monotonic() + seconds
        while True:
            self._text = self._terminal.settle(0.05)
            assert time.monotonic() < end, f"{ending!r} did not come in {seconds} s, but:\n{self._text}"
            assert "Traceback" not in self._text, self._text
            if re.search(ending, self._text) and "Enter goes on" not in self._text:
                return
            if re.search(r"^ {4}Your offer \d: ", self._text, re.MULTILINE):
                self.offered.add(self.round)
            if what := self.question():
                self._watch(what)
                self._answer(what)
                self._note(what)
                self._wait_for_change()
            else:
                time.sleep(0.05)

    def _note(self, what: str) -> None:
        self.done.append((self.round, "mouse" if self._mouse else "keys", what))

    def _wait_for_change(self) -> None:
        """Waits until what was done is seen, or for a moment: not everything can be."""
        end = time.monotonic() + 1
        while self._terminal.settle(0.03) == self._text and time.monotonic() < end:
            pass

    # -- what is asked

    def question(self) -> str:
        """Returns a word for what the screen wants to know; nothing if it wants nothing."""
        text, asked = self._text, self._text.split("\n")[_ASKED]
        if "Enter goes on" in text:
            return "skip"
        if "On its way" in text:
            return ""
        for words, what in (
            ("market first?", "first"),
            ("The market: set", "market"),
            ("Load your bag", "load"),
            ("What do you say is in it?", "declare"),
            ("What do you pay", "offer"),
            ("give goods worth", "pay"),
            ("which do you give?", "hand over"),
            ("Leave the table?", "stay"),
        ):
            if words in asked:
                return what
        if re.match(r" Offer \d+ of ", asked):
            return "deal"
        if "You are the sheriff: inspect" in asked:
            return "judge" if self._has_waited() else ""
        if "The sheriff has the bags" in asked or "The sheriff has your bag" in asked:
            return "haggle" if self._haggled < self.round and not self._is_last_round else ""
        return "confirm" if asked.rstrip().endswith("?") else ""

    def _has_waited(self) -> bool:
        """Whether the merchants had time to speak since the number of bags changed."""
        bags = "".join(re.findall(r"bag: “", self._text))
        if bags != self._bags[1]:
            self._bags = (time.monotonic(), bags)
        return time.monotonic() - self._bags[0] > _PATIENCE_SECONDS

    # -- answers

    def _answer(self, what: str) -> None:
        match what:
            case "skip":
                self._skip()
            case "first":
                self._press("down", "↑↓")
                self._enter()
            case "market" if "✓" not in self._text and self._rng.random() < 0.7:
                self._take_card()
            case "load" if self._text.count("✓") < self._goods:
                self._take_card()
            case "judge":
                self._judge()
            case "haggle":
                self._haggled = self.round
                self._press("o", "o")
            case "deal" | "offer" if self.done and self.done[-1][2] == what:
                self._press("escape", "Esc")  # It was refused.
            case "pay":
                self._pay()
            case "hand over":
                self._take_card() if self._rng.random() < 0.7 else self._enter()
            case "stay":
                self._press("escape", "Esc")
            case _:
                self._enter()
        if what == "market":
            self._goods = self._rng.randint(1, 4)

    def _judge(self) -> None:
        if (offer := _OFFER_TO_ME.search(self._text)) and self._rng.random() < 0.7:
            if self._mouse:
                self._terminal.click(*self._place(offer.start(1)))
            else:
                self._terminal.press(offer[1])
        else:
            key = self._rng.choice("pi")
            self._press(key, key)

    def _take_card(self) -> None:
        cards = list(_CARD.finditer(self._text))
        if not cards:
            return
        card = self._rng.choice(cards)
        if self._mouse:
            x, y = self._place(card.start())
            self._terminal.click(x + 2, y + 2)
        else:
            self._terminal.press(card[1])

    def _pay(self) -> None:
        """Gives more while it is too little and less while it is too much, here and there, until it fits."""
        if "covers the fine" in self._text:
            self._enter()
        elif self._mouse:
            rows = list(re.finditer(r"worth \d+ each", self._text))
            if "superfluous" in self._text:
                self._press("escape", "Esc")
            else:
                self._terminal.click(*self._place(self._rng.choice(rows).start()))
        else:
            change = "left" if "superfluous" in self._text else "right"
            self._terminal.press(self._rng.choice([change, change, "up", "down"]))

    # -- fingers

    @property
    def _mouse(self) -> bool:
        return self.round in self._by_mouse

    def _skip(self) -> None:
        if self._mouse:
            self._terminal.click(3, 1)
        else:
            self._terminal.press("space")

    def _enter(self) -> None:
        self._press("enter", "Enter")

    def _press(self, key: str, label: str) -> None:
        """Presses a key, or clicks on its name in the line of keys."""
        if not self._mouse:
            self._terminal.press(key)
            return
        lines = self._text.split("\n")
        y = len(lines) + _KEYS
        if (x := lines[y].find(f" {label} ")) >= 0:
            self._terminal.click(x + 1, y)

    def _place(self, at: int) -> tuple[int, int]:
        """Returns the column and the line of a place in the text of the screen."""
        return at - (self._text.rfind("\n", 0, at) + 1), self._text.count("\n", 0, at)
