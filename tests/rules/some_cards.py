"""Random answers with the cards of the modules, within the bounds of the rules and true to the hidden cards."""

from random import Random

from p2p_sheriff.rules import Claim, View
from p2p_sheriff.rules.bounds import DiscardBounds, LayOutBounds, OrderBounds
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.moves import Discard, FillOrders, LayOut


def some_orders(bounds: OrderBounds, view: View, rng: Random) -> FillOrders:
    """Fill as many orders as the bag allows, in a random order."""
    shown, hidden = list(bounds.open_kinds), [card for card in view.bag if card.handle in bounds.handles]
    orders: list[str] = []
    cards: list[Claim] = []
    for name in rng.sample(bounds.orders, len(bounds.orders)):
        missing = [kind for kind in ORDERS[name].goods if kind not in shown]
        claimed = [next((card for card in hidden if card.kind == kind), None) for kind in missing]
        found = [card for card in claimed if card is not None]
        if len(found) < len(missing):
            continue
        orders.append(name)
        cards += [(card.handle, card.kind) for card in found]
        hidden = [card for card in hidden if card not in found]
        for kind in ORDERS[name].goods:
            if kind not in missing:
                shown.remove(kind)
    return FillOrders(bounds.seat, tuple(orders), tuple(cards))


def laid_out(bounds: LayOutBounds, view: View) -> LayOut:
    """Lay out a legal card, if there is one."""
    legal = [(card.handle, card.kind) for card in view.hand if card.kind in bounds.kinds]
    return LayOut(bounds.seat, tuple(legal[:1]))


def discarded(bounds: DiscardBounds, view: View, rng: Random) -> Discard:
    """Discard random cards, for random ones in a swap, or swap nothing."""
    cards = rng.sample(view.hand, bounds.count)
    claims = tuple((card.handle, card.kind) for card in cards)
    if bounds.taken is None:
        return Discard(bounds.seat, claims)
    swapped = Discard(bounds.seat, claims, tuple(rng.sample(bounds.taken, bounds.count)))
    return rng.choice((Discard(bounds.seat), swapped))
