"""The to-do list of the table: small values that say what is under way. The state holds them, first things first.

A step either waits for an input (then it has a demand) or is carried out by the engine as soon as it comes first. Steps
hold seats, numbers and handles, never anything hidden, so that all nodes have the same list.
"""

from dataclasses import dataclass

from p2p_sheriff.rules.cards import Goods, Handle, Kind, Pack, Seat, Zone
from p2p_sheriff.rules.moves import Condition, Split
from p2p_sheriff.rules.phases import Phase


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do."""


@dataclass(frozen=True, slots=True)
class SeatStep(Step):
    """What one seat has to do, or what is done with its bag: it falls if that player leaves (rule 19.4)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ShuffleAll(Step):
    """The first shuffle."""


@dataclass(frozen=True, slots=True)
class DealAround(Step):
    """Somebody left: the deck is dealt anew before anything else happens (rule 19.3)."""


@dataclass(frozen=True, slots=True)
class MakePack(Step):
    """The deck of a module is shuffled for the first time."""

    pack: Pack


@dataclass(frozen=True, slots=True)
class RemakePack(Step):
    """Somebody left: the deck of a module is dealt anew, too (rule 19.3)."""

    pack: Pack


@dataclass(frozen=True, slots=True)
class TakeOffice(Step):
    """The next sheriff, or the next two deputies, take office (rules 2.5, 3.3, 10.1, 19.5)."""


@dataclass(frozen=True, slots=True)
class DealHands(Step):
    """Fill these hands from the deck, one after the other, then rearrange them (rules 2.3, 4.2, 8.1, 9.2)."""

    seats: tuple[Seat, ...]
    changed: tuple[Seat, ...] = ()
    """Whose hands got cards so far."""
    size: int | None = None
    """How many cards a hand gets to; None: a full one."""


@dataclass(frozen=True, slots=True)
class TurnUp(Step):
    """First edition: turn up the first cards of both discard piles (rule 2.4)."""

    handles: tuple[Handle, ...] = ()
    """The cards, once drawn."""


@dataclass(frozen=True, slots=True)
class Begin(Step):
    """A phase begins."""

    phase: Phase


@dataclass(frozen=True, slots=True)
class AskFirst(Step):
    """Who begins the market? (rules 4.1 and 10.2)."""


@dataclass(frozen=True, slots=True)
class MarketTurn(SeatStep):
    """A merchant sets cards aside (rules 4.2 and 4.3)."""


@dataclass(frozen=True, slots=True)
class ShowAside(SeatStep):
    """The cards set aside are shown: face up for the rest of the phase, or onto a pile (first edition)."""

    pile: int | None = None


@dataclass(frozen=True, slots=True)
class AskTake(SeatStep):
    """First edition: how many cards come from the discard piles? (rule 4.3)."""


@dataclass(frozen=True, slots=True)
class AskLayDown(SeatStep):
    """First edition: onto which pile, in which order? Set-aside cards, or those confiscated from the bag of `owner`."""

    owner: Seat


@dataclass(frozen=True, slots=True)
class Gather(Step):
    """The cards set aside go onto the discard pile (rule 4.2)."""


@dataclass(frozen=True, slots=True)
class AskLoad(SeatStep):
    """A merchant loads the bag (rule 5.1)."""


@dataclass(frozen=True, slots=True)
class AskDeclare(SeatStep):
    """A merchant declares (rule 6.1)."""


@dataclass(frozen=True, slots=True)
class Negotiate(Step):
    """Everybody negotiates until the last bag has been dealt with (rules 7.1 and 7.2)."""


@dataclass(frozen=True, slots=True)
class OpenBag(SeatStep):
    """The bag is opened."""


@dataclass(frozen=True, slots=True)
class ShowPassing(SeatStep):
    """A bag passes: legal goods, and what was promised from it by kind, are shown (rules 7.8 and 7.10)."""

    receiver: Seat | None = None
    owed: Goods = ()
    blind: int = 0


@dataclass(frozen=True, slots=True)
class ShowOwed(SeatStep):
    """Face-down goods promised by kind are shown, as far as they exist; then come those promised blind (7.7, 7.8)."""

    receiver: Seat
    owed: Goods
    blind: int
    among: tuple[Handle, ...]
    """What lay on the stack when the deal was closed: nothing received in it is given on in it (rule 7.5)."""


@dataclass(frozen=True, slots=True)
class ProveRest(SeatStep):
    """That what was not shown is of these kinds is proved (rules 7.8 and 7.10)."""

    handles: tuple[Handle, ...]
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class AskHandOver(SeatStep):
    """The giver chooses the cards promised blind; they go along with those already named (rule 7.7)."""

    receiver: Seat
    zone: Zone
    among: tuple[Handle, ...]
    count: int
    named: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class GiveCards(Step):
    """Cards go from one seat to another, or onto the Loot."""

    giver: Seat
    receiver: Seat
    zone: Zone
    handles: tuple[Handle, ...]
    onto_stall: bool = False
    """From a discard pile: onto the stall, and not into the hand."""


@dataclass(frozen=True, slots=True)
class Unpack(SeatStep):
    """A bag has passed: what is left in it goes onto its owner's stall (rule 7.10)."""


@dataclass(frozen=True, slots=True)
class ShowBag(SeatStep):
    """A bag is inspected: everything in it is shown (rule 7.11)."""


@dataclass(frozen=True, slots=True)
class PaySurety(SeatStep):
    """An inspected bag was shown: gold is due if it was found so (rules 7.4 and 7.5)."""

    giver: Seat
    receiver: Seat
    """A seat, or LOOT."""
    gold: int
    condition: Condition


