"""The Loot as deputies share it (rule 10.5): gold, and cards by kind, for those that lie face down are all alike."""

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from p2p_sheriff.rules import Kind
from p2p_sheriff.rules.moves import Split
from p2p_sheriff.rules.state import Loot

Pile: TypeAlias = Mapping[Kind | None, int]
"""How many cards of each kind; None: face down."""


def lying(loot: Loot) -> Pile:
    """Returns the cards that lie on the Loot, those of the black market too."""
    return Counter[Kind | None]([*(card.kind for card in loot.cards), *loot.prizes])


def split_of(loot: Loot, gold: int, wanted: Pile) -> Split:
    """Returns the split that gives so much to the first-drawn deputy, and the rest to the other one."""
    left, cards = Counter(wanted), []
    for card in loot.cards:
        if left[card.kind] > 0:
            left[card.kind] -= 1
            cards.append(card.handle)
    return Split(gold, tuple(sorted(cards)), tuple(sorted(prize for prize in loot.prizes if left[prize] > 0)))


def shares(loot: Loot, split: Split) -> tuple[tuple[int, Pile], tuple[int, Pile]]:
    """Returns what each of the deputies gets, the first-drawn one first."""
    given = [card.kind for card in loot.cards if card.handle in split.cards]
    first = Counter[Kind | None]([*given, *split.prizes])
    return (split.gold, first), (loot.gold - split.gold, Counter(lying(loot)) - first)
