"""``p2p-sheriff``: the lobby on a full screen, and everything that begins there."""

import argparse
from dataclasses import replace
from pathlib import Path

from p2p_sheriff import arguments
from p2p_sheriff.commands.replay import develop
from p2p_sheriff.fronts.botfront import stand_in
from p2p_sheriff.fronts.display import has_screen
from p2p_sheriff.fronts.person import run_game
from p2p_sheriff.fronts.tui.screenfront import ScreenFront
from p2p_sheriff.fronts.tui.tutorial import Tutorial
from p2p_sheriff.fronts.tui.welcome import Welcome
from p2p_sheriff.lab.rehearsal import begin_tutorial
from p2p_sheriff.node.discovery import local_addresses
from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.film import Film
from p2p_sheriff.seat.intents import EnterLobby, GoPrivate, Intent, OpenTable, Rename
from p2p_sheriff.seat.settings import NodeOptions, data_folder
from p2p_sheriff.seat.starting import known_nick, open_node
from p2p_sheriff.seat.words import Words
from p2p_sheriff.usage import UsageError
from p2p_sheriff.verbs.verbs import overview


def run(given: argparse.Namespace) -> int:
    """Shows the lobby until the player quits.

    Raises:
        UsageError: There is no screen to show it on.
    """
    if not has_screen():
        raise UsageError(f"{given.texts('usage.no_screen')}\n\n{overview(given.texts)}".rstrip())
    options = arguments.node_options(given)
    return run_game(_spend_evening(options, ascii_only=given.ascii, quiet=given.quiet), options)


async def _spend_evening(options: NodeOptions, *, ascii_only: bool, quiet: bool) -> None:
    """Goes from the welcome to the lobby, and to another one whenever the name or the passphrase is a new one."""
    words, is_known = Words(options.texts), bool(options.name or known_nick(options))

    def teach() -> Tutorial:
        return begin_tutorial(words, options.name or "Robin")

    def see_again(transcript: Path) -> Film | None:
        try:
            film = develop(transcript, words, lambda _done, _of: None, (options.profile, data_folder(options.data)))
        except UsageError:
            return None
        return film if isinstance(film, Film) else None

    welcome = None if is_known else Welcome(words)
    async with ScreenFront(
        words, ascii_only=ascii_only, quiet=quiet, first=welcome, teach=teach, develop=see_again
    ) as front:
        wish: Intent | None = EnterLobby() if is_known else await front.wish()
        while wish is not None:
            first: tuple[Intent, ...] = ()
            match wish:
                case Rename(name):
                    options = replace(options, name=name)
                    if welcome is not None:  # The welcome asks for a name first, and then what to do with it.
                        wish, welcome = await front.wish(), None
                        continue
                case GoPrivate(passphrase):
                    options = replace(options, passphrase=passphrase or None)
                case OpenTable(passphrase=passphrase) as table:
                    options = replace(options, passphrase=passphrase or options.passphrase)
                    first = (replace(table, passphrase=""),)
                case _:
                    pass
            wish = await _visit(front, options, words, *first)


async def _visit(front: ScreenFront, options: NodeOptions, words: Words, *first: Intent) -> Intent | None:
    """Lets the player be in the lobby of one node; returns what needs another node, or None if they quit."""
    async with open_node(options) as (node, profile), Company(profile, node.port, options) as company:
        addresses = local_addresses(options.interfaces)
        driver = Driver(
            *(node, profile, front, words),
            company=company,
            addresses=addresses,
            private=options.private,
            has_lobby=True,
            pilot=lambda: stand_in(options.tempo),
        )
        return await driver.run(*first)
