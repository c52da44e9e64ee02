"""What it takes to have a bag passed or opened: the act of who decides alone, or a deputy's word (rule 10.4)."""

from typing import TypeAlias

from p2p_sheriff.rules import Seat, State, View
from p2p_sheriff.rules.deals import deciding, own_bribe
from p2p_sheriff.rules.moves import Accept, Inspect, Pass, Stance, Verb

BagMove: TypeAlias = Inspect | Pass | Stance | Accept


def is_shared(state: State, bag: Seat) -> bool:
    """Whether two deputies decide about a bag together."""
    return bag in state.closed_bags and len(deciding(state, bag)) == 2


def decision(view: View, bag: Seat, verb: Verb, *, for_nothing: bool = False) -> BagMove:
    """Returns the move that has this done, for the owner's offer if one stands; whether it is legal, the rules say."""
    seat = view.seat
    if not is_shared(view.state, bag):
        return Inspect(seat, bag) if verb is Verb.INSPECT else Pass(seat, bag, for_nothing)
    bribe = own_bribe(view.state, bag)
    if verb is Verb.PASS and bribe is not None and not for_nothing:
        return Accept(seat, bribe.seat, bribe.number)
    return Stance(seat, bag, verb)
