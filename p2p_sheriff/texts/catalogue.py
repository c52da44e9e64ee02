"""The words that people see, by key, in the languages of the players."""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, TypeAlias

from p2p_sheriff.texts.plurals import PLURALS
from p2p_sheriff.usage import UsageError

LANGUAGES = tuple(PLURALS)
"""The languages that there are, by their codes."""

_FORMS = frozenset({"one", "few", "many", "other"})

Wording: TypeAlias = str | tuple[str, ...] | Mapping[str, str]
"""A sentence, a list of words, or the plural forms of a sentence."""


class UnknownLanguage(UsageError):  # noqa: N818 - says what is the case.
    """There are no texts in that language: the sentence lists those that there are."""


class Texts:
    """All texts in one language: ``texts("narration.draws", name="Kim", n=3)``."""

    def __init__(self, language: str, entries: Mapping[str, Wording]) -> None:
        """Takes the entries by key; `Texts.of` reads them."""
        self.language = language
        self.entries = entries
        self._plural = PLURALS[language]
        self._formatter = _Formatter(self.words("numbers.words"))

    @staticmethod
    def of(language: str) -> "Texts":
        """Returns the texts in a language, by its code or by the name of a locale: ``pl``, ``pl_PL.UTF-8``, ``pt-BR``.

        Raises:
            UnknownLanguage: There are none.
        """
        code = language_of(language)
        if code not in LANGUAGES:
            known = ", ".join(f"{one} ({plural.language})" for one, plural in PLURALS.items())
            raise UnknownLanguage(f"There are no texts in the language {language!r}. There are: {known}.")
        return _load(code)

    def __repr__(self) -> str:
        return f"Texts({self.language!r})"

    # -- sentences

    def __call__(self, key: str, /, **fields: object) -> str:
        """Returns a text with its fields filled in; the field ``n`` picks the plural form."""
        match self.entries[key]:
            case str() as sentence:
                return self._formatter.vformat(sentence, (), fields)
            case Mapping() as forms:
                n = fields["n"]
                if not isinstance(n, int):
                    raise TypeError(f"The text {key} is chosen by a number n, not by {n!r}.")
                return self._formatter.vformat(forms[self._plural.pick(n)], (), fields)
            case _:
                raise TypeError(f"The text {key} is a list of words.")

    def words(self, key: str) -> tuple[str, ...]:
        """Returns a list of words."""
        match self.entries[key]:
            case tuple() as words:
                return words
            case _:
                raise TypeError(f"The text {key} is no list of words.")

    def every(self, items: Iterable[str]) -> str:
        """Returns 'A and B'."""
        return self("lists.and").join(items)

    def either(self, items: Iterable[str]) -> str:
        """Returns 'A or B'."""
        return self("lists.or").join(items)

    # -- goods

    def name(self, kind: str) -> str:
        """Returns what a good is called; an extra good (rule 12.5) is called the same in every language."""
        if (key := f"names.{kind}") in self.entries:
            return self(key)
        good, _, value = kind.rpartition(" ")  # A card of the black market: 'pepper 30'.
        return f"{self.name(good)} {value}" if f"names.{good}" in self.entries else kind

    def good(self, kind: str, n: int) -> str:
        """Returns the form of a good's name that goes with this number, without the number."""
        key = f"goods.{kind}"
        return self(key, n=n) if key in self.entries else self.name(kind)

    def goods(self, some: Iterable[tuple[str, int]]) -> str:
        """Returns goods by number and kind: '2 apples, 1 silk'."""
        return ", ".join(f"{n} {self.good(kind, n)}" for kind, n in some)

    def forms(self, kind: str) -> Iterator[str]:
        """Yields every form of a good's name."""
        yield self.name(kind)
        forms = self.entries.get(f"goods.{kind}")
        if isinstance(forms, Mapping):
            yield from forms.values()


class _Formatter(Formatter):
    """Formats as usual, and spells numbers out: ``{n:word}``, ``{n:Word}``."""

    def __init__(self, numbers: tuple[str, ...]) -> None:
        self._numbers = numbers

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec not in ("word", "Word"):
            return str(super().format_field(value, format_spec))
        word = self._numbers[value] if 0 <= value < len(self._numbers) else str(value)
        return word.capitalize() if format_spec == "Word" else word


def language_of(locale: str) -> str:
    """Returns the language of a locale: 'pl' of 'pl_PL.UTF-8'."""
    return locale.replace("-", "_").replace(".", "_").partition("_")[0].lower()


@cache
def _load(language: str) -> Texts:
    entries: dict[str, Wording] = {}
    for file in sorted(Path(__file__).parent.glob(f"{language}.*.toml")):
        entries.update(_entries("", tomllib.loads(file.read_text(encoding="utf-8"))))
    return Texts(language, entries)


def _entries(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Wording]]:
    for name, value in table.items():
        key = f"{prefix}{name}"
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, list):
            yield key, tuple(value)
        elif set(value) <= _FORMS:
            yield key, value
        else:
            yield from _entries(f"{key}.", value)


ENGLISH = Texts.of("en")
