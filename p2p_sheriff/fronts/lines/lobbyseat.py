"""A person at a table that is being gathered, with a keyboard and lines of text."""

from collections.abc import Callable
from contextlib import aclosing

from p2p_sheriff.bots import STYLES
from p2p_sheriff.commands.hiring import Hiring
from p2p_sheriff.commands.network import begin_if_complete, why_refused
from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.fronts.lines.listening import Typed, listen
from p2p_sheriff.fronts.lines.lobbylines import (
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
from p2p_sheriff.fronts.lines.teller import printable, tell
from p2p_sheriff.fronts.lines.understanding import NotUnderstood
from p2p_sheriff.gathering.gathering import Changed, Closed, LobbyError
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, PeerDown, PeerUp, Refused, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import ENGLISH, Texts, refusal_sentence, translated
from p2p_sheriff.usage import UsageError
from protocol.identity import PublicIdentity


class TableClosed(UsageError):  # noqa: N818 - says what is the case.
    """The table was closed, or the player was sent away from it."""


class LobbySeat:
    """Lets a person wait, talk terms and get ready, from sitting down until the game begins."""

    def __init__(
        self,
        node: Node,
        keyboard: Keyboard,
        bots: Hiring | None = None,
        show: Callable[[str], None] = tell,
        texts: Texts = ENGLISH,
    ) -> None:
        """Takes a node whose player has sat down, who can add bots, if anybody can, and the language."""
        self._node, self._keyboard, self._bots = node, keyboard, bots
        self._show_raw, self._texts = show, texts
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
            self._show(*terms(self._info.setup, self._texts), *self._seats(self._info))
        if ready:
            await self._node.at_table(lambda gathering: gathering.set_ready(True))
        else:
            self._show(self._texts("gather.hint"))
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
        return seats(info, self._me, self._node.connected(), self._texts)

    # -- what happens

    def _see(self, event: NodeEvent) -> None:
        match event:
            case Changed(info):
                before, self._info = self._info or info, info
                if before.id == info.id:
                    self._show(*changes(before, info, self._me, self._texts))
                else:  # Two have opened a table for the same rematch: one of them goes over to the other.
                    self._show(self._texts("gather.goes_over", title=info.title), *self._seats(info))
                if info.is_complete and not before.is_complete:
                    self._show(self._texts("gather.begins"))
            case Closed(reason) if self._node.gathering is None:
                raise TableClosed(translated(reason, self._texts))
            case PeerUp(identity, name) if self._is_member(identity):
                self._show(self._texts("seat.back", name=name))
            case PeerDown(identity, name, _) if self._is_member(identity):
                self._show(self._texts("seat.away", name=name))
            case Obstacle(sentence):
                self._show(translated(sentence, self._texts))
            case Refused():
                self._show(why_refused(event, self._texts))
            case Trouble(sentence):
                raise UsageError(translated(sentence, self._texts))
            case _:
                pass

    def _is_member(self, identity: PublicIdentity) -> bool:
        """Whether somebody sits at the table: others come and go without a word."""
        return self._info is not None and self._info.member(identity) is not None

    # -- what is typed

    async def _type(self, line: str | None) -> None:
        info = self._info
        if info is None or (line is not None and not line.strip()):
            return
        try:
            await self._fulfil(info, Leave() if line is None else understand(info, self._me, line, STYLES, self._texts))
        except (NotUnderstood, LobbyError) as refusal:
            self._show(refusal_sentence(refusal, self._texts))

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
                    raise NotUnderstood(self._texts("gather.bots_elsewhere"))
                self._show(self._texts("gather.bot_coming"))
                await self._bots.add(info, style)
            case Begin():
                self._show(*missing(info, self._me, self._node.connected(), self._texts))
                await begin_if_complete(self._node)
            case Leave():
                self._left = True
                await at_table(lambda gathering: gathering.leave())
                self._show(self._texts("gather.you_close" if info.opener == self._me else "gather.you_leave"))
            case LookAt("who"):
                self._show(self._network(), *self._seats(info))
            case LookAt("options"):
                self._show(self._texts("gather.named", title=info.title), *terms(info.setup, self._texts))
            case LookAt():
                self._show(*help_for(info, self._me, self._texts))

    def _network(self) -> str:
        names = list(self._node.connected().values())
        if not names:
            return self._texts("gather.network_empty")
        return self._texts("gather.network", n=len(names), names=", ".join(names))
