"""What every style does with the cards of the modules: simple answers, from the own view alone."""

from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from p2p_sheriff.rules.cards import Claim, Handle, Kind, kinds_of
from p2p_sheriff.rules.law import bag_limits, is_contraband, is_legal_good, value_of
from p2p_sheriff.rules.modules.card_errands import SwapGoods, TakeConfiscated, TakeGood, TakeTop
from p2p_sheriff.rules.modules.gold_errands import CollectForGood, Levy, Rob, SellGoods
from p2p_sheriff.rules.modules.law_cards import (
    LAWS,
    Ban,
    Duty,
    Effect,
    ForcedSale,
    HeavyHand,
    HonestReward,
    LightHand,
    Mercy,
    Premium,
    PrivateStash,
    Tax,
    Toll,
)
from p2p_sheriff.rules.modules.laws import to_lay
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.merry_men import errands, man_of, to_discard
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.moves import Discard, FillOrders, KeepMan, LayLaws, LayOut, Reorder, UseMan
from p2p_sheriff.rules.steps import AskDiscard
from p2p_sheriff.rules.view import View


def fillable(orders: Iterable[str], goods: Mapping[Kind, int]) -> list[str]:
    """Return the orders that these goods fill, the dearest first; no card serves two of them."""
    left = dict(goods)
    filled = []
    for name in sorted(orders, key=lambda name: (-ORDERS[name].bonus, name)):
        if all(left.get(kind, 0) for kind in ORDERS[name].goods):
            filled.append(name)
            for kind in ORDERS[name].goods:
                left[kind] -= 1
    return filled


def fill_orders(view: View, loss: Mapping[Kind, float]) -> FillOrders:
    """Fill orders whose bonus is worth more than what the goods do for a crown."""
    setup, bag = view.state.setup, view.bag
    counts = {kind: sum(card.kind == kind for card in bag) for kind in {card.kind for card in bag}}
    worth_it = [
        name
        for name in view.state.orders
        if ORDERS[name].bonus > sum(loss[kind] - value_of(setup, kind) for kind in ORDERS[name].goods)
    ]
    orders = fillable(worth_it, counts)
    shown = [card.kind for card in view.state.bag_of(view.seat).shown]
    hidden = [card for card in bag if card.handle in view.state.bag_of(view.seat).handles]
    claims: list[Claim] = []
    for kind in (kind for name in orders for kind in ORDERS[name].goods):
        if kind in shown:
            shown.remove(kind)
        else:
            card = next(card for card in hidden if card.kind == kind)
            hidden.remove(card)
            claims.append((card.handle, kind))
    return FillOrders(view.seat, tuple(orders), tuple(claims))


_FAVOURED: Final[dict[type[Effect], float]] = {
    Toll: 3,
    HeavyHand: 2,
    PrivateStash: 3,
    HonestReward: -1,
    Premium: -1,
    LightHand: -2,
    Duty: -1,
    Mercy: -1,
}
"""What laws are worth to whoever is in office now; the others are worth nothing in particular."""


_OPENNESS: Final = 0.25
"""How often all may see the law that is not laid, too: it does not come back, so nothing is lost by that."""


def lay_laws(view: View, rng: Random) -> LayLaws:
    """Lay what serves who is in office, and hurts the others; nobody can be sure which it will be."""
    state, me = view.state, view.me

    def worth(handle: Handle) -> float:
        effect = LAWS[view.knowledge.kinds[handle]].effect
        if isinstance(effect, Ban | ForcedSale | Tax):
            # Better a good that others bring in: the own crown is then safe.
            return 0.3 * sum(card.kind == effect.good for card in me.stall) + rng.gauss(0, 2)
        return _FAVOURED.get(type(effect), 0) + rng.gauss(0, 2)

    ranked = sorted(state.drawn_laws, key=worth, reverse=True)
    return LayLaws(view.seat, tuple(ranked[: to_lay(state)]), shown=rng.random() < _OPENNESS)


