"""Plays whole games of bots with a simple dealer, without cryptography, and prints what came of them."""

from p2p_sheriff.simulate.command import add_arguments, run

__all__ = ["add_arguments", "run"]
