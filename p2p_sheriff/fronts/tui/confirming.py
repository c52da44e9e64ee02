"""A question before something that can't be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import PRESSES, Keys
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Turn
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Move
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.moves import Offer, Pass, Stance, Verb
from p2p_sheriff.seat.intents import Autopilot, LeaveForGood, LeaveGame
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import wrap

_WIDTH, _WIDE = 60, 68
_LEAST_MARGINS = 16
"""With fewer columns than these at both sides together, what is seen of the table there is no use to anybody."""


@dataclass(frozen=True, slots=True)
class Confirming:
    """One thing is done with Enter, or not with Escape."""

    question: str
    details: tuple[str, ...]
    intent: Wish
    bribe: Offer | None = None
    """What is offered for letting a bag pass (rule 7.6): if that changes, so does the question."""
    back: Dialogue | None = None
    """What is open again after a no."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Says yes or no."""
        match key:
            case "enter" | "y":
                return replace(model.over(None), sending=isinstance(self.intent, Move)), (self.intent,)
            case "escape" | "n" | "backspace":
                return model.over(self.back), ()
            case _:
                return None

    def renewed(self, model: Model) -> "Dialogue | None":
        """Returns itself while the move can still be made."""
        view = model.view
        if self.back is not None and (back := self.back.renewed(model)) != self.back:
            return back  # What is asked about has changed.
        if view is None or not isinstance(self.intent, Move) or isinstance(self.intent, Offer):
            return self
        match self.intent:
            case Pass(_, bag) | Stance(_, bag, Verb.PASS) if bribe_for_passing(view.state, bag) != self.bribe:
                return None
            case move:
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


@dataclass(frozen=True, slots=True)
class Leaving:
    """How to leave a game that is not over: for now, for good, or with a bot in the own place."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Leaves in one of these ways, or not."""
        words = model.words
        match key:
            case "enter" | "y":
                return model.over(None), (LeaveGame(),)
            case "x":
                asked, details = words("confirm.for_good"), (words("confirm.for_good_detail"),)
                return model.over(Confirming(asked, details, LeaveForGood(), back=self)), ()
            case "p":
                return model.over(None), (Autopilot(is_on=True),)
            case "escape" | "n" | "backspace":
                return model.over(None), ()
            case _:
                return None

    def renewed(self, model: Model) -> "Leaving | None":
        """Returns itself as long as there is something to leave."""
        return None if model.is_ended else self

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a box over the middle."""
        details = (model.words("confirm.leave_detail"), model.words("confirm.leave_ways"))
        draw_question(model.words, canvas, _WIDE, self.prompt(model), details, self.keys(model))
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        return model.words("confirm.leave")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("Enter", "key.for_now"), ("x", "key.for_good"), ("p", "key.pilot"), ("Esc", "key.no")


_YES_OR_NO: Keys = (("Enter", "key.yes"), ("Esc", "key.no"))


def draw_question(
    words: Words, canvas: Canvas, width: int, question: str, details: Sequence[str] = (), keys: Keys = _YES_OR_NO
) -> None:
    """Draws a question in a box over the middle, and what answers it."""
    lines = sum(len(wrap(text, width - 4)) for text in (question, *details))
    inner = box_in(canvas, width, lines + 4, words("confirm.title"))
    y = inner.put_wrapped(0, 0, question, "strong")
    for text in details:
        y = inner.put_wrapped(0, y, text, "muted")
    x = 0
    for cap, what in keys:
        end = inner.put(x, inner.height - 1, f" {words.cap(cap)} {words(what)} ", "key")
        inner.click(PRESSES.get(cap, cap), x, inner.height - 1, end - x)
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
