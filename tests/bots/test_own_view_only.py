"""A bot that is told the same and sees the same does the same, whatever the others hold."""

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_sheriff.bots import STYLES, Bot, make_bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.game import BotTable
from p2p_sheriff.rules import Choice, Edition, Input, LoadBag, Move, Seat, Setup, View


class OtherWorldDealer(Dealer):
    """A dealer who can show a seat the table as it would be if all cards hidden from it were others."""

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(setup, rng)
        self.others: Counter[Seat] = Counter()

    def other_world(self, seat: Seat, rng: Random) -> View:
        known = self.knowledge(seat)
        seen = {*known.kinds, *self.state.kinds}
        hidden = [handle for handle in self._kinds if handle not in seen]
        kinds = [self._kinds[handle] for handle in hidden] + self._deck
        rng.shuffle(kinds)
        other = Dealer(self.state.setup, rng)
        other.state = self.state
        other._kinds = {**self._kinds, **dict(zip(hidden, kinds, strict=False))}
        other._deck = kinds[len(hidden) :]
        other._bags = {
            owner: bag if owner == seat else tuple(rng.sample(self.state[owner].hand, len(bag)))
            for owner, bag in self._bags.items()
        }
        # Where few cards are hidden, shuffling may leave them as they were: such a world shows nothing.
        self.others[seat] += other._kinds != self._kinds
        return other.view(seat)


class Twins:
    """Two bots of one style and seed: one lives in this world, one in another, and both must choose alike."""

    def __init__(self, style: str, seat: Seat, seed: str, dealer: OtherWorldDealer) -> None:
        self.style = self.name = style
        self.here = make_bot(style, seat, Random(seed))
        self.there = make_bot(style, seat, Random(seed))
        self.seat = seat
        self.dealer = dealer
        self.rng = Random(seed)

    def other_view(self) -> View:
        return self.dealer.other_world(self.seat, self.rng)

    def observe(self, item: Input) -> None:
        self.here.observe(item)
        self.there.observe(item)

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        move = self.here.choose(view, choice)
        assert move == self.there.choose(self.other_view(), choice)
        return move

    def negotiate(self, view: View) -> Move | None:
        move = self.here.negotiate(view)
        assert move == self.there.negotiate(self.other_view())
        return move


def seated(dealer: OtherWorldDealer, styles: Sequence[str], seed: int) -> list[Twins]:
    seats = dealer.state.setup.seats
    return [Twins(styles[seat % len(styles)], seat, f"{seed}/{seat}", dealer) for seat in seats]


@pytest.mark.parametrize(("players", "edition"), [(4, Edition.SECOND), (3, Edition.FIRST), (6, Edition.SECOND)])
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_the_cards_of_others_change_no_choice(players: int, edition: Edition, seed: int) -> None:
    setup = Setup(players, edition, frozenset({"royal", "black-market", "missing"}))
    dealer = OtherWorldDealer(setup, Random(seed))
    twins = seated(dealer, STYLES, seed)
    BotTable(dealer, cast("list[Bot]", twins)).play()
    assert all(dealer.others[seat] > 20 for seat in setup.seats)
