"""Every round has its heading, also one that ends with its market, because nobody has a card."""

from collections.abc import Iterable
from random import Random

import pytest

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import Phase, Seat, Setup, Transition
from p2p_sheriff.seat.narration import Narrator
from tests.table.games import SHORT_DECK


class Told(BotTable):
    """Keeps what happens."""

    def __init__(self, seed: int) -> None:
        bots = [make_bot(STYLES[(seat + seed) % len(STYLES)], Seat(seat), Random(3 * seed + seat)) for seat in range(3)]
        super().__init__(Dealer(Setup(3, short=SHORT_DECK), Random(seed)), bots)
        self.changes: list[Transition] = []

    def _tell(self, changes: Iterable[Transition]) -> None:
        told = list(changes)
        self.changes += told
        super()._tell(told)


def test_rounds_that_end_with_their_market_do_not_cost_the_next_one_its_heading() -> None:
    for table in map(Told, range(200)):
        table.play()
        if any(_ends_a_round_in_its_market(one) for one in table.changes):
            break
    else:
        pytest.fail("everybody always has a card")
    narrator = Narrator(("Ann", "Bob", "Cid"))
    lines = [line for one in table.changes for line in narrator.tell(one.before, one.item, one.after)]
    headings = [line.split(":")[0] for line in lines if line.startswith("===")]
    assert headings == [f"=== Round {number}" for number in range(1, 10)]


def _ends_a_round_in_its_market(one: Transition) -> bool:
    return one.before.phase is one.after.phase is Phase.MARKET and one.before.round != one.after.round
