"""A person at a wide terminal, who knows nothing but what is printed, and answers every question that the game asks."""

import re
import time
from itertools import combinations, cycle
from random import Random

from tests.commands.terminal import NotPrinted, Terminal

QUESTION = re.compile(r">>> (?P<question>.*)\n(?P<shown>(?s:.*?)Type (?:.*)\n)")
SUMMED = "Enter goes on"
"""What stands under the summary of a round: it waits."""
_REFUSED_SECONDS = 20
"""Who hears of nothing for so long gives another answer."""
_CARD = re.compile(r"(\d+) (?:= )?([a-z ]+?) \(worth (\d+), fine \d+\)")


class Person:
    """Plays on a terminal by typing lines."""

    def __init__(self, terminal: Terminal, rng: Random | None = None) -> None:
        self._terminal, self._rng = terminal, rng or Random(1)
        self._place = 0
        self._bribes = cycle(["3 gold, promise a song", "2 gold, 1 blind from bag"])
        self.typed: set[str] = set()
        """The first words of all that was typed."""

    def type(self, line: str) -> None:
        self.typed.add(line.split(maxsplit=1)[0])
        self._terminal.type(line)

    def play_until(self, ending: str, seconds: float) -> None:
        """Answers one question after the other, until this is printed."""
        pattern = rf"{QUESTION.pattern}|(?P<over>{ending})|(?P<summed>{SUMMED})"
        end, asked = time.monotonic() + seconds, None
        while True:
            try:
                found = self._terminal.wait_for(pattern, _REFUSED_SECONDS, self._place)
            except NotPrinted:
                if time.monotonic() > end:
                    raise
                if asked is not None:
                    self.type(self._otherwise(asked))
                continue
            self._place = found.end()
            if found["over"]:
                return
            if found["summed"]:
                self._terminal.type("")
                continue
            if "is handed over" in found["question"]:
                self.type(f"offer {next(self._bribes)} for pass me")
                self.type("done")
            else:
                asked = found
                self.type(self.answer(found["question"], found["shown"]))

    def _otherwise(self, asked: re.Match[str]) -> str:
        """Returns another answer, if one was refused: the offer may be gone, or can't be paid any more."""
        if "inspect a bag" in asked["question"]:
            return f"pass {self._rng.choice(_bags(asked['shown']))} for nothing"
        return self.answer(asked["question"], asked["shown"])

    def answer(self, question: str, shown: str) -> str:
        hand = [(number, kind) for number, kind, _ in _CARD.findall(" ".join(shown.split()))]
        if "first?" in question:
            return f"first {self._rng.choice(['robin', 'marian'])}"
        if "set aside" in question:
            return self._rng.choice(["aside 1 2", "aside 6", "keep"])
        if "each discard pile" in question:
            return self._rng.choice(["take 1 0", "take 0 1", "take 0 0"])
        if "Onto which discard pile" in question:
            return self._rng.choice(["lay left", "lay right"])
        if "Load" in question:
            return f"load {' '.join(number for number, _ in hand[: self._rng.randint(1, 5)])}"
        if "Hand your bag" in question:
            return f"declare {self._rng.choice(['apples', 'cheese', 'chicken'])}"
        if "inspect a bag" in question:
            return self._act(shown)
        if "which?" in question:
            count = _number(r"You give (\d+)", shown)
            return f"give {' '.join(str(place) for place in range(1, count + 1))}"
        if "what do you give" in question:
            return self._pay(shown)
        return "no"

    def _act(self, shown: str) -> str:
        bags = _bags(shown)
        for _ in range(3):  # Bots need a moment to make an offer.
            if offers := re.findall(r"^(\w+) (\d+): \w+ pays you .*: let \w+'s bag pass", shown, re.MULTILINE):
                return f"accept {offers[0][0]} {offers[0][1]}"
            time.sleep(0.3)
            place = len(self._terminal.text)
            self.type("offers")
            shown = self._terminal.wait_for(r"No offers stand\.|^\w+ \d+: .*\n", start=place)[0]
        return self._rng.choice([f"pass {bags[-1]} for nothing", f"pass {bags[0]}", f"inspect {bags[0]}"])

    def _pay(self, shown: str) -> str:
        """Pays with the fewest goods of the stall that cover the debt, or with all that there is."""
        values = {"apple": 2, "apples": 2, "cheese": 3, "bread": 3, "chicken": 4}
        owed = _number(r"You still owe (\d+)", shown)
        stall = re.search(r"On your stall: (.*)\.", shown)
        goods = re.findall(r"(\d+) ([a-z]+)", stall[1]) if stall else []
        cards = [kind for count, kind in goods for _ in range(int(count))]
        for size in range(1, len(cards) + 1):
            for some in combinations(cards, size):
                if sum(values[kind] for kind in some) >= owed:
                    return "pay " + ", ".join(f"{some.count(kind)} {kind}" for kind in dict.fromkeys(some))
        hidden = re.search(r"Your face-down cards: (.*)\.", shown)
        cards += re.findall(r"\d+ (?:= )?([a-z ]+)", hidden[1]) if hidden else []
        return "pay " + ", ".join(f"{cards.count(kind)} {kind}" for kind in dict.fromkeys(cards))


def _bags(shown: str) -> list[str]:
    return re.findall(r"^(\w+): .*declared", shown, re.MULTILINE)


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found is not None, f"{pattern!r} is not in:\n{text}"
    return int(found[1])
