"""``p2p-sheriff simulate``: plays whole games of bots without cryptography, and prints what came of them."""

import argparse
import sys

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.simulate.entrants import NAMES
from p2p_sheriff.lab.simulate.report import as_json, as_text, figures_as_json, figures_as_text
from p2p_sheriff.lab.simulate.series import Series, cores
from p2p_sheriff.lab.simulate.summary import summarise
from p2p_sheriff.lab.simulate.tournament import PARTS, Tournament
from p2p_sheriff.promos import read_extra
from p2p_sheriff.rules import BadSetup, Edition, Setup
from p2p_sheriff.usage import INTERRUPTED, UsageError


def run(options: argparse.Namespace) -> int:
    """Play the games and print the figures. Raises UsageError if they can't be played."""
    try:
        return _tournament(options) if options.tournament else _simulate(options)
    except KeyboardInterrupt:
        print("Stopped before all games were played.", file=sys.stderr)  # noqa: T201 - the command speaks.
        return INTERRUPTED


def _simulate(options: argparse.Namespace) -> int:
    series = _series(options)
    summary = summarise(series.play_all(options.workers or cores()))
    print(as_json(series, summary) if options.json else as_text(series, summary))  # noqa: T201 - its result.
    return 0


def _tournament(options: argparse.Namespace) -> int:
    """Play the tournament, and say by the exit code whether all of its bounds hold."""
    parts = PARTS if "all" in options.tournament else options.tournament
    tournament = Tournament(options.games, options.seed, parts)
    figures = tuple(tournament.figures(options.workers or cores()))
    print(figures_as_json(tournament, figures) if options.json else figures_as_text(tournament, figures))  # noqa: T201 - its result.
    return 0 if all(figure.holds for figure in figures) else 1


def _series(options: argparse.Namespace) -> Series:
    styles = STYLES if options.styles is None else options.styles
    for style in styles:
        if style not in NAMES:
            raise UsageError(options.texts("usage.no_style", word=style, styles=", ".join(NAMES)))
    if not styles:
        raise UsageError(options.texts("usage.name_style", styles=", ".join(NAMES)))
    try:
        extra = read_extra(options.extra, options.texts)
        setup = Setup(options.players, Edition(options.edition), frozenset(options.options), extra)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
    return Series(setup, tuple(styles), options.games, options.seed)
