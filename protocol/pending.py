"""What has come and can't be delivered yet: entries ahead of their chain, and other versions of what is there.

A liar can sign versions without end, and an accomplice can name them. So a version is kept only if another seat's words
that wait here lead to it, and for each such seat there is so much room: what an honest one names fits in.
"""

from dataclasses import dataclass
from typing import Final

from protocol.budget import CHAIN_ENTRIES
from protocol.entry import Head, SignedEntry

MAX_AHEAD_BYTES: Final = 4 << 20
"""How much is kept beyond the end of one chain, where a liar could put anything; and of its other branches, for each
seat that leads to one: twice as much as all words that a chain may have.
"""


@dataclass(slots=True)
class _Trail:
    """What one seat's waiting entries name of another chain, and what leads there as far as it is here."""

    links: set[bytes]
    kept: int = 0
    """How many bytes of other versions are kept for it."""


class Pending:
    """The entries of a game that wait."""

    def __init__(self, seats: int) -> None:
        """Starts empty."""
        self.ahead: tuple[dict[int, SignedEntry], ...] = tuple({} for _ in range(seats))
        """For each seat by number."""
        self.versions: tuple[dict[bytes, SignedEntry], ...] = tuple({} for _ in range(seats))
        """For each seat what has the number of another one here, and is led to by somebody: by hash."""
        self.keeps_all = False
        """Whether versions are kept that nobody has named yet."""
        self._trails: dict[int, tuple[_Trail, ...]] = {}
        """Of each seat that was found out, the trails of all seats to its branches."""

    def has_room(self, signed: SignedEntry) -> bool:
        """Whether an entry may wait that is not the next of its chain."""
        entry = signed.entry
        kept = sum(len(one.body) for one in self.ahead[entry.author].values())
        return entry.sequence < CHAIN_ENTRIES and kept + len(signed.body) <= MAX_AHEAD_BYTES

    def add(self, signed: SignedEntry) -> None:
        """Has the first entry with its number wait."""
        self.ahead[signed.entry.author][signed.entry.sequence] = signed
        self._lengthen(signed)

    def add_version(self, signed: SignedEntry) -> bool:
        """Has another version wait if it is wanted, and there is room for it; returns whether it waits now."""
        author, size = signed.entry.author, len(signed.body)
        trails = [trail for trail in self._trails_to(author) if signed.hash in trail.links]
        is_kept = self.keeps_all or any(trail.kept + size <= MAX_AHEAD_BYTES for trail in trails)
        if is_kept:
            self.versions[author][signed.hash] = signed
            for trail in trails:
                trail.kept += size
            self._lengthen(signed)
        return is_kept

    def is_wanted(self, signed: SignedEntry) -> bool:
        """Whether what waits here names this version, or leads to it.

        The author's own words are no reason to keep one: it could go on with each of its branches without end.
        """
        return self.keeps_all or any(signed.hash in trail.links for trail in self._trails_to(signed.entry.author))

    def __contains__(self, signed: SignedEntry) -> bool:
        """Whether an entry waits: it may have been dropped, with one that it follows."""
        entry = signed.entry
        return self.ahead[entry.author].get(entry.sequence) is signed or signed.hash in self.versions[entry.author]

    def remove(self, signed: SignedEntry) -> None:
        """Takes away an entry that is delivered."""
        entry = signed.entry
        if self.versions[entry.author].pop(signed.hash, None) is None:
            del self.ahead[entry.author][entry.sequence]
            return
        for trail in self._trails.get(entry.author, ()):
            trail.kept -= len(signed.body) if signed.hash in trail.links else 0

    def drop(self, signed: SignedEntry, *, is_other_branch: bool) -> None:
        """Takes away a false entry and what follows it, but for what others lead to; and itself, if it may be that."""
        author = signed.entry.author
        if self.versions[author].pop(signed.hash, None) is None:
            wanted = [one for one in self.ahead[author].values() if self.is_wanted(one)]
            self.ahead[author].clear()
            self._trails.clear()
            # A trail is known from its end back.
            for one in wanted if self.keeps_all else sorted(wanted, key=lambda one: -one.entry.sequence):
                if one is not signed or is_other_branch:
                    self.add_version(one)
        self._trails.clear()

    def _trails_to(self, author: int) -> tuple[_Trail, ...]:
        """Returns the trail of each seat to branches of a chain. What nobody leads to any more is dropped."""
        if author not in self._trails:
            trails = tuple(_Trail(set()) for _ in self.ahead)
            for seat, trail in enumerate(trails):
                waiting = (*self.ahead[seat].values(), *self.versions[seat].values())
                for one in waiting if seat != author else ():
                    self._go_back(trail, author, one.entry.heads[author])
            versions = self.versions[author]
            for link, one in () if self.keeps_all else tuple(versions.items()):
                leading = [trail for trail in trails if link in trail.links]
                for trail in leading:
                    trail.kept += len(one.body)
                if not leading:
                    del versions[link]
            self._trails[author] = trails
        return self._trails[author]

    def _lengthen(self, signed: SignedEntry) -> None:
        """Takes note of what an entry leads to that waits from now on."""
        seat = signed.entry.author
        for author, trails in self._trails.items():
            for trail in trails if author == seat else (trails[seat],):
                if author != seat or signed.hash in trail.links:
                    self._go_back(trail, author, signed.entry.heads[author])

    def _go_back(self, trail: _Trail, author: int, head: Head) -> None:
        """Adds to a trail what leads to a head of this chain, as far as it waits here."""
        ahead, versions = self.ahead[author], self.versions[author]
        while head.hash not in trail.links:
            trail.links.add(head.hash)
            one = versions.get(head.hash, ahead.get(head.length - 1))
            if one is None or one.hash != head.hash:
                break
            head = one.entry.heads[author]
