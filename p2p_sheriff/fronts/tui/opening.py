"""The form in which a table is opened: how many play, with which options, with whom."""

from dataclasses import dataclass, replace
from typing import TypeVar

from p2p_sheriff.bots import Level
from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.lobbydialogues import Answer, draw_line, typed
from p2p_sheriff.rules import Edition, Setup
from p2p_sheriff.seat.intents import OpenTable
from p2p_sheriff.seat.settings import HAGGLE_SECONDS, MIXED, PACE_SECONDS, Tempo
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.terms import EDITIONS, OPTIONS, PLAYERS

_WIDTH = 72
_LABEL = 22
_HAGGLES = (10, 20, 30, 45, 60, 90)
_PACES = (0.5, 1.0, 1.5, 2.5, 4.0)
_LEVELS = (MIXED, *(level.value for level in Level))

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Opening:
    """A table as it is to be opened."""

    with_bots: bool = False
    """Whether bots take all other seats, and the game begins at once."""
    players: int = 4
    edition: Edition = Edition.SECOND
    options: frozenset[str] = frozenset()
    haggle: int = HAGGLE_SECONDS
    """How long a bot that is sheriff leaves a bag open."""
    pace: float = PACE_SECONDS
    level: str = MIXED
    """How well the bots play."""
    private: bool = False
    passphrase: str = ""
    cursor: int = 0

    @property
    def _fields(self) -> tuple[str, ...]:
        """The lines of the form, named as in the words; most are options of the rules."""
        private = () if self.with_bots else ("private", "passphrase") if self.private else ("private",)
        return "players", "edition", *OPTIONS, "haggle", "pace", "level", *private

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
            case "edition":
                return replace(self, edition=_next(EDITIONS, self.edition, by))
            case "level":
                return replace(self, level=_next(_LEVELS, self.level, by))
            case "haggle":
                return replace(self, haggle=_next(_HAGGLES, self.haggle, by))
            case "pace":
                return replace(self, pace=_next(_PACES, self.pace, by))
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
        setup = Setup(self.players, self.edition, self.options)
        tempo = Tempo(self.pace, self.haggle, self.level)
        return Answer(None, (OpenTable(setup, self.with_bots, passphrase, tempo=tempo),))

    # -- the picture

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws the form, and under it what the marked line means."""
        title = words("open.title_bots" if self.with_bots else "open.title")
        inner = box_in(canvas, _WIDTH, len(OPTIONS) + 13, title)
        rows, fields = inner.height - 4, self._fields
        first = max(0, min(self.cursor - rows // 2, len(fields) - rows))
        for y, place in enumerate(range(first, min(len(fields), first + rows))):
            is_marked, field = place == self.cursor, fields[place]
            inner.put(0, y, "▶" if is_marked else " ", "border.on")
            inner.put(2, y, words(_key(field)), "strong" if is_marked else "", _LABEL - 3)
            self._draw_value(words, inner, y, field)
            if field != "passphrase":
                inner.click(f"field:{place}", 0, y)
        if first > 0:
            inner.put_right(0, "▲", "title")
        if first + rows < len(fields):
            inner.put_right(rows - 1, "▼", "title")
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
            case "edition":
                inner.put(_LABEL, y, f"◀ {words(f'open.edition.{self.edition.value}')} ▶", style)
            case "level":
                inner.put(_LABEL, y, f"◀ {words(f'open.level.{self.level}')} ▶", style)
            case "haggle" | "pace":
                seconds = self.haggle if field == "haggle" else self.pace
                inner.put(_LABEL, y, f"◀ {words('open.seconds', n=f'{seconds:g}')} ▶", style)
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


def _next(values: tuple[T, ...], value: T, by: int) -> T:
    place = values.index(value) if value in values else 0
    return values[(place + by) % len(values)]


def _key(field: str) -> str:
    return f"option.{field}" if field in OPTIONS else f"open.{field}"
