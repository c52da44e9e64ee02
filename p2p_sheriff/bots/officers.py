"""How likely officers are to look into the own bag: judged by what they did before."""

from dataclasses import dataclass

from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.bots.worth import things_value
from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.moves import Offer, Verb
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.view import View

BRIBES_PER_CARD = (0.0, 1.0, 2.0, 3.0, 4.5)
"""How much a bribe is worth for each card of the bag: from nothing at all to generous."""


@dataclass(frozen=True, slots=True)
class Habits:
    """What officers in general are thought to do, before this table has shown anything."""

    honest: tuple[float, ...]
    """How often they look into an honest merchant's bag: without a bribe, then with one below or from each step on."""
    liar: tuple[float, ...]
    """How often into that of a known liar."""
    sizes: tuple[float, ...]
    """How much greater or smaller the odds of a look are for a bag of so many cards than for one of middling size."""


RULE_OF_THUMB = Habits(
    honest=(0.28, 0.30, 0.25, 0.20, 0.15, 0.14),
    liar=(0.48, 0.45, 0.36, 0.27, 0.20, 0.17),
    sizes=(0.4, 0.5, 0.8, 1.2, 2.2),
)
"""Who offers gets through sooner, and so does who has little in the bag."""
EXPERIENCE = Habits(
    honest=(0.33, 0.50, 0.28, 0.08, 0.05, 0.04),
    liar=(0.43, 0.60, 0.30, 0.10, 0.06, 0.05),
    sizes=(0.1, 0.12, 0.6, 2.2, 4.0),
)
"""How it is, counted in games of the bots: a little gold gives a liar away, much opens every gate, and of full bags
more are opened than not.
"""
_STRANGER_WEIGHT = 2.0
_OTHER_REPUTATION = 0.1
"""How much a decision about an honest merchant tells about one with a liar, and the other way round."""
_OTHER_OFFICER = 0.2
"""How much a decision tells about the other officers of this table."""
_SURELY, _HARDLY = 0.5, 0.2
"""How much a decision tells about other bribes: who let pass does so for more, who looked does so for less; the other
way round it tells less.
"""


class Officers:
    """How likely the officers of this round are to look into the own bag, by what is offered per card."""

    def __init__(self, view: View, memory: Memory, habits: Habits = RULE_OF_THUMB) -> None:
        self._setup, self._habits = view.state.setup, habits
        self._liar = memory.conduct[view.seat].is_liar
        unseen_by_all = [1.0] * (len(BRIBES_PER_CARD) + 1)
        for officer in view.state.officers:
            # Of two deputies either can open a bag (rule 10.3).
            for step, look in enumerate(self._looks(memory, officer)):
                unseen_by_all[step] *= 1 - look
        self._chances = [1 - unseen for unseen in unseen_by_all]

    def chance_to_look(self, bribe: float, count: int) -> float:
        """Return how likely a bag of so many cards is inspected if so much is offered."""
        look = self._chances[_step(bribe, count)]
        odds = self._habits.sizes[min(count, 5) - 1] * look / (1 - look)
        return odds / (1 + odds)

    def _looks(self, memory: Memory, officer: Seat) -> list[float]:
        """Return for every step of bribes how likely one officer looks."""
        usual = self._habits.liar if self._liar else self._habits.honest
        looks = [_STRANGER_WEIGHT * chance for chance in usual]
        weights = [_STRANGER_WEIGHT] * len(looks)
        for seat, decisions in memory.decisions.items():
            for decision in decisions:
                alike = 1.0 if seat == officer else _OTHER_OFFICER
                alike *= 1.0 if decision.was_liar == self._liar else _OTHER_REPUTATION
                at = _step(_worth(self._setup, decision.bribe), decision.count)
                inspected = decision.verb is Verb.INSPECT
                for step in range(len(looks)):
                    telling = 1.0 if step == at else _SURELY if (step < at) == inspected else _HARDLY
                    weights[step] += alike * telling
                    looks[step] += alike * telling * inspected
        return [look / weight for look, weight in zip(looks, weights, strict=True)]


class Observer:
    """Judges officers anew only when a bag was judged: most moments of a round know the same of them."""

    def __init__(self, memory: Memory, habits: Habits) -> None:
        self._memory, self._habits = memory, habits
        self._last: tuple[tuple[Seat, ...], int, Officers] | None = None

    def officers(self, view: View) -> Officers:
        """Return how likely those of this round are to look."""
        now, judged = view.state.officers, self._memory.judged
        if self._last is None or self._last[:2] != (now, judged):
            self._last = (now, judged, Officers(view, self._memory, self._habits))
        return self._last[2]


def _worth(setup: Setup, offer: Offer | None) -> float:
    return 0.0 if offer is None else things_value(setup, offer.gift.things, 0.7)


def _step(bribe: float, count: int) -> int:
    per_card = bribe / count
    return 0 if per_card <= 0 else sum(per_card >= step for step in BRIBES_PER_CARD)
