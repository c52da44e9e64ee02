"""``p2p-sheriff host``: opens a table for people on the network."""

import argparse
import shlex
from collections.abc import Sequence

from p2p_sheriff import arguments
from p2p_sheriff.fronts.lines.console import tell
from p2p_sheriff.fronts.person import attend, run_game
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.seat.intents import BeReady, Intent, OpenTable
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.texts import ENGLISH, Texts


def run(given: argparse.Namespace) -> int:
    """Waits for people, then plays."""
    setup = arguments.setup_of(given, given.players)
    options, shown = arguments.ask_name(arguments.node_options(given, opens=True)), arguments.display(given)
    first: list[Intent] = [OpenTable(setup, purse=given.purse), *([BeReady(True)] if given.ready else [])]

    async def game() -> None:
        async with open_node(options) as (node, profile):
            title, addresses = options.texts("gather.title", name=node.name), local_addresses(options.interfaces)
            if not shown.on_screen:
                for line in invitation(title, node.port, addresses, options.texts, private=options.private):
                    tell(line)
            await attend(node, profile, options, shown, *first)

    return run_game(game(), options)


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
