"""A program on a pseudo-terminal with a screen that can be read, a keyboard, a mouse and a window that changes size."""

import os
import re
import signal
import sys
import time
from collections.abc import Mapping, Sequence

import pyte

from p2p_sheriff.fronts.tui.model import SECONDS_OF_CALM
from tests.pseudoterminal import PseudoTerminal

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "tab": "\t",
    "space": " ",
}

_READING_SECONDS = SECONDS_OF_CALM + 0.05


class ScreenTerminal(PseudoTerminal):
    """Runs a program of this repository; `text` is what a person would see."""

    def __init__(
        self, arguments: Sequence[str], width: int = 80, height: int = 24, environment: Mapping[str, str] | None = None
    ) -> None:
        self._screen = pyte.Screen(width, height)
        self._asked: tuple[str, float] = ("", 0.0)
        """The line that says what is asked, and when it came."""
        self._stream = pyte.ByteStream(self._screen)
        base = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        super().__init__([sys.executable, *arguments], {**base, **(environment or {})}, width, height)

    def _hear(self, data: bytes) -> None:
        self._stream.feed(data)
        if (line := self._screen.display[-2]) != self._asked[0]:
            self._asked = (line, time.monotonic())

    # -- looking

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

    @property
    def title(self) -> str:
        """What the program calls its window."""
        return str(self._screen.title)

    def colours(self) -> set[str]:
        """Returns every colour that is on the screen."""
        cells = (self._screen.buffer[y][x] for y in range(self._screen.lines) for x in range(self._screen.columns))
        return {colour for cell in cells for colour in (cell.fg, cell.bg)}

    def look_of(self, words: str) -> tuple[str, str, bool]:
        """Returns the colours of a text that is on the screen, and whether they are reversed."""
        for y, line in enumerate(self._screen.display):
            if (x := line.find(words)) >= 0:
                cell = self._screen.buffer[y][x]
                return cell.fg, cell.bg, cell.reverse
        raise AssertionError(f"{words!r} is not there to look at:\n{self.text}")

    def wipe(self) -> None:
        """Loses what is on the screen, and the program does not know."""
        self._screen.erase_in_display(2)

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Waits until something is on the screen."""
        end = time.monotonic() + self.SECONDS
        while (found := re.search(pattern, self.text)) is None:
            if time.monotonic() > end or not (self._read(0.5) or self._process.poll() is None):
                raise AssertionError(f"{pattern!r} did not come, but:\n{self.text}")
        return found

    def settle(self, seconds: float = 0.1) -> str:
        """Waits until nothing more is drawn for a moment, or for some seconds: clocks go on; returns the screen."""
        end = time.monotonic() + 3
        while self._read(seconds) and time.monotonic() < end:
            pass
        return self.text

    # -- acting

    def press(self, *keys: str) -> None:
        """Presses keys, like somebody who reads first what is asked: what is new takes none for a moment."""
        self._read_what_is_asked()
        for key in keys:
            self.write(KEYS.get(key, key))

    def _read_what_is_asked(self) -> None:
        while (rest := self._asked[1] + _READING_SECONDS - time.monotonic()) > 0:
            self._read(rest)

    def click(self, x: int, y: int) -> None:
        self._read_what_is_asked()
        for end in "Mm":
            self.write(f"\x1b[<0;{x + 1};{y + 1}{end}")

    def click_on(self, words: str) -> None:
        """Clicks on the place where these words are."""
        for y, line in enumerate(self._screen.display):
            if (x := line.find(words)) >= 0:
                self.click(x, y)
                return
        raise AssertionError(f"{words!r} is not there to click on:\n{self.text}")

    def resize(self, width: int, height: int) -> None:
        self._screen.resize(height, width)
        self._set_size(width, height)
        os.killpg(self._process.pid, signal.SIGWINCH)
