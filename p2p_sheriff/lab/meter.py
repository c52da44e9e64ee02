"""What a node's work takes, and why: a group that takes the time of its operations, each under the cause of the moment.

Nothing is estimated. An operation's time is that of the thread that does it; what else a call takes is Python's. Where
a node has several cores, its long lists are done chunk by chunk, each is timed, and they are laid on that many cores.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from time import thread_time
from typing import Any, Final, TypeAlias, TypeVar

from p2p_sheriff.session.board import Board
from p2p_sheriff.session.passes import Mixing
from p2p_sheriff.session.play import Play
from protocol.codec import Value
from protocol.group import Edwards25519, Element, Group
from protocol.proofs.shuffle import Attested
from protocol.table import Table, Turn

T = TypeVar("T")

HANDING_OVER_SECONDS: Final = 30e-6
"""To give a chunk to a thread, and to take what comes of it."""


class Cause(StrEnum):
    """What a node's time is spent for: group operations by their purpose, and what else there is."""

    PROVE = "prove"
    """To shuffle, lock and strip, and to prove it: the own entries."""
    VERIFY_OTHERS = "verify others"
    VERIFY_OWN = "verify own"
    LOOK = "look"
    """To see the own cards."""
    AHEAD = "ahead"
    """Work ahead of time that was not yet done when something came."""
    HASH = "hash"
    """To make the points that stand for cards, and the bases of commitments: once in a process."""
    PYTHON = "python"
    """All of the interpreter's: rules, encoding, hashing, arithmetic with scalars."""
    DISK = "disk"
    NETWORK = "network"


Spending: TypeAlias = defaultdict[Cause, float]
"""Seconds by their cause."""


@dataclass(slots=True)
class _Spent:
    """What one call took."""

    operations: Spending = field(default_factory=lambda: defaultdict(float))
    proofs: float = 0.0
    """Seconds of the operations of proofs, as if nothing were prepared and there were one core."""
    saved: float = 0.0
    """How much shorter it was for being done on several cores."""
    metering: float = 0.0
    """What the meter itself took, beside the operations: no node does that."""


@dataclass(frozen=True, slots=True)
class Metering:
    """What the meter itself takes for every operation."""

    within: float = 0.0
    """Between its two looks at the clock."""
    beside: float = 0.0


