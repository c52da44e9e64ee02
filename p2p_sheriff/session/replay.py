"""A recorded game step by step, checked as far as anybody can without a secret (docs/protocol.md, Record).

First the file: that every entry can be read, is signed by its author, names only what stands before it, and stands
where the canonical order puts it. Then the game: a table that nobody sits at folds entry after entry.

If reading comes upon damage, which anybody could have done, the file is not the players' any more: that is named before
a single proof is checked. Whatever takes a player's key is judged in the order of the file: an entry that a player has
signed anew is named for its own fault, rather than those who have seen the first one for contradicting it.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

from p2p_sheriff.rules import Seat
from p2p_sheriff.session.happenings import GameEvent, Happened, TakenBack, WentOn, happening
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import Record, false_signatures, record_of, unsigned
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.codec import decode
from protocol.entry import Entry, SignedEntry
from protocol.errors import DefectError, InvalidSignatureError, MalformedError, VerificationError
from protocol.faults import Fault, FaultCode
from protocol.group import Group
from protocol.randomness import Rng
from protocol.table import Table
from protocol.transcript import Transcript


class Flaw(Enum):
    """What can be wrong with a file, whoever has made it so; a fault of a player has a ``FaultCode``."""

    BAD_CHARTER = "bad charter"
    """No charter of this game."""
    UNREADABLE = "unreadable"
    """No entry of the charter's game."""
    UNSIGNED = "unsigned"
    """An entry that its alleged author did not sign."""
    REPEATED = "repeated"
    """An entry that was there before."""
    MISSING = "missing"
    """An entry that names another one, which does not stand before it."""
    DISPUTED = "disputed"
    """An entry that names another one than stands here under that author's name and number."""
    MISPLACED = "misplaced"
    """An entry that the canonical order puts elsewhere."""
    SURPLUS = "surplus"
    """What stands beyond the end of the game."""
    DEFECT = "defect"
    """What this program should be able to judge and is not: nothing is said about the file, nor about anybody."""


_DAMAGE = frozenset({Flaw.UNREADABLE, Flaw.UNSIGNED, Flaw.REPEATED, Flaw.MISSING, Flaw.MISPLACED})
"""What anybody who has a file in hands can do to its entries."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The first thing in a record that does not hold; damage comes before what a fold would show."""

    place: int | None
    """The entry's place in the file, from 0; None: the charter."""
    code: Flaw | FaultCode
    reason: str
    """A sentence for people."""
    seat: int | None = None
    """The entry's author: by its signature or, where that fails, only by its words."""
    number: int | None = None
    """The entry's number in its author's chain, from 0."""

    @property
    def is_proven(self) -> bool:
        """Whether the author's own signatures prove the author's fault; else the file may have been changed."""
        return isinstance(self.code, FaultCode)

    @property
    def is_damage(self) -> bool:
        """Whether it takes nobody's key to change a file so: what else is in it can't be relied on."""
        return self.code in _DAMAGE


class FindingError(VerificationError):
    """A record does not hold."""

    def __init__(self, finding: Finding) -> None:
        """Says what was found."""
        super().__init__(finding.reason)
        self.finding = finding


@dataclass(frozen=True, slots=True)
class Replayed:
    """One entry of a record, checked, and what came of it."""

    place: int
    signed: SignedEntry
    happened: tuple[GameEvent, ...]
    """What this entry, and those that had waited for it, put into the rules or took back."""
    play: Play
    """The game now."""
    awaited: tuple[int, ...]
    """Whose entries it waits for."""
    unsigned: tuple[Seat, ...]
    """Once it is decided: who has not signed the result."""


def replay(record: Record, group: Group, rng: Rng) -> Iterator[Replayed]:
    """Yields the game entry by entry. If it comes to its end, all holds.

    Raises:
        FindingError: The file is damaged, which shows before the first step; or what comes next does not hold.
    """
    table = _table(record.charter, group, rng)
    entries, finding = read_entries(record)
    if finding and finding.is_damage:
        raise FindingError(finding)
    places = {signed.hash: place for place, signed in enumerate(entries)}
    for place, signed in enumerate(entries):
        try:
            told = map(happening, table.take(signed))
        except DefectError as error:
            raise FindingError(Finding(place, Flaw.DEFECT, str(error))) from error
        happened = tuple(event for event in told if isinstance(event, Happened | WentOn | TakenBack))
        yield Replayed(place, signed, happened, table.game, table.awaited, unsigned(table))
    # Whoever was put out has cost nobody the proof of the game.
    faults = [_blame(fault, places) for seat, fault in table.faults.items() if seat in table.seats]
    first = min(faults, key=lambda fault: fault.place or 0, default=None)
    finding = first or _false_seal(table, places) or finding or _beyond_the_end(record, table)
    if finding:
        raise FindingError(finding)


def read_entries(record: Record) -> tuple[list[SignedEntry], Finding | None]:
    """Checks signatures, links and order; returns the entries before the first flaw, and the flaw if there is one."""
    order = _Order(record.charter)
    for place, data in enumerate(record.entries):
        try:
            finding = order.place(place, SignedEntry.from_bytes(record.charter, data))
        except VerificationError as error:
            finding = _unread(record, place, error)
        if finding:
            return order.entries, _forked_behind(record, place, finding) or finding
    if record.rest and not record.is_cut_off:
        return order.entries, Finding(len(order.entries), Flaw.UNREADABLE, "it is longer than any entry can be")
    return order.entries, None


