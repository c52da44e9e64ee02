"""``p2p-sheriff resume``: goes on with a game that was interrupted."""

import argparse
import asyncio
from secrets import token_bytes

from p2p_sheriff.commands.lineseat import tell
from p2p_sheriff.commands.network import add_network_arguments, open_node
from p2p_sheriff.commands.sitting import run_game, sit
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Comes back to the latest unfinished game of the profile."""

    async def game() -> None:
        async with open_node(options) as (node, profile):
            unfinished = profile.unfinished_games()
            if not unfinished:
                raise UsageError("There is no interrupted game in this profile.")
            tell("Checking what was played so far.")
            keeper = await asyncio.to_thread(Keeper.resume, profile, unfinished[0], Edwards25519(), token_bytes)
            keeper.take_events()
            told = keeper.session.play.state
            await node.resume(keeper)
            await sit(node, profile, keeper.session, told)

    return run_game(game())
