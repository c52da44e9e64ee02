"""Bots: players that see only their own view of the table and the legal moves."""

from p2p_sheriff.bots.bot import Bot
from p2p_sheriff.bots.styles import STYLES, make_bot

__all__ = ["STYLES", "Bot", "make_bot"]
