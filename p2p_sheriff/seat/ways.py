"""The ways to answer what a module asks, as far as they can be listed: each in words, with what comes of it.

Every front offers the same ways: one as a list of sentences, another step by step, by the labels.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from p2p_sheriff.rules import Choice, Claim, Kind, Move, Seat, View, legal_moves
from p2p_sheriff.rules.bounds import LayOutBounds, OrderBounds
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.modules.laws import SLOTS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.moves import FillOrders, KeepMan, LayLaws, LayOut, Reorder, UseMan
from p2p_sheriff.rules.stalls import in_order
from p2p_sheriff.seat import sending
from p2p_sheriff.seat.printed import law_name, law_text, man_name, man_text, orders_text
from p2p_sheriff.seat.sending import Label
from p2p_sheriff.texts import Texts

LISTED = frozenset({Choice.LAY_LAWS, Choice.LAY_OUT, Choice.KEEP_MAN, Choice.SEND, Choice.REORDER, Choice.FILL_ORDERS})
"""The choices whose ways can be listed."""


@dataclass(frozen=True, slots=True)
class Reply:
    """One way to answer."""

    move: Move
    labels: tuple[Label, ...]
    """What is chosen for it, one thing after the other."""
    outcome: str
    """What happens then, in a sentence."""


def ways(view: View, choice: Choice, texts: Texts, name: Callable[[Seat], str]) -> tuple[Reply, ...]:
    """Returns every way to answer, what does nothing last; ``name`` says what a player is called.

    Of cards that are alike it makes no difference which one is chosen: they are one way.
    """
    if choice not in LISTED:
        return ()
    different: dict[tuple[Label, ...], Reply] = {}
    for way in _ways(view, texts, _told_apart(view, name)):
        different.setdefault(way.labels, way)
    return tuple(different.values())


def _told_apart(view: View, name: Callable[[Seat], str]) -> Callable[[Seat], str]:
    """Returns what players are called where two of the same name must not be one: by their place at the table, too."""
    counts = Counter(name(seat) for seat in view.state.seats)
    return lambda seat: f"{name(seat)} ({seat + 1})" if counts[name(seat)] > 1 else name(seat)


def _ways(view: View, texts: Texts, name: Callable[[Seat], str]) -> Iterator[Reply]:
    legal, kinds = legal_moves(view.state, view.seat), view.knowledge.kinds
    nothing = []
    for move in legal:
        match move:
            case LayLaws():
                yield _laying(view, move, texts)
            case KeepMan(_, handle):
                man = MEN[kinds[handle]]
                called = man_name(texts, man.name)
                told = texts("ways.keep", man=called, value=man.value, fine=man.fine)
                yield Reply(move, (Label(called, man_text(texts, man.name, view.state)),), told)
            case Reorder(_, handles):
                goods = [texts.good(kinds[handle], 1) for handle in handles]
                yield Reply(move, tuple(map(Label, goods)), texts("ways.reorder", goods=", ".join(goods)))
            case UseMan():
                yield Reply(move, *sending.in_words(view, move, texts, name))
            case LayOutBounds():
                yield from _layings_out(view, move, texts)
            case OrderBounds():
                yield from _fillings(view, texts)
            case LayOut():
                nothing.append(Reply(move, (Label(texts("ways.no_card")),), texts("ways.lay_nothing_out")))
            case FillOrders():
                nothing.append(Reply(move, (Label(texts("ways.no_order")),), texts("ways.fill_none")))
            case _:
                pass
    yield from nothing


def _laying(view: View, move: LayLaws, texts: Texts) -> Reply:
    kinds, state = view.knowledge.kinds, view.state
    laid = [kinds[handle] for handle in move.laid]
    rest = [kinds[handle] for handle in state.drawn_laws if handle not in move.laid]
    labels = [Label(law_name(texts, law), law_text(texts, law, state)) for law in laid]
    if rest:
        labels.append(Label(texts("ways.shown" if move.shown else "ways.unseen")))
    names = [law_name(texts, law) for law in (*laid, *state.laws)[:SLOTS]]
    under = ", ".join(law_name(texts, law) for law in rest)
    told = texts("ways.laws", laws=", ".join(names))
    if under:
        told += " " + texts("ways.under_shown" if move.shown else "ways.under_unseen", laws=under)
    return Reply(move, tuple(labels), told)


def _layings_out(view: View, bounds: LayOutBounds, texts: Texts) -> Iterator[Reply]:
    """Yields a card of every kind that may go onto the stall."""
    for card in in_order(view.state.setup, view.hand):
        if card.handle in bounds.handles and card.kind in bounds.kinds:
            good = texts.good(card.kind, 1)
            worth = texts("ways.worth", n=value_of(view.state.setup, card.kind))
            move = LayOut(view.seat, ((card.handle, card.kind),))
            yield Reply(move, (Label(good, worth),), texts("ways.lay_out", good=good))


def _fillings(view: View, texts: Texts) -> Iterator[Reply]:
    """Yields all sets of orders that the goods of the own bag fill together, those with most points first."""
    fitting = {
        tuple(sorted(some)): cards
        for count in range(1, len(view.state.orders) + 1)
        for some in combinations(view.state.orders, count)
        if (cards := _cards_for(view, some)) is not None
    }
    setup = view.state.setup
    for some in sorted(fitting, key=lambda names: (-sum(ORDERS[name].bonus for name in names), names)):
        bonus = sum(ORDERS[name].bonus for name in some)
        worth = sum(value_of(setup, kind) for name in some for kind in ORDERS[name].goods)
        told = texts("ways.fill", orders=orders_text(texts, some), n=bonus, worth=worth)
        yield Reply(FillOrders(view.seat, some, fitting[some]), (Label(orders_text(texts, some)),), told)


def _cards_for(view: View, orders: Iterable[str]) -> tuple[Claim, ...] | None:
    """Returns the hidden cards that these orders take besides what lies open in the bag; None if some are missing."""
    bag = view.state.bag_of(view.seat)
    is_open = Counter[Kind](kinds_of(bag.shown))
    hidden = [card for card in view.bag if card.handle in bag.handles]
    claims: list[Claim] = []
    for kind in (kind for order in orders for kind in ORDERS[order].goods):
        if is_open[kind]:
            is_open[kind] -= 1
        elif (card := next((card for card in hidden if card.kind == kind), None)) is not None:
            hidden.remove(card)
            claims.append((card.handle, kind))
        else:
            return None
    return tuple(claims)
