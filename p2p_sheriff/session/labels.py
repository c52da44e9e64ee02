"""Which label of the deck is which good: the table of goods, read off in its order."""

from collections.abc import Iterable
from functools import lru_cache

from p2p_sheriff.rules.cards import Kind
from p2p_sheriff.rules.setup import Setup
from protocol.cipher import card_points
from protocol.errors import LocalError
from protocol.group import Element, Group

GOODS = "goods"
"""The name of the deck of goods, in the contexts of proofs too."""


class Labels:
    """The cards of a table's deck: the first labels are the first good of its table, and so on."""

    def __init__(self, group: Group, setup: Setup) -> None:
        """Hashes all labels to the group."""
        self.points = card_points(group, GOODS, setup.cards)
        self._kinds = tuple(good.kind for good in setup.goods for _ in range(good.count))
        self._numbers = {point: label for label, point in enumerate(self.points)}

    def kind_of(self, point: Element) -> Kind:
        """Returns the kind of an unlocked card.

        Raises:
            LocalError: It is no card of this deck.
        """
        try:
            return self._kinds[self._numbers[point]]
        except KeyError:
            raise LocalError("this is no card of the deck: it was unlocked with a wrong key") from None

    def among(self, kinds: Iterable[Kind]) -> tuple[Element, ...]:
        """Returns the cards of these kinds, in the order of the deck."""
        wanted = frozenset(kinds)
        return tuple(point for point, kind in zip(self.points, self._kinds, strict=True) if kind in wanted)


@lru_cache(maxsize=16)
def labels_of(group: Group, setup: Setup) -> Labels:
    """Returns the labels of a table; equal tables share them."""
    return Labels(group, setup)
