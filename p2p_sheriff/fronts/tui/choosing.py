"""Choosing how to answer what a module asks: one thing after the other, with what comes of it."""

from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, digits, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn
from p2p_sheriff.rules import Choice
from p2p_sheriff.seat.asking import question
from p2p_sheriff.seat.printed import man_card, man_text
from p2p_sheriff.seat.sending import Label
from p2p_sheriff.seat.ways import Reply, ways

_DIGITS = 9
"""So many lines can be chosen by a digit."""


@dataclass(frozen=True, slots=True)
class Choosing:
    """One of these replies is chosen by its labels; where all that are left have the same one, it is not asked for."""

    choice: Choice
    replies: tuple[Reply, ...] = field(repr=False)
    taken: tuple[Label, ...] = ()
    """What was chosen so far."""
    cursor: int = 0

    @property
    def _left(self) -> tuple[Reply, ...]:
        return tuple(one for one in self.replies if one.labels[: len(self.taken)] == self.taken)

    @property
    def _rows(self) -> tuple[Label, ...]:
        """What can be chosen next."""
        return tuple(dict.fromkeys(one.labels[len(self.taken)] for one in self._left))

    def _under(self, row: Label) -> tuple[Reply, ...]:
        return tuple(one for one in self._left if one.labels[len(self.taken)] == row)

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, goes on to what is chosen next or back, or answers."""
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down" | "left" | "right":
                return model.asking(replace(self, cursor=stepped(self.cursor, key, len(self._rows)))), ()
            case "home":
                return model.asking(replace(self, cursor=0)), ()
            case "end":
                return model.asking(replace(self, cursor=len(self._rows) - 1)), ()
            case "enter":
                return self._chosen(model)
            case "escape" | "backspace" if self.taken:
                return model.asking(self._back()), ()
            case _ if key.isdecimal() and key != "0":
                if int(key) > len(self._rows):
                    return model.refusing("choose.no_such", n=int(key)), ()
                return model.asking(replace(self, cursor=int(key) - 1)), ()
            case _ if key.startswith("row:"):
                place = min(int(key.removeprefix("row:")), len(self._rows) - 1)
                return self._chosen(model) if place == self.cursor else (model.asking(replace(self, cursor=place)), ())
            case _:
                return None

    def _chosen(self, model: Model) -> Turn:
        row = self._rows[self.cursor]
        under = self._under(row)
        if len(under) == 1:
            return replace(model, sending=True), (under[0].move,)
        return model.asking(replace(self, taken=(*self.taken, row), cursor=0)._settled()), ()

    def _settled(self) -> "Choosing":
        """Returns itself after all that leaves no choice."""
        if len(self._left) == 1 or len(self._rows) > 1:
            return self
        return replace(self, taken=(*self.taken, *self._rows))._settled()

    def _back(self) -> "Choosing":
        """Returns itself before what was chosen last."""
        taken, before = self.taken, replace(self, taken=(), cursor=0)._settled()
        while len(before.taken) < len(taken):
            after = replace(before, taken=(*before.taken, taken[len(before.taken)]))._settled()
            if len(after.taken) >= len(taken):
                return replace(before, cursor=before._rows.index(taken[len(before.taken)]))
            before = after
        return before

    def renewed(self, model: Model) -> "Choosing | None":
        """Returns itself while the same is asked."""
        fresh = of_choice(model)
        return self if fresh is not None and fresh.replies == self.replies else None

    # -- the picture

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws what can be chosen, and beside it what the marked line means."""
        canvas.rule(0, self._title(model))
        rows, marked = self._rows, self._rows[self.cursor]
        wide = self._width(canvas)
        room = canvas.height - 1
        first = max(0, min(self.cursor - room // 2, len(rows) - room))
        for y, place in enumerate(range(first, min(len(rows), first + room)), start=1):
            is_marked = place == self.cursor
            canvas.put(1, y, "▶" if is_marked else " ", "border.on")
            canvas.put(3, y, f" {place + 1} ", "key" if place < _DIGITS else "faint")
            canvas.put(7, y, rows[place].text, "cursor" if is_marked else "", wide - 7)
            canvas.click(f"row:{place}", 0, y, wide)
        beside = canvas.part(wide + 2, 1, canvas.width - wide - 3, room)
        under = self._under(marked)
        low = beside.put_wrapped(0, 0, under[0].outcome, "strong") if len(under) == 1 else 0
        for more in filter(None, (marked.detail, self._errand(model, under[0].outcome if low else ""))):
            if low < beside.height:
                low = beside.put_wrapped(0, low, more, "muted")
        return 1 + min(room, max(low, len(rows)))

    def _width(self, canvas: Canvas) -> int:
        """Returns how much room the lines take: as much as the longest one, if there is enough beside it."""
        longest = max(len(row.text) for row in self._rows)
        return max(24, min(canvas.width // 2, longest + 9))

    def _errand(self, model: Model, told: str) -> str:
        """Returns what the merry man does whose errand it is, if that is not told yet."""
        bag = model.mine.me.bag
        if self.choice is not Choice.SEND or bag is None:
            return ""
        text = man_text(model.words.texts, bag.man_name, model.mine.state)
        return "" if text == told else text

    def _title(self, model: Model) -> str:
        """Returns whose errand it is, or what is chosen; and what was chosen before."""
        view, texts = model.mine, model.words.texts
        man = view.me.bag.man_name if self.choice is Choice.SEND and view.me.bag is not None else ""
        title = man_card(texts, man) if man else model.words(f"choose.{self.choice.name.lower()}")
        return " · ".join([title, *(label.text for label in self.taken)])

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        return model.words.texts(f"questions.{question(model.mine.state, self.choice)}")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        done = "key.done" if len(self._under(self._rows[self.cursor])) == 1 else "key.next"
        back = (("Esc", "key.back"),) if self.taken and self._back() != self else ()
        return ("↑↓", "key.move"), (digits(len(self._rows)), "key.take"), *back, ("Enter", done)


def of_choice(model: Model) -> Choosing | None:
    """Returns the dialogue for a choice whose replies can be listed; None if it is about something else."""
    view, choice = model.view, model.choice
    if view is None or choice is None:
        return None
    replies = ways(view, choice, model.words.texts, model.name)
    return Choosing(choice, replies)._settled() if replies else None
