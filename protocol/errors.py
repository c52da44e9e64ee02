"""What can go wrong, by whose fault.

``LocalError`` is our caller's mistake; a ``VerificationError`` means that bytes from elsewhere do not hold. This layer
does not know who sent them: the table, which does, turns it into a fault of a seat. A ``DefectError`` is nobody's fault
but this program's: whoever finds one judges nobody, and stops.
"""

from collections.abc import Iterator
from contextlib import contextmanager


class ProtocolError(Exception):
    """Base of every error that this library raises on purpose."""


class LocalError(ProtocolError):
    """The caller asked for something that makes no sense; nothing was changed."""


class AlreadyUsedError(LocalError):
    """A single-use object was used a second time, which would give a secret away."""


class DefectError(ProtocolError):
    """What this program takes for granted about itself is not so: its verdicts are worth nothing from here on."""


class UnsafeLibraryError(ProtocolError):
    """The curve library on this machine accepts points that it must refuse; nothing may be played with it."""


class VerificationError(ProtocolError):
    """Something that was received does not hold."""


class MalformedError(VerificationError):
    """The bytes are not the one canonical encoding of any value that may stand here."""


class InvalidSignatureError(VerificationError):
    """The signature is not that key's signature of these bytes."""


class InvalidOpeningError(VerificationError):
    """The opening is not what was committed."""


class InvalidProofError(VerificationError):
    """A proof does not prove its statement; ``check`` names the equation or condition that failed."""

    def __init__(self, check: str) -> None:
        """Names the failed check."""
        super().__init__(f"the proof fails at: {check}")
        self.check = check


@contextmanager
def judging() -> Iterator[None]:
    """Turns a LocalError into a MalformedError, where it is the author of an entry who asked for what makes no sense.

    Anywhere else a LocalError that comes up while an entry is judged is a defect of the judge.
    """
    try:
        yield
    except LocalError as error:
        raise MalformedError(str(error)) from error
