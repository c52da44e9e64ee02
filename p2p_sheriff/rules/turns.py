"""Whose time it is: the checks that many moves begin with (rules 3.1 and 3.2)."""

from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.state import State


def check_phase(state: State, phase: Phase, seat: Seat) -> None:
    """Raise NotAllowed if the game is in another phase (rule 3.1)."""
    if state.phase is not phase:
        wanted, now = phase.name.lower(), state.phase.name.lower()
        raise NotAllowed("3.1", "refusals.phase", seat, wanted=wanted, now=now)


def check_merchant(state: State, seat: Seat) -> None:
    """Raise NotAllowed if the seat is in office (rule 3.2)."""
    if seat in state.officers:
        raise NotAllowed("3.2", "refusals.office", seat)


def check_seat(state: State, seat: Seat) -> None:
    """Raise NotAMove if there is no such seat."""
    if seat not in state.setup.seats:
        raise NotAMove("refusals.no_seat", seat=seat)
