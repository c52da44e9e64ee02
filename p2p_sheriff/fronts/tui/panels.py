"""What the player can open over the table: the log, the chat, the proofs, the discard piles."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Turn, good_style
from p2p_sheriff.rules import State
from p2p_sheriff.seat.intents import Say
from p2p_sheriff.seat.picture import LogLine, Topic
from p2p_sheriff.seat.printed import drawn_laws, laws_in_force, man_card, man_text, orders_text
from p2p_sheriff.texts.cells import wrap

_STYLES = {
    Topic.GAME: "log",
    Topic.DEALS: "log.deal",
    Topic.CHAT: "log.chat",
    Topic.TROUBLE: "log.trouble",
    Topic.ROUND: "log.round",
}

_FILTERS: tuple[tuple[str, frozenset[Topic]], ...] = (
    ("log.all", frozenset(Topic)),
    ("log.deals", frozenset({Topic.DEALS, Topic.ROUND})),
    ("log.chat", frozenset({Topic.CHAT})),
    ("log.trouble", frozenset({Topic.TROUBLE})),
)

_STEPS = {"up": 1, "wheel-up": 1, "k": 1, "pageup": 10, "down": -1, "wheel-down": -1, "j": -1, "pagedown": -10}
"""How far back in the log a key goes."""

PHRASES = 9
_MOST_LETTERS = 200


def draw_log(canvas: Canvas, lines: tuple[LogLine, ...], scroll: int = 0) -> None:
    """Draws the last lines that fit, or as many lines further back."""
    rows: list[tuple[str, str]] = []
    for line in reversed(lines):
        wrapped = wrap(line.text, canvas.width - 2)
        own = [(_STYLES[line.topic], f"  {text}" if place else text) for place, text in enumerate(wrapped)]
        rows += reversed(own)
        if len(rows) >= canvas.height + scroll:
            break
    scroll = max(0, min(scroll, len(rows) - canvas.height))
    shown = rows[scroll : scroll + canvas.height][::-1]
    for y, (style, text) in enumerate(shown):
        canvas.put(0, y, text, style)


@dataclass(frozen=True, slots=True)
class Log(Dialogue):
    """Everything that was told, scrolled and filtered."""

    scroll: int = 0
    """How many lines back from the end, or on from the top."""
    filter: int = 0
    is_from_top: bool = False

    def press(self, model: Model, key: str) -> Turn | None:
        """Scrolls, filters, or goes back."""
        match key:
            case "escape" | "g" | "enter":
                return model.over(None), ()
            case _ if key in _STEPS:
                step = -_STEPS[key] if self.is_from_top else _STEPS[key]
                return model.over(replace(self, scroll=max(0, self.scroll + step))), ()
            case "home" | "end":
                return model.over(replace(self, scroll=0, is_from_top=key == "home")), ()
            case "f" | "tab":
                return model.over(Log(0, (self.filter + 1) % len(_FILTERS))), ()
            case _:
                return None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a panel over everything."""
        name, topics = _FILTERS[self.filter]
        title = f"{model.words('log.title')}: {model.words(name)}"
        inner = box_in(canvas, canvas.width, canvas.height, title, heavy=False)
        lines = tuple(line for line in model.log if line.topic in topics)
        if not lines:
            inner.put(0, 0, model.words("log.empty"), "muted")
        longest = max(0, sum(len(wrap(line.text, inner.width - 2)) for line in lines) - inner.height)
        draw_log(inner, lines, max(0, longest - self.scroll) if self.is_from_top else min(self.scroll, longest))
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns what is shown."""
        return model.words("log.title")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("↑↓", "key.scroll"), ("f", "key.filter"), ("Esc", "key.back")


@dataclass(frozen=True, slots=True)
class Chat(Dialogue):
    """Words that are being written, with what was said so far."""

    text: str = ""
    phrase: int = 0
    """The number of the phrase that was put into the line last."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Writes, or puts a phrase into the line."""
        match key:
            case "escape":
                return model.over(None), ()
            case "enter":
                said = self.text.strip()
                return model.over(None), ((Say(said),) if said else ())
            case "backspace":
                return model.over(Chat(self.text[:-1])), ()
            case "up" | "down" | "wheel-up" | "wheel-down" if self.phrase or not self.text:
                number = stepped(self.phrase - 1, key, PHRASES) + 1 if self.phrase else 1
                return self.press(model, f"phrase:{number}")
            case _ if key.startswith("phrase:"):
                number = int(key.removeprefix("phrase:"))
                return model.over(Chat(model.words(f"phrase.{number}"), number)), ()
            case _ if key == "space" or len(key) == 1:
                return model.over(Chat((self.text + (" " if key == "space" else key))[:_MOST_LETTERS])), ()
            case _:
                return None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws the phrases, and what was said, above the line that is being written."""
        words = model.words
        inner = box_in(canvas, 90, 20, words("chat.title"), heavy=False)
        chat = tuple(line for line in model.log if line.topic is Topic.CHAT)
        rows = inner.height - PHRASES - 3
        if rows > 0:
            draw_log(inner.part(0, 0, inner.width, rows), chat)
        y = max(0, rows)
        inner.rule(y, words("chat.phrases"))
        for number in range(1, PHRASES + 1):
            is_marked = number == self.phrase
            inner.put(0, y + number, "▶" if is_marked else " ", "border.on")
            inner.put(2, y + number, words(f"phrase.{number}"), "cursor" if is_marked else "")
            inner.click(f"phrase:{number}", 0, y + number)
        pieces: list[Piece] = [("title", f"{words('chat.prompt')} "), ("strong", f"{self.text[-50:]}▌")]
        inner.put_pieces(0, inner.height - 1, pieces)
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns what is being done."""
        return model.words("chat.prompt")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("↑↓", "key.phrase"), ("Enter", "key.say"), ("Esc", "key.back")


