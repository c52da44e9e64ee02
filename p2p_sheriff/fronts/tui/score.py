"""The end: the score sheet with every sum, and the chart of who had how much when."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Turn, good_style
from p2p_sheriff.rules import Ending, Outcome, Score, State, outcome
from p2p_sheriff.rules.goods import BONUSES
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.scoring import Crown, Rank
from p2p_sheriff.seat.intents import LeaveGame, Rematch
from p2p_sheriff.texts.cells import cells_of, clip, wrap

_LABEL = 20
_MOST_ENDING = 5
_HEIGHTS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet: a figure for every player, with a remark in small."""

    label: str
    style: str
    cells: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sheet(Dialogue):
    """The score sheet, or the chart."""

    chart: bool = False
    scroll: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Scrolls, turns to the chart, asks for a rematch, or leaves: not with Enter, which is pressed too easily."""
        match key:
            case "tab" | "left" | "right":
                return model.asking(Sheet(not self.chart)), ()
            case "up" | "wheel-up":
                return model.asking(replace(self, scroll=max(0, self.scroll - 1))), ()
            case "down" | "wheel-down":
                return model.asking(replace(self, scroll=self.scroll + 1)), ()
            case "r" if model.rematch:
                return model, (Rematch(),)
            case "q" | "c-c" if model.signed:  # Before, the table asks, as at any other time: somebody may never sign.
                return model, (LeaveGame(),)
            case _:
                return None

    def prompt(self, model: Model) -> str:
        """Returns who would like a rematch; before that, who has won."""
        if model.rematch and model.wanted_by:
            return " ".join(model.words.texts("rematch.wish", name=name) for name in model.wanted_by)
        return _winners(model, outcome(model.state)) if model.state else ""

    def keys(self, model: Model) -> Keys:
        """Returns what can be pressed."""
        again = (("r", "key.rematch"),) if model.rematch else ()
        return *again, ("q", "key.quit"), ("Tab", "key.sheet"), ("↑↓", "key.scroll")

    # -- the picture

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws the sheet, or the chart, and what is said about the end."""
        state = model.state
        if state is None:
            return 0
        result = outcome(state)
        said = (*model.narrator.gone(result), *model.ending)
        ending = [line for text in said if text for line in wrap_whole(text, canvas.width - 2)][:_MOST_ENDING]
        title = model.words("score.chart" if self.chart else "score.title")
        canvas.rule(0, title)
        body = canvas.part(1, 1, canvas.width - 2, canvas.height - 1 - len(ending))
        scores = sorted(result.scores, key=lambda one: (one.seat not in result.winners, -one.total))
        if self.chart:
            self._draw_chart(model, body, scores)
        else:
            used = self._draw_sheet(model, state, body, scores, result)
            rest = body.part(0, used + 2, body.width, body.height - used - 2)
            if rest.height > 2 * len(scores):  # There is room for both.
                canvas.rule(used + 2, model.words("score.chart"))
                self._draw_chart(model, rest, scores)
        for place, text in enumerate(ending):
            canvas.put(1, canvas.height - len(ending) + place, text, "muted")
        return canvas.height

    def _draw_sheet(self, model: Model, state: State, body: Canvas, scores: list[Score], result: Outcome) -> int:
        each = min(20, (body.width - _LABEL) // len(scores))
        for place, score in enumerate(scores):
            name = model.name(score.seat)
            star = "★ " if score.seat in result.winners else ""
            shown = star + clip(name, each - 1 - len(star))
            x = _LABEL + (place + 1) * each - cells_of(shown)
            body.put(x, 0, shown, "win" if star else "name.me" if score.seat == model.seat else "name")
        lines = sheet_lines(model, state, scores)
        rows = body.height - 2
        first = min(self.scroll, max(0, len(lines) - rows))
        for y, line in enumerate(lines[first : first + rows], start=1):
            body.put(0, y, line.label, line.style, _LABEL - 1)
            for place, (figure, remark) in enumerate(line.cells):
                end = _LABEL + (place + 1) * each
                start = end - cells_of(figure)
                body.put(start, y, figure, line.style if figure != "·" else "faint")
                if cells_of(remark) + 1 < start - (end - each):
                    body.put(start - cells_of(remark) - 1, y, remark, "faint")
        if len(lines) > first + rows:
            body.put(_LABEL - 1, rows, "▼", "title")
        y = 1 + min(rows, len(lines))
        body.put(0, y, model.words("score.total"), "strong")
        for place, score in enumerate(scores):
            total = str(score.total)
            style = "win" if score.seat in result.winners else "strong"
            body.put(_LABEL + (place + 1) * each - len(total), y, total, style)
        return y + 1

    def _draw_chart(self, model: Model, body: Canvas, scores: list[Score]) -> None:
        rounds = len(model.wealth)
        if not rounds:
            return
        most = max(1, *(max(of_round) for of_round in model.wealth))
        each = max(4, min(8, (body.width - _LABEL) // (rounds + 1)))
        body.put(0, 0, model.words("score.round"), "faint")
        for number in range(rounds):
            body.put(_LABEL + number * each, 0, f"{number + 1:>{each - 1}}", "faint")
        tall = max(1, min(4, (body.height - 1) // len(scores) - 1))
        for place, score in enumerate(scores):
            y = 1 + place * (tall + 1)
            style = "name.me" if score.seat == model.seat else "name"
            body.put(0, y + tall - 1, model.name(score.seat), style, _LABEL - 1)
            for number, of_round in enumerate(model.wealth):
                worth = of_round[score.seat]
                figure = f"{worth:>{each - 1}}"
                x = _LABEL + number * each
                _draw_column(body.part(x, y, each - 1, tall), worth, most)
                body.put(x, y + tall, figure, "gold" if number == rounds - 1 else "muted")


def _draw_column(column: Canvas, worth: int, most: int) -> None:
    eighths = worth * column.height * 8 // most
    for row in range(column.height):
        here = max(0, min(8, eighths - (column.height - 1 - row) * 8))
        if here:
            column.put(max(0, column.width - 3), row, _HEIGHTS[here - 1] * min(3, column.width), "gold")


def wrap_whole(text: str, room: int) -> list[str]:
    """Returns text in lines; a word that is longer than one, like the path of a file, is broken and not cut."""
    pieces = [word[at : at + room] for word in text.split() for at in range(0, len(word), room)]
    return wrap(" ".join(pieces), room)


def sheet_lines(model: Model, state: State, scores: list[Score]) -> list[Line]:
    """Returns every line of the sheet but the total."""
    words = model.words
    lines = [Line(words("score.gold"), "gold", tuple((str(one.gold), "") for one in scores))]
    for kind in state.setup.table:
        of_kind = [next((it for it in one.goods if it.kind == kind), None) for one in scores]
        if any(of_kind):
            cells = tuple(
                (str(it.points), f"{it.count}x{value_of(state.setup, kind)}") if it else ("·", "") for it in of_kind
            )
            lines.append(Line(words.good(kind), good_style(state, kind), cells))
    for good_kind in BONUSES:
        crowns = [next((it for it in one.crowns if it.good == good_kind), None) for one in scores]
        if any(crowns):
            cells = tuple((f"+{it.points}", _crown(model, it)) if it else ("·", "") for it in crowns)
            lines.append(Line(words("score.crown", good=words.good(good_kind)), "king", cells))
    for place, (name, _) in enumerate(scores[0].modules if scores else ()):
        cells = tuple(_of_module(state, one, place) for one in scores)
        lines.append(Line(words(f"score.{name}"), "good.prize", cells))
    return lines


def _of_module(state: State, one: Score, place: int) -> tuple[str, str]:
    """Returns what a module adds to somebody's sum, and of how many cards."""
    points, cards = one.modules[place][1], len(state[one.seat].orders)
    return (str(points), f"{cards}x") if cards else ("·", "")


def _crown(model: Model, crown: Crown) -> str:
    letter = model.words("ledger.king" if crown.rank is Rank.KING else "ledger.queen")
    return f"{letter}/{crown.shared}" if crown.shared > 1 else letter


def _winners(model: Model, result: Outcome) -> str:
    words = model.words
    if result.ending is Ending.ABANDONED:
        return words("score.abandoned")
    total = max(one.total for one in result.scores)
    names = model.names_of(result.winners)
    return words("score.wins" if len(result.winners) == 1 else "score.share", names=names, n=total)
