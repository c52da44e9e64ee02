"""``p2p-sheriff simulate``: plays whole games of bots without cryptography, and prints what came of them."""

import argparse
import json
import sys
from pathlib import Path

from p2p_sheriff import arguments
from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.simulate.report import as_json, as_text
from p2p_sheriff.lab.simulate.series import Series, cores
from p2p_sheriff.lab.simulate.summary import summarise
from p2p_sheriff.rules import OPTIONS, BadSetup, Edition, Good, Setup, extra_goods
from p2p_sheriff.usage import INTERRUPTED, UsageError

_MOST_GAMES = 1_000_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what the command takes."""
    parser.add_argument("--players", type=_whole, required=True, metavar="N", help="how many sit at the table: 3 to 6")
    arguments.add_table(parser, OPTIONS)
    parser.add_argument("--extra", type=_extra, default=(), metavar="FILE", help="a JSON table of extra goods")
    parser.add_argument("--games", type=_whole, required=True, metavar="G", help="how many games are played")
    parser.add_argument("--seed", type=_whole, required=True, metavar="S", help="the same seed gives the same games")
    styles_help = f"who sits around the table, moved on by one seat with every game; of: {', '.join(STYLES)}"
    parser.add_argument("--styles", type=arguments.names, default=STYLES, metavar="STYLE,...", help=styles_help)
    parser.add_argument("--workers", type=_whole, default=cores(), metavar="W", help="processes; default: all cores")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Play the games and print the figures. Raises UsageError if they can't be played."""
    series = _series(options)
    try:
        summary = summarise(series.play_all(options.workers))
    except KeyboardInterrupt:
        print("Stopped before all games were played.", file=sys.stderr)  # noqa: T201 - the command speaks.
        return INTERRUPTED
    print(as_json(series, summary) if options.json else as_text(series, summary))  # noqa: T201 - its result.
    return 0


def _series(options: argparse.Namespace) -> Series:
    if not 1 <= options.games <= _MOST_GAMES:
        raise UsageError(f"The number of games must be from 1 to {_MOST_GAMES}, not {options.games}.")
    if options.workers < 1:
        raise UsageError(f"The number of workers must be at least 1, not {options.workers}.")
    for style in options.styles:
        if style not in STYLES:
            raise UsageError(f"There is no style {style!r}. There are: {', '.join(STYLES)}.")
    if not options.styles:
        raise UsageError(f"Name at least one style. There are: {', '.join(STYLES)}.")
    try:
        setup = Setup(options.players, Edition(options.edition), frozenset(options.options), options.extra)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
    return Series(setup, tuple(options.styles), options.games, options.seed)


# -- reading options: a problem becomes one sentence


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number.") from None


def _extra(text: str) -> tuple[Good, ...]:
    try:
        return extra_goods(json.loads(Path(text).read_text(encoding="utf-8")))
    except OSError as problem:
        raise argparse.ArgumentTypeError(f"{text} can't be read: {problem.strerror or problem}.") from problem
    except BadSetup as problem:
        raise argparse.ArgumentTypeError(f"{text}: {problem}") from problem
    except ValueError as problem:
        raise argparse.ArgumentTypeError(f"{text} is not a JSON file: {problem}.") from problem
