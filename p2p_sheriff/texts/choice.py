"""Which language a person wants: what they say on the command line, or what their system speaks."""

import os
from collections.abc import Mapping

from p2p_sheriff.texts.catalogue import LANGUAGES, Texts, language_of

_VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Where the language of messages is set, the strongest first."""


def chosen(asked: str | None, environment: Mapping[str, str] = os.environ) -> Texts:
    """Returns the texts in the language that was asked for, else in that of the system, else in English.

    Raises:
        UnknownLanguage: The language that was asked for is not there.
    """
    if asked is not None:
        return Texts.of(asked)
    language = language_of(next((environment[name] for name in _VARIABLES if environment.get(name)), ""))
    return Texts.of(language if language in LANGUAGES else "en")
