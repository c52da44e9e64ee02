"""Special orders (section 14)."""

from typing import Final

from p2p_sheriff.rules.cards import Card, Kind, Pack, kinds_of
from p2p_sheriff.rules.demands import TurnOver
from p2p_sheriff.rules.facts import TurnedOver
from p2p_sheriff.rules.law import contraband_kinds
from p2p_sheriff.rules.modules.order_cards import ORDERS, Order
from p2p_sheriff.rules.moves import FillOrders
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import Bag, FilledOrder, State
from p2p_sheriff.rules.steps import AskOrders, RefillOrders

FACE_UP: Final = 4
"""So many orders lie open at the start of a round (rule 14.2)."""


# -- the orders that lie open


def refill_orders(state: State, _step: RefillOrders) -> State | None:
    """Wait for orders if some are missing and some are left (rule 14.2)."""
    return None if refilling(state).count else state.done()


def refilling(state: State) -> TurnOver:
    missing = FACE_UP - len(state.orders)
    return TurnOver(Pack.ORDERS, min(missing, state.left_in(Pack.ORDERS)))


def on_turned_over(state: State, fact: TurnedOver) -> State:
    is_due = isinstance(state.todo[0], RefillOrders) and refilling(state) == TurnOver(fact.pack, len(fact.names))
    if not is_due or not set(fact.names) <= ORDERS.keys():
        raise NotDemanded("These are not the orders that are turned up now.")
    state = state.with_pack(Pack.ORDERS, state.left_in(Pack.ORDERS) - len(fact.names))
    return state.done().but(orders=state.orders + fact.names)


# -- filling them


def ask_orders(state: State, step: AskOrders) -> State | None:
    """Skip the question if all can see that no order fits: what the hidden cards are, only their owner knows."""
    bag = state.bag_of(step.seat)
    return None if any(_could_fill(state, bag, ORDERS[name]) for name in state.orders) else state.done()


def _could_fill(state: State, bag: Bag, order: Order) -> bool:
    missing = [kind for kind in order.goods if kind not in kinds_of(bag.shown)]
    return len(missing) <= len(bag.handles) and set(missing) <= set(contraband_kinds(state))


def on_fill_orders(state: State, move: FillOrders) -> State:
    if state.todo[0] != AskOrders(move.seat):
        raise NotAllowed("14.3", "refusals.orders_not_now", move.seat)
    if not set(move.orders) <= ORDERS.keys():
        raise NotAMove("refusals.orders_name")
    bag, player = state.bag_of(move.seat), state[move.seat]
    handles = [handle for handle, _ in move.cards]
    if len(set(handles)) != len(handles) or not set(handles) <= set(bag.handles):
        raise NotAMove("refusals.orders_cards")
    left = list(state.orders)
    goods = [*bag.shown, *(Card(handle, kind, move.seat) for handle, kind in move.cards)]
    filled = []
    for name in move.orders:
        if name not in left:
            raise NotAllowed("14.3", "refusals.orders_gone", move.seat)
        left.remove(name)
        filled.append(FilledOrder(name, tuple(_taken(goods, kind, move) for kind in ORDERS[name].goods)))
    if not {card.handle for card in goods}.isdisjoint(handles):
        raise NotAMove("refusals.orders_cards")
    state = state.done().but(orders=tuple(left)).with_player(move.seat, orders=player.orders + tuple(filled))
    hidden = tuple(handle for handle in bag.handles if handle not in handles)
    return state.with_bag(move.seat, shown=tuple(card for card in goods if card in bag.shown), handles=hidden)


def _taken(goods: list[Card], kind: Kind, move: FillOrders) -> Card:
    """Take a card of this kind out of the goods: no card serves two orders."""
    for card in goods:
        if card.kind == kind:
            goods.remove(card)
            return card
    raise NotAllowed("14.3", "refusals.orders_goods", move.seat, good=kind)
