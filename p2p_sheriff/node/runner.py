"""One node: everything that happens goes into one inbox, and one consumer takes it out.

Connections, discovery, heartbeats and the player only put things into the inbox; the consumer alone touches the lobby
and the game. Proofs are made and checked in a thread, so that heartbeats and keys never wait for them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from time import thread_time, time_ns
from typing import Final, Self

from p2p_sheriff.gathering.gathering import Gathering, LobbyError, Output
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.copy import WatchedCopy
from p2p_sheriff.node.discovery import Found
from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.node.foyer import Foyer
from p2p_sheriff.node.handshake import Admit, anyone
from p2p_sheriff.node.logbook import EventQueue
from p2p_sheriff.node.mesh import Down, Frame, Mesh, Signal, Tick, Up
from p2p_sheriff.node.room import Room
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection
from p2p_sheriff.node.wire import EntryOf, GameInfo, Games, HeadsOf, Message, Ping, Tables, TableTalk, Where, from_bytes
from p2p_sheriff.phrase import Phrase, phrase_of
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.labels import make_points
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.errors import DefectError, VerificationError
from protocol.group import Group
from protocol.hashing import digest
from protocol.identity import Identity, PublicIdentity
from protocol.proofs.shuffle import Preparation, prepare
from protocol.randomness import Rng, hedged

_log = logging.getLogger(__name__)

_ONLOOKERS_SECONDS: Final = 5
"""How long onlookers, and who was voted out, have to get the end of a game: anybody may say to be one, so no longer."""


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
        interfaces: tuple[str, ...] = (),
        *,
        discover: bool = True,
        passphrase: str | None = None,
        admit: Admit = anyone,
        bot: str = "",
    ) -> None:
        """Takes who this node is; nothing happens before ``async with``.

        Args:
            identity: The node's key.
            name: What its player is called.
            group: Where the cards are.
            rng: The source of all secrets.
            open_log: Makes the keeper of a game that starts.
            timing: Heartbeats and time limits.
            host: Where to listen, on any free port.
            interfaces: On which interfaces to look for others; empty for all.
            discover: Whether to use mDNS at all.
            passphrase: What everybody must know who connects, for a private table; None for an open one.
            admit: Judges who connects by name and key: ``known_names`` of the profile's pins; or anyone.
            bot: The style of the bot that plays here; empty for a person.
        """
        self.identity, self.name, self.group = identity, name, group
        self.events: asyncio.Queue[NodeEvent] = EventQueue()
        self._rng, timing = rng, timing or Timing()
        self._inbox: asyncio.Queue[Signal | _Intent] = asyncio.Queue()
        put, tell_player = self._inbox.put_nowait, self.events.put_nowait
        self._mesh = Mesh(
            identity, name, timing, host, interfaces, passphrase, admit, put, tell_player, self._fail,
            is_companion=self._is_companion, is_player=self._is_player, discover=discover,
        )  # fmt: skip
        pause_seconds = timing.heartbeat_seconds / 2
        self._prepared: Preparation | None = None
        """For the first shuffle of the game that is about to begin."""
        self._open_log = open_log
        self._room = Room(
            identity.public, self._mesh, pause_seconds, self._begin, tell_player, self._show_game, is_bot=bool(bot)
        )
        self._hall = Foyer(identity, name, rng, self._mesh, tell_player, self._room.begin, admit, bot)
        self._consumer: asyncio.Task[None] | None = None
        self._defect = Phrase("news.not_running")

    async def __aenter__(self) -> Self:
        """Listens, announces itself, and begins to work."""
        await self._mesh.start()
        self._consumer = self._mesh.spawn(self._consume())
        return self

    async def __aexit__(self, *_: object) -> None:
        """Puts everything on disk, says goodbye and stops."""
        try:
            with suppress(LobbyError):  # The consumer has died, and the game was given up then.
                await self._intend(self._room.put_down)
        finally:
            await self._mesh.stop()

    async def kill(self) -> None:
        """Ends as a loss of power does: nothing more is stored, and nobody hears a word."""
        await self._mesh.kill()
        if self.keeper is not None:
            self.keeper.log.close()

    # -- what the player may look at

    @property
    def port(self) -> int:
        """Where the node listens."""
        return self._mesh.port

    @property
    def keeper(self) -> Keeper | None:
        """The game that is played, if one is."""
        return self._room.keeper

    @property
    def watched(self) -> WatchedCopy | None:
        """The game that is watched, if one is."""
        return self._room.watched

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
    def connections(self) -> frozenset[Connection]:
        """All connections that are open, also those that will be closed because the peer has another one."""
        return self._mesh.connections

    @property
    def is_running(self) -> bool:
        """Whether the node works: it was started, and has neither ended nor broken down."""
        return self._consumer is not None and not self._consumer.done()

    @property
    def is_idle(self) -> bool:
        """Whether nothing that has come waits to be worked on."""
        return self._inbox.empty()

    # -- what the player does: each is done by the consumer, one after the other

    async def do(self, action: Callable[[Session], None]) -> None:
        """Lets the player look at the game, or act in it if they are home. The others hear of it when it is stored.

        Raises:
            Refusal: The rules forbid it.
            LobbyError: There is no game, or it can't go on here.
        """
        await self._intend(lambda: self._room.act(action))

    async def excuse(self, seats: Collection[Seat]) -> None:
        """After a restart: does not wait for these any more, whom the player wants to go on without."""
        await self._intend(lambda: self._room.excuse(seats))

    async def open_table(self, title: str, setup: Setup, purse: int | None = None) -> None:
        """Opens a table for others to join."""
        await self._intend(lambda: self._hall.open_table(title, setup, purse))

    async def join_table(self, info: TableInfo, purse: int | None = None) -> None:
        """Joins a table that was found.

        Raises:
            LobbyError: It is full, or who opened it is not connected.
        """
        await self._intend(lambda: self._hall.join_table(info, purse))

    async def rematch(self, charter: Charter, purse: int | None = None) -> None:
        """Sits down with the people of a game that is over, at the table that one of them has opened, or a new one.

        Raises:
            LobbyError: The player was not in that game, or sits at a table already.
        """
        await self._intend(lambda: self._hall.rematch(charter, purse))

    async def decline(self, game: bytes) -> None:
        """Tells whoever wants a rematch of this game that the player does not, until they sit down at one."""
        await self._intend(lambda: self._hall.decline(game))

    async def at_table(self, action: Callable[[Gathering], list[Output]]) -> None:
        """Does something at the table that is being gathered: ready, purse, seats, kick, leave, begin.

        Raises:
            LobbyError: It can't be done, or there is no table.
        """
        await self._intend(lambda: self._hall.at_table(action))

    async def watch(self, info: GameInfo) -> Spectator:
        """Watches a game of others from its beginning, whenever that was; returns who looks.

        Raises:
            LobbyError: The own player sits at a table, or plays.
        """
        spectator = Spectator(info.charter, self.group, self._rng)
        await self._intend(lambda: self._watch(spectator))
        return spectator

    def expect(self, charter: Charter | None) -> None:
        """Knows the players of a game that is about to be resumed, while it is checked; None: it is not resumed."""
        self._room.expect(charter)

    async def resume(self, keeper: Keeper) -> None:
        """Goes on with a game that was interrupted."""
        await self._intend(lambda: self._room.start(keeper))

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
        """Waits until all other players have of the game what this node has, and for a moment also who looks on.

        Who leaves earlier may take an entry along that others still need to end the game. One that is decided is signed
        by all before: else who signs last would be the only one with all signatures.

        Returns:
            Whether all players have it.
        """
        keeper, room = self.keeper, self._room
        if keeper is None:
            return False

        def players() -> set[PublicIdentity]:
            seats = keeper.seen.play.state.seats
            return {keeper.charter.players[seat].identity for seat in seats} - {self.identity.public}

        def audience() -> set[PublicIdentity]:
            out = {one.identity for one in keeper.charter.players} - players() - {self.identity.public}
            return room.onlookers | out.intersection(self.connected())

        def have_it(others: Collection[PublicIdentity]) -> bool:
            return all(room.heads.get(other) == keeper.heads for other in others)

        def is_awaited() -> bool:
            return keeper.seen.play.is_decided and not keeper.seen.play.is_over

        await self._intend(self._tick)
        for whom, limit in ((players, seconds), (audience, min(seconds, _ONLOOKERS_SECONDS))):
            with suppress(TimeoutError):
                async with asyncio.timeout(limit):
                    while is_awaited() or not have_it(whom()):
                        room.heads_came.clear()
                        await room.heads_came.wait()
        return have_it(players())

    async def see_signed(self, seconds: float) -> None:
        """Waits until the decided game that is watched is signed by all, while a player is there who may bring that."""
        room = self._room

        def is_awaited() -> bool:
            copy = room.watched
            if copy is None or not copy.seen.play.is_decided or copy.seen.play.is_over:
                return False
            return any(copy.charter.seat_of(peer) is not None for peer in self.connected())

        with suppress(TimeoutError):
            async with asyncio.timeout(min(seconds, _ONLOOKERS_SECONDS)):
                while is_awaited():
                    room.heads_came.clear()
                    await room.heads_came.wait()

    async def finish(self) -> None:
        """Ends a game that is over on the disk, and wipes its secrets. Look at the own cards before.

        Raises:
            StoreError: It could not: the game is still there, unfinished, and so are they.
        """
        await self._intend(self._room.finish)

    async def put_down(self) -> None:
        """Ends to take part in the game, which is over or goes on later; everything of it is on disk then.

        Raises:
            StoreError: Not everything: others have what is not.
        """
        await self._intend(self._room.put_down)

    async def _intend(self, do: Callable[[], Awaitable[None]]) -> None:
        consumer = self._consumer
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        # Who asked may have gone in the moment when it was refused: then nobody is left to whom that matters.
        done.add_done_callback(lambda done: done.cancelled() or done.exception())
        if consumer is not None and not consumer.done():
            self._inbox.put_nowait(_Intent(do, done))
            try:
                await asyncio.wait({done, consumer}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                if not done.done():  # Nobody may wait for a consumer that has died.
                    done.cancel()
        if done.done() and not done.cancelled():
            return done.result()
        raise LobbyError(self._defect)

    def _fail(self, error: BaseException) -> None:
        """Takes note of a defect."""
        self._defect = phrase_of(error)
        _log.error("a defect", exc_info=error)
        self._room.drop(self._defect)

    # -- the consumer

    async def _consume(self) -> None:
        try:
            while True:
                if self._inbox.empty():
                    await self._rest()
                await self._take(await self._inbox.get())
        except Exception as error:  # Whatever it is, it is noted before anybody can see that the consumer has ended.
            self._fail(error)

    async def _rest(self) -> None:
        """Works ahead, for the game that is played or the one for which a table gathers, until something comes."""
        if self.gathering is not None:
            await asyncio.to_thread(self._prepare, self.gathering.info)
        await self._room.rest(lambda: self._inbox.empty() and self.is_running)

    def _prepare(self, info: TableInfo) -> None:
        make_points(self.group, info.setup)
        if self._prepared is None or len(self._prepared.order) != info.setup.cards:
            # No game is known yet for which it is made. A machine that was copied has another time, if nothing else.
            own = digest("hedge", self.identity.seed(), info.id)
            self._prepared = prepare(self.group, info.setup.cards, hedged(self._rng, "SH", own, time_ns()))

    def _begin(self, charter: Charter) -> Keeper:
        keeper = self._open_log(charter)
        if self._prepared is not None:
            keeper.session.secrets.take_along(self._prepared)
            self._prepared = None
        return keeper

    async def _take(self, item: Signal | _Intent) -> None:
        match item:
            case Frame() as frame:
                self._mesh.taken(frame)
                began = thread_time()  # Not the time of day: a busy machine would send onlookers away for nothing.
                await self._frame(frame.connection, frame.data)
                self._mesh.worked(frame, thread_time() - began)
            case Up(connection):
                if self._mesh.up(connection):
                    await self._greet(connection.peer)
            case Down(connection, reason):
                if self._mesh.down(connection, reason):
                    self._hall.lose(connection.peer)
                    self._room.lose(connection.peer)
                    await self._hall.free_seats()
            case Tick():
                await self._tick()
            case _Intent(do, done):
                await self._fulfil(do, done)
            case Found() as found:
                self._mesh.find(found)

    async def _fulfil(self, do: Callable[[], Awaitable[None]], done: asyncio.Future[None]) -> None:
        try:
            await do()
        except DefectError:
            raise
        except Exception as error:  # Whatever else it is, it belongs to who asked for it.
            if not done.cancelled():
                done.set_exception(error)
        else:
            if not done.cancelled():
                done.set_result(None)

    async def _greet(self, identity: PublicIdentity) -> None:
        await self._mesh.tell(identity, self._mesh.where())
        await self._hall.greet(identity)
        await self._room.greet(identity)

    async def _tick(self) -> None:
        await self._hall.repeat()
        await self._hall.free_seats()
        await self._mesh.look_after()
        await self._room.tick()

    async def _frame(self, connection: Connection, data: bytes) -> None:
        # Also over a connection that is being given up for another one: what was said there is said nowhere else.
        if not self._mesh.is_there(connection.peer):
            return
        try:
            await self._message(connection, from_bytes(self.group, data))
        except VerificationError as error:
            self._mesh.spawn(connection.close(f"you sent what makes no sense: {error}"))

    async def _message(self, connection: Connection, message: Message) -> None:
        match message:
            case Ping():
                pass
            case Where():
                self._mesh.learn(connection, message)
            case Tables() | Games() | TableTalk():
                await self._hall.hear(connection.peer, connection.address, message)
            case EntryOf(game, entry):
                await self._room.take(game, entry)
            case HeadsOf(game, heads):
                await self._room.compare(connection.peer, game, heads)

    def _is_player(self, identity: PublicIdentity) -> bool:
        """Whether somebody shares our game: they have signed that, and are dialled whatever else there is to dial."""
        return self._room.has(identity)

    def _is_companion(self, identity: PublicIdentity) -> bool:
        """Whether somebody shares our game or table, so that strangers must not take their place."""
        was_put_out = self.gathering is None and self._room.is_without(identity)
        is_at_table = self._hall.has(identity) and not was_put_out
        return self._room.has(identity) or self._room.had(identity) or is_at_table

    # -- from the hall into the room

    async def _show_game(self, charter: Charter | None) -> None:
        await self._hall.show_game(charter)

    async def _watch(self, spectator: Spectator) -> None:
        if self.gathering is not None:
            raise LobbyError("news.watch_at_table")
        await self._room.watch(spectator)
