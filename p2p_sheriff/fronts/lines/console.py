"""A keyboard that gives lines, and a terminal or pipe that takes them."""

import asyncio
import shutil
import sys
import textwrap
import threading


def tell(line: str) -> None:
    """Shows a line: on a terminal broken between words, as wide as it is; in a pipe whole, for whoever reads it."""
    if sys.stdout.isatty():
        line = wrapped(line, shutil.get_terminal_size().columns)
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def wrapped(line: str, columns: int) -> str:
    """Returns a line broken between words; what has no spaces stays whole: a path can be copied."""
    lines = line.split("\n")
    return "\n".join(
        textwrap.fill(
            one,
            max(columns, 20),
            drop_whitespace=True,
            replace_whitespace=False,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for one in lines
    )


class Keyboard:
    """Lines that are typed, as they come; None at the end of input."""

    def __init__(self) -> None:
        """Starts to read in a thread of its own: a read can't be cancelled, and must not keep the program alive."""
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in sys.stdin:
                self._loop.call_soon_threadsafe(self.lines.put_nowait, line.rstrip("\n"))
            self._loop.call_soon_threadsafe(self.lines.put_nowait, None)
        except RuntimeError:  # The loop is closed: nobody listens any more.
            pass
