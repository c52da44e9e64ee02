"""The decks of the modules: shuffled at the start, dealt anew when somebody leaves (14.2, 15.1, 16.1 and 19.3)."""

from dataclasses import astuple
from typing import TypeAlias, assert_never

from p2p_sheriff.rules.cards import Pack
from p2p_sheriff.rules.demands import ShufflePack
from p2p_sheriff.rules.facts import PackRedealt, PackShuffled
from p2p_sheriff.rules.modules.law_cards import LAWS, Law
from p2p_sheriff.rules.modules.merry_cards import MEN, MerryMan
from p2p_sheriff.rules.modules.order_cards import ORDERS, Order
from p2p_sheriff.rules.refusals import NotDemanded
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import MakePack, RemakePack

CardLine: TypeAlias = tuple[str | int, ...]
"""A line of the table of a module as plain data: a name, figures, and an effect by its name with its own figures."""


def cards_of(setup: Setup, pack: Pack) -> tuple[str, ...]:
    """Return the cards of a module by name; those about goods that are not in the deck stay out (14.1, 15.7)."""
    lines = _lines_of(setup, pack)
    return tuple(line.name for line in lines for _ in range(line.count if isinstance(line, Order) else 1))


def rows_of(setup: Setup, pack: Pack) -> tuple[CardLine, ...]:
    """Return what the cards of a module are, for all to agree on."""
    return tuple(map(_row, _lines_of(setup, pack)))


def _row(line: Order | Law | MerryMan) -> CardLine:
    match line:
        case Order():
            return astuple(line)
        case Law(name, effect):
            return name, type(effect).__name__, *astuple(effect)
        case MerryMan(name, value, fine, errand):
            return name, value, fine, type(errand).__name__, *astuple(errand)  # type: ignore[call-overload] # All errands are dataclasses.


def _lines_of(setup: Setup, pack: Pack) -> tuple[Order | Law | MerryMan, ...]:
    match pack:
        case Pack.ORDERS:
            return tuple(order for order in ORDERS.values() if set(order.goods) <= setup.table.keys())
        case Pack.LAWS:
            laws = [law for law in LAWS.values() if law.not_with != setup.players]
            return tuple(law for law in laws if set(law.goods) <= setup.table.keys())
        case Pack.MERRY_MEN:
            return tuple(MEN.values())
        case _:
            assert_never(pack)


def shuffling(state: State, pack: Pack) -> ShufflePack:
    return ShufflePack(pack, len(cards_of(state.setup, pack)))


def on_shuffled(state: State, fact: PackShuffled) -> State:
    if state.todo[0] != MakePack(fact.pack) or shuffling(state, fact.pack).cards != fact.cards:
        raise NotDemanded(f"The deck of {fact.pack.value} is not to be shuffled now, or not with so many cards.")
    return state.done().with_pack(fact.pack, fact.cards)


def on_redealt(state: State, fact: PackRedealt) -> State:
    if state.todo[0] != RemakePack(fact.pack) or state.left_in(fact.pack) != fact.cards:
        raise NotDemanded(f"The deck of {fact.pack.value} is not to be dealt anew, or not with {fact.cards} cards.")
    return state.done()
