"""``p2p-sheriff watch``: looks on at a game, and checks all of it."""

import argparse
import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from p2p_sheriff.commands.network import add_network_arguments, add_screen_arguments, next_event, open_node, why_refused
from p2p_sheriff.commands.screengame import has_screen
from p2p_sheriff.commands.screenwatch import watch_on_screen
from p2p_sheriff.fronts.lines.lineseat import Keyboard, table_words
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.teller import Teller, printable, tell
from p2p_sheriff.fronts.lines.understanding import Mute, NotUnderstood, understand
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import NodeEvent, PeerDown, PeerUp, Refused, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.rules import Knowledge, Phase, Seat, View, new_game
from p2p_sheriff.seat import waiting
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import ENGLISH, Texts, chosen, refusal_sentence, translated
from p2p_sheriff.texts.vocabulary import Vocabulary
from p2p_sheriff.usage import UsageError

_FIND_SECONDS: Final = 30
_LOOK_AROUND_SECONDS: Final = 1.5
"""How long others are looked for after the first: who does not say which table must not see the first by chance."""
_GONE_SECONDS: Final = 15
"""How long a table that vanished may take to come back as a game."""

_NOBODY: Final = Seat(-1)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_screen_arguments(parser)
    parser.set_defaults(profile="onlooker")  # So that who plays can look on at another table, or the same one.
    parser.add_argument("table", nargs="?", metavar="TABLE", help="its title, or the name of somebody who plays there")
    parser.add_argument("--from-start", action="store_true", help="tell all that was played before, word for word")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the transcript goes")


def run(options: argparse.Namespace) -> int:
    """Watches a game until its end, or until the onlooker has seen enough."""
    texts = chosen(options)
    try:
        asyncio.run(_watch(options, texts))
    except (StoreError, LobbyError) as error:
        raise UsageError(refusal_sentence(error, texts)) from error
    return 0


async def _watch(options: argparse.Namespace, texts: Texts) -> None:
    async with open_node(options) as (node, _):
        info = await find_game(node, options.table, texts)
        if has_screen(options):
            watched = await watch_on_screen(node, info, Words(texts), ascii_only=options.ascii)
            if options.out:
                _keep(options.out, watched, texts)
            return
        names = ", ".join(printable(player.name) for player in info.charter.players)
        tell(texts("watch.intro", names=names))
        tell(texts("watch.help"))
        spectator = await node.watch(info)
        await Onlooker(node, spectator, Keyboard(), texts=texts, from_start=options.from_start).look_on()
        if options.out:
            _keep(options.out, spectator, texts)


def _keep(path: Path, spectator: Spectator, texts: Texts) -> None:
    try:
        path.write_bytes(record_of(spectator.table).to_bytes())
    except OSError as error:
        raise UsageError(texts("watch.not_written", path=path, reason=error.strerror)) from error
    tell(texts("seat.transcript", path=path))


# -- which game


async def find_game(node: Node, words: str | None, texts: Texts = ENGLISH) -> GameInfo:
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
            tell(printable(why_refused(event, texts)))
    games, tables = _meant(node, words)
    if len(games) + len(tables) > 1:
        lines = [_label(game.title, [player.name for player in game.charter.players]) for game in games]
        lines += [_label(table.title, [member.name for member in table.members]) for table in tables]
        raise UsageError("\n".join([texts("watch.several"), *lines]))
    if games:
        return games[0]
    if tables:
        return await _begun(node, tables[0], texts)
    raise UsageError(texts("watch.none_called", words=words) if words else texts("watch.none"))


def _meant(node: Node, words: str | None) -> tuple[list[GameInfo], list[TableInfo]]:
    def fits(title: str, names: list[str]) -> bool:
        wanted = (words or "").casefold()
        return wanted in title.casefold() or wanted in (name.casefold() for name in names)

    games = [one for one in node.games.values() if fits(one.title, [player.name for player in one.charter.players])]
    tables = [one for one in node.tables.values() if fits(one.title, [member.name for member in one.members])]
    return games, tables


def _label(title: str, names: list[str]) -> str:
    return printable(f'"{title}": {", ".join(names)}' if title else ", ".join(names))


async def _begun(node: Node, table: TableInfo, texts: Texts = ENGLISH) -> GameInfo:
    tell(texts("watch.gathering", title=printable(table.title)))
    loop = asyncio.get_running_loop()
    seen = loop.time()
    while loop.time() < seen + _GONE_SECONDS:
        for game in node.games.values():
            if game.charter.seat_of(table.opener) is not None:
                return game
        if table.id in node.tables:
            seen = loop.time()
        await next_event(node, 0.5)
    raise UsageError(texts("watch.closed"))


# -- looking on


class Onlooker:
    """Shows a game to somebody who does not play."""

    def __init__(
        self,
        node: Node,
        spectator: Spectator,
        keyboard: Keyboard,
        show: Callable[[str], None] = tell,
        texts: Texts = ENGLISH,
        *,
        from_start: bool = False,
    ) -> None:
        """Takes a game that is being watched; what was played before is summed up, or told from the start."""
        charter = spectator.table.charter
        self._node, self._spectator, self._keyboard = node, spectator, keyboard
        self._show, self._texts, self._vocabulary = show, texts, Vocabulary(texts)
        names = [player.name for player in charter.players]
        self._teller = Teller(names, new_game(spectator.state.setup), show, texts)
        self._teller.is_quiet = not from_start
        self._tableau = Tableau(self._teller.names, texts)
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
                self._show(self._texts("seat.gone", name=printable(name)))
            case PeerUp(identity, name) if self._absence.is_player(identity):
                self._show(self._texts("seat.back", name=printable(name)))
            case Trouble(sentence):
                raise UsageError(translated(sentence, self._texts))
            case _:
                pass

    def _catch_up(self) -> None:
        """Sums up what was played before, once all of it is checked, and tells everything from then on."""
        has_begun = self._teller.told.round > 0
        if self._teller.is_quiet and has_begun and self._node.is_idle and self._node.events.empty():
            self._teller.is_quiet = False
            self._show(self._texts("watch.so_far"))
            self._look("table")

    def _wait(self) -> None:
        wanted = waiting.sentence(self._spectator.play, self._teller.names, self._absence.away(), texts=self._texts)
        if self._patience.ends(wanted, asyncio.get_running_loop().time()):
            self._show(wanted)

    # -- what is typed

    def _type(self, line: str) -> None:
        verb = self._vocabulary.verb(line.strip().partition(" ")[0])
        try:
            match verb:
                case "quit":
                    self._has_left = True
                case "table" | "offers" | "pile":
                    self._look(verb)
                case "words":
                    for text in table_words(self._spectator.table.charter.game, self._texts):
                        self._show(text)
                case "mute" | "unmute":
                    self._mute(line)
                case _ if line.strip():
                    self._show(self._texts("watch.help"))
                case _:
                    pass
        except NotUnderstood as refusal:
            self._show(str(refusal))

    def _mute(self, line: str) -> None:
        match understand(self._view(), self._teller.names, None, line, self._texts):
            case Mute(seat, is_muted):
                (self._teller.muted.add if is_muted else self._teller.muted.discard)(seat)
                self._show(self._texts("seat.muted" if is_muted else "seat.unmuted", name=self._teller.names[seat]))
            case _:
                pass

    def _look(self, what: str) -> None:
        for text in self._tableau.about(self._view(), None, what):
            self._show(text)

    def _view(self) -> View:
        return View(self._teller.state(), Knowledge(_NOBODY, {}))
