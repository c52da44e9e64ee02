"""A canvas that refuses to draw one text over another."""

from p2p_sheriff.tui.canvas import Canvas, Cell


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
