"""What happens in a game, as whoever shows it wants to know it."""

from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules import Input, Move, Seat, Transition
from p2p_sheriff.session.acts import FREE, CallsTime, Departs, Introduces, Negotiates, Rests, Says
from p2p_sheriff.session.play import Play
from protocol.ballots import is_vote, read_vote
from protocol.entry import Entry
from protocol.faults import Fault
from protocol.table import Certified, Event, Folded, Spoken, Undone


@dataclass(frozen=True, slots=True)
class Happened:
    """An entry has changed the game: what it put into the rules, in order, with the states before and after."""

    seat: Seat
    changes: tuple[Transition, ...]

    @property
    def inputs(self) -> tuple[Input, ...]:
        """What was put into the rules."""
        return tuple(change.item for change in self.changes)


@dataclass(frozen=True, slots=True)
class WentOn(Happened):
    """All who stay have agreed to go on without some seats, or with all of them."""

    out: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Some of what was told last does not count any more; what counts in its place is told again."""

    steps: int


@dataclass(frozen=True, slots=True)
class Voted:
    """Somebody wants to go on without some seats, or with all of them."""

    seat: Seat
    out: tuple[Seat, ...]


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
class Rested:
    """Somebody has nothing more to say about the own bag in this round."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class Introduced:
    """Somebody says that a bot plays at their node."""

    seat: Seat
    style: str
    """Empty: none does any more."""
    patience: int
    """How many seconds it leaves a person's bag open, as sheriff."""


@dataclass(frozen=True, slots=True)
class Departed:
    """Somebody says that they leave the game for good."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TimeCalled:
    """By somebody's clock, the time of this round's inspect phase has run out."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Somebody has seen the last choice: the own player may now be asked what had to wait for that."""

    seat: Seat


GameEvent: TypeAlias = (
    Happened
    | WentOn
    | TakenBack
    | Voted
    | Said
    | Negotiated
    | Rested
    | Introduced
    | Departed
    | TimeCalled
    | Acknowledged
    | Fault
)


def happening(event: Event) -> GameEvent:
    """Returns what an event of the table means to people."""
    match event:
        case Fault():
            return event
        case Spoken(signed):
            return _spoken(signed.entry)
        case Folded(signed, game):
            return Happened(Seat(signed.entry.author), game.changes if isinstance(game, Play) else ())
        case Certified(certificate, game):
            out = tuple(map(Seat, certificate.out))
            changes = game.changes if isinstance(game, Play) else ()
            return WentOn(out[0] if out else Seat(0), changes, out)
        case Undone(steps):
            return TakenBack(steps)


def _spoken(entry: Entry) -> GameEvent:
    if entry.is_acknowledgement:
        return Acknowledged(Seat(entry.author))
    if is_vote(entry):
        return Voted(Seat(entry.author), tuple(map(Seat, read_vote(entry).out)))
    match entry.said(FREE.read):
        case Says(text):
            return Said(Seat(entry.author), text)
        case Negotiates(move):
            return Negotiated(move)
        case Rests(number):
            return Rested(Seat(entry.author), number)
        case Introduces(style, patience):
            return Introduced(Seat(entry.author), style, patience)
        case Departs():
            return Departed(Seat(entry.author))
        case CallsTime(number):
            return TimeCalled(Seat(entry.author), number)
