"""A person in the lobby, with a screen: the node's events become pictures, and keys become tables and seats."""

import asyncio
import os
from collections.abc import Mapping
from secrets import token_bytes
from typing import Final, TypeAlias

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from p2p_sheriff.commands.network import begin_if_complete
from p2p_sheriff.commands.troupe import Troupe
from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.beginning import Beginning
from p2p_sheriff.fronts.tui.hall import (
    AddBot,
    Arrange,
    BeReady,
    Dial,
    Game,
    GoPrivate,
    Hall,
    Join,
    LeaveTable,
    OpenTable,
    Person,
    Rename,
    Resume,
    SendAway,
    ShowPurse,
    StartTutorial,
    Watch,
    short,
)
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.model import AskHelp
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.gathering import Changed, Closed, LobbyError
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import GameStarted, NodeEvent, Obstacle, PeerDown, PeerUp, Refused, Trouble
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.rules import Setup, State
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import refusal_sentence, translated
from p2p_sheriff.usage import UsageError
from protocol.charter import MAX_NAME_BYTES
from protocol.group import Edwards25519

Outcome: TypeAlias = Session | GameInfo | Intent | None
"""What a visit ends with: a game that begins, one to watch, something that needs another node, or going home."""

_HELPED_PLAYERS: Final = 4
"""The rules that are shown before somebody sits at a table are those for so many."""


