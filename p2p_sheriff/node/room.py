"""The game that a node plays or watches: what comes is checked, what is written is stored, and then sent.

Proofs are made and checked in a thread; one thing is done at a time, by whoever calls: the node's consumer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.answers import Answers
from p2p_sheriff.node.copy import GameCopy, WatchedCopy
from p2p_sheriff.node.disk import DiskFull, StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, Seen, Trouble, WatchingStarted
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.wire import EntryOf, HeadsOf, Message
from p2p_sheriff.phrase import Phrase, phrase_of
from p2p_sheriff.rules import Seat
from p2p_sheriff.session.homecoming import ForkedError, LostSecretsError
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import DefectError, LocalError
from protocol.faults import Fault
from protocol.identity import PublicIdentity

_log = logging.getLogger(__name__)

T = TypeVar("T")


class Room:
    """Where one game is played, or watched; or none."""

    def __init__(
        self,
        me: PublicIdentity,
        mesh: Mesh,
        pause_seconds: float,
        open_log: Callable[[Charter], Keeper],
        tell_player: Callable[[NodeEvent], None],
        show_game: Callable[[Charter | None], Awaitable[None]],
    ) -> None:
        """Takes who the own player is; how often somebody may be helped out; and whom to tell what happens."""
        self.keeper: Keeper | None = None
        """The game that is played."""
        self.watched: WatchedCopy | None = None
        """The game that is watched."""
        self.heads: dict[PublicIdentity, tuple[Head, ...]] = {}
        """What the other players have of our game, as they said last."""
        self.heads_came = asyncio.Event()
        self._me, self._mesh, self._open_log = me, mesh, open_log
        self._tell_player, self._show_game = tell_player, show_game
        self._answers = Answers(pause_seconds)
        self._onlookers: set[PublicIdentity] = set()
        """Who else has shown that they follow our game."""
        self._unbegun: Charter | None = None
        """A game for which the disk has no room yet."""
        self._is_stuck = False
        """Whether the disk is full: what is written waits to be stored."""
        self._given_up = Phrase("news.no_game")
        self._shown: Seen | None = None

    # -- coming and going

    async def begin(self, charter: Charter) -> None:
        """Begins a game, as soon as there is room for it on the disk."""
        try:
            keeper = await asyncio.to_thread(self._open_log, charter)
        except DiskFull as full:
            if self._unbegun is None:
                self._tell_player(Obstacle(Phrase("store.waits", reason=full.phrase)))
            self._unbegun = charter
        except StoreError as error:
            await self._give_up(phrase_of(error))
        else:
            await self.start(keeper)

    async def start(self, keeper: Keeper) -> None:
        """Plays a game that is new, or goes on."""
        with suppress(StoreError):  # What others wrote at the end of the game before: they have it.
            await self._let_go()
        self.keeper = keeper
        keeper.take_events()  # What was played before is told by the state that it led to.
        self._meet(keeper.charter)
        self._tell_player(GameStarted(keeper.session, keeper.session.play.state))
        await self._show_game(keeper.charter)
        await self._work(lambda _: None)

    async def watch(self, spectator: Spectator) -> None:
        """Watches a game of others.

        Raises:
            LobbyError: The own player plays one.
        """
        if self.keeper is not None:
            raise LobbyError("news.watch_in_game")
        self.watched = WatchedCopy(spectator)
        self._onlookers.clear()
        self._meet(self.watched.charter)
        self._tell_player(WatchingStarted(spectator))
        await self._tell_audience(self.watched, HeadsOf(self.watched.game, self.watched.heads))

    async def finish(self) -> None:
        """Ends a game that is over on the disk, and wipes its secrets.

        Raises:
            StoreError: It could not: the game is still there, unfinished, and so are they.
        """
        if self.keeper is not None:
            await asyncio.to_thread(self.keeper.finish)

    async def put_down(self) -> None:
        """Ends to play or watch; everything is on disk then.

        Raises:
            StoreError: Not everything: others have what is not.
        """
        await self._show_game(None)
        if self.keeper is not None and self._is_stuck:
            await self._flush(self.keeper)
        if (keeper := self.keeper) is not None:
            _log.info("the game is put down, %s", "over" if keeper.session.play.is_over else "not over")
        await self._let_go()

    def drop(self, reason: Phrase) -> None:
        """Stops to take part in the game: nothing more is written, what is on disk stays."""
        self.keeper, self._unbegun, self._given_up = None, None, reason
        self._tell_player(Trouble(reason))

    async def _give_up(self, reason: Phrase) -> None:
        self.drop(reason)
        await self._show_game(None)

    async def _let_go(self) -> None:
        keeper, self.keeper, self.watched, self._shown = self.keeper, None, None, None
        self._unbegun, self._is_stuck = None, False
        self.heads.clear()
        self._onlookers.clear()
        if keeper is not None:
            await asyncio.to_thread(keeper.close)

    def _meet(self, charter: Charter) -> None:
        for player in charter.players:
            if player.identity != self._me:
                self._mesh.want(player.identity, player.name, [])

    # -- what others do

    async def greet(self, peer: PublicIdentity) -> None:
        """Shows somebody who is newly connected what is here, if it concerns them."""
        self._answers.forget(peer)
        copy = self._copy
        if copy is not None and copy.charter.seat_of(peer) is not None:
            await self._mesh.tell(peer, HeadsOf(copy.game, copy.heads))

    def lose(self, peer: PublicIdentity) -> None:
        """Takes note that somebody is not connected any more."""
        self._answers.forget(peer)
        self._onlookers.discard(peer)

    async def take(self, game: bytes, entry: bytes) -> None:
        """Takes an entry from anywhere.

        Raises:
            VerificationError: It is no entry of this game.
        """
        if self.keeper is not None and self.keeper.game == game:
            await self._work(lambda keeper: keeper.receive(entry))
        elif self.watched is not None and self.watched.game == game:
            try:
                await asyncio.to_thread(self.watched.receive, entry)
            finally:
                await self._tell_what_happened(self.watched)

    async def compare(self, peer: PublicIdentity, game: bytes, heads: tuple[Head, ...]) -> None:
        """Sends what the other lacks; after a restart, hears what they have of our own chain before we write again.

        Raises:
            MalformedError: They are not the heads of this game.
        """
        copy, now = self._copy, asyncio.get_running_loop().time()
        if copy is None or copy.game != game:
            return
        answer = self._answers.to(peer, copy, heads, now)
        seat = copy.charter.seat_of(peer)
        if seat is None:
            self._onlookers.add(peer)
        elif self.keeper is not None:
            self.heads[peer] = heads
            self.heads_came.set()
            if not self.keeper.is_home:
                await self._work(lambda keeper: keeper.hear(Seat(seat), heads))
        for entry in answer:
            await self._mesh.tell(peer, EntryOf(game, entry))

    # -- what time brings, and the player

    async def tick(self) -> None:
        """Tries again what the disk had no room for, and shows the others what is here."""
        if self._unbegun is not None:
            await self.begin(self._unbegun)
        if self._is_stuck:
            await self._work(lambda _: None)
        if (copy := self._copy) is not None:
            await self._tell_audience(copy, HeadsOf(copy.game, copy.heads))
            await self._tell_audience(copy, self._mesh.where())

    async def rest(self) -> None:
        """Does some work ahead of time."""
        if self.keeper is not None and not self.keeper.session.play.is_over:
            await asyncio.to_thread(self.keeper.session.rest)

    async def act(self, action: Callable[[Session], None]) -> None:
        """Lets the player act. On a full disk it counts too, but the others hear of it when there is room.

        Raises:
            Refusal: The rules forbid it.
            LobbyError: There is no game, or it can't go on here.
        """
        keeper = self.keeper
        if keeper is None:
            raise LobbyError("news.no_game")
        await self._work(lambda keeper: keeper.act(action))
        if self.keeper is not keeper:
            raise LobbyError(self._given_up)

    # -- checking, storing, sending

    async def _work(self, first: Callable[[Keeper], None]) -> None:
        """Does something with the session, then its duties; what is written is stored, then sent."""
        keeper = self.keeper
        if keeper is None:
            return
        try:
            await asyncio.to_thread(_then_look(first), keeper)
        except (ForkedError, LostSecretsError) as error:
            await self._give_up(phrase_of(error))
        except DefectError:
            self.keeper = None  # What comes of it is neither stored nor sent.
            raise
        finally:
            await self._flush(keeper)
        while self.keeper is keeper and await asyncio.to_thread(_then_look(Keeper.advance), keeper):
            await self._flush(keeper)

    async def _flush(self, keeper: Keeper) -> None:
        if self.keeper is not keeper:
            return
        try:
            written = await asyncio.to_thread(keeper.store)
        except DiskFull as full:
            if not self._is_stuck:
                self._tell_player(Obstacle(Phrase("store.waits", reason=full.phrase)))
            self._is_stuck = True
            self._show(keeper)
            return
        except (StoreError, LocalError) as error:
            await self._give_up(phrase_of(error))
            return
        self._is_stuck = False
        for data in written:
            await self._tell_audience(keeper, EntryOf(keeper.game, data))
        for fault in await self._tell_what_happened(keeper):
            if fault.seat == keeper.session.seat:
                await self._give_up(Phrase("troubles.proof", detail=fault.reason))

    async def _tell_what_happened(self, copy: Keeper | WatchedCopy) -> list[Fault]:
        """Tells the player, and shows all others the proof of every fault; returns the faults."""
        events = copy.take_events()
        for event in (*events, *copy.figures.take()):
            self._tell_player(event)
        self._show(copy)
        faults = [event for event in events if isinstance(event, Fault)]
        for fault in faults:
            for signed in fault.evidence:  # Who was told the other version must see both.
                await self._tell_audience(copy, EntryOf(copy.game, signed.to_bytes()))
        return faults

    def _show(self, copy: Keeper | WatchedCopy) -> None:
        """Tells the player what can be seen, if that is something else than before."""
        shown = self._shown
        if shown is None or copy.seen.play is not shown.play or copy.seen != shown:
            self._shown = copy.seen
            self._tell_player(copy.seen)

    @property
    def _copy(self) -> GameCopy | None:
        return self.keeper or self.watched

    async def _tell_audience(self, copy: GameCopy, message: Message) -> None:
        """Tells the players of a game, and who else follows it: all others on the network have their own."""
        for peer in self._mesh.connected():
            if peer in self._onlookers or copy.charter.seat_of(peer) is not None:
                await self._mesh.tell(peer, message)


def _then_look(work: Callable[[Keeper], T]) -> Callable[[Keeper], T]:
    """Returns the work with a look at what came of it, in the same thread: reading it later costs nothing."""

    def done(keeper: Keeper) -> T:
        result = work(keeper)
        keeper.look()
        return result

    return done
