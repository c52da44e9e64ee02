"""``p2p-sheriff host``: opens a table for people on the network."""

import argparse
import shlex
from collections.abc import Sequence

from p2p_sheriff.arguments import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    add_seat_arguments,
    add_table_arguments,
    display,
    node_options,
    setup_of,
)
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.seat.intents import BeReady, Intent, OpenTable
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.texts import ENGLISH, Texts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    add_seat_arguments(parser)
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many seats; default: 4")
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(given: argparse.Namespace) -> int:
    """Waits for people, then plays."""
    setup = setup_of(given, given.players)
    options, shown = node_options(given, opens=True), display(given)
    first: list[Intent] = [OpenTable(setup, purse=given.purse), *([BeReady(True)] if given.ready else [])]

    async def game() -> None:
        async with open_node(options) as (node, profile):
            title, addresses = options.texts("gather.title", name=node.name), local_addresses(options.interfaces)
            if not shown.on_screen:
                for line in invitation(title, node.port, addresses, options.texts, private=options.private):
                    tell(line)
            await attend(node, profile, options, shown, *first)

    return run_game(game(), options.texts)


def invitation(title: str, port: int, addresses: Sequence[str], texts: Texts = ENGLISH, *, private: bool) -> list[str]:
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
