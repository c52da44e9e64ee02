"""What screens outside a game have in common: a header, a line for sentences, what is asked, and the keys."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.seat.picture import Notice
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import cells_of, clip
from p2p_sheriff.texts.cleaning import clean

FOOTER_ROWS = 3

_PRESSES = {"Enter": "enter", "Esc": "escape", "Tab": "tab", "Del": "delete", "↑↓": "down", "←→": "right"}
"""What a click on the name of a key presses."""


@dataclass(frozen=True, slots=True)
class KeyLabel:
    """A key, with a word for what it does."""

    key: str
    what: str


def draw_frame(
    canvas: Canvas, words: Words, title: str, right: str, notice: Notice | None, asked: str, keys: Sequence[KeyLabel]
) -> Canvas:
    """Draws the lines at the top and at the bottom; returns the part between them."""
    header = canvas.part(0, 0, canvas.width, 1)
    header.fill("header")
    start = header.put_right(0, clip(clean(right), canvas.width // 2), "header", 1)
    header.put(1, 0, title, "header.strong", max(0, start - 3))
    footer = canvas.part(0, canvas.height - FOOTER_ROWS, canvas.width, FOOTER_ROWS)
    if notice is not None:
        style = "prompt.refused" if notice.refused else "strong"
        line = footer.part(0, 0, footer.width, 1)
        if notice.refused:
            line.fill(style)
        line.put(1, 0, notice.text, style, line.width - 2)
    line = footer.part(0, 1, footer.width, 1)
    line.fill("prompt")
    line.put(1, 0, asked, "prompt", line.width - 2)
    _draw_keys(words, footer.part(0, 2, footer.width, 1), keys)
    return canvas.part(0, 1, canvas.width, canvas.height - 1 - FOOTER_ROWS)


def _draw_keys(words: Words, line: Canvas, keys: Sequence[KeyLabel]) -> None:
    """Draws as many keys as fit, the most important first, and the last one always; each can be clicked."""
    x = 1
    for place, one in enumerate(keys):
        kept = _cells(words, keys[-1]) + 2 if place < len(keys) - 1 else 0
        if x + _cells(words, one) + kept > line.width:
            continue
        end = line.put(x, 0, f" {words.cap(one.key)} ", "key")
        end = line.put(end, 0, f" {one.what}", "key.label")
        if pressed := _PRESSES.get(one.key, one.key if len(one.key) == 1 else ""):
            line.click(pressed, x, 0, end - x)
        x = end + 2


def _cells(words: Words, one: KeyLabel) -> int:
    return cells_of(words.cap(one.key)) + cells_of(one.what) + 3


def unknown_key(words: Words, key: str, keys: Sequence[KeyLabel]) -> Notice | None:
    """Returns a word on a key that does nothing; nothing about a click beside everything."""
    if key.startswith(("row:", "field:", "wheel-")):
        return None
    pressed = words.cap(key if len(key) == 1 else key.capitalize())
    offered = "; ".join(f"{words.cap(one.key)} {one.what}" for one in keys)
    return Notice(words("key.unknown_try", pressed=pressed, keys=offered), refused=True)
