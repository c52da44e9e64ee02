import pytest

from p2p_sheriff.rules import Choice, NotAllowed, NotAMove, Phase, Seat, check_load, legal_moves
from p2p_sheriff.rules.bounds import LoadBounds
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.moves import Load
from protocol.errors import MalformedError
from tests.rules.notation import BEN, CAT, DAN, INPUTS
from tests.rules.plain import dump
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_load, at_market


def test_r5_1_all_merchants_load_at_once_in_any_order() -> None:
    game = at_load()
    assert game.choices() == {(seat, Choice.LOAD) for seat in (BEN, CAT, DAN)}
    game.load(DAN, "apples").load(BEN, "apples")
    assert game.choices() == {(CAT, Choice.LOAD)}
    assert game.state.phase is Phase.LOAD
    assert game.load(CAT, "apples").state.phase is Phase.DECLARE


def test_r5_1_four_apples_and_a_crossbow_are_fine() -> None:
    game = at_load()
    chosen = game.hold(BEN, "4 apples, crossbow")
    check_load(game.view(BEN), chosen)


def test_r5_1_a_sixth_card_is_refused() -> None:
    game = at_load()
    with pytest.raises(NotAllowed) as caught:
        check_load(game.view(BEN), game.state[BEN].hand)
    assert (caught.value.rule, caught.value.seat) == ("5.1", BEN)


def test_r5_1_an_empty_bag_is_refused() -> None:
    with pytest.raises(NotAllowed) as caught:
        check_load(at_load().view(BEN), ())
    assert caught.value.rule == "5.1"


def test_r5_1_only_different_cards_of_the_own_hand_go_into_the_bag() -> None:
    game = at_load()
    card = game.state[BEN].hand[0]
    for nonsense in ((card, card), game.state[CAT].hand[:2]):
        with pytest.raises(NotAMove):
            check_load(game.view(BEN), nonsense)


def test_r5_1_the_bounds_are_one_to_five_cards_of_the_hand() -> None:
    game = at_load()
    assert legal_moves(game.state, BEN) == (LoadBounds(BEN, game.state[BEN].hand, 1, 5),)
    assert bag_limits(game.state, BEN) == (1, 5)


def test_r5_1_nobody_sees_how_many_cards_are_in_a_closed_bag() -> None:
    few, many = at_load(), at_load()
    few.load(BEN, "apples")
    many.load(BEN, "4 apples, crossbow")
    assert dump(few.state) == dump(many.state)
    assert len(many.state[BEN].hand) == 6


def test_r5_1_a_closed_bag_can_not_be_changed() -> None:
    game = at_load().load(BEN, "apples")
    refused(game, Load(BEN, b"another"), "5.1")


def test_r5_1_a_commitment_is_bytes_of_bounded_length() -> None:
    game = at_load()
    no_move(game, Load(BEN, b"x" * 10_000))
    with pytest.raises(MalformedError, match=r"Load\.commitment"):
        INPUTS.read(("Load", BEN, "bag"))


def with_an_empty_hand(seat: Seat) -> Scenario:
    game = at_market()
    game.state = game.state.with_player(seat, hand=()).but(deck=0)
    return game.until(Phase.LOAD)


def test_r5_2_an_empty_hand_sits_the_round_out() -> None:
    game = with_an_empty_hand(CAT)
    assert game.choices() == {(BEN, Choice.LOAD), (DAN, Choice.LOAD)}
    game.load(BEN, "apples").load(DAN, "apples")
    assert game.choices() == {(BEN, Choice.DECLARE)}
    game.until(Phase.INSPECT)
    assert game.state.closed_bags == (BEN, DAN)
    assert game.state[CAT].bag is None


def test_r5_2_who_sits_out_can_not_load() -> None:
    refused(with_an_empty_hand(CAT), Load(CAT, b"bag"), "5.2")


def test_r5_2_a_hand_smaller_than_five_bounds_the_bag() -> None:
    game = at_market()
    game.state = game.state.with_player(BEN, hand=game.state[BEN].hand[:2]).but(deck=0)
    game.until(Phase.LOAD)
    assert legal_moves(game.state, BEN) == (LoadBounds(BEN, game.state[BEN].hand, 1, 2),)
