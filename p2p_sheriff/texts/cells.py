"""Text as it stands on a terminal: letters, and the cells that they take."""

from collections.abc import Iterator
from functools import lru_cache

from wcwidth import wcwidth

from p2p_sheriff.texts.cleaning import clean

ELLIPSIS = "…"


# The same few names, frames and sentences are drawn again and again: what they come to is kept.
_kept = lru_cache(maxsize=4096)


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
