"""How much one seat may write: no chain can fill the others' disks, or the one file that proves the game.

What a chain has spent follows from its entries alone, so all nodes judge it alike, before an entry is delivered. What
takes a step of the game is bounded by the game, what says nothing but what its author has seen by what there is to see;
words are free, so they are counted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from protocol.ballots import is_vote
from protocol.codec import Value
from protocol.entry import SignedEntry
from protocol.framing import HEADER_BYTES

RECORD_BYTES: Final = 1 << 26
"""What the record of a whole game may have: a hundred times a long game among six."""

_BESIDES_BYTES: Final = 1 << 17
"""What a record holds besides the chains: its opening and the charter."""

CHAIN_ENTRIES: Final = 1 << 14
WORD_BYTES: Final = 2 << 10
"""One free entry that says something."""
WORDS_BETWEEN_STEPS: Final = 256
"""Since the author's last entry that takes a step."""
VOTE_BYTES: Final = 2 << 10
"""It names all certificates below it, and a liar can bring about many that change nothing."""
VOTES_BETWEEN_CERTIFICATES: Final = 64
"""Votes that build on the same certificates: words are counted apart."""
WORDS: Final = 4096
WORDS_BYTES: Final = 2 << 20


def chain_bytes(seats: int) -> int:
    """Returns how many bytes each seat's chain may have, with the frames that its entries stand in in a record."""
    return (RECORD_BYTES - _BESIDES_BYTES) // seats


@dataclass(frozen=True, slots=True)
class Spent:
    """What one chain has used up."""

    entries: int = 0
    size: int = 0
    words: int = 0
    words_size: int = 0
    words_since_step: int = 0
    votes: int = 0
    """Since the certificates changed that its votes build on."""
    below: Value = None

    def after(self, signed: SignedEntry) -> "Spent":
        """Returns what is used up with one more entry."""
        entry, size = signed.entry, HEADER_BYTES + len(signed.to_bytes())
        votes, below = self.votes, self.below
        word = entry.step is None and not entry.is_acknowledgement
        if is_vote(entry) and isinstance(entry.payload, tuple):
            word, votes, below = False, votes * (entry.payload[1:2] == below) + 1, entry.payload[1:2]
        return Spent(
            self.entries + 1,
            self.size + size,
            self.words + word,
            self.words_size + size * word,
            0 if entry.step is not None else self.words_since_step + word,
            votes,
            below,
        )

    def excess(self, signed: SignedEntry, seats: int) -> str | None:
        """Returns of what there is too much with one more entry, in words; None if a chain may have all of it."""
        after = self.after(signed)
        vote = ("bytes in a vote", after.size - self.size if is_vote(signed.entry) else 0, VOTE_BYTES)
        word = ("bytes in a free entry", after.words_size - self.words_size, WORD_BYTES)
        lines = (vote, word, *after._lines(seats))
        return next((f"{what}: {used}, at most {most}" for what, used, most in lines if used > most), None)

    def is_scarce(self, seats: int) -> bool:
        """Whether three quarters of something are used up: who chats should stop, and keep the rest for the game."""
        return any(4 * used >= 3 * most for _, used, most in self._lines(seats))

    def _lines(self, seats: int) -> Iterator[tuple[str, int, int]]:
        yield "entries in a chain", self.entries, CHAIN_ENTRIES
        yield "bytes in a chain", self.size, chain_bytes(seats)
        yield "free entries since the author's last step", self.words_since_step, WORDS_BETWEEN_STEPS
        yield "votes on the same certificates", self.votes, VOTES_BETWEEN_CERTIFICATES
        yield "free entries in a chain", self.words, WORDS
        yield "bytes in the free entries of a chain", self.words_size, WORDS_BYTES
