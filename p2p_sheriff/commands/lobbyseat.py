"""A person at a table that is being gathered, with a keyboard and lines of text."""

from collections.abc import Callable
from contextlib import aclosing

from p2p_sheriff.bots import STYLES
from p2p_sheriff.commands.hiring import Hiring
from p2p_sheriff.commands.lineseat import Keyboard, sentence_of
from p2p_sheriff.commands.listening import Typed, listen
from p2p_sheriff.commands.network import begin_if_complete, why_refused
from p2p_sheriff.commands.teller import printable, tell
from p2p_sheriff.linemode import NotUnderstood
from p2p_sheriff.lobby import Changed, Closed, LobbyError
from p2p_sheriff.lobbylines import (
    HINT,
    AddBot,
    Arrange,
    Begin,
    BeReady,
    Kick,
    Leave,
    LookAt,
    ShowPurse,
    Wish,
    changes,
    help_for,
    missing,
    seats,
    terms,
    understand,
)
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, PeerDown, PeerUp, Refused, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.session.session import Session
from p2p_sheriff.tables import TableInfo
from p2p_sheriff.usage import UsageError


class TableClosed(UsageError):  # noqa: N818 - says what is the case.
    """The table was closed, or the player was sent away from it."""


class LobbySeat:
    """Lets a person wait, talk terms and get ready, from sitting down until the game begins."""

    def __init__(
        self, node: Node, keyboard: Keyboard, bots: Hiring | None = None, show: Callable[[str], None] = tell
    ) -> None:
        """Takes a node whose player has sat down, and who can add bots, if anybody can."""
        self._node, self._keyboard, self._bots = node, keyboard, bots
        self._show_raw = show
        self._me = node.identity.public
        self._info: TableInfo | None = node.gathering.info if node.gathering is not None else None
        self._left = False

    async def gather(self, *, ready: bool = False) -> Session | None:
        """Returns the game when it begins; None if the player leaves before. Some scripts are ready at once.

        Raises:
            TableClosed: There will be no game at this table.
            UsageError: The node can't go on.
        """
        if self._info is not None:
            self._show(*terms(self._info.setup), *self._seats(self._info))
        if ready:
            await self._node.at_table(lambda gathering: gathering.set_ready(True))
        else:
            self._show(HINT)
        async with aclosing(listen(self._node, self._keyboard)) as heard:
            async for one in heard:
                match one:
                    case GameStarted(session):
                        return session
                    case Typed(line):
                        await self._type(line)
                    case _:
                        self._see(one)
                        if isinstance(one, Changed | PeerUp):
                            await begin_if_complete(self._node)
                if self._left:
                    break
        return None

    def _show(self, *lines: str) -> None:
        for line in lines:
            self._show_raw(printable(line))

    def _seats(self, info: TableInfo) -> list[str]:
        return seats(info, self._me, self._node.connected())

    # -- what happens

    def _see(self, event: NodeEvent) -> None:
        match event:
            case Changed(info):
                before, self._info = self._info or info, info
                if before.id == info.id:
                    self._show(*changes(before, info, self._me))
                else:  # Two have opened a table for the same rematch: one of them goes over to the other.
                    self._show(f'You go over to "{info.title}".', *self._seats(info))
                if info.is_complete and not before.is_complete:
                    self._show("All are ready: the game begins. Everybody shuffles, and proves it to everybody.")
            case Closed(reason) if self._node.gathering is None:
                raise TableClosed(printable(reason))
            case PeerUp(_, name):
                self._show(f"{name} is on the network.")
            case PeerDown(_, name, _):
                self._show(f"{name} is not on the network any more.")
            case Obstacle(sentence):
                self._show(sentence)
            case Refused():
                self._show(why_refused(event))
            case Trouble(sentence):
                raise UsageError(sentence)
            case _:
                pass

    # -- what is typed

    async def _type(self, line: str | None) -> None:
        info = self._info
        if info is None or (line is not None and not line.strip()):
            return
        try:
            await self._fulfil(info, Leave() if line is None else understand(info, self._me, line, STYLES))
        except (NotUnderstood, LobbyError) as refusal:
            self._show(sentence_of(refusal))

    async def _fulfil(self, info: TableInfo, wish: Wish) -> None:
        at_table = self._node.at_table
        match wish:
            case BeReady(ready):
                await at_table(lambda gathering: gathering.set_ready(ready))
            case ShowPurse(coins):
                await at_table(lambda gathering: gathering.set_purse(coins))
            case Arrange(order):
                await at_table(lambda gathering: gathering.arrange(order))
            case Kick(who):
                await at_table(lambda gathering: gathering.kick(who))
            case AddBot(style):
                if self._bots is None:
                    raise NotUnderstood("Bots can only be added to a table that was opened here with `host`.")
                self._show("A bot is on its way.")
                await self._bots.add(info, style)
            case Begin():
                self._show(*missing(info, self._me, self._node.connected()))
                await begin_if_complete(self._node)
            case Leave():
                self._left = True
                await at_table(lambda gathering: gathering.leave())
                self._show("You have closed the table." if info.opener == self._me else "You have left the table.")
            case LookAt("who"):
                names = ", ".join(self._node.connected().values())
                self._show(f"On the network: {names or 'nobody else yet'}.", *self._seats(info))
            case LookAt("options"):
                self._show(f'"{info.title}".', *terms(info.setup))
            case LookAt():
                self._show(*help_for(info, self._me))
