from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.bots import STYLES
from p2p_sheriff.bots.bot import PATIENCE
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import OPTIONS, Edition, Good, Phase, Seat, Setup, Side, may_time_out
from p2p_sheriff.rules.facts import Left, TimeUp
from p2p_sheriff.rules.moves import Accept, Declare, Offer, Withdraw
from tests.bots.tables import bots, played

EXTRA = (
    Good("plums", Side.LEGAL, 6, 3, 2, ("apples", 2)),
    Good("ivory", Side.CONTRABAND, 3, 12, 6),
    Good("royal plums", Side.ROYAL, 2, 7, 4, ("apples", 3)),
)

setups = st.builds(
    Setup,
    players=st.integers(3, 6),
    edition=st.sampled_from(Edition),
    options=st.frozensets(st.sampled_from(OPTIONS)),
    extra=st.sampled_from([(), EXTRA]),
)


@pytest.mark.parametrize("options", [frozenset[str](), frozenset(OPTIONS)], ids=["plain", "every option"])
@pytest.mark.parametrize(("players", "edition"), list(product(range(3, 7), Edition)))
def test_a_mixed_table_plays_to_the_end_without_a_refused_move(
    players: int, edition: Edition, options: frozenset[str]
) -> None:
    record, dealer = played(Setup(players, edition, options), STYLES, seed=players)
    assert dealer.state.phase is Phase.OVER
    assert record.winners
    assert record.rounds == {3: 9, 4: 8, 5: 10, 6: 9}[players]


@pytest.mark.parametrize("style", STYLES)
@given(setup=setups, seed=st.integers(0, 10**6))
def test_a_table_of_one_style_plays_to_the_end_whatever_is_played(style: str, setup: Setup, seed: int) -> None:
    _, dealer = played(setup, [style], seed)
    assert dealer.state.phase is Phase.OVER


@given(setup=setups, seed=st.integers(0, 10**6))
def test_nobody_talks_more_in_a_round_than_patience_allows(setup: Setup, seed: int) -> None:
    _, dealer = played(setup, STYLES[seed % len(STYLES) :] + STYLES, seed)
    merchants = {(round_, item.seat) for round_, item in dealer.inputs if isinstance(item, Declare)}
    words = Counter(
        (round_, item.seat) for round_, item in dealer.inputs if isinstance(item, Offer | Accept | Withdraw)
    )
    for speaker, count in words.items():
        # A merchant speaks so often at most; an officer asks so often about each bag, and accepts something once.
        assert count <= (PATIENCE if speaker in merchants else (PATIENCE + 1) * (setup.players - 1))


class RestlessTable(BotTable):
    """A table that somebody leaves, and at which time runs out, in the middle of a game."""

    chance: ClassVar[Random]

    def _inspect(self, officers: Sequence[Seat]) -> None:
        state = self.dealer.state
        fate = self.chance.random()
        if fate < 0.03 and len(state.seats) > 3:
            self._tell(self.dealer.submit(Left((self.chance.choice(state.seats),))))
        elif fate < 0.08 and may_time_out(state):
            self._tell(self.dealer.submit(TimeUp(state.round, state.phase)))
        else:
            super()._inspect(officers)


@given(setup=setups, seed=st.integers(0, 10**6))
def test_bots_go_on_when_somebody_leaves_or_time_runs_out(setup: Setup, seed: int) -> None:
    RestlessTable.chance = Random(seed)
    table = RestlessTable(Dealer(setup, Random(seed)), bots(setup, STYLES, seed))
    table.play()
    assert table.dealer.state.phase is Phase.OVER
