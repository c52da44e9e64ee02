"""A program on a pseudo-terminal with a screen that can be read, a keyboard, a mouse and a window that changes size."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

import pyte

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


class ScreenTerminal:
    """Runs a program of this repository; `text` is what a person would see."""

    def __init__(
        self, arguments: Sequence[str], width: int = 80, height: int = 24, environment: Mapping[str, str] | None = None
    ) -> None:
        self._screen = pyte.Screen(width, height)
        self._stream = pyte.ByteStream(self._screen)
        self._master, slave = pty.openpty()
        self._set_size(width, height)
        base = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        self._process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**base, **(environment or {})},
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    # -- looking

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)

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

    def wait_for(self, pattern: str, seconds: float = 30) -> re.Match[str]:
        """Waits until something is on the screen."""
        end = time.monotonic() + seconds
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

    def exit_code(self, seconds: float = 20) -> int:
        end = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < end:
            self._read(0.2)
        return self._process.wait(1)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # The other side of a pseudo-terminal is gone.
            return False
        self._stream.feed(data)
        return bool(data)

    # -- acting

    def press(self, *keys: str) -> None:
        for key in keys:
            os.write(self._master, KEYS.get(key, key).encode())

    def click(self, x: int, y: int) -> None:
        for end in "Mm":
            os.write(self._master, f"\x1b[<0;{x + 1};{y + 1}{end}".encode())

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

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
