"""Offers as free entries: they take effect when the sequencer's chain shows that the sequencer has seen them.

The sequencer is the sheriff, or the deputy who was drawn first (rule 10.4); "the sheriff" below means that one. The
other deputy's words are free entries, too, and so are acceptances of others' offers: what changes nothing but what was
said or accepted is noted; a word that settles a bag, or closes a deal, waits until the sequencer takes it up, before
anything else about its bags (of a trade: before anything else), and nobody takes it back meanwhile.

What the author of a folded entry had seen is put into the rules first, in seat order. The sheriff's own words count
once the merchants whom they are for have seen them, so no offer can be taken back or altered behind an acceptance.
Merchants' acceptances wait until the sheriff takes them up; to act on such a bag and ignore one is a fault. So it is to
act on any bag when more than half have called time (rule 12.2): then the sheriff has nothing left to do but say so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from p2p_sheriff.rules import Move, Phase, Refusal, Seat, Setup, State, Transition, apply, may_time_out
from p2p_sheriff.rules.deals import find_offer, is_asked, subject_of
from p2p_sheriff.rules.moves import Accept, Apart, Inspect, Offer, OfferName, Pass, Refuse, Stance, Withdraw
from p2p_sheriff.rules.steps import Negotiate
from p2p_sheriff.session.acts import FREE, CallsTime, Negotiates, Request
from protocol.entry import Entry
from protocol.errors import MalformedError
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True)
class Word:
    """An offer or a withdrawal of the sheriff's that those whom it is for may not have seen yet."""

    move: Offer | Withdraw
    parties: tuple[Seat, ...]
    sequence: int
    """The number of the entry that says it."""

    def concerns(self, seats: frozenset[Seat]) -> bool:
        """Whether one of these says it, hears it, or has a bag that it is about."""
        bags = self.move.bags if isinstance(self.move, Offer) else frozenset()
        return not seats.isdisjoint({self.move.seat, *self.parties, *bags})


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Somebody's acceptance of an offer of the sheriff's own."""

    move: Accept
    seen: int
    """How many of the sheriff's entries they had seen."""


@dataclass(frozen=True, slots=True)
class Negotiation:
    """What has been said in an inspect phase and is not yet settled."""

    words: tuple[Word, ...] = ()
    acceptances: tuple[Acceptance, ...] = ()
    refusals: tuple[Refuse, ...] = ()
    """Those of offers of the sheriff's own that do not count yet."""
    requests: tuple[Request, ...] = ()
    """Words that settle bags, or close deals, once the sequencer takes them up."""
    places: tuple[tuple[OfferName, int], ...] = ()
    """The numbers of the entries with which offers of others came to count."""
    times: frozenset[Seat] = frozenset()
    """Who has called time in this round (rule 12.2)."""

    def without(self, gone: Iterable[Seat], state: State) -> "Negotiation":
        """Returns what is still to be settled when these are out: what they are a party to is off (rule 19.4)."""
        out = frozenset(gone)
        requests = self.requests if out.isdisjoint(state.officers) else ()
        return Negotiation(
            tuple(word for word in self.words if not word.concerns(out)),
            tuple(one for one in self.acceptances if out.isdisjoint({one.move.seat, one.move.author})),
            tuple(one for one in self.refusals if out.isdisjoint({one.seat, one.author})),
            tuple(one for one in requests if out.isdisjoint({one.seat, *_bags_of(state, one)})),
            self.places,
            self.times - out,
        )


