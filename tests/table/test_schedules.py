"""However a bad network delivers, every node folds to the same game, and its transcript proves it."""

from random import Random

import pytest

from p2p_sheriff.lab.simnet import Weather
from p2p_sheriff.rules import Setup
from tests.cases import some
from tests.table.games import SHORT_DECK, assert_agreed, bot_game, game_bytes, one_round, round_bytes
from tests.table.tampering import assert_accepted, assert_nothing_else_is_accepted, assert_rejected, false_result
from tests.table.transcripts import GROUP, game_of


def weather(seed: int) -> Weather:
    rng = Random(seed)
    return Weather(loss=0.5 * rng.random(), duplicates=0.5 * rng.random(), disorder=rng.random())


@pytest.mark.parametrize("seed", some(range(200), few=25))
def test_a_round_in_any_weather_leaves_all_nodes_equal_and_its_transcript_alone_is_accepted(seed: int) -> None:
    net = one_round(Setup(3, short=SHORT_DECK), GROUP, seed, weather(seed))
    plays = [session.play for session in net.sessions]
    assert plays[0].state.round == 2
    assert plays[0] == plays[1] == plays[2]
    assert all(session.table.faults == {} for session in net.sessions)
    game = game_of(net, round_bytes(seed))
    assert_accepted(game)
    assert_nothing_else_is_accepted(game, Random(seed), flips=2)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(3), few=1))
def test_a_whole_game_in_bad_weather_ends_the_same_on_every_node_and_its_transcript_alone_is_accepted(
    seed: int,
) -> None:
    net = bot_game(Setup(3, short=SHORT_DECK), GROUP, seed, Weather(loss=0.3, duplicates=0.3, disorder=0.9))
    assert net.traffic.lost > 50
    assert_agreed(net.sessions)
    game = game_of(net, game_bytes(seed))
    assert_accepted(game)
    assert_nothing_else_is_accepted(game, Random(seed), flips=50)
    for seat in range(3):
        assert_rejected(false_result(game, seat))
