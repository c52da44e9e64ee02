"""A listener on loopback, honest clients for it, and what tests ask of both."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import pytest

from p2p_sheriff.node.handshake import Admit, anyone
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Companions, Connection, Limits, Listener, TransportError, Why, connect
from p2p_sheriff.node.tries import Tries
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.nodes import until

HOST = "127.0.0.1"
PATIENT = Timing(handshake_seconds=60, goodbye_seconds=2)
HASTY = Timing(handshake_seconds=2, goodbye_seconds=0.2)
"""Who is late is waited for, so it is short; others get as far as the test needs, so it is not too short."""
SMALL = Limits(frame_bytes=1000)


@dataclass
class Stage:
    """A listener, who it is, and the connections that came in."""

    rng: Drbg
    identity: Identity
    listener: Listener
    arrived: "asyncio.Queue[Connection]"
    dialled: list[Connection] = field(default_factory=list)

    async def dial(
        self, identity: Identity | None = None, name: str = "Ann", passphrase: str | None = None
    ) -> Connection:
        """Connects as an honest client, by default as somebody new."""
        who, server = identity or Identity.generate(self.rng), self.identity.public
        client = await connect(who, name, PATIENT, HOST, self.listener.port, server, passphrase=passphrase)
        self.dialled.append(client)
        return client

    async def pair(self) -> tuple[Connection, Connection]:
        """Returns both ends of a connection: the client's and the server's."""
        client = await self.dial()
        return client, await self.arrived.get()

    async def serves_others(self, passphrase: str | None = None) -> None:
        """Fails unless an honest client still gets a connection that works both ways."""
        client = await self.dial(passphrase=passphrase)
        server = await self.arrived.get()
        assert server.peer != self.identity.public
        await client.send(b"ping")
        assert await anext(server) == b"ping"
        await server.send(b"pong")
        assert await anext(client) == b"pong"
        await asyncio.gather(client.close("seen enough"), frames_of(server))

    async def has_refused(self, why: Why, times: int = 1) -> None:
        """Waits until the listener has counted a refusal."""
        await until(lambda: self.listener.refused.total() >= times)
        assert self.listener.refused == {why: times}


@asynccontextmanager
async def stage(
    rng: Drbg,
    timing: Timing = PATIENT,
    limits: Limits = SMALL,
    admit: Admit = anyone,
    passphrase: str | None = None,
    companions: Companions | None = None,
    tries: Tries | None = None,
) -> AsyncIterator[Stage]:
    identity, arrived = Identity.generate(rng), asyncio.Queue[Connection]()
    listener = Listener(
        identity,
        "Rob",
        timing,
        HOST,
        arrived.put,
        passphrase=passphrase,
        admit=admit,
        limits=limits,
        companions=companions,
        tries=tries,
    )
    await listener.start()
    at = Stage(rng, identity, listener, arrived)
    try:
        yield at
    finally:
        await asyncio.gather(listener.stop(), *(client.close("the test is over") for client in at.dialled))


@contextmanager
def refused(why: Why, *, by_peer: bool = False) -> Iterator[None]:
    with pytest.raises(TransportError) as caught:
        yield
    assert caught.value.ending.why is why, caught.value
    assert caught.value.ending.by_peer == by_peer


async def frames_of(connection: Connection) -> list[bytes]:
    return [data async for data in connection]