_SILENCE: Final = Negotiation()


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
        free = entry.said(FREE.read)
        if isinstance(free, CallsTime):
            return self._hear_time(Seat(entry.author), free.round)
        match free.move if isinstance(free, Negotiates) else None:
            case Accept() as accept if not self._has_seen(entry, accept):
                return self  # It accepted another offer with that number, which never came to count.
            case Accept(_, author, _) as accept if author in self.state.officers[:1]:
                acceptance = Acceptance(accept, entry.heads[author].length)
                acceptances = (*self.negotiation.acceptances, acceptance)
                return replace(self, negotiation=replace(self.negotiation, acceptances=acceptances))
            case Offer() | Withdraw() as move if move.seat in self.state.officers[:1]:
                parties = self._parties(move)
                words = (Word(move, parties, entry.sequence),) if parties else ()
                return replace(self, negotiation=replace(self.negotiation, words=self.negotiation.words + words))
            case Refuse() as refusal:
                refusals = (*self.negotiation.refusals, refusal)
                return replace(self, negotiation=replace(self.negotiation, refusals=refusals))
            case Offer() as move:
                heard = self._try(move)
                if heard is self:
                    return self
                places = (*self.negotiation.places, (move.name, entry.sequence))
                return replace(heard, negotiation=replace(self.negotiation, places=places))
            case Withdraw() as move:
                return self._try(move)
            case _:
                return self

    def _hear_time(self, seat: Seat, number: int) -> "Heard":
        """Returns what is so after somebody has called time: nothing new, if it was not of this round's bags."""
        if number != self.state.round or self.state.phase is not Phase.INSPECT:
            return self
        return replace(self, negotiation=replace(self.negotiation, times=self.negotiation.times | {seat}))

    def without_lapsed_requests(self) -> "Heard":
        """Returns what is so without words that settle nothing any more, or their author could say nothing else."""
        if not self.negotiation.requests or not isinstance(self.state.todo[0], Negotiate):
            return self
        requests = open_requests(self.state, self.negotiation)
        return replace(self, negotiation=replace(self.negotiation, requests=requests))

    def request(self, entry: Entry) -> "Heard":
        """Returns what is so after a free entry about bags of who is not the sequencer, when all offers were heard."""
        free = entry.said(FREE.read)
        if not isinstance(free, Negotiates) or not isinstance(free.move, Request) or not self.state.officers:
            return self
        move, sequencer = free.move, self.state.officers[0]
        if sequencer in (move.seat, move.author if isinstance(move, Accept) else None):
            return self
        if isinstance(move, Accept) and not self._has_seen(entry, move):
            return self  # It accepted another offer with that number, which never came to count.
        bags, own = _bags_of(self.state, move), (one for one in self.negotiation.requests if one.seat == move.seat)
        if any(one == move or bags & _bags_of(self.state, one) for one in own):
            return self  # What settles a bag is not taken back.
        try:
            change = Transition.of(self.state, move)
        except Refusal:
            return self
        if not _settles(self.state, change.after, move):
            return replace(self, state=change.after, changes=(*self.changes, change))
        requests = (*self.negotiation.requests, move)
        return replace(self, negotiation=replace(self.negotiation, requests=requests))

    def _has_seen(self, entry: Entry, accept: Accept) -> bool:
        """Whether the author of an acceptance had seen the very offer that counts, if it has a place."""
        place = dict(self.negotiation.places).get((accept.author, accept.number))
        return place is None or entry.heads[accept.author].length > place

    def _parties(self, move: Offer | Withdraw) -> tuple[Seat, ...]:
        """Returns whom the sheriff's words are for: the other parties of the offer."""
        standing = (one.offer for one in self.state.offers)
        said = (move, *standing, *(word.move for word in self.negotiation.words))
        name = (move.seat, move.number)
        offer = next((one for one in said if isinstance(one, Offer) and (one.seat, one.number) == name), None)
        return tuple(seat for seat in offer.parties if seat != move.seat and seat in self.state.seats) if offer else ()

    def settled(self, turn: Turn | None = None) -> "Heard":
        """Returns what is so after all words of the sheriff's that have reached whom they are for, or after all."""
        if not (self.negotiation.words or self.negotiation.refusals):
            return self
        words, waiting = self.negotiation.words, list[Word]()
        heard = self._after_refusals(but=words)
        for word in words:
            if turn is not None and not _has_arrived(word, turn):
                waiting.append(word)
            elif not heard._comes_too_late(word):
                heard = heard._without_blind_acceptances(word)._try(word.move)
        heard = heard._after_refusals(but=waiting)
        acceptances = tuple(one for one in heard.negotiation.acceptances if not heard._knew_better(one, waiting))
        return replace(heard, negotiation=replace(heard.negotiation, words=tuple(waiting), acceptances=acceptances))

    def _knew_better(self, acceptance: Acceptance, waiting: Sequence[Word]) -> bool:
        """Whether somebody accepted an offer who had seen words that end it, which not all others have seen."""
        name = (acceptance.move.author, acceptance.move.number)
        standing = find_offer(self.state, *name)
        seen = (word.move for word in waiting if word.sequence < acceptance.seen)
        return any(
            (move.seat, move.number) == name
            if isinstance(move, Withdraw)
            else standing is not None and subject_of(move) == subject_of(standing.offer)
            for move in seen
        )

    def _without_blind_acceptances(self, word: Word) -> "Heard":
        """Returns what is so without acceptances of this offer by who had not seen it.

        They were of another one with its number, which never came to count: it was void, or somebody left.
        """
        acceptances = tuple(
            one for one in self.negotiation.acceptances if one.seen > word.sequence or not _answers(one.move, word.move)
        )
        if len(acceptances) == len(self.negotiation.acceptances):
            return self
        return replace(self, negotiation=replace(self.negotiation, acceptances=acceptances))

    def _after_refusals(self, but: Sequence[Word]) -> "Heard":
        """Returns what is so after all refusals, but for those of words that don't count yet."""
        refusals = self.negotiation.refusals
        if not refusals:
            return self
        early = tuple(one for one in refusals if any(_answers(one, word.move) for word in but))
        heard = replace(self, negotiation=replace(self.negotiation, refusals=early))
        for refusal in refusals:
            heard = heard if refusal in early else heard._try(refusal)
        return heard

    def _comes_too_late(self, word: Word) -> bool:
        """Whether all others had accepted, before they saw these words, an offer that the words would take away."""
        early = {one.move for one in self.negotiation.acceptances if one.seen <= word.sequence}
        return any(
            _takes_away(word.move, offer)
            and all(Accept(party, *offer.name) in early for party in offer.parties if party != offer.seat)
            for offer in (standing.offer for standing in self.state.offers)
        )


