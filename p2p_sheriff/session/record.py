"""The transcript file: the charter of a game and its entries in the one canonical order (docs/protocol.md, Record).

Every honest node of a finished game writes the same bytes. The format is a list of frames without a count, so that a
file that was cut off still shows how far the game came.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from p2p_sheriff.session.play import Play
from protocol.charter import Charter
from protocol.entry import MAX_ENTRY_BYTES
from protocol.errors import LocalError, MalformedError
from protocol.group import Group
from protocol.table import Table

SUFFIX: Final = ".sheriff"
MAGIC: Final = b"sheriff"
VERSION: Final = 1
MAX_CHARTER_BYTES: Final = 1 << 16
MAX_RECORD_BYTES: Final = 1 << 26
"""A hundred times a long game among six."""

_OPENING: Final = MAGIC + bytes([VERSION])
_LENGTH_BYTES: Final = 4


class NotARecordError(MalformedError):
    """The bytes are no transcript file, or one of another version."""


@dataclass(frozen=True, slots=True)
class Record:
    """A game as it is kept in a file. Nothing in it has been checked but that it can be read."""

    charter: Charter
    entries: tuple[bytes, ...]
    """Signed entries as they were sent."""
    rest: bytes = b""
    """What follows the last whole entry: nothing, unless the file is damaged or was cut off."""

    def __post_init__(self) -> None:
        if sum(map(len, self._frames())) + len(_OPENING) + len(self.rest) > MAX_RECORD_BYTES:
            raise LocalError(f"a transcript has at most {MAX_RECORD_BYTES} bytes")

    @property
    def is_cut_off(self) -> bool:
        """Whether the file ends before an entry does."""
        announced, here = int.from_bytes(self.rest[:_LENGTH_BYTES]), len(self.rest) - _LENGTH_BYTES
        return bool(self.rest) and (here < 0 or here < announced <= MAX_ENTRY_BYTES)

    def to_bytes(self) -> bytes:
        """Returns the content of the file."""
        return b"".join((_OPENING, *self._frames(), self.rest))

    @classmethod
    def from_bytes(cls, group: Group, data: bytes) -> "Record":
        """Reads the content of a file; the frames up to the first that can't be one are its entries.

        Raises:
            NotARecordError: It is no transcript file, too long, or of another version.
            MalformedError: It has no charter.
        """
        if data[: len(MAGIC)] != MAGIC:
            raise NotARecordError("this is not the transcript of a game")
        if data[: len(_OPENING)] != _OPENING:
            raise NotARecordError(f"this transcript is of another version: this program reads version {VERSION}")
        if len(data) > MAX_RECORD_BYTES:
            raise NotARecordError(f"this is longer than any transcript: more than {MAX_RECORD_BYTES} bytes")
        charter = _frame(data, len(_OPENING), MAX_CHARTER_BYTES)
        if charter is None:
            raise MalformedError("the transcript breaks off before the end of its charter")
        entries, at = [], len(_OPENING) + _LENGTH_BYTES + len(charter)
        while (entry := _frame(data, at, MAX_ENTRY_BYTES)) is not None:
            entries.append(entry)
            at += _LENGTH_BYTES + len(entry)
        return cls(Charter.from_bytes(group, charter), tuple(entries), data[at:])

    def _frames(self) -> Iterator[bytes]:
        for content in (self.charter.to_bytes(), *self.entries):
            yield len(content).to_bytes(_LENGTH_BYTES)
            yield content


def record_of(table: Table[Play]) -> Record:
    """Returns the record of a table's game: of a finished one always the same, else all that has arrived so far."""
    ends = _ends(table)
    in_order = table.transcript.in_order()
    counted = (signed for signed in in_order if signed.entry.sequence < ends[signed.entry.author])
    return Record(table.charter, tuple(signed.to_bytes() for signed in counted))


def _ends(table: Table[Play]) -> list[int]:
    """Returns how much of each chain belongs to the game: the entries that sign its result, and all they have seen.

    What is said afterwards reaches some nodes and others not, and is nobody's game.
    """
    chains = table.transcript.chains
    if not table.game.is_over:
        return [len(chain) for chain in chains]
    last = table.step - 1
    seals = [next(signed for signed in chains[seat] if signed.entry.step == last) for seat in table.game.sealed]
    ends = [0] * len(chains)
    for seal in seals:
        for seat, head in enumerate(seal.entry.heads):
            ends[seat] = max(ends[seat], head.length + (seat == seal.entry.author))
    return ends


def _frame(data: bytes, at: int, most: int) -> bytes | None:
    """Returns the frame that begins there; None if none does."""
    start = at + _LENGTH_BYTES
    end = start + int.from_bytes(data[at:start])
    return data[start:end] if start <= end <= min(len(data), start + most) else None
