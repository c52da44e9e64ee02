"""What people wait for, on the clock of the lab: every node has a core of its own, or four, a network and a disk.

The floor is the longest chain of the proofs that were made: their group operations on one core, as if nothing were
prepared ahead, and as if nothing else took any time.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Final

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.lab.bench.games import WITH
from p2p_sheriff.lab.bench.measure import Bench, Benchmark, Measured, Result
from p2p_sheriff.lab.bench.proofs import DECK
from p2p_sheriff.lab.clock import Chosen, Clock, Inquiry, Moment, open_table
from p2p_sheriff.rules import Choice, Setup
from p2p_sheriff.rules.facts import Shuffled
from p2p_sheriff.rules.moves import Inspect, Pass

_MANY_CORES: Final = 4
_MANY: Final = f".{_MANY_CORES}c"
_SIX: Final = 6


@dataclass(frozen=True, slots=True)
class Played:
    """A game on the clock, or its beginning."""

    ready: Moment
    """When every node had verified the shuffled deck."""
    ended: Moment
    asked: tuple[Inquiry, ...]
    chosen: tuple[Chosen, ...]
    costs: dict[str, float]
    """Seconds of one of each group operation, as they were in this very run."""

    def waits(self, is_one: Callable[[Chosen], bool]) -> Iterator[tuple[Moment, Moment]]:
        """Yields from when to when the table waits after such a choice: until somebody is asked for the next one."""
        for chosen in filter(is_one, self.chosen):
            if later := [one.at for one in self.asked if one.at.seconds > chosen.at.seconds]:
                yield chosen.at, min(later, key=lambda at: at.seconds)


@cache
def played(players: int, cores: int, *, whole: bool) -> Played:
    """Plays a game of bots, or up to its first question."""
    # Seeded: the bots' choices are no secrets.
    bots = {seat: make_bot(STYLES[seat % len(STYLES)], seat, Random(seat)) for seat in Setup(players).seats}  # noqa: S311 - a game to measure
    with open_table(Setup(players, options=WITH), bots.__getitem__, cores) as clock:
        clock.run(_is_whole if whole else lambda clock: bool(clock.asked))
        shuffled = [at for at, _, item in clock.happened if isinstance(item, Shuffled)]
        counts, seconds = (
            _added(one) for one in zip(*((group.counts, group.seconds) for group in clock.groups), strict=True)
        )
        costs = {name: seconds[name] / count for name, count in counts.items()}
        return Played(_latest(shuffled), clock.now, tuple(clock.asked), tuple(clock.chosen), costs)


def _is_whole(clock: Clock) -> bool:
    return all(play.is_over for play in clock.plays)


def _added(parts: tuple[dict[str, float], ...]) -> dict[str, float]:
    return {name: sum(part[name] for part in parts if name in part) for part in parts for name in part}


def _latest(moments: list[Moment]) -> Moment:
    return max(moments, key=lambda moment: moment.seconds)


def _between(name: str, begin: Moment, end: Moment) -> Measured:
    causes = {str(cause): end.spent[cause] - begin.spent[cause] for cause in end.spent}
    return Measured(name, end.seconds - begin.seconds, end.floor - begin.floor, causes)


def _cores(name: str) -> int:
    return _MANY_CORES if name.endswith(_MANY) else 1


def _critical(_bench: Bench, name: str) -> Iterator[Result]:
    """A whole game of four bots that think for no time, from the charter to the signed result."""
    yield _between(name, Moment(), played(4, _cores(name), whole=True).ended)


def _first_question(_bench: Bench, name: str) -> Iterator[Result]:
    """From the charter to the first question; and against n (S + P + 2V): lists and proofs travel together."""
    players = int(name.split(".")[2].removesuffix("p"))
    game = played(players, 1, whole=players < _SIX)
    first = _between(name, Moment(), min((one.at for one in game.asked), key=lambda at: at.seconds))
    one = shuffling(game.costs, DECK) + proving(game.costs, DECK) + 2 * verifying(game.costs, DECK)
    yield first
    yield Measured(f"{name}.serial", first.seconds, players * one)


def _wait(_bench: Bench, name: str) -> Iterator[Result]:
    """What a player waits for the next question: the one in the middle, and the worst of a game."""
    is_one = {"wait.market": _leaves_market, "wait.inspect": _judges}[name]
    waits = [_between(name, begin, end) for begin, end in played(4, 1, whole=True).waits(is_one)]
    waits.sort(key=lambda wait: wait.seconds)
    yield waits[len(waits) // 2]
    worst = waits[-1]
    yield Measured(f"{name}.worst", worst.seconds, worst.floor_seconds, worst.causes)


def _leaves_market(chosen: Chosen) -> bool:
    return chosen.choice is Choice.SET_ASIDE


def _judges(chosen: Chosen) -> bool:
    return isinstance(chosen.move, Inspect | Pass)


def _deck_ready(_bench: Bench, name: str) -> Iterator[Result]:
    """From the charter until all have verified a deck; the floor is n shuffles, one proof and one merged check."""
    game = played(_SIX, _cores(name), whole=False)
    floor = _SIX * shuffling(game.costs, DECK) + proving(game.costs, DECK) + checking(game.costs, _SIX, DECK)
    yield Measured(name, game.ready.seconds, floor, {str(cause): spent for cause, spent in game.ready.spent.items()})


# -- what a shuffle takes by its group operations


def shuffling(costs: dict[str, float], cards: int) -> float:
    """S: a fresh lock on every card."""
    return cards * costs["mul"] + costs["mul_base"]


def proving(costs: dict[str, float], cards: int) -> float:
    """P: a proof with all its commitments: six to N scalars each, a sum over the cards, one multiple of the base."""
    return (7 * cards + 1) * costs["mul"] + 7 * cards * costs["add"] + 6 * costs["mul_base"]


def verifying(costs: dict[str, float], cards: int) -> float:
    """V: one sum, and every point checked to be one."""
    return _sum(costs, 3 * cards + 10) + (cards + 9) * costs["decode"]


def checking(costs: dict[str, float], players: int, cards: int) -> float:
    """One sum for all proofs but the own one: bases are shared, and outputs are the next one's inputs."""
    return _sum(costs, cards * (players + 2) + 10 * (players - 1))


def _sum(costs: dict[str, float], terms: int) -> float:
    return terms * (costs["mul"] + costs["add"])


BENCHMARKS: Final[dict[str, Benchmark]] = {
    **{f"game.4p.critical{cores}": _critical for cores in ("", _MANY)},
    **{f"first.question.{players}p": _first_question for players in (4, _SIX)},
    "wait.market": _wait,
    "wait.inspect": _wait,
    **{f"deck.ready.{_SIX}x{DECK}{cores}": _deck_ready for cores in ("", _MANY)},
}
