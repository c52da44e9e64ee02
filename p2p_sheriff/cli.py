"""The command line: puts the parts together."""

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path

import platformdirs

import p2p_sheriff
from p2p_sheriff import audit, bench, simulate
from p2p_sheriff.commands import bot, demo, doctor, host, join, lobby, play, replaying, resume, tutoring, watch
from p2p_sheriff.node.logbook import keep_log
from p2p_sheriff.texts import add_language_argument
from p2p_sheriff.usage import UsageError

_INTERRUPTED = 130
"""The exit code of a program that was stopped from the keyboard."""

_COMMANDS = {
    "audit": (audit, "check the transcript of a game: signatures, proofs, rules and score"),
    "bench": (bench, "measure this machine: figures, each with its floor"),
    "bot": (bot, "a bot that joins a table on the network"),
    "demo": (demo, "bots find each other and play a whole game, narrated; then it is audited"),
    "doctor": (doctor, "say whether this machine can play here, and what to do if not"),
    "host": (host, "open a table for people on the network"),
    "join": (join, "sit down at a table on the network"),
    "lobby": (lobby, "find people and tables on a full screen; so it is without a command, too"),
    "play": (play, "play against bots on this machine"),
    "replay": (replaying, "see a finished game again, step by step, after checking all of it"),
    "resume": (resume, "go on with a game that was interrupted"),
    "simulate": (simulate, "play many games of bots without cryptography: statistics"),
    "tutorial": (tutoring, "learn the game in two minutes, with a coach"),
    "watch": (watch, "look on at a game on the network"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # A letter that the terminal does not have ends no game.
    parser = argparse.ArgumentParser(prog="p2p-sheriff", description=p2p_sheriff.__doc__)
    parser.add_argument("--version", action="version", version=f"p2p-sheriff {version('p2p-sheriff')}")
    commands = parser.add_subparsers(metavar="command", required=True)
    for name, (module, help_text) in _COMMANDS.items():
        command = commands.add_parser(name, help=help_text, description=module.__doc__)
        module.add_arguments(command)
        add_language_argument(command)
        command.set_defaults(run=module.run)
    arguments = sys.argv[1:] if arguments is None else arguments
    if not arguments and not lobby.is_shown():
        sys.stderr.write(f"{lobby.NO_SCREEN}\n\n{parser.format_help()}")
        return 2
    options = parser.parse_args(arguments if _names_command(arguments) else ["lobby", *arguments])
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
    base = options.data or Path(platformdirs.user_data_dir("p2p-sheriff", appauthor=False))
    return keep_log(base / profile)
