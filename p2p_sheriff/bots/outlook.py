"""What to keep at the market, and what to take from the discards: the hand that promises the best bag."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain, combinations

from p2p_sheriff.bots.appraisal import Appraisal
from p2p_sheriff.bots.officers import BRIBES_PER_CARD, Officers
from p2p_sheriff.bots.routine import by_kind
from p2p_sheriff.rules.cards import Handle, Kind
from p2p_sheriff.rules.law import bag_room, fine_of, full_hand, market_limit, may_be_declared
from p2p_sheriff.rules.market import cards_needed
from p2p_sheriff.rules.view import View

_TYPICAL_BAG = 3
_TYPICAL_CONTRABAND = 7.0
_TYPICAL_FINE = 4.0


class Outlook:
    """Guesses what a hand will bring after some draws from the cards that are left."""

    def __init__(
        self, view: View, appraisal: Appraisal, officers: Officers, left: Counter[Kind], rivalry: float, thrill: float
    ) -> None:
        goods = view.state.setup.goods
        self._room = bag_room(view.state)
        cards = max(1, left.total())
        self._shares = [(good.kind, max(0, left[good.kind]) / cards) for good in goods]
        # A bribe per card is settled once, for a typical bag; after that every card has a price of its own.
        look, bribe = min(
            ((officers.chance_to_look(bribe * _TYPICAL_BAG, _TYPICAL_BAG), bribe) for bribe in BRIBES_PER_CARD),
            key=lambda way: way[0] * (_TYPICAL_CONTRABAND + _TYPICAL_FINE) + (1 - way[0]) * way[1],
        )
        toll = (1 - look) * bribe * (1 + rivalry)
        unbribed = officers.chance_to_look(0, _TYPICAL_BAG)
        worth = [appraisal.one(good.kind) for good in goods]
        fines = [fine_of(view.state, good.kind) * (1 + rivalry) for good in goods]
        false = [(1 - look) * value - look * fine - toll + thrill for value, fine in zip(worth, fines, strict=True)]
        # For every good that can be declared: what a card of it brings in a true bag, and all goods of a lying bag, the
        # best first. Cards of the declared good are safe there too.
        self._ways: list[tuple[int, float, list[tuple[int, float]]]] = []
        for own, good in enumerate(goods):
            if may_be_declared(view.state, good.kind):
                mixed = [(index, worth[own] - toll if index == own else value) for index, value in enumerate(false)]
                mixed.sort(key=lambda pair: -pair[1])
                useful = [(index, value) for index, value in mixed if value > 0]
                self._ways.append((own, worth[own] + unbribed * fines[own], useful))

    def of(self, held: Mapping[Kind, int], draws: int) -> float:
        """Return the value of the best bag to be expected: one legal good, or false cards with or without it."""
        expected = [held.get(kind, 0) + draws * share for kind, share in self._shares]
        best = 0.0
        for own, honest, mixed in self._ways:
            best = max(best, honest * min(self._room, expected[own]))
            lie, room = 0.0, float(self._room)
            for index, value in mixed:
                count = expected[index]
                if count >= room:
                    lie += room * value
                    break
                lie += count * value
                room -= count
            best = max(best, lie)
        return best


_WORTH_A_SECOND_LOOK = 3
"""How many hands are weighed again with what lies on the discard piles (first edition)."""


def cards_to_set_aside(view: View, outlook: Outlook) -> tuple[Handle, ...]:
    """Return the cards that the best hand to be expected does without. Equal cards stay together."""
    groups = by_kind(view.hand)
    most = market_limit(view.state, view.seat)
    missing = full_hand(view.state) - len(view.hand)
    hands = []
    for dropped in chain.from_iterable(combinations(groups, size) for size in range(len(groups) + 1)):
        count = sum(len(groups[kind]) for kind in dropped)
        if count <= most:
            held = {kind: len(cards) for kind, cards in groups.items() if kind not in dropped}
            hands.append((outlook.of(held, count + missing), held, count + missing, dropped))
    hands.sort(key=lambda hand: -hand[0])
    if view.state.setup.two_piles:
        hands = hands[:_WORTH_A_SECOND_LOOK]
        hands.sort(key=lambda hand: -max(value for value, _ in _takes(view, outlook, hand[1], hand[2])))
    return tuple(sorted(card.handle for kind in hands[0][3] for card in groups[kind]))


def cards_to_take(view: View, outlook: Outlook) -> tuple[int, int]:
    """Return how many cards of each discard pile make the hand better than the deck would (first edition)."""
    held = {kind: len(cards) for kind, cards in by_kind(view.hand).items()}
    ways = list(_takes(view, outlook, held, cards_needed(view.state, view.seat)))
    return max(ways, key=lambda way: way[0])[1]


def _takes(
    view: View, outlook: Outlook, held: Mapping[Kind, int], need: int
) -> Iterator[tuple[float, tuple[int, int]]]:
    """Weigh every number of cards from both piles; what is not taken there is drawn."""
    left, right = ([card.kind for card in reversed(pile[-need:])] if need else [] for pile in view.state.piles)
    for first in range(len(left) + 1):
        for second in range(min(len(right), need - first) + 1):
            hand = dict(held)
            for kind in left[:first] + right[:second]:
                hand[kind] = hand.get(kind, 0) + 1
            yield outlook.of(hand, need - first - second), (first, second)
