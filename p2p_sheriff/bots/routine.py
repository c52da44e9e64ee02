"""Choices that every style makes alike: there is a best answer, or it hardly matters."""

from itertools import chain, combinations
from typing import Final

from p2p_sheriff.bots.worth import UNSEEN_CONTRABAND, cheapest_cover, face_value
from p2p_sheriff.rules.black_market import CARDS_FOR_A_PRIZE, wanted_kinds
from p2p_sheriff.rules.bounds import HandOverBounds, LayDownBounds, PayInKindBounds
from p2p_sheriff.rules.cards import Card, Handle, Kind
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.legal import legal_moves
from p2p_sheriff.rules.moves import HandOver, LayDown, NameFirst, PayInKind, PickLoot, ShareLoot, Split, Trade
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import ShareOut
from p2p_sheriff.rules.view import View

_MOST_TO_WEIGH: Final = 8
"""Of how many things on the Loot every split is weighed; there are hardly ever so many."""


def name_first(view: View) -> NameFirst:
    """Name the merchant to the left."""
    return NameFirst(view.seat, view.state.merchants[0])


def lay_down(view: View) -> LayDown:
    """Bury the dearer pile top, and leave the cheapest card on top of all: the next merchant may take from there."""
    bounds = next(move for move in legal_moves(view.state, view.seat) if isinstance(move, LayDownBounds))
    kinds = {**view.knowledge.kinds, **view.state.kinds}
    setup = view.state.setup
    handles = sorted(bounds.handles, key=lambda handle: (-value_of(setup, kinds[handle]), handle))
    tops = [value_of(setup, pile[-1].kind) if pile else 0 for pile in view.state.piles]
    return LayDown(view.seat, tops.index(max(tops)), tuple(handles))


def hand_over(view: View) -> HandOver:
    """Give the cheapest of the cards promised blind."""
    bounds = next(move for move in legal_moves(view.state, view.seat) if isinstance(move, HandOverBounds))
    kinds, setup = view.knowledge.kinds, view.state.setup
    handles = sorted(bounds.handles, key=lambda handle: (value_of(setup, kinds[handle]), handle))
    # In the order of their handles: the order of choice would tell everybody which one is cheaper.
    return HandOver(view.seat, tuple(sorted(handles[: bounds.count])))


def pay_in_kind(view: View, loss: dict[Kind, float]) -> PayInKind:
    """Pay a fine with the goods that are missed least."""
    bounds = next(move for move in legal_moves(view.state, view.seat) if isinstance(move, PayInKindBounds))
    setup = view.state.setup
    open_kinds = [kind for kind, count in bounds.goods for _ in range(count)]
    cards = [(handle, view.knowledge.kinds[handle]) for handle in bounds.handles]
    kinds = open_kinds + [kind for _, kind in cards]
    given = cheapest_cover([value_of(setup, kind) for kind in kinds], [loss[kind] for kind in kinds], bounds.amount)
    goods = count_goods(setup, (open_kinds[index] for index in given if index < len(open_kinds)))
    revealed = tuple(cards[index - len(open_kinds)] for index in given if index >= len(open_kinds))
    return PayInKind(view.seat, goods, revealed)


def trade(view: View) -> Trade:
    """Trade whenever three cards are equal: every black-market card is worth more than the three."""
    state, best, most = view.state, Trade(view.seat), 0
    for kind in wanted_kinds(state):
        cards = [card for card in view.stack if card.kind == kind][:CARDS_FOR_A_PRIZE]
        gain = _prize_value(state, kind) - face_value(state.setup, (kind,) * CARDS_FOR_A_PRIZE)
        if len(cards) == CARDS_FOR_A_PRIZE and gain > most:
            best, most = Trade(view.seat, tuple((card.handle, card.kind) for card in cards)), gain
    return best


def _prize_value(state: State, kind: Kind) -> int:
    top = next(pair[0] for pair in state.market if pair and pair[0].startswith(kind))
    return value_of(state.setup, top)


def share_loot(view: View) -> ShareLoot:
    """Share the Loot evenly, or without waste; say yes to another split that gives half at least."""
    step, loot = view.state.todo[0], view.state.loot
    proposal = step.proposal if isinstance(step, ShareOut) else None
    if proposal is None:
        return ShareLoot(view.seat, _split_without_waste(view))
    everything = _split_value(view, Split(loot.gold, tuple(card.handle for card in loot.cards), loot.prizes))
    return ShareLoot(view.seat, proposal if 2 * _split_value(view, proposal) <= everything else None)


def _split_without_waste(view: View) -> Split | None:
    """Return a split that leaves the other one half at least, where the even one would lose a coin or a card.

    It gives neither of them less than the even one; None if there is no such split, or nothing would be lost.
    """
    gold, values = view.state.loot.gold, _loot_values(view)
    if not (gold % 2 or len(values) % 2) or len(values) > _MOST_TO_WEIGH:
        return None
    picked = sorted(values.values(), reverse=True)[: len(values) // 2 * 2 : 2]
    half, best, most = (gold + sum(values.values())) // 2, None, gold // 2 + sum(picked) - 1
    for items in chain.from_iterable(combinations(values, count) for count in range(len(values) + 1)):
        worth = sum(values[item] for item in items)
        coins = min(gold, half - worth)
        if coins >= 0 and worth + coins > most:
            cards = tuple(card.handle for card in view.state.loot.cards if card.handle in items)
            best = Split(coins, cards, tuple(prize for prize in view.state.loot.prizes if prize in items))
            most = worth + coins
    return best


def _split_value(view: View, split: Split) -> int:
    values = _loot_values(view)
    return split.gold + sum(values[card] for card in split.cards) + sum(values[prize] for prize in split.prizes)


def _loot_values(view: View) -> dict[Handle | Kind, int]:
    """Return what can be picked from the Loot, and its value: a face-down card is taken for a middling one."""
    setup, loot = view.state.setup, view.state.loot
    values: dict[Handle | Kind, int] = {prize: value_of(setup, prize) for prize in loot.prizes}
    hidden = UNSEEN_CONTRABAND
    return values | {card.handle: hidden if card.kind is None else value_of(setup, card.kind) for card in loot.cards}


def pick_loot(view: View) -> PickLoot:
    """Pick the dearest thing on the Loot."""
    values = _loot_values(view)
    return PickLoot(view.seat, max(values, key=lambda item: values[item]))


def by_kind(cards: tuple[Card, ...]) -> dict[Kind, list[Card]]:
    """Sort cards by kind, each kind once, in the order in which the kinds lie."""
    kinds: dict[Kind, list[Card]] = {}
    for card in cards:
        kinds.setdefault(card.kind, []).append(card)
    return kinds
