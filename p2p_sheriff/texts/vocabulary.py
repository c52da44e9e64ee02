"""What can be typed: the words of English and of the player's own language, with or without accents."""

import re
import unicodedata
from collections.abc import Iterable

from p2p_sheriff.texts.catalogue import ENGLISH, Texts

_WITHOUT_STROKE = str.maketrans("łŁ", "lL")
"""The one letter of our languages that Unicode does not take apart."""


def fold(word: str) -> str:
    """Returns a word without accents, in small letters: all spellings of a word that people type are one."""
    parts = unicodedata.normalize("NFKD", word.translate(_WITHOUT_STROKE))
    return "".join(letter for letter in parts if not unicodedata.combining(letter)).casefold()


class Vocabulary:
    """Understands words of English and of one other language."""

    def __init__(self, texts: Texts, verbs: str = "verbs") -> None:
        """Takes the player's language, and the group of the verbs that there are."""
        self._languages = (texts, ENGLISH)
        self._verbs = self._group(verbs)
        self._counts = self._group("counts")

    def _group(self, group: str) -> dict[str, str]:
        """Returns what every word of a group stands for."""
        return {
            fold(word): key.removeprefix(f"{group}.")
            for language in self._languages
            for key in language.entries
            if key.startswith(f"{group}.")
            for word in language.words(key)
        }

    def verb(self, word: str) -> str:
        """Returns the English verb that a word is, or nothing."""
        return self._verbs.get(fold(word), "")

    def number(self, word: str) -> int | None:
        """Returns the number that a word is, in digits or spelt out; numbers have an end."""
        if re.fullmatch(r"[0-9]{1,6}", word):
            return int(word)
        return int(self._counts[fold(word)]) if fold(word) in self._counts else None

    def counted(self, words: str) -> tuple[int | None, str]:
        """Returns the number at the beginning, and what stands after it: '5 gold', '5gold', 'five gold'."""
        found = re.fullmatch(r"([0-9]+|\S+(?=\s|$))\s*(.*)", words)
        number = self.number(found[1]) if found else None
        return (number, found[2]) if found and number is not None else (None, words)

    def means(self, thing: str, words: str) -> bool:
        """Whether these words are one way to say the thing."""
        return fold(words) in {fold(one) for one in self._spellings(thing)}

    def before(self, thing: str, text: str) -> str | None:
        """Returns what stands before the thing, if the text ends with it."""
        found = re.fullmatch(rf"(.*?)\s*\b(?:{self._pattern(thing)})\s*", text, re.IGNORECASE)
        return found[1] if found else None

    def halves(self, thing: str, text: str) -> tuple[str, str] | None:
        """Returns what stands before and after the first such thing in the text; nothing may stand before it."""
        found = re.fullmatch(rf"(?:(.*?)[\s,]+)?(?:{self._pattern(thing)})(?::|\s)\s*(.*)", text, re.IGNORECASE)
        return (found[1] or "", found[2]) if found else None

    def around(self, thing: str, text: str) -> tuple[str, str] | None:
        """Returns what stands before and after the last such thing in the text."""
        found = re.fullmatch(rf"(.*)\s(?:{self._pattern(thing)})\s(.*)", text, re.IGNORECASE)
        return (found[1], found[2]) if found else None

    def parts(self, thing: str, text: str) -> list[str]:
        """Returns the parts of a list that commas or such things divide."""
        parts = re.split(rf",|\s(?:{self._pattern(thing)})\s", text, flags=re.IGNORECASE)
        return [part.strip() for part in parts if part.strip()]

    def kinds(self, words: str, among: Iterable[str]) -> list[str]:
        """Returns the goods that are called so, in any form; or else those whose names begin so."""
        typed = fold(words)
        names = {kind: {fold(form) for texts in self._languages for form in texts.forms(kind)} for kind in among}
        exact = [kind for kind, forms in names.items() if typed in forms]
        return exact or [kind for kind, forms in names.items() if any(form.startswith(typed) for form in forms)]

    def _spellings(self, thing: str) -> set[str]:
        words = {word for texts in self._languages for word in texts.words(f"typed.{thing}")}
        return words | {fold(word) for word in words}

    def _pattern(self, thing: str) -> str:
        return "|".join(re.escape(word) for word in sorted(self._spellings(thing), key=len, reverse=True))
