"""Keys: what a pressed one may mean, and the line that shows which of them do something.

A key means itself, its small letter, and the Latin letter on the same key of the keyboard: who has just written to the
others in Ukrainian should not have to switch the keyboard before pressing "i" to inspect.
"""

from typing import TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import cells_of

Keys: TypeAlias = tuple[tuple[str, str], ...]
"""Names of keys, each with the key of the words for what it does."""

_CYRILLIC = "йцукенгшщзфівапролдячсмитьы"
_LATIN = "qwertyuiopasdfghjklzxcvbnms"
_SAME_KEY = dict(zip(_CYRILLIC, _LATIN, strict=True))

_NAMES = {"escape": "Esc"}
_NOTICE_CELLS = 78
"""The line for what was just said, at 80x24."""

PRESSES = {"Enter": "enter", "Esc": "escape", "Tab": "tab", "Space": "space", "↑↓": "down", "←→": "right", "+-": "+"}
"""What a click on the name of a key presses."""


def readings(key: str) -> tuple[str, ...]:
    """Returns all that a key may mean, what it says first: where text is written, that is taken."""
    small = key.lower()
    return tuple(dict.fromkeys((key, small, _SAME_KEY.get(small, small))))


def digits(last: int, first: int = 1) -> str:
    """Returns the name of the keys that choose one of the things that have these numbers."""
    return str(first) if first == last else f"{first}-{min(9, last)}"


def stepped(cursor: int, key: str, count: int) -> int:
    """Returns the place in a list of so many to which an arrow or the wheel goes."""
    step = -1 if key in ("up", "left", "backtab", "wheel-up") else 1
    return max(0, min(count - 1, cursor + step))


def draw_keys(words: Words, line: Canvas, keys: Keys) -> None:
    """Draws keys as far as they fit, the most important first; each can be clicked."""
    x = 1
    for key, what in keys:
        if x + cells_of_keys(words, ((key, what),)) - 2 > line.width:
            return
        end = line.put(x, 0, f" {words.cap(key)} ", "key")
        if what:
            end = line.put(end, 0, f" {words(what)}", "key.label")
        if pressed := PRESSES.get(key, key if len(key) == 1 else ""):
            line.click(pressed, x, 0, end - x)
        x = end + 2


def lines_of_keys(words: Words, keys: Keys, width: int) -> list[Keys]:
    """Returns keys in as many lines as they need."""
    lines: list[Keys] = [()]
    for key in keys:
        longer = (*lines[-1], key)
        if cells_of_keys(words, longer) - 1 > width:
            lines.append((key,))
        else:
            lines[-1] = longer
    return lines


def cells_of_keys(words: Words, keys: Keys) -> int:
    """Returns how much room keys take, with the space after each."""
    return sum(cells_of(words.cap(key)) + (cells_of(words(what)) + 1 if what else 0) + 4 for key, what in keys)


def unknown_key(words: Words, key: str, keys: Keys) -> Notice | None:
    """Returns a word on a key that does nothing, with as many that do something as the smallest screen has room for.

    Returns nothing about a click beside everything.
    """
    if key.startswith("wheel-") or ":" in key[1:]:
        return None
    pressed = words.cap(_NAMES.get(key, key if len(key) == 1 else key.capitalize()))
    text = words("key.unknown", pressed=pressed)
    for count in range(1, len(keys) + 1):
        offered = "; ".join(f"{words.cap(name)} {words(what)}" for name, what in keys[:count])
        longer = words("key.unknown_try", pressed=pressed, keys=offered)
        if cells_of(longer) > _NOTICE_CELLS:
            break
        text = longer
    return Notice(text, refused=True)
