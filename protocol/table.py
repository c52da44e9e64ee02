"""The table: one node's machine over the transcript. No clock, no socket: bytes in, events out (docs/protocol.md).

The game says whose turn it is; the table folds the entries that answer. Where several seats answer at once, their
entries are folded in seat order, whatever order they arrive in: so the state is the same on every node.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic, Protocol, Self, TypeVar

from protocol.charter import Charter
from protocol.codec import Value
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
from protocol.identity import Identity
from protocol.proofs.context import Context
from protocol.transcript import Missing, Transcript

MAX_REASON: Final = 300
"""A reason may quote what the author wrote: people read it, so it stays short."""


class ForbiddenError(VerificationError):
    """The rules of the game do not allow what an entry does."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A slot entry on its way into the game."""

    charter: Charter
    entry: Entry
    free: tuple[Entry, ...]
    """The free entries that its author had seen and that no entry folded before has named, by seat and number."""
    last: tuple[Entry | None, ...]
    """The last entry of each seat that its author had seen."""

    def context(self, deck: str, generation: int, operation: str, index: int, handles: Sequence[int] = ()) -> Context:
        """Returns the place of one of the entry's proofs."""
        step = self.entry.step
        if step is None:
            raise LocalError("a free entry proves nothing")
        return Context(
            game=self.charter.game,
            roster=self.charter.roster,
            deck=deck,
            generation=generation,
            seat=self.entry.author,
            step=step,
            sequence=self.entry.sequence,
            previous=self.entry.previous,
            operation=operation,
            index=index,
            handles=tuple(handles),
        )


class Game(Protocol):
    """The public state of a game: immutable, and a function of the entries folded into it."""

    def expected(self) -> tuple[int, ...]:
        """Returns the seats that must write now, each one entry: the stage.

        Their entries are independent: whichever of them is folded, the others must still be expected afterwards. Nobody
        is expected when nothing can be written: the game is over, or stands still until something else than an entry
        changes it. Which of them, only the game can say.
        """
        ...

    def fold(self, turn: Turn) -> Self:
        """Returns the state after a turn.

        Raises:
            VerificationError: The entry does not hold; the state stays as it was. Anything else that is raised is
                taken for a defect of this node: a LocalError, too, unless ``judging`` has made it the author's.
        """
        ...


