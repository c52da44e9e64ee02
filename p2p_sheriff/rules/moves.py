"""What players choose. Every move names the seat that makes it; a move is data and checks nothing by itself."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from p2p_sheriff.rules.cards import LOOT, Claim, Goods, Handle, Kind, Seat, receiver_of


class Verb(Enum):
    """What can be done with a bag (rule 7.1)."""

    PASS = "pass"  # noqa: S105 - a verb.
    INSPECT = "inspect"


@dataclass(frozen=True, slots=True)
class Act:
    """Pass or inspect the bag of one merchant."""

    bag: Seat
    verb: Verb


@dataclass(frozen=True, slots=True)
class Things:
    """What is given in a deal (rules 7.3 and 7.7). All goods are named by kind and number."""

    gold: int = 0
    stall: Goods = ()
    """Goods that lie open: legal goods of the stall, and black-market cards by their own name."""
    stack: Goods = ()
    """Face-down goods by kind: owed as far as they exist (rule 7.8)."""
    stack_blind: int = 0
    """A number of face-down cards; the giver chooses which."""
    bag: Goods = ()
    """Goods of the giver's bag by kind, legal or not: owed as far as they exist."""
    bag_blind: int = 0
    """A number of contraband cards of the giver's bag, as far as they exist; the giver chooses which."""


NOTHING = Things()


class Condition(Enum):
    """What a surety hangs on: how the bag of the deal's first act, an inspection, is found (rule 7.4)."""

    IF_TRUE = "true"
    IF_LIE = "lie"


@dataclass(frozen=True, slots=True)
class Gift:
    """What one party gives another in a deal (rule 7.4)."""

    giver: Seat
    receiver: Seat
    """A player, or the Loot where both deputies get it together (rule 10.4)."""
    things: Things
    condition: Condition | None = None
    """None: it is due in any case."""


@dataclass(frozen=True, slots=True)
class NameFirst:
    """The sheriff, or the first-drawn deputy, names the merchant who begins the market (rules 4.1 and 10.2)."""

    seat: Seat
    merchant: Seat


@dataclass(frozen=True, slots=True)
class SetAside:
    """Set aside cards of the hand at the market (rules 4.2 and 4.3)."""

    seat: Seat
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class TakeDiscards:
    """First edition: how many cards to take from the top of each discard pile; the rest comes from the deck (4.3)."""

    seat: Seat
    counts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class LayDown:
    """First edition: put set-aside or confiscated cards onto one pile, in this order, the last on top (4.3, 7.13)."""

    seat: Seat
    pile: int
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Load:
    """Close the bag (rule 5.1). What is in it stays with its owner: all see only a commitment to it."""

    seat: Seat
    commitment: bytes


@dataclass(frozen=True, slots=True)
class Declare:
    """Hand the bag over and declare a number of one legal good (rule 6.1)."""

    seat: Seat
    count: int
    kind: Kind


OfferName: TypeAlias = tuple[Seat, int]
"""The author of an offer, and the number that the author gave it: they name it for ever."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a deal (rule 7.4): who gives what, and what the sheriff or the deputies do, or nothing: a trade.

    It is closed when every party besides its author has accepted it.
    """

    seat: Seat
    number: int
    """Chosen by the author, for no offer before: seat and number name the offer for ever."""
    officers: tuple[Seat, ...]
    """The sheriff; or one deputy, or both in the order in which they were drawn (rule 10.4)."""
    gifts: tuple[Gift, ...]
    acts: tuple[Act, ...]
    """Which bags are passed or inspected, in order."""
    promise: str = ""
    """Words: shown and recorded, never enforced (rule 7.5)."""

    @classmethod
    def bribe(
        cls,
        seat: Seat,
        number: int,
        giver: Seat,
        officers: tuple[Seat, ...],
        acts: tuple[Act, ...],
        things: Things = NOTHING,
        promise: str = "",
    ) -> "Offer":
        """Return the offer, made by this seat, that one merchant gives something to those who act."""
        return cls(seat, number, officers, (Gift(giver, receiver_of(officers), things),), acts, promise)

    @property
    def name(self) -> OfferName:
        """What names it."""
        return self.seat, self.number

    @property
    def is_bribe(self) -> bool:
        """Whether it is of the plain kind: one gives something, in any case, to those who act for it."""
        match self.gifts:
            case (Gift(receiver=receiver, condition=None),):
                return receiver == receiver_of(self.officers) and self.acts != ()
            case _:
                return False

    @property
    def gift(self) -> Gift:
        """What is given in a bribe."""
        (gift,) = self.gifts
        return gift

    @property
    def parties(self) -> tuple[Seat, ...]:
        """All who give or get, and always those whom it is made to; its author must be one of them."""
        given = (seat for gift in self.gifts for seat in (gift.giver, gift.receiver) if seat != LOOT)
        return tuple(dict.fromkeys((*given, *self.officers)))

    @property
    def bags(self) -> frozenset[Seat]:
        """Whose bags it is about."""
        return frozenset(act.bag for act in self.acts)


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Take back an own offer that stands (rule 7.4)."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Refuse the very offer that this author has numbered so: a party's refusal ends it (rule 7.4)."""

    seat: Seat
    author: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept the very offer that this author has numbered so (rule 7.4)."""

    seat: Seat
    author: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Pass:
    """Let a bag pass; this accepts its owner's own standing offer, unless it is for nothing (rule 7.6)."""

    seat: Seat
    bag: Seat
    for_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Inspect:
    """Inspect a bag (rule 7.1)."""

    seat: Seat
    bag: Seat


