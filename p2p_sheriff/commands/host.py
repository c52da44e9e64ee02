"""``p2p-sheriff host``: opens a table for people on the network."""

import argparse
import shlex
from contextlib import AsyncExitStack

from p2p_sheriff.commands.company import Company, home
from p2p_sheriff.commands.hiring import Hiring
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    add_seat_arguments,
    add_table_arguments,
    open_node,
    setup_of,
)
from p2p_sheriff.commands.screengame import has_screen, play_at_table
from p2p_sheriff.commands.sitting import run_game, sit
from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.fronts.lines.lobbyseat import LobbySeat
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.fronts.tui.hall import BeReady
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.texts import ENGLISH, Texts, chosen


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    add_seat_arguments(parser)
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many seats; default: 4")
    add_screen_arguments(parser)
    add_pace_argument(parser)
    parser.set_defaults(opens=True)


def run(options: argparse.Namespace) -> int:
    """Waits for people, then plays."""
    setup, texts = setup_of(options, options.players), chosen(options)

    async def game() -> None:
        async with AsyncExitStack() as stack:
            node, profile = await stack.enter_async_context(open_node(options))
            title = texts("gather.title", name=node.name)
            await node.open_table(title, setup, options.purse)
            if has_screen(options):
                tell(await play_at_table(node, profile, options, *([BeReady(True)] if options.ready else [])))
                return
            addresses = local_addresses(options.interface)
            for line in invitation(title, node.port, addresses, texts, private=options.private):
                tell(line)
            bots = Hiring(Company(stack, home(profile), tell, texts), profile, node.port, options)
            keyboard = Keyboard()
            if session := await LobbySeat(node, keyboard, bots, texts=texts).gather(ready=options.ready):
                await sit(node, profile, session, keyboard=keyboard, texts=texts)

    return run_game(game(), texts)


def invitation(title: str, port: int, addresses: list[str], texts: Texts = ENGLISH, *, private: bool) -> list[str]:
    """Returns what others must type to join a table."""
    flag = " --private" if private else ""
    joins = [f"p2p-sheriff join {address}:{port}{flag}" for address in addresses]
    return [
        texts("gather.invitation", title=title, command=f"p2p-sheriff join {_quoted(title)}{flag}"),
        texts("gather.invitation_address", commands=texts("gather.invitation_or").join(joins)),
        *([texts("gather.invitation_private")] if private else []),
    ]


def _quoted(title: str) -> str:
    """Returns the title as a shell takes it: simply quoted, if that is enough."""
    return shlex.quote(title) if any(sign in title for sign in '"$`\\!') else f'"{title}"'
