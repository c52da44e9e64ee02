"""The player's own bots at one table: they come one by one, and go when the table is over for the player."""

import argparse
import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack

from p2p_sheriff.commands.company import Company, Hired, home, who_played
from p2p_sheriff.commands.hiring import Hiring
from p2p_sheriff.commands.private import bots_share
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.texts import Texts, chosen


class _NotedCompany(Company):
    """Bots that were started, with their styles by name."""

    def __init__(self, stack: AsyncExitStack, profile: Profile, tell: Callable[[str], None], texts: Texts) -> None:
        super().__init__(stack, home(profile), tell, texts)
        self.styles: dict[str, str] = {}

    async def start(self, bot: Hired, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        self.styles[bot.name] = bot.style
        await super().start(bot, *arguments, environment=environment)


class Troupe:
    """Bots for the tables that are opened here, one table after the other."""

    def __init__(self, profile: Profile, port: int, options: argparse.Namespace) -> None:
        """Takes the own profile, where the own node listens, and the options that it has."""
        self._profile, self._port, self._options = profile, port, options
        self.tell: Callable[[str], None] = lambda _: None
        """Is told if a bot fails."""
        self._going: list[asyncio.Task[None]] = []
        self._gather()

    def _gather(self) -> None:
        self._stack = AsyncExitStack()
        self._company = _NotedCompany(self._stack, self._profile, self._hear, chosen(self._options))
        self._hiring = Hiring(self._company, self._profile, self._port, self._options)

    def _hear(self, line: str) -> None:
        self.tell(line)

    @property
    def styles(self) -> Mapping[str, str]:
        """The bots of this table: name and style."""
        return dict(self._company.styles)

    async def add(self, info: TableInfo, style: str | None) -> None:
        """Sends one more bot to the table; of this style, or of each in turn."""
        await self._hiring.add(info, style)

    async def bring_back(self, game: bytes) -> None:
        """Lets the bots come back that have a seat in an interrupted game."""
        arguments, environment = bots_share(self._options)
        interfaces = [word for interface in self._options.interface for word in ("--interface", interface)]
        address = f"{local_addresses(self._options.interface)[0]}:{self._port}"
        returning = ("--resume", "--game", game.hex(), "--rematch", "--connect", address, *interfaces, *arguments)
        for bot in who_played(self._profile, game):
            await self._company.start(bot, *returning, environment=environment)

    def dismiss(self) -> None:
        """Lets the bots go; nobody waits for them."""
        if self._company.styles:
            self._going.append(asyncio.create_task(self._stack.aclose()))
            self._gather()

    async def close(self) -> None:
        """Waits until all bots have ended."""
        self.dismiss()
        await asyncio.gather(*self._going)
