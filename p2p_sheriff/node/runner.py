"""One node: everything that happens goes into one inbox, and one consumer takes it out.

Connections, discovery, heartbeats and the player only put things into the inbox; the consumer alone touches the lobby
and the session. Proofs are made and checked in a thread, so that heartbeats and keys never wait for them.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from types import TracebackType
from typing import Final, Self, TypeAlias

from p2p_sheriff.lobby import Changed, Closed, Gathering, LobbyError, Member, Output, Send, Started, TableInfo
from p2p_sheriff.node.discovery import Discovery, Found, Lost
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection, Listener, TransportError, Why, connect
from p2p_sheriff.node.wire import (
    MAX_ADDRESSES,
    Address,
    EntryOf,
    HeadsOf,
    Lobby,
    Message,
    Ping,
    Tables,
    Where,
    from_bytes,
    to_bytes,
)
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.homecoming import ForkedError, LostSecretsError
from p2p_sheriff.session.session import GameEvent, Session
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import MalformedError, VerificationError
from protocol.faults import Fault
from protocol.group import Group
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng

_MOST_ADDRESSES: Final = 8
"""Of one peer."""


@dataclass(frozen=True, slots=True)
class PeerUp:
    """Somebody is connected."""

    identity: PublicIdentity
    name: str


@dataclass(frozen=True, slots=True)
class PeerDown:
    """Somebody is not connected any more."""

    identity: PublicIdentity
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class TablesChanged:
    """The list of tables on the network is another one."""

    tables: tuple[TableInfo, ...]


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game begins, or goes on after a restart."""

    session: Session


@dataclass(frozen=True, slots=True)
class Trouble:
    """This node can't go on; the sentence says why, and what to do."""

    sentence: str


NodeEvent: TypeAlias = Trouble | PeerUp | PeerDown | TablesChanged | Changed | Closed | GameStarted | GameEvent


@dataclass(frozen=True, slots=True)
class _Frame:
    connection: Connection
    data: bytes


@dataclass(frozen=True, slots=True)
class _Up:
    connection: Connection


@dataclass(frozen=True, slots=True)
class _Down:
    connection: Connection
    reason: str


@dataclass(frozen=True, slots=True)
class _Tick:
    pass


@dataclass(frozen=True, slots=True)
class _Intent:
    do: Callable[[], Awaitable[None]]
    done: asyncio.Future[None]


_Item: TypeAlias = _Frame | _Up | _Down | _Tick | _Intent | Found | Lost


@dataclass(slots=True)
class _Peer:
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
    heads: tuple[Head, ...] = ()
    """What it has of our game, as it said last."""
    wanted: bool = False
    """Whether it is worth dialling: it was found, or sits at our table."""

    def learn(self, *addresses: tuple[str, int]) -> None:
        """Puts addresses before those that are known."""
        known = (address for address in self.addresses if address not in addresses)
        self.addresses = [*addresses, *known][:_MOST_ADDRESSES]


