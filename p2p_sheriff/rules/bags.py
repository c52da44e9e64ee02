"""Loading, declaring and opening bags (sections 5 and 6)."""

from dataclasses import dataclass

from p2p_sheriff.rules.cards import Handle, Seat
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.gifts import from_bank
from p2p_sheriff.rules.goods import goods_in_the_box
from p2p_sheriff.rules.law import bag_limits, may_be_declared, tax_on
from p2p_sheriff.rules.moves import Declare, Load
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import Bag, State
from p2p_sheriff.rules.steps import AskDeclare, AskLoad, Begin, OpenBag
from p2p_sheriff.rules.turns import check_merchant, check_phase
from p2p_sheriff.rules.view import View

MAX_COMMITMENT_BYTES = 64
"""Room for any common hash."""


@dataclass(frozen=True, slots=True)
class LoadBag:
    """What a merchant chooses when a bag is loaded. It stays at the own node: the others see a `Load`."""

    seat: Seat
    handles: tuple[Handle, ...]


def begin_load(state: State) -> State:
    """All merchants load at once; an empty hand sits the round out (rules 5.1 and 5.2)."""
    asks = tuple(AskLoad(seat) for seat in state.merchants if state[seat].hand)
    return state.done(*asks, Begin(Phase.DECLARE)).but(phase=Phase.LOAD)


def on_load(state: State, move: Load) -> State:
    if len(move.commitment) > MAX_COMMITMENT_BYTES:
        raise NotAMove("refusals.commitment")
    check_phase(state, Phase.LOAD, move.seat)
    check_merchant(state, move.seat)
    step = AskLoad(move.seat)
    if step not in state.front():
        if state[move.seat].bag:
            raise NotAllowed("5.1", "refusals.bag_closed", move.seat)
        raise NotAllowed("5.2", "refusals.bag_none", move.seat)
    return state.without(step).with_player(move.seat, bag=Bag(move.commitment))


def check_load(view: View, handles: tuple[Handle, ...]) -> None:
    """Check what only the own node can: that the bag may be loaded with these cards (rule 5.1).

    Raises NotAMove or NotAllowed.
    """
    if len(set(handles)) != len(handles) or not set(handles) <= {*view.me.hand, *view.me.men}:
        raise NotAMove("refusals.bag_cards")
    if handles and set(handles) <= set(view.me.men):
        raise NotAllowed("16.2", "refusals.bag_goods", view.seat)
    least, most = bag_limits(view.state, view.seat)
    if not least <= len(handles) <= most:
        raise NotAllowed("5.1", "refusals.bag_limits", view.seat, least=least, most=most)


def begin_declare(state: State) -> State:
    """From the sheriff's left, every merchant with a bag declares (rule 6.1)."""
    asks = tuple(AskDeclare(seat) for seat in state.merchants if state[seat].bag)
    return state.done(*asks, Begin(Phase.INSPECT)).but(phase=Phase.DECLARE)


def on_declare(state: State, move: Declare) -> State:
    check_phase(state, Phase.DECLARE, move.seat)
    check_merchant(state, move.seat)
    if state.todo[0] != AskDeclare(move.seat):
        raise NotAllowed("6.1", "refusals.declare_turn", move.seat)
    least, most = bag_limits(state, move.seat)
    if not least <= move.count <= most:
        raise NotAllowed("6.2", "refusals.declare_limits", move.seat, least=least, most=most)
    if move.kind not in state.setup.table and move.kind not in goods_in_the_box():
        raise NotAMove("refusals.declare_unknown", good=move.kind)
    if not may_be_declared(state, move.kind):
        raise NotAllowed("6.2", "refusals.declare_illegal", move.seat, good=move.kind)
    state = from_bank(state, move.seat, -min(tax_on(state, move.kind), state[move.seat].gold))
    return state.done().with_bag(move.seat, count=move.count, kind=move.kind)


def check_declare(view: View, move: Declare) -> None:
    """Check what only the own node can: that the number declared is the number in the bag (rule 6.2).

    Raises NotAllowed.
    """
    if move.count != len(view.knowledge.bag):
        raise NotAllowed("6.2", "refusals.declare_number", view.seat, n=len(view.knowledge.bag))


def on_opened(state: State, fact: Opened) -> State:
    """Open a bag to the cards of the hand that were in it. A bag that is not as declared proves its owner a cheat."""
    if state.todo[0] != OpenBag(fact.seat):
        raise NotDemanded(f"The bag of seat {fact.seat} is not to be opened now.")
    player = state[fact.seat]
    handles = set(fact.handles)
    if len(handles) != len(fact.handles) or not handles <= {*player.hand, *player.men}:
        raise NotAllowed("6.2", "refusals.opened_wrong_cards", fact.seat, cheating=True)
    if len(handles) != state.bag_of(fact.seat).count:
        raise NotAllowed("6.2", "refusals.opened_wrong_number", fact.seat, cheating=True)
    goods = handles & set(player.hand)
    man = next((handle for handle in player.men if handle in handles), None)
    if not goods:
        raise NotAllowed("16.2", "refusals.opened_wrong_cards", fact.seat, cheating=True)
    hand = tuple(handle for handle in player.hand if handle not in goods)
    men = tuple(handle for handle in player.men if handle != man)
    state = state.done().with_player(fact.seat, hand=hand, men=men)
    return state.with_bag(fact.seat, handles=tuple(sorted(goods)), man=man)