def check_words(setup: Setup, entry: Entry) -> None:
    """Returns if a free entry says something that its author may say: whether it counts then is the rules' business.

    Raises:
        MalformedError: It says nothing that is known here.
        ForbiddenError: It speaks for somebody else.
    """
    free = entry.said(FREE.read)
    if isinstance(free, CallsTime) and not setup.timed:
        raise MalformedError("no time runs out in this game")
    if isinstance(free, Negotiates) and free.move.seat != entry.author:
        raise ForbiddenError("a player makes the own offers only")


def hear_all(state: State, negotiation: Negotiation, turn: Turn) -> Heard:
    """Returns what is so once everything that the turn's author had seen is put into the rules."""
    heard = Heard(state, negotiation if state.phase is Phase.INSPECT else _SILENCE)
    for entry in turn.free:
        heard = heard.hear(entry)
    heard = heard.settled(turn).without_lapsed_requests()
    for entry in turn.free:
        heard = heard.request(entry)
    return heard


def foreseen(state: State, negotiation: Negotiation) -> State:
    """Returns the state as it will be once the sheriff's words have reached everybody: what players should see."""
    return Heard(state, negotiation).settled().state


def open_acceptances(state: State, negotiation: Negotiation) -> tuple[Accept, ...]:
    """Returns, for each deal that acceptances would close now, the last of them: the sheriff has to take them up."""
    lasts = {(one.author, one.number): one for one in _needed(state, negotiation)}
    return tuple(last for last in lasts.values() if _is_done(state, taken_up(state, negotiation, last)))


def taken_up(state: State, negotiation: Negotiation, accept: Accept) -> tuple[Accept, ...]:
    """Returns all acceptances of the offer that this one accepts, this one last."""
    name = (accept.author, accept.number)
    same = (one for one in _needed(state, negotiation) if (one.author, one.number) == name)
    return (*(one for one in same if one != accept), accept)


def _needed(state: State, negotiation: Negotiation) -> tuple[Accept, ...]:
    """Returns the acceptances by those whose word their offer needs, each once: anybody else's holds up nothing."""
    offers = {standing.offer.name: standing for standing in state.offers}
    moves = dict.fromkeys(one.move for one in negotiation.acceptances)
    return tuple(one for one in moves if (offer := offers.get((one.author, one.number))) and is_asked(one.seat, offer))


