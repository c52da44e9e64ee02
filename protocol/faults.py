"""Who broke the protocol, how, and what proves it (docs/protocol.md, Faults)."""

from dataclasses import dataclass
from enum import IntEnum

from protocol.entry import SignedEntry


class FaultCode(IntEnum):
    """How an author broke the protocol; the numbers are those of docs/protocol.md."""

    EQUIVOCATION = 1
    """Two entries with one number."""
    BROKEN_CHAIN = 2
    """An entry that does not follow the author's own previous one."""
    HEADS_WENT_BACK = 3
    """An entry whose author has seen less than before."""
    UNKNOWN_HEADS = 4
    """An entry that names an entry which its alleged author's chain does not have."""
    OUT_OF_TURN = 5
    """A step that was not the author's to take, or taken twice."""
    MALFORMED = 6
    """A payload that is none."""
    FALSE_PROOF = 7
    """A proof or an opening that does not hold."""
    FORBIDDEN = 8
    """A move that the rules of the game do not allow."""
    OPEN_HEADS = 9
    """An entry that names another one and not what that one names."""
    OVER_BUDGET = 10
    """More than one seat may write."""
    FALSE_VOTE = 11
    """A vote that its author may not cast."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, with the signed entries that prove it to anyone who has the charter and the entries they name."""

    seat: int
    code: FaultCode
    reason: str
    """A sentence for people."""
    evidence: tuple[SignedEntry, ...]

    def __str__(self) -> str:
        """Returns a sentence."""
        numbers = ", ".join(str(signed.entry.sequence) for signed in self.evidence)
        return f"seat {self.seat} broke the protocol in entry {numbers}: {self.reason} ({self.code.name})"
