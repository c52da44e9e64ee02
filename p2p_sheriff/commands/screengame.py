"""A person's game on the screen, from its beginning to the transcript, and again if they like."""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from p2p_sheriff.commands.screenlobby import Outcome, ScreenLobby
from p2p_sheriff.commands.screenseat import ScreenSeat
from p2p_sheriff.commands.sitting import remember
from p2p_sheriff.commands.troupe import Troupe
from p2p_sheriff.fronts.tui.hall import BeReady
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import State, new_game
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import chosen, refusal_sentence

_SETTLE_SECONDS: Final = 10


def has_screen(options: argparse.Namespace, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the game is shown on a full screen: there is one, and nobody wants lines of text (``--lines``)."""
    is_able = environment.get("TERM", "dumb") not in ("dumb", "unknown", "")
    return is_able and sys.stdin.isatty() and sys.stdout.isatty() and not getattr(options, "lines", False)


class Playing:
    """Where one person plays on the screen: a node, a profile, and bots of their own."""

    def __init__(self, node: Node, profile: Profile, options: argparse.Namespace, words: Words | None = None) -> None:
        """Takes a node that runs."""
        self.node, self.words = node, words or Words(chosen(options))
        self._profile, self._options = profile, options
        self.bots = Troupe(profile, node.port, options)

    def lobby(self, *, only_table: bool = False) -> ScreenLobby:
        """Returns the lobby of this node, or only the table at which the player sits."""
        return ScreenLobby(
            self.node,
            self._profile,
            self.bots,
            self.words,
            local_addresses(self._options.interface),
            private=getattr(self._options, "private", False),
            only_table=only_table,
            ascii_only=getattr(self._options, "ascii", False),
        )

    async def sit(self, session: Session, told: State | None = None) -> str:
        """Lets a person play, again and again with the same people if they like; then the node is free again.

        Returns a sentence on how it ended; nothing if there is nothing to say.

        Raises:
            UsageError: The node can't go on.
        """
        while True:
            last_word = await self._play(session, told)
            if last_word is not None:
                return last_word
            try:
                await self.node.rematch(session.table.charter)
            except LobbyError as error:
                return refusal_sentence(error, self.words.texts)
            lobby, told = self.lobby(only_table=True), None
            match await lobby.visit(BeReady(True)):
                case Session() as next_game:
                    session = next_game
                case _:
                    return lobby.last_word

    async def _play(self, session: Session, told: State | None) -> str | None:
        """Plays one game, and keeps its transcript; returns None if the player wants a rematch, else a last word."""
        remember(self._profile, session)
        setup, ending = session.play.state.setup, _Ending(self.node, self._profile, session, self.words)
        seat = ScreenSeat(
            self.node,
            session,
            told or new_game(setup),
            words=self.words,
            ascii_only=getattr(self._options, "ascii", False),
            help_screen=lambda _: HelpScreen.of(setup, self.words),
            at_the_end=ending.tell,
            rematch=True,
        )
        if not await seat.play() or self.node.keeper is None:
            await self.node.put_down()
            return self.words("end.interrupted")
        path = await ending.keep()
        await self.node.put_down()
        return None if seat.wants_rematch else self.words("end.transcript", path=path)


async def play_at_table(
    node: Node,
    profile: Profile,
    options: argparse.Namespace,
    *first: Intent,
    session: Session | None = None,
    told: State | None = None,
) -> str:
    """Lets a person who has sat down wait for the game on the screen, and play it; or go on with one.

    Args:
        node: Where they play.
        profile: Where the transcripts are kept.
        options: Those of the command.
        first: What the player wants at once: to open a table, for example.
        session: A game that has begun already.
        told: The state that a resumed game goes on from.

    Returns:
        A sentence on how it ended.

    Raises:
        UsageError: The node can't go on.
    """
    playing = Playing(node, profile, options)
    try:
        lobby = playing.lobby(only_table=True)
        game: Outcome = session or await lobby.visit(*first)
        return await playing.sit(game, told) if isinstance(game, Session) else lobby.last_word
    finally:
        await playing.bots.close()


class _Ending:
    """What is done once when a game is over: its transcript is kept, the others get the end, and it is audited."""

    def __init__(self, node: Node, profile: Profile, session: Session, words: Words) -> None:
        self._node, self._profile, self._session, self._words = node, profile, session, words
        self._keeping: asyncio.Task[Path] | None = None

    async def tell(self) -> tuple[str, ...]:
        """Keeps the game, and returns what there is to say about it."""
        path = await self.keep()
        return self._words("end.transcript", path=path), await self._audit(path)

    async def keep(self) -> Path:
        """Keeps the game, once, even if who waits for it goes; returns where."""
        if self._keeping is None:
            self._keeping = asyncio.create_task(self._keep())
        return await asyncio.shield(self._keeping)

    async def _keep(self) -> Path:
        charter = self._session.table.charter
        path = self._profile.keep_transcript(charter.game, record_of(self._session.table).to_bytes())
        await self._node.settle(_SETTLE_SECONDS)
        await self._node.finish()
        return path

    async def _audit(self, path: Path) -> str:
        """Audits the transcript as anybody would: in a process of its own, which nothing here waits for."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "p2p_sheriff", "audit", str(path)),
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
