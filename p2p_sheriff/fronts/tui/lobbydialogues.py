"""What lies over the lobby while the player answers something: a line to type, a choice, a question."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.confirming import box_in, draw_question
from p2p_sheriff.fronts.tui.keyboard import Keys, stepped
from p2p_sheriff.fronts.tui.screen import SeeAgain, Wish
from p2p_sheriff.gathering.tables import MAX_PURSE
from p2p_sheriff.seat.hall import STYLES, PastGame
from p2p_sheriff.seat.intents import AddBot, Dial, GoPrivate, Rename, SayAtTable, ShowPurse
from p2p_sheriff.seat.past import told_time
from p2p_sheriff.seat.picture import short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import cells_of, wrap
from p2p_sheriff.texts.cleaning import clean
from protocol.charter import MAX_NAME_BYTES

MOST_LETTERS = 64
_WIDTH = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """What comes of a key: the dialogue after it, or none if it is over; what is wanted; why nothing came of it."""

    dialogue: "Dialogue | None"
    intents: tuple[Wish, ...] = ()
    refusal: str = ""


class Dialogue(Protocol):
    """Something that takes keys over the lobby. A frozen dataclass."""

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws a box over the canvas."""

    def press(self, words: Words, key: str) -> Answer | None:
        """Returns what comes of a key; None if it means nothing here."""

    def prompt(self, words: Words) -> str:
        """Returns what is asked."""

    def keys(self) -> Keys:
        """Returns which keys do something."""


# -- a line of text


def typed(text: str, key: str) -> str | None:
    """Returns a line of text after a key; None if the key writes nothing."""
    match key:
        case "space":
            return (text + " ")[:MOST_LETTERS]
        case "backspace" | "delete":
            return text[:-1]
        case _ if len(key) == 1:
            return (text + key)[:MOST_LETTERS]
        case _:
            return None


def draw_line(canvas: Canvas, x: int, y: int, text: str, width: int, *, secret: bool = False) -> None:
    """Draws a line that is being written: its end, if it is longer than its place."""
    shown = "•" * len(text) if secret else clean(text)
    while cells_of(shown) > width - 1:
        shown = shown[1:]
    pieces: list[Piece] = [("strong", shown), ("title", "▌")]
    canvas.put_pieces(x, y, pieces)


class Asked(Enum):
    """What a line of text is about."""

    ADDRESS = "address"
    PHRASE = "passphrase"
    NAME = "name"
    PURSE = "purse"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text that answers a question."""

    asked: Asked
    text: str = ""

    def press(self, words: Words, key: str) -> Answer | None:
        """Writes, answers, or goes back."""
        if key == "escape":
            return Answer(None)
        if key == "enter":
            return self._answer(words)
        text = typed(self.text, key)
        return None if text is None else Answer(replace(self, text=text))

    def _answer(self, words: Words) -> Answer:
        intent = _MEANINGS[self.asked](self.text.strip())
        if intent is None:
            return Answer(self, refusal=words(f"ask.{self.asked.value}.wrong", text=self.text.strip(), most=MAX_PURSE))
        return Answer(None, (intent,))

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws the question, and the line under it."""
        details = words(f"ask.{self.asked.value}.detail")
        inner = box_in(canvas, _WIDTH, len(wrap(details, _WIDTH - 4)) + 5, words(f"ask.{self.asked.value}.title"))
        y = inner.put_wrapped(0, 0, details, "muted")
        draw_line(inner, 0, y + 1, self.text, inner.width, secret=self.asked is Asked.PHRASE)

    def prompt(self, words: Words) -> str:
        """Returns the question."""
        return words(f"ask.{self.asked.value}.prompt")

    def keys(self) -> Keys:
        """Returns what can be pressed."""
        return ("Enter", "key.done"), ("Esc", "key.back")


def is_name(name: str) -> bool:
    """Whether the others will accept this name: so long, printable, no space at its ends."""
    return 0 < len(name.encode()) <= MAX_NAME_BYTES and name.isprintable() and name == name.strip()


def _dial(text: str) -> Dial | None:
    host, _, port = text.rpartition(":")
    right = host and " " not in host and port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16
    return Dial(host, int(port)) if right else None


def _purse(text: str) -> ShowPurse | None:
    if not text:
        return ShowPurse(None)
    right = text.isascii() and text.isdigit() and int(text) <= MAX_PURSE
    return ShowPurse(int(text)) if right else None


_MEANINGS: dict[Asked, Callable[[str], Wish | None]] = {
    Asked.ADDRESS: _dial,
    Asked.PHRASE: lambda text: GoPrivate(text) if text else None,
    Asked.NAME: lambda text: Rename(text) if is_name(text) else None,
    Asked.PURSE: _purse,
    Asked.WORDS: lambda text: SayAtTable(text) if text else None,
}


