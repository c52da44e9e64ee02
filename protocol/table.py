"""The table: one node's machine over the transcript. No clock, no socket: bytes in, events out (docs/protocol.md).

The game says whose turn it is; the table folds the entries that answer. Where several seats answer at once, their
entries are folded in seat order, whatever order they arrive in: so the state is the same on every node.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from protocol.ballots import Certificates, FalseVoteError, Vote, is_vote, last_try, vote_payload
from protocol.charter import Charter
from protocol.codec import Value
from protocol.electorate import Electorate
from protocol.entry import Entry, SignedEntry
from protocol.errors import (
    DefectError,
    InvalidOpeningError,
    InvalidProofError,
    InvalidSignatureError,
    LocalError,
    MalformedError,
    VerificationError,
)
from protocol.faults import Fault, FaultCode
from protocol.folding import Certified, Folded, Folding, FoldStep, RefusedEntry
from protocol.history import CausalPast
from protocol.identity import Identity
from protocol.position import ForbiddenError, G, Game, Position, StageError, Turn
from protocol.transcript import Missing, Transcript

__all__ = ["Certified", "Event", "Folded", "ForbiddenError", "Game", "Spoken", "StageError", "Table", "Turn", "Undone"]

MAX_REASON: Final = 300
"""A reason may quote what the author wrote: people read it, so it stays short."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A free entry was delivered."""

    signed: SignedEntry


@dataclass(frozen=True, slots=True)
class Undone:
    """Some of what was folded does not count: its author has forked, or an onlooker knew more than the voters."""

    steps: int
    """How many of the last ones; what counts in their place is told again."""


Event = Spoken | Folded | Certified | Undone | Fault


