"""Bots: players that see only their own view of the table and the legal moves."""

from collections.abc import Sequence
from random import Random

from p2p_sheriff.bots.bot import Bot
from p2p_sheriff.bots.character import Character
from p2p_sheriff.bots.sayings import Saying
from p2p_sheriff.bots.temperament import TEMPERAMENTS, Level
from p2p_sheriff.rules.cards import Seat

__all__ = ["STYLES", "Bot", "Level", "Saying", "cast", "make_bot"]

STYLES: tuple[str, ...] = tuple(TEMPERAMENTS)
"""The names of all styles."""


def make_bot(style: str, seat: Seat, rng: Random, level: Level = Level.NORMAL) -> Bot:
    """Return a bot of this style for a seat. Raises KeyError if there is no such style."""
    return Character(style, seat, rng, level)


def cast(count: int, rng: Random, seated: Sequence[tuple[str, Level]] = ()) -> list[tuple[str, Level]]:
    """Choose who sits down besides those who are there: other styles as far as there are, in any order.

    Of three, one plays hard, whoever it is, and the others normal: somebody at a table should be worth beating.
    """
    cast: list[tuple[str, Level]] = []
    for _ in range(count):
        there = [*seated, *cast]
        styles = [style for style, _ in there]
        fewest = min(map(styles.count, STYLES))
        style = rng.choice([style for style in STYLES if styles.count(style) == fewest])
        is_hard = all(level is not Level.HARD for _, level in there) and (len(there) >= 2 or rng.random() < 0.4)
        cast.append((style, Level.HARD if is_hard else Level.NORMAL))
    return cast
