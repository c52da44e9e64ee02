"""Tables of bots for tests: a dealer that keeps what happened, and people who watch."""

from collections.abc import Sequence
from random import Random

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable, GameRecord
from p2p_sheriff.rules import Input, LoadBag, Setup, Transition
from p2p_sheriff.rules.moves import Offer


class RecordingDealer(Dealer):
    """A dealer that keeps every input with the round in which it came."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.inputs: list[tuple[int, Input]] = []

    def start(self) -> list[Transition]:
        return self._kept(self.state.round, super().start())

    def submit(self, item: Input | LoadBag) -> list[Transition]:
        return self._kept(self.state.round, super().submit(item))

    def _kept(self, round_: int, changes: list[Transition]) -> list[Transition]:
        self.inputs += [(round_, change.item) for change in changes]
        return changes


def bots(setup: Setup, styles: Sequence[str], seed: int) -> list[Bot]:
    """Seat bots of these styles, repeated around the table."""
    return [make_bot(styles[seat % len(styles)], seat, Random(f"{seed}/{seat}")) for seat in setup.seats]


def played(setup: Setup, styles: Sequence[str], seed: int) -> tuple[GameRecord, RecordingDealer]:
    """Play one game."""
    dealer = RecordingDealer(setup, Random(seed))
    return BotTable(dealer, bots(setup, styles, seed)).play(), dealer


def at_closed_bags(seed: int, setup: Setup = Setup(4)) -> BotTable:  # noqa: B008 - it is plain data.
    """Return a mixed table in its first round, when all bags are closed and nobody has said anything."""
    table = BotTable(RecordingDealer(setup, Random(seed)), bots(setup, STYLES, seed))
    table._tell(table.dealer.start())
    while len(table.dealer.state.closed_bags) < (len(table.dealer.state.merchants) or setup.players):
        table._submit(table._chosen(table.dealer.choices()[0]))
    return table


def is_question(offer: Offer) -> bool:
    """Tell whether an officer asks a merchant for money."""
    return offer.seat != offer.gift.giver
