"""Figures of the screen, as who sits at it finds it: from a key, written to a terminal, to the changed picture.

The terminal is a pseudo-terminal of this process. What comes out of it is not understood, but searched for a corner
that is drawn whenever the selection moves, and never else.
"""

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from select import select
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from p2p_sheriff.fronts.tui.model import SECONDS_OF_CALM
from p2p_sheriff.lab.bench.measure import Bench, Benchmark, Figure, Result
from p2p_sheriff.usage import UsageError

IDLE: Final = "--idle"
TALLY_BYTES: Final = 8

_PRESSES: Final = 200
_SIZES: Final = {"": (80, 24), ".120x40": (120, 40)}
_RIGHT: Final = b"\x1b[C"
_MOVED: Final = "┛".encode()
_START_SECONDS: Final = 60
_PATIENCE_SECONDS: Final = 10
_SHORTEST_PAUSE, _LONGEST_PAUSE = 0.02, 0.12
"""Between two keys: irregular, so that they keep step neither with the work nor with a clock on the screen."""


def _key_during_shuffle(_bench: Bench, name: str) -> Iterator[Result]:
    """How long a key takes while the same process shuffles 216 cards; the floor is the same without the shuffle."""
    for suffix, size in _SIZES.items():
        quiet, busy = (press_keys(size, _PRESSES, shuffling=shuffling) for shuffling in (False, True))
        yield Figure(name + suffix, busy.percentile(99), "ms", quiet.percentile(99))
        yield Figure(f"{name}{suffix}.p50", busy.percentile(50), "ms", quiet.percentile(50))


@dataclass(frozen=True, slots=True)
class Presses:
    """What keys have taken."""

    milliseconds: list[float]
    multiplications: list[int]
    """How many the process has done from each key to the next one."""

    def percentile(self, percent: int) -> float:
        """Returns what so many of a hundred keys did not exceed."""
        ordered = sorted(self.milliseconds)
        return ordered[max(0, -(-percent * len(ordered) // 100) - 1)]


def press_keys(size: tuple[int, int], count: int, *, shuffling: bool) -> Presses:
    """Presses a key so many times at a table of that size, while its process shuffles, or while it does nothing else.

    Raises:
        UsageError: The screen does not answer, or the shuffle does not go on.
    """
    rng, taken, done = Random(size[0]), [], []  # noqa: S311 - for pauses.
    with TemporaryDirectory(prefix="p2p-sheriff-bench-") as folder:
        tally = Path(folder) / "tally"
        tally.write_bytes(bytes(TALLY_BYTES))

        def multiplications(more_than: int) -> int:
            """Waits until the shuffle has gone on, if there is one."""
            end = monotonic() + _PATIENCE_SECONDS
            while (so_far := int.from_bytes(tally.read_bytes(), "big")) <= more_than and shuffling:
                if monotonic() > end:
                    raise UsageError("The shuffle stands still: how long keys take beside it can't be measured.")
                _read_on(terminal, _SHORTEST_PAUSE)
            return so_far

        with _screen(size, str(tally), *(() if shuffling else (IDLE,))) as terminal:
            _await_picture(terminal, _START_SECONDS)
            _read_on(terminal, 2 * SECONDS_OF_CALM)  # What is new takes no keys at first.
            before = multiplications(0)
            for _ in range(count):
                start = monotonic()
                os.write(terminal, _RIGHT)
                taken.append(1000 * (_await_picture(terminal, _PATIENCE_SECONDS) - start))
                _read_on(terminal, rng.uniform(_SHORTEST_PAUSE, _LONGEST_PAUSE))
                now = multiplications(before)
                done.append(now - before)
                before = now
    return Presses(taken, done)


@contextmanager
def _screen(size: tuple[int, int], *arguments: str) -> Iterator[int]:
    """Shows a busy table in a terminal; gives the end of the terminal at which a person would sit."""
    # Without these, there are all figures but this one.
    import fcntl  # noqa: PLC0415 - not every system has it
    import pty  # noqa: PLC0415 - not every system has it
    import termios  # noqa: PLC0415 - not every system has it

    outside, inside = pty.openpty()
    width, height = size
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    command = (sys.executable, "-m", "p2p_sheriff.lab.bench.busy", *arguments)
    environment = {**os.environ, "TERM": "xterm-256color"}
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, env=environment)  # noqa: S603 - our own.
    os.close(inside)
    try:
        yield outside
    finally:
        process.kill()
        process.wait()
        os.close(outside)


def _await_picture(terminal: int, seconds: float) -> float:
    """Reads until the selection was drawn; returns when that was."""
    end, tail = monotonic() + seconds, b""
    while (now := monotonic()) < end:
        if not select([terminal], [], [], end - now)[0]:
            break
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:  # The process has ended.
            break
        if _MOVED in tail + data:
            return monotonic()
        tail = data[1 - len(_MOVED) :]
    raise UsageError("The screen does not answer to keys.")


def _read_on(terminal: int, seconds: float) -> None:
    """Takes what else is drawn, as any terminal does."""
    end = monotonic() + seconds
    while (left := end - monotonic()) > 0 and select([terminal], [], [], left)[0]:
        os.read(terminal, 1 << 16)


BENCHMARKS: Final[dict[str, Benchmark]] = {"tui.key.during.shuffle": _key_during_shuffle}
