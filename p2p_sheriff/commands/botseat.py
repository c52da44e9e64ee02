"""A bot at a node: it sees what any player sees, and answers what it is asked."""

import asyncio
from collections.abc import Callable

from p2p_sheriff.bots import Bot
from p2p_sheriff.node.events import NodeEvent, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choice, Move, Phase
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import translated
from p2p_sheriff.usage import UsageError


class BotSeat:
    """Lets a bot play one game on a node. Its pace never depends on its cards."""

    def __init__(
        self, node: Node, bot: Bot, pace_seconds: float, watch: Callable[[NodeEvent], None] = lambda _: None
    ) -> None:
        """Takes the bot, how long it waits before it speaks or acts, and who else wants to know what happens."""
        self._node, self._bot, self._pace, self._watch = node, bot, pace_seconds, watch

    async def play(self) -> None:
        """Plays until the result is signed by all.

        Raises:
            UsageError: The node can't go on.
        """
        over = False
        while not over:
            try:
                event = await asyncio.wait_for(self._node.events.get(), self._pace)
            except TimeoutError:
                over = await self._step(quiet=True)
                continue
            self._watch(event)
            if isinstance(event, Trouble):
                raise UsageError(translated(event.sentence))
            if isinstance(event, Happened):
                for item in event.inputs:
                    self._bot.observe(item)
            if self._node.events.empty():
                over = await self._step(quiet=False)

    async def _step(self, *, quiet: bool) -> bool:
        """Lets the bot do something; returns whether the game is over."""
        over = False
        if not self._node.is_home:
            return over

        def act(session: Session) -> None:
            nonlocal over
            over = session.play.is_over
            if not over:
                self._act(session, quiet=quiet)

        await self._node.do(act)
        return over

    def _act(self, session: Session, *, quiet: bool) -> None:
        choice = session.choice()
        if choice is Choice.LOAD:
            session.load(self._bot.load(session.view()))
        elif choice is Choice.ACT and not quiet:
            return  # The sheriff lets the others talk first.
        elif choice is not None:
            self._say(session, self._bot.choose(session.view(), choice))
        elif session.play.state.phase is Phase.INSPECT and session.play.passing is None:
            self._say(session, self._bot.negotiate(session.view()))

    def _say(self, session: Session, move: Move | None) -> None:
        if move is not None:
            session.submit(move)
