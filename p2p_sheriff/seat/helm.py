"""Who steers at a seat: the player at their front or, while they are away, a bot at the same node."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Protocol

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.seat.intents import Intent
from p2p_sheriff.seat.picture import News
from p2p_sheriff.seat.sight import Scene


class Front(Protocol):
    """Where the player is."""

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Shows how things are now, and what has changed since the last time."""

    async def wish(self) -> Intent | None:
        """Waits for what the player wants next; None if they have gone."""


class Helm:
    """Shows everything to the player, and to the bot that plays for them, if one does."""

    def __init__(self, front: Front, make_pilot: Callable[[], Front] | None = None) -> None:
        """Takes where the player is, and what makes the bot that can play for them."""
        self._front, self._make_pilot = front, make_pilot
        self._pilot: Front | None = None
        self._handed_over = asyncio.Event()
        self._wishing: asyncio.Future[Intent | None] | None = None
        """What the player may want, whoever plays: it is waited for on and on."""

    @property
    def has_pilot(self) -> bool:
        """Whether a bot can play here for a person."""
        return self._make_pilot is not None

    @property
    def is_on_autopilot(self) -> bool:
        """Whether a bot plays."""
        return self._pilot is not None

    def hand_over(self) -> None:
        """Lets a bot play.

        Raises:
            LobbyError: There is none.
        """
        if self._make_pilot is None:
            raise LobbyError("parting.no_pilot")
        self._pilot = self._make_pilot()
        self._handed_over.set()

    def take_over(self) -> None:
        """Lets the player play again."""
        self._pilot = None
        self._handed_over.clear()

    def show(self, scene: Scene, news: Sequence[News] = (), aside: Sequence[News] = ()) -> None:
        """Shows how things are, and what has changed; an aside is for the bot alone."""
        self._front.show(scene, news)
        if self._pilot is not None:
            self._pilot.show(scene, (*news, *aside))

    async def wish(self) -> tuple[Intent | None, bool]:
        """Waits for what is wanted next; returns it, and whether the player wants it."""
        while True:
            wishing = self._wishing = self._wishing or asyncio.ensure_future(self._front.wish())
            pilot = self._pilot
            steering = asyncio.ensure_future(self._wake() if pilot is None else pilot.wish())
            try:
                await asyncio.wait({wishing, steering}, return_when=asyncio.FIRST_COMPLETED)
            except asyncio.CancelledError:
                wishing.cancel()
                raise
            finally:
                if not steering.done():
                    steering.cancel()
            if wishing.done():
                self._wishing = None
                return wishing.result(), True
            if pilot is not None:
                return steering.result(), False

    async def _wake(self) -> None:
        """Waits until a bot plays: it may be let while the player is waited for."""
        await self._handed_over.wait()
