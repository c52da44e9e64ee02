"""Between a restart and the first new entry: the others show what they have of the own chain, before it goes on.

What is on disk may be older than the game: a backup was put back, a disk has lied. Who then signs another entry with a
used number has forked the own chain, and all can prove it. So entries of the own seat are taken back from the others
like anybody's; until all of them have been heard, nothing is written. But for those who are out, and those whom the own
player wants to go on without: what only they have seen can't be waited for for ever.
"""

from collections.abc import Collection, Sequence

from p2p_sheriff.phrase import Told
from p2p_sheriff.rules import Seat
from p2p_sheriff.session.session import Session
from protocol.entry import Head, SignedEntry
from protocol.errors import LocalError
from protocol.faults import FaultCode
from protocol.pending import MAX_AHEAD_BYTES


class ForkedError(Told, LocalError):
    """Somebody else has written entries with the own key."""


class LostSecretsError(Told, LocalError):
    """What was stored is older than the game, and nobody else has the secrets that it lacks."""


class Homecoming:
    """A session that reads, and must not write yet."""

    def __init__(self, session: Session) -> None:
        """Takes a session that was just resumed."""
        self._session = session
        self._silent = {seat for seat in session.play.state.seats if seat != session.seat}
        self._held: dict[bytes, SignedEntry] = {}
        self._stored = len(self._own)

    @property
    def waits_for(self) -> frozenset[Seat]:
        """Who has not yet been heard, or has more of the own chain than is here."""
        return frozenset(self._silent.intersection(self._session.play.state.seats))

    @property
    def adopted(self) -> int:
        """How many own entries were not stored here and came from others."""
        return len(self._own) - self._stored

    @property
    def is_over(self) -> bool:
        """Whether the session may write. Its last entry must be folded, if it was not ours: its keys must be known."""
        own = any(signed.entry.author == self._session.seat for signed in self._held.values())
        return not self.waits_for and not own and not (self.adopted and self._session.table.has_written)

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere, in place of the session: one that names unknown own entries waits for them.

        Raises:
            VerificationError: It is no entry of this game.
        """
        signed = SignedEntry.from_bytes(self._session.table.charter, data)
        if self._has_room(signed):
            self._held[signed.hash] = signed
        while ready := [held for held in self._held.values() if self._is_ready(held)]:
            for held in ready:
                del self._held[held.hash]
                self._session.receive(held.to_bytes())

    def hear(self, seat: Seat, heads: Sequence[Head]) -> None:
        """Takes note of what another seat has of all chains; call it again when it has sent what is lacking here.

        Who has another entry than ours, or says so, is waited for like one who has more: it has to be shown.
        """
        own, transcript = self._session.seat, self._session.table.transcript
        head = heads[own]
        if head.length <= len(self._own) and head == transcript.head(own, head.length):
            self._silent.discard(seat)

    def excuse(self, seats: Collection[Seat]) -> None:
        """Does not wait for these any more."""
        self._silent.difference_update(seats)

    def finish(self) -> None:
        """Hands over to the session, once this is over.

        Raises:
            ForkedError: The own key was used elsewhere.
            LostSecretsError: The seat can't go on.
        """
        session = self._session
        for signed in self._held.values():
            session.receive(signed.to_bytes())
        self._held.clear()
        fault = session.table.faults.get(session.seat)
        if fault is not None and fault.code is FaultCode.EQUIVOCATION:
            raise ForkedError("troubles.forked", n=fault.evidence[-1].entry.sequence)
        lost = session.secrets.lost(session.play, spoiled=session.is_spoiled)
        if lost:
            raise LostSecretsError("troubles.lost_secrets", n=self.adopted, detail=" and ".join(lost))

    @property
    def _own(self) -> list[SignedEntry]:
        return self._session.table.transcript.chains[self._session.seat]

    def _is_ready(self, signed: SignedEntry) -> bool:
        chains = self._session.table.transcript.chains
        return all(head.length <= len(chain) for head, chain in zip(signed.entry.heads, chains, strict=True))

    def _has_room(self, signed: SignedEntry) -> bool:
        """Whether to keep an entry: as much of one author's as an honest one could have written."""
        theirs = (held for held in self._held.values() if held.entry.author == signed.entry.author)
        return sum(len(held.body) for held in theirs) + len(signed.body) <= MAX_AHEAD_BYTES
