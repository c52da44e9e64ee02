"""Says at a node, for its player, what is due by itself: votes about those who are missed, and that the time is up.

What is voted, and when, `parting` says; when the time is up, `hourglass`.
"""

import time
from collections.abc import Callable
from contextlib import suppress

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Refusal, Seat
from p2p_sheriff.seat import hourglass, parting
from p2p_sheriff.seat.parting import Will
from p2p_sheriff.seat.picture import Picture


class Voting:
    """One player's votes at one node."""

    def __init__(self, node: Node, *, is_bot: bool, clock: Callable[[], float] = time.monotonic) -> None:
        """Takes whether no person is here who could be asked."""
        self._node, self._is_bot, self._clock = node, is_bot, clock
        self._will = Will()

    def seconds_to_look(self, picture: Picture | None) -> float | None:
        """Returns how long nothing becomes due by itself."""
        now = self._clock()
        looks = (parting.next_look(picture, now), hourglass.next_look(picture, now)) if picture is not None else ()
        return min((max(0.0, then - now) for then in looks if then is not None), default=None)

    def has_idled(self, picture: Picture) -> bool:
        """Whether others want to go on without the own player, who is idle."""
        return parting.has_idled(picture, self._clock())

    async def go_on_without(self, picture: Picture, seats: tuple[Seat, ...]) -> None:
        """Votes to go on without these, besides those whom the player has named before.

        Raises:
            LobbyError: They are here, or are still waited for.
            Refusal: Too few would be left.
        """
        now = self._clock()
        for seat in seats:
            if seat not in parting.may_go(picture, now):
                left = picture.missed[seat].until - now if seat in picture.missed else 0.0
                key = "parting.not_yet" if left > 0 else "parting.here"
                raise LobbyError(key, name=picture.name(seat), time=picture.words.time(left))
        will = Will(self._will.without.union(seats), self._will.spared.difference(seats))
        if not parting.is_enough(picture, tuple(will.without)):
            raise Refusal("refusals.vote")
        self._will = will
        await self._vote(picture)

    async def wait(self, picture: Picture) -> None:
        """Waits for all who are missed: takes back what was voted, and refuses what others want."""
        self._will = Will(spared=frozenset(picture.missed))
        await self._vote(picture)

    async def go_on(self, picture: Picture) -> bool:
        """Says what is due by itself; returns whether anything was."""
        has_called = await self._call_time(picture)
        self._will = self._will.still(picture, self._clock())
        with suppress(Refusal, LobbyError):  # The ballot is another one by now: what comes of it is told.
            return await self._vote(picture) or has_called
        return has_called

    async def _call_time(self, picture: Picture) -> bool:
        timer = picture.timer
        if timer is None or not hourglass.is_due(picture, self._clock()):
            return False
        with suppress(Refusal, LobbyError):  # All is said that may be: the others count.
            await self._node.do(lambda session: session.call_time(timer.round))
            return True
        return False

    async def _vote(self, picture: Picture) -> bool:
        out = parting.next_vote(picture, self._will, self._clock(), is_bot=self._is_bot)
        if out is None or (picture.coming_back and not out):
            return False
        if picture.coming_back:  # First the others must show what they have, all but these.
            if set(out).isdisjoint(picture.coming_back):
                return False
            await self._node.excuse(out)
        else:
            await self._node.do(lambda session: session.vote(out))
        return True
