"""``p2p-sheriff tutorial``: three short rounds with a coach, in two minutes, without a network."""

import argparse
import asyncio
import os
import sys

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.lab.rehearsal import begin_tutorial
from p2p_sheriff.seat.words import Words
from p2p_sheriff.usage import UsageError


def run(options: argparse.Namespace) -> int:
    """Teaches the game.

    Raises:
        UsageError: There is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(options.texts("usage.tutorial_needs"))
    words = Words(options.texts)
    ascii_only = options.ascii or needs_ascii(os.environ)
    screen = begin_tutorial(words, options.name)
    # Nobody else hears of a wish: everything happens on the screen itself.
    asyncio.run(App(screen, lambda _wish: None, words, depth_of(os.environ), ascii_only=ascii_only).run())
    return 0