G = TypeVar("G", bound=Game)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A free entry was delivered."""

    signed: SignedEntry


@dataclass(frozen=True, slots=True)
class Folded:
    """A slot entry has changed the game."""

    signed: SignedEntry
    game: Game
    """The game after it."""


Event = Spoken | Folded | Fault


class Table(Generic[G]):
    """One node at a table: a player with an identity, or an onlooker without."""

    def __init__(self, charter: Charter, game: G, identity: Identity | None = None) -> None:
        """Sits down, with the game's first state."""
        self.charter = charter
        self.game = game
        self._identity = identity
        self.seat = charter.seat_of(identity.public) if identity else None
        self.transcript = Transcript(charter, self.seat)
        self.step = 0
        self.stage: tuple[int, ...] = tuple(sorted(game.expected()))
        """Who still has to be folded in this step."""
        self.faults: dict[int, Fault] = {}
        """The first fault of each seat that broke the protocol, as far as this node knows."""
        self._turns: dict[int, SignedEntry] = {}
        self._void: dict[int, int] = {}
        """From which number on a seat's turns do not count: its first refused one. It depends on the chain alone: what
        nodes learn at different times, such as a second entry with one number, must not change what they fold."""
        self._defect: DefectError | None = None
        self._absorbed = [0] * len(charter.players)
        self._taken = [0] * len(charter.players)
        """How much of each chain the completed steps are made of: whoever takes the next step has seen that much."""

    # -- writing

    def turn(self, payload: Value = None) -> Turn:
        """Returns the turn that ``write`` would fold if the payload took the current step: proofs need its context."""
        return self._turn(self._entry(payload, self.step))

    @property
    def may_write(self) -> bool:
        """Whether the own seat is expected to take the current step, has not yet written, and would still be heard."""
        return self.seat in self.stage and self.seat not in self._turns and self.seat not in self._void

    @property
    def has_written(self) -> bool:
        """Whether an own entry waits to be folded, after those of lower seats in the same step."""
        return self.seat in self.stage and self.seat in self._turns

    def write(self, payload: Value, *, free: bool = False) -> tuple[bytes, list[Event]]:
        """Signs, appends and folds an own entry; returns its bytes, to be stored and then sent.

        Raises:
            LocalError: It is not the own turn.
            DefectError: This node can't judge entries any more; nothing was written.
        """
        if not free and not self.may_write:
            raise LocalError("it is not this seat's turn")
        if self._identity is None:
            raise LocalError("an onlooker writes nothing")
        signed = SignedEntry.sign(self._identity, self._entry(payload, None if free else self.step))
        return signed.to_bytes(), list(self._take(signed))

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
        """Returns whether that seat has named the entry, or a later one of its chain, in its own heads."""
        author, sequence = signed.entry.author, signed.entry.sequence
        if seat == author:
            return True
        chain, named = self.transcript.chains[seat], self.transcript.get(author, sequence)
        is_ours = named is not None and named.hash == signed.hash
        return is_ours and bool(chain) and chain[-1].entry.heads[author].length > sequence

    # -- folding

    def _take(self, signed: SignedEntry) -> Iterator[Event]:
        if self._defect is not None:
            raise self._defect
        for delivered in self.transcript.receive(signed):
            if isinstance(delivered, Fault):
                yield from self._blame(delivered)
            elif delivered.entry.step is None:
                yield Spoken(delivered)
            else:
                yield from self._slot(delivered)

    def _slot(self, signed: SignedEntry) -> Iterator[Event]:
        if self._is_void(signed.entry):
            return
        if not self._is_in_turn(signed.entry):
            yield from self._refuse(signed, FaultCode.OUT_OF_TURN, "it was not the author's turn to do this")
            return
        self._turns[signed.entry.author] = signed
        while self.stage and self.stage[0] in self._turns:
            signed = self._turns[self.stage[0]]
            if self._is_void(signed.entry):
                return
            try:
                self._fold(signed)
            except VerificationError as error:
                yield from self._refuse(signed, _code_of(error), str(error)[:MAX_REASON])
                return
            yield Folded(signed, self.game)

    def _is_void(self, entry: Entry) -> bool:
        return entry.sequence >= self._void.get(entry.author, entry.sequence + 1)

    def _is_in_turn(self, entry: Entry) -> bool:
        """Whether the author could know that this is the own step: judged alike by nodes that know more and less."""
        author_knows = all(head.length >= taken for head, taken in zip(entry.heads, self._taken, strict=True))
        is_expected = entry.author in self.stage and entry.author not in self._turns
        return entry.step == self.step and is_expected and author_knows

    def _fold(self, signed: SignedEntry) -> None:
        entry = signed.entry
        self.game = self._judged(entry)
        for seat, head in enumerate(entry.heads):
            self._absorbed[seat] = max(self._absorbed[seat], head.length)
        self.stage = self.stage[1:]
        if not self.stage:
            for author, turn in self._turns.items():
                self._taken[author] = turn.entry.sequence + 1
            self._turns.clear()
            self.step += 1
            self.stage = tuple(sorted(self.game.expected()))

    def _judged(self, entry: Entry) -> G:
        """Returns the game after an entry, if it holds and our own invariants do: else nobody may be judged by us."""
        try:
            game = self.game.fold(self._turn(entry))
        except VerificationError:
            raise
        except Exception as error:
            self._defect = DefectError(f"an entry of step {self.step} can't be judged: {error}")
            raise self._defect from error
        if not set(self.stage[1:]) <= set(game.expected()):
            self._defect = DefectError(f"the entries of step {self.step} depend on each other, which none may")
            raise self._defect
        return game

    def _turn(self, entry: Entry) -> Turn:
        chains = self.transcript.chains
        return Turn(
            charter=self.charter,
            entry=entry,
            free=tuple(
                signed.entry
                for chain, absorbed, head in zip(chains, self._absorbed, entry.heads, strict=True)
                for signed in chain[absorbed : head.length]
                if signed.entry.step is None
            ),
            last=tuple(
                chain[head.length - 1].entry if head.length else None
                for chain, head in zip(chains, entry.heads, strict=True)
            ),
        )

    def _refuse(self, signed: SignedEntry, code: FaultCode, reason: str) -> Iterator[Event]:
        self._void[signed.entry.author] = signed.entry.sequence
        yield from self._blame(Fault(signed.entry.author, code, reason, (signed,)))

    def _blame(self, fault: Fault) -> Iterator[Event]:
        if fault.seat not in self.faults:
            self.faults[fault.seat] = fault
            yield fault


def _code_of(error: VerificationError) -> FaultCode:
    match error:
        case MalformedError():
            return FaultCode.MALFORMED
        case InvalidProofError() | InvalidOpeningError() | InvalidSignatureError():
            return FaultCode.FALSE_PROOF
        case _:
            return FaultCode.FORBIDDEN
