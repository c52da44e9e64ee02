"""The discard piles in lines of text: what lies there, what is put back, and how much can be drawn again."""

from p2p_sheriff.rules import Card, State, View, legal_moves
from p2p_sheriff.rules.bounds import LayDownBounds
from p2p_sheriff.rules.market import drawable
from p2p_sheriff.rules.moves import SetAside
from p2p_sheriff.rules.stalls import in_order
from p2p_sheriff.seat.narration import kinds
from p2p_sheriff.texts import ENGLISH, Texts


def piles(state: State, texts: Texts = ENGLISH) -> list[str]:
    """Returns what lies on the discard piles; where cards are taken from the top, one by one."""
    if not state.setup.two_piles:
        goods = kinds((card.kind for card in state.piles[0]), texts)
        return [texts("table.pile", goods=goods) if goods else texts("table.pile_empty")]
    left, right = (", ".join(texts.good(card.kind, 1) for card in reversed(pile)) for pile in state.piles)
    return [
        texts("table.pile_left", goods=left) if left else texts("table.pile_left_empty"),
        texts("table.pile_right", goods=right) if right else texts("table.pile_right_empty"),
    ]


def to_put_back(view: View) -> tuple[Card, ...]:
    """Returns the cards that the player lays onto a pile, as they are listed: set aside, or confiscated."""
    bounds = (one for one in legal_moves(view.state, view.seat) if isinstance(one, LayDownBounds))
    handles = next((one.handles for one in bounds), ())
    kinds = {**view.knowledge.kinds, **view.state.kinds}
    return in_order(view.state.setup, [Card(handle, kinds[handle], view.seat) for handle in handles])


def shortage(view: View, intent: object) -> int | None:
    """Returns how many cards can be drawn, if the player sets more aside than that (rule 4.4)."""
    most = drawable(view.state)
    return most if isinstance(intent, SetAside) and len(intent.handles) > most else None
