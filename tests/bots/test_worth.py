from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.bots.worth import UNSEEN_CONTRABAND, cheapest_cover, things_value
from p2p_sheriff.rules import Setup
from p2p_sheriff.rules.moves import Things

items = st.lists(st.tuples(st.integers(1, 34), st.integers(1, 50)), min_size=1, max_size=8)


def worth_of(values: list[int], chosen: tuple[int, ...]) -> int:
    return sum(values[index] for index in chosen)


@given(items, st.integers(1, 60))
def test_no_other_goods_cover_a_debt_at_a_smaller_loss(goods: list[tuple[int, int]], amount: int) -> None:
    values, losses = [value for value, _ in goods], [loss for _, loss in goods]
    chosen = cheapest_cover(values, [float(loss) for loss in losses], amount)
    if sum(values) <= amount:
        assert chosen == tuple(range(len(goods)))
        return
    covers = [
        some
        for size in range(1, len(goods) + 1)
        for some in combinations(range(len(goods)), size)
        if worth_of(values, some) >= amount
    ]
    assert worth_of(values, chosen) >= amount
    assert worth_of(losses, chosen) == min(worth_of(losses, some) for some in covers)


@given(items, st.integers(1, 60))
def test_none_of_the_goods_that_cover_a_debt_is_superfluous(goods: list[tuple[int, int]], amount: int) -> None:
    values = [value for value, _ in goods]
    chosen = cheapest_cover(values, [float(loss) for _, loss in goods], amount)
    if sum(values) > amount:
        assert worth_of(values, chosen) - min(values[index] for index in chosen) < amount


def test_open_goods_are_worth_their_value_and_hidden_ones_what_the_payer_is_trusted_with() -> None:
    payment = Things(gold=3, stall=(("apples", 2),), stack_blind=1, bag=(("silk", 1),), bag_blind=1)
    certain = 3 + 2 * 2 + UNSEEN_CONTRABAND
    assert things_value(Setup(4), payment, trust=0) == certain
    assert things_value(Setup(4), payment, trust=0.5) == pytest.approx(certain + (8 + UNSEEN_CONTRABAND) / 2)
