"""Brings a player to a table, a game to watch, or back to a game of their own; and does what they want at the table."""

import asyncio
from collections.abc import Callable
from secrets import token_bytes
from typing import TypeVar

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.seat import intents as wanted
from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.sight import Sight
from p2p_sheriff.seat.words import Words
from protocol.charter import MAX_NAME_BYTES

T = TypeVar("T")


def found(thing: T | None) -> T:
    """Returns what should be there.

    Raises:
        LobbyError: It is not any more.
    """
    if thing is None:
        raise LobbyError("tui.lobby.gone")
    return thing


class Usher:
    """At one node, for one player."""

    def __init__(
        self,
        node: Node,
        profile: Profile,
        words: Words,
        sight: Sight,
        show: Callable[[Notice], None],
        company: Company | None,
        *,
        reminds: bool,
    ) -> None:
        """Takes whom to tell what is under way, who can be added to a table, and whether to tell of games that wait."""
        self._node, self._profile, self._words, self._sight = node, profile, words, sight
        self._show, self._company, self._reminds = show, company, reminds

    async def do(self, intent: wanted.Coming) -> None:
        """Does what the player wants.

        Raises:
            LobbyError: It can't be done.
            StoreError: The disk does not work.
            TransportError: Nobody answers there.
        """
        node, at_table = self._node, self._node.at_table
        match intent:
            case wanted.OpenTable():
                await self._open(intent)
            case wanted.Join(table, purse):
                await node.join_table(found(node.tables.get(table)), purse)
                self._remind()
            case wanted.Watch(game):
                await node.watch(found(node.games.get(game)))
            case wanted.Dial(host, port):
                self._show(Notice(self._words("news.connecting", address=f"{host}:{port}")))
                await node.dial(host, port)
                self._sight.news.append(Notice(self._words("news.connected", address=f"{host}:{port}")))
            case wanted.Resume(game):
                await self._resume(found(game or next((one.id for one in self._sight.waiting), None)))
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
            case wanted.SayAtTable(text):
                await at_table(lambda gathering: gathering.chat(text))

    async def _open(self, table: wanted.OpenTable) -> None:
        if self._company is not None and table.tempo is not None:
            self._company.tempo = table.tempo
        title = self._words.texts("gather.title", name=self._node.name)[:MAX_NAME_BYTES]
        await self._node.open_table(title, table.setup, table.purse)
        self._remind()
        if table.with_bots:
            await self._node.at_table(lambda gathering: gathering.set_ready(True))
            bots = table.setup.players - 1
            self._show(Notice(self._words.texts("gather.coming", n=bots)))
            for _ in range(bots):
                await self._send_bot(None)

    def _remind(self) -> None:
        """Tells who sits down that another game, which was interrupted, waits. A lobby shows it by itself."""
        if self._sight.waiting and self._reminds:
            self._sight.hear(self._words.texts("seat.waits"))

    async def _add_bot(self, style: str | None) -> None:
        await self._send_bot(style)
        self._show(Notice(self._words("news.bot_coming")))

    async def _send_bot(self, style: str | None) -> None:
        info = found(self._node.gathering).info
        if self._company is None or info.opener != self._node.identity.public:
            raise LobbyError("gather.bots_elsewhere")
        if info.again:
            await self._node.at_table(lambda gathering: gathering.open_up())
        await self._company.add(info, style)

    async def _resume(self, game: bytes) -> None:
        """Comes back to an interrupted game; the node tells when it goes on."""
        if self._company is not None:
            await self._company.bring_back(game)
        loop = asyncio.get_running_loop()

        def show(done: int, of: int) -> None:
            notice = Notice(self._words("news.checking", done=done, of=of), passing=done < of)
            loop.call_soon_threadsafe(lambda: self._show(notice))

        self._node.expect(self._profile.charter(game))
        try:
            keeper = await asyncio.to_thread(Keeper.resume, self._profile, game, self._node.group, token_bytes, show)
            await self._node.resume(keeper)
        finally:
            self._node.expect(None)
