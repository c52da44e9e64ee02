"""What happens in a game, as whoever shows it wants to know it."""

from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Input, Move, Seat
from p2p_sheriff.session.acts import FREE, Negotiates, Says, Sees
from p2p_sheriff.session.play import Play
from protocol.entry import Entry
from protocol.errors import MalformedError
from protocol.faults import Fault
from protocol.table import Event, Spoken


@dataclass(frozen=True, slots=True)
class Happened:
    """An entry has changed the game: what it put into the rules, in order."""

    seat: Seat
    inputs: tuple[Input, ...]


@dataclass(frozen=True, slots=True)
class Negotiated:
    """Somebody made an offer, withdrew one, or accepted one: it counts when the sheriff acts on it."""

    move: Move


@dataclass(frozen=True, slots=True)
class Said:
    """Somebody said something to all."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Somebody has seen the last choice: the own player may now be asked what had to wait for that."""

    seat: Seat


GameEvent: TypeAlias = Happened | Said | Negotiated | Acknowledged | Fault


def happening(event: Event) -> GameEvent | None:
    """Returns what an event of the table means to people; None if it is a free entry that means nothing."""
    match event:
        case Fault():
            return event
        case Spoken(signed):
            return _spoken(signed.entry)
        case _:
            inputs = event.game.inputs if isinstance(event.game, Play) else ()
            return Happened(Seat(event.signed.entry.author), inputs)


def _spoken(entry: Entry) -> GameEvent | None:
    try:
        free = FREE.read(entry.payload)
    except MalformedError:
        return None
    match free:
        case Says(text):
            return Said(Seat(entry.author), text)
        case Negotiates(move) if move.seat == entry.author:
            return Negotiated(move)
        case Sees():
            return Acknowledged(Seat(entry.author))
        case _:
            return None
