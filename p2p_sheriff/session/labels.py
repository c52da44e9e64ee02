"""Which label of a deck is which card: the tables of goods and of the modules, read off in their order."""

from collections.abc import Iterable
from functools import lru_cache

from p2p_sheriff.rules.cards import Kind, Pack
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.setup import Setup
from protocol.cipher import card_points
from protocol.errors import LocalError
from protocol.group import Element, Group
from protocol.proofs.pedersen import generators, second_base

GOODS = "goods"
"""The name of the deck of goods, in the contexts of proofs too."""


def name_of(pack: Pack | None) -> str:
    """Returns the name of the deck of a module, or that of the goods."""
    return GOODS if pack is None else pack.value


class Labels:
    """The cards of a table's decks: the first labels of the goods are the first good of its table, and so on."""

    def __init__(self, group: Group, setup: Setup) -> None:
        """Hashes all labels to the group."""
        goods = tuple(good.kind for good in setup.goods for _ in range(good.count))
        cards = {GOODS: goods, **{name_of(pack): cards_of(setup, pack) for pack in setup.packs}}
        self.decks = {name: card_points(group, name, len(kinds)) for name, kinds in cards.items()}
        """All points of each deck by its name."""
        self._kinds = {
            point: kind for name, kinds in cards.items() for point, kind in zip(self.decks[name], kinds, strict=True)
        }
        self._sets: dict[frozenset[Kind], tuple[Element, ...]] = {}
        for good in setup.goods:  # Of all kinds alike: whose are looked up first must not be seen in what it takes.
            self.among((good.kind,))

    @property
    def points(self) -> tuple[Element, ...]:
        """The points of the goods."""
        return self.decks[GOODS]

    def kind_of(self, point: Element) -> Kind:
        """Returns the kind of an unlocked good, or the name of an unlocked card of a module.

        Raises:
            LocalError: It is no card of these decks.
        """
        try:
            return self._kinds[point]
        except KeyError:
            raise LocalError("this is no card of the decks: it was unlocked with a wrong key") from None

    def among(self, kinds: Iterable[Kind]) -> tuple[Element, ...]:
        """Returns the goods of these kinds, in the order of the deck."""
        wanted = frozenset(kinds)
        if wanted not in self._sets:
            self._sets[wanted] = tuple(point for point in self.points if self._kinds[point] in wanted)
        return self._sets[wanted]


def make_points(group: Group, setup: Setup) -> None:
    """Makes all points that a game needs, once in a process: a third of a second that nobody has to wait for."""
    labels_of(group, setup)
    generators(group, setup.cards)
    second_base(group)


@lru_cache(maxsize=16)
def labels_of(group: Group, setup: Setup) -> Labels:
    """Returns the labels of a table; equal tables share them."""
    return Labels(group, setup)
