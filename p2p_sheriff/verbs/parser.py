"""argparse in the player's language: help, errors, and a hint for whoever mistypes."""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from p2p_sheriff.texts import Texts
from p2p_sheriff.verbs.values import meant

PROGRAM: Final = "p2p-sheriff"

_SAID: Final = {
    "usage: ": "usage.usage",
    "positional arguments": "usage.arguments",
    "options": "usage.options",
    "show this help message and exit": "usage.help",
    "the following arguments are required: %s": "usage.required",
    "expected one argument": "usage.value_missing",
    "ignored explicit argument %r": "usage.no_value",
    "argument %(argument_name)s: %(message)s": "usage.about_option",
}
"""What argparse says, and where it stands in the catalogues; anything else would be said in English."""


class Parser(argparse.ArgumentParser):
    """Reads the options of one verb."""

    def __init__(self, verb: str, texts: Texts, examples: Sequence[str] = ()) -> None:
        """Takes the verb, the language, and lines that show how the verb is typed."""
        _speak(texts)
        self._texts = texts
        told = "\n".join([texts("usage.examples"), *(f"  {PROGRAM} {example}" for example in examples)])
        super().__init__(
            prog=f"{PROGRAM} {verb}",
            description=texts(f"verb.{verb}"),
            epilog=told if examples else None,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Returns what was given; ends the program if that can't be understood."""
        given, unknown = self.parse_known_args(arguments)
        for word in unknown:
            known = [option for action in self._actions for option in action.option_strings]
            self.error(not_known("usage.no_option", word.partition("=")[0], known, self._texts))
        return given

    def error(self, message: str) -> NoReturn:
        """Says what is wrong, and where to look; exit code 2."""
        sys.stderr.write(f"{self.prog}: {message}\n{self._texts('usage.see_help', command=f'{self.prog} --help')}\n")
        sys.exit(2)


def not_known(key: str, word: str, known: Sequence[str], texts: Texts) -> str:
    """Returns the sentence that a word is not known, with the one that was probably meant."""
    sentence, guess = texts(key, word=word), meant(word, known)
    return sentence if guess is None else f"{sentence} {texts('usage.did_you_mean', word=guess)}"


def _speak(texts: Texts) -> None:
    """Gives argparse its sentences: it asks gettext for them, whose files we don't have; so we answer in its place."""
    vars(argparse)["_"] = lambda said: str(texts.entries[_SAID[said]]) if said in _SAID else said


class Switches:
    """Adds options to a parser; what each is for stands in the catalogues under its name."""

    def __init__(self, parser: argparse._ActionsContainer, texts: Texts) -> None:
        """Takes the parser, or a group of its options."""
        self._to, self._texts = parser, texts

    def section(self, name: str) -> "Switches":
        """Returns a group of options with a title of its own."""
        return Switches(self._to.add_argument_group(self._texts(f"usage.{name}")), self._texts)

    def flag(self, name: str, said: str | None = None) -> None:
        """Adds an option that stands alone; ``said`` is where its help stands, if not under its name."""
        self._to.add_argument(f"--{name}", action="store_true", help=self._help(said or name))

    def value(
        self,
        name: str,
        metavar: str,
        read: Callable[[str], Any] = str,
        default: Any = None,
        *,
        dest: str | None = None,
        said: str | None = None,
        **fields: object,
    ) -> None:
        """Adds an option with a value; the fields fill its help."""
        said = self._help(said or name, default=default, **fields)
        dest = dest or name.replace("-", "_")
        self._to.add_argument(f"--{name}", type=read, default=default, metavar=metavar, dest=dest, help=said)

    def values(self, name: str, metavar: str, read: Callable[[str], Any] = str) -> None:
        """Adds an option that may be given several times."""
        self._to.add_argument(
            f"--{name}", type=read, action="append", default=[], metavar=metavar, help=self._help(name)
        )

    def word(self, name: str, read: Callable[[str], Any] = str, said: str | None = None, *, must: bool = True) -> None:
        """Adds a word without a name."""
        self._to.add_argument(
            name, type=read, nargs=None if must else "?", metavar=name.upper(), help=self._help(said or name)
        )

    def hidden(self, name: str, read: Callable[[str], Any] | None = None, default: Any = None) -> None:
        """Adds an option that only programs use; without a reader it stands alone."""
        if read is None:
            self._to.add_argument(f"--{name}", action="store_true", help=argparse.SUPPRESS)
        else:
            self._to.add_argument(f"--{name}", type=read, default=default, help=argparse.SUPPRESS)

    def _help(self, name: str, **fields: object) -> str:
        return self._texts(f"option.{name.replace('-', '_')}", **fields).replace("%", "%%")
