"""The tournament: how the characters fare with each other, against counter-strategies, and at level hard.

Every figure that is promised of the bots is measured here, with its bounds (docs/bots.md).
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.simulate.counters import COUNTERS
from p2p_sheriff.lab.simulate.entrants import TRIPLES
from p2p_sheriff.lab.simulate.series import Series
from p2p_sheriff.lab.simulate.statistics import Rate, rate
from p2p_sheriff.lab.simulate.summary import Summary, summarise
from p2p_sheriff.rules import Setup

PARTS = ("mixed", "counters", "hard")
PLAYERS = 4
SEEDS = 2
"""All games are played with so many seeds, one after the other."""

Playing = Callable[[Series], Summary]


@dataclass(frozen=True, slots=True)
class Measure:
    """Something measured, and what it must be."""

    part: str
    who: str
    what: str
    seed: int
    value: float
    least: float = 0.0
    most: float = 1.0
    error: float = 0.0
    """The standard error of the value."""

    @property
    def holds(self) -> bool:
        """Whether the value is within its bounds."""
        return self.least <= self.value <= self.most

    @property
    def may_hold(self) -> bool:
        """Whether the value is so near to its bounds that a longer series might hold: for short ones."""
        slack = 2.6 * self.error
        return self.least - slack <= self.value <= self.most + slack


@dataclass(frozen=True, slots=True)
class Tournament:
    """What is played: so many games of everybody who is measured, with each of the seeds."""

    games: int
    seed: int
    parts: tuple[str, ...] = PARTS

    def figures(self, workers: int) -> Iterator[Measure]:
        """Play all tables, and give each figure when it is known."""
        measures = {"mixed": _mixed, "counters": _counters, "hard": _hard}
        for seed in range(self.seed, self.seed + SEEDS):
            for part in self.parts:
                yield from measures[part](self.games, seed, lambda series: summarise(series.play_all(workers)))


def _series(styles: tuple[str, ...], games: int, seed: int, first: int = 0) -> Series:
    return Series(Setup(PLAYERS), styles, games, seed, first)


def _mixed(games: int, seed: int, play: Playing) -> Iterator[Measure]:
    """Four different styles of level normal."""
    summary = play(_series(STYLES, games, seed))
    for style in STYLES:
        group = summary.by_style[style]
        tally = group.tally
        yield _figure("mixed", style, "wins", seed, group.win_rate, 0.12, 0.45)
        yield _figure("mixed", style, "lies", seed, rate(tally.lies, tally.bags), 0.15, 0.70)
        lies, true = rate(tally.opened_lies, tally.judged_lies), rate(tally.opened_true, tally.judged_true)
        yield _figure("mixed", style, "opens lies", seed, lies)
        yield _figure("mixed", style, "opens true bags", seed, true)
        ratio = lies.value / true.value if true.value else 99.0
        parts = ((lies.value, lies.of), (true.value, true.of))
        relative = sqrt(sum((1 - share) / (share * of) for share, of in parts if share))
        yield Measure("mixed", style, "opens lies / true", seed, ratio, 1.2, 99.0, ratio * relative)


def _counters(games: int, seed: int, play: Playing) -> Iterator[Measure]:
    """Every counter-strategy against every three different styles of level normal."""
    for name in COUNTERS:
        by_table = _against_triples(name, games, seed, play)
        for triple, won in by_table.items():
            yield _figure("counters", f"{name} v. {', '.join(triple)}", "wins", seed, won, 0.0, 0.35)
        yield _figure("counters", name, "wins, mean", seed, _together(by_table.values()), 0.0, 0.30)


def _hard(games: int, seed: int, play: Playing) -> Iterator[Measure]:
    """One bot of level hard against three different styles of level normal."""
    for style in STYLES:
        name = f"{style}:hard"
        won = _together(_against_triples(name, games, seed, play).values())
        yield _figure("hard", name, "wins", seed, won)
        yield Measure("hard", name, "wins, lower bound", seed, won.low, 0.33, 1.0, (won.value - won.low) / 1.96)


def _against_triples(name: str, games: int, seed: int, play: Playing) -> dict[tuple[str, ...], Rate]:
    """Return what somebody wins against every three different styles: each three in an equal part of the games.

    No two tables have the same deals: all games count together.
    """
    each = -(-games // len(TRIPLES))
    tables = {triple: _series((name, *triple), each, seed, each * table) for table, triple in enumerate(TRIPLES)}
    return {triple: play(series).by_style[name].win_rate for triple, series in tables.items()}


def _together(rates: Collection[Rate]) -> Rate:
    return rate(sum((one.successes for one in rates), Fraction(0)), sum(one.of for one in rates))


def _figure(part: str, who: str, what: str, seed: int, share: Rate, least: float = 0.0, most: float = 1.0) -> Measure:
    error = sqrt(share.value * (1 - share.value) / share.of) if share.of else 1.0
    return Measure(part, who, what, seed, share.value, least, most, error)
