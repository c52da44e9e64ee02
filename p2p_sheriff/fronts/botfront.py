"""A bot as a front: it sees what any player sees, and answers what it is asked."""

import asyncio
from collections.abc import Callable, Sequence

from p2p_sheriff.bots import Bot
from p2p_sheriff.rules import Choice, Phase, Seat, Transition
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import BeReady, Intent, LeaveGame, Rematch
from p2p_sheriff.seat.picture import Answered, News, Picture
from p2p_sheriff.seat.sight import Scene


class BotFront:
    """Lets a bot play. Its pace never depends on its cards."""

    def __init__(
        self,
        make: Callable[[Seat], Bot],
        pace_seconds: float,
        see: Callable[[Scene, Sequence[News]], None] = lambda _scene, _news: None,
        rematch_seconds: float | None = 0.0,
    ) -> None:
        """Takes who makes the bot of a seat.

        Args:
            make: Is called when a game begins.
            pace_seconds: How long it waits before it speaks or acts.
            see: Who else wants to know what happens.
            rematch_seconds: How long it waits after a game for somebody who wants a rematch; None: for ever.
        """
        self._make, self._pace, self._see, self._rematch_seconds = make, pace_seconds, see, rematch_seconds
        self._scene: Scene | None = None
        self._bot: Bot | None = None
        self._game = b""
        self._ended = 0.0
        self._changed = asyncio.Event()

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Lets the bot see what has happened."""
        self._scene = scene
        if isinstance(scene, Picture) and scene.view is not None and scene.game != self._game:
            self._game, self._bot = scene.game, self._make(scene.view.seat)
        for one in news:
            if isinstance(one, Transition) and self._bot is not None:
                self._bot.observe(one.item)
        if not any(isinstance(one, Answered) and one.refusal for one in news):
            self._changed.set()  # What was refused is not tried again before something has happened, or some time.
        self._see(scene, news)

    async def wish(self) -> Intent | None:
        """Waits until the bot wants something."""
        while True:
            try:
                async with asyncio.timeout(self._pace):  # Which, unlike `wait_for`, never swallows a cancellation.
                    await self._changed.wait()
                is_quiet = False
            except TimeoutError:
                is_quiet = True
            self._changed.clear()
            if (intent := self._next(is_quiet=is_quiet)) is not None:
                return intent

    def _next(self, *, is_quiet: bool) -> Intent | None:
        match self._scene:
            case Hall(me=me, table=table) if table is not None:
                member = table.member(me.identity)
                return BeReady(True) if member is not None and not member.ready else None
            case Picture() as picture if picture.is_ended:
                return self._after_game(picture)
            case Picture() as picture if not picture.coming_back:
                return self._play(picture, is_quiet=is_quiet)
            case _:
                return None

    def _play(self, picture: Picture, *, is_quiet: bool) -> Intent | None:
        view, choice = picture.view, picture.choice
        if view is None or self._bot is None or (choice is Choice.ACT and not is_quiet):
            return None  # The sheriff lets the others talk first.
        if choice is not None:
            return self._bot.choose(view, choice)
        if view.state.phase is Phase.INSPECT and picture.progress is None:
            return self._bot.negotiate(view)
        return None

    def _after_game(self, picture: Picture) -> Intent | None:
        now = asyncio.get_running_loop().time()
        if not picture.ending:
            self._ended = now
        elif picture.wanted_by and self._rematch_seconds != 0:
            return Rematch()
        elif self._rematch_seconds is not None and now >= self._ended + self._rematch_seconds:
            return LeaveGame()
        return None
