"""The game that a node plays or watches: what comes is checked, what is written is stored, and then sent.

Proofs are made and checked in a thread; one thing is done at a time, by whoever calls: the node's consumer.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.answers import Answers
from p2p_sheriff.node.copy import GameCopy, WatchedCopy
from p2p_sheriff.node.disk import DiskFull, StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, Seen, Trouble, WatchingStarted
from p2p_sheriff.node.limits import DEFAULT
from p2p_sheriff.node.log import GameBegun
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.wire import EntryOf, HeadsOf, Message
from p2p_sheriff.phrase import Phrase, phrase_of
from p2p_sheriff.rules import Seat, new_game
from p2p_sheriff.session.homecoming import ForkedError, LostSecretsError
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.entry import Head
from protocol.errors import DefectError, LocalError
from protocol.faults import Fault
from protocol.identity import PublicIdentity

_log = logging.getLogger(__name__)


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
        *,
        is_bot: bool,
    ) -> None:
        """Takes who the own player is; how often somebody may be helped out; and whom to tell what happens."""
        self._is_bot = is_bot
        self.keeper: Keeper | None = None
        """The game that is played."""
        self.watched: WatchedCopy | None = None
        """The game that is watched."""
        self._past: Keeper | None = None
        """The last game that was decided when it was put down: who of its players comes back later gets its end."""
        self.heads: dict[PublicIdentity, tuple[Head, ...]] = {}
        """What the others have of our game, players and onlookers, as they said last."""
        self.heads_came = asyncio.Event()
        self._me, self._mesh, self._open_log = me, mesh, open_log
        self._tell_player, self._show_game = tell_player, show_game
        self._answers = Answers(pause_seconds)
        self.onlookers: set[PublicIdentity] = set()
        """Who else has shown that they follow our game."""
        self._expected: Charter | None = None
        """A game that is about to go on here: it takes a while to check what was played."""
        self._unbegun: tuple[Charter, bool] | None = None
        """A game for which the disk has no room yet."""
        self._is_stuck = False
        """Whether the disk is full: what is written waits to be stored."""
        self._given_up = Phrase("news.no_game")
        self._shown: Seen | None = None

    # -- coming and going

    async def begin(self, charter: Charter, comes_back: bool = False) -> None:
        """Begins a game, as soon as there is room for it on the disk; or comes back to one before its first entry."""
        try:
            keeper = await asyncio.to_thread(self._open_log, charter)
        except DiskFull as full:
            if self._unbegun is None:
                self._tell_player(Obstacle(Phrase("store.waits", reason=full.phrase)))
            self._unbegun = (charter, comes_back)
        except StoreError as error:
            if not (comes_back and isinstance(error, GameBegun)):  # Then it is resumed when its player wants to.
                await self._give_up(phrase_of(error))
        else:
            if comes_back:
                keeper.come_home()
            await self.start(keeper)

    def expect(self, charter: Charter | None) -> None:
        """Knows the players of a game that will go on here, if there is one: what they send meanwhile is no flood."""
        self._expected = charter
        if charter is not None:
            self._meet(charter)

    async def start(self, keeper: Keeper) -> None:
        """Plays a game that is new, or goes on."""
        with suppress(StoreError):  # What others wrote at the end of the game before: they have it.
            await self._let_go()
        await asyncio.to_thread(keeper.look)  # Before the first proof is made: until then the player may speak already.
        self.keeper, self._expected = keeper, None
        if self._past is not None and self._past.game == keeper.game:
            self._past = None
        self._meet(keeper.charter)
        begin = new_game(keeper.session.play.state.setup)
        self._tell_player(GameStarted(keeper.session, begin, goes_on=bool(keeper.session.events)))
        self._show(keeper)
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
        self.onlookers.clear()
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
            await self._send(self.keeper, await asyncio.to_thread(_stored, self.keeper))
        if (keeper := self.keeper) is not None:
            _log.info("the game is put down, %s", "decided" if keeper.session.play.is_decided else "not decided")
            await self._tell_audience(keeper, HeadsOf(keeper.game, keeper.heads))  # They may wait for us to have all.
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
        self.onlookers.clear()
        if keeper is not None:
            if keeper.session.play.is_decided:
                self._past = keeper
            await asyncio.to_thread(keeper.close)

    def _meet(self, charter: Charter) -> None:
        for player in charter.players:
            if player.identity != self._me:
                self._mesh.want(player.identity, player.name, [])

    # -- what others do

    async def greet(self, peer: PublicIdentity) -> None:
        """Shows somebody who is newly connected what is here, if it concerns them."""
        self._answers.forget(peer)
        for copy in self._copies:
            if copy.charter.seat_of(peer) is not None:
                await self._mesh.tell(peer, HeadsOf(copy.game, copy.heads))
                for signed in copy.evidence:  # It may be in nobody's chain, so nobody would ask for it.
                    await self._mesh.tell(peer, EntryOf(copy.game, signed.to_bytes()))

    def has(self, identity: PublicIdentity) -> bool:
        """Whether somebody plays the game that is played or watched here, or will go on.

        Not who was put out: a cheat would be free to send without end.
        """
        will_go_on = self._expected is not None and self._expected.seat_of(identity) is not None
        return will_go_on or (self._copy is not None and _plays(self._copy, identity))

    def had(self, identity: PublicIdentity) -> bool:
        """Whether somebody has played the last game to its end, and may come for it."""
        return self._past is not None and _plays(self._past, identity)

    def is_without(self, identity: PublicIdentity) -> bool:
        """Whether the game that is played or watched here, or was last, has gone on without this one of its players."""
        copy = self._copy or self._past
        return copy is not None and copy.charter.seat_of(identity) is not None and not _plays(copy, identity)

    def lose(self, peer: PublicIdentity) -> None:
        """Takes note that somebody is not connected any more."""
        self._answers.forget(peer)
        if peer in self.onlookers:
            self.onlookers.remove(peer)
            del self.heads[peer]
        self.heads_came.set()

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
        copy = next((one for one in self._copies if one.game == game), None)
        if copy is None:
            return
        now = asyncio.get_running_loop().time()
        seat, is_going_on = copy.charter.seat_of(peer), copy is not self._past
        # Who does not read would have one answer after the other wait here.
        is_held_up = self._mesh.is_behind(peer) or (seat is None and self._is_crowded)
        answer = [] if is_held_up else self._answers.to(peer, copy, heads, now)
        if is_going_on:
            self.heads[peer] = heads
            self.heads_came.set()
        if is_going_on and seat is None:
            self.onlookers.add(peer)
        elif is_going_on and seat is not None and self.keeper is not None and not self.keeper.is_home:
            await self._work(lambda keeper: keeper.hear(Seat(seat), heads))
        for entry in answer:
            await self._mesh.tell(peer, EntryOf(game, entry))

    # -- what time brings, and the player

    async def tick(self) -> None:
        """Tries again what the disk had no room for, and shows the others what is here."""
        if self._unbegun is not None:
            await self.begin(*self._unbegun)
        if self._is_stuck:
            await self._work(lambda _: None)
        if (copy := self._copy) is not None:
            await self._tell_audience(copy, HeadsOf(copy.game, copy.heads))
            await self._tell_audience(copy, self._mesh.where())

    async def rest(self, is_idle: Callable[[], bool]) -> None:
        """Does what could wait, and work ahead of time, while nothing else is to be done."""
        if (keeper := self.keeper) is not None:
            await asyncio.to_thread(_rest, keeper, is_idle, drafts=not self._is_bot)

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

    async def excuse(self, seats: Collection[Seat]) -> None:
        """After a restart: does not wait for these any more before anything is written."""
        await self._work(lambda keeper: keeper.excuse(seats))

    # -- checking, storing, sending

    async def _work(self, first: Callable[[Keeper], object]) -> None:
        """Does something with the session, then its duties; what is written is stored, then sent.

        Only then the own player is told: the others wait for what is sent.
        """
        keeper, work = self.keeper, first
        if keeper is None:
            return
        try:
            while self.keeper is keeper:
                done = await asyncio.to_thread(_done, keeper, work)
                await self._send(keeper, done)
                if done.error is not None:
                    raise done.error
                if not done.written:
                    break
                work = Keeper.advance
        except (ForkedError, LostSecretsError) as error:
            await self._give_up(phrase_of(error))
        except DefectError:
            self.keeper = None  # What comes of it is neither stored nor sent.
            raise
        finally:
            if self.keeper is keeper:
                for fault in await self._tell_what_happened(keeper):
                    if fault.seat == keeper.session.seat:
                        await self._give_up(Phrase("troubles.proof", detail=fault.reason))

    async def _send(self, keeper: Keeper, done: "_Done") -> None:
        """Sends what was written and stored, or says why it could not be."""
        if isinstance(done.unstored, DiskFull):
            if not self._is_stuck:
                self._tell_player(Obstacle(Phrase("store.waits", reason=done.unstored.phrase)))
            self._is_stuck = True
            return
        if done.unstored is not None:
            await self._give_up(phrase_of(done.unstored))
            return
        self._is_stuck = False
        if (warning := keeper.warning) is not None:
            keeper.warning = None
            self._tell_player(Obstacle(warning))
        for data in done.written:
            await self._tell_audience(keeper, EntryOf(keeper.game, data))

    async def _tell_what_happened(self, copy: Keeper | WatchedCopy) -> list[Fault]:
        """Tells the player, and shows all others the proof of every fault; returns the faults."""
        events = copy.take_events()
        for event in (*events, *copy.figures.take()):
            self._tell_player(event)
        self._show(copy)
        faults = [event for event in events if isinstance(event, Fault)]
        for fault in faults:
            for signed in fault.evidence:  # Who was told the other version must see both.
                await self._tell_audience(copy, EntryOf(copy.game, signed.to_bytes()), also_behind=True)
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

    @property
    def _copies(self) -> list[GameCopy]:
        return [copy for copy in (self._copy, self._past) if copy is not None]

    @property
    def _is_crowded(self) -> bool:
        return sum(map(self._mesh.is_behind, self.onlookers)) >= DEFAULT.onlookers_behind

    async def _tell_audience(self, copy: GameCopy, message: Message, *, also_behind: bool = False) -> None:
        """Tells the players of a game, and who else follows it: all others on the network have their own.

        What an onlooker who is behind is not told it asks for, once it has read: only proofs are in nobody's chain.
        """
        for peer in self._mesh.connected():
            is_told = peer in self.onlookers and (also_behind or not self._mesh.is_behind(peer))
            if is_told or copy.charter.seat_of(peer) is not None:
                await self._mesh.tell(peer, message)


def _plays(copy: GameCopy, identity: PublicIdentity) -> bool:
    """Whether somebody is a player of a game, and was not put out."""
    return copy.charter.seat_of(identity) in copy.seen.play.state.seats


# -- in the thread: going there and back takes as long as reading an entry, so much is done at once


@dataclass(frozen=True, slots=True)
class _Done:
    """What has come of some work."""

    written: tuple[bytes, ...] = ()
    """What may be sent."""
    error: Exception | None = None
    """Why the work itself was in vain."""
    unstored: StoreError | LocalError | None = None
    """Why what was written may not be sent."""


def _done(keeper: Keeper, work: Callable[[Keeper], object]) -> _Done:
    """Does something, then the seat's duties until something is written, and stores that; else looks what has come."""
    try:
        work(keeper)
    except (DefectError, ForkedError, LostSecretsError):
        raise
    except Exception as error:  # It belongs to who asked for it, once all that was written is on its way.
        done = replace(_stored(keeper), error=error)
    else:
        done = _stored(keeper)
        while not (done.written or done.unstored) and keeper.advance():
            done = _stored(keeper)
    if done.error or not done.written:
        keeper.look()
    return done


def _stored(keeper: Keeper) -> _Done:
    try:
        return _Done(keeper.store())
    except (StoreError, LocalError) as error:
        return _Done(unstored=error)


def _rest(keeper: Keeper, is_idle: Callable[[], bool], *, drafts: bool) -> None:
    while is_idle() and keeper.rest(drafts=drafts):
        pass
