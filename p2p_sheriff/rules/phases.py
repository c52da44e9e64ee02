"""The phases of the game, what chance decides in it, and how it ends."""

from enum import Enum


class Phase(Enum):
    """Where the game stands: the five phases of a round (rule 3.1), and what lies before and after them."""

    SETUP = "setup"
    MARKET = "market"
    LOAD = "load"
    DECLARE = "declare"
    INSPECT = "inspect"
    END_OF_ROUND = "end of round"
    REVEAL = "reveal"
    """All face-down contraband is being shown (rule 11.1)."""
    OVER = "over"


class Purpose(Enum):
    """What a coin decides."""

    FIRST_SHERIFF = "first sheriff"
    """Who of several begins in office (rule 2.5)."""
    DEPUTIES = "deputies"
    """Who is in office in the next round (rule 10.1)."""


class Ending(Enum):
    """Why the game is over."""

    FINISHED = "finished"
    ABANDONED = "abandoned"
    """Fewer than three players were left (rule 19.6)."""
