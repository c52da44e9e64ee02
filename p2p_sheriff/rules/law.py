"""What holds at the table now: figures and limits that the rules ask for, in one place, where a law can change them.

What is printed on a card and no law touches, as its place in the table of goods or the king it counts for, is asked of
the setup.
"""

from p2p_sheriff.rules.cards import Kind, Seat
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State

MOST_SET_ASIDE = 5
MOST_IN_A_BAG = 5
LEAST_IN_A_BAG = 1


def side_of(state: State, kind: Kind) -> Side:
    """Return what the good counts as in a bag now."""
    return state.setup.table[kind].side


def is_legal_good(state: State, kind: Kind) -> bool:
    """Whether the good is legal in a bag now: declared openly, face up when it passes (rules 6.2 and 7.10)."""
    return kind in state.setup.legal


def is_contraband(state: State, kind: Kind) -> bool:
    """Whether the good counts as contraband in a bag now; royal goods do (rule 12.1)."""
    return not is_legal_good(state, kind)


def may_be_declared(state: State, kind: Kind) -> bool:
    """Whether a merchant may declare the good (rule 6.2)."""
    return kind in declarable_kinds(state)


def declarable_kinds(state: State) -> tuple[Kind, ...]:
    """Every good that a merchant may declare (rule 6.2), in the order of the table of goods."""
    return state.setup.legal


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
    """What this good is worth (rules 7.14 and 11.2): no law changes that, so the setup knows it."""
    return setup.table[kind].value


def full_hand(state: State) -> int:
    """How many cards a hand has after a draw (rules 4.4 and 12.4)."""
    return state.setup.hand_size


def market_limit(state: State, seat: Seat) -> int:
    """How many cards may be set aside in a market turn (rule 4.2)."""
    return min(MOST_SET_ASIDE, len(state[seat].hand))


def bag_room(state: State) -> int:  # noqa: ARG001 - a law may make bags smaller.
    """How many cards a bag holds at most, if the hand has as many (rule 5.1)."""
    return MOST_IN_A_BAG


def bag_limits(state: State, seat: Seat) -> tuple[int, int]:
    """How many cards a bag holds at least and at most (rule 5.1)."""
    return LEAST_IN_A_BAG, min(bag_room(state), len(state[seat].hand))