def lay_out(view: View, loss: Mapping[Kind, float]) -> LayOut:
    """Put the legal card onto the stall that does most there."""
    legal = [card for card in view.hand if is_legal_good(view.state, card.kind)]
    best = max(legal, key=lambda card: (loss[card.kind], -card.handle), default=None)
    return LayOut(view.seat, ((best.handle, best.kind),) if best else ())


# -- merry men

_STOWAWAY: Final = 0.4
"""How often a merry man comes along in a bag that would be true without him."""


def hide_man(view: View, handles: tuple[Handle, ...], rng: Random) -> tuple[Handle, ...]:
    """Put the own merry man into a bag that is a lie anyway, and now and then into a true one, if there is room."""
    _, most = bag_limits(view.state, view.seat)
    if not view.me.men or len(handles) >= most:
        return handles
    kinds = {view.knowledge.kinds[handle] for handle in handles}
    is_lie = len(kinds) > 1 or any(is_contraband(view.state, kind) for kind in kinds)
    return (*handles, view.me.men[0]) if is_lie or rng.random() < _STOWAWAY else handles


def keep_man(view: View, rng: Random) -> KeepMan:
    """Keep the one who is worth more than he may cost; whose errand suits better, it can't tell yet."""

    def worth(handle: Handle) -> float:
        man = MEN[view.knowledge.kinds[handle]]
        return 2 * man.value - man.fine + rng.gauss(0, 3)

    return KeepMan(view.seat, max(view.me.men, key=worth))


def send(view: View, loss: Mapping[Kind, float]) -> UseMan:
    """Choose the errand that brings most, takes from the richest, and gives to the poorest; or none if all cost."""
    return max(errands(view.state, view.seat), key=lambda one: (_worth_sending(view, one, loss), one.use))


def _worth_sending(view: View, one: UseMan, loss: Mapping[Kind, float]) -> float:
    state, setup = view.state, view.state.setup
    gold = [state[seat].gold / 1000 for seat in one.who]
    if not one.use:
        return -sum(gold) - 0.5
    match man_of(state, view.seat).errand:
        case Rob() | Levy():
            return min(state[one.who[0]].gold, 6) + gold[0] - sum(gold[1:])
        case TakeGood():
            return loss[one.goods[0]]
        case SwapGoods():
            return loss[one.goods[1]] - loss[one.goods[0]]
        case SellGoods():
            return sum(2 * value_of(setup, kind) - loss[kind] for kind in one.goods)
        case CollectForGood():
            return sum(one.goods[0] in kinds_of(state[seat].stall) for seat in state.seats if seat != view.seat)
        case TakeConfiscated() | TakeTop():
            return float(sum(value_of(setup, state.kinds[handle]) for handle in one.cards))
        case _:
            return 1.0


def discard(view: View, loss: Mapping[Kind, float]) -> Discard:
    """Part with what is worth least; in a swap, take what is worth most if that is better."""
    step, state = view.state.todo[0], view.state
    count = to_discard(state, step) if isinstance(step, AskDiscard) else 0
    worst = sorted(view.hand, key=lambda card: (loss[card.kind], card.handle))[:count]
    cards = tuple((card.handle, card.kind) for card in worst)
    if not isinstance(step, AskDiscard) or not step.swap:
        return Discard(view.seat, cards)
    piles = [card for pile in state.piles for card in pile]
    best = sorted(piles, key=lambda card: (-loss[card.kind], card.handle))[:count]
    if sum(loss[card.kind] for card in best) <= sum(loss[card.kind] for card in worst):
        return Discard(view.seat)
    return Discard(view.seat, cards, tuple(card.handle for card in best))


def reorder(view: View) -> Reorder:
    """Leave the cheapest on top: others draw first."""
    kinds, setup = view.knowledge.kinds, view.state.setup
    return Reorder(
        view.seat, tuple(sorted(view.me.peeked, key=lambda handle: (value_of(setup, kinds[handle]), handle)))
    )
