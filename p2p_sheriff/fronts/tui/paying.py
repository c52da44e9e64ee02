"""Paying a fine in goods (rules 7.14 and 7.15): kinds with numbers, until they cover what is due."""

from collections import Counter
from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn, good_style
from p2p_sheriff.rules import Choice, Goods, Kind, View
from p2p_sheriff.rules.bounds import PayInKindBounds
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.moves import PayInKind
from p2p_sheriff.rules.stalls import count_goods


@dataclass(frozen=True, slots=True)
class Paying:
    """So many goods of each kind are given."""

    bounds: PayInKindBounds
    there: Goods = field(repr=False)
    """What can be given: goods that lie open, or own face-down cards."""
    given: tuple[int, ...]
    cursor: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, gives more or less, or is done."""
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down":
                return model.asking(replace(self, cursor=stepped(self.cursor, key, len(self.there)))), ()
            case "right" | "+" | "space":
                return self._give(model, self.cursor, 1), ()
            case "left" | "-" | "backspace":
                return self._give(model, self.cursor, -1), ()
            case "escape" if any(self.given):
                return model.asking(replace(self, given=(0,) * len(self.there))), ()
            case "enter":
                return self._done(model)
            case _ if key.startswith("row:"):
                return self._give(model, int(key.removeprefix("row:")), 1), ()
            case _ if key.isdecimal() and 1 <= int(key) <= len(self.there):
                return self._give(model, int(key) - 1, 1), ()
            case _:
                return None

    def _give(self, model: Model, row: int, more: int) -> Model:
        if row >= len(self.there):  # A click on a picture that has changed meanwhile.
            return model
        count = self.given[row] + more
        if not 0 <= count <= self.there[row][1]:
            return model.asking(replace(self, cursor=row)).refusing("offer.most", n=self.there[row][1])
        given = (*self.given[:row], count, *self.given[row + 1 :])
        return model.asking(replace(self, cursor=row, given=given))

    def _values(self, view: View) -> list[int]:
        return [
            value_of(view.state.setup, kind)
            for (kind, _), count in zip(self.there, self.given, strict=True)
            for _ in range(count)
        ]

    def verdict(self, view: View) -> str:
        """Returns the key of the word for what is given so far."""
        values = self._values(view)
        everything = self.given == tuple(count for _, count in self.there)
        if sum(values) < self.bounds.amount and not everything:
            return "pay.short"
        return "pay.too_much" if values and sum(values) - min(values) >= self.bounds.amount else "pay.enough"

    def _done(self, model: Model) -> Turn:
        view = model.mine
        if (verdict := self.verdict(view)) != "pay.enough":
            return model.refusing(verdict), ()
        wanted = Counter[Kind]({kind: count for (kind, _), count in zip(self.there, self.given, strict=True) if count})
        is_open = dict(self.bounds.goods)
        goods = tuple((kind, wanted[kind]) for kind, _ in self.there if wanted[kind] and kind in is_open)
        cards = []
        for card in view.stack:
            if card.handle in self.bounds.handles and wanted[card.kind]:
                wanted[card.kind] -= 1
                cards.append((card.handle, card.kind))
        return replace(model, sending=True), (PayInKind(view.seat, goods, tuple(cards)),)

    def renewed(self, model: Model) -> "Paying | None":
        """Returns itself while the same is due."""
        fresh = of_choice(model)
        return self if fresh is not None and fresh.bounds == self.bounds else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a line for every kind."""
        view, words = model.mine, model.words
        total = words("pay.sum", sum=sum(self._values(view)), n=self.bounds.amount)
        canvas.rule(0, f"{total}: {words(self.verdict(view))}")
        rows = canvas.height - 1
        first = max(0, min(self.cursor - rows // 2, len(self.there) - rows))
        for y, row in enumerate(range(first, min(len(self.there), first + rows)), start=1):
            kind, there = self.there[row]
            is_marked = row == self.cursor
            value = value_of(view.state.setup, kind)
            label = f"{row + 1} {words('pay.row', good=words.good(kind), value=value)}"
            canvas.put(1, y, "▶" if is_marked else " ", "border.on")
            canvas.put(3, y, label, "cursor" if is_marked else good_style(view.state, kind), 32)
            canvas.put(38, y, f"◀ {self.given[row]:>2} ▶", "strong" if is_marked else "")
            canvas.put(47, y, words("offer.of", n=there), "muted")
            canvas.click(f"row:{row}", 0, y, 60)
        return 1 + min(rows, len(self.there))

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        return model.words("ask.pay_in_kind", n=self.bounds.amount)

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("↑↓", "key.move"), ("←→", "key.less_more"), ("Esc", "key.clear"), ("Enter", "key.done")


def of_choice(model: Model) -> Paying | None:
    """Returns the dialogue for a fine that gold does not cover; None if nothing such is asked."""
    view = model.view
    if view is None or model.choice is not Choice.PAY_IN_KIND:
        return None
    bounds = next((move for move in model.legal() if isinstance(move, PayInKindBounds)), None)
    if bounds is None:
        return None
    hidden = [card.kind for card in view.stack if card.handle in bounds.handles]
    there = bounds.goods + count_goods(view.state.setup, hidden)
    return Paying(bounds, there, (0,) * len(there))
