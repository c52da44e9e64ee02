"""What the checks and proofs of a game take: one figure for every entry that takes a turn."""

from collections.abc import Callable, Iterator
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
        """Takes the table; what happened there before is not counted."""
        self._table, self._clock = table, clock
        self._waiting: list[SignedEntry] = []
        """Entries of others that are here and don't count yet, for others come first in their step."""
        self._noted: list[Checked | Wrote] = []

    @contextmanager
    def timed(self, *, writes: bool) -> Iterator[None]:
        """Takes the time of something that is done; own entries are new only if it ``writes``."""
        before, start = [len(chain) for chain in self._table.transcript.chains], self._clock()
        try:
            yield
        finally:
            self._note(before, self._clock() - start, writes=writes)

    def take(self) -> list[Checked | Wrote]:
        """Returns the figures since the last call."""
        noted, self._noted = self._noted, []
        return noted

    def _note(self, before: list[int], seconds: float, *, writes: bool) -> None:
        own, chains = self._table.seat, self._table.transcript.chains
        new = [one for chain, length in zip(chains, before, strict=True) for one in chain[length:]]
        turns = [signed for signed in new if signed.entry.step is not None]
        written = [signed for signed in turns if signed.entry.author == own and writes]
        self._waiting += (signed for signed in turns if signed.entry.author != own)
        counted = [signed for signed in self._waiting if self._counts(signed.entry)]
        self._waiting = [signed for signed in self._waiting if signed not in counted]
        share = seconds / max(1, sum(len(signed.body) for signed in (*written, *counted)))
        for signed in written:
            size = len(signed.body)
            self._noted.append(Wrote(acts_of(signed.entry), size, share * size))
        for signed in counted:
            size, author = len(signed.body), signed.entry.author
            if author not in self._table.faults:
                self._noted.append(Checked(author, acts_of(signed.entry), size, share * size))

    def _counts(self, entry: Entry) -> bool:
        """Whether the game has come past the entry's turn."""
        table = self._table
        step = table.step if entry.step is None else entry.step
        return step < table.step or (step == table.step and entry.author not in table.stage)


def acts_of(entry: Entry) -> tuple[str, ...]:
    """Returns the names of what an entry does; none if it makes no sense."""
    try:
        acts = Payload.from_value(entry.payload).acts
    except MalformedError:
        return ()
    return tuple(type(act).__name__.lower() for act in acts)
