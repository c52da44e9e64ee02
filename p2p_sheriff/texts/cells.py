"""Text as it stands on a terminal: what others wrote, cleaned; and letters with the cells that they take."""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from wcwidth import wcwidth

ELLIPSIS = "…"


def clean(text: str) -> str:
    """Returns text without what could confuse a terminal: control characters, joined emoji, marks without a letter."""
    return text if text.isascii() and text.isprintable() else _cleaned(text)


# The same few names, frames and sentences are drawn again and again: what they come to is kept.
_kept = lru_cache(maxsize=4096)


@_kept
def _cleaned(text: str) -> str:
    kept: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        if not letter.isprintable():
            kept.append(" ")
        elif wcwidth(letter) == 0 and (not kept or not unicodedata.combining(letter)):
            continue
        elif ord(letter) < 0x1F000 and not 0xE000 <= ord(letter) <= 0xF8FF:
            kept.append(letter)
    return "".join(kept)


def letters(text: str) -> Iterator[tuple[str, int]]:
    """Returns every letter of clean text with the cells that it takes: two for a wide one, none for a mark."""
    for letter in text:
        yield letter, 1 if letter.isascii() else max(0, wcwidth(letter))


def cells_of(text: str) -> int:
    """Returns how many cells clean text takes."""
    return len(text) if text.isascii() else _counted(text)


@_kept
def _counted(text: str) -> int:
    return sum(cells for _, cells in letters(text))


def clip(text: str, room: int) -> str:
    """Returns clean text as it fits into so many cells, with an ellipsis if it does not."""
    if cells_of(text) <= room:
        return text
    if room <= 0:
        return ""
    kept, used = [], 0
    for letter, cells in letters(text):
        if used + cells > room - 1:
            break
        kept.append(letter)
        used += cells
    return "".join(kept).rstrip() + ELLIPSIS


def fit(text: str, room: int) -> str:
    """Returns clean text clipped or padded to exactly so many cells."""
    clipped = clip(clean(text), room)
    return clipped + " " * (room - cells_of(clipped))


def wrap(text: str, room: int) -> list[str]:
    """Returns text in lines of at most so many cells, broken between words; a longer word gets an ellipsis."""
    return list(_wrapped(text, room))


@_kept
def _wrapped(text: str, room: int) -> tuple[str, ...]:
    lines: list[str] = []
    line = ""
    for word in clean(text).split():
        longer = f"{line} {word}" if line else word
        if cells_of(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        line = clip(word, room)
    return (*lines, line) if line or not lines else tuple(lines)
