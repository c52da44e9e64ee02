"""Bots: players that see only their own view of the table and the legal moves."""

from random import Random

from p2p_sheriff.bots.bot import Bot
from p2p_sheriff.bots.gambler import GamblerBot
from p2p_sheriff.bots.honest import HonestBot
from p2p_sheriff.bots.shrewd import ShrewdBot
from p2p_sheriff.bots.smuggler import SmugglerBot
from p2p_sheriff.rules.cards import Seat

__all__ = ["STYLES", "Bot", "make_bot"]

_STYLES: dict[str, type[Bot]] = {bot.style: bot for bot in (HonestBot, SmugglerBot, GamblerBot, ShrewdBot)}

STYLES: tuple[str, ...] = tuple(_STYLES)
"""The names of all styles."""


def make_bot(style: str, seat: Seat, rng: Random) -> Bot:
    """Return a bot of this style for a seat. Raises KeyError if there is no such style."""
    return _STYLES[style](seat, rng)
