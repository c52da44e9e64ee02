"""How a figure is measured: against the floor of its own group operations, in the same run.

Seconds of one machine say little. The ratio of a procedure's CPU time to the time of the group operations that it did,
counted while it ran, says how much the Python around them costs, on every machine.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from time import process_time
from typing import Final

from protocol.counting import CountingGroup
from protocol.group import GENERATOR, Edwards25519, Element, Group

REPETITIONS: Final = 9
"""The one in the middle counts. Operations are timed right before and after each, so that a slower moment of the
machine slows both; where it begins in between, the ratio is far off, to either side."""

_CALIBRATION_ROUNDS: Final = 40


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds, and the floor below which it can't be done.

    A procedure's are CPU seconds on one thread, against its group operations; what people wait for is wall time.
    """

    name: str
    seconds: float
    floor_seconds: float
    causes: dict[str, float] = field(default_factory=dict)
    """Where it is known: what they were spent for, which is all of them."""

    @property
    def ratio(self) -> float:
        """How many times the floor it took."""
        return self.seconds / self.floor_seconds

    def to_json(self) -> dict[str, object]:
        """Returns the plain form of ``--json``."""
        causes = {"causes": self.causes} if self.causes else {}
        return {
            "name": self.name,
            "seconds": self.seconds,
            "floor_seconds": self.floor_seconds,
            **causes,
            "ratio": self.ratio,
        }

    def __str__(self) -> str:
        """Returns a line for people."""
        took, floor = self.seconds * 1000, self.floor_seconds * 1000
        return f"{self.name:28} {took:10.3f} ms   floor {floor:10.3f} ms   {self.ratio:6.3f}"


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that is no time."""

    name: str
    value: float
    unit: str
    floor: float

    def to_json(self) -> dict[str, object]:
        """Returns the plain form of ``--json``."""
        return asdict(self)

    def __str__(self) -> str:
        """Returns a line for people."""
        return f"{self.name:28} {self.value:10.3f} {self.unit}   floor {self.floor:10.3f}"


Result = Measured | Figure


class Bench:
    """Measures procedures on one counting group."""

    def __init__(self) -> None:
        """Makes the group; nothing is measured yet."""
        self.group = CountingGroup(Edwards25519())

    def time(self, name: str, prepare: Callable[[], Callable[[], object]], repetitions: int = REPETITIONS) -> Measured:
        """Measures what ``prepare`` returns; what ``prepare`` itself does is not counted."""
        runs: list[Measured] = []
        for _ in range(repetitions):
            procedure = prepare()
            before = operation_costs(self.group)
            self.group.counts.clear()
            start = process_time()
            procedure()
            seconds, counts = process_time() - start, dict(self.group.counts)
            after = operation_costs(self.group)
            floor = sum(n * (before[operation] + after[operation]) / 2 for operation, n in counts.items())
            runs.append(Measured(name, seconds, floor))
        return sorted(runs, key=lambda run: run.ratio)[len(runs) // 2]


Benchmark = Callable[[Bench, str], Iterator[Result]]
"""Measures what has this name; some give several figures."""


def operation_costs(group: Group) -> dict[str, float]:
    """Returns the CPU seconds of one of each group operation."""
    P, Q = group.mul_base(3), group.mul_base(5)
    s = 2**251 + 12345678901234567890
    operations: dict[str, Callable[[], Element]] = {
        "mul": lambda: group.mul(s, P),
        "mul_base": lambda: group.mul_base(s),
        "add": lambda: group.add(P, Q),
        "sub": lambda: group.sub(P, Q),
        "decode": lambda: group.decode(GENERATOR),
        "hash_to_group": lambda: group.hash_to_group("bench", 1),
    }
    return {name: _cost(operation) for name, operation in operations.items()}


def _cost(operation: Callable[[], Element]) -> float:
    start = process_time()
    for _ in range(_CALIBRATION_ROUNDS):
        operation()
    return (process_time() - start) / _CALIBRATION_ROUNDS