def open_requests(state: State, negotiation: Negotiation) -> tuple[Request, ...]:
    """Returns the words that would settle a bag, or close a deal, now: the sequencer has to take them up."""
    return tuple(one for one in negotiation.requests if _is_done(state, (one,)))


def refuse_ignored_acceptance(state: State, negotiation: Negotiation, move: Move) -> None:
    """Returns if the move is about no bag that something agreed on is about, and no trade is agreed on.

    Raises:
        ForbiddenError: It ignores one.
    """
    for accept in open_acceptances(state, negotiation):
        if _comes_before(state, accept, move):
            raise ForbiddenError(f"seat {accept.seat} has accepted an offer about that bag: it must be taken up")
    for request in open_requests(state, negotiation):
        if _comes_before(state, request, move):
            raise ForbiddenError(f"seat {request.seat} has settled that bag by a word that must be taken up")


def _comes_before(state: State, agreed: Request, move: Move) -> bool:
    """Whether what is agreed is done before this move: what is about the same bags, and a trade in any case."""
    bags = _bags_of(state, agreed)
    return not bags or not bags.isdisjoint(_bags_of(state, move))


def is_time_up(state: State, negotiation: Negotiation) -> bool:
    """Whether more than half of those still in have called time, and bags are left that it ends (rule 12.2)."""
    return may_time_out(state) and 2 * len(negotiation.times.intersection(state.seats)) > len(state.seats)


def take_up(negotiation: Negotiation, accept: Accept) -> Negotiation:
    """Returns the negotiation without an acceptance that is now carried out.

    Raises:
        ForbiddenError: Nobody has accepted that.
    """
    if all(one.move != accept for one in negotiation.acceptances):
        raise ForbiddenError(f"seat {accept.seat} has not accepted offer {accept.number}")
    name = (accept.author, accept.number)
    left = (one for one in negotiation.acceptances if (one.move.author, one.move.number) != name)
    return replace(negotiation, acceptances=tuple(left))


def heed(negotiation: Negotiation, request: Request) -> Negotiation:
    """Returns the negotiation without a word that is now carried out.

    Raises:
        ForbiddenError: Nobody has said that.
    """
    if request not in negotiation.requests:
        raise ForbiddenError(f"seat {request.seat} has not said that")
    return replace(negotiation, requests=tuple(one for one in negotiation.requests if one != request))


def _is_done(state: State, moves: Sequence[Move]) -> bool:
    """Whether these moves can be made one after the other, and something is done by the last one."""
    after = state
    try:
        for move in moves:
            after = apply(after, move)
    except Refusal:
        return False
    return _settles(state, after, moves[-1])


def _settles(before: State, after: State, move: Move) -> bool:
    """Whether a move has settled a bag, or who decides about it, or closed a deal: of a trade, only gold may move."""
    if isinstance(move, Apart):  # Offers are heard before all requests: those to who acts alone would be void.
        return True
    if isinstance(move, Accept) and find_offer(before, move.author, move.number) is not None:
        return find_offer(after, move.author, move.number) is None
    return before.todo != after.todo


def _bags_of(state: State, move: Move) -> frozenset[Seat]:
    match move:
        case Pass(bag=bag) | Inspect(bag=bag) | Stance(bag=bag) | Apart(bag=bag):
            return frozenset({bag})
        case Accept(author=author, number=number):
            standing = find_offer(state, author, number)
            return standing.offer.bags if standing else frozenset()
        case _:
            return frozenset()


def _takes_away(word: Offer | Withdraw, offer: Offer) -> bool:
    """Whether the author's words would end an offer of theirs, or have another one about its bags stand beside it."""
    if word.seat != offer.seat or isinstance(word, Withdraw):
        return (word.seat, word.number) == offer.name
    if word.bags or offer.bags:
        return not word.bags.isdisjoint(offer.bags)
    return {*word.parties} == {*offer.parties}


def _answers(answer: Accept | Refuse, word: Offer | Withdraw) -> bool:
    return isinstance(word, Offer) and (word.seat, word.number) == (answer.author, answer.number)


def _has_arrived(word: Word, turn: Turn) -> bool:
    return all(turn.shows(party, word.move.seat, word.sequence) for party in word.parties)
