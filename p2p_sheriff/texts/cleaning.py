"""What strangers wrote, made harmless: the one place where it is."""

import unicodedata
from functools import lru_cache


def clean(text: str) -> str:
    """Returns text without what could confuse a terminal: control characters, joined emoji, marks without a letter."""
    return text if text.isascii() and text.isprintable() else _cleaned(text)


@lru_cache(maxsize=4096)  # The same few names, frames and sentences are drawn again and again.
def _cleaned(text: str) -> str:
    from wcwidth import wcwidth  # noqa: PLC0415 - its tables take longer than all of `--help`, which needs none of them.

    kept: list[str] = []
    for letter in unicodedata.normalize("NFC", text):
        if not letter.isprintable():
            kept.append(" ")
        elif wcwidth(letter) == 0 and (not kept or not unicodedata.combining(letter)):
            continue
        elif ord(letter) < 0x1F000 and not 0xE000 <= ord(letter) <= 0xF8FF:
            kept.append(letter)
    return "".join(kept)
