"""What is done once when a game is over: its transcript is kept, the others get the end, and it is audited."""

import asyncio
import sys
from pathlib import Path

from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session


class Aftermath:
    """The end of one game, which has come."""

    def __init__(self, node: Node, profile: Profile, session: Session, words: Words, settle_seconds: float) -> None:
        """Begins to keep the game: that goes on even if who waits for it goes."""
        self._node, self._profile, self._session, self._words = node, profile, session, words
        self._settle_seconds = settle_seconds
        self._is_settled = True
        self._keeping = asyncio.create_task(self._keep())

    async def kept(self) -> Path:
        """Waits until the transcript is kept and the others have the end; returns where it is.

        Raises:
            StoreError: It could not be written: the game is still on the disk, with its secrets, and can be resumed.
        """
        return await asyncio.shield(self._keeping)

    async def _keep(self) -> Path:
        charter = self._session.table.charter
        path = self._profile.keep_transcript(charter.game, record_of(self._session.table).to_bytes())
        self._is_settled = await self._node.settle(self._settle_seconds)
        await self._node.finish()
        return path

    async def told(self) -> tuple[str, ...]:
        """Returns what there is to say once it is kept.

        Raises:
            StoreError: It could not be written.
        """
        path = await self.kept()
        unsettled = () if self._is_settled else (self._words.texts("seat.unsettled"),)
        return (self._words.texts("seat.transcript", path=path), *unsettled)

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
