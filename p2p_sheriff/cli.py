"""The command line: reads what is typed, and loads what does it."""

import gc
import logging
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Any

from p2p_sheriff.fronts.display import has_screen
from p2p_sheriff.texts import ENGLISH, Texts, chosen
from p2p_sheriff.usage import INTERRUPTED, UsageError
from p2p_sheriff.verbs.parser import PROGRAM, not_known
from p2p_sheriff.verbs.verbs import VERBS, overview, parser_of

_LANGUAGE = "--lang"
_OBJECTS_BETWEEN_SEARCHES = 20_000
"""For garbage: with the language's 700 they take a twentieth of what a game's Python does."""

_log = logging.getLogger(__name__)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the program and returns its exit code."""
    if sys.stdout is None:  # That is how Python says that it was closed.
        sys.stderr.write(f"{ENGLISH('usage.no_output')}\n")
        return 2
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # A letter that the terminal does not have ends no game.
    texts, given = ENGLISH, list(sys.argv[1:] if arguments is None else arguments)
    try:
        texts = chosen(_language(given))
        exit_code = _run(given, texts)
        sys.stdout.flush()
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except KeyboardInterrupt:
        sys.stderr.write(f"{texts('usage.stopped')}\n")
        return INTERRUPTED
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # Whoever read our output has seen enough.
            _log.info("the system refuses", exc_info=error)
            sys.stderr.write(f"{texts('usage.system', reason=error.strerror or error)}\n")
        # What is still to be flushed at the end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return exit_code


def _run(given: list[str], texts: Texts) -> int:
    while given and given[0].partition("=")[0] == _LANGUAGE:  # The language may stand before the verb.
        given = given[1:] if "=" in given[0] else given[2:]
    verb = given[0] if given and not given[0].startswith("-") else None
    if verb is None and {"-h", "--help"} & set(given):
        sys.stdout.write(overview(texts))
        return 0
    if verb is None and "--version" in given:
        sys.stdout.write(f"{PROGRAM} {_version()}\n")
        return 0
    if verb is None and not given and not has_screen():
        sys.stderr.write(f"{texts('usage.no_screen')}\n\n{overview(texts)}")
        return 2
    if verb is not None and verb not in VERBS:
        see = texts("usage.see_help", command=f"{PROGRAM} --help")
        raise UsageError(f"{not_known('usage.no_command', verb, list(VERBS), texts)}\n{see}")
    options = parser_of(verb or "lobby", texts).read(given[1:] if verb else given)
    options.texts = texts
    exit_code: int = _loaded(verb or "lobby").run(options)
    return exit_code


def _loaded(verb: str) -> Any:
    """Loads the verb that runs, and no other: a bot needs no screen, and four of them start at once.

    All that is loaded stays, so nobody looks for garbage in it, now or later; and seldom in what comes then: states and
    entries are in no circles, and go by themselves.
    """
    gc.disable()
    command = import_module(f"p2p_sheriff.commands.{verb}")
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    gc.enable()
    return command


def _language(given: Sequence[str]) -> str | None:
    """Returns the language that was asked for: help and errors speak it, too, so it must be known before them."""
    for place, word in enumerate(given):
        name, has_value, value = word.partition("=")
        if name == _LANGUAGE:
            return value if has_value else next(iter(given[place + 1 : place + 2]), None)
    return None


def _version() -> str:
    return str(import_module("importlib.metadata").version(PROGRAM))
