"""The rules of this table, at any moment: chapters on the left, the text on the right, and typing searches in it."""

import re
from dataclasses import dataclass, field, replace

from p2p_sheriff.fronts.tui.canvas import Canvas, Piece
from p2p_sheriff.fronts.tui.keyboard import draw_keys
from p2p_sheriff.fronts.tui.rulebook import Chapter, Paragraph, rulebook
from p2p_sheriff.fronts.tui.screen import Pop, Pressed, Screen
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import clip, wrap

_LIST_CELLS = 20
_RULE_CELLS = 6
_MARGIN = 3
"""On the right, where a mark says that there is more."""
_STEPS = {"up": -1, "wheel-up": -1, "pageup": -6, "down": 1, "wheel-down": 1, "pagedown": 6}
"""How many paragraphs a key goes on; six are about a page."""
_MOST_LETTERS = 30


@dataclass(frozen=True, slots=True)
class _Block:
    """A heading, or a paragraph of a chapter."""

    chapter: int
    paragraph: Paragraph | None = None


@dataclass(frozen=True, slots=True)
class HelpScreen(Screen):
    """The rulebook, opened somewhere."""

    words: Words
    chapters: tuple[Chapter, ...]
    query: str = ""
    top: int = 0
    """The first heading or paragraph that is shown."""
    _blocks: tuple[_Block, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, setup: Setup, words: Words) -> "HelpScreen":
        """Opens the rules of a table at their beginning."""
        return cls(words, rulebook(setup, words)).searching("")

    def searching(self, query: str) -> "HelpScreen":
        """Returns what there is about something: paragraphs with all of these words, chapters with such a title."""
        wanted = query.casefold().split()
        blocks: list[_Block] = []
        for number, chapter in enumerate(self.chapters):
            titled = _has(chapter.title, wanted)
            found = [one for one in chapter.paragraphs if titled or _has(f"{one.text} {one.rule}", wanted)]
            if found:
                blocks += [_Block(number), *(_Block(number, one) for one in found)]
        return replace(self, query=query, top=0, _blocks=tuple(blocks))

    # -- keys

    def press(self, key: str) -> Pressed:
        """Scrolls, turns to a chapter, searches, or goes back."""
        match key:
            case "escape" if self.query:
                return self.searching(""), ()
            case "escape" | "enter" | "f1" | "c-c":
                return self, (Pop(),)
            case _ if key in _STEPS:
                return replace(self, top=max(0, min(self.top + _STEPS[key], len(self._blocks) - 1))), ()
            case "home":
                return replace(self, top=0), ()
            case "end":
                return self._turned(len(self.chapters)), ()
            case "right" | "tab":
                return self._turned(self._chapter + 1), ()
            case "left" | "backtab":
                return self._turned(self._chapter - 1), ()
            case "backspace":
                return self.searching(self.query[:-1]), ()
            case _ if key.startswith("chapter:"):
                return self._turned(int(key.removeprefix("chapter:"))), ()
            case _ if key == "space" or len(key) == 1:
                return self.searching((self.query + (" " if key == "space" else key)).lstrip()[:_MOST_LETTERS]), ()
            case _:
                return self, ()

    @property
    def _chapter(self) -> int:
        return self._blocks[self.top].chapter if self._blocks else 0

    def _turned(self, chapter: int) -> "HelpScreen":
        """Returns the help at the heading of that chapter, or the nearest one that is shown."""
        heads = [place for place, block in enumerate(self._blocks) if block.paragraph is None]
        if not heads:
            return self
        return replace(self, top=min(heads, key=lambda place: abs(self._blocks[place].chapter - chapter)))

    # -- the picture

    def draw(self, canvas: Canvas) -> None:
        """Draws the line to search in, the chapters, and the text."""
        words = self.words
        bar = canvas.part(0, 0, canvas.width, 1)
        bar.fill("header")
        x = bar.put(1, 0, words("help.title"), "header.strong")
        if self.query:
            found = sum(block.paragraph is not None for block in self._blocks)
            bar.put_right(0, words("help.found", n=found), "header", margin=1)
            x = bar.put(x, 0, f" · {words('help.searching')} ", "header")
            bar.put(x, 0, f"{self.query}▌", "header.strong")
        else:
            x = bar.put(x, 0, f" · {words('help.search')} ", "header")
            bar.put(x, 0, "▌", "header.strong")
        body = canvas.part(0, 1, canvas.width, canvas.height - 2)
        self._draw_chapters(body.part(0, 0, _LIST_CELLS, body.height))
        for y in range(body.height):
            body.put(_LIST_CELLS, y, "│", "border")
        self._draw_text(body.part(_LIST_CELLS + 2, 0, min(100, body.width - _LIST_CELLS - 3), body.height))
        back = ("Esc", "help.key.clear" if self.query else "help.key.back")
        keys = ("↑↓", "help.key.scroll"), ("←→", "help.key.chapter"), ("a-z", "help.key.search"), back
        draw_keys(words, canvas.part(0, canvas.height - 1, canvas.width, 1), keys)

    def _draw_chapters(self, canvas: Canvas) -> None:
        shown = {block.chapter for block in self._blocks}
        first = max(0, min(self._chapter - canvas.height // 2, len(self.chapters) - canvas.height))
        for y, number in enumerate(range(first, min(len(self.chapters), first + canvas.height))):
            is_here = bool(shown) and number == self._chapter
            style = "cursor" if is_here else "" if number in shown else "faint"
            canvas.put(0, y, "▶" if is_here else " ", "border.on")
            canvas.put(2, y, self.chapters[number].title, style, canvas.width - 3)
            canvas.click(f"chapter:{number}", 0, y)

    def _draw_text(self, canvas: Canvas) -> None:
        if not self._blocks:
            canvas.put_wrapped(0, 1, self.words("help.nothing", query=clip(self.query, _MOST_LETTERS)), "muted")
            return
        y = 0
        for place, block in enumerate(self._blocks[self.top :]):
            if y >= canvas.height:
                canvas.put_right(canvas.height - 1, " ▼ ", "title")
                return
            paragraph = block.paragraph
            if paragraph is None:
                y += 1 if place else 0
                canvas.put(0, y, self.chapters[block.chapter].title, "title")
                y += 1
            elif paragraph.row:
                canvas.put_pieces(0, y, paragraph.row)
                y += 1
            else:
                canvas.put(0, y, paragraph.rule, "muted")
                y = self._draw_paragraph(canvas, y, paragraph.text)

    def _draw_paragraph(self, canvas: Canvas, y: int, text: str) -> int:
        """Draws a paragraph with what was searched marked in it; returns the line after it."""
        for line in wrap(text, canvas.width - _RULE_CELLS - _MARGIN):
            canvas.put_pieces(_RULE_CELLS, y, _marked(line, self.query.casefold().split()))
            y += 1
        return y


def _marked(line: str, wanted: list[str]) -> list[Piece]:
    """Returns a line in pieces, those that were searched in another style."""
    if not wanted or len(line.casefold()) != len(line):
        return [line]
    found = re.split("|".join(f"({re.escape(word)})" for word in wanted), line, flags=re.IGNORECASE)
    return [("prompt", piece) if piece.casefold() in wanted else piece for piece in found if piece]


def _has(text: str, wanted: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in wanted)
