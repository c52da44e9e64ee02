"""``p2p-sheriff resume``: goes on with a game that was interrupted."""

import argparse
import asyncio
import time
from contextlib import AsyncExitStack
from secrets import token_bytes
from typing import Final

from p2p_sheriff.commands import company
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    open_node,
)
from p2p_sheriff.commands.private import bots_share
from p2p_sheriff.commands.screengame import has_screen, play_at_table
from p2p_sheriff.commands.sitting import run_game, sit
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.texts import Texts, chosen
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519

_PROGRESS_SECONDS: Final = 2
"""How often it is told how much is checked."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Comes back to the latest unfinished game of the profile."""
    texts = chosen(options)

    async def game() -> None:
        async with AsyncExitStack() as stack:
            node, profile = await stack.enter_async_context(open_node(options))
            unfinished = profile.unfinished_games()
            if not unfinished:
                raise UsageError(texts("seat.no_game"))
            started = company.Company(stack, company.home(profile), tell, texts)
            arguments, environment = bots_share(options)
            interfaces = [word for interface in options.interface for word in ("--interface", interface)]
            address = f"{local_addresses(options.interface)[0]}:{node.port}"
            returning = ("--resume", "--game", unfinished[0].hex(), "--rematch", "--connect", address, *interfaces)
            for bot in company.who_played(profile, unfinished[0]):
                await started.start(bot, *returning, *arguments, environment=environment)
            tell(texts("seat.checking"))
            keeper = await asyncio.to_thread(
                Keeper.resume, profile, unfinished[0], Edwards25519(), token_bytes, _Progress(texts).see
            )
            keeper.take_events()
            told = keeper.session.play.state
            await node.resume(keeper)
            if has_screen(options):
                tell(await play_at_table(node, profile, options, session=keeper.session, told=told))
                return
            await sit(node, profile, keeper.session, told, texts=texts)

    return run_game(game(), texts)


class _Progress:
    """Tells now and then how much is checked."""

    def __init__(self, texts: Texts) -> None:
        self._texts, self._told = texts, time.monotonic()

    def see(self, done: int, total: int) -> None:
        if time.monotonic() - self._told >= _PROGRESS_SECONDS:
            self._told = time.monotonic()
            tell(self._texts("seat.checked", done=done, total=total))