def _forked_behind(record: Record, place: int, finding: Finding) -> Finding | None:
    """Returns the fork of who wrote an entry that names what is missing, if its other version stands behind it.

    Who finds two versions before what they name has no more than these, and that is enough.
    """
    for later, data in enumerate(record.entries[place + 1 :] if finding.code is Flaw.MISSING else (), place + 1):
        with suppress(VerificationError):
            entry = SignedEntry.from_bytes(record.charter, data).entry
            if (entry.author, entry.sequence) == (finding.seat, finding.number) and data != record.entries[place]:
                return _finding(later, FaultCode.EQUIVOCATION, "two different entries have one number", entry)
    return None


def _table(charter: Charter, group: Group, rng: Rng) -> Table[Play]:
    try:
        table = Table(charter, Play.begin(charter.game, setup_of(charter), group, rng))
    except MalformedError as error:
        raise FindingError(Finding(None, Flaw.BAD_CHARTER, str(error))) from error
    table.transcript.keeps_rivals = True
    return table


class _Order:
    """The entries so far, and whether another one may follow."""

    def __init__(self, charter: Charter) -> None:
        self.entries: list[SignedEntry] = []
        self._transcript = Transcript(charter)
        self._transcript.keeps_rivals = True
        self._places: dict[bytes, int] = {}
        """By hash."""
        self._last = [-1] * len(charter.players)
        """For each seat the place of its last entry."""
        self._forked: Finding | None = None
        """The first entry with a number that another one has: the table will judge whether that is over."""

    def place(self, place: int, signed: SignedEntry) -> Finding | None:
        """Takes the next entry, or returns what is wrong with it."""
        for event in self._transcript.receive(signed):
            if isinstance(event, Fault):
                fault = _blame(event, {signed.hash: place})
                if event.code is not FaultCode.EQUIVOCATION:
                    return fault
                self._forked = self._forked or fault
                continue
            finding = self._misplaced(place, event.entry)
            if finding is None:
                self.entries.append(event)
                self._places[event.hash] = self._last[event.entry.author] = place
            return finding and (self._forked or finding)
        return self._forked or self._undeliverable(place, signed)

    def _misplaced(self, place: int, entry: Entry) -> Finding | None:
        """Of those that can come next, the lowest seat's comes: was a higher one's taken while this could?"""
        ready = max((self._places[head.hash] for head in entry.heads if head.length), default=-1) + 1
        for last in self._last[entry.author + 1 :]:
            if last >= ready:
                reason = f"it stands behind entry {last}, which belongs behind it"
                return _finding(place, Flaw.MISPLACED, reason, entry)
        return None

    def _undeliverable(self, place: int, signed: SignedEntry) -> Finding:
        entry, chains = signed.entry, self._transcript.chains
        if signed.hash in self._places:
            reason = f"it has been there before, as entry {self._places[signed.hash]}"
            return _finding(place, Flaw.REPEATED, reason, entry)
        for seat, (chain, head) in enumerate(zip(chains, entry.heads, strict=True)):
            if head.length > len(chain):
                reason = f"it names number {head.length - 1} of seat {seat}, of whom only {len(chain)} are here"
                return _finding(place, Flaw.MISSING, reason, entry)
            if head.length and head.hash not in self._places:
                reason = f"it names another number {head.length - 1} of seat {seat} than the one that is here"
                return _finding(place, Flaw.DISPUTED, reason, entry)
        raise AssertionError("an entry that names only what is here can be delivered")


def _unread(record: Record, place: int, error: VerificationError) -> Finding:
    seat, number = _alleged(record.entries[place], len(record.charter.players))
    if isinstance(error, InvalidSignatureError):
        return Finding(place, Flaw.UNSIGNED, "its alleged author did not sign it", seat, number)
    return Finding(place, Flaw.UNREADABLE, f"it can't be read: {error}", seat, number)


def _alleged(data: bytes, seats: int) -> tuple[int | None, int | None]:
    """Returns the seat and number that an entry claims, to tell people where to look: they may be false."""
    try:
        match decode(data):
            case (bytes(body), *_):
                value = decode(body)
            case _:
                value = None
    except MalformedError:
        value = None
    match value:
        case (_, _, int(seat), tuple(heads), *_) if 0 <= seat < len(heads) == seats:
            match heads[seat]:
                case (int(number), *_):
                    return seat, number
                case _:
                    return seat, None
        case _:
            return None, None


def _blame(fault: Fault, places: dict[bytes, int]) -> Finding:
    signed = fault.evidence[-1]
    return _finding(places[signed.hash], fault.code, fault.reason, signed.entry)


def _finding(place: int, code: Flaw | FaultCode, reason: str, entry: Entry) -> Finding:
    return Finding(place, code, reason, entry.author, entry.sequence)


def _false_seal(table: Table[Play], places: dict[bytes, int]) -> Finding | None:
    """Returns the first signature of another result: whoever of a lower seat it waits for, that one can't mend it."""
    false = {places[signed.hash]: signed for signed in false_signatures(table)}
    if not false:
        return None
    place, signed = min(false.items())
    return _finding(place, FaultCode.FORBIDDEN, "this is not the result of the game", signed.entry)


def _beyond_the_end(record: Record, table: Table[Play]) -> Finding | None:
    """Returns what stands in the file and does not belong to the game."""
    if not table.game.is_over:
        return None
    counted = record_of(table).entries
    for place, (entry, expected) in enumerate(zip(record.entries, (*counted, b""), strict=False)):
        if entry != expected:
            seat, number = _alleged(entry, len(record.charter.players))
            return Finding(place, Flaw.SURPLUS, "it was written after the end of the game", seat, number)
    if record.rest:
        return Finding(len(record.entries), Flaw.SURPLUS, "something follows the end of the game")
    return None
