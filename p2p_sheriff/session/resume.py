"""What of a session is written down, and how it comes back: the entries in their order, and the secrets behind them.

The public side is folded anew from the entries, with every check; the private side is the last stored one. Pure: where
the records are kept is the caller's business.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.session import Session
from protocol.charter import Charter
from protocol.codec import Value
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.identity import Identity
from protocol.randomness import Rng
from protocol.typed import Plain, word

Progress = Callable[[int, int], None]
"""Is told how many entries are folded, and how many there are."""


@dataclass(frozen=True, slots=True)
class Opening:
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
    def from_value(cls, value: Value) -> "Opening":
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
    """Of the own seat, after these entries; None if none of them is its own, or after the game."""

    def __repr__(self) -> str:
        """Shows how much it is."""
        return f"Kept({len(self.entries)} entries)"


def resume(
    charter: Charter,
    identity: Identity,
    group: Group,
    rng: Rng,
    records: Sequence[Kept],
    progress: Progress = lambda _done, _total: None,
) -> Session:
    """Returns the session as it was when the last record was stored. Its events tell the whole game so far.

    Before it writes anything new, the others are asked what they have of this seat: see ``Homecoming``.

    Raises:
        LocalError: The identity has no seat in this game.
        MalformedError: The records are not those of a session of this game.
    """
    session = Session(charter, identity, group, rng)
    entries = [entry for record in records for entry in record.entries]
    for done, entry in enumerate(entries, 1):
        session.receive(entry)
        progress(done, len(entries))
    if session.seat in session.table.faults:
        reason = session.table.faults[session.seat].reason
        raise MalformedError(f"the stored game is not one that this version would have written: {reason}")
    if any(missing.claimed_by == session.seat for missing in session.table.missing()):
        raise MalformedError("the stored game lacks entries that its own seat has named")
    snapshots = [record.secrets for record in records if record.secrets is not None]
    if snapshots:
        session.secrets.restore(snapshots[-1])
        session.secrets.remember(session.play)
    if not session.table.has_written:  # As in a session that was never interrupted: keys of later cards are kept.
        session.secrets.forget(session.play)
    return session
