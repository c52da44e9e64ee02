"""All connections of a node: who is found is dialled, who is lost is dialled again, what comes goes into one inbox."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import inf
from typing import Final, TypeAlias

from p2p_sheriff.node.discovery import Discovery, Found
from p2p_sheriff.node.events import NodeEvent, PeerDown, PeerUp, Refused
from p2p_sheriff.node.farewell import Farewell, TransportError, Why
from p2p_sheriff.node.handshake import Admit
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection, Listener, connect
from p2p_sheriff.node.wire import MAX_ADDRESSES, Address, Message, Ping, Where, to_bytes
from p2p_sheriff.phrase import Phrase
from protocol.errors import VerificationError
from protocol.identity import Identity, PublicIdentity

_MOST_ADDRESSES: Final = 8
"""Of one peer."""

_REASONS: Final = frozenset({Why.VERSION, Why.PASSPHRASE, Why.PRIVATE, Why.PUBLIC, Why.NAME, Why.IDENTITY})
"""Why there is no connection, and will be none until people do something."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Something came over a connection."""

    connection: Connection
    data: bytes


@dataclass(frozen=True, slots=True)
class Up:
    """There is a connection, dialled by us or by the other side."""

    connection: Connection


@dataclass(frozen=True, slots=True)
class Down:
    """A connection is over."""

    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True)
class Tick:
    """It is time to look after everything."""


Signal: TypeAlias = Frame | Up | Down | Tick | Found


@dataclass(slots=True)
class Peer:
    """What is known of another node: where it may be, and the connection if there is one."""

    name: str = ""
    addresses: list[tuple[str, int]] = field(default_factory=list)
    connection: Connection | None = None
    heard: float = 0.0
    lost: float = inf
    """When the connection broke off; never, if there was none yet."""
    dialling: bool = False
    next_dial: float = 0.0
    back_off: float = 0.0
    wanted: bool = False
    """Whether it is worth dialling: it was found, or sits at our table."""
    refused_at: frozenset[tuple[str, int]] = frozenset()
    """Where one of us has refused the other for good: it is not dialled there again."""
    refusals: set[Why] = field(default_factory=set)
    """What the player was told of why there is no connection."""

    def learn(self, *addresses: tuple[str, int]) -> None:
        """Puts addresses before those that are known."""
        known = (address for address in self.addresses if address not in addresses)
        self.addresses = [*addresses, *known][:_MOST_ADDRESSES]


