"""How many entries of a game this machine has signed, kept apart from the profile: so an old copy of it is noticed.

It is a hint, written without a sync: that it is missing means nothing. That it is higher than what came back means that
something which was signed here, and perhaps sent, is not known any more.
"""

from contextlib import suppress
from pathlib import Path
from typing import Final

_BYTES: Final = 8


class SignedCounter:
    """The counter of one game; without a place for it, there is none."""

    def __init__(self, path: Path | None) -> None:
        """Takes where it is."""
        self._path = path

    @property
    def count(self) -> int:
        """How many were signed, as far as it is known."""
        with suppress(OSError):
            if self._path is not None and len(data := self._path.read_bytes()) == _BYTES:
                return int.from_bytes(data)
        return 0

    def note(self, count: int) -> None:
        """Takes note of how many are signed and stored."""
        if self._path is not None:
            with suppress(OSError):
                self._path.write_bytes(count.to_bytes(_BYTES))

    def forget(self) -> None:
        """Forgets a game that is over."""
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink(missing_ok=True)
