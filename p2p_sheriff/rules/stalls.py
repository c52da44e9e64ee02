"""Goods that lie open on a stall, spoken of by kind and number (rules 7.3, 7.7 and 7.14)."""

from collections.abc import Collection, Iterable

from p2p_sheriff.rules.cards import Card, Goods, Handle, Kind, Seat, kinds_of
from p2p_sheriff.rules.refusals import NotAMove
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State


def count_goods(setup: Setup, kinds: Iterable[Kind]) -> Goods:
    """Count goods by kind, in the order of the table."""
    counts: dict[Kind, int] = {}
    for kind in kinds:
        counts[kind] = counts.get(kind, 0) + 1
    return tuple((kind, counts[kind]) for kind in setup.table if kind in counts)


def in_order(setup: Setup, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the table: legal ones first."""
    order = list(setup.table)
    return tuple(sorted(cards, key=lambda card: (order.index(card.kind), card.handle)))


def open_goods(state: State, seat: Seat) -> Goods:
    """Return what lies open in front of a seat: legal goods of the stall, and black-market cards."""
    return count_goods(state.setup, kinds_of(state[seat].stall) + state[seat].prizes)


def is_part_of(state: State, some: Goods, goods: Goods) -> bool:
    """Whether these are some of those goods. Raises NotAMove unless each kind is named once, in table order."""
    check_goods(state, some)
    there = dict(goods)
    return all(count <= there.get(kind, 0) for kind, count in some)


def check_goods(state: State, goods: Goods) -> None:
    """Raise NotAMove unless these are known kinds in table order, each once, from one card up to all there are."""
    if not goods:
        return
    known = [kind for kind in state.setup.table if any(kind == named for named, _ in goods)]
    if [kind for kind, _ in goods] != known or any(not 1 <= count <= state.setup.cards for _, count in goods):
        raise NotAMove("refusals.goods_form")


def cards_of(
    state: State, seat: Seat, goods: Goods, but: Collection[Handle] = ()
) -> tuple[tuple[Handle, ...], tuple[Kind, ...]]:
    """Pick open goods by kind: the handles of stall cards, but for these, and the names of black-market cards."""
    handles: list[Handle] = []
    names: list[Kind] = []
    for kind, count in goods:
        if kind in state[seat].prizes:
            names.append(kind)
        else:
            there = (card.handle for card in state[seat].stall if card.kind == kind)
            handles += [handle for handle in there if handle not in but][:count]
    return tuple(handles), tuple(names)