class Mesh:
    """The connections of one node. Its tasks only feed the inbox; whoever takes things out calls the other methods."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        timing: Timing,
        host: str,
        interfaces: tuple[str, ...],
        passphrase: str | None,
        admit: Admit,
        put: Callable[[Signal], None],
        tell_player: Callable[[NodeEvent], None],
        fail: Callable[[BaseException], None],
        *,
        discover: bool,
    ) -> None:
        """Takes who and where this node is, as ``Node`` does; nothing happens before ``start``.

        It puts what happens into the inbox, tells the player who comes and goes, and what a task died of: a defect.
        """
        self.peers: dict[PublicIdentity, Peer] = {}
        self._identity, self._name, self._timing = identity, name, timing
        self._listener = Listener(identity, name, timing, host, self._serve, passphrase=passphrase, admit=admit)
        self._connect = partial(connect, identity, name, timing, passphrase=passphrase, admit=admit)
        self._interfaces, self._discover = interfaces, discover
        self._discovery: Discovery | None = None
        self._put, self._tell_player, self._fail = put, tell_player, fail
        # Nothing is read faster than it is worked on: TCP slows down who floods, and memory stays bounded.
        self._room = asyncio.Semaphore(timing.inbox_frames)
        self._tasks: set[asyncio.Task[None]] = set()
        self._served: set[Connection] = set()

    @property
    def port(self) -> int:
        """Where the node listens."""
        return self._listener.port

    async def start(self) -> None:
        """Listens, announces the node, and begins to look for others."""
        await self._listener.start()
        self.spawn(self._beat())
        if self._discover:
            self._discovery = Discovery(
                self._identity.public, self._name, self.port, self._interfaces, self._timing.rescan_seconds
            )
            await self._discovery.__aenter__()
            self.spawn(self._look(self._discovery))

    async def stop(self) -> None:
        """Says goodbye to everybody."""
        await self._stop_tasks()
        if self._discovery is not None:
            await self._discovery.__aexit__(None, None, None)
        await asyncio.gather(self._listener.stop(), *(connection.leave() for connection in self._served))
        await self._stop_tasks()  # Those of connections that came in meanwhile.

    async def kill(self) -> None:
        """Breaks everything off without a word."""
        await self._stop_tasks()
        for connection in self._served:
            connection.cut()
        await self.stop()

    async def _stop_tasks(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Lets something run beside everything else, until it ends or the mesh does."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fail(error)

    # -- who is there

    def connected(self) -> dict[PublicIdentity, str]:
        """Returns who is connected now, with their names."""
        return {identity: peer.name for identity, peer in self.peers.items() if peer.connection is not None}

    @property
    def connections(self) -> frozenset[Connection]:
        """All that are open: of each peer the one that counts, and others that are being closed or came just now."""
        return frozenset(self._served)

    def want(self, identity: PublicIdentity, name: str, addresses: list[tuple[str, int]]) -> None:
        """Keeps trying to connect to somebody."""
        peer = self.peers.setdefault(identity, Peer())
        peer.wanted = True
        if peer.connection is None:  # Else the peer itself has said it, and others may be wrong.
            peer.name = name or peer.name
        peer.learn(*addresses)
        self._dial_later(identity, peer)

    async def dial(self, host: str, port: int) -> None:
        """Connects to a node by its address, where multicast is blocked.

        Raises:
            TransportError: Nobody answers there, or somebody who is no node.
        """
        connection = await self._connect(host, port)
        self.want(connection.peer, connection.name, [(host, port)])
        await self._serve(connection)

    def _dial_later(self, identity: PublicIdentity, peer: Peer) -> None:
        async def dial() -> None:
            if identity.key < self._identity.public.key:  # Both have found each other: one connection is enough.
                await asyncio.sleep(self._timing.courtesy_seconds)
            endings: list[Farewell] = []
            for host, port in list(peer.addresses) if peer.connection is None else ():
                try:
                    await self._serve(await self._connect(host, port, identity))
                except TransportError as error:
                    endings.append(error.ending)
                else:
                    endings.clear()
                    break
            for ending in endings:
                self._note_refusal(peer, ending)
            peer.dialling = False

        now = asyncio.get_running_loop().time()
        if (
            peer.connection is not None
            or peer.dialling
            or now < peer.next_dial
            or peer.refused_at.issuperset(peer.addresses)
        ):
            return
        peer.dialling = True
        peer.back_off = min(max(2 * peer.back_off, self._timing.reconnect_seconds), self._timing.most_reconnect_seconds)
        peer.next_dial = now + peer.back_off
        self.spawn(dial())

    def _note_refusal(self, peer: Peer, ending: Farewell) -> None:
        """Tells the player, once, why there is no connection, if it is for a reason that does not pass by itself."""
        if ending.why not in _REASONS:
            return
        if ending.why is not Why.IDENTITY:  # Who was dialled has refused, or was refused: nobody else could.
            peer.refused_at = frozenset(peer.addresses)
        if ending.why not in peer.refusals:
            peer.refusals.add(ending.why)
            self._tell_player(Refused(peer.name, self._why(peer.name, ending)))

    def _why(self, name: str, ending: Farewell) -> Phrase:
        match ending.why, ending.by_peer:
            case Why.NAME, False:
                return Phrase("news.not_the_same", name=name)
            case Why.NAME, True:
                return Phrase("news.stranger", name=name, own=self._name)
            case _:
                return ending.phrase

    # -- tasks that only feed the inbox

    async def _serve(self, connection: Connection) -> None:
        self._served.add(connection)

        async def serve() -> None:
            self._put(Up(connection))
            reason = ""
            try:
                async for data in connection:
                    self._hear(connection)
                    await self._room.acquire()
                    self._put(Frame(connection, data))
            except (TransportError, VerificationError, OSError) as error:
                reason = str(error) or type(error).__name__
            self._served.discard(connection)
            self._put(Down(connection, reason or (str(connection.ended.phrase) if connection.ended else "")))

        self.spawn(serve())

    def _hear(self, connection: Connection) -> None:
        """Notes a sign of life when it comes: the consumer may be busy with proofs, and read it much later."""
        if self.is_current(connection):
            self.peers[connection.peer].heard = asyncio.get_running_loop().time()

    async def _beat(self) -> None:
        """Shows that this node lives, however busy its consumer is."""
        while True:
            await asyncio.sleep(self._timing.heartbeat_seconds)
            await self.tell_all(Ping())
            self._put(Tick())

    async def _look(self, discovery: Discovery) -> None:
        while True:
            self._put(await discovery.found.get())

    # -- for the consumer

    def taken(self) -> None:
        """Makes room for another frame: call it for each that was taken out of the inbox."""
        self._room.release()

    def is_current(self, connection: Connection) -> bool:
        """Whether this is the connection that counts: each peer has one at the most."""
        peer = self.peers.get(connection.peer)
        return peer is not None and peer.connection is connection

    def up(self, connection: Connection) -> bool:
        """Takes note of a connection; returns whether it is the one that counts from now on."""
        peer = self.peers.setdefault(connection.peer, Peer())
        old = peer.connection
        if old is not None and not self._replaces(connection, old):
            self.spawn(connection.close("connected already"))
            return False
        peer.connection, peer.name, peer.back_off, peer.refused_at = connection, connection.name, 0.0, frozenset()
        peer.heard = asyncio.get_running_loop().time()
        if old is not None:
            self.spawn(old.close("connected anew"))
        else:
            self._tell_player(PeerUp(connection.peer, connection.name))
        return True

    def _replaces(self, new: Connection, old: Connection) -> bool:
        """Of two connections with one peer both sides must keep the same: the one that the smaller key dialled."""
        if new.dialled == old.dialled:
            return True
        smaller_dials = self._identity.public.key < new.peer.key
        return new.dialled == smaller_dials

    def down(self, connection: Connection, reason: str) -> bool:
        """Takes note that a connection is over; returns whether it was the one that counts."""
        if not self.is_current(connection):
            return False
        peer = self.peers[connection.peer]
        peer.connection = None
        ending = connection.ended
        has_left = ending is not None and ending.why is Why.LEFT and ending.by_peer
        peer.lost = asyncio.get_running_loop().time() - (self._timing.seat_seconds if has_left else 0)
        self._tell_player(PeerDown(connection.peer, connection.name, reason))
        if ending is not None and ending.by_peer:
            self._note_refusal(peer, ending)
        return True

    def gone(self) -> list[PublicIdentity]:
        """Returns who has left the network, or was cut off for too long to keep a seat."""
        latest = asyncio.get_running_loop().time() - self._timing.seat_seconds
        return [who for who, peer in self.peers.items() if peer.connection is None and peer.lost <= latest]

    async def look_after(self) -> None:
        """Dials who is wanted and not there, and hangs up on who gives no sign of life."""
        now = asyncio.get_running_loop().time()
        for identity, peer in list(self.peers.items()):
            if peer.connection is None:
                if peer.wanted:
                    self._dial_later(identity, peer)
            elif now - peer.heard > self._timing.dead_after_seconds:
                self.spawn(peer.connection.close("no sign of life"))

    def where(self) -> Where:
        """Returns where this node listens, and the others that it knows."""
        near = [(who.key, peer.addresses[0]) for who, peer in self.peers.items() if peer.connection and peer.addresses]
        return Where(self.port, tuple(Address(key, host, port) for key, (host, port) in near)[:MAX_ADDRESSES])

    def learn(self, connection: Connection, where: Where) -> None:
        """Notes where the sender listens, and takes hints about those whom this node misses: about nobody else."""
        self.peers[connection.peer].learn((connection.address, where.port))
        for other in where.others:
            peer = self.peers.get(PublicIdentity(other.key))
            if peer is not None and peer.wanted and peer.connection is None:
                peer.learn((other.host, other.port))

    # -- talking

    async def tell(self, identity: PublicIdentity, message: Message) -> bool:
        """Sends something to somebody; returns whether they are connected."""
        peer = self.peers.get(identity)
        if peer is None or peer.connection is None:
            return False
        with suppress(TransportError, OSError):
            await peer.connection.send(to_bytes(message))
        return True

    async def tell_all(self, message: Message) -> None:
        """Sends something to everybody who is connected."""
        for identity in self.connected():
            await self.tell(identity, message)