@dataclass(frozen=True, slots=True)
class Stance:
    """A deputy says, openly, what to do with a bag for nothing; for an offer is said by accepting it (rule 10.4)."""

    seat: Seat
    bag: Seat
    verb: Verb


@dataclass(frozen=True, slots=True)
class Apart:
    """A deputy says that they won't agree: the one who wants to open the bag acts alone from here on (10.3, 10.4)."""

    seat: Seat
    bag: Seat


@dataclass(frozen=True, slots=True)
class HandOver:
    """Who promised cards blind chooses them (rule 7.7)."""

    seat: Seat
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class PayInKind:
    """Goods for a fine that gold does not cover (rules 7.14 and 7.15). Claims are proved along with the move."""

    seat: Seat
    goods: Goods
    """Legal goods of the stall; or, once these are gone, black-market cards."""
    cards: tuple[Claim, ...] = ()
    """Face-down cards, revealed."""


@dataclass(frozen=True, slots=True)
class Trade:
    """Show three face-down cards of a kind for a black-market card, or none: no trade (rule 13.2). Proved, too."""

    seat: Seat
    cards: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class LayLaws:
    """Lay laws of those drawn, the first into slot 1 (rule 15.1). The one that is left goes under the deck."""

    seat: Seat
    laid: tuple[Handle, ...]
    shown: bool = False
    """Whether all see the other one, too."""


@dataclass(frozen=True, slots=True)
class LayOut:
    """Put a legal card of the hand onto the own stall, or none (15.4, 16.6). What it is, is proved along with it."""

    seat: Seat
    cards: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepMan:
    """Keep one of the merry men that were dealt; the other goes under the deck, unseen (rules 16.1 and 16.3)."""

    seat: Seat
    handle: Handle


@dataclass(frozen=True, slots=True)
class UseMan:
    """Send the merry man who got in on his errand, or waive it (rule 16.3). What the fields mean, he says (16.6)."""

    seat: Seat
    use: bool = True
    who: tuple[Seat, ...] = ()
    """Whom it is done to, and for."""
    gold: tuple[int, ...] = ()
    """What those after the first of them get."""
    goods: tuple[Kind, ...] = ()
    """Goods that lie open, the own one first."""
    cards: tuple[Handle, ...] = ()
    """Cards of others, or of a discard pile."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard cards of the hand, face up, and take as many discards where that is allowed (rule 16.6)."""

    seat: Seat
    cards: tuple[Claim, ...] = ()
    taken: tuple[Handle, ...] = ()


@dataclass(frozen=True, slots=True)
class Reorder:
    """Put the cards that were looked at back onto the deck, the first on top (rule 16.6)."""

    seat: Seat
    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class FillOrders:
    """Fill face-up orders with goods of the own bag that passes, or none (rule 14.3). Claims are proved, too."""

    seat: Seat
    orders: tuple[str, ...] = ()
    """By name, in the order in which they are taken."""
    cards: tuple[Claim, ...] = ()
    """The hidden cards for them; goods that lie open in the bag need not be named."""


@dataclass(frozen=True, slots=True)
class Split:
    """A way to share the Loot that is not the even one (rule 10.5): what the first-drawn deputy gets."""

    gold: int
    cards: tuple[Handle, ...] = ()
    prizes: tuple[Kind, ...] = ()


@dataclass(frozen=True, slots=True)
class ShareLoot:
    """The first-drawn deputy proposes a split of the Loot, the other says the same; or None: evenly (rule 10.5)."""

    seat: Seat
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class PickLoot:
    """Pick a card of the Loot by its handle, or a black-market card by its name (rule 10.5)."""

    seat: Seat
    item: Handle | Kind


OpenMove: TypeAlias = (
    NameFirst
    | TakeDiscards
    | LayDown
    | Load
    | Declare
    | Offer
    | Withdraw
    | Refuse
    | Accept
    | Pass
    | Inspect
    | Stance
    | Apart
    | ShareLoot
    | PickLoot
)
"""A move that names no hidden card of its author's."""

Talk: TypeAlias = Offer | Withdraw | Refuse
"""What everybody may say while bags are closed, whoever's turn it is: it takes no step (rules 7.2 and 7.4)."""

ModuleMove: TypeAlias = LayLaws | LayOut | KeepMan | UseMan | Discard | Reorder | FillOrders
"""A move with the cards of a module, or one that only a module asks for."""

Move: TypeAlias = OpenMove | SetAside | HandOver | PayInKind | Trade | ModuleMove
