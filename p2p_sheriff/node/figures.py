"""What the checks and proofs of a game take: one figure for every entry that takes a turn."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter

from p2p_sheriff.node.events import Checked, Wrote
from p2p_sheriff.session.acts import Payload
from p2p_sheriff.session.play import Play
from protocol.entry import Entry, SignedEntry
from protocol.errors import MalformedError
from protocol.table import Table


class Figures:
    """Takes the time of what is done at one table."""

    def __init__(self, table: Table[Play], clock: Callable[[], float] = perf_counter) -> None:
        """Takes the table; what happened there before is counted when it is recalled."""
        self._table, self._clock = table, clock
        self._waiting: list[SignedEntry] = []
        """Entries of others that are here and don't count yet, for others come first in their step."""
        self._noted: list[tuple[Entry, bool, int, float]] = []
        """Entries that count, whether they were written now, their sizes and what they took: read when that is told."""

    @contextmanager
    def timed(self, *, writes: bool) -> Iterator[None]:
        """Takes the time of something that is done; own entries are new only if it ``writes``."""
        before, start = [len(chain) for chain in self._table.transcript.chains], self._clock()
        try:
            yield
        finally:
            own, chains = self._table.seat, self._table.transcript.chains
            new = [one for chain, length in zip(chains, before, strict=True) for one in chain[length:]]
            if new:
                written = [signed for signed in new if signed.entry.author == own and writes]
                checked = [signed for signed in new if signed.entry.author != own]
                self._note(written, checked, self._clock() - start)

    def recall(self, seconds: float) -> None:
        """Takes note of all that is here: who comes back to a game has checked it again, the own entries too."""
        self._note((), self._table.transcript.in_order(), seconds)

    def take(self) -> list[Checked | Wrote]:
        """Returns the figures since the last call."""
        noted, self._noted = self._noted, []
        return [
            (Wrote if is_new else Checked)(entry.author, acts_of(entry), size, seconds)
            for entry, is_new, size, seconds in noted
        ]

    def _note(self, written: Iterable[SignedEntry], checked: Iterable[SignedEntry], seconds: float) -> None:
        written = [signed for signed in written if signed.entry.step is not None]
        self._waiting += (signed for signed in checked if signed.entry.step is not None)
        counted = [signed for signed in self._waiting if self._counts(signed.entry)]
        self._waiting = [signed for signed in self._waiting if not self._counts(signed.entry)]
        share = seconds / max(1, sum(len(signed.body) for signed in (*written, *counted)))
        counted = [signed for signed in counted if signed.entry.author not in self._table.faults]
        for signed in (*written, *counted):
            self._noted.append((signed.entry, signed in written, len(signed.body), share * len(signed.body)))

    def _counts(self, entry: Entry) -> bool:
        """Whether the game has come past the entry's turn."""
        table = self._table
        step = table.step if entry.step is None else entry.step
        return step < table.step or (step == table.step and entry.author not in table.stage)


def acts_of(entry: Entry) -> tuple[str, ...]:
    """Returns the names of what an entry does; none if it makes no sense."""
    try:
        acts = entry.said(Payload.from_value).acts
    except MalformedError:
        return ()
    return tuple(type(act).__name__.lower() for act in acts)
