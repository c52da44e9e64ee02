"""Cards side by side: name, what they are worth, what they cost when found; chosen ones are raised and marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.model import Model, good_style
from p2p_sheriff.rules import Card, Handle, State
from p2p_sheriff.rules.law import fine_of, side_of, value_of
from p2p_sheriff.texts.cells import cells_of, wrap

CARD_ROWS = 5
_WIDEST = 18
_ROOMY = 15
"""From this width on, a card says "worth" and "fine" in full."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is pointed at, and what is chosen, in order."""

    cursor: int | None = None
    chosen: tuple[Handle, ...] = ()
    ordered: bool = False
    """Whether the order matters: chosen cards then show their place."""


def draw_cards(model: Model, state: State, canvas: Canvas, cards: Sequence[Card], marks: Marks) -> int:
    """Draws cards side by side; returns the line under them."""
    if not cards:
        return 0
    raised = 1 if canvas.height > CARD_ROWS else 0
    width = max(6, min(_WIDEST, (canvas.width - 1) // len(cards)))
    for place, card in enumerate(cards):
        lift = 0 if card.handle in marks.chosen else raised
        slot = canvas.part(1 + place * width, lift, width - 1 if width > 8 else width, CARD_ROWS)
        canvas.click(f"card:{place}", 1 + place * width, 0, width, CARD_ROWS + raised)
        _draw_card(model, state, slot, place, card, marks)
    return CARD_ROWS + raised


def _draw_card(model: Model, state: State, slot: Canvas, place: int, card: Card, marks: Marks) -> None:
    words, value, fine = model.words, value_of(state.setup, card.kind), fine_of(state, card.kind)
    style = good_style(state, card.kind)
    is_chosen, is_marked = card.handle in marks.chosen, place == marks.cursor
    inner = slot.box(style="border.on" if is_marked else style, heavy=is_marked)
    if is_chosen:
        inner.fill("selected")
    slot.put(1, 0, f" {place + 1} ", "border.on" if is_marked else "muted")
    if is_chosen:
        mark = f" {marks.chosen.index(card.handle) + 1}. " if marks.ordered else " ✓ "
        slot.put(slot.width - len(mark) - 1, 0, mark, "selected")
    text = "selected" if is_chosen else style
    name = words.good(card.kind)
    lines = wrap(name, inner.width)
    side = words(f"side.{side_of(state, card.kind).value}")
    if cells_of(side) > inner.width:
        side = words("side.contraband_short")
    inner.put(0, 0, lines[0], text)
    inner.put(0, 1, " ".join(lines[1:]) or side, text if lines[1:] or is_chosen else "muted")
    if inner.width >= _ROOMY:
        figures = f"{words('card.value', value=value)}, {words('card.fine', fine=fine)}"
    else:
        figures = f"{value} / {fine}"
    inner.put(0, 2, figures, text if is_chosen else "")
