"""``p2p-sheriff host``: opens a table for people on the network."""

import argparse

from p2p_sheriff.commands.lineseat import tell
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_table_arguments,
    open_node,
    setup_of,
    wait_for_start,
)
from p2p_sheriff.commands.sitting import run_game, say_who, sit


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    parser.add_argument("--players", type=int, default=4, metavar="N", help="how many seats; default: 4")
    parser.add_argument("--purse", type=int, metavar="COINS", help="the cash you carry: the richest is sheriff first")


def run(options: argparse.Namespace) -> int:
    """Waits for people, then plays."""
    setup = setup_of(options, options.players)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            title = f"{node.name}'s table"
            await node.open_table(title, setup, options.purse)
            tell(f'"{title}" is open, for {setup.players} players. Others type: p2p-sheriff join "{title}"')
            tell(f"Where nodes can't find each other, they type: p2p-sheriff join ADDRESS-OF-THIS-MACHINE:{node.port}")
            await node.at_table(lambda gathering: gathering.set_ready(True))
            await sit(node, profile, await wait_for_start(node, say_who))

    return run_game(game())
