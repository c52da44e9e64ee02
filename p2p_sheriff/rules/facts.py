"""What is established about hidden cards and chance: by a dealer who holds the cards, or by proofs at the table."""

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from p2p_sheriff.rules.cards import Claim, Handle, Kind, Pack, Seat, Zone
from p2p_sheriff.rules.moves import (
    Discard,
    FillOrders,
    HandOver,
    KeepMan,
    LayLaws,
    LayOut,
    Move,
    OpenMove,
    PayInKind,
    Reorder,
    SetAside,
    Trade,
    UseMan,
)
from p2p_sheriff.rules.phases import Phase, Purpose


@dataclass(frozen=True, slots=True)
class Shuffled:
    """All goods have been shuffled into the deck (rule 2.3)."""

    cards: int


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """These discards have become the new deck (rule 9.1)."""

    cards: int


@dataclass(frozen=True, slots=True)
class Redealt:
    """The deck has been dealt anew around those who left (rule 19.3): so many cards are in it now."""

    cards: int


@dataclass(frozen=True, slots=True)
class Coin:
    """A joint random choice that nobody could bias fell on this value."""

    purpose: Purpose
    value: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """These new handles came from the deck to the seat."""

    seat: Seat
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Rearranged:
    """All hidden cards of the zone have got these new handles, in an order that nobody else knows."""

    seat: Seat
    zone: Zone
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """These cards of the seat are of these kinds, and all know it."""

    seat: Seat
    cards: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Proved:
    """Each of these hidden cards is of one of these kinds; nothing else is known of them."""

    seat: Seat
    handles: tuple[Handle, ...]
    kinds: tuple[Kind, ...]
    """In the order of the table of goods."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The commitment of the bag opens to these cards of the hand."""

    seat: Seat
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """These cards have gone over to the receiver (or LOOT), each with a new handle: pairs of (old, new)."""

    giver: Seat
    receiver: Seat
    handles: tuple[tuple[Handle, Handle], ...]


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The agreed time has run out (rule 12.2)."""

    round: int
    phase: Phase


@dataclass(frozen=True, slots=True)
class Left:
    """These players are out (rule 19.2), all at once, in seat order."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PackShuffled:
    """The cards of a module have been shuffled into their deck."""

    pack: Pack
    cards: int


@dataclass(frozen=True, slots=True)
class PackRedealt:
    """The deck of a module has been dealt anew around those who left: so many cards are in it now."""

    pack: Pack
    cards: int


@dataclass(frozen=True, slots=True)
class TurnedOver:
    """These cards came from the top of the deck of a module, face up."""

    pack: Pack
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealtOut:
    """These new handles came from the deck of a module: only these seats see the cards."""

    pack: Pack
    seats: tuple[Seat, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Unveiled:
    """These cards of a module, which only these seats had seen, lie open: pairs of (handle, name)."""

    pack: Pack
    seats: tuple[Seat, ...]
    cards: tuple[tuple[Handle, str], ...]


@dataclass(frozen=True, slots=True)
class WentUnder:
    """These cards lie under the deck of their module now; who did not hold them has not seen them."""

    pack: Pack
    seats: tuple[Seat, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Looked:
    """The seat has looked at this face-down card of another player's: nobody else knows what it is."""

    seat: Seat
    owner: Seat
    handle: Handle


@dataclass(frozen=True, slots=True)
class WentOnTop:
    """These goods lie on top of the deck again, the first uppermost."""

    seat: Seat
    handles: tuple[Handle, ...]


PackFact: TypeAlias = PackShuffled | PackRedealt | TurnedOver | DealtOut | Unveiled | WentUnder | Looked | WentOnTop
"""What happened with the deck of a module, or by its cards alone."""

Fact: TypeAlias = (
    Shuffled
    | Reshuffled
    | Redealt
    | Coin
    | Drawn
    | Rearranged
    | Shown
    | Proved
    | Opened
    | Given
    | TimeUp
    | Left
    | PackFact
)

Input: TypeAlias = Move | Fact
"""What `apply` takes: the same stream of inputs folds to the same state everywhere."""


def claims(item: Input) -> tuple[Claim, ...]:
    """Return the kinds that an input asserts of hidden cards: a table takes it only with a proof of them."""
    if isinstance(item, Shown | PayInKind | Trade | FillOrders | LayOut | Discard):
        return item.cards
    if isinstance(item, Fact | OpenMove | SetAside | HandOver | LayLaws | KeepMan | UseMan | Reorder):
        return ()
    assert_never(item)
