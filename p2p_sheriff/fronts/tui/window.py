"""Gives pictures to prompt-toolkit: in its words, and with no more work than there are lines that have changed.

Its own way, a control whose lines are copied and then compared letter by letter, takes five times as long as drawing
the picture does; and whoever presses a key waits for it.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TypeAlias

from prompt_toolkit.application import get_app
from prompt_toolkit.layout import Window
from prompt_toolkit.layout.controls import DummyControl
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent

from p2p_sheriff.fronts.tui.canvas import ASCII_TWINS, Cell

ALL = "sheriff"
"""The class that everything on the screen has."""

_Line: TypeAlias = defaultdict[int, Char]


def class_of(style: str) -> str:
    """Returns the name of a style for prompt-toolkit: dots mean inheritance there, and it has names of its own."""
    return f"{ALL}-{style.replace('.', '-')}" if style else ALL


class PictureWindow(Window):
    """A window that fills the terminal with a picture."""

    def __init__(
        self,
        draw: Callable[[int, int], list[list[Cell]]],
        hear_mouse: Callable[[MouseEvent], None],
        *,
        ascii_only: bool,
    ) -> None:
        """Takes what draws a picture of that width and height, what hears the mouse, and whether to draw in ASCII."""
        super().__init__(_Focusable())
        self._draw, self._hear_mouse, self._ascii = draw, hear_mouse, ascii_only
        self._chars: dict[Cell, Char] = {}
        self._cells: list[list[Cell]] = []
        """The last picture as it was drawn."""
        self._lines: dict[int, _Line] = {}
        """The same in prompt-toolkit's words."""

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,  # noqa: ARG002 - the interface of a window
        erase_bg: bool,  # noqa: ARG002 - the interface of a window
        z_index: int | None,  # noqa: ARG002 - the interface of a window
    ) -> None:
        """Draws the picture.

        The screen is going to be compared with the last one, so both get the lines that differ, and nothing else. There
        is no last one if everything has to be drawn.
        """
        width, height = write_position.width, write_position.height
        cells, lines, last = self._draw(width, height), screen.data_buffer, get_app().renderer.last_rendered_screen
        for y, row in enumerate(cells):
            if last is not None and row == self._cells[y]:
                last.data_buffer[y] = lines[y] = _line()
                continue
            if last is not None:
                last.data_buffer[y] = self._lines[y]
            lines[y] = self._lines[y] = _line({x: self._char(cell) for x, cell in enumerate(row)})
        self._cells = cells
        screen.width, screen.height = width, height
        screen.visible_windows_to_write_positions[self] = write_position
        mouse_handlers.set_mouse_handler_for_range(0, width, 0, height, self._hear_mouse)

    def _char(self, cell: Cell) -> Char:
        if (char := self._chars.get(cell)) is None:
            style, letter = cell
            shown = letter.translate(ASCII_TWINS) if self._ascii else letter
            char = self._chars[cell] = Char(shown, f"class:{ALL} class:{class_of(style)}")
        return char


class _Focusable(DummyControl):
    """What prompt-toolkit wants in a window that takes keys."""

    def is_focusable(self) -> bool:
        return True


def _line(chars: Mapping[int, Char] | None = None) -> _Line:
    return defaultdict(lambda: _BLANK, chars or {})


_BLANK = Char()
