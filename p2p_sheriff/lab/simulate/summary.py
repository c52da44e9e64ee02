"""What a series of games has shown: by style, by seat, and all together."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from fractions import Fraction

from p2p_sheriff.lab.simulate.game import GameRecord, Tally
from p2p_sheriff.lab.simulate.statistics import Rate, Spread, rate, spread
from p2p_sheriff.rules import Pack


@dataclass(slots=True)
class Cohort:
    """All seats of one style, or one seat, over all games."""

    wins: Fraction = Fraction(0)
    scores: list[int] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)

    def add(self, record: GameRecord, seat: int) -> None:
        """Count one seat of one game."""
        if seat in record.winners:
            self.wins += Fraction(1, len(record.winners))
        self.scores.append(record.scores[seat])
        for part in fields(Tally):
            setattr(self.tally, part.name, getattr(self.tally, part.name) + getattr(record.tallies[seat], part.name))

    @property
    def win_rate(self) -> Rate:
        """Wins per game and seat; the fair share is one divided by the number of players."""
        return rate(self.wins, len(self.scores))

    @property
    def score(self) -> Spread:
        """How the scores are distributed."""
        return spread(self.scores)


@dataclass(slots=True)
class Summary:
    """The figures of a series."""

    by_style: dict[str, Cohort] = field(default_factory=dict)
    by_seat: dict[int, Cohort] = field(default_factory=dict)
    everyone: Cohort = field(default_factory=Cohort)
    rounds: list[int] = field(default_factory=list)
    deck_left: list[int] = field(default_factory=list)
    played: Counter[tuple[Pack, str]] = field(default_factory=Counter)
    """How often each card of a module was played."""
    times_up: int = 0
    """Rounds in which the time for the bags ran out."""


def summarise(records: Iterable[GameRecord]) -> Summary:
    """Count all games, in their order."""
    summary = Summary()
    for record in records:
        summary.rounds.append(record.rounds)
        summary.deck_left.append(record.deck_left)
        summary.played.update(record.played)
        summary.times_up += record.times_up
        for seat, style in enumerate(record.styles):
            summary.by_style.setdefault(style, Cohort()).add(record, seat)
            summary.by_seat.setdefault(seat, Cohort()).add(record, seat)
            summary.everyone.add(record, seat)
    return summary
