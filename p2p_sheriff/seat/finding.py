"""Waits for the table or the game that a player means to be on the network."""

import asyncio
from collections.abc import Callable
from typing import Final

from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.events import NodeEvent, Refused
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.seat.picture import short
from p2p_sheriff.texts import Texts, translated
from p2p_sheriff.texts.cleaning import clean
from p2p_sheriff.usage import UsageError

FIND_SECONDS: Final = 30
LOOK_AROUND_SECONDS: Final = 1.5
"""How long others are looked for after the first: who does not say which table must not see the first by chance."""
SIGN_SECONDS: Final = 5
"""How often who waits sees a sign of life."""
GONE_SECONDS: Final = 15
"""How long a table that vanished may take to come back as a game."""

Tell = Callable[[str], None]
"""Shows a line to the player who waits."""


async def find_table(
    node: Node, fits: Callable[[TableInfo], bool], texts: Texts, tell: Tell, seconds: float = FIND_SECONDS
) -> TableInfo:
    """Waits until a table that fits is on the network, and tells meanwhile what there is, and that it goes on looking.

    Raises:
        UsageError: None came in time.
    """
    loop = asyncio.get_running_loop()
    end, told_next = loop.time() + seconds, loop.time() + LOOK_AROUND_SECONDS
    told: list[str] | None = None
    while loop.time() < end:
        for info in node.tables.values():
            if fits(info) and info.free_seats:
                return info
        if loop.time() >= told_next:
            there = sorted(_free(info, texts) for info in node.tables.values())
            if there != told:
                tell(texts("seat.other_tables", tables="; ".join(there)) if there else texts("seat.no_tables"))
            told, told_next = there, loop.time() + SIGN_SECONDS
            tell(texts("seat.looking", n=max(1, round(end - loop.time()))))
        await _next_event(node, min(1.0, max(0.01, end - loop.time())), texts, tell)
    raise UsageError(texts("seat.no_table"))


def _free(info: TableInfo, texts: Texts) -> str:
    return texts("seat.other_table", title=short(info.title), n=info.free_seats)


async def find_game(node: Node, words: str | None, texts: Texts, tell: Tell) -> GameInfo:
    """Waits until there is the game that is meant; if its table is still being gathered, until it begins.

    Raises:
        UsageError: There is none, or several are meant.
    """
    loop = asyncio.get_running_loop()
    end, found = loop.time() + FIND_SECONDS, False
    while loop.time() < end:
        games, tables = _meant(node, words)
        if (games or tables) and not found:
            found, end = True, loop.time() + LOOK_AROUND_SECONDS
        await _next_event(node, 0.2, texts, tell)
    games, tables = _meant(node, words)
    if len(games) + len(tables) > 1:
        lines = [_label(game.title, [player.name for player in game.charter.players]) for game in games]
        lines += [_label(table.title, [member.name for member in table.members]) for table in tables]
        raise UsageError("\n".join([texts("watch.several"), *lines]))
    if games:
        return games[0]
    if tables:
        return await begun(node, tables[0], texts, tell)
    raise UsageError(texts("watch.none_called", words=words) if words else texts("watch.none"))


async def begun(node: Node, table: TableInfo, texts: Texts, tell: Tell) -> GameInfo:
    """Waits until the game of a table begins.

    Raises:
        UsageError: The table was closed.
    """
    tell(texts("watch.gathering", title=short(table.title)))
    loop = asyncio.get_running_loop()
    seen = loop.time()
    while loop.time() < seen + GONE_SECONDS:
        for game in node.games.values():
            if game.charter.seat_of(table.opener) is not None:
                return game
        if table.id in node.tables:
            seen = loop.time()
        await _next_event(node, 0.5, texts, tell)
    raise UsageError(texts("watch.closed"))


async def _next_event(node: Node, seconds: float, texts: Texts, tell: Tell) -> None:
    try:
        async with asyncio.timeout(seconds):
            event: NodeEvent = await node.events.get()
    except TimeoutError:
        return
    if isinstance(event, Refused):
        reason = translated(event.sentence, texts)
        tell(clean(texts("seat.no_connection", name=event.name, reason=reason)))


def _meant(node: Node, words: str | None) -> tuple[list[GameInfo], list[TableInfo]]:
    def fits(title: str, names: list[str]) -> bool:
        wanted = (words or "").casefold()
        return wanted in title.casefold() or wanted in (name.casefold() for name in names)

    games = [one for one in node.games.values() if fits(one.title, [player.name for player in one.charter.players])]
    tables = [one for one in node.tables.values() if fits(one.title, [member.name for member in one.members])]
    return games, tables


def _label(title: str, names: list[str]) -> str:
    return clean(f'"{title}": {", ".join(names)}' if title else ", ".join(names))
