"""What is typed after an option, read into a value; what does not fit gets a sentence in the player's language."""

from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from math import isfinite
from typing import Final, TypeVar

from p2p_sheriff.texts import Texts

PLAYERS: Final = (3, 6)
"""How few and how many can play."""
EDITIONS: Final = ("first", "second")
OPTIONS: Final = ("royal", "timer", "missing", "seven", "black-market", "orders", "laws", "merry-men")
"""What can be played at a table."""
ALL_EDITIONS: Final = ("first", "second")
ALL_OPTIONS: Final = OPTIONS
"""What the rules know, and `simulate` plays."""
LEVELS: Final = ("easy", "normal", "hard")
STYLES: Final = ("honest", "smuggler", "gambler", "shrewd")
MAX_PURSE: Final = 10**9
MOST_SECONDS: Final = 3600

_Value = TypeVar("_Value")
Read = Callable[[str], _Value]


class Reader:
    """Reads values in one language."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    def _wrong(self, key: str, **fields: object) -> ArgumentTypeError:
        return ArgumentTypeError(self._texts(key, **fields))

    def number(self, least: int, most: int, wrong: str = "usage.not_between") -> Read[int]:
        """Reads a whole number within bounds; ``wrong`` is the sentence for any other."""

        def read(text: str) -> int:
            if not (text.lstrip("-").isascii() and text.lstrip("-").isdigit() and len(text) <= 22):
                raise self._wrong("usage.no_number", word=text)
            if not least <= int(text) <= most:
                raise self._wrong(wrong, word=text, least=least, most=most)
            return int(text)

        return read

    def seconds(self, text: str) -> float:
        """Reads a time."""
        try:
            seconds = float(text)
        except ValueError:
            seconds = -1.0
        if not (isfinite(seconds) and 0 <= seconds <= MOST_SECONDS):
            raise self._wrong("usage.no_seconds", word=text, most=MOST_SECONDS)
        return seconds

    def one_of(self, choices: Sequence[str], unplayable: Sequence[str] = ()) -> Read[str]:
        """Reads one of some words; of those that only `simulate` can play, it says so."""

        def read(text: str) -> str:
            if text in choices:
                return text
            if text in unplayable:
                raise self._wrong("usage.unplayable", word=text)
            raise self._wrong("usage.no_choice", word=text, choices=", ".join(choices))

        return read

    def some_of(self, choices: Sequence[str], unplayable: Sequence[str] = ()) -> Read[tuple[str, ...]]:
        """Reads WORD,WORD,..."""
        one = self.one_of(choices, unplayable)
        return lambda text: tuple(map(one, self.words(text)))

    def words(self, text: str) -> tuple[str, ...]:
        """Reads WORD,WORD,... that only what runs can judge."""
        return tuple(word.strip() for word in text.split(",") if word.strip())

    def address(self, text: str) -> tuple[str, int]:
        """Reads HOST:PORT."""
        host, colon, port = text.rpartition(":")
        if not (colon and host and port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16):
            raise self._wrong("usage.no_address", word=text)
        return host, int(port)

    def table(self, text: str) -> str | tuple[str, int]:
        """Reads the title of a table, or HOST:PORT."""
        return self.address(text) if ":" in text else text


def meant(word: str, known: Sequence[str]) -> str | None:
    """Returns which of the known words was probably meant."""
    return next(iter(get_close_matches(word, known, 1)), None)
