"""The form in which a table is opened: how many play, with which options, with whom."""

from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.lobbydialogues import Answer, draw_line, typed
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.intents import OpenTable
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.terms import OPTIONS, PLAYERS

_WIDTH = 72
_LABEL = 22


@dataclass(frozen=True, slots=True)
class Opening:
    """A table as it is to be opened."""

    with_bots: bool = False
    """Whether bots take all other seats, and the game begins at once."""
    players: int = 4
    options: frozenset[str] = frozenset()
    private: bool = False
    passphrase: str = ""
    cursor: int = 0

    @property
    def _fields(self) -> tuple[str, ...]:
        """The lines of the form, named as in the words; most are options of the rules."""
        private = () if self.with_bots else ("private", "passphrase") if self.private else ("private",)
        return "players", *OPTIONS, *private

    def press(self, words: Words, key: str) -> Answer | None:
        """Moves, changes a line, opens the table, or goes back."""
        field = self._fields[self.cursor]
        if field == "passphrase" and (text := typed(self.passphrase, key)) is not None:
            return Answer(replace(self, passphrase=text))
        match key:
            case "escape":
                return Answer(None)
            case "enter":
                return self._open(words)
            case "up" | "down" | "wheel-up" | "wheel-down" | "tab" | "backtab":
                return Answer(replace(self, cursor=stepped(self.cursor, key, len(self._fields))))
            case "left" | "-":
                return Answer(self._changed(field, -1))
            case "right" | "+" | "space":
                return Answer(self._changed(field, 1))
            case _ if key.isascii() and key.isdigit():
                if int(key) in PLAYERS:
                    return Answer(replace(self, players=int(key)))
                return Answer(self, refusal=words("open.wrong_players", least=PLAYERS[0], most=PLAYERS[-1]))
            case _ if key.startswith("field:"):
                place = int(key.removeprefix("field:"))
                return Answer(replace(self, cursor=place)._changed(self._fields[place], 1))
            case _:
                return None

    def _changed(self, field: str, by: int) -> "Opening":
        match field:
            case "players":
                return replace(self, players=PLAYERS[(PLAYERS.index(self.players) + by) % len(PLAYERS)])
            case "private":
                return replace(self, private=not self.private)
            case "passphrase":
                return self
            case option:
                return replace(self, options=self.options ^ {option})

    def _open(self, words: Words) -> Answer:
        passphrase = self.passphrase if self.private else ""
        if self.private and not passphrase.strip():
            place = self._fields.index("passphrase")
            return Answer(replace(self, cursor=place), refusal=words("open.no_passphrase"))
        return Answer(None, (OpenTable(Setup(self.players, options=self.options), self.with_bots, passphrase),))

    # -- the picture

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws the form, and under it what the marked line means."""
        title = words("open.title_bots" if self.with_bots else "open.title")
        inner = box_in(canvas, _WIDTH, len(OPTIONS) + 9, title)
        for place, field in enumerate(self._fields):
            is_marked = place == self.cursor
            inner.put(0, place, "▶" if is_marked else " ", "border.on")
            inner.put(2, place, words(_key(field)), "strong" if is_marked else "", _LABEL - 3)
            self._draw_value(words, inner, place, field)
            if field != "passphrase":
                inner.click(f"field:{place}", 0, place)
        inner.rule(inner.height - 4)
        inner.put_wrapped(2, inner.height - 3, words(f"{_key(self._fields[self.cursor])}.detail"), "muted", 2)
        action = f" {words.cap('Enter')} {words('key.play' if self.with_bots else 'key.open')} "
        inner.put(2, inner.height - 1, action, "key")
        inner.click("enter", 2, inner.height - 1, len(action))

    def _draw_value(self, words: Words, inner: Canvas, y: int, field: str) -> None:
        style = "cursor" if self._fields[self.cursor] == field else "strong"
        match field:
            case "players":
                end = inner.put(_LABEL, y, f"◀ {self.players} ▶", style)
                key = "open.players.bots" if self.with_bots else "open.players.people"
                inner.put(end + 2, y, words(key, n=self.players - 1), "muted")
            case "passphrase":
                draw_line(inner, _LABEL, y, self.passphrase, inner.width - _LABEL, secret=True)
            case _:
                is_on = self.private if field == "private" else field in self.options
                mark = words("open.yes") if is_on else words("open.no")
                inner.put(
                    _LABEL, y, f"{'■' if is_on else '□'} {mark}", style if is_on or style == "cursor" else "muted"
                )

    def prompt(self, words: Words) -> str:
        """Returns what is asked."""
        return words("open.prompt_bots" if self.with_bots else "open.prompt")

    def keys(self) -> Keys:
        """Returns what can be pressed."""
        done = "key.play" if self.with_bots else "key.open"
        return ("↑↓", "key.move"), ("←→", "key.change"), ("Enter", done), ("Esc", "key.back")


def _key(field: str) -> str:
    return f"option.{field}" if field in OPTIONS else f"open.{field}"
