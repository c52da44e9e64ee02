"""Figures with their error bars. Everything is summed in whole numbers, so that no order of adding matters."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

Z95 = 1.959964
"""How many standard errors make an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of successes with its 95 % interval (Wilson)."""

    successes: Fraction
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The share itself."""
        return float(self.successes / self.of) if self.of else 0.0


def rate(successes: Fraction | int, of: int) -> Rate:
    """Return the share of successes; a shared win is a fraction of one."""
    if not of:
        return Rate(Fraction(0), 0, 0.0, 1.0)
    share = float(Fraction(successes) / of)
    square = Z95 * Z95 / of
    centre = (share + square / 2) / (1 + square)
    spread = Z95 * sqrt(share * (1 - share) / of + square / (4 * of)) / (1 + square)
    return Rate(Fraction(successes), of, max(0.0, centre - spread), min(1.0, centre + spread))


@dataclass(frozen=True, slots=True)
class Spread:
    """How whole numbers are distributed."""

    mean: float
    error: float
    """Half of the 95 % interval of the mean."""
    deviation: float
    least: int
    quantiles: tuple[int, ...]
    """At the points of QUANTILES."""
    most: int


QUANTILES = (5, 25, 50, 75, 95)
"""Per cent."""


def spread(values: Sequence[int]) -> Spread:
    """Return how these numbers are distributed."""
    count = len(values)
    if not count:
        return Spread(0.0, 0.0, 0.0, 0, (0,) * len(QUANTILES), 0)
    ordered = sorted(values)
    total = sum(ordered)
    squares = count * sum(value * value for value in ordered) - total * total
    deviation = sqrt(squares / (count * (count - 1))) if count > 1 else 0.0
    at = tuple(ordered[min(count - 1, count * point // 100)] for point in QUANTILES)
    return Spread(total / count, Z95 * deviation / sqrt(count), deviation, ordered[0], at, ordered[-1])
