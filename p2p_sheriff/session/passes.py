"""Work that goes around the table: one seat after the other, or all at once, until the last one completes it."""

from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Handle, Seat
from protocol.deck import Card


@dataclass(frozen=True, slots=True)
class Mixing:
    """Each seat in turn shuffles the list under a fresh lock."""

    cards: tuple[Card, ...]
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Gathering:
    """Before discards are shuffled, each seat in turn puts all of them under one fresh lock of its own."""

    cards: tuple[Card, ...]
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Dealing:
    """Each seat in turn takes its lock off the cards that are not for itself."""

    cards: tuple[Card, ...]
    receivers: tuple[Seat, ...]
    """For each card, who draws it."""
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Committing:
    """All seats at once commit to a share of the joint coin."""

    commitments: tuple[tuple[Seat, bytes], ...]
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Revealing:
    """All seats at once reveal their shares."""

    commitments: tuple[tuple[Seat, bytes], ...]
    shares: tuple[bytes, ...]
    waiting: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Giving:
    """Cards change hands: the receiver puts a lock on, then the giver takes the own one off."""

    handles: tuple[Handle, ...]
    cards: tuple[Card, ...]
    waiting: tuple[Seat, ...]


Passing: TypeAlias = Mixing | Gathering | Dealing | Committing | Revealing | Giving


def expected(passing: Passing) -> tuple[Seat, ...]:
    """Returns whose entries come next."""
    match passing:
        case Committing() | Revealing():
            return passing.waiting
        case _:
            return passing.waiting[:1]


def to_strip(passing: Dealing, seat: Seat) -> tuple[int, ...]:
    """Returns the places of the cards that the seat's lock comes off."""
    return tuple(place for place, receiver in enumerate(passing.receivers) if receiver != seat)
