"""Cards side by side: name, what they are worth, what they cost when found; chosen ones are raised and marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.model import Model, good_style
from p2p_sheriff.rules import Card, Handle, State, View
from p2p_sheriff.rules.law import fine_of, side_of, value_of
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.stalls import in_order
from p2p_sheriff.seat.printed import man_name
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


@dataclass(frozen=True, slots=True)
class Face:
    """What stands on a card."""

    name: str
    side: str
    style: str
    value: int
    fine: int


def own_cards(view: View) -> tuple[Card, ...]:
    """Returns the hand, and after it the own merry man: he can go into the bag like a card (rule 16.2)."""
    men = [Card(handle, view.knowledge.kinds[handle], view.seat) for handle in view.me.men]
    return (*in_order(view.state.setup, view.hand), *(men if len(men) == 1 else ()))


def _face(model: Model, state: State, card: Card) -> Face:
    words = model.words
    if (man := MEN.get(card.kind)) is not None:
        return Face(man_name(words.texts, man.name), words("side.man"), "good.royal", man.value, man.fine)
    side = words(f"side.{side_of(state, card.kind).value}")
    value, fine = value_of(state.setup, card.kind), fine_of(state, card.kind)
    return Face(words.good(card.kind), side, good_style(state, card.kind), value, fine)


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
    words, face = model.words, _face(model, state, card)
    style, side = face.style, face.side
    is_chosen, is_marked = card.handle in marks.chosen, place == marks.cursor
    inner = slot.box(style="border.on" if is_marked else style, heavy=is_marked)
    if is_chosen:
        inner.fill("selected")
    slot.put(1, 0, f" {place + 1} ", "border.on" if is_marked else "muted")
    if card.handle in model.new_cards and not is_chosen and slot.width > 9:
        slot.put_right(0, f" {words('card.new')} ", "win", 1)
    if is_chosen:
        mark = f" {marks.chosen.index(card.handle) + 1}. " if marks.ordered else " ✓ "
        slot.put(slot.width - len(mark) - 1, 0, mark, "selected")
    text = "selected" if is_chosen else style
    lines = wrap(face.name, inner.width)
    if cells_of(side) > inner.width and card.kind not in MEN:
        side = words("side.contraband_short")
    inner.put(0, 0, lines[0], text)
    more = " ".join(lines[1:2] if card.kind in MEN else lines[1:])
    inner.put(0, 1, more or side, text if lines[1:] or is_chosen else "muted")
    if inner.width >= _ROOMY:
        figures = f"{words('card.value', value=face.value)}, {words('card.fine', fine=face.fine)}"
    else:
        figures = f"{face.value} / {face.fine}"
    inner.put(0, 2, figures, text if is_chosen else "")