@dataclass(frozen=True, slots=True)
class Judge(SeatStep):
    """An inspected bag is found true or a lie (rules 7.12, 7.13 and 10.3)."""

    officers: tuple[Seat, ...]
    """Who inspected it: the sheriff, a deputy alone, both, or nobody any more."""


@dataclass(frozen=True, slots=True)
class Debt(Step):
    """A fine is due (rules 7.14 and 7.15)."""

    debtor: Seat
    creditor: Seat
    """A seat, or LOOT."""
    amount: int


@dataclass(frozen=True, slots=True)
class RearrangeZone(SeatStep):
    """Cards came into a hidden zone: its owner rearranges it before choosing from it (section 17)."""

    zone: Zone


@dataclass(frozen=True, slots=True)
class AskTrade(SeatStep):
    """Is there a trade at the black market? (rule 13.2)."""


@dataclass(frozen=True, slots=True)
class DrawLaws(Step):
    """Who is in office draws laws before the market (rule 15.1)."""


@dataclass(frozen=True, slots=True)
class AskLaws(SeatStep):
    """Which of the drawn laws are laid? (rule 15.1)."""


@dataclass(frozen=True, slots=True)
class RevealLaws(Step):
    """The laws that are laid are shown, and others if their owner wants that."""

    laid: tuple[Handle, ...]
    others: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class ReturnLaws(Step):
    """What was not laid goes under the deck."""

    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class PayToll(SeatStep):
    """A bag has passed: is there a toll? (section 15)."""


@dataclass(frozen=True, slots=True)
class EndInspection(Step):
    """All bags are settled, and the Loot is shared: premium and private stash (rule 8.1)."""


@dataclass(frozen=True, slots=True)
class SellByLaw(Step):
    """The round ends: forced sales (rule 8.1)."""


@dataclass(frozen=True, slots=True)
class AskLayOut(SeatStep):
    """Which legal card of the hand goes onto the own stall? (private stash, Friar Tuck)."""


@dataclass(frozen=True, slots=True)
class DealMen(SeatStep):
    """A player draws merry men (rules 16.1, 16.3 and 16.4)."""

    count: int


@dataclass(frozen=True, slots=True)
class AskKeep(SeatStep):
    """Which of two merry men stays? (rule 16.1)."""


@dataclass(frozen=True, slots=True)
class ReturnSpare(SeatStep):
    """The merry man who does not stay goes under the deck."""


@dataclass(frozen=True, slots=True)
class UnveilMan(SeatStep):
    """A bag is open: a merry man in it is shown (rules 16.3 and 16.4)."""


@dataclass(frozen=True, slots=True)
class ManArrives(SeatStep):
    """A bag has passed: is there a merry man in it, or does somebody draw one? (rules 16.3 and 16.4)."""


@dataclass(frozen=True, slots=True)
class AskErrand(SeatStep):
    """What does the merry man do? (rule 16.3)."""


@dataclass(frozen=True, slots=True)
class ReturnMan(SeatStep):
    """A merry man who was shown goes under the deck."""


@dataclass(frozen=True, slots=True)
class AskDiscard(SeatStep):
    """Which cards of the hand are discarded, or swapped for discards? (rule 16.6)."""

    count: int
    swap: bool = False


@dataclass(frozen=True, slots=True)
class LookAt(SeatStep):
    """A player looks at a face-down card of somebody else's (Will Scarlet)."""

    owner: Seat
    handle: Handle


@dataclass(frozen=True, slots=True)
class Peek(SeatStep):
    """A player looks at the top of the deck (Gandelyn)."""

    count: int


@dataclass(frozen=True, slots=True)
class AskReorder(SeatStep):
    """In which order do they go back? (Gandelyn)."""


@dataclass(frozen=True, slots=True)
class PutTop(SeatStep):
    """They go back onto the deck."""


@dataclass(frozen=True, slots=True)
class AskOrders(SeatStep):
    """Which special orders are filled from this bag? (rule 14.3)."""


@dataclass(frozen=True, slots=True)
class RefillOrders(Step):
    """Orders are turned up until there are enough (rule 14.2)."""


@dataclass(frozen=True, slots=True)
class MixLoot(Step):
    """The deputies lay the face-down cards of the Loot anew before it is shared (rule 10.6)."""


@dataclass(frozen=True, slots=True)
class ShareOut(Step):
    """The deputies say how to share the Loot (rule 10.5)."""

    proposal: Split | None = None
    """What the first-drawn deputy has proposed: the other one is asked."""


@dataclass(frozen=True, slots=True)
class PickTurn(SeatStep):
    """A deputy picks from the Loot (rule 10.5)."""


@dataclass(frozen=True, slots=True)
class DiscardLast(SeatStep):
    """The odd last card of the Loot is shown by the deputy who has it now, and discarded (rule 10.5)."""

    handle: Handle | None = None
    """The card, once it is under the lock of this deputy alone."""


@dataclass(frozen=True, slots=True)
class CheckEnd(Step):
    """Has everyone been in office as often as the rules ask? (rules 3.3 and 19.5)."""


@dataclass(frozen=True, slots=True)
class RevealStack(SeatStep):
    """The game is over: face-down contraband is shown (rule 11.1)."""


@dataclass(frozen=True, slots=True)
class Finish(Step):
    """Nothing is left to do."""


SIDE_BY_SIDE = frozenset({AskLoad, AskKeep, RearrangeZone, RevealStack})
"""Steps of several seats that wait at the same time: their answers may come in any order."""
