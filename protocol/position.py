"""The game at one moment: its public state, whose entries it waits for, and what has made it so (docs/protocol.md)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, Protocol, Self, TypeVar

from protocol.charter import Charter
from protocol.entry import Entry, SignedEntry
from protocol.errors import LocalError, VerificationError
from protocol.proofs.context import Context


class ForbiddenError(VerificationError):
    """The rules of the game do not allow what an entry does."""


class StageError(VerificationError):
    """The entry of this step that ``seat`` wrote does not hold: it may be one that was folded before."""

    def __init__(self, seat: int, error: VerificationError) -> None:
        """Takes whose entry it is, and what is wrong with it."""
        super().__init__(str(error))
        self.seat, self.error = seat, error


@dataclass(frozen=True, slots=True)
class Turn:
    """A slot entry on its way into the game."""

    charter: Charter
    entry: Entry
    free: tuple[Entry, ...]
    """The words that its author had seen and that no entry folded before has named, by seat and number."""
    last: tuple[Entry | None, ...]
    """The last entry of each seat that its author had seen."""
    judge: int | None = None
    """The seat of the node that folds it; None for an onlooker."""
    owed: list[Callable[[], None]] = field(default_factory=list, compare=False, repr=False)

    def check(self, check: Callable[[], None]) -> None:
        """Makes a costly check: at once, or of an own entry later, when others have it (``Table.settle``).

        Raises:
            VerificationError: It fails.
        """
        if self.entry.author == self.judge:
            self.owed.append(check)
        else:
            check()

    def shows(self, seat: int, author: int, sequence: int) -> bool:
        """Whether the entry's author could know that a seat has seen an entry: its last one there names it."""
        last = self.entry if seat == self.entry.author else self.last[seat]
        return seat == author or (last is not None and last.heads[author].length > sequence)

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
            StageError: Another entry of this step does not hold, which was folded before; the state stays as it was.
            VerificationError: The entry does not hold; the state stays as it was. Anything else that is raised is
                taken for a defect of this node: a LocalError, too, unless ``judging`` has made it the author's.
        """
        ...

    def left(self, seats: tuple[int, ...]) -> Self:
        """Returns the state after a certificate: these seats are out, all at once; none if all go on together.

        A game that is decided stays as it is.
        """
        ...

    def check_words(self, entry: Entry) -> None:
        """Returns if a free entry says something that this game knows, judged by the entry alone.

        Raises:
            VerificationError: It does not.
        """
        ...


G = TypeVar("G", bound=Game)


@dataclass(frozen=True, slots=True)
class Position(Generic[G]):
    """A game after some steps, and what has come of the one that it is at."""

    game: G
    step: int
    stage: tuple[int, ...]
    """Who still has to be folded in this step."""
    absorbed: tuple[int, ...]
    """How much of each chain the author of a folded entry had seen."""
    taken: tuple[int, ...]
    """How much of each chain the completed steps are made of: whoever takes the next step has seen that much."""
    turns: Mapping[int, SignedEntry] = field(default_factory=dict)
    """The entries of this step by seat, folded or waiting for those of lower seats."""
    refused: frozenset[int] = frozenset()
    """Whose turn in this step was refused: the step stays as it is, so nothing more of theirs can be in turn."""
    log: tuple[tuple[int, tuple[bytes, ...]], ...] = ()
    """What was folded, in order: the step, and the hash of the entry, or those of a certificate's votes."""

    @classmethod
    def begin(cls, game: G, seats: int) -> "Position[G]":
        """Returns the game before its first entry."""
        return cls(game, 0, tuple(sorted(game.expected())), (0,) * seats, (0,) * seats)

    def awaits(self, entry: Entry) -> bool:
        """Whether a slot entry takes this step, is its author's to write, and was written with all steps in view."""
        author_knows = all(head.length >= taken for head, taken in zip(entry.heads, self.taken, strict=True))
        is_expected = entry.author in self.stage and entry.author not in self.turns
        return entry.step == self.step and is_expected and author_knows

    def with_turns(self, entries: Mapping[int, SignedEntry]) -> "Position[G]":
        """Returns it with more entries that this step takes."""
        return replace(self, turns={**self.turns, **entries}) if entries else self

    def refusing(self, seat: int) -> "Position[G]":
        """Returns it with the entry of a seat refused."""
        return replace(self, refused=self.refused | {seat})

    def after(self, signed: SignedEntry, game: G) -> "Position[G]":
        """Returns it after an entry of this step was folded."""
        entry, stage = signed.entry, tuple(seat for seat in self.stage if seat != signed.entry.author)
        absorbed = tuple(max(one, head.length) for one, head in zip(self.absorbed, entry.heads, strict=True))
        now = replace(self, game=game, stage=stage, absorbed=absorbed, log=(*self.log, (self.step, (signed.hash,))))
        if stage:
            return now
        taken = list(self.taken)
        for author, turn in self.turns.items():
            taken[author] = turn.entry.sequence + 1
        return now._next(game, tuple(taken))

    def without(self, votes: Sequence[bytes], game: G) -> "Position[G]":
        """Returns it after a certificate: the game without the seats that these votes have put out."""
        return replace(self, log=(*self.log, (self.step, tuple(votes))))._next(game, self.taken)

    def _next(self, game: G, taken: tuple[int, ...]) -> "Position[G]":
        stage = tuple(sorted(game.expected()))
        return replace(self, game=game, step=self.step + 1, stage=stage, taken=taken, turns={}, refused=frozenset())
