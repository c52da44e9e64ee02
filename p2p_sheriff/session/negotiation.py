"""Offers as free entries: they take effect when the sheriff's chain shows that the sheriff has seen them.

What the author of a folded entry had seen is put into the rules first, in seat order. Merchants' acceptances of the
sheriff's own offers wait until the sheriff takes them up; to act on such a bag and ignore one is a fault.
"""

from dataclasses import dataclass, replace

from p2p_sheriff.rules import Input, Move, Refusal, Seat, State, apply
from p2p_sheriff.rules.moves import Accept, Inspect, Offer, Pass, Withdraw
from p2p_sheriff.session.acts import Negotiates, free_from_value
from protocol.entry import Entry
from protocol.errors import MalformedError
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """A sheriff's withdrawal: the offer stands until who got it has seen this."""

    move: Withdraw
    sequence: int
    """The number of the entry that says it."""


@dataclass(frozen=True, slots=True)
class Negotiation:
    """What has been said and not yet settled."""

    acceptances: tuple[Accept, ...] = ()
    """Merchants' acceptances of the sheriff's own offers that were not taken up."""
    withdrawals: tuple[Withdrawal, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What free entries have changed."""

    state: State
    negotiation: Negotiation
    inputs: tuple[Input, ...] = ()

    def _try(self, move: Move) -> "Heard":
        """Puts a move into the rules; what is impossible is void, not a crime: it may have been possible when made."""
        try:
            return replace(self, state=apply(self.state, move), inputs=(*self.inputs, move))
        except Refusal:
            return self

    def hear(self, entry: Entry) -> "Heard":
        """Returns what is so after one free entry."""
        try:
            free = free_from_value(entry.payload)
        except MalformedError:
            return self
        if not isinstance(free, Negotiates) or free.move.seat != entry.author:
            return self
        match free.move:
            case Accept() as accept if accept.author in self.state.officers:
                acceptances = (*self.negotiation.acceptances, accept)
                return replace(self, negotiation=replace(self.negotiation, acceptances=acceptances))
            case Withdraw() as withdraw if withdraw.seat in self.state.officers:
                withdrawals = (*self.negotiation.withdrawals, Withdrawal(withdraw, entry.sequence))
                return replace(self, negotiation=replace(self.negotiation, withdrawals=withdrawals))
            case Offer() | Withdraw() as move:
                return self._try(move)
            case _:
                return self

    def withdraw_what_was_seen(self, turn: Turn) -> "Heard":
        """Returns what is so after all withdrawals of the sheriff's that reached whom they concern."""
        heard = self
        for withdrawal in self.negotiation.withdrawals:
            if _is_acknowledged(heard.state, withdrawal, turn):
                rest = tuple(one for one in heard.negotiation.withdrawals if one != withdrawal)
                heard = replace(heard, negotiation=replace(heard.negotiation, withdrawals=rest))._try(withdrawal.move)
        return heard


def hear_all(state: State, negotiation: Negotiation, turn: Turn) -> Heard:
    """Returns what is so once everything that the turn's author had seen is put into the rules."""
    heard = Heard(state, negotiation)
    for entry in turn.free:
        heard = heard.hear(entry)
    return heard.withdraw_what_was_seen(turn)


def open_acceptances(state: State, negotiation: Negotiation) -> tuple[Accept, ...]:
    """Returns the acceptances that would close a deal now: the sheriff has to take them up."""
    return tuple(accept for accept in negotiation.acceptances if _closes(state, accept))


def refuse_ignored_acceptance(state: State, negotiation: Negotiation, move: Move) -> None:
    """Returns if the move is about no bag that an open acceptance is about.

    Raises:
        ForbiddenError: It ignores one.
    """
    bags = _bags_of(state, move)
    for accept in open_acceptances(state, negotiation):
        if bags & _bags_of(state, accept):
            raise ForbiddenError(f"seat {accept.seat} has accepted an offer about that bag: it must be taken up")


def take_up(negotiation: Negotiation, accept: Accept) -> Negotiation:
    """Returns the negotiation without an acceptance that is now carried out.

    Raises:
        ForbiddenError: Nobody has accepted that.
    """
    if accept not in negotiation.acceptances:
        raise ForbiddenError(f"seat {accept.seat} has not accepted offer {accept.number}")
    rest = tuple(one for one in negotiation.acceptances if one != accept)
    return replace(negotiation, acceptances=rest)


def _closes(state: State, accept: Accept) -> bool:
    try:
        apply(state, accept)
    except Refusal:
        return False
    return True


def _offer(state: State, author: Seat, number: int) -> Offer | None:
    standing = (one.offer for one in state.offers)
    return next((offer for offer in standing if (offer.seat, offer.number) == (author, number)), None)


def _bags_of(state: State, move: Move) -> frozenset[Seat]:
    match move:
        case Pass(bag=bag) | Inspect(bag=bag):
            return frozenset({bag})
        case Accept(author=author, number=number):
            offer = _offer(state, author, number)
            return frozenset(act.bag for act in offer.acts) if offer else frozenset()
        case _:
            return frozenset()


def _is_acknowledged(state: State, withdrawal: Withdrawal, turn: Turn) -> bool:
    offer = _offer(state, withdrawal.move.seat, withdrawal.move.number)
    if offer is None:
        return True
    last = turn.last[offer.payer]
    return last is not None and last.heads[offer.seat].length > withdrawal.sequence
