"""What was delivered, and what each entry rests on: a chain for each seat, or a tree if it has forked.

A set of entries that holds with each one all that it names is a *past*. It is known by its ends: the last entry of each
seat in it. Only a seat that has signed two entries with one number has several.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from protocol.entry import Entry, Head, SignedEntry


@dataclass(frozen=True, slots=True)
class CausalPast:
    """A set of delivered entries with all that they name."""

    ends: tuple[tuple[bytes, ...], ...]
    """For each seat the hashes of the last entries of its branches."""
    votes: frozenset[bytes] = frozenset()
    """The hashes of the votes in it."""

    @property
    def forked(self) -> frozenset[int]:
        """The seats of which it holds two entries with one number."""
        if max(map(len, self.ends)) < 2:  # As always: it is asked for a dozen times with every entry.
            return _NOBODY
        return frozenset(seat for seat, ends in enumerate(self.ends) if len(ends) > 1)


_NOBODY: Final = frozenset[int]()


class History:
    """All delivered entries of a game."""

    def __init__(self, seats: int) -> None:
        """Starts empty."""
        self.chains: tuple[list[SignedEntry], ...] = tuple([] for _ in range(seats))
        """Of each seat the branch that this node follows: the one that came first, unless another one is chosen."""
        self.past = CausalPast(((),) * seats)
        """All of it."""
        self._entries: dict[bytes, SignedEntry] = {}
        self._pasts: dict[bytes, CausalPast] = {}
        self._none = self.past
        self._last: tuple[tuple[Head, ...], CausalPast] = ((), self._none)
        """What was asked for last: each entry's is, several times in a row."""

    def __contains__(self, link: bytes) -> bool:
        """Whether the entry with this link was delivered."""
        return link in self._entries

    def __getitem__(self, link: bytes) -> SignedEntry:
        """Returns a delivered entry."""
        return self._entries[link]

    def add(self, signed: SignedEntry, *, is_vote: bool = False) -> None:
        """Takes an entry all of whose heads were delivered."""
        entry = signed.entry
        past = self.past_of(entry, signed.hash if is_vote else None)
        ends = list(past.ends)
        ends[entry.author] = (signed.hash, *(end for end in ends[entry.author] if end != entry.previous))
        past = CausalPast(tuple(ends), past.votes)
        self._entries[signed.hash], self._pasts[signed.hash] = signed, past
        chain = self.chains[entry.author]
        if entry.sequence == len(chain) and (not chain or chain[-1].hash == entry.previous):
            chain.append(signed)
        self.past = self.join((self.past, past))

    def follow(self, end: bytes) -> None:
        """Follows the branch that ends there from now on."""
        branch = list(self.branch(end))
        self.chains[branch[0].entry.author][:] = branch[::-1]

    def past_of(self, entry: Entry, vote: bytes | None = None) -> CausalPast:
        """Returns what an entry rests on, without itself: all that its heads name, which was delivered."""
        if entry.heads is not self._last[0]:
            self._last = entry.heads, self.join(self._pasts[head.hash] for head in entry.heads if head.length)
        past = self._last[1]
        return past if vote is None else CausalPast(past.ends, past.votes | {vote})

    def upto(self, link: bytes) -> CausalPast:
        """Returns the past that ends with this entry."""
        return self._pasts[link]

    def join(self, pasts: Iterable[CausalPast]) -> CausalPast:
        """Returns all that is in one of them."""
        joined = self._none
        for past in pasts:
            if past is joined or joined is self._none:
                joined = past
                continue
            ends = tuple(
                one if one == other else self._merged(one, other)
                for one, other in zip(joined.ends, past.ends, strict=True)
            )
            votes = past.votes if joined.votes <= past.votes else joined.votes | past.votes
            joined = CausalPast(ends, votes)
        return joined

    def _merged(self, one: tuple[bytes, ...], other: tuple[bytes, ...]) -> tuple[bytes, ...]:
        """Returns the ends of one seat that no other one follows."""
        if not (one and other):
            return one or other
        if len(one) == len(other) == 1:
            end, rival = one[0], other[0]
            if self._entries[end].entry.sequence < self._entries[rival].entry.sequence:
                end, rival = rival, end
            if self.follows(end, rival):  # As always, unless the seat has forked.
                return (end,)
        ends = dict.fromkeys((*one, *other))
        return tuple(end for end in ends if not any(rival != end and self.follows(rival, end) for rival in ends))

    def holds(self, past: CausalPast, link: bytes) -> bool:
        """Whether an entry is in a past."""
        return any(self.follows(end, link) for end in past.ends[self._entries[link].entry.author])

    def follows(self, end: bytes, link: bytes) -> bool:
        """Whether an entry is this one, or an earlier one of the same branch."""
        one = self._entries[link].entry
        return end == link or self.ancestor(end, one.sequence) == link

    def ancestor(self, end: bytes, sequence: int) -> bytes | None:
        """Returns the hash of the entry with that number in the branch that ends there; None if it ends before."""
        signed = self._entries[end]
        chain = self.chains[signed.entry.author]
        while signed.entry.sequence > sequence:
            number = signed.entry.sequence
            if number < len(chain) and chain[number].hash == signed.hash:
                return chain[sequence].hash
            signed = self._entries[signed.entry.previous]
        return signed.hash if signed.entry.sequence == sequence else None

    def branch(self, end: bytes) -> Iterator[SignedEntry]:
        """Yields the entries of the branch that ends there, the last first."""
        signed: SignedEntry | None = self._entries[end]
        while signed is not None:
            yield signed
            signed = self._entries[signed.entry.previous] if signed.entry.sequence else None

    def named(self, head: Head) -> SignedEntry | None:
        """Returns the delivered entry that a head names; None if it is not here, or the chain is empty."""
        signed = self._entries.get(head.hash)
        return signed if signed is not None and signed.entry.sequence == head.length - 1 else None

    def between(self, seat: int, start: int, head: Head) -> list[SignedEntry]:
        """Returns a branch up to a head, from that number on."""
        chain = self.chains[seat]
        if head.length <= start:
            return []
        if head.length <= len(chain) and chain[head.length - 1].hash == head.hash:
            return chain[start : head.length]
        branch = [signed for signed in self.branch(head.hash) if signed.entry.sequence >= start]
        return branch[::-1]
