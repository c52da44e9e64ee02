"""The language that screens in tests speak: English, unless a test says otherwise."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.texts import Texts

_SPOKEN: ContextVar[Words] = ContextVar("the language of the screens")


def spoken() -> Words:
    """Returns the words in which screens are made now."""
    return _SPOKEN.get(Words())


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Makes all screens in a language."""
    token = _SPOKEN.set(Words(Texts.of(language)))
    try:
        yield
    finally:
        _SPOKEN.reset(token)
