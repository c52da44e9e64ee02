"""Cards as everybody at the table can speak of them: by handle, by kind once shown, by the place where they lie."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import NewType, TypeAlias

Seat = NewType("Seat", int)
"""A place at the table, 0 upwards clockwise: "left" is the next higher one (rule 2.1)."""

Handle = NewType("Handle", int)
"""One card as it lies now. A card that moves unseen gets a new handle, and a handle never comes back."""

Kind: TypeAlias = str
"""The name of a good in the table of rule 1, of an extra good (12.5), or of a black-market card (13.1)."""

Goods: TypeAlias = tuple[tuple[Kind, int], ...]
"""Goods by kind and number, each kind once, in the order of the table."""

LOOT = Seat(-1)
"""Where a receiver is named: both deputies together, that is, the Loot (rule 10.3)."""


def receiver_of(officers: tuple[Seat, ...]) -> Seat:
    """Return who gets what the sheriff or the deputies take: together they put it onto the Loot (rule 10.3)."""
    return officers[0] if len(officers) == 1 else LOOT


class Zone(Enum):
    """Where the cards of one seat lie."""

    HAND = "hand"
    STALL = "stall"
    """Face up."""
    STACK = "stack"
    """Face down above the stall."""
    BAG = "bag"
    """In an open bag; the cards of a closed one still count as hand, because nobody knows which they are."""
    PILES = "piles"
    """On a discard pile, still under the lock of who discarded them."""
    LOOT = "loot"
    MEN = "men"
    """Merry men in front of their owner, face down."""
    PEEKED = "peeked"
    """Goods of the top of the deck that are looked at, and go back there."""


class Pack(Enum):
    """A deck of a module: its cards are no goods, and lie apart from them."""

    ORDERS = "orders"
    LAWS = "laws"
    MERRY_MEN = "merry men"


@dataclass(frozen=True, slots=True)
class Card:
    """A card whose kind all know."""

    handle: Handle
    kind: Kind
    keeper: Seat
    """Who held it last: it lies under their lock, and goes back into the deck if they leave (rule 19.3)."""


Claim: TypeAlias = tuple[Handle, Kind]
"""A hidden card and the kind that its owner says, and proves, it is."""


def kinds_of(cards: Iterable[Card]) -> tuple[Kind, ...]:
    """Return the kinds of the cards, in their order."""
    return tuple(card.kind for card in cards)
