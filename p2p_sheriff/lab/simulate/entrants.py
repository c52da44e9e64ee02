"""Who sits at a simulated table: bots by style and level, and counter-strategies, by name."""

from itertools import combinations
from random import Random

from p2p_sheriff.bots import STYLES, Bot, Level, make_bot
from p2p_sheriff.lab.simulate.counters import COUNTERS, PLOYS, SILENT, CounterBot, Silent
from p2p_sheriff.rules import Seat

NAMES: tuple[str, ...] = (*STYLES, *(f"{style}:{level.value}" for level in Level for style in STYLES), *COUNTERS)
"""Everybody who can sit down: a style plays at level normal unless its name says another."""

TRIPLES: tuple[tuple[str, ...], ...] = tuple(combinations(STYLES, 3))
"""Every three different styles."""


def seat_bot(name: str, seat: Seat, rng: Random) -> Bot:
    """Return who is called so for a seat. Raises KeyError if nobody is."""
    if name == SILENT:
        return Silent(seat, rng)
    if name in PLOYS:
        return CounterBot(name, seat, rng)
    style, _, level = name.partition(":")
    return make_bot(style, seat, rng, Level(level or "normal"))
