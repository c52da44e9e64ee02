"""Swapping cards of the hand for discards (David of Doncaster): kinds with numbers on both sides, or nothing at all."""

from collections import Counter
from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.model import Model, Turn, good_style
from p2p_sheriff.rules import Choice, Handle, Kind
from p2p_sheriff.rules.bounds import DiscardBounds
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.moves import Discard
from p2p_sheriff.rules.stalls import count_goods


@dataclass(frozen=True, slots=True)
class Stock:
    """One kind of card that can be given or taken."""

    kind: Kind
    there: int
    is_given: bool
    """Out of the hand; else out of the discards."""


@dataclass(frozen=True, slots=True)
class Swapping:
    """So many cards of each kind are given and taken."""

    bounds: DiscardBounds
    rows: tuple[Stock, ...] = field(repr=False)
    counts: tuple[int, ...]
    cursor: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Moves, takes more or less, or is done."""
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down":
                return model.asking(replace(self, cursor=stepped(self.cursor, key, len(self.rows)))), ()
            case "right" | "+" | "space":
                return self._change(model, self.cursor, 1), ()
            case "left" | "-" | "backspace":
                return self._change(model, self.cursor, -1), ()
            case "escape" if any(self.counts):
                return model.asking(replace(self, counts=(0,) * len(self.rows))), ()
            case "enter":
                return self._done(model)
            case _ if key.startswith("row:"):
                return self._change(model, min(int(key.removeprefix("row:")), len(self.rows) - 1), 1), ()
            case _ if key.isdecimal() and 1 <= int(key) <= len(self.rows):
                return self._change(model, int(key) - 1, 1), ()
            case _:
                return None

    def _change(self, model: Model, row: int, more: int) -> Model:
        side, count = self.rows[row], self.counts[row] + more
        moved = replace(self, cursor=row)
        if not 0 <= count <= side.there:
            return model.asking(moved).refusing("offer.most", n=side.there)
        if more > 0 and self._sum(is_given=side.is_given) + more > self.bounds.count:
            return model.asking(moved).refusing("cards.too_many", n=self.bounds.count)
        return model.asking(replace(moved, counts=(*self.counts[:row], count, *self.counts[row + 1 :])))

    def _sum(self, *, is_given: bool) -> int:
        return sum(n for n, side in zip(self.counts, self.rows, strict=True) if side.is_given == is_given)

    @property
    def _verdict(self) -> str:
        """The key of the word for what is chosen so far."""
        given, taken = self._sum(is_given=True), self._sum(is_given=False)
        if given == taken == 0:
            return "swap.none"
        return "swap.even" if given == taken == self.bounds.count else "swap.odd"

    def _done(self, model: Model) -> Turn:
        if self._verdict == "swap.odd":
            return model.refusing("swap.odd", n=self.bounds.count), ()
        view = model.mine
        given, taken = Counter[Kind](), Counter[Kind]()
        for side, n in zip(self.rows, self.counts, strict=True):
            (given if side.is_given else taken)[side.kind] += n
        cards = tuple((handle, view.knowledge.kinds[handle]) for handle in self.bounds.handles)
        own = _first(cards, given)
        lying = tuple((handle, view.state.kinds[handle]) for handle in self.bounds.taken or ())
        wanted = tuple(handle for handle, _ in _first(lying, taken))
        return replace(model, sending=True), (Discard(view.seat, own, wanted),)

    def renewed(self, model: Model) -> "Swapping | None":
        """Returns itself while the same can be swapped."""
        fresh = of_choice(model)
        return self if fresh is not None and fresh.bounds == self.bounds else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a line for every kind of the hand, then one for every kind among the discards."""
        view, words = model.mine, model.words
        canvas.rule(0, words(self._verdict, n=self.bounds.count))
        room = canvas.height - 1
        first = max(0, min(self.cursor - room // 2, len(self.rows) - room))
        for y, row in enumerate(range(first, min(len(self.rows), first + room)), start=1):
            side, is_marked = self.rows[row], row == self.cursor
            value = value_of(view.state.setup, side.kind)
            canvas.put(1, y, "▶" if is_marked else " ", "border.on")
            canvas.put(3, y, f"{row + 1:>2}", "strong" if is_marked else "faint")
            canvas.put(6, y, words("swap.give" if side.is_given else "swap.take"), "muted", 14)
            label = words("pay.row", good=words.good(side.kind), value=value)
            canvas.put(21, y, label, "cursor" if is_marked else good_style(view.state, side.kind), 30)
            canvas.put(52, y, f"◀ {self.counts[row]:>2} ▶", "strong" if is_marked else "")
            canvas.put(61, y, words("offer.of", n=side.there), "muted")
            canvas.click(f"row:{row}", 0, y, 74)
        if first > 0:
            canvas.put_right(1, " ▲ ", "title")
        if first + room < len(self.rows):
            canvas.put_right(canvas.height - 1, " ▼ ", "title")
        return 1 + min(room, len(self.rows))

    def prompt(self, model: Model) -> str:
        """Returns the question."""
        return model.words.texts("questions.swap")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        done = "key.no_swap" if self._verdict == "swap.none" else "key.done"
        return ("↑↓", "key.move"), ("←→", "key.less_more"), ("Esc", "key.clear"), ("Enter", done)


def _first(cards: tuple[tuple[Handle, Kind], ...], wanted: Counter[Kind]) -> tuple[tuple[Handle, Kind], ...]:
    """Returns so many cards of each kind."""
    left, chosen = Counter(wanted), []
    for handle, kind in cards:
        if left[kind]:
            left[kind] -= 1
            chosen.append((handle, kind))
    return tuple(chosen)


def of_choice(model: Model) -> Swapping | None:
    """Returns the dialogue for a swap with the discards; None if nothing such is asked."""
    view = model.view
    if view is None or model.choice is not Choice.DISCARD:
        return None
    bounds = next((one for one in model.legal() if isinstance(one, DiscardBounds)), None)
    if bounds is None or bounds.taken is None:
        return None
    own = count_goods(view.state.setup, kinds_of(view.hand))
    lying = count_goods(view.state.setup, [kind for pile in view.state.piles for kind in kinds_of(pile)])
    given = (Stock(kind, n, is_given=True) for kind, n in own)
    rows = (*given, *(Stock(kind, n, is_given=False) for kind, n in lying))
    return Swapping(bounds, rows, (0,) * len(rows))
