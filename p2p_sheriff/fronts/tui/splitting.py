"""Proposing how to share the Loot (rule 10.5): evenly, or so much gold and so many cards of each kind for oneself."""

from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn, good_style
from p2p_sheriff.rules import Choice, Kind
from p2p_sheriff.rules.bounds import SplitBounds
from p2p_sheriff.rules.moves import ShareLoot, Split
from p2p_sheriff.seat.sharing import lying, split_of

_LEAP = 5


@dataclass(frozen=True, slots=True)
class Sharing:
    """What the proposer would get: a line for the even split, one for gold, one for every kind of cards."""

    bounds: SplitBounds
    there: tuple[tuple[Kind | None, int], ...] = field(repr=False)
    """The cards that lie on the Loot, face-down ones as None."""
    gold: int
    taken: tuple[int, ...]
    cursor: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, takes more or less, or proposes."""
        rows = 2 + len(self.there)
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down":
                return model.asking(replace(self, cursor=stepped(self.cursor, key, rows))), ()
            case "right" | "+" | "space":
                return self._take(model, self.cursor, 1), ()
            case "left" | "-" | "backspace":
                return self._take(model, self.cursor, -1), ()
            case "pageup" | "pagedown" if self.cursor == 1:
                wanted = self.gold + (_LEAP if key == "pageup" else -_LEAP)
                return model.asking(replace(self, gold=max(0, min(self.bounds.gold, wanted)))), ()
            case "enter":
                split = self._split(model) if self.cursor else None
                return replace(model, sending=True), (ShareLoot(self.bounds.seat, split),)
            case _ if key.startswith("row:"):
                return self._take(model, int(key.removeprefix("row:")), 1), ()
            case _ if key.isdecimal() and 1 <= int(key) <= rows:
                return model.asking(replace(self, cursor=int(key) - 1)), ()
            case _:
                return None

    def _most(self, row: int) -> int:
        return 0 if row == 0 else self.bounds.gold if row == 1 else self.there[row - 2][1]

    def _count(self, row: int) -> int:
        return 0 if row == 0 else self.gold if row == 1 else self.taken[row - 2]

    def _take(self, model: Model, row: int, more: int) -> Model:
        if row == 0 or row >= 2 + len(self.there):  # The even split; a click on a picture that has changed meanwhile.
            return model.asking(replace(self, cursor=min(row, self.cursor)))
        count, moved = self._count(row) + more, replace(self, cursor=row)
        if not 0 <= count <= self._most(row):
            return model.asking(moved).refusing("offer.most", n=self._most(row))
        if row == 1:
            return model.asking(replace(moved, gold=count))
        place = row - 2
        return model.asking(replace(moved, taken=(*self.taken[:place], count, *self.taken[place + 1 :])))

    def _split(self, model: Model) -> Split:
        kinds = (kind for kind, _ in self.there)
        return split_of(model.mine.state.loot, self.gold, dict(zip(kinds, self.taken, strict=True)))

    def renewed(self, model: Model) -> "Sharing | None":
        """Returns itself while the same lies there to be shared."""
        fresh = of_choice(model)
        return self if fresh is not None and fresh.bounds == self.bounds else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a line for everything that lies there, and what the other deputy would be asked."""
        state, words = model.mine.state, model.words
        canvas.rule(0, words("loot.title"))
        labels = [(words("loot.even"), ""), (words("offer.gold"), "gold")]
        for kind, _ in self.there:
            hidden = words("loot.hidden"), "good.contraband"
            labels.append((words.good(kind), good_style(state, kind)) if kind is not None else hidden)
        told = words("loot.even_detail") if self.cursor == 0 else model.narrator.split(state, self._split(model))
        rows = canvas.height - 2
        first = max(0, min(self.cursor - rows // 2, len(labels) - rows))
        for y, row in enumerate(range(first, min(len(labels), first + rows)), start=1):
            is_marked = row == self.cursor
            label, style = labels[row]
            canvas.put(1, y, "▶" if is_marked else " ", "border.on")
            canvas.put(3, y, f" {row + 1} ", "key")
            canvas.put(7, y, label, "cursor" if is_marked else style, 28 if row else canvas.width - 8)
            if row:
                canvas.put(36, y, f"◀ {self._count(row):>2} ▶", "strong" if is_marked else "")
                canvas.put(45, y, words("offer.of", n=self._most(row)), "muted")
            canvas.click(f"row:{row}", 0, y, 60)
        return canvas.put_wrapped(2, 1 + min(rows, len(labels)), told, "strong")

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        return model.words("ask.share_loot")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        done = "key.propose" if self.cursor else "key.even"
        return ("↑↓", "key.move"), ("←→", "key.less_more"), ("Enter", done)


def of_choice(model: Model) -> Sharing | None:
    """Returns the dialogue of who proposes, which begins with half of everything; None if nothing such is asked."""
    view = model.view
    if view is None or model.choice is not Choice.SHARE_LOOT:
        return None
    bounds = next((move for move in model.legal() if isinstance(move, SplitBounds)), None)
    if bounds is None:
        return None
    there = tuple(lying(view.state.loot).items())
    return Sharing(bounds, there, bounds.gold // 2, tuple(count // 2 for _, count in there))
