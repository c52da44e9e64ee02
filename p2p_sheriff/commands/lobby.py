"""``p2p-sheriff``: the lobby on a full screen, and everything that begins there."""

import argparse
import os
from dataclasses import replace
from pathlib import Path

import platformdirs

from p2p_sheriff.commands.company import LOOPBACK
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_pace_argument,
    add_screen_arguments,
    open_node,
)
from p2p_sheriff.commands.screengame import Playing, has_screen, play_at_table
from p2p_sheriff.commands.screenwatch import watch_on_screen
from p2p_sheriff.commands.sitting import run_game
from p2p_sheriff.commands.tutorial import tutorial
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.hall import EnterLobby, GoPrivate, OpenTable, Rename, StartTutorial
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.fronts.tui.welcome import Welcome
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import chosen, refusal_sentence
from p2p_sheriff.usage import UsageError

NO_SCREEN = "The lobby needs a terminal with a full screen. These commands do without:"


def is_shown() -> bool:
    """Whether there is a screen to show the lobby on."""
    return has_screen(argparse.Namespace())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_screen_arguments(parser)
    add_pace_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Shows the lobby until the player quits.

    Raises:
        UsageError: There is no screen to show it on.
    """
    if not is_shown():
        raise UsageError(NO_SCREEN)
    texts = chosen(options)
    return run_game(_spend_evening(options, Words(texts)), texts)


def play_on_screen(options: argparse.Namespace, setup: Setup) -> int:
    """Plays against bots on this machine, on the screen; returns the exit code."""

    async def game() -> None:
        options.interface = options.interface or [LOOPBACK]
        async with open_node(options) as (node, profile):
            wanted = OpenTable(setup.players, setup.options, with_bots=True)
            if last_word := await play_at_table(node, profile, options, wanted):
                tell(last_word)

    return run_game(game(), chosen(options))


async def _spend_evening(options: argparse.Namespace, words: Words) -> None:
    """Goes from the welcome to the lobby, and to another one whenever the name or the passphrase is a new one."""
    wish: Intent | None = await _welcome(options, words)
    while wish is not None:
        match wish:
            case Rename(name):
                options.name, wish = name, EnterLobby()
            case GoPrivate(passphrase):
                options.private, options.passphrase, wish = bool(passphrase), passphrase or None, EnterLobby()
            case OpenTable(passphrase=str(passphrase)) if passphrase:
                options.private, options.passphrase, wish = True, passphrase, replace(wish, passphrase="")
            case StartTutorial():
                await _teach(options, words, options.name)
                wish = EnterLobby()
            case _:
                pass
        wish = await _visit(options, words, wish)


async def _visit(options: argparse.Namespace, words: Words, wish: Intent) -> Intent | None:
    """Lets the player be in the lobby of one node; returns what needs another node, or None if they quit."""
    async with open_node(options) as (node, profile):
        playing = Playing(node, profile, options, words)
        first = () if isinstance(wish, EnterLobby) else (wish,)
        said = ""
        try:
            while True:
                lobby = playing.lobby()
                match await lobby.visit(*first, said=said):
                    case Session() as session:
                        said = await playing.sit(session, lobby.told)
                        playing.bots.dismiss()
                    case StartTutorial():
                        await _teach(options, words, node.name)
                        said = ""
                    case GameInfo() as info:
                        said = await _watch(playing, info, ascii_only=_ascii_only(options))
                    case outcome:
                        return outcome
                first = ()
        finally:
            await playing.bots.close()


async def _watch(playing: Playing, info: GameInfo, *, ascii_only: bool) -> str:
    """Shows a game; returns why not, if it can't be watched."""
    try:
        await watch_on_screen(playing.node, info, playing.words, ascii_only=ascii_only)
    except LobbyError as error:
        return refusal_sentence(error, playing.words.texts)
    return ""


async def _teach(options: argparse.Namespace, words: Words, name: str) -> None:
    """Shows the tutorial; everything happens on its screen."""
    app = App(tutorial(words, name), lambda _: None, words, depth_of(os.environ), ascii_only=_ascii_only(options))
    await app.run()


def _ascii_only(options: argparse.Namespace) -> bool:
    return options.ascii or needs_ascii(os.environ)


# -- the first start


async def _welcome(options: argparse.Namespace, words: Words) -> Intent | None:
    """Asks who the player is, if that is not known yet; returns how they want to begin, or None if not at all."""
    if options.name or _nick(options):
        return EnterLobby()
    wishes: list[Intent] = []

    def act(intent: Intent) -> None:
        match intent:
            case Rename(name):
                options.name = name
            case _:
                wishes.append(intent)
                app.leave()

    app = App(Welcome(words), act, words, depth_of(os.environ), ascii_only=_ascii_only(options))
    await app.run()
    return wishes[0] if wishes else None


def _nick(options: argparse.Namespace) -> str | None:
    base = options.data or Path(platformdirs.user_data_dir("p2p-sheriff", appauthor=False))
    try:
        with Profile.open(options.profile, base) as profile:
            return profile.nick
    except StoreError as error:
        raise UsageError(refusal_sentence(error, chosen(options))) from error
