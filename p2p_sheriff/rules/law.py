"""What holds at the table now: figures and limits that the rules ask for, in one place, where a law can change them."""

from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State

MOST_SET_ASIDE = 5
MOST_IN_A_BAG = 5
LEAST_IN_A_BAG = 1


def is_legal_good(state: State, kind: Kind) -> bool:
    """Whether the good is legal in a bag now: declared openly, face up when it passes (rules 6.2 and 7.10)."""
    return kind in state.setup.legal


def is_contraband(state: State, kind: Kind) -> bool:
    """Whether the good counts as contraband in a bag now; royal goods do (rule 12.1)."""
    return not is_legal_good(state, kind)


def may_be_declared(state: State, kind: Kind) -> bool:
    """Whether a merchant may declare the good (rule 6.2)."""
    return is_legal_good(state, kind)


def contraband_kinds(state: State) -> tuple[Kind, ...]:
    """Every kind that a hidden card of a bag that passes can be (rule 7.10)."""
    return state.setup.contraband


def stack_kinds(state: State) -> tuple[Kind, ...]:
    """Every kind that a face-down card above a stall can be (rule 7.8)."""
    return state.setup.contraband


def fine_of(state: State, kind: Kind) -> int:
    """What this good costs whoever is found in the wrong (rules 7.12 and 7.13)."""
    return state.setup.table[kind].fine


def value_of(setup: Setup, kind: Kind) -> int:
    """What this good is worth (rules 7.14 and 11.2)."""
    return setup.table[kind].value


def market_limit(state: State, seat: Seat) -> int:
    """How many cards may be set aside in a market turn (rule 4.2)."""
    return min(MOST_SET_ASIDE, len(state[seat].hand))


def bag_limits(state: State, seat: Seat) -> tuple[int, int]:
    """How many cards a bag holds at least and at most (rule 5.1)."""
    return LEAST_IN_A_BAG, min(MOST_IN_A_BAG, len(state[seat].hand))