# -- a choice


@dataclass(frozen=True, slots=True)
class BotChoice:
    """The style of a bot that is to come."""

    cursor: int = 0

    def press(self, words: Words, key: str) -> Answer | None:
        """Moves, chooses, or goes back."""
        last = len(STYLES)
        match key:
            case "escape":
                return Answer(None)
            case "up" | "down" | "wheel-up" | "wheel-down":
                return Answer(BotChoice(stepped(self.cursor, key, last + 1)))
            case "enter":
                return Answer(None, (AddBot(STYLES[self.cursor - 1] if self.cursor else None),))
            case _ if key == f"row:{self.cursor}":
                return self.press(words, "enter")
            case _ if key.removeprefix("row:").isdecimal() and int(key.removeprefix("row:")) <= last:
                return Answer(BotChoice(int(key.removeprefix("row:"))))
            case _:
                return None

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws the styles."""
        inner = box_in(canvas, _WIDTH, len(STYLES) + 3, words("bots.title"))
        for place, style in enumerate(("any", *STYLES)):
            is_marked = place == self.cursor
            inner.put(0, place, "▶" if is_marked else " ", "border.on")
            inner.put(2, place, f" {place} ", "key")
            end = inner.put(6, place, words(f"style.{style}"), "cursor" if is_marked else "strong")
            inner.put(max(18, end + 2), place, words(f"style.{style}.detail"), "muted")
            inner.click(f"row:{place}", 0, place)

    def prompt(self, words: Words) -> str:
        """Returns the question."""
        return words("bots.prompt")

    def keys(self) -> Keys:
        """Returns what can be pressed."""
        digits = f"0-{len(STYLES)}"
        return ("↑↓", "key.move"), (digits, "key.take"), ("Enter", "key.add"), ("Esc", "key.back")


@dataclass(frozen=True, slots=True)
class PastChoice:
    """One of the player's own games that are over, to be seen again."""

    games: tuple[PastGame, ...]
    cursor: int = 0

    def press(self, _words: Words, key: str) -> Answer | None:
        """Moves, chooses, or goes back."""
        match key:
            case "escape":
                return Answer(None)
            case "up" | "down" | "wheel-up" | "wheel-down":
                return Answer(replace(self, cursor=stepped(self.cursor, key, len(self.games))))
            case "enter":
                return Answer(None, (SeeAgain(self.games[self.cursor].path),))
            case _ if key.startswith("row:"):
                return Answer(replace(self, cursor=int(key.removeprefix("row:"))))
            case _:
                return None

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws as many games as there is room for, around the marked one."""
        inner = box_in(canvas, canvas.width, len(self.games) + 2, words("past.title"))
        first = max(0, min(self.cursor - inner.height // 2, len(self.games) - inner.height))
        for y, place in enumerate(range(first, min(len(self.games), first + inner.height))):
            game, is_marked = self.games[place], place == self.cursor
            names = ", ".join(map(short, game.names)) or game.path.name
            inner.put(0, y, "▶" if is_marked else " ", "border.on")
            end = inner.put(2, y, told_time(game.when), "cursor" if is_marked else "strong")
            inner.put(end + 2, y, names, "", inner.width - end - 4)
            inner.click(f"row:{place}", 0, y)
        if first > 0:
            inner.put_right(0, "▲", "title")
        if first + inner.height < len(self.games):
            inner.put_right(inner.height - 1, "▼", "title")

    def prompt(self, words: Words) -> str:
        """Returns the question."""
        return words("past.prompt")

    def keys(self) -> Keys:
        """Returns what can be pressed."""
        return ("↑↓", "key.move"), ("Enter", "replay.key.play"), ("Esc", "key.back")


# -- a question


@dataclass(frozen=True, slots=True)
class Sure:
    """One thing is done with Enter, or not with Escape."""

    question: str
    intent: Wish

    def press(self, _words: Words, key: str) -> Answer | None:
        """Says yes or no."""
        match key:
            case "enter" | "y":
                return Answer(None, (self.intent,))
            case "escape" | "n" | "backspace":
                return Answer(None)
            case _:
                return None

    def draw(self, words: Words, canvas: Canvas) -> None:
        """Draws the question."""
        draw_question(words, canvas, _WIDTH, self.question)

    def prompt(self, _words: Words) -> str:
        """Returns the question."""
        return self.question

    def keys(self) -> Keys:
        """Returns what can be pressed."""
        return ("Enter", "key.yes"), ("Esc", "key.no")
