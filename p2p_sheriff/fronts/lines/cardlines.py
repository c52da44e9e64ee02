"""The own hand by its numbers, and the cards of the modules: laws, orders, merry men, and the ways to use them."""

from collections.abc import Callable

from p2p_sheriff.rules import Card, Choice, Pack, Seat, State, View, legal_moves
from p2p_sheriff.rules.bounds import DiscardBounds
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.stalls import in_order
from p2p_sheriff.rules.state import Player
from p2p_sheriff.seat.printed import law_name, law_text, laws_in_force, man_card, man_text, order_names, orders_text
from p2p_sheriff.seat.stakes import man_in_bag
from p2p_sheriff.seat.ways import ways
from p2p_sheriff.texts import Texts

_UNDER_LAWS = frozenset({Choice.SET_ASIDE, Choice.LOAD, Choice.DECLARE, Choice.ACT})
"""What laws restrict, or tax."""


def in_hand(view: View) -> tuple[Card, ...]:
    """Returns the cards that the player still has in hand, in the order of their numbers: not those in the bag."""
    held = [card for card in view.hand if card.handle not in view.knowledge.bag]
    return in_order(view.state.setup, held)


def in_the_middle(state: State, texts: Texts) -> list[str]:
    """Returns the laws in force, each with what it does, and the orders that can be filled."""
    laws = _laws(state, texts)
    orders = [texts("table.orders", orders=orders_text(texts, state.orders))] if state.orders else []
    return laws + orders


def _laws(state: State, texts: Texts) -> list[str]:
    return [texts("table.law", law=name, text=text) for name, text in laws_in_force(texts, state)]


def at_a_stall(player: Player, texts: Texts) -> list[str]:
    """Returns what somebody has of the modules, as all can see it."""
    orders = order_names(texts, (one.name for one in player.orders))
    return [
        *([texts("table.filled", orders=orders)] if orders else []),
        *([texts("table.has_man")] if player.men else []),
        *([texts("table.lost_man")] if player.lost_man else []),
        *([texts("table.halves")] if player.halves else []),
    ]


def own_man(view: View, texts: Texts) -> list[str]:
    """Returns the own merry man, by the number with which he goes into the bag."""
    if view.man is None or len(view.me.men) > 1 or man_in_bag(view):
        return []
    place = len(in_hand(view)) + 1
    return [texts("table.man", place=place, man=man_card(texts, view.man), text=man_text(texts, view.man, view.state))]


def looked_at(view: View, texts: Texts, name: Callable[[Seat], str]) -> list[str]:
    """Returns the face-down cards of others that the player has looked at."""
    return [texts("modules.saw", name=name(owner), good=texts.good(kind, 1)) for owner, kind in view.knowledge.looked]


def to_choose(view: View, choice: Choice, texts: Texts, name: Callable[[Seat], str]) -> list[str]:
    """Returns what must be known to answer, and all ways to do so by their numbers; nothing if they can't be listed."""
    listed = ways(view, choice, texts, name)
    numbered = [texts("table.way", place=place, way=way.outcome) for place, way in enumerate(listed, start=1)]
    kinds, bag = view.knowledge.kinds, view.me.bag
    match choice:
        case Choice.LAY_LAWS:
            drawn = (kinds[handle] for handle in view.state.drawn_laws)
            known = [
                texts("table.law_drawn", law=law_name(texts, law), text=law_text(texts, law, view.state))
                for law in drawn
            ]
        case Choice.KEEP_MAN:
            men = (kinds[handle] for handle in view.me.men)
            known = [f"{man_card(texts, man)}: {man_text(texts, man, view.state)}" for man in men]
        case Choice.SEND if bag is not None and bag.man_name:
            known = [f"{man_card(texts, bag.man_name)}: {man_text(texts, bag.man_name, view.state)}"]
        case Choice.FILL_ORDERS:
            known = [texts("table.orders", orders=orders_text(texts, view.state.orders))]
        case Choice.DISCARD:
            all_bounds = [one for one in legal_moves(view.state, view.seat) if isinstance(one, DiscardBounds)]
            keys = {True: "table.discard_count", False: "table.swap_count"}
            known = [texts(keys[one.taken is None], n=one.count) for one in all_bounds]
        case _ if choice in _UNDER_LAWS:
            known = _laws(view.state, texts)
        case _:
            known = []
    return known + numbered


def in_the_decks(state: State, texts: Texts) -> list[str]:
    """Returns every card of the modules that are played with, each in a sentence."""
    lines = []
    for pack in state.setup.packs:
        names = dict.fromkeys(sorted(cards_of(state.setup, pack)))
        match pack:
            case Pack.LAWS:
                lines += [
                    texts("table.law_drawn", law=law_name(texts, law), text=law_text(texts, law, state))
                    for law in names
                ]
            case Pack.MERRY_MEN:
                lines += [f"{man_card(texts, man)}: {man_text(texts, man, state)}" for man in names]
            case Pack.ORDERS:
                lines.append(texts("table.all_orders", orders=orders_text(texts, names)))
    return lines or [texts("table.no_cards")]