class MeteredGroup(Group):
    """The group of one node: does the work, and takes its time."""

    def __init__(
        self, seat: int, cores: int, timer: Callable[[], float] = thread_time, own: Metering | None = None
    ) -> None:
        """Takes whose node it is, how many cores that has, what tells the CPU time of this thread, and its own time."""
        super().__init__(map if cores == 1 else self._laid_on_cores)
        self._inner, self._cores, self._timer = Edwards25519(), cores, timer
        self.seat = seat
        self.counts: Counter[str] = Counter()
        """All operations ever done, by name."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """What they took."""
        self._cause, self._spent = Cause.PROVE, _Spent()
        self._own = own or Metering()
        self._is_preparing = False
        self._preparations: dict[object, float] = {}

    def measured(self, cause: Cause, call: Callable[[], T], spending: Spending) -> tuple[T, float]:
        """Makes a call; adds to what was spent, and returns what proofs alone would have taken."""
        self._cause, self._spent = cause, _Spent()
        start = self._timer()
        result = call()
        elapsed = self._timer() - start - self._spent.saved - self._spent.metering
        for name, seconds in self._spent.operations.items():
            spending[name] += seconds
        spending[Cause.PYTHON] += elapsed - sum(self._spent.operations.values())
        return result, self._spent.proofs

    @property
    def is_ahead(self) -> bool:
        """Whether nobody waits for what is done now, as far as this node knows."""
        return self._cause is Cause.AHEAD

    @contextmanager
    def under(self, cause: Cause) -> Iterator[None]:
        """Books operations to another cause."""
        outer, self._cause = self._cause, cause
        try:
            yield
        finally:
            self._cause = outer

    def preparing(self, what: object, make: Callable[[], T]) -> T:
        """Prepares a proof. It counts for the floor where it is ``used``."""
        before, self._is_preparing = self._spent.proofs, True
        try:
            return make()
        finally:
            self._is_preparing = False
            taken, self._spent.proofs = self._spent.proofs - before, before
            if taken:
                self._preparations[what] = taken

    def used(self, what: object) -> None:
        """Takes note that what was prepared serves a proof now."""
        self._spent.proofs += self._preparations[what]

    def used_masks(self, count: int) -> None:
        """Takes note that so many multiplications were done ahead for the proof that was made now."""
        self._spent.proofs += count * self.seconds["mul"] / self.counts["mul"]

    def _laid_on_cores(self, work: Callable[[Any], Any], chunks: Iterable[Any]) -> Iterable[Any]:
        """Does all chunks, one after the other, and takes what they would have taken side by side: first come first."""
        before, cores, results = self._spent.operations.copy(), [0.0] * self._cores, []
        total = 0.0
        for chunk in chunks:
            start = self._timer() - self._spent.metering
            results.append(work(chunk))
            taken = self._timer() - self._spent.metering - start
            total += taken
            free = cores.index(min(cores))
            cores[free] += taken + HANDING_OVER_SECONDS
        share = max(cores) / total
        for cause, seconds in self._spent.operations.items():
            self._spent.operations[cause] = before[cause] + (seconds - before[cause]) * share
        self._spent.saved += total - max(cores)
        return results

    def _book(self, name: str, start: float) -> None:
        taken = self._timer() - start - self._own.within
        self._spent.metering += self._own.within + self._own.beside
        self.counts[name] += 1
        self.seconds[name] += taken
        self._spent.operations[self._cause] += taken
        if self._cause is Cause.PROVE or (self._is_preparing and self._cause is not Cause.HASH):
            self._spent.proofs += taken

    def mul(self, s: int, P: Element) -> Element:
        """Returns sP."""
        start = self._timer()
        result = self._inner.mul(s, P)
        self._book("mul", start)
        return result

    def mul_base(self, s: int) -> Element:
        """Returns sG."""
        start = self._timer()
        result = self._inner.mul_base(s)
        self._book("mul_base", start)
        return result

    def add(self, P: Element, Q: Element) -> Element:
        """Returns P + Q."""
        start = self._timer()
        result = self._inner.add(P, Q)
        self._book("add", start)
        return result

    def sub(self, P: Element, Q: Element) -> Element:
        """Returns P - Q."""
        start = self._timer()
        result = self._inner.sub(P, Q)
        self._book("sub", start)
        return result

    def decode(self, data: bytes) -> Element:
        """Returns the element that 32 received bytes encode."""
        start = self._timer()
        result = self._inner.decode(data)
        self._book("decode", start)
        return result

    def decode_times(self, s: int, data: bytes) -> tuple[Element, Element]:
        """Returns both: it is a step of the own shuffle, which is done early."""
        start = self._timer()
        result = self._inner.decode_times(s, data)
        with self.under(Cause.PROVE):
            self._book("mul", start)
        return result

    def hash_to_group(self, tag: str, *fields: Value) -> Element:
        """Returns an element whose discrete logarithm nobody knows: every node makes them once, as in a process."""
        start = self._timer()
        result = self._inner.hash_to_group(tag, *fields)
        with self.under(Cause.HASH):
            self._book("hash_to_group", start)
        return result


def metering() -> Metering:
    """Measures what the meter itself takes for an operation that takes no time: the least of several tries."""
    group, tries, rounds = MeteredGroup(0, 1), list[Metering](), 500
    for _ in range(9):
        group.seconds.clear()
        start = thread_time()
        for _ in range(rounds):
            group._book("none", thread_time())
        both, within = (thread_time() - start) / rounds, group.seconds["none"] / rounds
        tries.append(Metering(within, both - within))
    return min(tries, key=lambda one: one.within + one.beside)


@contextmanager
def judging_apart() -> Iterator[None]:
    """Books what is done to judge an entry as verification: of the own ones, at once or put off, or of others'."""
    fold, settle, check = Play.fold, Table.settle, Mixing._verify

    def booked(play: Play, turn: Turn) -> Play:
        group = play.group
        if not isinstance(group, MeteredGroup):
            return fold(play, turn)
        with group.under(Cause.VERIFY_OWN if turn.entry.author == group.seat else Cause.VERIFY_OTHERS):
            return fold(play, turn)

    def settled(table: Table[Play]) -> bool:
        group = table.game.group
        if not isinstance(group, MeteredGroup):
            return settle(table)
        with group.under(Cause.AHEAD if group.is_ahead else Cause.VERIFY_OWN):
            return settle(table)

    def checked(board: Board, turn: Turn, links: Sequence[Attested]) -> None:
        """The one sum over all proofs, whoever's entry was the last."""
        if not isinstance(board.group, MeteredGroup):
            return check(board, turn, links)
        with board.group.under(Cause.VERIFY_OTHERS):
            return check(board, turn, links)

    with (
        in_place_of(Play, "fold", booked),
        in_place_of(Table, "settle", settled),
        in_place_of(Mixing, "_verify", staticmethod(checked)),
    ):
        yield


@contextmanager
def in_place_of(owner: object, name: str, value: object) -> Iterator[None]:
    """Lets something else have that name for a while."""
    original = vars(owner)[name] if isinstance(owner, type) else getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, original)
