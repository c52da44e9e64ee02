"""Modules together: every pair of them, with every number of players, in both editions, by bots to the end."""

from itertools import combinations

import pytest

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.simulate.report import as_json
from p2p_sheriff.lab.simulate.series import Series
from p2p_sheriff.lab.simulate.summary import summarise
from p2p_sheriff.rules import Edition, Pack, Setup
from p2p_sheriff.rules.modules.packs import cards_of

MODULES = ("royal", "black-market", "orders", "laws", "merry-men")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("edition", Edition)
@pytest.mark.parametrize("pair", tuple(combinations(MODULES, 2)), ids="+".join)
def test_bots_play_every_pair_of_modules_to_the_end(pair: tuple[str, str], edition: Edition, players: int) -> None:
    setup = Setup(players, edition, frozenset(pair))
    (record,) = Series(setup, STYLES, 1, players).play_all(1)
    assert record.rounds == {3: 9, 4: 8, 5: 10, 6: 9}[players]
    assert record.winners
    if "laws" in pair:
        assert sum(pack is Pack.LAWS for pack, _ in record.played) == record.rounds + 1


@pytest.mark.slow
def test_every_order_law_and_merry_man_is_played() -> None:
    setup = Setup(6, options=frozenset(MODULES))
    summary = summarise(Series(setup, STYLES, 50, 1).play_all(2))
    for pack in setup.packs:
        never = [name for name in cards_of(setup, pack) if not summary.played[pack, name]]
        assert not never


def test_a_series_with_all_modules_is_repeatable() -> None:
    series = Series(Setup(6, options=frozenset(MODULES)), STYLES, 2, 1)
    first, second = (as_json(series, summarise(series.play_all(1))) for _ in range(2))
    assert first == second
    assert '"merry men"' in first
