"""What is kept of a game: its transcript when it is over, which is audited then; and what proves a fault."""

import asyncio
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Seat
from p2p_sheriff.seat.picture import Notice, short
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.record import SUFFIX, deciding, evidence_of, record_of, unsigned
from p2p_sheriff.session.session import Session
from protocol.errors import LocalError
from protocol.faults import Fault, FaultCode


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a game, as far as it has come."""

    record: bytes
    """Empty if there is more than one file may have: liars who sign each entry many times can bring that about."""
    unsigned: tuple[Seat, ...]
    """Who has not signed the result."""
    is_seen: bool
    """Whether all have seen what decided it."""

    @classmethod
    def of(cls, session: Session) -> "_End":
        table = session.table
        ends = deciding(table)
        is_one = table.transcript.history.past.forked.isdisjoint(table.seats)  # Else the end may be taken back.
        is_seen = bool(ends) and is_one and all(table.has_seen(seat, last) for seat in table.seats for last in ends)
        record = b""
        with suppress(LocalError):
            record = record_of(table).to_bytes()
        return cls(record, unsigned(table), is_seen)


class Aftermath:
    """The end of one game, which has come."""

    def __init__(self, node: Node, profile: Profile, session: Session, words: Words, settle_seconds: float) -> None:
        """Begins to keep the game: that goes on even if who waits for it goes."""
        self._node, self._profile, self._session, self._words = node, profile, session, words
        self._settle_seconds = settle_seconds
        self._is_settled = True
        self.unsigned: tuple[Seat, ...] = session.play.state.seats
        """Who has not signed the result that is kept."""
        self._keeping = asyncio.create_task(self._keep())
        # What went wrong is told to who asks; another one may have taken its place before anybody did.
        self._keeping.add_done_callback(lambda task: task.cancelled() or task.exception())

    @property
    def is_signed(self) -> bool:
        """Whether all have signed the result that is kept."""
        return not self.unsigned

    @property
    def is_over(self) -> bool:
        """Whether it is done, well or not."""
        return self._keeping.done()

    async def kept(self) -> Path:
        """Waits until the transcript is kept and the others have the end; returns where it is.

        Raises:
            StoreError: It could not be written, or the secrets not be wiped.
        """
        return await asyncio.shield(self._keeping)

    async def close(self) -> Path:
        """Ends the game for good: who has not seen what decided it is not waited for any more.

        Raises:
            StoreError: It could not be written, or the secrets not be wiped.
        """
        try:
            return await self.kept()
        finally:
            await self._node.finish()

    async def _keep(self) -> Path:
        end = await self._look()
        try:
            self._write(end)  # Whatever happens while the others sign.
            self._is_settled = await self._node.settle(self._settle_seconds)
            end = await self._look()
            self.unsigned = end.unsigned
            return self._write(end)
        finally:  # A full disk is no reason to keep keys.
            if end.is_seen:
                await self._node.finish()

    async def _look(self) -> "_End":
        """Looks at the end as it is now, while nothing else is done with the game: signatures may still come in."""
        ends: list[_End] = []
        try:
            await self._node.do(lambda session: ends.append(_End.of(session)))
        except LobbyError:  # The node has put the game down: nothing is done with it any more.
            ends.append(_End.of(self._session))
        return ends[0]

    def _write(self, end: "_End") -> Path:
        game = self._session.table.charter.game
        if not end.record:
            raise StoreError("store.write", path=f"{game.hex()}{SUFFIX}", detail="it is longer than any transcript")
        return self._profile.keep_transcript(game, end.record)

    async def told(self) -> tuple[str, ...]:
        """Returns what there is to say once it is kept.

        Raises:
            StoreError: It could not be written.
        """
        path = await self.kept()
        unsettled = () if self._is_settled else (self._words.texts("seat.unsettled"),)
        players = self._session.table.charter.players
        names = ", ".join(short(players[seat].name) for seat in self.unsigned)
        missing = (self._words.texts("seat.unsigned", names=names),) if names else ()
        return (self._words.texts("seat.transcript", path=path), *unsettled, *missing)

    async def audited(self) -> str:
        """Audits the transcript as anybody would: in a process of its own, which nothing here waits for."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "p2p_sheriff", "audit", str(await self.kept())),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            output, _ = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
        if process.returncode == 0:
            return self._words("end.valid")
        said = output.decode(errors="replace").splitlines()
        return self._words("end.invalid", reason=said[1] if len(said) > 1 else "")


def keep_evidence(profile: Profile, session: Session, fault: Fault, words: Words) -> tuple[Notice, ...]:
    """Keeps what proves a fault of another player, and says where: anyone can check it with ``audit``."""
    table = session.table
    # That somebody names an entry of ours which we never wrote, nobody else can know.
    if fault.seat == session.seat or fault.code is FaultCode.UNKNOWN_HEADS:
        return ()
    try:
        path = profile.keep_evidence(table.charter.game, fault.seat, evidence_of(table, fault).to_bytes())
    except (StoreError, LocalError):  # The fault itself was told, and its entries are in the log when there is room.
        return ()
    return (Notice(words.texts("seat.evidence", path=path)),)
