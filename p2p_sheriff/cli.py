"""The command line: puts the parts together."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper

import p2p_sheriff
from p2p_sheriff.fronts.display import has_screen
from p2p_sheriff.node.logbook import keep_log
from p2p_sheriff.seat.settings import data_folder
from p2p_sheriff.texts import add_language_argument
from p2p_sheriff.usage import UsageError

_INTERRUPTED = 130
"""The exit code of a program that was stopped from the keyboard."""

_COMMANDS = {
    "audit": ("p2p_sheriff.commands.audit", "check the transcript of a game: signatures, proofs, rules and score"),
    "bench": ("p2p_sheriff.commands.bench", "measure this machine: figures, each with its floor"),
    "bot": ("p2p_sheriff.commands.bot", "a bot that joins a table on the network"),
    "demo": ("p2p_sheriff.commands.demo", "bots find each other and play a whole game, narrated; then it is audited"),
    "doctor": ("p2p_sheriff.commands.doctor", "say whether this machine can play here, and what to do if not"),
    "host": ("p2p_sheriff.commands.host", "open a table for people on the network"),
    "join": ("p2p_sheriff.commands.join", "sit down at a table on the network"),
    "lobby": ("p2p_sheriff.commands.lobby", "find people and tables on a full screen; so it is without a command, too"),
    "play": ("p2p_sheriff.commands.play", "play against bots on this machine"),
    "replay": ("p2p_sheriff.commands.replay", "see a finished game again, step by step, after checking all of it"),
    "resume": ("p2p_sheriff.commands.resume", "go on with a game that was interrupted"),
    "simulate": ("p2p_sheriff.commands.simulate", "play many games of bots without cryptography: statistics"),
    "tutorial": ("p2p_sheriff.commands.tutorial", "learn the game in two minutes, with a coach"),
    "watch": ("p2p_sheriff.commands.watch", "look on at a game on the network"),
}
"""Where each is. Only the one that runs is imported: a bot needs no screen, and four of them start at once."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # A letter that the terminal does not have ends no game.
    parser = argparse.ArgumentParser(prog="p2p-sheriff", description=p2p_sheriff.__doc__)
    parser.add_argument("--version", action="version", version=f"p2p-sheriff {version('p2p-sheriff')}")
    commands = parser.add_subparsers(metavar="command", required=True)
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not _names_command(given):
        given = ["lobby", *given]
    module = import_module(_COMMANDS[given[0]][0]) if given[0] in _COMMANDS else None
    for name, (_, help_text) in _COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=module.__doc__ if module else None)
        if module and name == given[0]:
            module.add_arguments(command)
            add_language_argument(command)
            command.set_defaults(run=module.run)
    if module and given == ["lobby"] and not has_screen():
        sys.stderr.write(f"{module.NO_SCREEN}\n\n{parser.format_help()}")
        return 2
    options = parser.parse_args(given)
    try:
        with _log(options):
            exit_code: int = options.run(options)
        sys.stdout.flush()
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return _INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has seen enough; what is still to be flushed at the end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return exit_code


def _names_command(arguments: Sequence[str]) -> bool:
    """Whether a command is named; options alone are those of the lobby."""
    return bool(arguments) and (not arguments[0].startswith("-") or arguments[0] in ("-h", "--help", "--version"))


def _log(options: argparse.Namespace) -> AbstractContextManager[None]:
    """Keeps the log of a command that has a profile, in the profile's folder."""
    profile: str | None = getattr(options, "profile", None)
    if profile is None:
        return nullcontext()
    return keep_log(data_folder(options.data) / profile)
