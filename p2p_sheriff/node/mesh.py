"""All connections of a node: who is found is dialled, who is lost is dialled again, what comes goes into one inbox."""

import asyncio
import socket
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, TypeAlias

from p2p_sheriff.node.acquaintances import Acquaintances, Peer
from p2p_sheriff.node.allowance import Allowance, Bucket
from p2p_sheriff.node.dials import Dials, Place
from p2p_sheriff.node.discovery import Discovery, Found
from p2p_sheriff.node.events import NodeEvent, PeerDown, PeerUp, Refused
from p2p_sheriff.node.farewell import Farewell, TransportError, Why, refusal
from p2p_sheriff.node.handshake import Admit
from p2p_sheriff.node.limits import DEFAULT, Limits
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Companions, Connection, Listener, connect
from p2p_sheriff.node.tries import Tries
from p2p_sheriff.node.wire import MAX_ADDRESSES, Address, Message, Ping, Where, to_bytes
from p2p_sheriff.phrase import Phrase
from protocol.errors import VerificationError
from protocol.identity import Identity, PublicIdentity

_REASONS: Final = frozenset({Why.VERSION, Why.PASSPHRASE, Why.PRIVATE, Why.PUBLIC, Why.NAME, Why.IDENTITY})
"""Why there is no connection, and will be none until people do something."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Something came over a connection."""

    connection: Connection
    data: bytes
    is_strangers: bool


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
        is_companion: Callable[[PublicIdentity], bool],
        is_player: Callable[[PublicIdentity], bool],
        discover: bool,
        limits: Limits = DEFAULT,
    ) -> None:
        """Takes who and where this node is, as ``Node`` does; nothing happens before ``start``.

        It puts what happens into the inbox, tells the player who comes and goes, and what a task died of: a defect.
        """
        self._identity, self._name, self._timing = identity, name, timing
        self._limits, self._is_companion, self._is_player = limits, is_companion, is_player
        self._dials = Dials(limits, timing.futile_seconds)
        # Who sits at our table and where is a stranger's word too, as long as no game has begun.
        self._table_dials = Dials(limits, timing.futile_seconds)
        self._known = Acquaintances(limits, self._dials, is_companion)
        self.peers = self._known.peers
        self._listener = Listener(
            identity, name, timing, host, self._serve, passphrase=passphrase, admit=admit, limits=limits,
            companions=Companions(is_companion, self._known.is_companions_address),
            tries=Tries(limits, self._known.has_met),
        )  # fmt: skip
        self._tries = Tries(limits, self._known.has_met)
        self._connect = partial(connect, identity, name, timing, passphrase=passphrase, admit=admit, tries=self._tries)
        self._interfaces, self._discover = interfaces, discover
        self._discovery: Discovery | None = None
        self._put, self._tell_player, self._fail = put, tell_player, fail
        # Nothing is read faster than it is worked on: TCP slows down who floods, and memory stays bounded.
        self._room = asyncio.Semaphore(limits.inbox_frames)
        self._strangers_room = asyncio.Semaphore(limits.stranger_frames)
        self._allowances: dict[tuple[Connection, bool], Allowance] = {}
        """Of all but players, by whether they are strangers: a guest at our table was one a moment ago."""
        self._strangers_time = Bucket(limits.strangers_share, limits.strangers_seconds)
        # A name that nobody answers for must not hold up the threads that make proofs.
        self._resolver = ThreadPoolExecutor(1, "names")
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
        self._resolver.shutdown(wait=False, cancel_futures=True)

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

    def want(self, identity: PublicIdentity, name: str, addresses: list[Place]) -> None:
        """Keeps trying to connect to somebody who shares our game or table."""
        peer = self.peers.setdefault(identity, Peer())
        peer.wanted = True
        if peer.connection is None:  # Else the peer itself has said it, and others may be wrong.
            peer.name = name or peer.name
        peer.learn(*addresses)
        self._dial_later(identity, peer)

    def unwant(self, identity: PublicIdentity) -> None:
        """Forgets somebody who was only said to be at our table, if they never came."""
        peer = self.peers.get(identity)
        if peer is not None and peer.connection is None:
            peer.wanted = False
            self._known.lose(identity, peer)

    def find(self, found: Found) -> None:
        """Tries to connect to somebody who has announced to be there, if there is room for one more stranger."""
        if self._known.find(found, asyncio.get_running_loop().time()):
            self.want(found.identity, found.name, [(host, found.port) for host in found.hosts])

    async def dial(self, host: str, port: int) -> None:
        """Connects to a node by its address, where multicast is blocked.

        Raises:
            TransportError: Nobody answers there, or somebody who is no node.
        """
        # Each is a person's own word: strangers who announce themselves can't use it up by failing with the passphrase.
        connection = await self._connect(await self._resolved(host), port, tries=None)
        self.want(connection.peer, connection.name, [(connection.address, port)])
        self.peers[connection.peer].asked_for = True
        await self._serve(connection)

    async def _resolved(self, host: str) -> str:
        """Returns the address of a host by its name, or the address that it is."""
        work = asyncio.get_running_loop().run_in_executor(self._resolver, socket.gethostbyname, host)
        try:
            async with asyncio.timeout(self._timing.handshake_seconds):
                return await work
        except (OSError, UnicodeError) as error:  # Among them the time limit.
            raise refusal(Why.UNREACHABLE, str(getattr(error, "strerror", None) or "that is no address")) from error

    def _dial_later(self, identity: PublicIdentity, peer: Peer) -> None:
        async def dial() -> None:
            if identity.key < self._identity.public.key:  # Both have found each other: one connection is enough.
                await asyncio.sleep(self._timing.courtesy_seconds)
            endings: list[Farewell] = []
            for place in peer.places if peer.wanted and peer.connection is None else ():
                try:
                    await self._dial(identity, place)
                except TransportError as error:
                    endings.append(error.ending)
                else:
                    endings.clear()
                    break
            for ending in endings:
                self._note_refusal(peer, ending)
            peer.dialling = False
            if endings:
                self._known.fail(identity, peer, asyncio.get_running_loop().time())

        now = asyncio.get_running_loop().time()
        if (
            peer.connection is not None
            or peer.dialling
            or now < peer.next_dial
            or peer.refused_at.issuperset(peer.places)
        ):
            return
        peer.dialling = True
        peer.back_off = min(max(2 * peer.back_off, self._timing.reconnect_seconds), self._timing.most_reconnect_seconds)
        peer.next_dial = now + peer.back_off
        self.spawn(dial())

    async def _dial(self, identity: PublicIdentity, place: Place) -> None:
        """Dials somebody at one address; but for players, only while there are not too many dials.

        Raises:
            TransportError: It was in vain.
        """
        if self._is_player(identity):
            await self._serve(await self._connect(*place, identity))
            return
        is_strangers = not self._is_companion(identity)
        dials = self._dials if is_strangers else self._table_dials
        if (is_strangers and not self._may_dial(identity)) or not dials.begin(place, asyncio.get_running_loop().time()):
            return
        try:
            await self._serve(await self._connect(*place, identity))
        finally:
            dials.end(place)

    def _may_dial(self, identity: PublicIdentity) -> bool:
        """Whether a stranger may be dialled now: those who answer stay connected, and take a socket each."""
        taken = sum(one.dialled and not self._is_companion(one.peer) for one in self._served)
        return taken < self._limits.dialled and self._tries.may(identity)

    def _note_refusal(self, peer: Peer, ending: Farewell) -> None:
        """Tells the player, once, why there is no connection, if it is for a reason that does not pass by itself."""
        if ending.why not in _REASONS:
            return
        if ending.why is not Why.IDENTITY:  # Who was dialled has refused, or was refused: nobody else could.
            peer.refused_at = frozenset(peer.places)
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
                    await self._enqueue(connection, data)
            except (TransportError, VerificationError, OSError) as error:
                reason = str(error) or type(error).__name__
            self._served.discard(connection)
            for is_strangers in (True, False):
                self._allowances.pop((connection, is_strangers), None)
            self._put(Down(connection, reason or (str(connection.ended.phrase) if connection.ended else "")))

        self.spawn(serve())

    async def _enqueue(self, connection: Connection, data: bytes) -> None:
        """Puts a frame into the inbox as soon as there is room; all but players wait as they use up what they have."""
        is_strangers = not self._is_companion(connection.peer)
        if not self._is_player(connection.peer):  # Anybody may sit down at our table.
            shared = self._strangers_time if is_strangers else None
            allowance = self._allowances.setdefault((connection, is_strangers), Allowance(self._limits, shared))
            seconds = allowance.read(len(data), asyncio.get_running_loop().time())
            if seconds > self._timing.dead_after_seconds:
                await connection.close("more than a stranger may send")
                return
            await asyncio.sleep(seconds)
        if is_strangers:
            await self._strangers_room.acquire()
        await self._room.acquire()
        self._put(Frame(connection, data, is_strangers))

    def _hear(self, connection: Connection) -> None:
        """Notes a sign of life when it comes: the consumer may be busy with proofs, and read it much later.

        A stranger who does not read gives none: what is sent to them would wait here for as long as they like.
        """
        is_there = not connection.is_behind or self._is_companion(connection.peer)
        if is_there and self.is_current(connection):
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

    def taken(self, frame: Frame) -> None:
        """Makes room for another frame: call it for each that was taken out of the inbox."""
        self._room.release()
        if frame.is_strangers:
            self._strangers_room.release()

    def worked(self, frame: Frame, seconds: float) -> None:
        """Notes how long a frame was worked on."""
        if allowance := self._allowances.get((frame.connection, frame.is_strangers)):
            allowance.worked(seconds + self._limits.frame_seconds, asyncio.get_running_loop().time())

    def is_current(self, connection: Connection) -> bool:
        """Whether this is the connection that counts: each peer has one at the most."""
        peer = self.peers.get(connection.peer)
        return peer is not None and peer.connection is connection

    def is_there(self, identity: PublicIdentity) -> bool:
        """Whether somebody is connected."""
        peer = self.peers.get(identity)
        return peer is not None and peer.connection is not None

    def up(self, connection: Connection) -> bool:
        """Takes note of a connection; returns whether it is the one that counts from now on."""
        peer = self.peers.setdefault(connection.peer, Peer())
        old = peer.connection
        if old is not None and not self._replaces(connection, old):
            self.spawn(connection.retire("connected already"))
            return False
        peer.connection, peer.name, peer.back_off, peer.refused_at = connection, connection.name, 0.0, frozenset()
        peer.failures = 0
        peer.heard = asyncio.get_running_loop().time()
        if old is not None:
            self.spawn(old.retire("connected anew"))
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
        self._known.lose(connection.peer, peer)
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
        """Notes where the sender listens, and takes a companion's hints about companions whom this node misses."""
        self.peers[connection.peer].learn((connection.address, where.port))
        if self._is_companion(connection.peer):
            self._known.hint(where.others)

    # -- talking

    def is_behind(self, identity: PublicIdentity) -> bool:
        """Whether somebody has not read yet what was sent."""
        peer = self.peers.get(identity)
        return peer is not None and peer.connection is not None and peer.connection.is_behind

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
