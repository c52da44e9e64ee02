"""A question before something that can't be taken back."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Move
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.moves import Offer, Pass
from p2p_sheriff.texts.cells import wrap

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
        box = box_in(canvas, 60, sum(len(wrap(text, 56)) for text in (self.question, *self.details)) + 4)
        inner = box.box(model.words("confirm.title"), "border.on", heavy=True).inset(1, 0)
        y = inner.put_wrapped(0, 0, self.question, "strong")
        for text in self.details:
            y = inner.put_wrapped(0, y, text, "muted")
        words = model.words
        yes, no = f" {words.cap('Enter')} {words('key.yes')} ", f" {words.cap('Esc')} {words('key.no')} "
        end = inner.put(0, inner.height - 1, yes, "key")
        inner.click("enter", 0, inner.height - 1, end)
        inner.put(end + 2, inner.height - 1, no, "key")
        inner.click("escape", end + 2, inner.height - 1, len(no))
        return canvas.height

    def prompt(self, _model: Model) -> str:
        """Returns the question."""
        return self.question

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("Enter", "key.yes"), ("Esc", "key.no")


def box_in(canvas: Canvas, width: int, height: int) -> Canvas:
    """Returns an empty place in the middle of a canvas, for something that lies on top; the rest steps back."""
    if canvas.width - width < _LEAST_MARGINS:
        width = canvas.width
    height = min(height, canvas.height)
    canvas.restyle("shadow")
    place = canvas.part((canvas.width - width) // 2, (canvas.height - height) // 2, width, height)
    place.forget_clicks()
    place.fill()
    return place
