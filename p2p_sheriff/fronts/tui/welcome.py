"""The first start: a name, and how to begin."""

from dataclasses import dataclass, replace
from typing import Final

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.frame import draw_frame
from p2p_sheriff.fronts.tui.keyboard import Keys, digits, stepped, unknown_key
from p2p_sheriff.fronts.tui.lobbydialogues import draw_line, is_name, typed
from p2p_sheriff.fronts.tui.screen import Leave, Pressed, Screen, Wish
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.intents import EnterLobby, OpenTable, Rename, StartTutorial
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import cells_of

_WIDTH: Final = 70
_PLAYERS: Final = 4

# A market stall under its awning.
_PICTURE: Final = (
    " ╭────────────────────────────╮ ",
    " │▓▓▓▓░░░░▓▓▓▓░░░░▓▓▓▓░░░░▓▓▓▓│ ",
    " ╰─│────────────────────────│─╯ ",
    "   │    ●●●  ◆◆◆  ■■■  ○○○  │   ",
    " ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ ",
)


@dataclass(frozen=True, slots=True)
class Welcome(Screen):
    """Asks for the name, and then how to begin."""

    words: Words
    name: str = ""
    named: bool = False
    """Whether the name was given, and the way to begin is asked for."""
    cursor: int = 0
    notice: Notice | None = None

    @property
    def _choices(self) -> tuple[tuple[str, Wish], ...]:
        bots = ("bots", OpenTable(Setup(_PLAYERS), with_bots=True))
        return ("tutorial", StartTutorial()), bots, ("lobby", EnterLobby())

    # -- keys

    def press(self, key: str) -> Pressed:
        """Returns the welcome after a key."""
        quiet = replace(self, notice=None)
        if key == "c-c":
            return quiet, (Leave(),)
        return quiet._press_choice(key) if self.named else quiet._press_name(key)

    def _press_name(self, key: str) -> Pressed:
        if key == "enter":
            name = self.name.strip()
            if not is_name(name):
                return replace(self, notice=Notice(self.words("welcome.name_wrong"), refused=True)), ()
            return replace(self, name=name, named=True), (Rename(name),)
        if key == "escape":
            return self, (Leave(),)
        text = typed(self.name, key)
        return (self._unknown(key), ()) if text is None else (replace(self, name=text), ())

    def _press_choice(self, key: str) -> Pressed:
        choices = self._choices
        match key:
            case "up" | "down" | "wheel-up" | "wheel-down" | "left" | "right" | "tab":
                return replace(self, cursor=stepped(self.cursor, key, len(choices))), ()
            case "enter":
                return self, (choices[self.cursor][1],)
            case "escape" | "backspace":
                return replace(self, named=False), ()
            case "q":
                return self, (Leave(),)
            case _ if key == f"row:{self.cursor}":
                return self._press_choice("enter")
            case _ if key.startswith("row:"):
                return replace(self, cursor=int(key.removeprefix("row:"))), ()
            case _ if key.isascii() and key.isdigit() and 1 <= int(key) <= len(choices):
                return replace(self, cursor=int(key) - 1), ()
            case _:
                return self._unknown(key), ()

    def _unknown(self, key: str) -> "Welcome":
        return replace(self, notice=unknown_key(self.words, key, self._keys()))

    def _keys(self) -> Keys:
        if not self.named:
            return ("Enter", "key.done"), ("Esc", "key.end")
        take = ("↑↓", "key.move"), (digits(len(self._choices)), "key.take"), ("Enter", "key.take")
        return *take, ("Esc", "key.back"), ("q", "key.end")

    # -- the picture

    def draw(self, canvas: Canvas) -> None:
        """Draws a stall, what the game is about, and what is asked."""
        words = self.words
        asked = words("welcome.prompt_choice" if self.named else "welcome.prompt_name")
        body = draw_frame(canvas, words, words("welcome.title"), "", self.notice, asked, self._keys())
        rows = 17
        x, y = (body.width - _WIDTH) // 2, max(0, (body.height - rows) // 2)
        page = body.part(x, y, _WIDTH, body.height - y)
        for row, text in enumerate(_PICTURE):
            page.put_centred(row, text, "title")
        page.put_centred(
            6, words("welcome.hello", name=self.name) if self.named else words("welcome.greeting"), "strong"
        )
        y = page.put_wrapped(0, 8, words("welcome.what"))
        y = page.put_wrapped(0, y, words("welcome.fair"), "muted")
        if self.named:
            self._draw_choices(page, y + 1)
        else:
            end = page.put(0, y + 1, words("welcome.name"), "title")
            draw_line(page, end + 1, y + 1, self.name, page.width - end - 1)

    def _draw_choices(self, page: Canvas, y: int) -> None:
        labels = [self.words(f"welcome.{name}") for name, _ in self._choices]
        wide = max(map(cells_of, labels))
        for place, ((name, _), label) in enumerate(zip(self._choices, labels, strict=True)):
            is_marked = place == self.cursor
            page.put(0, y + place, "▶" if is_marked else " ", "border.on")
            page.put(2, y + place, f" {place + 1} ", "key")
            page.put(6, y + place, label, "cursor" if is_marked else "strong")
            page.put(8 + wide, y + place, self.words(f"welcome.{name}.detail"), "muted")
            page.click(f"row:{place}", 0, y + place)
