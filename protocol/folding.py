"""Folds a history into the game: what the same entries make of it is the same on every node (docs/protocol.md, Table).

A certificate is a step of its own. What its votes rest on is folded first, with the chains of those who are out as they
were cut, and then these seats leave. The costly part, the game's own fold, is never done twice: a history that is told
again, because a certificate has changed what counts, is mostly remembered.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeAlias

from protocol.ballots import Certificate, Certificates, is_vote, keys
from protocol.charter import Charter
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import DefectError, VerificationError
from protocol.history import CausalPast
from protocol.position import G, Game, Position, StageError, Turn
from protocol.transcript import Transcript


@dataclass(frozen=True, slots=True)
class Folded:
    """A slot entry has changed the game."""

    signed: SignedEntry
    game: Game
    """The game after it."""


@dataclass(frozen=True, slots=True)
class RefusedEntry:
    """A slot entry does not hold."""

    signed: SignedEntry
    error: VerificationError


@dataclass(frozen=True, slots=True)
class Certified:
    """The others have agreed to go on without some seats, or with all."""

    certificate: Certificate
    game: Game
    """The game after it."""


FoldStep: TypeAlias = Folded | RefusedEntry | Certified
Counts: TypeAlias = Callable[[SignedEntry], bool]


class Folding(Generic[G]):
    """Folds the entries of one transcript."""

    def __init__(self, charter: Charter, transcript: Transcript, game: G, judge: int | None) -> None:
        """Takes the game's first state, and whose node this is; None for an onlooker's."""
        self.begin = Position.begin(game, len(charter.players))
        self.owed: list[Callable[[], None]] = []
        """Checks of own entries that were put off."""
        self._charter, self._judge = charter, judge
        self._transcript, self._history, self._ballots = transcript, transcript.history, transcript.ballots
        self._slots: dict[tuple[int, int], list[SignedEntry]] = {}
        self._known: dict[tuple[int, bytes], tuple[G, G | StageError]] = {}
        """What a state becomes with an entry or a certificate; the state is kept, so that nothing else has its id."""

    def add(self, signed: SignedEntry) -> None:
        """Takes a slot entry that was delivered."""
        entry = signed.entry
        if entry.step is not None:
            self._slots.setdefault((entry.step, entry.author), []).append(signed)

    # -- what counts

    def told(
        self, certificates: Certificates, past: CausalPast, tips: tuple[Head, ...]
    ) -> tuple[Position[G], list[FoldStep]]:
        """Folds a past from the beginning, with the certificates that count in it; returns its end and its steps.

        Of a seat that has forked the branch counts that ``tips`` names.
        """
        position, steps = self.begin, list[FoldStep]()
        for place, certificate in enumerate(certificates):
            position, more = self._run(position, self._before(certificates, place), is_last=True)
            steps += more
            position, left = self._left(position, certificate)
            steps.append(left)
        position, more = self._run(position, self._after(certificates, past, tips))
        return position, steps + more

    def on(
        self, position: Position[G], certificates: Certificates, past: CausalPast, tips: tuple[Head, ...]
    ) -> tuple[Position[G], list[FoldStep]]:
        """Folds what has come since; returns where it ends, and the new steps."""
        return self._run(position, self._after(certificates, past, tips))

    def _before(self, certificates: Certificates, place: int) -> Counts:
        """Returns what counts before a certificate: all that its votes rest on, but for what was cut off."""
        below, certificate = certificates[:place], certificates[place]
        past, cut = self._ballots.past_of(certificate.votes), self._ballots.cut(below, certificate)
        within, under = self._ballots.remaining(below), keys(below)

        def counts(signed: SignedEntry) -> bool:
            return (
                signed.entry.author in within
                and self._history.holds(past, signed.hash)
                and all(self._is_within(signed, seat, head) for seat, head in cut.items())
                and self._base(signed.entry) == under
            )

        return counts

    def _after(self, certificates: Certificates, past: CausalPast, tips: tuple[Head, ...]) -> Counts:
        """Returns what counts after the last certificate: what was written on it, on the branches that are followed."""
        under, within = keys(certificates), self._ballots.remaining(certificates)
        forked = self._history.past.forked.intersection(within)
        is_all = past is self._history.past

        def counts(signed: SignedEntry) -> bool:
            return (
                signed.entry.author in within
                and (is_all or self._history.holds(past, signed.hash))
                and all(self._is_within(signed, seat, tips[seat]) for seat in forked)
                and self._base(signed.entry) == under
            )

        return counts

    def _is_within(self, signed: SignedEntry, seat: int, head: Head) -> bool:
        """Whether an entry rests on nothing of a seat but what leads to this head."""
        ends = self._history.upto(signed.hash).ends[seat]
        return all(head.length and self._history.follows(head.hash, end) for end in ends)

    def _base(self, entry: Entry) -> tuple[object, ...]:
        """Returns the certificates on which an entry was written."""
        if not self._history.past.votes:
            return ()
        past = self._history.past_of(entry)
        return keys(self._ballots.best(past, entry.heads)) if past.votes else ()

    # -- steps

    def _run(
        self, position: Position[G], counts: Counts, *, is_last: bool = False
    ) -> tuple[Position[G], list[FoldStep]]:
        """Folds what counts, as far as it goes; before a certificate also what waits for lower seats of the stage."""
        steps, tried = list[FoldStep](), set[int]()
        while True:
            position = position.with_turns(dict(self._turns(position, counts)))
            ready = [seat for seat in position.stage if seat in position.turns and seat not in position.refused | tried]
            if not ready or (not is_last and ready[0] != position.stage[0]):
                return position, steps
            signed = position.turns[ready[0]]
            result = self._folded(position, signed)
            if isinstance(result, StageError):
                position = position.refusing(result.seat)
                steps.append(RefusedEntry(position.turns[result.seat], result.error))
                tried.add(ready[0])
                if not is_last:
                    return position, steps
            else:
                step = position.step
                position = position.after(signed, result)
                steps.append(Folded(signed, result))
                if position.step != step:
                    tried.clear()

    def _turns(self, position: Position[G], counts: Counts) -> Iterator[tuple[int, SignedEntry]]:
        for seat in position.stage:
            found = (one for one in self._slots.get((position.step, seat), ()) if position.awaits(one.entry))
            first = min(filter(counts, found), key=lambda one: one.entry.sequence, default=None)
            if first is not None:
                yield seat, first

    def _folded(self, position: Position[G], signed: SignedEntry) -> G | StageError:
        key = (id(position.game), signed.hash)
        if key not in self._known:
            self._known[key] = (position.game, self._judged(position, signed.entry))
        return self._known[key][1]

    def _judged(self, position: Position[G], entry: Entry) -> G | StageError:
        """Returns the game after an entry, if it holds and our own invariants do: else nobody may be judged by us."""
        turn = self.turn(position, entry)
        try:
            game = position.game.fold(turn)
        except Exception as error:
            if isinstance(error, StageError) and error.seat in position.turns:
                return error
            if isinstance(error, VerificationError) and not isinstance(error, StageError):
                return StageError(entry.author, error)
            raise DefectError(f"an entry of step {position.step} can't be judged: {error}") from error
        if not set(position.stage) - {entry.author} <= set(game.expected()):
            raise DefectError(f"the entries of step {position.step} depend on each other, which none may")
        self.owed += turn.owed
        return game

    def _left(self, position: Position[G], certificate: Certificate) -> tuple[Position[G], Certified]:
        key = (id(position.game), certificate.votes[-1])
        if key not in self._known:
            self._known[key] = (position.game, position.game.left(certificate.out))
        known = self._known[key][1]
        if isinstance(known, StageError):
            raise DefectError("a certificate is no entry")
        return position.without(certificate.votes, known), Certified(certificate, known)

    def turn(self, position: Position[G], entry: Entry) -> Turn:
        """Returns what the game gets of an entry."""
        return Turn(
            charter=self._charter,
            entry=entry,
            free=tuple(
                signed.entry
                for seat, (absorbed, head) in enumerate(zip(position.absorbed, entry.heads, strict=True))
                for signed in self._history.between(seat, absorbed, head)
                if signed.entry.step is None and not signed.entry.is_acknowledgement and not is_vote(signed.entry)
            ),
            last=tuple(
                named.entry if (named := self._history.named(head)) is not None else None for head in entry.heads
            ),
            judge=self._judge,
        )
