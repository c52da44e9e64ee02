"""How likely people are to lie, and officers to look: judged by what they did and by the cards that were seen."""

from collections import Counter
from dataclasses import dataclass
from math import comb

from p2p_sheriff.bots.memory import Conduct, Memory
from p2p_sheriff.bots.worth import things_value
from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.law import full_hand, is_contraband
from p2p_sheriff.rules.moves import Offer, Verb
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.view import View

# What is thought of a stranger: lies and true bags as if seen before, without and with a bribe on the table.
_STRANGER = {False: (0.9, 2.1), True: (1.8, 1.2)}
_STRANGER_BAGS = 1.5
"""How many own bags of a player weigh as much as what is thought of strangers at this table."""
_OTHER_KIND_OF_BAG = 0.4
"""How much a bribed bag tells about one without a bribe, and the other way round."""
_FALSE_SHARE = (2.6, 4.0)
"""Of how many cards in a stranger's lying bag how many are false."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What is thought of a closed bag."""

    lie: float
    """How likely it is a lie."""
    false_cards: float
    """How many cards would be confiscated if it is one."""


def unseen(view: View) -> Counter[Kind]:
    """Count the cards that this seat can't see: in the deck, in hands, face down, in the box."""
    left = Counter({good.kind: good.count for good in view.state.setup.goods})
    left.subtract(view.state.kinds.values())
    left.subtract(view.knowledge.kinds.values())
    return left


def suspicion(view: View, memory: Memory, bag: Seat, left: Counter[Kind]) -> Suspicion:
    """Judge a closed bag by its owner's past, by what was set aside and taken, and by the cards that are left."""
    story, conduct, state = memory.stories[bag], memory.conduct[bag], view.state
    bribed = story.bribe is not None
    lies, true = _STRANGER[bribed]
    for seat, other in memory.conduct.items():
        if seat not in (view.seat, bag):
            lies += _lies(other, bribed)
            true += _truths(other, bribed)
    scale = _STRANGER_BAGS / (lies + true)
    lies, true = lies * scale + _lies(conduct, bribed), true * scale + _truths(conduct, bribed)
    odds = lies / true / _chance_to_hold(full_hand(state) + 3, left, story.kind, story.count)
    if story.aside[story.kind]:
        odds *= 3.0
    if any(is_contraband(state, kind) for kind in story.aside):
        odds *= 0.5
    if story.taken[story.kind]:
        odds *= 0.5
    if any(is_contraband(state, kind) for kind in story.taken):
        odds *= 3.0
    share = (conduct.false_cards + _FALSE_SHARE[0]) / (conduct.false_of + _FALSE_SHARE[1])
    return Suspicion(odds / (1 + odds), max(1.0, share * story.count))


def _lies(conduct: Conduct, bribed: bool) -> float:
    return conduct.lies[bribed] + _OTHER_KIND_OF_BAG * conduct.lies[not bribed]


def _truths(conduct: Conduct, bribed: bool) -> float:
    return conduct.true[bribed] + _OTHER_KIND_OF_BAG * conduct.true[not bribed]


def _chance_to_hold(seen: int, left: Counter[Kind], kind: Kind, count: int) -> float:
    """Compare how likely a merchant who collects this good has so many of it with how likely one has three."""
    cards = max(1, left.total())
    share = min(0.6, max(0.02, left[kind] / cards))
    return min(2.0, max(0.2, _at_least(seen, share, count) / max(0.02, _at_least(seen, 0.22, 3))))


def _at_least(tries: int, share: float, count: int) -> float:
    return 1.0 - sum(comb(tries, hits) * share**hits * (1 - share) ** (tries - hits) for hits in range(count))


BRIBES_PER_CARD = (0.0, 1.0, 2.0, 3.0, 4.5)
"""How much a bribe is worth for each card of the bag: from nothing at all to generous."""
# How often a stranger looks into the bag of an honest merchant, and of a known liar: without a bribe, then with one
# below or from each step on.
_LOOKS = {False: (0.28, 0.30, 0.25, 0.20, 0.15, 0.14), True: (0.48, 0.45, 0.36, 0.27, 0.20, 0.17)}
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

    def __init__(self, view: View, memory: Memory) -> None:
        self._setup = view.state.setup
        self._liar = memory.has_lied(view.seat)
        unseen_by_all = [1.0] * (len(BRIBES_PER_CARD) + 1)
        for officer in view.state.officers:
            # Of two deputies either can open a bag (rule 10.3).
            for step, look in enumerate(self._looks(memory, officer)):
                unseen_by_all[step] *= 1 - look
        self._chances = [1 - unseen for unseen in unseen_by_all]

    def chance_to_look(self, bribe: float, count: int) -> float:
        """Return how likely a bag of so many cards is inspected if so much is offered."""
        return self._chances[_step(bribe, count)]

    def _looks(self, memory: Memory, officer: Seat) -> list[float]:
        """Return for every step of bribes how likely one officer looks."""
        looks = [_STRANGER_WEIGHT * chance for chance in _LOOKS[self._liar]]
        weights = [_STRANGER_WEIGHT] * len(looks)
        for seat, decisions in memory.decisions.items():
            for decision in decisions:
                alike = 1.0 if seat == officer else _OTHER_OFFICER
                alike *= 1.0 if decision.had_lied == self._liar else _OTHER_REPUTATION
                at = _step(_worth(self._setup, decision.bribe), decision.count)
                inspected = decision.verb is Verb.INSPECT
                for step in range(len(looks)):
                    telling = 1.0 if step == at else _SURELY if (step < at) == inspected else _HARDLY
                    weights[step] += alike * telling
                    looks[step] += alike * telling * inspected
        return [look / weight for look, weight in zip(looks, weights, strict=True)]


def _worth(setup: Setup, offer: Offer | None) -> float:
    return 0.0 if offer is None else things_value(setup, offer.gift.things, 0.7)


def _step(bribe: float, count: int) -> int:
    per_card = bribe / count
    return 0 if per_card <= 0 else sum(per_card >= step for step in BRIBES_PER_CARD)
