"""How often strangers may fail to show that they know the passphrase: each time they have tried one guess."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic

from p2p_sheriff.node.allowance import Bucket
from p2p_sheriff.node.farewell import Why, refusal
from p2p_sheriff.node.limits import Limits
from protocol.identity import PublicIdentity


class Tries:
    """The tries of all unknown identities together, on one side of our handshakes: as the server, or as the client."""

    def __init__(
        self, limits: Limits, is_known: Callable[[PublicIdentity], bool], clock: Callable[[], float] = monotonic
    ) -> None:
        """Takes who has shown it before, or shares our game: they are not counted."""
        self._bucket = Bucket(limits.failed_tries_per_second, limits.failed_tries_in_a_row)
        self._is_known, self._clock = is_known, clock
        self._turn = asyncio.Lock()

    def may(self, identity: PublicIdentity) -> bool:
        """Whether somebody may try it now."""
        return self._is_known(identity) or self._bucket.has_room(self._clock())

    @asynccontextmanager
    async def one(self, identity: PublicIdentity) -> AsyncIterator[None]:
        """Lets somebody try it, one after the other. Whatever ends it early has failed: they may know enough by then.

        Raises:
            TransportError: Too many have failed a moment ago.
        """
        if self._is_known(identity):
            yield
            return
        async with self._turn:
            if not self._bucket.take(self._clock()):
                raise refusal(Why.TRIES)
            yield
            self._bucket.add(-1, self._clock())
