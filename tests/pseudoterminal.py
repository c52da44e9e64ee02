"""A program on a pseudo-terminal of its own: what it writes is heard, what is typed reaches it."""

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self


class PseudoTerminal(ABC):
    """Runs a program until it ends, or this does."""

    SECONDS: ClassVar[float] = 600
    """After which a program hangs, and is not only slow because the machine is busy."""

    def __init__(
        self,
        program: Sequence[str],
        environment: Mapping[str, str],
        width: int = 80,
        height: int = 24,
        folder: Path | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        self._set_size(width, height)
        # Who runs the tests may have a terminal too: its size is not that of this one.
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self._process = subprocess.Popen(
            program,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            cwd=folder,
            env={**inherited, **environment},
        )
        os.close(slave)

    @abstractmethod
    def _hear(self, data: bytes) -> None:
        """Takes what the program has written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def kill(self) -> None:
        """Ends the program itself, as a loss of power would; not those that it has started."""
        self._process.kill()
        self._process.wait()

    def write(self, text: str) -> None:
        """Types."""
        os.write(self._master, text.encode())

    def exit_code(self) -> int:
        """Waits until the program ends."""
        end = time.monotonic() + self.SECONDS
        while self._process.poll() is None and time.monotonic() < end:
            self._read(0.2)
        return self._process.wait(1)

    def _set_size(self, width: int, height: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def _read(self, seconds: float) -> bool:
        """Waits for something to be written; returns whether anything was."""
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # The other side of a pseudo-terminal is gone.
            return False
        self._hear(data)
        return bool(data)
