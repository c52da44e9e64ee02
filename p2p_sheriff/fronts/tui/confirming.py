"""A question before something that can't be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Move
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.moves import Offer, Pass
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import wrap

_WIDTH = 60
_LEAST_MARGINS = 16
"""With fewer columns than these at both sides together, what is seen of the table there is no use to anybody."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """One thing is done with Enter, or not with Escape."""

    question: str
    details: tuple[str, ...]
    intent: Wish
    bribe: Offer | None = None
    """What letting a bag pass takes (rule 7.6): if that changes, so does the question."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Says yes or no."""
        match key:
            case "enter" | "y":
                return replace(model.over(None), sending=isinstance(self.intent, Move)), (self.intent,)
            case "escape" | "n" | "backspace":
                return model.over(None), ()
            case _:
                return None

    def renewed(self, model: Model) -> "Confirming | None":
        """Returns itself while the move can still be made."""
        view = model.view
        if view is None or not isinstance(self.intent, Move):
            return self
        move = self.intent
        if isinstance(move, Pass) and bribe_for_passing(view.state, move.bag, (view.seat,)) != self.bribe:
            return None
        return self if move in model.legal() else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a box over the middle."""
        draw_question(model.words, canvas, _WIDTH, self.question, self.details)
        return canvas.height

    def prompt(self, _model: Model) -> str:
        """Returns the question."""
        return self.question

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("Enter", "key.yes"), ("Esc", "key.no")


def draw_question(words: Words, canvas: Canvas, width: int, question: str, details: Sequence[str] = ()) -> None:
    """Draws a question in a box over the middle, and what answers it."""
    lines = sum(len(wrap(text, width - 4)) for text in (question, *details))
    inner = box_in(canvas, width, lines + 4, words("confirm.title"))
    y = inner.put_wrapped(0, 0, question, "strong")
    for text in details:
        y = inner.put_wrapped(0, y, text, "muted")
    x = 0
    for cap, what, key in (("Enter", "key.yes", "enter"), ("Esc", "key.no", "escape")):
        end = inner.put(x, inner.height - 1, f" {words.cap(cap)} {words(what)} ", "key")
        inner.click(key, x, inner.height - 1, end - x)
        x = end + 2


def box_in(canvas: Canvas, width: int, height: int, title: str, *, heavy: bool = True) -> Canvas:
    """Draws a box in the middle of a canvas, for what lies on top, and returns its inside; the rest steps back."""
    if canvas.width - width < _LEAST_MARGINS:
        width = canvas.width
    height = min(height, canvas.height)
    canvas.restyle("shadow")
    place = canvas.part((canvas.width - width) // 2, (canvas.height - height) // 2, width, height)
    place.forget_clicks()
    place.fill()
    return place.box(title, "border.on", heavy=heavy).inset(1, 0)
