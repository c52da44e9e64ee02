"""What must happen next. Every node computes the same demands from the same state, so nobody has to ask.

A demand never depends on anything hidden. `by` names whose answers it takes, in that order; empty means all seats
that are in the game, one after the other or all at once, as a shuffle, a draw or a joint coin needs it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2p_sheriff.rules.cards import Goods, Handle, Kind, Pack, Seat, Zone
from p2p_sheriff.rules.phases import Purpose


class Choice(Enum):
    """What a seat has to choose; `legal_moves` gives the moves or their bounds."""

    NAME_FIRST = "name the merchant who begins"
    SET_ASIDE = "set cards aside"
    TAKE_DISCARDS = "take from the discard piles"
    LAY_DOWN = "lay cards onto a pile"
    LOAD = "load the bag"
    DECLARE = "declare"
    ACT = "deal with the bags"
    HAND_OVER = "choose the cards promised blind"
    PAY_IN_KIND = "pay a fine in goods"
    TRADE = "trade at the black market, or not"
    LAY_LAWS = "lay laws"
    LAY_OUT = "put a legal card of the hand onto the stall, or not"
    KEEP_MAN = "keep a merry man"
    SEND = "send a merry man on his errand, or not"
    DISCARD = "discard cards of the hand, or swap them"
    REORDER = "put cards back onto the deck"
    FILL_ORDERS = "fill special orders, or not"
    SHARE_LOOT = "say how to share the Loot"
    PICK_LOOT = "pick from the Loot"


@dataclass(frozen=True, slots=True)
class OfOneSeat:
    """What one seat does by itself."""

    seat: Seat

    @property
    def by(self) -> tuple[Seat, ...]:
        """Who answers."""
        return (self.seat,)


class Around:
    """What goes around the table: several seats do it together."""

    __slots__ = ()

    @property
    def by(self) -> tuple[Seat, ...]:
        """Who answers."""
        return ()


@dataclass(frozen=True, slots=True)
class Choose(OfOneSeat):
    """A choice of one seat: answered by a move."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class Shuffle(Around):
    """Shuffle all goods into the deck: answered by `Shuffled`. With missing cards (12.3) the last 10 stay out."""

    cards: int


@dataclass(frozen=True, slots=True)
class Reshuffle(Around):
    """Shuffle these discards into a new deck: answered by `Reshuffled`."""

    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Redeal(Around):
    """Deal the deck anew around those who left: answered by `Redealt` with exactly so many cards (19.3, 19.7)."""

    cards: int


@dataclass(frozen=True, slots=True)
class Toss(Around):
    """Draw a number from 0 up to, without, `sides` that nobody can bias: answered by `Coin`."""

    purpose: Purpose
    sides: int


@dataclass(frozen=True, slots=True)
class Draw(Around):
    """Draw from the deck to the seat: answered by `Drawn`.

    Several may be demanded at once: the table may serve them in one pass, but their facts come in this order.
    """

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class Rearrange(OfOneSeat):
    """Give all hidden cards of a zone new handles in a secret order: answered by `Rearranged`."""

    zone: Zone
    count: int


@dataclass(frozen=True, slots=True)
class Mix(Around):
    """Lay hidden cards that lie under the locks of several seats anew, each seat in turn: answered by `Rearranged`.

    The fact names the first of them; nobody knows then which card was which, unless all of them tell each other.
    """

    seats: tuple[Seat, ...]
    handles: tuple[Handle, ...]

    @property
    def by(self) -> tuple[Seat, ...]:
        """Who answers."""
        return self.seats


@dataclass(frozen=True, slots=True)
class Show(OfOneSeat):
    """Show all of these cards to all: answered by `Shown` with exactly these handles, in any order."""

    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class ShowKinds(OfOneSeat):
    """Show, of these cards, every one whose kind is in `all_of`, and of each owed kind as many as are owed or there.

    Answered by `Shown`, with no cards if there are none; a `Prove` follows if something must be proved of the rest.
    """

    handles: tuple[Handle, ...]
    all_of: tuple[Kind, ...]
    owed: Goods


@dataclass(frozen=True, slots=True)
class Prove(OfOneSeat):
    """Prove that each of these cards is one of these kinds, and nothing else: answered by `Proved`, the same values."""

    handles: tuple[Handle, ...]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class Open(OfOneSeat):
    """Open the commitment of the bag: answered by `Opened`."""


@dataclass(frozen=True, slots=True)
class Give(Around):
    """Hand these cards over: answered by `Given` with a new handle for each, in this order."""

    giver: Seat
    receiver: Seat
    """A seat, or LOOT: then both deputies receive."""
    receivers: tuple[Seat, ...]
    """The seats that take part in receiving."""
    handles: tuple[Handle, ...]

    @property
    def by(self) -> tuple[Seat, ...]:
        """Who answers: first those who receive, then the giver, whose answer completes it."""
        return (*self.receivers, self.giver)


@dataclass(frozen=True, slots=True)
class ShufflePack(Around):
    """Shuffle the deck of a module: answered by `PackShuffled`."""

    pack: Pack
    cards: int


@dataclass(frozen=True, slots=True)
class RedealPack(Around):
    """Deal the deck of a module anew around those who left: answered by `PackRedealt` with exactly so many cards."""

    pack: Pack
    cards: int


@dataclass(frozen=True, slots=True)
class TurnOver(Around):
    """Turn so many cards of the deck of a module face up, from the top on: answered by `TurnedOver`."""

    pack: Pack
    count: int


@dataclass(frozen=True, slots=True)
class DealOut(Around):
    """Draw so many cards of the deck of a module, for these seats' eyes together: answered by `DealtOut`."""

    pack: Pack
    seats: tuple[Seat, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Unveil(Around):
    """Turn up these cards of a module that only these seats have seen: answered by `Unveiled`, in this order."""

    pack: Pack
    seats: tuple[Seat, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class PutUnder(Around):
    """Put these cards back under the deck of a module, unseen by the others: answered by `WentUnder`."""

    pack: Pack
    seats: tuple[Seat, ...]
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class LetLook(Around):
    """Let the seat look at a face-down card of somebody else's: answered by `Looked`."""

    seat: Seat
    owner: Seat
    handle: Handle


@dataclass(frozen=True, slots=True)
class PutOnTop(Around):
    """Put these goods back onto the deck, the first on top: answered by `WentOnTop`."""

    seat: Seat
    handles: tuple[Handle, ...]


PackDemand: TypeAlias = ShufflePack | RedealPack | TurnOver | DealOut | Unveil | PutUnder | LetLook | PutOnTop
"""What happens with the deck of a module, or by its cards alone."""

Demand: TypeAlias = (
    Choose
    | Shuffle
    | Reshuffle
    | Redeal
    | Toss
    | Draw
    | Rearrange
    | Mix
    | Show
    | ShowKinds
    | Prove
    | Open
    | Give
    | PackDemand
)
