"""What of a session is written down, and how it comes back: the entries in their order, and the secrets behind them.

The public side is folded anew from the entries, with every check; the private side is the last stored one. Pure: where
the records are kept is the caller's business.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.codec import MAX_ITEMS, Value
from protocol.errors import DefectError, MalformedError
from protocol.group import Group
from protocol.identity import Identity
from protocol.randomness import Rng
from protocol.typed import Plain, word

OnProgress = Callable[[int, int], None]
"""Is told after each entry how many are checked, and how many there are."""

_MOST_TOGETHER: Final = MAX_ITEMS // 2


@dataclass(frozen=True, slots=True)
class FirstRecord:
    """The first record: what is played, and whether it is over. Written by hand, because this class has two forms."""

    charter: bytes = field(repr=False)
    is_over: bool = False
    memory: Keepsake | None = None
    """Of a game that is over: what its player saw, to see it again."""

    def to_value(self) -> Value:
        """Returns the plain form."""
        if not self.is_over:
            return ("game", self.charter)
        return ("over", self.charter, self.memory.to_value() if self.memory else None)

    @classmethod
    def from_value(cls, value: Value) -> "FirstRecord":
        """Reads the plain form.

        Raises:
            MalformedError: It is something else.
        """
        match value:
            case ("game", bytes(charter)):
                return cls(charter)
            case ("over", bytes(charter), memory):
                return cls(charter, is_over=True, memory=Keepsake.from_value(memory) if memory is not None else None)
            case _:
                raise MalformedError("a log begins with the charter of its game")


@word("entries")
@dataclass(frozen=True, slots=True, repr=False)
class Kept(Plain):
    """A later record: what came since the one before."""

    entries: tuple[bytes, ...]
    """The own ones and the others', each after those that it names."""
    secrets: Value = None
    """Of the own seat, after these entries, sealed; None if none of them is its own, or after the game."""

    def __repr__(self) -> str:
        """Shows how much it is."""
        return f"Kept({len(self.entries)} entries)"


def ended(charter: bytes, entries: Sequence[bytes], memory: Keepsake | None = None) -> list[Value]:
    """Returns all records of a game that is over: its entries in several, for one value may have only so many items."""
    opening = FirstRecord(charter, is_over=True, memory=memory)
    return [opening.to_value(), *(Kept(part).to_value() for part in parts_of(entries))]


def parts_of(entries: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Returns entries in as many parts as there must be records of them: one at the least."""
    starts = range(0, max(1, len(entries)), _MOST_TOGETHER)
    return [tuple(entries[at : at + _MOST_TOGETHER]) for at in starts]


def resume(
    charter: Charter,
    identity: Identity,
    group: Group,
    rng: Rng,
    entries: Sequence[bytes],
    secrets: Value = None,
    progress: OnProgress = lambda _done, _total: None,
) -> Session:
    """Returns the session as it was when the last record was stored. Its events tell the whole game so far.

    Without secrets it is that of somebody who has lost them.

    Before it writes anything new, the others are asked what they have of this seat: see ``Homecoming``.

    Raises:
        LocalError: The identity has no seat in this game.
        MalformedError: These are not what a session of this game has stored.
    """
    session = Session(charter, identity, group, rng)
    session.table.transcript.keeps_rivals = True  # Whoever has named them comes later.
    for done, entry in enumerate(entries, 1):
        session.receive(entry)
        progress(done, len(entries))
    session.table.transcript.keeps_rivals = False
    try:
        session.table.settle()
    except DefectError as error:
        raise MalformedError(f"the stored game is not one that this version would have written: {error}") from error
    if session.seat in session.table.faults:
        reason = session.table.faults[session.seat].reason
        raise MalformedError(f"the stored game is not one that this version would have written: {reason}")
    if any(missing.claimed_by == session.seat for missing in session.table.missing()):
        raise MalformedError("the stored game lacks entries that its own seat has named")
    if secrets is not None:
        session.secrets.restore(secrets)
        session.secrets.remember(session.play)
    session.forget()  # As in a session that was never interrupted: keys of later cards are kept.
    return session
