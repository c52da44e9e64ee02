"""Runs a player at a node, from the lobby to the rematch: what the node tells becomes scenes, intents become deeds.

A front shows scenes and gives intents, one after the other. It never waits for the node, and knows no other front.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_bytes
from typing import Final, Protocol, TypeVar

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, WatchingStarted
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.rules import Refusal
from p2p_sheriff.seat import intents as wanted
from p2p_sheriff.seat.aftermath import Aftermath
from p2p_sheriff.seat.company import NAMES, Company
from p2p_sheriff.seat.picture import Answered, News, Notice, Picture
from p2p_sheriff.seat.sight import Scene, Sight
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import refusal_sentence
from protocol.charter import MAX_NAME_BYTES, Charter
from protocol.group import Edwards25519

SETTLE_SECONDS: Final = 10
"""How long the others have to get the end of a game before this node leaves."""


T = TypeVar("T")


class Front(Protocol):
    """Where the player is."""

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Shows how things are now, and what has changed since the last time."""

    async def wish(self) -> wanted.Intent | None:
        """Waits for what the player wants next; None if they have gone."""


class Driver:
    """One player at one node."""

    def __init__(
        self,
        node: Node,
        profile: Profile,
        front: Front,
        words: Words,
        *,
        company: Company | None = None,
        addresses: Sequence[str] = (),
        private: bool = False,
        has_lobby: bool = False,
        keeps: bool = True,
        audits: bool = True,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        """Takes a node that runs.

        Args:
            node: Where the player is.
            profile: Who the player is.
            front: How they see and speak.
            words: The language.
            company: Who can be added to a table of the player's own.
            addresses: Where others reach this node, without the port.
            private: Whether the node sees only those who know a passphrase.
            has_lobby: Whether there is one to go back to from a table; else the evening ends with it.
            keeps: Whether a game that is over is kept as a transcript, and its secrets are wiped.
            audits: Whether it is audited then.
            settle_seconds: How long the others have to get its end.
        """
        self._node, self._profile, self._front, self._words = node, profile, front, words
        self._company, self._has_lobby = company, has_lobby
        self._keeps, self._audits, self._settle_seconds = keeps, audits, settle_seconds
        self._sight = Sight(node, words, tuple(f"{address}:{node.port}" for address in addresses), private)
        if company is not None:
            self._sight.bots = lambda: company.styles
            company.tell = self._hear_of_bot
        self._sight.interrupted = next(iter(profile.unfinished_games()), None)
        self._ending: Aftermath | None = None
        self._ending_told: asyncio.Task[None] | None = None
        self._former: Picture | None = None
        """The game that is over, while its rematch is being gathered."""
        self._is_done = False
        self._parting = ""
        """What is said when the player leaves the table by themselves."""
        self.session: Session | None = None
        """The game that was played last."""
        self.spectator: Spectator | None = None
        """The game that was watched last."""
        self.last_word = ""
        """How it ended, in a sentence."""
        self.went_wrong = False
        """Whether that is something bad: the table was closed by others, or the end of a game could not be kept."""

    async def run(self, *first: wanted.Intent) -> wanted.Departure | None:
        """Runs until the player goes.

        Args:
            first: What the player wants at once.

        Returns:
            What needs another node, if that is why the player goes.

        Raises:
            UsageError: The node can't go on.
        """
        self._drain()
        if (keeper := self._node.keeper) is not None and self._sight.picture is None:  # Its game has begun before.
            self.take(GameStarted(keeper.session, keeper.seen.play.state, goes_on=True))
            self.take(keeper.seen)
        self._show()
        follow, obey = asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._obey(list(first)))
        try:
            await asyncio.wait({follow, obey}, return_when=asyncio.FIRST_COMPLETED)
            if follow.done():
                follow.result()
            return obey.result() if obey.done() else None
        finally:
            tasks = [task for task in (follow, obey, self._ending_told) if task is not None]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # -- what is shown

    def _show(self, *news: News) -> None:
        scene, told = self._sight.scene()
        self._front.show(scene, (*told, *news))
        if isinstance(scene, Picture) and scene.is_behind and not self._sight.is_behind:
            self._front.show(*self._sight.scene())  # All that was played before is told: from here on it is now.

    def _hear_of_bot(self, line: str) -> None:
        """Tells that a bot has failed, and the last word on why."""
        first, *more = line.splitlines()
        self._sight.hear(f"{first.partition(':')[0]}: {more[-1]}" if more else first)
        self._show()

    # -- what happens

    async def _follow(self) -> None:
        """Shows everything that the node tells, until there is nothing more to see."""
        while not self._is_done:
            self.take(await self._node.events.get())
            self._drain()
            self._show()
            await begin_if_complete(self._node)

    def _drain(self) -> None:
        """Takes in all that the node has told so far."""
        while not self._node.events.empty():
            self.take(self._node.events.get_nowait())

    def take(self, event: NodeEvent) -> None:
        """Takes in what the node tells."""
        sight = self._sight
        sight.take(event)
        match event:
            case GameStarted(session):
                self.session, self._ending, self._former = session, None, None
                for seat, player in enumerate(session.table.charter.players):
                    if seat != session.seat and player.name not in NAMES:  # Those of bots are everybody's.
                        self._profile.pin(player.name, player.identity)
            case WatchingStarted(spectator):
                self.spectator, self.session = spectator, None
            case _:
                pass
        if sight.closed is not None:
            self._close(sight.closed)
        is_ended = sight.picture is not None and sight.picture.is_ended
        if is_ended and self._keeps and self._ending is None and self.session is not None:
            self._ending = Aftermath(self._node, self._profile, self.session, self._words, self._settle_seconds)
            self._ending_told = asyncio.ensure_future(self._tell_ending(self._ending))

    def _close(self, reason: str) -> None:
        """Ends the table that was being gathered."""
        if self._company is not None:
            self._company.dismiss()
        self.last_word, self.went_wrong = self._parting or reason, not self._parting
        former, self._former = self._former, None
        if not self._has_lobby and self.went_wrong and former is not None:  # Another rematch may be asked for.
            self._sight.picture, self.went_wrong = replace(former, wanted_by=()), False
        else:
            self._is_done = not self._has_lobby
        if not (self._is_done and self.went_wrong):  # Else it is who has started us that says so.
            self._sight.news.append(Notice(self.last_word, refused=not self._parting))
        self._parting, self._sight.closed = "", None

    async def _tell_ending(self, ending: Aftermath) -> None:
        try:
            told = await ending.told()
        except (StoreError, LobbyError) as error:
            told = (refusal_sentence(error, self._words.texts),)
        self._end_with(ending, told)
        if self._audits:
            self._end_with(ending, (*told, await ending.audited()))

    def _end_with(self, ending: Aftermath, told: tuple[str, ...]) -> None:
        if self._sight.picture is not None and self._ending is ending:
            self._sight.picture = replace(self._sight.picture, ending=told)
            self._show()

    # -- what the player wants

    async def _obey(self, first: list[wanted.Intent]) -> wanted.Departure | None:
        """Does what the player asks for, one thing after the other; returns what needs another node."""
        while not self._is_done:
            match first.pop(0) if first else await self._front.wish():
                case None:
                    await self._go()
                    return None
                case wanted.OpenTable(passphrase=str(passphrase)) as table if passphrase:
                    return table
                case wanted.GoPrivate() | wanted.Rename() | wanted.StartTutorial() | wanted.EnterLobby() as departure:
                    return departure
                case intent:
                    self._show(await self.submit(intent))
                    await begin_if_complete(self._node)
        return None

    async def submit(self, intent: wanted.HallIntent | wanted.GameIntent) -> Answered:
        """Does what the player wants. What came of it has been seen when this returns."""
        try:
            await self._do(intent)
            answer = Answered()
        except (Refusal, LobbyError, StoreError, TransportError) as error:
            answer = Answered(refusal_sentence(error, self._words.texts))
        self._drain()
        return answer

    async def _do(self, intent: wanted.HallIntent | wanted.GameIntent) -> None:
        node, at_table = self._node, self._node.at_table
        match intent:
            case wanted.OpenTable():
                await self._open(intent)
            case wanted.Join(table, purse):
                await node.join_table(self._found(node.tables.get(table)), purse)
            case wanted.Watch(game):
                await node.watch(self._found(node.games.get(game)))
            case wanted.Dial(host, port):
                self._show(Notice(self._words("news.connecting", address=f"{host}:{port}")))
                await node.dial(host, port)
                self._sight.news.append(Notice(self._words("news.connected", address=f"{host}:{port}")))
            case wanted.Resume(game):
                await self._resume(self._found(game or self._sight.interrupted))
            case wanted.BeReady(ready):
                await at_table(lambda gathering: gathering.set_ready(ready))
            case wanted.ShowPurse(coins):
                await at_table(lambda gathering: gathering.set_purse(coins))
            case wanted.Arrange(order):
                await at_table(lambda gathering: gathering.arrange(order))
            case wanted.SendAway(who):
                await at_table(lambda gathering: gathering.kick(who))
            case wanted.AddBot(style):
                await self._add_bot(style)
            case wanted.LeaveTable():
                await self._leave_table()
            case wanted.LeaveGame():
                await self._leave_game()
            case wanted.Rematch():
                await self._rematch(self._found(self._sight.charter))
            case wanted.Mute(seat, is_muted):
                if self._sight.picture is not None:
                    self._sight.picture = self._sight.picture.muting(seat, is_muted=is_muted)
            case wanted.Say(text):
                await self._act(lambda session: session.say(text))
            case _:
                await self._act(lambda session: session.submit(intent))

    def _found(self, thing: T | None) -> T:
        if thing is None:
            raise LobbyError("tui.lobby.gone")
        return thing

    async def _act(self, action: Callable[[Session], None]) -> None:
        picture = self._sight.picture
        if picture is None or picture.view is None:
            raise LobbyError("tui.watch.only")
        if picture.coming_back:
            raise LobbyError("tui.status.coming_back")
        await self._node.do(action)

    # -- sitting down

    async def _open(self, table: wanted.OpenTable) -> None:
        title = self._words.texts("gather.title", name=self._node.name)[:MAX_NAME_BYTES]
        await self._node.open_table(title, table.setup, table.purse)
        if table.with_bots:
            await self._node.at_table(lambda gathering: gathering.set_ready(True))
            for _ in range(table.setup.players - 1):
                await self._add_bot(None)

    async def _add_bot(self, style: str | None) -> None:
        info = self._found(self._node.gathering).info
        if self._company is None or info.opener != self._node.identity.public:
            raise LobbyError("gather.bots_elsewhere")
        self._show(Notice(self._words("news.bot_coming")))
        await self._company.add(info, style)

    async def _resume(self, game: bytes) -> None:
        """Comes back to an interrupted game; the node tells when it goes on."""
        if self._company is not None:
            await self._company.bring_back(game)
        loop = asyncio.get_running_loop()

        def show(done: int, of: int) -> None:
            said = self._words("news.checking", done=done, of=of)
            loop.call_soon_threadsafe(lambda: self._show(Notice(said)))

        keeper = await asyncio.to_thread(Keeper.resume, self._profile, game, Edwards25519(), token_bytes, show)
        await self._node.resume(keeper)

    # -- and getting up

    async def _leave_game(self) -> None:
        """Puts the game down: one that is over is kept first."""
        self.last_word = ""
        try:
            if self._ending is not None:
                self.last_word = self._words.texts("seat.transcript", path=await self._ending.kept())
            elif self.session is not None:
                self.last_word = self._words.texts("seat.left")
            await self._node.put_down()
        except StoreError as error:  # Whoever wants to go goes: what is on the disk can be resumed.
            self.last_word, self.went_wrong = refusal_sentence(error, self._words.texts), True
        if self._company is not None:
            self._company.dismiss()
        if self.last_word:
            self._sight.news.append(Notice(self.last_word))
        if self._has_lobby:
            self._sight.picture = self._ending = None
            self._sight.interrupted = next(iter(self._profile.unfinished_games()), None)
        self._is_done = not self._has_lobby

    async def _leave_table(self) -> None:
        is_opener = self._node.gathering is not None and self._node.gathering.is_opener
        self._parting = self._words.texts("gather.you_close" if is_opener else "gather.you_leave")
        await self._node.at_table(lambda gathering: gathering.leave())

    async def _rematch(self, charter: Charter) -> None:
        if self._ending is not None:
            await self._ending.kept()
        await self._node.put_down()
        await self._node.rematch(charter)
        self._former, self._sight.picture = self._sight.picture, None

    async def _go(self) -> None:
        """Leaves whatever there is to leave: the player has gone."""
        if self._sight.picture is not None:
            await self._leave_game()
        elif self._node.gathering is not None:
            await self._leave_table()
        self._drain()
        self._show()


async def begin_if_complete(node: Node) -> None:
    """Starts the game of our table if we opened it, all seats are taken, and all are ready and connected."""
    gathering = node.gathering
    if gathering is None or not gathering.is_opener or not gathering.info.is_complete:
        return
    there = {node.identity.public, *node.connected()}
    if all(member.identity in there for member in gathering.info.members):
        with suppress(LobbyError):  # The list has changed meanwhile: the next event tells of that.
            await node.at_table(lambda gathering: gathering.begin())
