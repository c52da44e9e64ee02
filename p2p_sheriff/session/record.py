"""The transcript file: the charter of a game and its entries in the one canonical order (docs/protocol.md, Record).

Every honest node of a finished game writes the same bytes. The format is a list of frames without a count, so that a
file that was cut off still shows how far the game came.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from p2p_sheriff.phrase import Told
from p2p_sheriff.rules import Seat
from p2p_sheriff.session.acts import Payload, Seals
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.result import result_digest
from protocol.ballots import read_vote
from protocol.budget import CHAIN_ENTRIES, RECORD_BYTES
from protocol.charter import Charter
from protocol.entry import MAX_ENTRY_BYTES, SignedEntry
from protocol.errors import LocalError, MalformedError
from protocol.faults import Fault
from protocol.group import Group
from protocol.history import CausalPast
from protocol.table import Table
from protocol.transcript import Transcript

SUFFIX: Final = ".sheriff"
MAGIC: Final = b"sheriff"
VERSION: Final = 1
MAX_CHARTER_BYTES: Final = 1 << 16
MAX_RECORD_BYTES: Final = RECORD_BYTES

_OPENING: Final = MAGIC + bytes([VERSION])
_LENGTH_BYTES: Final = 4


class NotARecordError(Told, MalformedError):
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
            NotARecordError: It is no transcript file, too long, of another version, or has more entries than any game.
            MalformedError: It has no charter.
        """
        if data[: len(MAGIC)] != MAGIC:
            raise NotARecordError("record.not_a_transcript")
        if data[: len(_OPENING)] != _OPENING:
            raise NotARecordError("record.version", n=VERSION)
        if len(data) > MAX_RECORD_BYTES:
            raise NotARecordError("record.longer", n=MAX_RECORD_BYTES)
        charter = _frame(data, len(_OPENING), MAX_CHARTER_BYTES)
        if charter is None:
            raise MalformedError("the transcript breaks off before the end of its charter")
        agreed = Charter.from_bytes(group, charter)
        entries, most = [], _most_entries(agreed)
        at = len(_OPENING) + _LENGTH_BYTES + len(charter)
        while (entry := _frame(data, at, MAX_ENTRY_BYTES)) is not None:
            entries.append(entry)
            at += _LENGTH_BYTES + len(entry)
            if len(entries) > most:
                raise NotARecordError("record.more_entries", n=most)
        return cls(agreed, tuple(entries), data[at:])

    def _frames(self) -> Iterator[bytes]:
        for content in (self.charter.to_bytes(), *self.entries):
            yield len(content).to_bytes(_LENGTH_BYTES)
            yield content


def _most_entries(charter: Charter) -> int:
    """Returns how many entries a record may have: full chains of all seats, and what proves a fault of each."""
    return len(charter.players) * (CHAIN_ENTRIES + 2)


def record_of(table: Table[Play]) -> Record:
    """Returns the record of a table's game: of one that all have signed always the same.

    One that is decided has what decided it, and the signatures there are; any other all that has arrived so far.
    """
    counted = table.transcript.in_order(_counted(table))
    return Record(table.charter, tuple(signed.to_bytes() for signed in counted))


def evidence_of(table: Table[Play], fault: Fault) -> Record:
    """Returns the record that proves a fault to anyone: all that was delivered, and the entries that show it.

    Each of them stands where the order puts it, or at the end if it follows nothing. What rests on votes against that
    seat is left out: whoever was put out has cost nobody the proof of the game, so an audit would go on past the fault.
    It names the seat and the fault; but that somebody names an entry of ours which we never wrote, we alone can know.
    """
    transcript = Transcript(table.charter)
    transcript.keeps_rivals = True
    for signed in (*table.transcript.in_order(_without_votes(table, fault)), *fault.evidence):
        tuple(transcript.receive(signed))
    in_order = list(transcript.in_order())
    placed = {signed.hash for signed in in_order}
    rest = [signed for signed in fault.evidence if signed.hash not in placed]
    return Record(table.charter, tuple(signed.to_bytes() for signed in (*in_order, *rest)))


def _without_votes(table: Table[Play], fault: Fault) -> CausalPast:
    """Returns what rests on no vote against a seat, and what the proof of its fault rests on."""
    history = table.transcript.history
    against = {vote for vote in history.past.votes if fault.seat in read_vote(history[vote].entry).out}
    pasts = [history.upto(signed.hash) for signed in table.transcript.delivered]
    proof = [
        history.past_of(signed.entry)
        for signed in fault.evidence
        if all(head.hash in history for head in signed.entry.heads if head.length)
    ]
    return history.join([*(past for past in pasts if against.isdisjoint(past.votes)), *proof])


def deciding(table: Table[Play]) -> list[SignedEntry]:
    """Returns the entries of the step that has decided the game, or the votes; none if it is not decided."""
    if not table.game.is_decided:
        return []
    last, log = None, list[SignedEntry]()
    for step, entries in reversed(table.log):
        if last not in (None, step):
            break
        if last is not None or not all(map(_is_seal, entries)):
            last = step
            log += entries
    return log


def signatures(table: Table[Play]) -> list[SignedEntry]:
    """Returns the entries that sign the result, also those that wait for one of a lower seat."""
    return [signed for signed, is_true in _seals(table) if is_true]


def false_signatures(table: Table[Play]) -> list[SignedEntry]:
    """Returns the entries that should sign the result, and do something else; the table may not have come to them."""
    return [signed for signed, is_true in _seals(table) if not is_true]


def _seals(table: Table[Play]) -> Iterator[tuple[SignedEntry, bool]]:
    if table.game.is_decided:
        seal = Payload((Seals(result_digest(table.charter.game, table.game.state)),)).to_value()
        folded = [signed for _, entries in table.log for signed in entries if _is_seal(signed)]
        for signed in {one.hash: one for one in (*folded, *table.turns)}.values():
            yield signed, signed.entry.payload == seal


def _is_seal(signed: SignedEntry) -> bool:
    """Whether an entry that was folded signs the result."""
    entry = signed.entry
    return entry.step is not None and isinstance(Payload.from_value(entry.payload).acts[0], Seals)


def unsigned(table: Table[Play]) -> tuple[Seat, ...]:
    """Returns who has not signed the result of a decided game."""
    signers = {signed.entry.author for signed in signatures(table)}
    return tuple(seat for seat in table.game.state.seats if seat not in signers)


def _counted(table: Table[Play]) -> CausalPast:
    """Returns what belongs to the game: what decided it, who signs it, and all they have seen.

    What is said afterwards reaches some nodes and others not, and is nobody's game.
    """
    history = table.transcript.history
    if not table.game.is_decided:
        return history.past
    return history.join(history.upto(signed.hash) for signed in (*deciding(table), *signatures(table)))


def _frame(data: bytes, at: int, most: int) -> bytes | None:
    """Returns the frame that begins there; None if none does."""
    start = at + _LENGTH_BYTES
    end = start + int.from_bytes(data[at:start])
    return data[start:end] if start <= end <= min(len(data), start + most) else None