@dataclass(frozen=True, slots=True)
class Proofs(Dialogue):
    """The cryptography at work: words to compare, who proved what, how large it was, how long checking took."""

    scroll: int = 0

    def press(self, model: Model, key: str) -> Turn | None:
        """Scrolls, or goes back."""
        match key:
            case "escape" | "v" | "enter":
                return model.over(None), ()
            case "up" | "wheel-up":
                return model.over(Proofs(min(len(model.proofs), self.scroll + 1))), ()
            case "down" | "wheel-down":
                return model.over(Proofs(max(0, self.scroll - 1))), ()
            case _:
                return None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws a table, the latest proof last."""
        words = model.words
        inner = box_in(canvas, canvas.width, canvas.height, words("proofs.title"), heavy=False)
        if model.compared:
            y = inner.put_wrapped(0, 0, f"{words('begin.words')} {' '.join(model.compared)}", "title")
            inner = inner.part(0, y + 1, inner.width, inner.height - y - 1)
        if not model.proofs:
            inner.put(0, 0, words("proofs.empty"), "muted")
            return canvas.height
        total = sum(proof.size for proof in model.proofs)
        inner.put(0, 0, words("proofs.sum", n=len(model.proofs), size=_size(total)), "muted")
        time, size = inner.width - 19, inner.width - 8
        for x, key in ((0, "who"), (15, "what"), (time, "time"), (size, "size")):
            inner.put(x, 1, words(f"proofs.column_{key}"), "title")
        rows = inner.height - 2
        end = len(model.proofs) - min(self.scroll, max(0, len(model.proofs) - rows))
        for y, proof in enumerate(model.proofs[max(0, end - rows) : end], start=2):
            inner.put(0, y, model.name(proof.seat), "name", 14)
            inner.put(15, y, proof.what, "log.proof", time - 16)
            checked = "-" if proof.milliseconds is None else f"{proof.milliseconds:.1f} ms"
            inner.put(time, y, checked)
            inner.put(size, y, _size(proof.size))
        return canvas.height

    def prompt(self, model: Model) -> str:
        """Returns what is shown."""
        return model.words("proofs.title")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return ("↑↓", "key.scroll"), ("Esc", "key.back")


@dataclass(frozen=True, slots=True)
class Piles(Dialogue):
    """What lies open in the middle: laws, orders, the discard piles (rule 2.4), the black market."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Goes back."""
        return (model.over(None), ()) if key in ("escape", "d", "enter") else None

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws every card of the piles, the top one first."""
        words, state = model.words, model.state
        inner = box_in(canvas, canvas.width, canvas.height, self.prompt(model), heavy=False)
        if state is None:
            return canvas.height
        y = self._draw_modules(model, inner, state)
        for place, pile in enumerate(state.piles):
            key = "piles.one" if len(state.piles) == 1 else ("piles.left", "piles.right")[place]
            inner.put(0, y, f"{words(key)} ({len(pile)})", "title")
            counts = words.goods(model.discards[place])
            y = inner.put_wrapped(0, y + 1, counts, "strong") if pile else y + 1
            y = self._draw_pile(model, inner, y, state, [card.kind for card in reversed(pile)])
        if state.setup.black_market:
            inner.put(0, y, words("piles.market"), "title")
            for row, pair in enumerate(state.market, start=1):
                inner.put(0, y + row, ", ".join(map(words.good, pair)) or words("piles.empty"), "good.prize")
        return canvas.height

    def _draw_modules(self, model: Model, canvas: Canvas, state: State) -> int:
        """Draws laws, orders, and what the player alone knows of modules; returns the line after them."""
        words, y = model.words, 0
        laws = [f"{name}: {text}" for name, text in laws_in_force(words.texts, state)]
        orders = [orders_text(words.texts, state.orders)] if state.orders else []
        parts = {"piles.laws": laws, "piles.orders": orders}
        if (view := model.view) is not None:
            men = [view.man] if view.man is not None else []
            parts |= {
                "piles.drawn": [f"{name}: {text}" for name, text in drawn_laws(words.texts, view)],
                "piles.man": [f"{man_card(words.texts, man)}: {man_text(words.texts, man, state)}" for man in men],
                "piles.looked": [f"{model.name(owner)}: {words.good(kind)}" for owner, kind in view.knowledge.looked],
            }
        for key, lines in parts.items():
            if lines:
                canvas.put(0, y, words(key), "title")
                y += 1
            for line in lines:
                y = canvas.put_wrapped(0, y, line)
        return y + bool(y)

    def _draw_pile(self, model: Model, canvas: Canvas, y: int, state: State, kinds: list[str]) -> int:
        if not kinds:
            canvas.put(0, y, model.words("piles.empty"), "muted")
            return y + 2
        x, last = 0, canvas.height - (5 if state.market or len(state.piles) > 1 else 1)
        for place, kind in enumerate(kinds):
            name = model.words.good(kind)
            if x and x + len(name) > canvas.width - 8:
                x, y = 0, y + 1
            if y >= last:
                canvas.put(x, y, f"+{len(kinds) - place}", "muted")
                break
            x = canvas.put(x, y, name, good_style(state, kind)) + 2
        return y + 2

    def prompt(self, model: Model) -> str:
        """Returns what is shown."""
        has_more = model.state is not None and model.state.setup.packs
        return model.words("commons.title" if has_more else "piles.title")

    def keys(self, _model: Model) -> Keys:
        """Returns what can be pressed."""
        return (("Esc", "key.back"),)


def _size(octets: int) -> str:
    return f"{octets} B" if octets < 10_000 else f"{octets / 1000:.1f} kB"
