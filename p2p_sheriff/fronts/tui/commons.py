"""The middle of the table: the deck, the top of the discards, the black market, the Loot."""

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.hand import CARD_ROWS
from p2p_sheriff.fronts.tui.model import Model, good_style
from p2p_sheriff.rules import Kind, State

ROWS = CARD_ROWS + 1
_WIDTH = 14


def draw_commons(model: Model, state: State, canvas: Canvas) -> int:
    """Draws what belongs to nobody, side by side; returns the lines used."""
    words = model.words
    canvas.rule(0, words("commons.title"))
    x = _draw_back(canvas, 1, words("commons.deck"), str(state.deck))
    for pile in state.piles:
        x = _draw_top(model, state, canvas, x, words("commons.discards", n=len(pile)), pile[-1].kind if pile else None)
    for pair in state.market:
        left = words("commons.left", n=len(pair))
        x = _draw_top(model, state, canvas, x, left, pair[0] if pair else None)
    if state.loot:
        cards = len(state.loot.cards) + len(state.loot.prizes)
        _draw_back(canvas, x, words("player.loot"), words("commons.loot", gold=state.loot.gold, n=cards))
    canvas.click("d", 0, 1, canvas.width, CARD_ROWS)
    return ROWS


def _draw_back(canvas: Canvas, x: int, title: str, figure: str) -> int:
    if x + _WIDTH > canvas.width:
        return x
    card = canvas.part(x, 1, _WIDTH - 1, CARD_ROWS)
    inner = card.box(style="back")
    inner.fill("back", "░")
    inner.put_centred(0, f" {title} ", "")
    inner.put_centred(1, f" {figure} ", "strong")
    return x + _WIDTH


def _draw_top(model: Model, state: State, canvas: Canvas, x: int, note: str, kind: Kind | None) -> int:
    if x + _WIDTH > canvas.width:
        return x
    card = canvas.part(x, 1, _WIDTH - 1, CARD_ROWS)
    style = "border" if kind is None else good_style(state, kind)
    inner = card.box(style=style)
    inner.put(0, 2, note, "muted")
    if kind is None:
        inner.put(0, 0, model.words("piles.empty"), "faint")
    else:
        inner.put_wrapped(0, 0, model.words.good(kind), style, rows=2)
    return x + _WIDTH