class Node:
    """A node on the network. ``async with`` it; ``events`` tells what happens."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        group: Group,
        rng: Rng,
        open_log: Callable[[Charter], Keeper],
        timing: Timing | None = None,
        host: str = "0.0.0.0",  # noqa: S104 - a game for the whole local network listens on all of its interfaces.
        port: int = 0,
        interfaces: tuple[str, ...] = (),
        *,
        discover: bool = True,
    ) -> None:
        """Takes who this node is; nothing happens before ``async with``.

        Args:
            identity: The node's key.
            name: What its player is called.
            group: Where the cards are.
            rng: The source of all secrets.
            open_log: Makes the keeper of a game that starts.
            timing: Heartbeats and time limits.
            host: Where to listen.
            port: Where to listen; 0 for any free one.
            interfaces: On which interfaces to look for others; empty for all.
            discover: Whether to use mDNS at all.
        """
        self.identity, self.name = identity, name
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.tables: dict[bytes, TableInfo] = {}
        self.gathering: Gathering | None = None
        self.keeper: Keeper | None = None
        self._begun: Gathering | None = None  # Others may still lack what was said there to begin.
        self._group, self._rng, self._open_log = group, rng, open_log
        self._timing = timing or Timing()
        self._listener = Listener(identity, name, self._timing, host, port, self._welcome)
        self._interfaces, self._discover = interfaces, discover
        self._discovery: Discovery | None = None
        self._inbox: asyncio.Queue[_Item] = asyncio.Queue()
        # Nothing is read faster than it is worked on: TCP slows down who floods, and memory stays bounded.
        self._room = asyncio.Semaphore(self._timing.inbox_frames)
        self._peers: dict[PublicIdentity, _Peer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._heads_came = asyncio.Event()
        self._defect = ""

    @property
    def port(self) -> int:
        """Where the node listens."""
        return self._listener.port

    async def __aenter__(self) -> Self:
        """Listens, announces itself, and begins to work."""
        await self._listener.start()
        self._spawn(self._consume())
        self._spawn(self._beat())
        if self._discover:
            self._discovery = Discovery(
                self._group, self.identity.public, self.name, self.port, self._interfaces, self._timing.rescan_seconds
            )
            await self._discovery.__aenter__()
            self._spawn(self._look())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Says goodbye and stops."""
        await self._stop_tasks()
        if self._discovery is not None:
            await self._discovery.__aexit__(kind, error, trace)
        open_ones = [peer.connection for peer in self._peers.values() if peer.connection is not None]
        await asyncio.gather(self._listener.stop(), *(connection.close("goodbye") for connection in open_ones))
        await self._stop_tasks()  # Those of connections that came in meanwhile.

    async def _stop_tasks(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # -- what the player does: each is done by the consumer, one after the other

    async def do(self, action: Callable[[Session], None]) -> None:
        """Lets the player act in the game.

        Raises:
            Refusal: The rules forbid it.
            LobbyError: There is no game.
        """
        await self._intend(lambda: self._act(action))

    async def open_table(self, title: str, setup: Setup, purse: int | None = None) -> None:
        """Opens a table for others to join."""

        async def opening() -> None:
            self.gathering = Gathering.open(self._group, self._rng, self._me(purse), title, setup)
            await self._outputs([Changed(self.gathering.info)])
            await self._announce()

        await self._intend(opening)

    async def join_table(self, info: TableInfo, purse: int | None = None) -> None:
        """Joins a table that was found.

        Raises:
            LobbyError: It is full, or who opened it is not connected.
        """

        async def joining() -> None:
            self.gathering, outputs = Gathering.join(self._group, self._rng, self._me(purse), info)
            try:
                await self._outputs(outputs)
            except LobbyError:
                self.gathering = None
                raise

        await self._intend(joining)

    async def at_table(self, action: Callable[[Gathering], list[Output]]) -> None:
        """Does something at the table that is being gathered: ready, kick, leave, begin.

        Raises:
            LobbyError: It can't be done, or there is no table.
        """

        async def acting() -> None:
            if self.gathering is None:
                raise LobbyError("You are at no table.")
            await self._outputs(action(self.gathering))
            await self._announce()

        await self._intend(acting)

    async def dial(self, host: str, port: int) -> None:
        """Connects to a node by its address, where multicast is blocked.

        Raises:
            TransportError: Nobody answers there, or somebody who is no node.
        """
        connection = await connect(self.identity, self.name, self._timing, host, port)
        self.want(connection.peer, connection.name, [(host, port)])
        self._serve(connection)

    async def resume(self, keeper: Keeper) -> None:
        """Goes on with a game that was interrupted."""

        async def resuming() -> None:
            await self._start(keeper)

        await self._intend(resuming)

    @property
    def is_home(self) -> bool:
        """Whether the player may act: there is a game, and after a restart, all others have shown what they have."""
        return self.keeper is not None and self.keeper.is_home

    async def settle(self, seconds: float) -> bool:
        """Waits until all others have of the game what this node has, or that time is over; returns whether they do.

        Who leaves earlier may take an entry along that others still need to end the game.
        """
        keeper = self.keeper
        if keeper is None:
            return False
        players = [player.identity for player in keeper.session.table.charter.players]
        others = [self._peers[player] for player in players if player != self.identity.public]
        await self._intend(self._tick)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while any(peer.heads != keeper.heads for peer in others):
                    self._heads_came.clear()
                    await self._heads_came.wait()
        return all(peer.heads == keeper.heads for peer in others)

    def want(self, identity: PublicIdentity, name: str, addresses: list[tuple[str, int]]) -> None:
        """Keeps trying to connect to somebody who belongs to our game or table."""
        peer = self._peers.setdefault(identity, _Peer())
        peer.wanted, peer.name = True, name or peer.name
        peer.learn(*addresses)

    def connected(self) -> dict[PublicIdentity, str]:
        """Returns who is connected now, with their names."""
        return {identity: peer.name for identity, peer in self._peers.items() if peer.connection is not None}

    # -- tasks that only feed the inbox

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._defect = f"This node has a defect and stops: {type(error).__name__}: {error}"
            self._give_up(self._defect)
            while not self._inbox.empty():
                match self._inbox.get_nowait():
                    case _Intent(_, done) if not done.done():
                        done.set_exception(LobbyError(self._defect))
                    case _:
                        pass

    async def _welcome(self, connection: Connection) -> None:
        self._serve(connection)

    def _serve(self, connection: Connection) -> None:
        async def serve() -> None:
            self._inbox.put_nowait(_Up(connection))
            reason = ""
            try:
                async for data in connection:
                    self._hear(connection)
                    await self._room.acquire()
                    self._inbox.put_nowait(_Frame(connection, data))
            except (TransportError, VerificationError, OSError) as error:
                reason = str(error) or type(error).__name__
            self._inbox.put_nowait(_Down(connection, reason or str(connection.ended)))

        self._spawn(serve())

    def _hear(self, connection: Connection) -> None:
        """Notes a sign of life when it comes: the consumer may be busy with proofs, and read it much later."""
        peer = self._peers.get(connection.peer)
        if peer is not None and peer.connection is connection:
            peer.heard = asyncio.get_running_loop().time()

    async def _beat(self) -> None:
        """Shows that this node lives, however busy its consumer is."""
        while True:
            await asyncio.sleep(self._timing.heartbeat_seconds)
            for peer in list(self._peers.values()):
                if peer.connection is not None:
                    await self._tell(peer.connection, Ping())
            self._inbox.put_nowait(_Tick())

    async def _look(self) -> None:
        if self._discovery is not None:
            while True:
                self._inbox.put_nowait(await self._discovery.found.get())

    async def _intend(self, do: Callable[[], Awaitable[None]]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._defect:
            raise LobbyError(self._defect)
        self._inbox.put_nowait(_Intent(do, done))
        await done

    def _dial_later(self, identity: PublicIdentity, peer: _Peer) -> None:
        async def dial() -> None:
            for host, port in list(peer.addresses):
                with suppress(TransportError, OSError, TimeoutError):
                    self._serve(await connect(self.identity, self.name, self._timing, host, port, identity))
                    break
            peer.dialling = False

        now = asyncio.get_running_loop().time()
        if peer.connection is not None or peer.dialling or not peer.addresses or now < peer.next_dial:
            return
        peer.dialling = True
        peer.back_off = min(max(2 * peer.back_off, self._timing.reconnect_seconds), self._timing.most_reconnect_seconds)
        peer.next_dial = now + peer.back_off
        self._spawn(dial())

    # -- the consumer

    async def _consume(self) -> None:
        while True:
            if self._inbox.empty() and self.keeper is not None and not self.keeper.session.play.is_over:
                await asyncio.to_thread(self.keeper.session.rest)
            item = await self._inbox.get()
            match item:
                case _Frame(connection, data):
                    self._room.release()
                    await self._frame(connection, data)
                case _Up(connection):
                    await self._up(connection)
                case _Down(connection, reason):
                    await self._down(connection, reason)
                case _Tick():
                    await self._tick()
                case _Intent(do, done):
                    try:
                        await do()
                    except Exception as error:  # Whatever it is, it belongs to who asked for it.
                        if not done.cancelled():
                            done.set_exception(error)
                    else:
                        if not done.cancelled():
                            done.set_result(None)
                case Found(identity, name, hosts, port):
                    self.want(identity, name, [(host, port) for host in hosts])
                    self._dial_later(identity, self._peers[identity])
                case Lost():
                    pass

    async def _up(self, connection: Connection) -> None:
        peer = self._peers.setdefault(connection.peer, _Peer())
        old = peer.connection
        if old is not None and not self._replaces(connection, old):
            self._spawn(connection.close("connected already"))
            return
        peer.connection, peer.name, peer.back_off = connection, connection.name, 0.0
        peer.heard = asyncio.get_running_loop().time()
        if old is not None:
            self._spawn(old.close("connected anew"))
        else:
            self.events.put_nowait(PeerUp(connection.peer, connection.name))
        await self._greet(connection)

    def _replaces(self, new: Connection, old: Connection) -> bool:
        """Of two connections with one peer both sides must keep the same: the one that the smaller key dialled."""
        if new.dialled == old.dialled:
            return True
        smaller_dials = self.identity.public.key < new.peer.key
        return new.dialled == smaller_dials

    async def _greet(self, connection: Connection) -> None:
        await self._tell(connection, Where(self.port, self._addresses()))
        await self._tell(connection, Tables(self._own_tables()))
        if gathering := self.gathering or self._begun:
            for output in gathering.come(connection.peer):
                await self._tell(connection, Lobby(output.message))
        if self.keeper is not None:
            await self._tell(connection, HeadsOf(self.keeper.game, self.keeper.heads))

    async def _down(self, connection: Connection, reason: str) -> None:
        peer = self._peers.get(connection.peer)
        if peer is None or peer.connection is not connection:
            return
        peer.connection = None
        self.events.put_nowait(PeerDown(connection.peer, connection.name, reason))
        for table in [info.id for info in self.tables.values() if info.opener == connection.peer]:
            del self.tables[table]
        self._show_tables()
        ending = connection.ended
        has_left = ending is not None and ending.why is Why.LEFT and ending.by_peer
        peer.lost = asyncio.get_running_loop().time() - (self._timing.seat_seconds if has_left else 0)
        await self._free_seats()

    async def _free_seats(self) -> None:
        """Takes from the table who has left the network, or was cut off for too long."""
        latest = asyncio.get_running_loop().time() - self._timing.seat_seconds
        for identity, peer in list(self._peers.items()):
            if self.gathering is None or peer.connection is not None or peer.lost > latest:
                continue
            if outputs := self.gathering.gone(identity):
                await self._outputs(outputs)
                await self._announce()

    async def _tick(self) -> None:
        now = asyncio.get_running_loop().time()
        await self._free_seats()
        for identity, peer in list(self._peers.items()):
            if peer.connection is None:
                if peer.wanted:
                    self._dial_later(identity, peer)
            elif now - peer.heard > self._timing.dead_after_seconds:
                self._spawn(peer.connection.close("no sign of life"))
            elif self.keeper is not None:
                await self._tell(peer.connection, HeadsOf(self.keeper.game, self.keeper.heads))
                await self._tell(peer.connection, Where(self.port, self._addresses()))

    async def _frame(self, connection: Connection, data: bytes) -> None:
        peer = self._peers.get(connection.peer)
        if peer is None or peer.connection is not connection:
            return
        try:
            await self._message(connection, from_bytes(self._group, data))
        except VerificationError as error:
            self._spawn(connection.close(f"you sent what makes no sense: {error}"))
        except (StoreError, ForkedError, LostSecretsError) as error:
            self._give_up(str(error))

    def _give_up(self, reason: str) -> None:
        """Stops to take part in the game: nothing more is written, what is on disk stays."""
        self.keeper = None
        self.events.put_nowait(Trouble(reason))

    async def _message(self, connection: Connection, message: Message) -> None:
        match message:
            case Ping():
                pass
            case Where(port, others):
                self._learn_addresses(connection, port, others)
            case Tables(infos):
                self._learn_tables(connection.peer, infos)
            case Lobby() as lobby:
                if self.gathering is not None and self.gathering.info.id == lobby.table:
                    await self._outputs(self.gathering.handle(connection.peer, lobby.message, connection.address))
                    await self._announce()
            case EntryOf(game, entry):
                if self.keeper is not None and self.keeper.game == game:
                    await self._work(lambda keeper: keeper.receive(entry))
            case HeadsOf(game, heads):
                if self.keeper is not None and self.keeper.game == game:
                    await self._compare(connection, self.keeper, heads)

    def _addresses(self) -> tuple[Address, ...]:
        near = [(who.key, peer.addresses[0]) for who, peer in self._peers.items() if peer.connection and peer.addresses]
        return tuple(Address(key, host, port) for key, (host, port) in near)[:MAX_ADDRESSES]

    def _learn_addresses(self, connection: Connection, port: int, others: tuple[Address, ...]) -> None:
        """Notes where the sender listens, and takes hints about those whom this node misses: about nobody else."""
        self._peers[connection.peer].learn((connection.address, port))
        for other in others:
            peer = self._peers.get(PublicIdentity(other.key))
            if peer is not None and peer.wanted and peer.connection is None:
                peer.learn((other.host, other.port))

    # -- the lobby

    def _me(self, purse: int | None) -> Member:
        return Member(self.identity.public, self.name, "", self.port, purse)

    def _own_tables(self) -> tuple[TableInfo, ...]:
        mine = self.gathering is not None and self.gathering.is_opener
        return (self.gathering.info,) if mine and self.gathering is not None else ()

    async def _announce(self) -> None:
        for peer in list(self._peers.values()):
            if peer.connection is not None:
                await self._tell(peer.connection, Tables(self._own_tables()))

    def _learn_tables(self, sender: PublicIdentity, infos: tuple[TableInfo, ...]) -> None:
        if any(info.opener != sender for info in infos):
            raise MalformedError("a table is announced by who opened it")
        for table in [info.id for info in self.tables.values() if info.opener == sender]:
            del self.tables[table]
        self.tables.update({info.id: info for info in infos})
        self._show_tables()

    def _show_tables(self) -> None:
        self.events.put_nowait(TablesChanged(tuple(self.tables.values())))

    async def _outputs(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Send(to, message):
                    await self._send_lobby(to, Lobby(message))
                case Changed(info):
                    self._meet(info)
                    self.events.put_nowait(output)
                case Closed():
                    self.gathering = None
                    self.events.put_nowait(output)
                case Started(charter):
                    self._begun, self.gathering = self.gathering, None
                    await self._start(self._open_log(charter))

    async def _send_lobby(self, to: PublicIdentity | None, message: Lobby) -> None:
        if self.gathering is None:
            return
        receivers = [to] if to is not None else [member.identity for member in self.gathering.info.members]
        for receiver in receivers:
            peer = self._peers.get(receiver)
            if peer is not None and peer.connection is not None:
                await self._tell(peer.connection, message)
            elif to is not None:
                raise LobbyError("Who opened that table is not connected.")

    def _meet(self, info: TableInfo) -> None:
        """Wants a connection with every member: the list is of the opener's making, so it says only where to dial."""
        for member in info.members:
            if member.identity != self.identity.public:
                addresses = [(member.host, member.port)] if member.host else []
                self.want(member.identity, member.name, addresses)
                self._dial_later(member.identity, self._peers[member.identity])

    # -- the game

    async def _start(self, keeper: Keeper) -> None:
        self.keeper = keeper
        for player in keeper.session.table.charter.players:
            if player.identity != self.identity.public:
                self.want(player.identity, player.name, [])
        self.events.put_nowait(GameStarted(keeper.session))
        await self._announce()
        await self._work(lambda _: None)

    async def _compare(self, connection: Connection, keeper: Keeper, heads: tuple[Head, ...]) -> None:
        """Sends what the other lacks; after a restart, hears what they have of our own chain before we write again."""
        seat = keeper.session.table.charter.seat_of(connection.peer)
        if seat is not None:
            self._peers[connection.peer].heads = heads
            self._heads_came.set()
        if seat is not None and not keeper.is_home:
            await self._work(lambda keeper: keeper.hear(Seat(seat), heads))
        for entry in (*keeper.lacking(heads), *keeper.disputed(heads)):
            await self._tell(connection, EntryOf(keeper.game, entry))

    async def _act(self, action: Callable[[Session], None]) -> None:
        if self.keeper is None:
            raise LobbyError("There is no game.")
        await self._work(lambda keeper: action(keeper.session))

    async def _work(self, first: Callable[[Keeper], None]) -> None:
        """Does something with the session, then its duties; what is written is stored, then sent."""
        keeper = self.keeper
        if keeper is None:
            return
        try:
            await asyncio.to_thread(first, keeper)
        finally:
            await self._flush(keeper)
        while await asyncio.to_thread(keeper.advance):
            await self._flush(keeper)

    async def _flush(self, keeper: Keeper) -> None:
        for data in await asyncio.to_thread(keeper.store):
            await self._tell_all(EntryOf(keeper.game, data))
        for event in keeper.take_events():
            if isinstance(event, Fault):  # Who was told the other version must see both.
                for signed in event.evidence:
                    await self._tell_all(EntryOf(keeper.game, signed.to_bytes()))
            self.events.put_nowait(event)

    async def _tell_all(self, message: Message) -> None:
        for peer in list(self._peers.values()):
            if peer.connection is not None:
                await self._tell(peer.connection, message)

    async def _tell(self, connection: Connection, message: Message) -> None:
        with suppress(TransportError, OSError):
            await connection.send(to_bytes(message))
