"""One node: everything that happens goes into one inbox, and one consumer takes it out.

Connections, discovery, heartbeats and the player only put things into the inbox; the consumer alone touches the lobby
and the game. Proofs are made and checked in a thread, so that heartbeats and keys never wait for them.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from p2p_sheriff.lobby import Gathering, LobbyError, Output, TableInfo
from p2p_sheriff.node.copy import WatchedCopy
from p2p_sheriff.node.discovery import Found, Lost
from p2p_sheriff.node.disk import DiskFull, StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, Trouble, WatchingStarted
from p2p_sheriff.node.hall import Hall
from p2p_sheriff.node.mesh import Down, Frame, Item, Mesh, Tick, Up
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection
from p2p_sheriff.node.wire import EntryOf, GameInfo, Games, HeadsOf, Lobby, Message, Ping, Tables, Where, from_bytes
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.homecoming import ForkedError, LostSecretsError
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import VerificationError
from protocol.faults import Fault
from protocol.group import Group
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng


@dataclass(frozen=True, slots=True)
class _Intent:
    """Something that the player wants, and who waits for it."""

    do: Callable[[], Awaitable[None]]
    done: asyncio.Future[None]


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
        passphrase: str | None = None,
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
            passphrase: What everybody must know who connects, for a private table; None for an open one.
        """
        self.identity, self.name = identity, name
        self.events: asyncio.Queue[NodeEvent] = asyncio.Queue()
        self.keeper: Keeper | None = None
        self.watched: WatchedCopy | None = None
        self._group, self._rng, self._open_log = group, rng, open_log
        self._inbox: asyncio.Queue[Item | _Intent] = asyncio.Queue()
        tell_player = self.events.put_nowait
        self._mesh = Mesh(
            identity,
            name,
            group,
            timing or Timing(),
            host,
            port,
            interfaces,
            self._inbox.put_nowait,
            tell_player,
            self._fail,
            discover=discover,
            passphrase=passphrase,
        )
        self._hall = Hall(identity.public, name, group, rng, self._mesh, tell_player, self._begin)
        self._heads: dict[PublicIdentity, tuple[Head, ...]] = {}
        """What others have of our game, as they said last."""
        self._heads_came = asyncio.Event()
        self._is_stuck = False
        """Whether the disk is full: nothing new is done before what was written is stored and sent."""
        self._consumer: asyncio.Task[None] | None = None
        self._defect = ""

    async def __aenter__(self) -> Self:
        """Listens, announces itself, and begins to work."""
        await self._mesh.start()
        self._consumer = self._mesh.spawn(self._consume())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Puts everything on disk, says goodbye and stops."""
        try:
            with suppress(LobbyError):  # The consumer has died, and the game was given up then.
                await self._intend(self._put_down)
        finally:
            await self._mesh.stop()

    # -- what the player may look at

    @property
    def port(self) -> int:
        """Where the node listens."""
        return self._mesh.port

    @property
    def tables(self) -> dict[bytes, TableInfo]:
        """The tables of others that can be joined."""
        return self._hall.tables

    @property
    def games(self) -> dict[bytes, GameInfo]:
        """The games of others that can be watched."""
        return self._hall.games

    @property
    def gathering(self) -> Gathering | None:
        """The table at which the player sits, until its game starts."""
        return self._hall.gathering

    def connected(self) -> dict[PublicIdentity, str]:
        """Returns who is connected now, with their names."""
        return self._mesh.connected()

    @property
    def is_home(self) -> bool:
        """Whether the player may act: there is a game, and after a restart, all others have shown what they have."""
        return self.keeper is not None and self.keeper.is_home

    # -- what the player does: each is done by the consumer, one after the other

    async def do(self, action: Callable[[Session], None]) -> None:
        """Lets the player act in the game.

        Raises:
            Refusal: The rules forbid it.
            LobbyError: There is no game, or the disk is full.
        """
        await self._intend(lambda: self._act(action))

    async def open_table(self, title: str, setup: Setup, purse: int | None = None) -> None:
        """Opens a table for others to join."""
        await self._intend(lambda: self._hall.open_table(title, setup, purse))

    async def join_table(self, info: TableInfo, purse: int | None = None) -> None:
        """Joins a table that was found.

        Raises:
            LobbyError: It is full, or who opened it is not connected.
        """
        await self._intend(lambda: self._hall.join_table(info, purse))

    async def at_table(self, action: Callable[[Gathering], list[Output]]) -> None:
        """Does something at the table that is being gathered: ready, kick, leave, begin.

        Raises:
            LobbyError: It can't be done, or there is no table.
        """
        await self._intend(lambda: self._hall.at_table(action))

    async def watch(self, info: GameInfo) -> None:
        """Watches a game of others from its beginning, whenever that was."""
        await self._intend(lambda: self._watch(info))

    async def resume(self, keeper: Keeper) -> None:
        """Goes on with a game that was interrupted."""
        await self._intend(lambda: self._start(keeper))

    async def dial(self, host: str, port: int) -> None:
        """Connects to a node by its address, where multicast is blocked.

        Raises:
            TransportError: Nobody answers there, or somebody who is no node.
        """
        await self._mesh.dial(host, port)

    def want(self, identity: PublicIdentity, name: str, addresses: list[tuple[str, int]]) -> None:
        """Keeps trying to connect to somebody who belongs to our game or table."""
        self._mesh.want(identity, name, addresses)

    async def settle(self, seconds: float) -> bool:
        """Waits until all others have of the game what this node has, or that time is over; returns whether they do.

        Who leaves earlier may take an entry along that others still need to end the game.
        """
        keeper = self.keeper
        if keeper is None:
            return False
        players = [player.identity for player in keeper.session.table.charter.players]
        others = [player for player in players if player != self.identity.public]

        def is_settled() -> bool:
            return all(self._heads.get(other) == keeper.heads for other in others)

        await self._intend(self._tick)
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not is_settled():
                    self._heads_came.clear()
                    await self._heads_came.wait()
        return is_settled()

    async def put_down(self) -> None:
        """Ends to take part in the game, which is over or goes on later; everything of it is on disk then.

        Raises:
            StoreError: Not everything: others have what is not.
        """
        await self._intend(self._put_down)

    async def _intend(self, do: Callable[[], Awaitable[None]]) -> None:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self._consumer is None or self._consumer.done():
            raise LobbyError(self._defect or "This node does not run.")
        self._inbox.put_nowait(_Intent(do, done))
        await done

    def _fail(self, error: BaseException) -> None:
        """Takes note of a defect: nobody may wait for a consumer that has died."""
        self._defect = f"This node has a defect and stops: {type(error).__name__}: {error}"
        self._give_up(self._defect)
        while not self._inbox.empty():
            match self._inbox.get_nowait():
                case _Intent(_, done) if not done.done():
                    done.set_exception(LobbyError(self._defect))
                case _:
                    pass

    def _give_up(self, reason: str) -> None:
        """Stops to take part in the game: nothing more is written, what is on disk stays."""
        self.keeper = None
        self.events.put_nowait(Trouble(reason))

    # -- the consumer

    async def _consume(self) -> None:
        while True:
            if self._inbox.empty() and self.keeper is not None and not self.keeper.session.play.is_over:
                await asyncio.to_thread(self.keeper.session.rest)
            match await self._inbox.get():
                case Frame(connection, data):
                    self._mesh.taken()
                    await self._frame(connection, data)
                case Up(connection):
                    if self._mesh.up(connection):
                        await self._greet(connection.peer)
                case Down(connection, reason):
                    if self._mesh.down(connection, reason):
                        self._hall.lose(connection.peer)
                        await self._hall.free_seats()
                case Tick():
                    await self._tick()
                case _Intent(do, done):
                    await self._fulfil(do, done)
                case Found(identity, name, hosts, port):
                    self._mesh.want(identity, name, [(host, port) for host in hosts])
                case Lost():
                    pass

    async def _fulfil(self, do: Callable[[], Awaitable[None]], done: asyncio.Future[None]) -> None:
        try:
            await do()
        except Exception as error:  # Whatever it is, it belongs to who asked for it.
            if not done.cancelled():
                done.set_exception(error)
        else:
            if not done.cancelled():
                done.set_result(None)

    async def _greet(self, identity: PublicIdentity) -> None:
        await self._mesh.tell(identity, self._mesh.where())
        await self._hall.greet(identity)
        await self._tell_heads(identity)

    async def _tell_heads(self, identity: PublicIdentity) -> None:
        for copy in (self.keeper, self.watched):
            if copy is not None:
                await self._mesh.tell(identity, HeadsOf(copy.game, copy.heads))

    async def _tick(self) -> None:
        await self._hall.free_seats()
        await self._mesh.look_after()
        if self.keeper is None and self.watched is None:
            return
        if self._is_stuck:
            await self._try_again()
        for identity in self.connected():
            await self._tell_heads(identity)
            await self._mesh.tell(identity, self._mesh.where())

    async def _frame(self, connection: Connection, data: bytes) -> None:
        if not self._mesh.is_current(connection):
            return
        try:
            await self._message(connection, from_bytes(self._group, data))
        except VerificationError as error:
            self._mesh.spawn(connection.close(f"you sent what makes no sense: {error}"))
        except (StoreError, ForkedError, LostSecretsError) as error:
            self._give_up(str(error))

    async def _message(self, connection: Connection, message: Message) -> None:
        match message:
            case Ping():
                pass
            case Where():
                self._mesh.learn(connection, message)
            case Tables() | Games() | Lobby():
                await self._hall.hear(connection.peer, connection.address, message)
            case EntryOf(game, entry):
                if self.keeper is not None and self.keeper.game == game:
                    await self._work(lambda keeper: keeper.receive(entry))
                elif self.watched is not None and self.watched.game == game:
                    await self._look(self.watched.spectator, entry)
            case HeadsOf(game, heads):
                await self._compare(connection.peer, game, heads)

    # -- the game

    async def _begin(self, charter: Charter) -> None:
        await self._start(await asyncio.to_thread(self._open_log, charter))

    async def _start(self, keeper: Keeper) -> None:
        self.keeper, self._is_stuck = keeper, False
        self._heads.clear()
        charter = keeper.session.table.charter
        for player in charter.players:
            if player.identity != self.identity.public:
                self._mesh.want(player.identity, player.name, [])
        self.events.put_nowait(GameStarted(keeper.session))
        await self._hall.show_game(charter)
        await self._work(lambda _: None)

    async def _put_down(self) -> None:
        keeper, self.keeper, self.watched = self.keeper, None, None
        await self._hall.show_game(None)
        if keeper is not None:
            await asyncio.to_thread(keeper.close)

    async def _compare(self, peer: PublicIdentity, game: bytes, heads: tuple[Head, ...]) -> None:
        """Sends what the other lacks; after a restart, hears what they have of our own chain before we write again."""
        keeper = self.keeper
        if (
            keeper is not None
            and keeper.game == game
            and (seat := keeper.session.table.charter.seat_of(peer)) is not None
        ):
            self._heads[peer] = heads
            self._heads_came.set()
            if not keeper.is_home:
                await self._work(lambda keeper: keeper.hear(Seat(seat), heads))
        for copy in (self.keeper, self.watched):
            if copy is not None and copy.game == game:
                for entry in (*copy.lacking(heads), *copy.disputed(heads)):
                    await self._mesh.tell(peer, EntryOf(game, entry))

    async def _act(self, action: Callable[[Session], None]) -> None:
        if self.keeper is None:
            raise LobbyError("There is no game.")
        await self._work(lambda keeper: action(keeper.session))
        if self._is_stuck:
            raise LobbyError("The disk is full: make room on it, and the game goes on.")

    async def _work(self, first: Callable[[Keeper], None]) -> None:
        """Does something with the session, then its duties; what is written is stored, then sent."""
        keeper = self.keeper
        if keeper is None or self._is_stuck:
            return
        try:
            await asyncio.to_thread(first, keeper)
        finally:
            await self._flush(keeper)
        while self._may_go_on(keeper) and await asyncio.to_thread(keeper.advance):
            await self._flush(keeper)

    def _may_go_on(self, keeper: Keeper) -> bool:
        return self.keeper is keeper and not self._is_stuck

    async def _flush(self, keeper: Keeper) -> None:
        try:
            written = await asyncio.to_thread(keeper.store)
        except DiskFull as full:
            if not self._is_stuck:
                self.events.put_nowait(Obstacle(f"{full} The game waits for it."))
            self._is_stuck = True
            return
        self._is_stuck = False
        for data in written:
            await self._mesh.tell_all(EntryOf(keeper.game, data))
        for event in keeper.take_events():
            if isinstance(event, Fault):  # Who was told the other version must see both.
                for signed in event.evidence:
                    await self._mesh.tell_all(EntryOf(keeper.game, signed.to_bytes()))
            self.events.put_nowait(event)
            if isinstance(event, Fault) and event.seat == keeper.session.seat:
                self._give_up(f"The others have proof against this seat, and don't hear it any more: {event.reason}.")

    async def _try_again(self) -> None:
        """Stores what the full disk had no room for, and goes on."""
        keeper = self.keeper
        if keeper is not None:
            await self._flush(keeper)
            await self._work(lambda _: None)

    # -- the game of others

    async def _watch(self, info: GameInfo) -> None:
        if self.keeper is not None or self.gathering is not None:
            raise LobbyError("You can't watch a game while you play one.")
        spectator = Spectator(info.charter, self._group, self._rng)
        self.watched = WatchedCopy(spectator)
        for player in info.charter.players:
            self._mesh.want(player.identity, player.name, [])
        self.events.put_nowait(WatchingStarted(spectator))
        for identity in self.connected():
            await self._tell_heads(identity)

    async def _look(self, spectator: Spectator, entry: bytes) -> None:
        await asyncio.to_thread(spectator.receive, entry)
        for event in spectator.events:
            self.events.put_nowait(event)
        spectator.events.clear()
