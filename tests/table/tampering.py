"""How a transcript can be changed, each way once, and what an audit must then say and where."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

import pytest

from p2p_sheriff.audit import Unfinished, Valid, Verdict, audit
from p2p_sheriff.rules import outcome
from p2p_sheriff.session.acts import Payload, Seals
from p2p_sheriff.session.record import MAGIC, NotARecordError
from p2p_sheriff.session.replay import Finding, Flaw
from protocol.codec import Value
from protocol.entry import MAX_ENTRY_BYTES, Entry, Head, SignedEntry
from protocol.faults import FaultCode
from tests.table.transcripts import GROUP, Game

_LENGTH_BYTES, _SIGNATURE_BYTES = 4, 64


@dataclass(frozen=True, slots=True)
class Named:
    """The audit names a fault: one of these places with its code, and whose entry it is if that can be known."""

    findings: frozenset[tuple[int | None, Flaw | FaultCode]]
    author: tuple[int, int] | None = None
    """Seat and number."""


@dataclass(frozen=True, slots=True)
class Ends:
    """The audit accepts so many entries, and finds that the game goes on, or is decided and not signed by all."""

    entries: int
    waits_for: int | None
    """A seat that it waits for; None: nobody took another step, or nobody has begun."""
    is_cut_off: bool


Expected: TypeAlias = Named | Ends | type[NotARecordError]


@dataclass(frozen=True, slots=True)
class Tampered:
    """A changed file, and what comes of it."""

    content: bytes
    expected: Expected


def assert_accepted(game: Game) -> None:
    """Audits the file as it is: valid with the score that the players saw, or unfinished without a fault."""
    report, play = audit(game.content, GROUP), game.sessions[0].play
    assert report.verdict == (Valid(outcome(play.state)) if play.is_over else Unfinished(play.expected(), False))
    assert (report.entries, report.charter) == (len(game.entries), game.charter)


def assert_rejected(tampered: Tampered) -> Verdict | None:
    """Audits the whole file, and asserts that it is rejected for the right reason at the right place."""
    if isinstance(tampered.expected, type):
        with pytest.raises(tampered.expected):
            audit(tampered.content, GROUP)
        return None
    report = audit(tampered.content, GROUP)
    match tampered.expected, report.verdict:
        case Named(findings, author), Finding() as finding:
            assert (finding.place, finding.code) in findings, finding
            assert author in (None, (finding.seat, finding.number)), finding
        case Ends(entries, seat, is_cut_off), Unfinished() as end:
            assert (report.entries, end.is_cut_off) == (entries, is_cut_off)
            assert seat is None or seat in end.waits_for
        case Ends(entries, seat, is_cut_off), Valid() as end:
            assert (report.entries, end.is_cut_off) == (entries, is_cut_off)
            assert end.unsigned
            assert seat is None or seat in end.unsigned
        case expected, verdict:
            pytest.fail(f"expected {expected}, not {verdict}")
    return report.verdict


def assert_nothing_else_is_accepted(game: Game, rng: Random, flips: int) -> None:
    """Changes the file in every way, each at a random place, and asserts that each is rejected."""
    for tampered in one_of_each(game, rng):
        assert_rejected(tampered)
    for bit in rng.sample(range(8 * len(game.content)), flips):
        assert_rejected(flipped(game, bit))


def one_of_each(game: Game, rng: Random) -> Iterator[Tampered]:
    """Changes entries in every way, each at a random place; bits are flipped apart."""
    places, seats = range(len(game.entries)), range(len(game.identities))
    yield dropped(game, rng.choice([place for place in places if game.first_to_name(place) is not None]))
    yield swapped(game, rng.choice(places[:-1]))
    first = rng.choice(places)
    yield repeated(game, first, rng.randint(first + 1, len(places)))
    place = rng.choice(places)
    yield signed_by(game, place, rng.choice([seat for seat in seats if seat != game.signed[place].entry.author]))
    yield cut_off(game, rng.randrange(game.starts[0], len(game.content)))
    if game.seals:
        yield false_result_of_all(game)


# -- by anybody


def flipped(game: Game, bit: int) -> Tampered:
    """Flips a bit of the file."""
    position = bit // 8
    content = bytearray(game.content)
    content[position] ^= 1 << bit % 8
    return Tampered(bytes(content), _after_a_flip(game, position, bytes(content)))


def dropped(game: Game, place: int) -> Tampered:
    """Leaves an entry out: whoever names it first is found; if nobody does, its author is waited for."""
    content = game.having([*game.entries[:place], *game.entries[place + 1 :]])
    names_it = game.first_to_name(place)
    if names_it is None:
        return Tampered(content, Ends(len(game.entries) - 1, game.signed[place].entry.author, is_cut_off=False))
    return Tampered(content, _named(names_it - 1, Flaw.MISSING, game.signed[names_it].entry))


def swapped(game: Game, place: int) -> Tampered:
    """Swaps an entry and its next neighbour."""
    former, latter = game.entries[place : place + 2]
    content = game.having([*game.entries[:place], latter, former, *game.entries[place + 2 :]])
    if game.first_to_name(place) == place + 1:
        return Tampered(content, _named(place, Flaw.MISSING, game.signed[place + 1].entry))
    return Tampered(content, _named(place + 1, Flaw.MISPLACED, game.signed[place].entry))


def repeated(game: Game, place: int, again: int) -> Tampered:
    """Puts an entry in once more, further down."""
    content = game.having([*game.entries[:again], game.entries[place], *game.entries[again:]])
    return Tampered(content, _named(again, Flaw.REPEATED, game.signed[place].entry))


def cut_off(game: Game, length: int) -> Tampered:
    """Keeps only so many bytes, the charter among them."""
    return Tampered(game.content[:length], _ends(game, length))


# -- with the keys of players


def signed_by(game: Game, place: int, seat: int) -> Tampered:
    """Puts the signature of another seat under an entry."""
    entry = game.signed[place].entry
    return Tampered(game.instead(place, game.sign(seat, entry)), _named(place, Flaw.UNSIGNED, entry))


def false_result(game: Game, seat: int) -> Tampered:
    """Lets a seat sign another result, after the others have signed the true one."""
    place = next(place for place in game.seals if game.signed[place].entry.author == seat)
    content = game.instead(place, game.resigned(place, payload=_false_seal(game, place)))
    return Tampered(content, _named(place, FaultCode.FORBIDDEN, game.signed[place].entry))


def false_result_of_all(game: Game) -> Tampered:
    """Lets all seats sign one other result, each naming the false ones that it has seen of the others."""
    entries, renamed = list(game.entries), dict[bytes, bytes]()
    for place in game.seals:
        entry = game.signed[place].entry
        heads = tuple(Head(head.length, renamed.get(head.hash, head.hash)) for head in entry.heads)
        entries[place] = game.resigned(place, payload=_false_seal(game, place), heads=heads)
        renamed[game.signed[place].hash] = SignedEntry.from_bytes(game.charter, entries[place]).hash
    first = min(game.seals, key=lambda place: game.signed[place].entry.author)
    return Tampered(game.having(entries), _named(first, FaultCode.FORBIDDEN, game.signed[first].entry))


# -- what must be found


def _named(place: int, code: Flaw | FaultCode, entry: Entry) -> Named:
    return Named(frozenset({(place, code)}), (entry.author, entry.sequence))


def _one_of(place: int, codes: Collection[Flaw]) -> Named:
    return Named(frozenset((place, code) for code in codes))


def _after_a_flip(game: Game, position: int, content: bytes) -> Expected:
    place = game.entry_at(position)
    if position <= len(MAGIC):
        return NotARecordError
    if place is None:
        # What still is a charter is that of another game, so that the first entry does not belong to it.
        return Named(frozenset({(None, Flaw.BAD_CHARTER), (0, Flaw.UNREADABLE)}))
    start, end = game.starts[place : place + 2]
    if position >= end - _SIGNATURE_BYTES:
        return _one_of(place, [Flaw.UNSIGNED])
    if position >= start + _LENGTH_BYTES:
        return _one_of(place, [Flaw.UNREADABLE, Flaw.UNSIGNED])
    announced = int.from_bytes(content[start : start + _LENGTH_BYTES])
    if len(content) - start - _LENGTH_BYTES < announced <= MAX_ENTRY_BYTES:
        return replace(_ends(game, start), is_cut_off=True)
    return _one_of(place, [Flaw.UNREADABLE])


def _ends(game: Game, length: int) -> Ends:
    """Returns what is to be said about a file that ends there: it waits for who takes the next step."""
    place = game.entry_at(length)
    assert place is not None
    later = (signed.entry for signed in game.signed[place:])
    waits_for = next((entry.author for entry in later if entry.step is not None), None) if place else None
    return Ends(place, waits_for, is_cut_off=length not in game.starts)


def _false_seal(game: Game, place: int) -> Value:
    match Payload.from_value(game.signed[place].entry.payload):
        case Payload((Seals(result),)):
            return Payload((Seals(bytes([result[0] ^ 1, *result[1:]])),)).to_value()
        case other:
            raise AssertionError(other)
