"""Bounds of moves that have too many variants to list: every move within them is allowed, one step outside is not."""

from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules.cards import Goods, Handle, Kind, Seat
from p2p_sheriff.rules.moves import Move


@dataclass(frozen=True, slots=True)
class SetAsideBounds:
    """`SetAside`: 0 to `most` of these cards, each once."""

    seat: Seat
    handles: tuple[Handle, ...]
    most: int


@dataclass(frozen=True, slots=True)
class LayDownBounds:
    """`LayDown`: onto one of the piles 0 to `piles` - 1, all of these cards in any order."""

    seat: Seat
    piles: int
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class LoadBounds:
    """`Load`: a commitment to `least` to `most` of these cards, each once; `check_load` checks the private side."""

    seat: Seat
    handles: tuple[Handle, ...]
    least: int
    most: int
    man: Handle | None = None
    """The own merry man may come along as one card of the most that a bag holds (rule 16.2)."""


@dataclass(frozen=True, slots=True)
class OfferBounds:
    """`Offer`: acts on one or more of these bags, each once, and one gift to those who act of at most all this."""

    seat: Seat
    number: int
    """The least number that the offer may have."""
    giver: Seat
    officers: tuple[Seat, ...]
    bags: tuple[Seat, ...]
    """The bags that acts may name, in any order."""
    gold: int
    stall: Goods
    stack: int
    """How many face-down cards at most can be promised blind; by kind there is no limit (rule 7.8)."""
    stack_kinds: tuple[Kind, ...]
    bag: int
    """How many cards of the giver's bag at most can be promised blind, if an act passes that bag.

    With 0 nothing can be promised from it; else by kind there is no limit.
    """
    bag_kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class HandOverBounds:
    """`HandOver`: exactly `count` of these cards."""

    seat: Seat
    handles: tuple[Handle, ...]
    count: int


@dataclass(frozen=True, slots=True)
class PayInKindBounds:
    """`PayInKind`: of these goods and these face-down cards, worth at least the amount and none superfluous.

    If all of them are not worth the amount: all of them.
    """

    seat: Seat
    amount: int
    goods: Goods
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class TradeBounds:
    """`Trade`: three of these cards, if three of them are of one of these kinds."""

    seat: Seat
    handles: tuple[Handle, ...]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class LayOutBounds:
    """`LayOut`: one of these cards, if it is of one of these kinds."""

    seat: Seat
    handles: tuple[Handle, ...]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class DiscardBounds:
    """`Discard`: exactly `count` of these cards; in a swap, for as many of these discards, or none at all."""

    seat: Seat
    handles: tuple[Handle, ...]
    count: int
    taken: tuple[Handle, ...] | None
    """None: no swap."""


@dataclass(frozen=True, slots=True)
class OrderBounds:
    """`FillOrders`: some of these orders, each with its two goods: of those that lie open, or of these hidden cards."""

    seat: Seat
    orders: tuple[str, ...]
    open_kinds: tuple[Kind, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class SplitBounds:
    """`ShareLoot` with a split: for the first-drawn deputy up to so much gold, and any of these cards and prizes."""

    seat: Seat
    gold: int
    cards: tuple[Handle, ...]
    prizes: tuple[Kind, ...]


Bounds: TypeAlias = (
    SetAsideBounds
    | LayDownBounds
    | LoadBounds
    | OfferBounds
    | HandOverBounds
    | PayInKindBounds
    | TradeBounds
    | OrderBounds
    | LayOutBounds
    | DiscardBounds
    | SplitBounds
)

LegalMove: TypeAlias = Move | Bounds
