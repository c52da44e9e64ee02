"""A grid of cells that screens are drawn on: text that never runs out of its place, boxes, and places to click.

    canvas = Canvas(80, 24)
    left = canvas.part(0, 0, 40, 24)              # draws into the same cells, and clips at its own edge
    left.box("Kim", style="border")
    left.put(2, 1, "a long name", style="name", width=20)   # clipped with an ellipsis
    left.click("i", 2, 1, 20)                     # a click there is the key "i"

Every line of `to_text` is exactly as wide as the canvas, whatever letters are in it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Self, TypeAlias

from p2p_sheriff.texts.cells import ELLIPSIS, cells_of, clip, letters, wrap
from p2p_sheriff.texts.cleaning import clean

# Everything that screens draw with besides letters, and what stands for it where a terminal knows only ASCII.
ASCII_TWINS = str.maketrans(
    "─│╭╮╰╯├┤━┃┏┓┗┛█▓▒░▌●○★▶◀▲▼✓✗·•…↑↓←→▁▂▃▄▅▆▇■□◆“”",
    '-|++++++=#######+.|*o*><^vvx--~^v<>__.ooOO#o*""',
)

Cell: TypeAlias = tuple[str, str]
"""A style, and a letter that has it: none in the cell after a wide one."""
Piece: TypeAlias = str | tuple[str, str]
"""Text, or text with a style of its own."""


@dataclass(frozen=True, slots=True)
class Region:
    """A place that can be clicked: a click there is this key."""

    x: int
    y: int
    width: int
    height: int
    key: str


class Canvas:
    """A grid of cells, or a part of one."""

    def __init__(self, width: int, height: int) -> None:
        """Makes an empty grid."""
        self.width, self.height = width, height
        self._x = self._y = 0
        self._cells = [[("", " ")] * width for _ in range(height)]
        self._regions: list[Region] = []

    def part(self, x: int, y: int, width: int, height: int) -> Self:
        """Returns a part that draws into the same cells, with its own corner and edges."""
        inner = object.__new__(type(self))
        x, y = max(0, x), max(0, y)
        inner.width, inner.height = max(0, min(width, self.width - x)), max(0, min(height, self.height - y))
        inner._x, inner._y = self._x + x, self._y + y
        inner._cells, inner._regions = self._cells, self._regions
        return inner

    def inset(self, columns: int = 1, rows: int = 1) -> Self:
        """Returns the part inside a frame of that thickness."""
        return self.part(columns, rows, self.width - 2 * columns, self.height - 2 * rows)

    # -- drawing

    def put(self, x: int, y: int, text: str, style: str = "", width: int | None = None) -> int:
        """Writes text, clipped with an ellipsis to the width or the edge; returns where it ends."""
        if not 0 <= y < self.height or not 0 <= x < self.width:
            return x
        room = self.width - x if width is None else min(width, self.width - x)
        cells = _cells(clip(clean(text), room), style)
        self._write(x, y, cells)
        return x + len(cells)

    def put_pieces(self, x: int, y: int, pieces: Iterable[Piece], style: str = "", width: int | None = None) -> int:
        """Writes pieces with styles of their own one after the other, clipped as a whole; returns where they end."""
        room = self.width - x if width is None else min(width, self.width - x)
        parts = [(style, clean(piece)) if isinstance(piece, str) else (piece[0], clean(piece[1])) for piece in pieces]
        fits = sum(cells_of(text) for _, text in parts) <= room
        for own_style, text in parts:
            if not fits and cells_of(text) >= room:
                return self.put(x, y, clip(text + ELLIPSIS, room), own_style)
            x = self.put(x, y, text, own_style)
            room -= cells_of(text)
        return x

    def put_right(self, y: int, text: str, style: str = "", margin: int = 0) -> int:
        """Writes text that ends at the right edge; returns where it begins."""
        text = clip(clean(text), self.width - margin)
        start = self.width - margin - cells_of(text)
        self.put(start, y, text, style)
        return start

    def put_centred(self, y: int, text: str, style: str = "") -> None:
        """Writes text in the middle of a line."""
        text = clip(clean(text), self.width)
        self.put((self.width - cells_of(text)) // 2, y, text, style)

    def put_wrapped(self, x: int, y: int, text: str, style: str = "", rows: int | None = None) -> int:
        """Writes text over several lines, broken between words; returns the line after it."""
        room = self.height - y if rows is None else min(rows, self.height - y)
        lines = wrap(text, self.width - x)
        if len(lines) > room > 0:
            lines = [*lines[: room - 1], clip(f"{lines[room - 1]} {ELLIPSIS}", self.width - x)]
        for line in lines[:room]:
            self.put(x, y, line, style)
            y += 1
        return y

    def fill(self, style: str = "", letter: str = " ") -> None:
        """Covers everything."""
        for y in range(self.height):
            self._write(0, y, [(style, letter)] * self.width)

    def rule(self, y: int, title: str = "", style: str = "border") -> None:
        """Draws a line across, with a title in it."""
        self.put(0, y, "─" * self.width, style)
        if title:
            self.put(2, y, f" {clip(clean(title), self.width - 6)} ", "title")

    def box(self, title: str = "", style: str = "border", *, heavy: bool = False) -> Self:
        """Draws a frame around everything, and returns the part inside."""
        if self.width < 2 or self.height < 2:
            return self.inset()
        top_left, top_right, low_left, low_right, across, down = "┏┓┗┛━┃" if heavy else "╭╮╰╯─│"
        self.put(0, 0, top_left + across * (self.width - 2) + top_right, style)
        for y in range(1, self.height - 1):
            self.put(0, y, down, style)
            self.put(self.width - 1, y, down, style)
        self.put(0, self.height - 1, low_left + across * (self.width - 2) + low_right, style)
        if title:
            self.put(2, 0, f" {clip(clean(title), self.width - 6)} ", "title")
        return self.inset()

    def restyle(self, style: str) -> None:
        """Gives all cells another style, and leaves their letters."""
        for row in self._cells[self._y : self._y + self.height]:
            for x in range(self._x, self._x + self.width):
                row[x] = (style, row[x][1])

    # -- clicking

    def click(self, key: str, x: int = 0, y: int = 0, width: int | None = None, height: int = 1) -> None:
        """Makes a place stand for a key; what is drawn later lies on top."""
        width = min(self.width - x, self.width if width is None else width)
        self._regions.append(Region(self._x + x, self._y + y, width, min(height, self.height - y), key))

    def forget_clicks(self) -> None:
        """Takes away every place to click under this part: something covers it."""
        self._regions[:] = [one for one in self._regions if not self._covers(one)]

    def _covers(self, region: Region) -> bool:
        across = region.x < self._x + self.width and self._x < region.x + region.width
        return across and region.y < self._y + self.height and self._y < region.y + region.height

    def key_at(self, x: int, y: int) -> str | None:
        """Returns the key that a click there stands for."""
        for region in reversed(self._regions):
            if 0 <= x - region.x < region.width and 0 <= y - region.y < region.height:
                return region.key
        return None

    @property
    def regions(self) -> tuple[Region, ...]:
        """All places that can be clicked, the topmost last."""
        return tuple(self._regions)

    # -- what came of it

    def to_text(self, *, ascii_only: bool = False) -> str:
        """Returns the letters alone, line by line."""
        lines = ("".join(letter for _, letter in row) for row in self.to_cells())
        text = "\n".join(lines)
        return text.translate(ASCII_TWINS) if ascii_only else text

    def to_cells(self) -> list[list[Cell]]:
        """Returns the cells of every line."""
        lines = self._cells[self._y : self._y + self.height]
        return [line[self._x : self._x + self.width] for line in lines]

    def _write(self, x: int, y: int, cells: list[Cell]) -> None:
        """Puts cells into a line, and leaves no half of a wide letter behind at either end of them."""
        if not cells:
            return
        row, start = self._cells[self._y + y], self._x + x
        end = start + len(cells)
        if not row[start][1]:
            row[start - 1] = (row[start - 1][0], " ")
        if end < len(row) and not row[end][1]:
            row[end] = (row[end][0], " ")
        row[start:end] = cells


def _cells(text: str, style: str) -> list[Cell]:
    """Returns the cells of clean text: a wide letter has an empty one after it, a mark none of its own."""
    if text.isascii():
        return [(style, letter) for letter in text]
    return [(style, letter) for letter in _lettered(text)]


@lru_cache(maxsize=4096)
def _lettered(text: str) -> tuple[str, ...]:
    cells: list[str] = []
    for letter, wide in letters(text):
        if wide:
            cells.append(letter)
        elif cells:
            cells[-1 if cells[-1] else -2] += letter
        if wide == 2:
            cells.append("")
    return tuple(cells)


def bar(filled: int, of: int, cells: int) -> tuple[str, str]:
    """Returns a bar in two pieces: what is there, and what is missing."""
    full = 0 if of <= 0 else min(cells, -(-filled * cells // of))
    return "█" * full, "░" * (cells - full)
