"""Canvases that refuse to draw one text over another, and note what is cut off."""

from collections.abc import Iterable
from typing import Self

from p2p_sheriff.fronts.tui.canvas import Canvas, Cell, Piece
from p2p_sheriff.texts.cells import cells_of, wrap
from p2p_sheriff.texts.cleaning import clean


class OverlapError(AssertionError):
    """Two texts in one place."""


class StrictCanvas(Canvas):
    """Frames and fillings may be written on, and anything may be wiped; letters may not be written over letters."""

    def _write(self, x: int, y: int, cells: list[Cell]) -> None:
        row = self._cells[self._y + y]
        for at, (_, letter) in enumerate(cells, start=self._x + x):
            there = row[at][1]
            if there.isalnum() and letter.isalnum() and there != letter:
                line = "".join(cell for _, cell in row)
                raise OverlapError(f"{letter!r} over {there!r} at {at}, {self._y + y}: {line!r}")
        super()._write(x, y, cells)


class FittingCanvas(StrictCanvas):
    """Notes every text that does not fit into its place."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__(width, height)
        self.cut: list[str] = []

    def part(self, x: int, y: int, width: int, height: int) -> Self:
        inner = super().part(x, y, width, height)
        inner.cut = self.cut
        return inner

    def put(self, x: int, y: int, text: str, style: str = "", width: int | None = None) -> int:
        self._note(text, self.width - x if width is None else min(width, self.width - x))
        return super().put(x, y, text, style, width)

    def put_pieces(self, x: int, y: int, pieces: Iterable[Piece], style: str = "", width: int | None = None) -> int:
        pieces = list(pieces)
        text = "".join(piece if isinstance(piece, str) else piece[1] for piece in pieces)
        self._note(text, self.width - x if width is None else min(width, self.width - x))
        return super().put_pieces(x, y, pieces, style, width)

    def put_right(self, y: int, text: str, style: str = "", margin: int = 0) -> int:
        self._note(text, self.width - margin)
        return super().put_right(y, text, style, margin)

    def put_centred(self, y: int, text: str, style: str = "") -> None:
        self._note(text, self.width)
        super().put_centred(y, text, style)

    def put_wrapped(self, x: int, y: int, text: str, style: str = "", rows: int | None = None) -> int:
        lines = wrap(text, self.width - x)
        if len(lines) > (self.height - y if rows is None else min(rows, self.height - y)):
            self.cut.append(text)
        for line in lines:
            self._note(line, self.width - x)
        return super().put_wrapped(x, y, text, style, rows)

    def rule(self, y: int, title: str = "", style: str = "border") -> None:
        self._note(title, self.width - 6)
        super().rule(y, title, style)

    def box(self, title: str = "", style: str = "border", *, heavy: bool = False) -> Self:
        self._note(title, self.width - 6)
        return super().box(title, style, heavy=heavy)

    def _note(self, text: str, room: int) -> None:
        if cells_of(clean(text)) > room:
            self.cut.append(text)
