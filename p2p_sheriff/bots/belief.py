"""What to believe of a closed bag: how likely it is a lie, and how much of it would be confiscated."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import comb, exp, log

from p2p_sheriff.bots.memory import Conduct, Memory
from p2p_sheriff.bots.worth import things_value
from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.law import full_hand, is_contraband
from p2p_sheriff.rules.view import View

# What each piece of evidence adds to the logarithm of the odds of a lie. It was fitted to games of the bots, and then
# moved towards what people do: they are more faithful to their past than bots, who know what is thought of them.
_NO_BRIBE, _BRIBE = -0.1, 0.4
_GOLD_PER_CARD = 0.05
"""For each coin that is offered for each card: who has more to hide offers more."""
_MOST_GOLD_PER_CARD = 4.0
_PAST, _TABLE = 0.7, 0.2
"""How much the owner's past weighs, and that of all others."""
_PAST_BAGS, _TABLE_BAGS = 2.0, 4.0
"""How many bags must be seen before the past weighs half."""
_OTHERWISE = 0.4
"""How much a bag that was paid for tells about one that was not, and the other way round."""
_JUST_SET_ASIDE = 1.3
_CONTRABAND_SET_ASIDE = -0.35
_TAKEN, _CONTRABAND_TAKEN = -0.7, 1.1
_SIZE = (-0.9, -0.4, 0.0, 0.4, 0.5)
_HARD_TO_HOLD = 1.3

_FALSE_SHARE = (2.0, 4.0)
"""Of how many cards in a stranger's lying bag how many are false."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """What is thought of a closed bag."""

    odds: float
    """How likely it is a lie: the logarithm of the odds."""
    false_cards: float
    """How many cards would be confiscated if it is one."""

    @property
    def lie(self) -> float:
        """How likely it is a lie."""
        return 1 / (1 + exp(-self.odds))


def unseen(view: View) -> Counter[Kind]:
    """Count the cards that this seat can't see: in the deck, in hands, face down, in the box."""
    left = Counter({good.kind: good.count for good in view.state.setup.goods})
    left.subtract(view.state.kinds.values())
    left.subtract(view.knowledge.kinds.values())
    return left


def suspicion(view: View, memory: Memory, bag: Seat, left: Counter[Kind]) -> Suspicion:
    """Judge a closed bag by its owner's past, what was set aside, taken and offered, and the cards that are left."""
    story, conduct, state = memory.stories[bag], memory.conduct[bag], view.state
    odds = _NO_BRIBE
    if story.bribe is not None:
        gold = things_value(state.setup, story.bribe.gift.things, 1.0) / story.count
        odds = _BRIBE + _GOLD_PER_CARD * min(gold, _MOST_GOLD_PER_CARD)
    others = [other for seat, other in memory.conduct.items() if seat not in (view.seat, bag)]
    odds += _PAST * _habit(conduct, quiet=story.bribe is None) + _TABLE * _tendency(others, _TABLE_BAGS)
    odds += _JUST_SET_ASIDE * (story.aside[story.kind] > 0) + _TAKEN * (story.taken[story.kind] > 0)
    odds += _CONTRABAND_SET_ASIDE * sum(count for kind, count in story.aside.items() if is_contraband(state, kind))
    odds += _CONTRABAND_TAKEN * any(is_contraband(state, kind) for kind in story.taken)
    odds += _SIZE[min(story.count, len(_SIZE)) - 1]
    odds -= _HARD_TO_HOLD * log(_chance_to_hold(full_hand(state) + 3, left, story.kind, story.count))
    share = (conduct.false_cards + _FALSE_SHARE[0]) / (conduct.false_of + _FALSE_SHARE[1])
    return Suspicion(odds, max(1.0, share * story.count))


def _habit(conduct: Conduct, *, quiet: bool) -> float:
    """Return the log-odds of a lie by the owner's past: mostly by the bags for which the same was done, pay or not."""
    paid_lies, paid_true = conduct.lies - conduct.quiet_lies, conduct.true - conduct.quiet_true
    quiet_weight, paid_weight = (1.0, _OTHERWISE) if quiet else (_OTHERWISE, 1.0)
    lies = _PAST_BAGS / 2 + quiet_weight * conduct.quiet_lies + paid_weight * paid_lies
    true = _PAST_BAGS / 2 + quiet_weight * conduct.quiet_true + paid_weight * paid_true
    return log(lies / true)


def _tendency(people: Iterable[Conduct], unknown: float) -> float:
    """Return the log-odds of a lie by the past, as if so many bags had been seen besides, half of them lies."""
    lies = true = unknown / 2
    for conduct in people:
        lies += conduct.lies
        true += conduct.true
    return log(lies / true)


def _chance_to_hold(seen: int, left: Counter[Kind], kind: Kind, count: int) -> float:
    """Compare how likely a merchant who collects this good has so many of it with how likely one has three."""
    cards = max(1, left.total())
    share = min(0.6, max(0.02, left[kind] / cards))
    return min(2.0, max(0.35, _at_least(seen, share, count) / max(0.02, _at_least(seen, 0.22, 3))))


def _at_least(tries: int, share: float, count: int) -> float:
    return 1.0 - sum(comb(tries, hits) * share**hits * (1 - share) ** (tries - hits) for hits in range(count))
