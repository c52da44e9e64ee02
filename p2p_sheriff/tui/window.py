"""Puts pictures into prompt-toolkit's screen: all of them in its words, and no more work than there are changed lines.

Its own way, a control whose lines are copied letter by letter and compared letter by letter, takes five times as long
as it takes to draw the picture, and all that time is part of how long a key takes.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import TypeAlias

from prompt_toolkit.layout import Window
from prompt_toolkit.layout.controls import DummyControl
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent
from prompt_toolkit.renderer import Renderer

from p2p_sheriff.tui.canvas import ASCII_TWINS, Cell

Line: TypeAlias = defaultdict[int, Char]


class _Focusable(DummyControl):
    def is_focusable(self) -> bool:
        return True


class PictureWindow(Window):
    """A window that fills the terminal with a picture."""

    def __init__(
        self,
        draw: Callable[[int, int], list[list[Cell]]],
        mouse: Callable[[MouseEvent], None],
        renderer: Callable[[], Renderer],
        *,
        ascii_only: bool,
    ) -> None:
        """Takes what draws a picture of a width and a height, what hears the mouse, and who shows the screen."""
        super().__init__(_Focusable())
        self._draw, self._mouse, self._renderer, self._ascii = draw, mouse, renderer, ascii_only
        self._chars: dict[Cell, Char] = {}
        self._cells: list[list[Cell]] = []
        self._lines: list[Line] = []
        """The last picture: as it was drawn, and in prompt-toolkit's words."""

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        """Draws the picture. Lines that have not changed stay empty on both screens that are about to be compared."""
        width, height = write_position.width, write_position.height
        cells, last = self._draw(width, height), self._renderer().last_rendered_screen
        nothing, lines = _line(), []
        for y, row in enumerate(cells):
            if last is None:
                line = screen.data_buffer[y] = self._line(row)
            elif row == self._cells[y]:
                line = self._lines[y]
                last.data_buffer[y] = screen.data_buffer[y] = nothing
            else:
                last.data_buffer[y] = self._lines[y]
                line = screen.data_buffer[y] = self._line(row)
            lines.append(line)
        self._cells, self._lines = cells, lines
        screen.width, screen.height = width, height
        screen.visible_windows_to_write_positions[self] = write_position
        mouse_handlers.set_mouse_handler_for_range(0, width, 0, height, self._mouse)
