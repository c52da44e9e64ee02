"""Tables of bots for tests: a dealer that keeps what happened, and people who watch."""

from collections.abc import Sequence
from random import Random

from p2p_sheriff.bots import Bot, make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable, GameRecord
from p2p_sheriff.rules import Handle, Input, Seat, Setup


class RecordingDealer(Dealer):
    """A dealer that keeps every input with the round in which it came."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.inputs: list[tuple[int, Input]] = []

    def start(self) -> list[Input]:
        return self._kept(self.state.round, super().start())

    def submit(self, item: Input) -> list[Input]:
        return self._kept(self.state.round, super().submit(item))

    def load(self, seat: Seat, handles: tuple[Handle, ...]) -> list[Input]:
        return self._kept(self.state.round, super().load(seat, handles))

    def _kept(self, round_: int, inputs: list[Input]) -> list[Input]:
        self.inputs += [(round_, item) for item in inputs]
        return inputs


def bots(setup: Setup, styles: Sequence[str], seed: int) -> list[Bot]:
    """Seat bots of these styles, repeated around the table."""
    return [make_bot(styles[seat % len(styles)], seat, Random(f"{seed}/{seat}")) for seat in setup.seats]


def played(setup: Setup, styles: Sequence[str], seed: int) -> tuple[GameRecord, RecordingDealer]:
    """Play one game."""
    dealer = RecordingDealer(setup, Random(seed))
    return BotTable(dealer, bots(setup, styles, seed)).play(), dealer
