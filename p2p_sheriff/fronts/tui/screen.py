"""What a screen is: a value that can be drawn, and that a key turns into another one.

A new screen is a frozen dataclass with the methods of `Screen`. It never acts by itself: what shall happen
outside goes out of `press` as intents. `Push` and `Pop` are for the app that shows it; every other intent goes to
whoever opened the app. Keys are strings: a letter is itself, and besides these there are

    up down left right enter escape space tab backtab backspace delete home end pageup pagedown f1 ... f12
    wheel-up wheel-down, and whatever a place on the canvas stands for that can be clicked.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self, TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.seat.intents import Intent
from p2p_sheriff.seat.words import Words

LEAST_WIDTH, LEAST_HEIGHT = 80, 24
"""The least size at which the game can be played."""


class Screen(Protocol):
    """Something that fills the terminal; nothing on it depends on the time, if it says nothing else."""

    __slots__ = ()

    def draw(self, canvas: Canvas) -> None:
        """Draws everything; the canvas is empty, and at least 80 x 24."""

    def press(self, key: str) -> "Pressed":
        """Returns what the screen is after a key, and what shall happen outside."""

    def at(self, _now: float, /) -> Self:
        """Returns the screen at that time, in seconds: for clocks and for what moves."""
        return self

    @property
    def moves(self) -> bool:
        """Whether something moves: then `at` is called ten times a second, else once."""
        return False


@dataclass(frozen=True, slots=True)
class Push:
    """Show another screen on top; this one stays under it."""

    screen: Screen


@dataclass(frozen=True, slots=True)
class Pop:
    """Go back to the screen under this one; from the last one, leave."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the app."""


@dataclass(frozen=True, slots=True)
class AskHelp:
    """Show the rules."""


@dataclass(frozen=True, slots=True)
class SwitchBell:
    """Ring at the own turn no more, or again."""


@dataclass(frozen=True, slots=True)
class SeeAgain:
    """Check the transcript of a finished game, and show it."""

    transcript: Path


Wish: TypeAlias = Intent | Push | Pop | Leave | AskHelp | SwitchBell | SeeAgain
"""What comes of a key: something for the seat, or for the app."""
Pressed: TypeAlias = tuple[Screen, tuple[Wish, ...]]


def is_too_small(width: int, height: int) -> bool:
    """Whether a terminal can't show the game."""
    return width < LEAST_WIDTH or height < LEAST_HEIGHT


def draw(screen: Screen, width: int, height: int, words: Words) -> Canvas:
    """Returns the picture of a screen; of a terminal that is too small, a sentence that says so."""
    canvas = Canvas(width, height)
    if not is_too_small(width, height):
        screen.draw(canvas)
        return canvas
    middle = max(0, height // 2 - 1)
    canvas.put_centred(middle, words("screen.too_small", width=LEAST_WIDTH, height=LEAST_HEIGHT), "strong")
    canvas.put_centred(middle + 1, words("screen.size_now", width=width, height=height), "strong")
    canvas.put_centred(middle + 2, words("screen.no_keys"))
    return canvas
