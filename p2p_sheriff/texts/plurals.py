"""Which form of a word goes with a number: the plural rules of Unicode's CLDR, for whole numbers."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plural:
    """The plural forms of one language, and the rule that picks one."""

    language: str
    """What it calls itself."""
    forms: tuple[str, ...]
    pick: Callable[[int], str]


def _one_or_other(n: int) -> str:
    return "one" if n == 1 else "other"


def _up_to_one_or_other(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _few(n: int) -> bool:
    return n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14)


def _polish(n: int) -> str:
    if n == 1:
        return "one"
    return "few" if _few(n) else "many"


def _ukrainian(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if _few(n) else "many"


PLURALS = {
    "en": Plural("English", ("one", "other"), _one_or_other),
    "es": Plural("español", ("one", "other"), _one_or_other),
    "pl": Plural("polski", ("one", "few", "many"), _polish),
    "pt": Plural("português", ("one", "other"), _up_to_one_or_other),
    "uk": Plural("українська", ("one", "few", "many"), _ukrainian),
}
"""By language; these are the languages that there are."""
