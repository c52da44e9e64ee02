"""Which language a person wants: what they say on the command line, or what their system speaks."""

import argparse
import os
from collections.abc import Mapping

from p2p_sheriff.texts.catalogue import LANGUAGES, Texts, language_of

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the language of messages is set, the strongest first."""


def add_language_argument(parser: argparse.ArgumentParser) -> None:
    """Adds ``--lang`` to the options of a command."""
    known = ", ".join(LANGUAGES)
    parser.add_argument("--lang", metavar="CODE", help=f"the language: {known}; default: your system's, or en")


def chosen(options: argparse.Namespace, environment: Mapping[str, str] = os.environ) -> Texts:
    """Returns the texts in the language of ``--lang``, else in that of the system, else in English.

    Raises:
        UnknownLanguage: ``--lang`` names a language that there is not.
    """
    asked: str | None = getattr(options, "lang", None)
    if asked is not None:
        return Texts.of(asked)
    language = language_of(next((environment[name] for name in _VARIABLES if environment.get(name)), ""))
    return Texts.of(language if language in LANGUAGES else "en")
