"""One history without a server: every seat's chain of signed entries, delivered in causal order (docs/protocol.md).

An entry is delivered when everything that its author had seen has been delivered. So whoever has delivered an entry
knows at least what its author knew, and every node can judge it by the author's own past.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from protocol.charter import Charter
from protocol.entry import Head, SignedEntry
from protocol.faults import Fault, FaultCode

MAX_AHEAD: Final = 512
"""How far beyond its chain's end an entry is kept: what is dropped is asked for again when its time has come."""

MAX_AHEAD_BYTES: Final = 1 << 20
"""How much is kept beyond the end of one chain, where a liar could put anything: ten times an honest chain."""


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """An entry that somebody claims to have and we do not: ask for it."""

    seat: int
    sequence: int
    claimed_by: int
    """Who named it, and must be able to show it."""


class Transcript:
    """All chains of a game, as far as one node has them."""

    def __init__(self, charter: Charter, own: int | None = None) -> None:
        """Starts with empty chains, whose head is the id of the game; ``own`` is this node's seat.

        A seat's own node knows what it has never written. So after a restart it first gives back, in their order, the
        entries that it had stored: else it would blame others for naming its own.
        """
        self.charter = charter
        self.chains: tuple[list[SignedEntry], ...] = tuple([] for _ in charter.players)
        self._own = own
        self._waiting: tuple[dict[int, SignedEntry], ...] = tuple({} for _ in charter.players)
        """For each seat what can't be delivered yet, by number."""
        self._liars: set[int] = set()
        """Who was found out, and is asked for nothing more, nor anybody for its entries: it could go on for ever."""

    def head(self, seat: int, length: int | None = None) -> Head:
        """Returns how much of a seat's chain is delivered here, or its head at an earlier length."""
        chain = self.chains[seat]
        length = len(chain) if length is None else length
        return Head(length, chain[length - 1].hash if length else self.charter.game)

    @property
    def heads(self) -> tuple[Head, ...]:
        """What an entry written now would name."""
        return tuple(self.head(seat) for seat in range(len(self.chains)))

    def get(self, seat: int, sequence: int) -> SignedEntry | None:
        """Returns an entry that is here, delivered or not."""
        chain = self.chains[seat]
        return chain[sequence] if sequence < len(chain) else self._waiting[seat].get(sequence)

    def receive(self, signed: SignedEntry) -> Iterator[SignedEntry | Fault]:
        """Takes an entry whose signature was checked; yields what can be delivered now, in order, and faults."""
        entry = signed.entry
        known = self.get(entry.author, entry.sequence)
        if known is not None:
            if known.hash != signed.hash:
                self._liars.add(entry.author)
                reason = "two different entries have one number"
                yield Fault(entry.author, FaultCode.EQUIVOCATION, reason, (known, signed))
        elif self._has_room(signed):
            self._waiting[entry.author][entry.sequence] = signed
            yield from self._deliver()

    def missing(self) -> tuple[Missing, ...]:
        """Returns the entries that are not here, or are others here, and are named by what is to be delivered next.

        An entry that several seats have named is there once for each of them: one of them may lie.
        """
        missing: set[Missing] = set()
        for author, waiting in enumerate(self._waiting):
            if not waiting or author in self._liars:
                continue
            for seat, head in enumerate(waiting[min(waiting)].entry.heads):
                if seat in self._liars:
                    continue
                end = len(self.chains[seat])
                named = range(end, min(head.length, end + MAX_AHEAD))
                missing |= {Missing(seat, number, author) for number in named if number not in self._waiting[seat]}
                here = self.get(seat, head.length - 1) if head.length else None
                if here is not None and here.hash != head.hash:
                    missing.add(Missing(seat, head.length - 1, author))
        return tuple(sorted(missing))

    def in_order(self) -> Iterator[SignedEntry]:
        """Yields all delivered entries in the one canonical order: of those that can come next, the lowest seat's."""
        lengths = [0] * len(self.chains)
        while True:
            for seat, chain in enumerate(self.chains):
                if lengths[seat] < len(chain):
                    signed = chain[lengths[seat]]
                    if all(head.length <= lengths[other] for other, head in enumerate(signed.entry.heads)):
                        lengths[seat] += 1
                        yield signed
                        break
            else:
                return

    def _has_room(self, signed: SignedEntry) -> bool:
        """Whether to keep an entry. The next one of a chain is always kept, so that the game can go on."""
        seat, sequence = signed.entry.author, signed.entry.sequence
        ahead = sequence - len(self.chains[seat])
        kept = sum(len(waiting.body) for waiting in self._waiting[seat].values())
        return ahead == 0 or (ahead < MAX_AHEAD and kept + len(signed.body) <= MAX_AHEAD_BYTES)

    def _deliver(self) -> Iterator[SignedEntry | Fault]:
        progress = True
        while progress:
            progress = False
            for chain, waiting in zip(self.chains, self._waiting, strict=True):
                signed = waiting.get(len(chain))
                if signed is None:
                    continue
                fault = self._fault(signed)
                if fault is not None:
                    # What follows a refused entry has lost its ground.
                    waiting.clear()
                    self._liars.add(fault.seat)
                    yield fault
                elif self._is_deliverable(signed):
                    del waiting[len(chain)]
                    chain.append(signed)
                    progress = True
                    yield signed

    def _is_deliverable(self, signed: SignedEntry) -> bool:
        """Whether all that it names is here. What differs here is a dispute: one of two seats has lied, so it waits."""
        return all(
            head.length <= len(self.chains[seat]) and head == self.head(seat, head.length)
            for seat, head in enumerate(signed.entry.heads)
        )

    def _fault(self, signed: SignedEntry) -> Fault | None:
        """Returns what is wrong with the next entry of a chain by its author's own words, or by ours."""
        entry, seat = signed.entry, signed.entry.author
        last = self.chains[seat][-1:]
        if entry.heads[seat] != self.head(seat):
            reason = "the entry does not follow the one before it"
            return Fault(seat, FaultCode.BROKEN_CHAIN, reason, (*last, signed))
        if last and any(_went_back(old, new) for old, new in zip(last[0].entry.heads, entry.heads, strict=True)):
            return Fault(seat, FaultCode.HEADS_WENT_BACK, "the author has seen less than before", (*last, signed))
        if any(head.length == 0 and head.hash != self.charter.game for head in entry.heads):
            reason = "the entry names another game as the beginning of a chain"
            return Fault(seat, FaultCode.UNKNOWN_HEADS, reason, (signed,))
        if self._own is not None:
            head = entry.heads[self._own]
            if head.length > len(self.chains[self._own]) or head != self.head(self._own, head.length):
                reason = "the entry names an entry of ours that we never wrote"
                return Fault(seat, FaultCode.UNKNOWN_HEADS, reason, (signed,))
        return None


def _went_back(old: Head, new: Head) -> bool:
    return new.length < old.length or (new.length == old.length and new.hash != old.hash)
