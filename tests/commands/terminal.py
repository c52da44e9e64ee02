"""A program in a real terminal: what it prints is read, what is typed reaches it."""

import contextlib
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

PROGRAM = (sys.executable, "-m", "p2p_sheriff")


class NotPrinted(AssertionError):  # noqa: N818 - says what is the case.
    """Something was not printed in time."""


class Terminal:
    """Runs the program, or another one, on a pseudo-terminal of its own."""

    def __init__(
        self,
        arguments: Sequence[str],
        program: Sequence[str] = PROGRAM,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            [*program, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            cwd=folder,
            env={**os.environ, "TERM": "dumb", **(environment or {})},
        )
        os.close(slave)
        self.text = ""
        """Everything that was printed so far."""

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

    def type(self, line: str) -> None:
        os.write(self._master, f"{line}\n".encode())

    def wait_for(self, pattern: str, seconds: float = 240, start: int = 0) -> re.Match[str]:
        """Waits until something is printed, from that place of the text on."""
        end = time.monotonic() + seconds
        while (found := re.compile(pattern, re.MULTILINE).search(self.text, start)) is None:
            if time.monotonic() > end:
                raise NotPrinted(f"{pattern!r} was not printed in {seconds} s, but:\n{self.text[-3000:]}")
            if not self._read(1.0) and self._process.poll() is not None and not self._read(0.2):
                raise AssertionError(f"the program ended before it printed {pattern!r}:\n{self.text[-3000:]}")
        return found

    def exit_code(self, seconds: float = 60) -> int:
        end = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < end:
            self._read(0.5)
        return self._process.wait(1)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._master, 65536)
        except OSError:  # The other side of a pseudo-terminal is gone.
            return False
        self.text += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)
