"""What seats write, without cryptography: entries that name what their author had seen; all there are, in one ledger.

A set of entries is an integer with the bit of each one's number: sets are compared, joined and remembered very often.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

Seats: TypeAlias = frozenset[int]
Mask: TypeAlias = int
Keys: TypeAlias = tuple[tuple[int, Seats], ...]
"""Try and set of each of the certificates that something builds on."""


@dataclass(frozen=True, slots=True)
class Slot:
    step: int
    choice: int = 0


@dataclass(frozen=True, slots=True)
class Vote:
    below: Keys
    out: Seats
    attempt: int


@dataclass(frozen=True, slots=True)
class See:
    choice: int = 0


Words: TypeAlias = Slot | Vote | See


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Entry:
    number: int
    """Its place among all entries of the ledger: it stands for the hash."""
    author: int
    sequence: int
    heads: "Heads"
    """The last entry that the author had seen of each seat; of its own, the previous one."""
    words: Words
    before: Mask
    """All that it builds on."""
    chain: Mask
    """It and those before it on its author's branch."""

    def __repr__(self) -> str:
        named = [head.number if head else None for head in self.heads]
        return f"<{self.number} of seat {self.author}: {self.words} on {named}>"

    @property
    def past(self) -> Mask:
        return self.before | 1 << self.number

    @property
    def previous(self) -> "Entry | None":
        return self.heads[self.author]


Heads: TypeAlias = tuple[Entry | None, ...]


def past(heads: Iterable[Entry | None]) -> Mask:
    mask = 0
    for head in heads:
        mask |= head.past if head else 0
    return mask


def chain(head: Entry | None) -> Mask:
    return head.chain if head else 0


class Ledger:
    """All entries of a game, whoever has them."""

    def __init__(self, seats: int) -> None:
        self.seats = frozenset(range(seats))
        self.entries: list[Entry] = []
        self.by = [0] * seats
        """The entries of each seat."""
        self.slots = self.votes = self._forked = 0
        self._same: dict[tuple[int, Heads, Words], Entry] = {}

    def draft(self, author: int, heads: Heads, words: Words) -> Entry:
        """Returns an entry as it would be, or as it is if it was written before."""
        if (same := self._same.get((author, heads, words))) is not None:
            return same
        number, before = len(self.entries), chain(heads[author])
        return Entry(number, author, before.bit_count(), heads, words, past(heads), before | 1 << number)

    def add(self, entry: Entry) -> Entry:
        if entry.number == len(self.entries):
            for rival in self.of(self.by[entry.author] & ~entry.chain):
                self._forked |= entry.chain ^ rival.chain
            self.entries.append(entry)
            self.by[entry.author] |= 1 << entry.number
            self.slots |= isinstance(entry.words, Slot) << entry.number
            self.votes |= isinstance(entry.words, Vote) << entry.number
            self._same[entry.author, entry.heads, entry.words] = entry
        return entry

    def of(self, mask: Mask) -> Iterator[Entry]:
        """Yields the entries of a set, by number."""
        while mask:
            low = mask & -mask
            yield self.entries[low.bit_length() - 1]
            mask ^= low

    def votes_in(self, mask: Mask) -> Iterator[tuple[Entry, Vote]]:
        for entry in self.of(mask & self.votes):
            if isinstance(entry.words, Vote):
                yield entry, entry.words

    def forks(self, mask: Mask, seats: Iterable[int]) -> Seats:
        """Returns which of the seats have signed two entries with one number, as far as a set shows."""
        return frozenset(seat for seat in seats if self._is_split(mask & self.by[seat]))

    def _is_split(self, own: Mask) -> bool:
        """Whether entries of one author are not one chain."""
        return bool(own & self._forked) and bool(own & ~max(self.of(own), key=lambda entry: entry.sequence).chain)

    def contested(self, mask: Mask) -> Mask:
        """Returns those of a set that are not on every branch of their author."""
        beyond = 0
        for own in self.by:
            if self._is_split(own & mask):
                for entry in self.of(own & mask):
                    for rival in self.of(own & mask & ~entry.chain):
                        if entry.chain & ~rival.chain:
                            beyond |= entry.chain ^ rival.chain
        return beyond
