"""Offers as free entries: they take effect when the sheriff's chain shows that the sheriff has seen them.

What the author of a folded entry had seen is put into the rules first, in seat order. The sheriff's own words count
once the merchants whom they are for have seen them, so no offer can be taken back or altered behind an acceptance.
Merchants' acceptances wait until the sheriff takes them up; to act on such a bag and ignore one is a fault.
"""

from dataclasses import dataclass, replace

from p2p_sheriff.rules import Move, Phase, Refusal, Seat, State, Transition, apply
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.moves import Accept, Inspect, Offer, Pass, Withdraw
from p2p_sheriff.session.acts import FREE, Negotiates
from protocol.entry import Entry
from protocol.errors import MalformedError
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True)
class Word:
    """An offer or a withdrawal of the sheriff's that the merchants whom it is for may not have seen yet."""

    move: Offer | Withdraw
    merchants: tuple[Seat, ...]
    sequence: int
    """The number of the entry that says it."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A merchant's acceptance of an offer of the sheriff's own."""

    move: Accept
    seen: int
    """How many of the sheriff's entries the merchant had seen."""


@dataclass(frozen=True, slots=True)
class Negotiation:
    """What has been said in an inspect phase and is not yet settled."""

    words: tuple[Word, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()


@dataclass(frozen=True, slots=True)
class Heard:
    """What free entries have changed."""

    state: State
    negotiation: Negotiation
    changes: tuple[Transition, ...] = ()

    def _try(self, move: Move) -> "Heard":
        """Puts a move into the rules; what is impossible is void, not a crime: it may have been possible when made."""
        try:
            change = Transition.of(self.state, move)
            return replace(self, state=change.after, changes=(*self.changes, change))
        except Refusal:
            return self

    def hear(self, entry: Entry) -> "Heard":
        """Returns what is so after one free entry."""
        try:
            free = FREE.read(entry.payload)
        except MalformedError:
            return self
        if not isinstance(free, Negotiates) or free.move.seat != entry.author:
            return self
        match free.move:
            case Accept(_, author, _) as accept if author in self.state.officers:
                acceptance = Acceptance(accept, entry.heads[author].length)
                acceptances = (*self.negotiation.acceptances, acceptance)
                return replace(self, negotiation=replace(self.negotiation, acceptances=acceptances))
            case Offer() | Withdraw() as move if move.seat in self.state.officers:
                merchants = self._merchants(move)
                words = (Word(move, merchants, entry.sequence),) if merchants else ()
                return replace(self, negotiation=replace(self.negotiation, words=self.negotiation.words + words))
            case Offer() | Withdraw() as move:
                return self._try(move)
            case _:
                return self

    def _merchants(self, move: Offer | Withdraw) -> tuple[Seat, ...]:
        """Returns whom the sheriff's words are for: the other parties of the offer."""
        standing = (one.offer for one in self.state.offers)
        said = (move, *standing, *(word.move for word in self.negotiation.words))
        name = (move.seat, move.number)
        offer = next((one for one in said if isinstance(one, Offer) and (one.seat, one.number) == name), None)
        return tuple(seat for seat in offer.parties if seat in self.state.merchants) if offer else ()

    def settled(self, turn: Turn | None = None) -> "Heard":
        """Returns what is so after all words of the sheriff's that have reached whom they are for, or after all."""
        heard, waiting = self, list[Word]()
        for word in self.negotiation.words:
            if turn is not None and not _has_arrived(word, turn):
                waiting.append(word)
            elif not heard._comes_too_late(word):
                heard = heard._try(word.move)
        return replace(heard, negotiation=replace(heard.negotiation, words=tuple(waiting)))

    def _comes_too_late(self, word: Word) -> bool:
        """Whether a merchant had accepted, before seeing these words, an offer that they would take away."""
        accepted = [
            one.move
            for one in self.negotiation.acceptances
            if one.move.seat in word.merchants and one.move.author == word.move.seat and one.seen <= word.sequence
        ]
        if isinstance(word.move, Withdraw):
            return any(accept.number == word.move.number for accept in accepted)
        return any(word.move.bags & _bags_of(self.state, accept) for accept in accepted)


def hear_all(state: State, negotiation: Negotiation, turn: Turn) -> Heard:
    """Returns what is so once everything that the turn's author had seen is put into the rules."""
    heard = Heard(state, negotiation if state.phase is Phase.INSPECT else Negotiation())
    for entry in turn.free:
        heard = heard.hear(entry)
    return heard.settled(turn)


def foreseen(state: State, negotiation: Negotiation) -> State:
    """Returns the state as it will be once the sheriff's words have reached everybody: what players should see."""
    return Heard(state, negotiation).settled().state


def open_acceptances(state: State, negotiation: Negotiation) -> tuple[Accept, ...]:
    """Returns the acceptances that would close a deal now: the sheriff has to take them up."""
    return tuple(one.move for one in negotiation.acceptances if _closes(state, one.move))


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
    rest = tuple(one for one in negotiation.acceptances if one.move != accept)
    if len(rest) == len(negotiation.acceptances):
        raise ForbiddenError(f"seat {accept.seat} has not accepted offer {accept.number}")
    return replace(negotiation, acceptances=rest)


def _closes(state: State, accept: Accept) -> bool:
    try:
        apply(state, accept)
    except Refusal:
        return False
    return True


def _bags_of(state: State, move: Move) -> frozenset[Seat]:
    match move:
        case Pass(bag=bag) | Inspect(bag=bag):
            return frozenset({bag})
        case Accept(author=author, number=number):
            standing = find_offer(state, author, number)
            return standing.offer.bags if standing else frozenset()
        case _:
            return frozenset()


def _has_arrived(word: Word, turn: Turn) -> bool:
    entries = (turn.last[merchant] for merchant in word.merchants)
    return all(last is not None and last.heads[word.move.seat].length > word.sequence for last in entries)
