"""The tables of the network as one node sees them, and the one at which its own player sits down."""

from collections.abc import Awaitable, Callable

from p2p_sheriff.lobby import Changed, Closed, Gathering, LobbyError, Member, Output, Send, Started, TableInfo
from p2p_sheriff.node.events import GamesChanged, NodeEvent, TablesChanged
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.wire import GameInfo, Games, Lobby, Tables
from p2p_sheriff.rules import Setup
from protocol.charter import Charter
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.identity import PublicIdentity
from protocol.randomness import Rng


class Hall:
    """Where tables are found, opened and joined, until a game begins."""

    def __init__(
        self,
        identity: PublicIdentity,
        name: str,
        group: Group,
        rng: Rng,
        mesh: Mesh,
        tell_player: Callable[[NodeEvent], None],
        start: Callable[[Charter], Awaitable[None]],
    ) -> None:
        """Takes who the own player is, and what to do when the game of their table starts."""
        self.tables: dict[bytes, TableInfo] = {}
        """Those of others that can be joined."""
        self.games: dict[bytes, GameInfo] = {}
        """Those of others that can be watched."""
        self.gathering: Gathering | None = None
        """The own table, until its game starts."""
        self.playing: GameInfo | None = None
        """The own game."""
        self._identity, self._name, self._group, self._rng = identity, name, group, rng
        self._mesh, self._tell_player, self._start = mesh, tell_player, start
        self._begun: Gathering | None = None  # Others may still lack what was said there to begin.
        self._players: dict[bytes, set[PublicIdentity]] = {}
        """Who says that they play a game."""

    # -- what the player does

    async def open_table(self, title: str, setup: Setup, purse: int | None) -> None:
        """Opens a table for others to join."""
        self.gathering = Gathering.open(self._group, self._rng, self._me(purse), title, setup)
        await self._put_out([Changed(self.gathering.info)])
        await self.announce()

    async def join_table(self, info: TableInfo, purse: int | None) -> None:
        """Joins a table that was found.

        Raises:
            LobbyError: It is full, or who opened it is not connected.
        """
        self.gathering, outputs = Gathering.join(self._group, self._rng, self._me(purse), info)
        try:
            await self._put_out(outputs)
        except LobbyError:
            self.gathering = None
            raise

    async def at_table(self, action: Callable[[Gathering], list[Output]]) -> None:
        """Does something at the table that is being gathered.

        Raises:
            LobbyError: It can't be done, or there is no table.
        """
        if self.gathering is None:
            raise LobbyError("You are at no table.")
        await self._put_out(action(self.gathering))
        await self.announce()

    def _me(self, purse: int | None) -> Member:
        return Member(self._identity, self._name, "", self._mesh.port, purse)

    # -- what others do

    async def greet(self, identity: PublicIdentity) -> None:
        """Tells somebody who is newly connected what can be joined and watched here, and what they may have missed."""
        await self._mesh.tell(identity, Tables(self._own_tables()))
        await self._mesh.tell(identity, Games(self._own_games()))
        if gathering := self.gathering or self._begun:
            for output in gathering.come(identity):
                await self._mesh.tell(identity, Lobby(output.message))

    async def hear(self, sender: PublicIdentity, address: str, message: Tables | Games | Lobby) -> None:
        """Takes a message about tables.

        Raises:
            MalformedError: It is not the sender's to send, or means nothing.
        """
        match message:
            case Tables(infos):
                if any(info.opener != sender for info in infos):
                    raise MalformedError("a table is announced by who opened it")
                self._list_tables(sender, infos)
            case Games(games):
                if any(game.charter.seat_of(sender) is None for game in games):
                    raise MalformedError("a game is announced by who plays it")
                self._list_games(sender, games)
            case Lobby(body) if self.gathering is not None and self.gathering.info.id == message.table:
                await self._put_out(self.gathering.handle(sender, body, address))
                await self.announce()
            case _:
                pass

    def lose(self, identity: PublicIdentity) -> None:
        """Takes the tables and games of somebody who is not connected any more from the lists."""
        self._list_tables(identity, ())
        self._list_games(identity, ())

    async def free_seats(self) -> None:
        """Takes from the table who has left the network, or was cut off for too long."""
        for identity in self._mesh.gone():
            if self.gathering is not None and (outputs := self.gathering.gone(identity)):
                await self._put_out(outputs)
                await self.announce()

    def _list_tables(self, sender: PublicIdentity, infos: tuple[TableInfo, ...]) -> None:
        before = dict(self.tables)
        self.tables = {key: info for key, info in self.tables.items() if info.opener != sender}
        self.tables.update({info.id: info for info in infos})
        if self.tables != before:
            self._tell_player(TablesChanged(tuple(self.tables.values())))

    def _list_games(self, sender: PublicIdentity, games: tuple[GameInfo, ...]) -> None:
        before = dict(self.games)
        for players in self._players.values():
            players.discard(sender)
        for game in games:
            self._players.setdefault(game.charter.game, set()).add(sender)
            known = self.games.get(game.charter.game)
            self.games[game.charter.game] = known if known is not None and known.title else game
        self._players = {game: players for game, players in self._players.items() if players}
        self.games = {game: info for game, info in self.games.items() if game in self._players}
        if self.games != before:
            self._tell_player(GamesChanged())

    # -- what comes of it

    async def announce(self) -> None:
        """Tells everybody what can be joined and watched here."""
        await self._mesh.tell_all(Tables(self._own_tables()))

    async def show_game(self, charter: Charter | None) -> None:
        """Tells everybody which game is played here, or that none is any more."""
        title = self._begun.info.title if self._begun is not None else ""
        self.playing = GameInfo(title, charter) if charter is not None else None
        await self._mesh.tell_all(Games(self._own_games()))

    def _own_tables(self) -> tuple[TableInfo, ...]:
        gathering = self.gathering
        return (gathering.info,) if gathering is not None and gathering.is_opener else ()

    def _own_games(self) -> tuple[GameInfo, ...]:
        return (self.playing,) if self.playing is not None else ()

    async def _put_out(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Send(to, message):
                    await self._send(to, Lobby(message))
                case Changed(info):
                    self._meet(info)
                    self._tell_player(output)
                case Closed():
                    self.gathering = None
                    self._tell_player(output)
                case Started(charter):
                    self._begun, self.gathering = self.gathering, None
                    await self.announce()
                    await self._start(charter)

    async def _send(self, to: PublicIdentity | None, message: Lobby) -> None:
        if self.gathering is None:
            return
        if to is None:
            for member in self.gathering.info.members:
                await self._mesh.tell(member.identity, message)
        elif not await self._mesh.tell(to, message):
            raise LobbyError("Who opened that table is not connected.")

    def _meet(self, info: TableInfo) -> None:
        """Wants a connection with every member: the list is of the opener's making, so it says only where to dial."""
        for member in info.members:
            if member.identity != self._identity:
                self._mesh.want(member.identity, member.name, [(member.host, member.port)] if member.host else [])
