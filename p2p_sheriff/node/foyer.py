"""The tables of the network as one node sees them, and the one at which its own player sits down."""

from collections.abc import Awaitable, Callable

from p2p_sheriff.gathering.gathering import (
    Changed,
    Chatted,
    Closed,
    Gathering,
    LobbyError,
    Output,
    Send,
    Started,
    require_purse,
)
from p2p_sheriff.gathering.pledges import Agreed, Pledge
from p2p_sheriff.gathering.tables import Closes, Closing, Declines, Joins, Leaves, Lists, Member, TableInfo
from p2p_sheriff.node.events import AtGame, GamesChanged, NodeEvent, TablesChanged
from p2p_sheriff.node.handshake import Admit
from p2p_sheriff.node.mesh import Mesh
from p2p_sheriff.node.transport import TransportError
from p2p_sheriff.node.wire import GameInfo, Games, Tables, TableTalk
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Setup
from protocol.charter import MAX_NAME_BYTES, Charter
from protocol.errors import MalformedError
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng


class Foyer:
    """Where tables are found, opened and joined, until a game begins."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        rng: Rng,
        mesh: Mesh,
        tell_player: Callable[[NodeEvent], None],
        start: Callable[[Charter, bool], Awaitable[None]],
        admit: Admit,
        bot: str,
    ) -> None:
        """Takes who the own player is, how a game starts, new or after a restart, and who may sit at a table."""
        self.tables: dict[bytes, TableInfo] = {}
        """Those of others that can be joined."""
        self.games: dict[bytes, GameInfo] = {}
        """Those of others that can be watched."""
        self.gathering: Gathering | None = None
        """The own table, until its game starts."""
        self.playing: GameInfo | None = None
        """The own game."""
        self._own, self._identity, self._name, self._bot, self._rng = identity, identity.public, name, bot, rng
        self._mesh, self._tell_player, self._start, self._admit = mesh, tell_player, start, admit
        self._former: Charter | None = None
        """The game whose rematch the player wants."""
        self._declined: set[bytes] = set()
        """The games that the player does not want to play again."""
        self._begun: Gathering | None = None  # Others may still lack what was said there to begin.
        self._sent_away: dict[PublicIdentity, Closes] = {}
        """What is said again to who connects anew, and may not have heard it."""
        self._announced: dict[PublicIdentity, tuple[TableInfo, ...]] = {}
        """What everybody who is connected was told last of the tables here."""
        self._met: set[PublicIdentity] = set()
        """Who was on the last list."""
        self._players: dict[bytes, set[PublicIdentity]] = {}
        """Who says that they play a game."""

    # -- what the player does

    async def open_table(self, title: str, setup: Setup, purse: int | None) -> None:
        """Opens a table for others to join; of a long title, others see the beginning.

        Raises:
            LobbyError: The player sits at one already.
        """
        await self._show(Gathering.open(self._rng, self._own, self._newcomer(purse), title[:MAX_NAME_BYTES], setup))

    async def join_table(self, info: TableInfo, purse: int | None) -> None:
        """Joins a table that was found.

        Raises:
            LobbyError: It is full, or who opened it is not connected; or the player sits at a table already.
        """
        self.gathering, outputs = Gathering.join(self._rng, self._own, self._newcomer(purse), info)
        self._declined.discard(info.again)
        try:
            await self._put_out(outputs)
        except LobbyError:
            self.gathering = None
            raise

    async def rematch(self, charter: Charter, purse: int | None) -> None:
        """Sits down with the same people: at the table that one of them has opened for it, or at a new one.

        Raises:
            LobbyError: The player was not in that game, or sits at a table already.
        """
        if charter.seat_of(self._identity) is None:
            raise LobbyError("news.not_in_game")
        self._declined.discard(charter.game)
        if (table := self._rematch_of(charter)) is not None:
            await self.join_table(table, purse)
        else:
            title = f"{self._name}'s rematch"[:MAX_NAME_BYTES]
            await self._show(Gathering.open_again(self._rng, self._own, self._newcomer(purse), title, charter))
        self._former = charter

    async def decline(self, game: bytes) -> None:
        """Tells whoever wants a rematch of this game, now or later, that the player does not."""
        self._declined.add(game)
        await self._answer_invitations()

    async def _answer_invitations(self) -> None:
        for info in self.tables.values():
            is_told = self._identity in info.declined or info.member(self._identity) is not None
            if info.again in self._declined and not is_told:
                await self._mesh.tell(info.opener, TableTalk(Declines(info.id)))

    def _newcomer(self, purse: int | None) -> Member:
        if self.gathering is not None:
            raise LobbyError("news.sits_already")
        require_purse(purse)
        return Member(self._identity, self._name, "", self._mesh.port, purse, bot=self._bot)

    async def _show(self, gathering: Gathering) -> None:
        self.gathering = gathering
        await self._put_out([Changed(gathering.info)])
        await self.announce()

    async def at_table(self, action: Callable[[Gathering], list[Output]]) -> None:
        """Does something at the table that is being gathered.

        Raises:
            LobbyError: It can't be done, or there is no table.
        """
        if self.gathering is None:
            raise LobbyError("news.no_table")
        await self._put_out(action(self.gathering))
        await self.announce()

    # -- what others do

    async def greet(self, identity: PublicIdentity) -> None:
        """Tells somebody who is newly connected what can be joined and watched here, and what they may have missed."""
        self._announced.pop(identity, None)
        await self._announce_to(identity)
        await self._mesh.tell(identity, Games(self._own_games()))
        if (closes := self._sent_away.pop(identity, None)) is not None:
            await self._mesh.tell(identity, TableTalk(closes))
        if gathering := self.gathering or self._begun:
            for output in gathering.come(identity):
                await self._mesh.tell(identity, TableTalk(output.message))

    async def hear(self, sender: PublicIdentity, address: str, message: Tables | Games | TableTalk) -> None:
        """Takes a message about tables.

        Raises:
            MalformedError: It is not the sender's to send, or means nothing.
        """
        match message:
            case Tables(infos):
                if any(info.opener != sender for info in infos):
                    raise MalformedError("a table is announced by who opened it")
                self._list_tables(sender, infos)
                await self._follow()
                await self._answer_invitations()
            case Games(games):
                if any(game.charter.seat_of(sender) is None for game in games):
                    raise MalformedError("a game is announced by who plays it")
                was_there = self._is_at_own_game(sender)
                self._list_games(sender, games)
                if was_there != (is_there := self._is_at_own_game(sender)):
                    self._tell_player(AtGame(sender, is_there))
            case TableTalk(body) if self.gathering is not None and self.gathering.info.id == body.table:
                name = self._mesh.connected().get(sender, "")
                await self._put_out(self.gathering.handle(sender, body, address, name))
                await self.announce()
            case TableTalk(Pledge(table)) if self._begun is not None and self._begun.info.id == table:
                for output in self._begun.come(sender):  # Somebody there has not heard that all have agreed.
                    await self._mesh.tell(sender, TableTalk(output.message))
            case TableTalk(Agreed() as agreed) if self.gathering is None and self.playing is None:
                await self._come_back(agreed)
            case TableTalk(Joins(table)) if not self._is_leaving(table):
                await self._mesh.tell(sender, TableTalk(Closes(table, Closing.GONE)))
            case TableTalk(Lists(table, info)) if info.member(self._identity) and not self._is_leaving(table):
                await self._mesh.tell(sender, TableTalk(Leaves(table)))  # They did not hear it when it was said.
            case _:
                pass

    async def _come_back(self, agreed: Agreed) -> None:
        """Takes part in a game that began while this node was down, which had agreed to it: others show the proof."""
        if agreed.charter.seat_of(self._identity) is None:
            raise MalformedError("a game of others")
        agreed.verify()
        await self._start(agreed.charter, True)

    def _is_at_own_game(self, player: PublicIdentity) -> bool:
        """Whether somebody says that they play the game that is played here."""
        return self.playing is not None and player in self._players.get(self.playing.charter.game, ())

    def _is_leaving(self, table: bytes) -> bool:
        """Whether who still asks for a seat there will hear where the others went: to the game, or another table."""
        return self._former is not None or (self._begun is not None and self._begun.info.id == table)

    def has(self, identity: PublicIdentity) -> bool:
        """Whether somebody sits at our table."""
        gathering = self.gathering or self._begun
        return gathering is not None and gathering.info.member(identity) is not None

    def lose(self, identity: PublicIdentity) -> None:
        """Takes the tables and games of somebody who is not connected any more from the lists."""
        self._announced.pop(identity, None)
        self._list_tables(identity, ())
        self._list_games(identity, ())

    async def free_seats(self) -> None:
        """Takes from the table who has left the network, or was cut off for too long."""
        for identity in self._mesh.gone():
            if self.gathering is not None and (outputs := self.gathering.gone(identity)):
                await self._put_out(outputs)
                await self.announce()

    async def repeat(self) -> None:
        """Says again what was said at the table: with each heartbeat, and not whenever a stranger comes or goes."""
        if self.gathering is not None:
            await self._put_out(self.gathering.repeat())

    def _list_tables(self, sender: PublicIdentity, infos: tuple[TableInfo, ...]) -> None:
        before = dict(self.tables)
        self.tables = {key: info for key, info in self.tables.items() if info.opener != sender}
        self.tables.update({info.id: info for info in infos})
        if self.tables != before:
            self._tell_player(TablesChanged(tuple(self.tables.values())))

    def _rematch_of(self, charter: Charter) -> TableInfo | None:
        """Returns the table for the rematch of a game; of several, that of the opener with the smallest key."""

        def fits(info: TableInfo) -> bool:
            has_room = info.free_seats > 0 or info.member(self._identity) is not None
            return info.again == charter.game and charter.seat_of(info.opener) is not None and has_room

        return min(filter(fits, self.tables.values()), key=lambda info: info.opener.key, default=None)

    async def _follow(self) -> None:
        """Goes over to the right table, if several were opened for one rematch at once: all do, by the same rule.

        So nobody needs to be told to move, and who still sits at the wrong one has not heard of the right one yet.
        """
        gathering, former = self.gathering, self._former
        if gathering is None or former is None or (right := self._rematch_of(former)) is None:
            return
        if right.id != gathering.info.id and right.opener.key <= gathering.info.opener.key:
            self.gathering, outputs = gathering.move(right)
            await self._put_out(outputs)
            await self.announce()

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
        """Tells everybody what can be joined here, if that is something else than before."""
        for identity in self._mesh.connected():
            await self._announce_to(identity)

    async def _announce_to(self, identity: PublicIdentity) -> None:
        tables = self._own_tables(identity)
        if self._announced.get(identity) != tables:
            self._announced[identity] = tables
            await self._mesh.tell(identity, Tables(tables))

    async def show_game(self, charter: Charter | None) -> None:
        """Tells everybody which game is played here, or that none is any more."""
        title = self._begun.info.title if self._begun is not None else ""
        self.playing = GameInfo(title, charter) if charter is not None else None
        await self._mesh.tell_all(Games(self._own_games()))

    def _own_tables(self, reader: PublicIdentity) -> tuple[TableInfo, ...]:
        gathering = self.gathering
        return (gathering.info,) if gathering and gathering.is_opener and gathering.is_for(reader) else ()

    def _own_games(self) -> tuple[GameInfo, ...]:
        return (self.playing,) if self.playing is not None else ()

    async def _put_out(self, outputs: list[Output]) -> None:
        for output in outputs:
            match output:
                case Send(to, message):
                    await self._send(to, TableTalk(message))
                case Changed(info) if reason := self._impostor_at(info):
                    await self._leave(reason)
                    return
                case Changed(info):
                    for member in info.members:  # Who was sent away may have come again.
                        self._sent_away.pop(member.identity, None)
                    self._meet(info)
                    self._tell_player(output)
                case Chatted():
                    self._tell_player(output)
                case Closed():
                    self.gathering, self._former = None, None
                    self._tell_player(output)
                case Started(charter):
                    self._begun, self.gathering, self._former = self.gathering, None, None
                    await self.announce()
                    await self._start(charter, False)

    async def _send(self, to: PublicIdentity | None, message: TableTalk) -> None:
        if self.gathering is None:
            return
        if to is None:
            for member in self.gathering.info.members:
                await self._mesh.tell(member.identity, message)
            return
        if isinstance(closes := message.message, Closes) and closes.why is Closing.SENT_AWAY:
            self._sent_away[to] = closes
        is_told = await self._mesh.tell(to, message)
        if not (is_told or self.gathering.is_opener or isinstance(message.message, Leaves)):
            raise LobbyError("news.opener_away")

    def _impostor_at(self, info: TableInfo) -> Phrase | None:
        """Returns what speaks against who sits at a table, or nothing: whoever opened it may have let them in."""
        try:
            for member in info.members:
                if member.identity != self._identity:
                    self._admit(member.identity, member.name)
        except TransportError as error:
            return error.phrase
        return None

    async def _leave(self, reason: Phrase) -> None:
        if self.gathering is not None:
            sends = [output for output in self.gathering.leave() if isinstance(output, Send)]
            await self._put_out([*sends, Closed(Phrase("news.left_because", reason=reason))])

    def _meet(self, info: TableInfo) -> None:
        """Wants a connection with every member: the list is of the opener's making, so it says only where to dial."""
        listed = {member.identity for member in info.members}
        for gone in self._met - listed:
            self._mesh.unwant(gone)
        self._met = listed
        for member in info.members:
            if member.identity != self._identity:
                self._mesh.want(member.identity, member.name, [(member.host, member.port)] if member.host else [])