class ScreenLobby:
    """Lets a person look around, sit down and wait, until a game begins or they go."""

    def __init__(
        self,
        node: Node,
        profile: Profile,
        bots: Troupe,
        words: Words,
        addresses: list[str],
        *,
        private: bool = False,
        only_table: bool = False,
        ascii_only: bool = False,
        environment: Mapping[str, str] = os.environ,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        """Takes a node.

        Args:
            node: Where the player is.
            profile: Who the player is.
            bots: Who can be added to a table of the player's own.
            words: The language.
            addresses: Where others reach this node, without the port.
            private: Whether the node sees only those who know a passphrase.
            only_table: Whether the visit ends when the player leaves the table, in place of going to the lobby.
            ascii_only: Whether to draw without box lines, whatever the locale says.
            environment: What says how many colours the terminal has.
            terminal_input: Where keys come from; by default the terminal.
            terminal_output: Where pictures go; by default the terminal.
        """
        self._node, self._profile, self._bots, self._words = node, profile, bots, words
        self._addresses = tuple(f"{address}:{node.port}" for address in addresses)
        self._private, self._only_table = private, only_table
        unfinished = () if only_table else profile.unfinished_games()
        self._interrupted = unfinished[0] if unfinished else None
        self._app = App(
            LobbyScreen(self._hall(), words),
            self._act,
            words,
            depth_of(environment),
            ascii_only=ascii_only or needs_ascii(environment),
            terminal_input=terminal_input,
            terminal_output=terminal_output,
        )
        self._intents: asyncio.Queue[Intent] = asyncio.Queue()
        self._outcome: Outcome = None
        self._is_leaving = False
        self.last_word = ""
        """Why there is no game at the table any more, if there is none."""
        self.told: State | None = None
        """The state that a resumed game goes on from."""

    async def visit(self, *first: Intent, said: str = "") -> Outcome:
        """Shows the lobby, or the table at which the player sits, until a game begins or the player goes.

        Args:
            first: What the player wants at once.
            said: A sentence to begin with.

        Raises:
            UsageError: The node can't go on.
        """
        for intent in first:
            self._intents.put_nowait(intent)
        if said:
            self._show(self._lobby.saying(said))
        self._bots.tell = self._hear_of_bot
        follow, obey = asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._obey())
        showing = asyncio.ensure_future(self._app.run())
        try:
            await asyncio.wait({showing, follow, obey}, return_when=asyncio.FIRST_COMPLETED)
            for task in (follow, obey):
                if task.done():
                    task.result()
            if isinstance(self._outcome, Session) and self.told is None and self._is_among_people(self._outcome):
                obey.cancel()
                self._show_words(self._outcome)
                await showing
        finally:
            self._bots.tell = lambda _: None
            for task in (follow, obey):
                task.cancel()
            await asyncio.gather(follow, obey, return_exceptions=True)
            if not showing.done():
                self._app.leave()
            await showing
        return self._outcome

    # -- what is shown

    @property
    def _lobby(self) -> LobbyScreen:
        screen = self._app.screen
        if not isinstance(screen, LobbyScreen):
            raise TypeError("The first screen of the lobby is the lobby.")
        return screen

    def _show(self, lobby: LobbyScreen) -> None:
        self._app.change(lobby)

    def _hall(self) -> Hall:
        node = self._node
        games = tuple(
            Game(info.charter.game, info.title, tuple(Person(one.identity, one.name) for one in info.charter.players))
            for info in node.games.values()
            if info.charter.seat_of(node.identity.public) is None
        )
        return Hall(
            Person(node.identity.public, node.name),
            tuple(node.tables.values()),
            games,
            tuple(Person(identity, name) for identity, name in node.connected().items()),
            self._addresses,
            self._private,
            self._interrupted is not None,
            node.gathering.info if node.gathering is not None else None,
            self._bots.styles,
        )

    def _is_among_people(self, session: Session) -> bool:
        """Whether anybody else plays than the player's own bots: nobody comes between those."""
        players = [player.name for seat, player in enumerate(session.table.charter.players) if seat != session.seat]
        return any(name not in self._bots.styles for name in players)

    def _show_words(self, session: Session) -> None:
        charter = session.table.charter
        names = tuple(short(player.name) for player in charter.players)
        self._app.change(Beginning(self._words, names, game_words(charter.game)))

    def _hear_of_bot(self, line: str) -> None:
        """Shows that a bot has failed, and the last word on why."""
        first, *more = line.splitlines()
        said = f"{first.partition(':')[0]}: {more[-1]}" if more else first
        if self._node.gathering is not None and isinstance(self._app.screen, LobbyScreen):
            self._show(self._lobby.hearing(said))

    # -- what happens

    async def _follow(self) -> None:
        """Shows everything that the node tells, until a game begins."""
        while self._outcome is None:
            event = await self._node.events.get()
            if isinstance(event, GameStarted):
                self._outcome = event.session
                return
            self._show(self._lobby.seeing(self._hall()))
            self._see(event)
            if isinstance(event, Changed | PeerUp):
                await begin_if_complete(self._node)

    def _see(self, event: NodeEvent) -> None:
        lobby, words = self._lobby, self._words
        match event:
            case Closed(reason) if self._node.gathering is None:
                self._bots.dismiss()
                said = translated(reason, words.texts)
                self._show(lobby.saying(said, refused=not self._is_leaving))
                self._is_leaving, self.last_word = False, said
                if self._only_table:
                    self._app.leave()
            case PeerUp(_, name) if lobby.hall.table is None:
                self._show(lobby.hearing(words("news.came", name=short(name))))
            case PeerDown(_, name, _) if lobby.hall.table is None:
                self._show(lobby.hearing(words("news.went", name=short(name))))
            case Refused(name, sentence):
                said = words("news.refused", name=short(name), reason=translated(sentence, words.texts))
                # Among those who share a passphrase, all others are refused.
                self._show(lobby.hearing(said).saying(said, refused=not self._private))
            case Obstacle(sentence):
                self._show(lobby.saying(translated(sentence, words.texts), refused=True))
            case Trouble(sentence):
                raise UsageError(translated(sentence, words.texts))
            case _:
                pass

    # -- what the player wants

    def _act(self, intent: Intent) -> None:
        match intent:
            case AskHelp():
                table = self._node.gathering
                setup = table.info.setup if table is not None else Setup(_HELPED_PLAYERS)
                self._app.push(HelpScreen.of(setup, self._words))
            case _:
                self._intents.put_nowait(intent)

    async def _obey(self) -> None:
        """Does what the player asked for, one thing after the other."""
        while self._outcome is None:
            intent = await self._intents.get()
            try:
                await self._do(intent)
            except (LobbyError, StoreError, TransportError) as error:
                if isinstance(self._app.screen, LobbyScreen):
                    said = refusal_sentence(error, self._words.texts)
                    self._show(self._lobby.seeing(self._hall()).saying(said, refused=True))

    async def _do(self, intent: Intent) -> None:
        at_table, words = self._node.at_table, self._words
        match intent:
            case OpenTable(passphrase="") as wanted:
                await self._open(wanted)
            case OpenTable() | GoPrivate() | Rename() | StartTutorial():
                self._outcome = intent
            case Join(table):
                if (info := self._node.tables.get(table)) is None:
                    raise LobbyError("tui.lobby.gone")
                await self._node.join_table(info)
                self._show(self._lobby.seeing(self._hall()))
            case Watch(game):
                if (wanted_game := self._node.games.get(game)) is None:
                    raise LobbyError("tui.lobby.gone")
                self._outcome = wanted_game
            case Resume():
                await self._resume()
            case Dial(host, port):
                self._show(self._lobby.saying(words("news.connecting", address=f"{host}:{port}")))
                await self._node.dial(host, port)
                self._show(self._lobby.saying(words("news.connected", address=f"{host}:{port}")))
            case BeReady(ready):
                await at_table(lambda gathering: gathering.set_ready(ready))
            case ShowPurse(coins):
                await at_table(lambda gathering: gathering.set_purse(coins))
            case Arrange(order):
                await at_table(lambda gathering: gathering.arrange(order))
            case SendAway(who):
                await at_table(lambda gathering: gathering.kick(who))
            case AddBot(style):
                await self._add_bot(style)
            case LeaveTable():
                self._is_leaving = True
                await at_table(lambda gathering: gathering.leave())
            case _:
                raise TypeError(f"Nobody can do this here: {intent}.")

    async def _open(self, wanted: OpenTable) -> None:
        title = self._words.texts("gather.title", name=self._node.name)[:MAX_NAME_BYTES]
        await self._node.open_table(title, Setup(wanted.players, options=wanted.options))
        if wanted.with_bots:
            await self._node.at_table(lambda gathering: gathering.set_ready(True))
            for _ in range(wanted.players - 1):
                await self._add_bot(None)

    async def _resume(self) -> None:
        """Comes back to the latest unfinished game; the node tells when it goes on."""
        game = self._interrupted
        if game is None:
            raise LobbyError("tui.lobby.gone")
        await self._bots.bring_back(game)
        loop = asyncio.get_running_loop()

        def show(done: int, of: int) -> None:
            said = self._words("news.checking", done=done, of=of)
            loop.call_soon_threadsafe(lambda: self._show(self._lobby.saying(said)))

        keeper = await asyncio.to_thread(Keeper.resume, self._profile, game, Edwards25519(), token_bytes, show)
        keeper.take_events()
        self.told = keeper.session.play.state
        await self._node.resume(keeper)

    async def _add_bot(self, style: str | None) -> None:
        if self._node.gathering is None:
            raise LobbyError("tui.lobby.gone")
        self._show(self._lobby.saying(self._words("news.bot_coming")))
        await self._bots.add(self._node.gathering.info, style)