class Table(Generic[G]):
    """One node at a table: a player with an identity, or an onlooker without."""

    def __init__(self, charter: Charter, game: G, identity: Identity | None = None) -> None:
        """Sits down, with the game's first state."""
        self.charter = charter
        self._identity = identity
        self.seat = charter.seat_of(identity.public) if identity else None
        self.transcript = Transcript(charter, self.seat, self._judge)
        self.faults: dict[int, Fault] = {}
        """The first fault of each seat that broke the protocol, as far as this node knows."""
        self.certificates: Certificates = ()
        """Those that have changed the game."""
        self._electorate = Electorate(self.transcript, self.seat)
        self._folding = Folding(charter, self.transcript, game, self.seat)
        self._position: Position[G] = self._folding.begin
        self._bound_by: bytes | None = None
        self._defect: DefectError | None = None

    @property
    def game(self) -> G:
        """The state of the game."""
        return self._position.game

    @property
    def step(self) -> int:
        """How many steps have been taken, certificates among them."""
        return self._position.step

    @property
    def stage(self) -> tuple[int, ...]:
        """Who still has to be folded in this step."""
        return self._position.stage

    @property
    def log(self) -> list[tuple[int, tuple[SignedEntry, ...]]]:
        """What was folded, in order: the step, and the entry, or the votes of a certificate."""
        history = self.transcript.history
        return [(step, tuple(history[link] for link in links)) for step, links in self._position.log]

    @property
    def turns(self) -> tuple[SignedEntry, ...]:
        """The entries of this step that are here, folded or not."""
        return tuple(self._position.turns[seat] for seat in sorted(self._position.turns))

    # -- who is still in

    @property
    def seats(self) -> tuple[int, ...]:
        """Who is still in the game."""
        return self.transcript.ballots.remaining(self.certificates)

    @property
    def staying(self) -> tuple[int, ...]:
        """Who is in by the certificates that a vote of this node would build on, which may not have been folded yet."""
        return self.transcript.ballots.remaining(self._electorate.named)

    @property
    def best(self) -> Certificates:
        """The certificates that count by all that is here."""
        return self._electorate.best

    @property
    def is_bound(self) -> bool:
        """Whether this seat has voted in a ballot that is not complete: it folds nothing and writes no step."""
        return self._electorate.open_vote is not None

    @property
    def ballot(self) -> dict[int, Vote]:
        """The last vote of each seat in the ballots that are open."""
        return self._electorate.open_ballot

    def voters(self, vote: Vote) -> set[int]:
        """Returns who has cast this very vote, now or earlier."""
        return self._electorate.voters(vote)

    def vote(self, out: tuple[int, ...]) -> tuple[bytes, list[Event]]:
        """Votes to go on without these seats, or with all; returns the bytes of the vote, to be stored and then sent.

        Raises:
            LocalError: This seat may not: it is out, would be out, or too few would be left.
        """
        return self.write(vote_payload(self._electorate.next_vote(out)), free=True)

    def times_voted(self, out: tuple[int, ...]) -> int:
        """Returns how often this seat has voted so since the certificates changed that its votes build on."""
        return self._electorate.times_cast(out)

    # -- writing

    def turn(self, payload: Value = None, *, later: int = 0) -> Turn:
        """Returns the turn that ``write`` would fold if the payload took the current step: proofs need its context.

        Or one so many steps later, if nothing else is written here until then.
        """
        return self._folding.turn(self._position, self._entry(payload, self.step + later))

    @property
    def may_write(self) -> bool:
        """Whether the own seat is expected to take the current step, has not yet written, and would still be heard.

        After a certificate all wait until all have seen its votes: else two halves could both go on.
        """
        return self.seat in self.stage and self.seat not in self._position.turns and self.is_settled

    @property
    def is_settled(self) -> bool:
        """Whether nothing about who is in the game is open here."""
        if not self.transcript.history.past.votes:
            return self.transcript.history.past.forked.isdisjoint(self.seats)
        is_told = self.certificates == self.best == self._electorate.named
        is_one = self.transcript.history.past.forked.isdisjoint(self.seats)
        return is_told and is_one and not self.is_bound and self.is_confirmed

    @property
    def unconfirmed(self) -> tuple[SignedEntry, ...]:
        """The votes of the last certificate, until all who are in the game have seen them.

        Also when somebody has gone on after it: a liar does so at once, and half of a table would follow.
        """
        votes = self._last_votes
        return () if all(self.has_seen(seat, vote) for vote in votes for seat in self.seats) else votes

    @property
    def is_confirmed(self) -> bool:
        """Whether all others who are in the game have seen the votes of the last certificate."""
        others = [seat for seat in self.seats if seat != self.seat]
        return all(self.has_seen(seat, vote) for vote in self._last_votes for seat in others)

    @property
    def _last_votes(self) -> tuple[SignedEntry, ...]:
        last = self.certificates[-1].votes if self.certificates else ()
        return tuple(self.transcript.history[vote] for vote in last)

    @property
    def has_written(self) -> bool:
        """Whether an own entry waits to be folded, after those of lower seats in the same step."""
        return self.seat in self.stage and self.seat in self._position.turns

    @property
    def awaited(self) -> tuple[int, ...]:
        """Whose entry is not here yet that this step takes: others of the stage may wait for it to be folded."""
        return tuple(seat for seat in self.stage if seat not in self._position.turns)

    @property
    def is_stuck(self) -> bool:
        """Whether this step can't be completed: somebody whose entry it takes has written one that was refused."""
        return bool(self._position.refused)

    def settle(self) -> bool:
        """Makes the checks of own entries that were put off, as is done before the next one; returns whether it did.

        Raises:
            DefectError: One fails: this node has written what nobody else will take, and must not go on.
        """
        checks, self._folding.owed = self._folding.owed, []
        for check in checks:
            try:
                check()
            except VerificationError as error:
                self._defect = DefectError(f"an own entry does not hold: {error}")
                raise self._defect from error
        return bool(checks)

    def write(self, payload: Value, *, free: bool = False) -> tuple[bytes, list[Event]]:
        """Signs, appends and folds an own entry; returns its bytes, to be stored and then sent.

        Raises:
            LocalError: It is not the own turn, or would be a fault: too much, or what this game does not know.
            DefectError: This node can't judge entries any more; nothing was written.
        """
        if not free and not self.may_write:
            raise LocalError("it is not this seat's turn")
        if self._identity is None:
            raise LocalError("an onlooker writes nothing")
        self.settle()
        signed = SignedEntry.sign(self._identity, self._entry(payload, None if free else self.step))
        if (fault := self.transcript.fault(signed)) is not None:
            raise LocalError(fault.reason)
        return signed.to_bytes(), list(self._take(signed))

    @property
    def is_scarce(self) -> bool:
        """Whether little is left of what this seat may write: keep it for the game."""
        return self.seat is not None and self.transcript.spent(self.seat).is_scarce(len(self.charter.players))

    def _entry(self, payload: Value, step: int | None) -> Entry:
        if self.seat is None:
            raise LocalError("an onlooker writes nothing")
        return Entry(self.charter.game, self.seat, self.transcript.heads, step, payload)

    # -- reading

    def receive(self, data: bytes) -> list[Event]:
        """Takes an entry from anywhere.

        Raises:
            VerificationError: It is no entry of this game by its author: whoever passed it on is to blame.
            DefectError: This node can't judge it, nor any other from here on; nobody is to blame.
        """
        return self.take(SignedEntry.from_bytes(self.charter, data))

    def take(self, signed: SignedEntry) -> list[Event]:
        """Takes an entry of this game whose signature was checked.

        Raises:
            DefectError: This node can't judge it, nor any other from here on; nobody is to blame.
        """
        return list(self._take(signed))

    def missing(self) -> tuple[Missing, ...]:
        """Returns the entries to ask the others for."""
        return self.transcript.missing()

    def has_seen(self, seat: int, signed: SignedEntry) -> bool:
        """Returns whether that seat has named the entry, or a later one of its chain, while it was not bound by a vote.

        What it names while it is bound it may still leave behind, with the ballot that it waits for.
        """
        return self._electorate.has_seen(seat, signed, self.certificates)

    # -- folding

    def _take(self, signed: SignedEntry) -> Iterator[Event]:
        if self._defect is not None:
            raise self._defect
        try:
            for delivered in self.transcript.receive(signed):
                if isinstance(delivered, Fault):
                    yield from self._blame(delivered)
                else:
                    self._folding.add(delivered)
                    if delivered.entry.step is None:
                        yield Spoken(delivered)
                    is_another = self.seat is None and self.transcript.follow_most()
                    yield from self._fold(anew=is_another)
        except DefectError as defect:
            self._defect = defect
            raise

    def _fold(self, *, anew: bool) -> Iterator[Event]:
        """Folds what can be folded; tells the game anew if other certificates or branches count than before."""
        vote, past, tips = self._electorate.open_vote, self.transcript.history.past, self.transcript.tips
        best = self.best
        if vote is not None and vote.hash == self._bound_by:
            return
        self._bound_by = vote.hash if vote is not None else None
        if vote is None and best == self.certificates and not anew:
            self._position, steps = self._folding.on(self._position, best, past, tips)
        else:
            while vote is not None:  # It stays with what it had when it voted, also if it reads all that again.
                past, tips = self.transcript.history.past_of(vote.entry), vote.entry.heads
                best = self.transcript.ballots.best(past, tips)
                vote = self._electorate.unanswered(vote.entry.sequence, best)
            before, self.certificates = self._position.log, best
            self._position, steps = self._folding.told(best, past, tips)
            common = _common(before, self._position.log)
            if common < len(before):
                yield Undone(len(before) - common)
            steps = _from(steps, common)
        for step in steps:
            if isinstance(step, RefusedEntry):
                yield from self._blame(_refusal(step.signed, step.error))
            else:
                yield step

    def _judge(self, signed: SignedEntry, past: CausalPast, certificates: Certificates) -> Fault | None:
        """Returns what is wrong with an entry before it is delivered: it was not its author's turn, or makes no sense.

        So a seat whose turn was refused takes no more steps, and who lies at the wrong time changes nobody's chains.
        """
        entry = signed.entry
        if entry.step is not None:
            reason = "it was not the author's turn to do this"
            is_in_turn = self._is_in_turn(entry, past, certificates)
            return None if is_in_turn else Fault(entry.author, FaultCode.OUT_OF_TURN, reason, (signed,))
        try:
            if is_vote(entry):
                self._electorate.check_vote(entry, past, certificates)
            elif not entry.is_acknowledgement:
                self.game.check_words(entry)
        except VerificationError as error:
            return _refusal(signed, error)
        return None

    def _is_in_turn(self, entry: Entry, past: CausalPast, certificates: Certificates) -> bool:
        """Whether the author could know that this is the own step: judged alike by nodes that know more and less."""
        known, ballots = self.transcript.history.past, self.transcript.ballots
        if known.votes and self._electorate.last_try(entry) > last_try(certificates):
            return False
        if entry.author not in ballots.remaining(certificates):
            return False
        is_next = entry.sequence == len(self.transcript.chains[entry.author])
        is_here = is_next and certificates == self.certificates and not self.is_bound and not known.forked
        return (self._position if is_here else self._folding.told(certificates, past, entry.heads)[0]).awaits(entry)

    def _blame(self, fault: Fault) -> Iterator[Event]:
        if fault.seat not in self.faults:
            self.faults[fault.seat] = fault
            yield fault


def _common(one: Sequence[object], other: Sequence[object]) -> int:
    """Returns how many steps two logs begin with that are the same."""
    pairs = zip(one, other, strict=False)
    return next((place for place, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))


def _from(steps: list[FoldStep], place: int) -> list[FoldStep]:
    """Returns the steps from that place of the log on; those that were refused are in none."""
    later, at = list[FoldStep](), 0
    for step in steps:
        if isinstance(step, RefusedEntry) or at >= place:
            later.append(step)
        at += not isinstance(step, RefusedEntry)
    return later


def _refusal(signed: SignedEntry, error: VerificationError) -> Fault:
    return Fault(signed.entry.author, _code_of(error), str(error)[:MAX_REASON], (signed,))


def _code_of(error: VerificationError) -> FaultCode:
    match error:
        case MalformedError():
            return FaultCode.MALFORMED
        case InvalidProofError() | InvalidOpeningError() | InvalidSignatureError():
            return FaultCode.FALSE_PROOF
        case FalseVoteError():
            return FaultCode.FALSE_VOTE
        case _:
            return FaultCode.FORBIDDEN
