"""``p2p-sheriff watch``: looks on at a game, and checks all of it."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from p2p_sheriff.commands import waiting
from p2p_sheriff.commands.lineseat import Keyboard, player_called
from p2p_sheriff.commands.network import add_network_arguments, next_event, open_node
from p2p_sheriff.commands.teller import Teller, printable, tell
from p2p_sheriff.linemode import NotUnderstood
from p2p_sheriff.lobby import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import NodeEvent, PeerDown, PeerUp, Refused, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.node.words import game_words
from p2p_sheriff.rules import Knowledge, Phase, Seat, View, new_game
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.tableau import Tableau
from p2p_sheriff.tables import TableInfo
from p2p_sheriff.usage import UsageError

_FIND_SECONDS: Final = 30
_LOOK_AROUND_SECONDS: Final = 1.5
"""How long others are looked for after the first: who does not say which table must not see the first by chance."""
_GONE_SECONDS: Final = 15
"""How long a table that vanished may take to come back as a game."""

_NOBODY: Final = Seat(-1)
_HELP: Final = "You only look: type table, offers, pile, words, mute NAME, unmute NAME, help or quit."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    parser.set_defaults(profile="onlooker")  # So that who plays can look on at another table, or the same one.
    parser.add_argument("table", nargs="?", metavar="TABLE", help="its title, or the name of somebody who plays there")
    parser.add_argument("--from-start", action="store_true", help="tell all that was played before, word for word")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the transcript goes")


def run(options: argparse.Namespace) -> int:
    """Watches a game until its end, or until the onlooker has seen enough."""
    try:
        asyncio.run(_watch(options))
    except (StoreError, LobbyError) as error:
        raise UsageError(str(error)) from error
    return 0


async def _watch(options: argparse.Namespace) -> None:
    async with open_node(options) as (node, _):
        info = await find_game(node, options.table)
        names = ", ".join(printable(player.name) for player in info.charter.players)
        tell(f"You look on: {names} play. Everything is checked here as well. {_HELP}")
        await node.watch(info)
        if node.watched is None:
            return
        spectator = node.watched.spectator
        await Onlooker(node, spectator, Keyboard(), from_start=options.from_start).look_on()
        if options.out:
            _keep(options.out, spectator)


def _keep(path: Path, spectator: Spectator) -> None:
    try:
        path.write_bytes(record_of(spectator.table).to_bytes())
    except OSError as error:
        raise UsageError(f"{path} could not be written: {error.strerror}.") from error
    tell(f"The transcript is in {path}; `p2p-sheriff audit` checks it.")


# -- which game


async def find_game(node: Node, words: str | None) -> GameInfo:
    """Waits until there is the game that is meant; if its table is still being gathered, until it begins.

    Raises:
        UsageError: There is none, or several are meant.
    """
    loop = asyncio.get_running_loop()
    end, found = loop.time() + _FIND_SECONDS, False
    while loop.time() < end:
        games, tables = _meant(node, words)
        if (games or tables) and not found:
            found, end = True, loop.time() + _LOOK_AROUND_SECONDS
        event = await next_event(node, 0.2)
        if isinstance(event, Refused):
            tell(printable(event.sentence))
    games, tables = _meant(node, words)
    if len(games) + len(tables) > 1:
        lines = [_label(game.title, [player.name for player in game.charter.players]) for game in games]
        lines += [_label(table.title, [member.name for member in table.members]) for table in tables]
        raise UsageError("\n".join(["There are several. Say which: p2p-sheriff watch TABLE", *lines]))
    if games:
        return games[0]
    if tables:
        return await _begun(node, tables[0])
    which = f"called {words} or with such a player " if words else ""
    raise UsageError(f"No game {which}was found on this network. --connect HOST:PORT may help.")


def _meant(node: Node, words: str | None) -> tuple[list[GameInfo], list[TableInfo]]:
    def fits(title: str, names: list[str]) -> bool:
        wanted = (words or "").casefold()
        return wanted in title.casefold() or wanted in (name.casefold() for name in names)

    games = [one for one in node.games.values() if fits(one.title, [player.name for player in one.charter.players])]
    tables = [one for one in node.tables.values() if fits(one.title, [member.name for member in one.members])]
    return games, tables


def _label(title: str, names: list[str]) -> str:
    return printable(f'"{title}": {", ".join(names)}' if title else ", ".join(names))


async def _begun(node: Node, table: TableInfo) -> GameInfo:
    tell(f'"{printable(table.title)}" is still being gathered. You see its game as soon as it begins.')
    loop = asyncio.get_running_loop()
    seen = loop.time()
    while loop.time() < seen + _GONE_SECONDS:
        for game in node.games.values():
            if game.charter.seat_of(table.opener) is not None:
                return game
        if table.id in node.tables:
            seen = loop.time()
        await next_event(node, 0.5)
    raise UsageError("That table was closed before its game began.")


# -- looking on


class Onlooker:
    """Shows a game to somebody who does not play."""

    def __init__(
        self,
        node: Node,
        spectator: Spectator,
        keyboard: Keyboard,
        show: Callable[[str], None] = tell,
        *,
        from_start: bool = False,
    ) -> None:
        """Takes a game that is being watched; what was played before is summed up, or told from the start."""
        charter = spectator.table.charter
        self._node, self._spectator, self._keyboard, self._show = node, spectator, keyboard, show
        self._teller = Teller([player.name for player in charter.players], new_game(spectator.state.setup), show)
        self._teller.is_quiet = not from_start
        self._tableau = Tableau(self._teller.names)
        self._absence = waiting.Absence(node, [player.identity for player in charter.players])
        self._patience = waiting.Patience()
        self._has_left = False

    async def look_on(self) -> None:
        """Shows the game to its end, or until the onlooker leaves.

        Raises:
            UsageError: The node can't go on.
        """
        line = asyncio.ensure_future(self._keyboard.lines.get())
        event = asyncio.ensure_future(self._node.events.get())
        try:
            while not self._has_left and not self._is_over:
                await asyncio.wait({line, event}, timeout=0.5, return_when=asyncio.FIRST_COMPLETED)
                if event.done():
                    self._see(event.result())
                    event = asyncio.ensure_future(self._node.events.get())
                elif line.done():
                    self._type(line.result() or "")  # Who types no more may still read.
                    line = asyncio.ensure_future(self._keyboard.lines.get())
                self._catch_up()
                self._wait()
        finally:
            line.cancel()
            event.cancel()
        if self._is_over:
            self._teller.is_quiet = False
            self._teller.score_sheet()

    @property
    def _is_over(self) -> bool:
        return self._teller.told.phase is Phase.OVER and self._spectator.play.is_over

    def _see(self, event: NodeEvent) -> None:
        self._teller.see(event)
        self._absence.see(event)
        match event:
            case PeerDown(identity, name, _) if self._absence.is_player(identity):
                self._show(f"{printable(name)} is not connected any more. The game waits.")
            case PeerUp(identity, name) if self._absence.is_player(identity):
                self._show(f"{printable(name)} is connected.")
            case Trouble(sentence):
                raise UsageError(sentence)
            case _:
                pass

    def _catch_up(self) -> None:
        """Sums up what was played before, once all of it is checked, and tells everything from then on."""
        has_begun = self._teller.told.round > 0
        if self._teller.is_quiet and has_begun and self._node.is_idle and self._node.events.empty():
            self._teller.is_quiet = False
            self._show("So far:")
            self._look("table")

    def _wait(self) -> None:
        wanted = waiting.sentence(self._spectator.play, self._teller.names, self._absence.away())
        if self._patience.ends(wanted, asyncio.get_running_loop().time()):
            self._show(wanted)

    # -- what is typed

    def _type(self, line: str) -> None:
        verb, _, rest = line.strip().partition(" ")
        try:
            match verb.lower():
                case "":
                    pass
                case "quit":
                    self._has_left = True
                case "table" | "offers" | "pile" as what:
                    self._look(what)
                case "words":
                    self._show(f"The words of this table: {' '.join(game_words(self._spectator.table.charter.game))}.")
                case "mute":
                    self._teller.muted.add(player_called(self._teller.names, rest))
                case "unmute":
                    self._teller.muted.discard(player_called(self._teller.names, rest))
                case _:
                    self._show(_HELP)
        except NotUnderstood as refusal:
            self._show(str(refusal))

    def _look(self, what: str) -> None:
        view = View(self._teller.state(), Knowledge(_NOBODY, {}))
        for text in self._tableau.about(view, None, what):
            self._show(text)
