"""Which bag to pack: every sensible mix of true and false cards, weighed by what the officers may do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from p2p_sheriff.bots.appraisal import Appraisal
from p2p_sheriff.bots.officers import BRIBES_PER_CARD, Officers
from p2p_sheriff.bots.routine import by_kind
from p2p_sheriff.rules.cards import Card, Kind
from p2p_sheriff.rules.law import (
    bag_limits,
    declarable_kinds,
    fine_of,
    heavier,
    is_contraband,
    lie_fine,
    premium,
    tax_on,
)
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.view import View


@dataclass(frozen=True, slots=True)
class Plan:
    """A bag, what to say about it, what to offer for it, and what it is worth all in all."""

    cards: tuple[Card, ...]
    kind: Kind
    bribe: int
    value: float

    @property
    def false(self) -> int:
        """How many of the cards are not what is said."""
        return sum(card.kind != self.kind for card in self.cards)


@dataclass(frozen=True, slots=True)
class Prospects:
    """What a bag brings if it passes for nothing, and if it is inspected."""

    passed: float
    inspected: float

    @property
    def at_stake(self) -> float:
        """What an inspection costs: below zero for a true bag."""
        return self.passed - self.inspected


class Packing:
    """Weighs bags for one seat at one moment."""

    def __init__(self, view: View, appraisal: Appraisal, officers: Officers, rivalry: float) -> None:
        self._view = view
        self._appraisal = appraisal
        self._officers = officers
        self._bribes: dict[int, list[tuple[int, float]]] = {}
        self._rivalry = rivalry

    def prospects(self, kinds: Sequence[Kind], declared: Kind) -> Prospects:
        """Return what a bag of these kinds brings if it is declared so."""
        passed = self._appraisal.of({kind: kinds.count(kind) for kind in dict.fromkeys(kinds)})
        state, false = self._view.state, [kind for kind in kinds if kind != declared]
        if state.laws:
            passed += premium(state) * sum(is_contraband(state, kind) for kind in kinds) - tax_on(state, declared)
        man = MEN[self._view.man or ""] if self._man_in_bag() else None
        passed += man.value if man else 0
        if not false and man is None:
            return Prospects(passed, passed + (1 + self._rivalry) * fine_of(self._view.state, declared) * len(kinds))
        fines = sum(lie_fine(self._view.state, kind) for kind in false)
        fines += man.fine + heavier(state) if man else 0
        kept = self._appraisal.of({declared: len(kinds) - len(false)})
        return Prospects(passed, kept - (1 + self._rivalry) * fines)

    def _man_in_bag(self) -> bool:
        return not set(self._view.me.men).isdisjoint(self._view.knowledge.bag)

    def plans(self, decoy: Kind) -> Iterator[Plan]:
        """Give the sensible plans for the hand; the decoy is a good that may be declared without having any."""
        hand = self._view.hand
        groups = by_kind(hand)
        least, most = bag_limits(self._view.state, self._view.seat)
        ranked = sorted(hand, key=lambda card: (-self._appraisal.one(card.kind), card.handle))
        for declared in [kind for kind in declarable_kinds(self._view.state) if kind in groups or kind == decoy]:
            own = groups.get(declared, [])
            others = [card for card in ranked if card.kind != declared]
            for false in range(min(most, len(others)) + 1):
                cards = (*own[: most - false], *others[:false])
                if len(cards) >= least:
                    yield self.plan(cards, declared)

    def plan(self, cards: tuple[Card, ...], declared: Kind) -> Plan:
        """Choose the bribe for a bag."""
        prospects = self.prospects([card.kind for card in cards], declared)
        best_bribe, best_value = 0, -inf
        for bribe, look in self._offers(len(cards))[: None if prospects.at_stake > 0 else 1]:
            value = look * prospects.inspected + (1 - look) * (prospects.passed - (1 + self._rivalry) * bribe)
            if value > best_value:
                best_bribe, best_value = bribe, value
        return Plan(cards, declared, best_bribe, best_value)

    def _offers(self, count: int) -> list[tuple[int, float]]:
        """Return what can be offered for a bag of so many cards, nothing first, and how likely it is inspected then."""
        if count not in self._bribes:
            bribes = [round(each * count) for each in BRIBES_PER_CARD]
            self._bribes[count] = [
                (gold, self._officers.chance_to_look(gold, count)) for gold in bribes if gold <= self._view.me.gold
            ]
        return self._bribes[count]
