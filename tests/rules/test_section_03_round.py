from collections import Counter

import pytest

from p2p_sheriff.rules import Phase, Seat
from p2p_sheriff.rules.moves import Declare, Load, NameFirst, Pass, SetAside, TakeDiscards
from tests.rules.notation import ANN, BEN, CAT, DAN, FIRST
from tests.rules.refusing import refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_declare, at_inspection, at_load, at_market


def test_r3_1_a_round_has_five_phases_in_order() -> None:
    game = at_market().next_round()
    phases = dict.fromkeys(state.phase for state, _ in game.log if state.phase is not Phase.SETUP)
    assert list(phases) == [Phase.MARKET, Phase.LOAD, Phase.DECLARE, Phase.INSPECT, Phase.END_OF_ROUND]
    assert game.state.phase is Phase.MARKET


def test_r3_1_one_is_sheriff_and_the_others_are_merchants() -> None:
    state = at_market(5).state
    assert state.officers == (ANN,)
    assert set(state.merchants) == set(state.seats) - {ANN}


def test_r3_1_nobody_loads_declares_or_negotiates_during_the_market() -> None:
    game = at_market().submit(NameFirst(ANN, BEN))
    refused(game, Load(BEN, b"bag"), "3.1")
    refused(game, Declare(BEN, 1, "apples"), "3.1")
    refused(game, Pass(ANN, BEN), "3.1")
    refused(game, game.an_offer(BEN, "pass 1", gold=5), "3.1")


def test_r3_1_no_market_and_no_declaration_while_bags_are_loaded() -> None:
    game = at_load()
    refused(game, SetAside(BEN, ()), "3.1")
    refused(game, Declare(BEN, 1, "apples"), "3.1")
    refused(game, NameFirst(ANN, BEN), "3.1")


def test_r3_1_no_bag_is_loaded_once_declarations_have_begun() -> None:
    refused(at_declare({}), Load(BEN, b"another bag"), "3.1")


def test_r3_1_nobody_declares_while_the_sheriff_inspects() -> None:
    refused(at_inspection({}), Declare(BEN, 1, "apples"), "3.1")


def test_r3_2_the_sheriff_takes_no_part_in_the_market() -> None:
    game = at_market().submit(NameFirst(ANN, BEN))
    refused(game, SetAside(ANN, ()), "3.2")
    refused(at_market(4, edition=FIRST), TakeDiscards(ANN, (0, 0)), "3.2")


def test_r3_2_the_sheriff_loads_and_declares_nothing() -> None:
    refused(at_load(), Load(ANN, b"bag"), "3.2")
    refused(at_declare({}), Declare(ANN, 1, "apples"), "3.2")


def test_r3_2_the_sheriff_is_asked_for_nothing_else_and_keeps_the_hand() -> None:
    game = at_market().submit(NameFirst(ANN, BEN))
    hand = game.state[ANN].hand
    while game.state.phase is not Phase.INSPECT:
        assert ANN not in {seat for seat, _ in game.choices()}
        game.dull()
    assert game.state[ANN].hand == hand
    assert game.state[ANN].bag is None


def sheriffs_of(game: Scenario) -> list[Seat]:
    """Play the whole game; return the sheriff of every round."""
    sheriffs = []
    while game.state.phase is not Phase.OVER:
        sheriffs.append(game.chief)
        game.next_round()
    return sheriffs


@pytest.mark.parametrize(("players", "rounds"), [(3, 9), (4, 8), (5, 10)])
def test_r3_3_the_game_ends_when_everyone_has_been_sheriff_often_enough(players: int, rounds: int) -> None:
    sheriffs = sheriffs_of(at_market(players))
    assert len(sheriffs) == rounds
    assert set(Counter(sheriffs).values()) == {rounds // players}
    assert len(set(sheriffs)) == players


def test_r3_3_the_badge_goes_to_the_left() -> None:
    game = at_market(4, sheriff=CAT)
    sheriffs = []
    for _ in range(5):
        sheriffs.append(game.chief)
        game.next_round()
    assert sheriffs == [CAT, DAN, ANN, BEN, CAT]
