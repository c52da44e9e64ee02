"""Bots for a table of one's own, one by one, while it is being gathered."""

import argparse

from p2p_sheriff.bots import STYLES
from p2p_sheriff.commands.company import NAMES, Company, Hired, take_note
from p2p_sheriff.commands.private import bots_share
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.profile import Profile


class Hiring:
    """Lets bots of this machine join a table that was opened here."""

    def __init__(self, company: Company, profile: Profile, port: int, options: argparse.Namespace) -> None:
        """Takes who starts them, the own profile, where the own node listens, and the options that it has."""
        self._company, self._profile, self._options = company, profile, options
        # An address that others may reach too: they see the bot where it comes from.
        self._address = f"{local_addresses(options.interface)[0]}:{port}"
        self._hired: list[Hired] = []

    async def add(self, info: TableInfo, style: str | None) -> None:
        """Sends one more bot to the table; of this style, or of each in turn."""
        bot = self._next(info, style)
        self._hired.append(bot)
        take_note(self._profile, [bot])
        arguments, environment = bots_share(self._options)
        interfaces = [word for interface in self._options.interface for word in ("--interface", interface)]
        joining = ("--table", info.id.hex(), "--connect", self._address, "--rematch")
        await self._company.start(bot, *joining, *interfaces, *arguments, environment=environment)

    def _next(self, info: TableInfo, style: str | None) -> Hired:
        seated = [member.name for member in info.members]
        unused = [name for name in NAMES if name not in (*seated, *(bot.name for bot in self._hired))]
        names = unused or [name for name in NAMES if name not in seated]
        number = len(self._hired)
        # A profile for each name, so that a bot who comes again is the one that the others have met.
        return Hired(f"bot-{names[0].lower()}", names[0], style or STYLES[number % len(STYLES)], self._options.pace)
