"""A keyboard that gives lines, and a terminal or pipe that takes them."""

import asyncio
import sys
import threading


def tell(line: str) -> None:
    """Shows a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


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
