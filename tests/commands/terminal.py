"""A program in a real terminal: what it prints is read, what is typed reaches it."""

import codecs
import re
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.pseudoterminal import PseudoTerminal

WIDE = 1000
"""So wide that no line is broken: for who reads whole lines."""

PROGRAM = (sys.executable, "-m", "p2p_sheriff")


class NotPrinted(AssertionError):  # noqa: N818 - says what is the case.
    """Something was not printed in time."""


class Terminal(PseudoTerminal):
    """Runs the program, or another one, and keeps everything that it prints."""

    def __init__(
        self,
        arguments: Sequence[str],
        program: Sequence[str] = PROGRAM,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
        width: int = 80,
    ) -> None:
        super().__init__([*program, *arguments], {"TERM": "dumb", **(environment or {})}, width, folder=folder)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.text = ""
        """Everything that was printed so far."""

    def _hear(self, data: bytes) -> None:
        self.text = (self.text + self._decoder.decode(data)).replace("\r\n", "\n")

    def type(self, line: str) -> None:
        self.write(f"{line}\n")

    def wait_for(self, pattern: str, seconds: float = PseudoTerminal.SECONDS, start: int = 0) -> re.Match[str]:
        """Waits until something is printed, from that place of the text on; a line may be broken at any space of it."""
        end, broken = time.monotonic() + seconds, re.compile(pattern.replace(" ", r"\s"), re.MULTILINE)
        while (found := broken.search(self.text, start)) is None:
            if time.monotonic() > end:
                raise NotPrinted(f"{pattern!r} was not printed in {seconds} s, but:\n{self.text[-3000:]}")
            if not self._read(1.0) and self._process.poll() is not None and not self._read(0.2):
                raise AssertionError(f"the program ended before it printed {pattern!r}:\n{self.text[-3000:]}")
        return found
