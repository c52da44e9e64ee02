"""How a person sees the game: a full screen where there is one, lines of text elsewhere."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass


def has_screen(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether there is a terminal with a full screen."""
    is_able = environment.get("TERM", "dumb") not in ("dumb", "unknown", "")
    return is_able and sys.stdin.isatty() and sys.stdout.isatty()


@dataclass(frozen=True, slots=True)
class Display:
    """How a person wants to see the game."""

    on_screen: bool
    ascii_only: bool = False
    from_start: bool = False
    """Whether an onlooker in lines of text is told all that was played before."""
    quiet: bool = False
    """Whether nothing rings, and the window keeps its title, when it is the player's turn."""
