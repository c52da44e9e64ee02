import pytest

from p2p_sheriff.rules import Choice, NotAllowed, Phase, check_move
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.law import may_be_declared
from p2p_sheriff.rules.moves import Declare, Pass
from protocol.errors import MalformedError
from tests.rules.notation import ANN, BEN, CAT, DAN, INPUTS
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_declare, at_inspection


def test_r6_1_merchants_declare_from_the_sheriffs_left_clockwise() -> None:
    game = at_declare({}, sheriff=CAT)
    order = []
    while game.state.phase is Phase.DECLARE:
        ((seat, choice),) = game.choices()
        assert choice is Choice.DECLARE
        order.append(seat)
        game.dull()
    assert order == [DAN, ANN, BEN]


def test_r6_1_nobody_declares_out_of_turn_or_twice() -> None:
    game = at_declare({})
    refused(game, Declare(CAT, 1, "apples"), "6.1")
    game.submit(Declare(BEN, 1, "apples"))
    refused(game, Declare(BEN, 1, "apples"), "6.1")


def test_r6_1_a_declaration_is_a_number_and_one_kind_for_all_to_see() -> None:
    game = at_declare({BEN: ("3 bread", "bread")}).submit(Declare(BEN, 3, "bread"))
    bag = game.state.bag_of(BEN)
    assert (bag.count, bag.kind, bag.fate) == (3, "bread", None)


@pytest.mark.parametrize("kind", ["apples", "cheese", "bread", "chicken"])
def test_r6_2_any_legal_good_can_be_declared_whether_or_not_it_is_in_the_bag(kind: str) -> None:
    game = at_declare({BEN: ("silk", kind)})
    check_move(game.view(BEN), Declare(BEN, 1, kind))
    game.submit(Declare(BEN, 1, kind))
    assert game.state.bag_of(BEN).kind == kind


@pytest.mark.parametrize("kind", ["pepper", "mead", "silk", "crossbow", "gouda", "golden apples", "royal rooster"])
def test_r6_2_contraband_and_royal_goods_can_not_be_declared(kind: str) -> None:
    game = at_declare({}, 4, "royal")
    refused(game, Declare(BEN, 1, kind), "6.2")
    assert not may_be_declared(game.state, kind)


def test_r6_2_royal_goods_can_not_be_declared_without_the_option_either() -> None:
    refused(at_declare({}), Declare(BEN, 1, "gouda"), "6.2")


def test_r6_2_with_3_players_bread_can_not_be_declared() -> None:
    refused(at_declare({}, 3), Declare(BEN, 1, "bread"), "6.2")


def test_r6_2_what_is_no_good_is_no_declaration() -> None:
    game = at_declare({})
    no_move(game, Declare(BEN, 1, "gold"))
    no_move(game, Declare(BEN, 1, ""))


@pytest.mark.parametrize("count", [0, 6])
def test_r6_2_a_number_that_no_bag_holds_is_refused_by_all(count: int) -> None:
    refused(at_declare({}), Declare(BEN, count, "apples"), "6.2")


def test_r6_2_the_own_node_refuses_another_number_than_the_true_one() -> None:
    game = at_declare({BEN: ("3 apples", "apples")})
    for count in (1, 2, 4, 5):
        with pytest.raises(NotAllowed) as caught:
            check_move(game.view(BEN), Declare(BEN, count, "apples"))
        assert (caught.value.rule, caught.value.seat) == ("6.2", BEN)
    check_move(game.view(BEN), Declare(BEN, 3, "apples"))


def opening(count: int) -> Scenario:
    """BEN's bag of 2 was declared as that many apples, and is to be opened."""
    game = at_declare({BEN: ("2 apples", "apples")}).submit(Declare(BEN, count, "apples")).until(Phase.INSPECT)
    game.apply(Pass(ANN, BEN))
    return game


@pytest.mark.parametrize("count", [1, 3])
def test_r6_2_a_false_number_comes_out_as_cheating_when_the_bag_opens(count: int) -> None:
    game = opening(count)
    refused(game, Opened(BEN, game.bags[BEN]), "6.2", cheating=True)


def test_r6_2_a_bag_with_cards_of_nobodys_hand_or_twice_the_same_is_cheating() -> None:
    game = opening(2)
    card, _ = game.bags[BEN]
    refused(game, Opened(BEN, (card, card)), "6.2", cheating=True)
    refused(game, Opened(BEN, (card, game.state[CAT].hand[0])), "6.2", cheating=True)


def test_r6_3_four_chicken_is_a_legal_lie_and_three_or_five_are_refused() -> None:
    game = at_declare({BEN: ("2 chicken, cheese, silk", "chicken")})
    for count in (3, 5):
        with pytest.raises(NotAllowed) as caught:
            check_move(game.view(BEN), Declare(BEN, count, "chicken"))
        assert caught.value.rule == "6.2"
    check_move(game.view(BEN), Declare(BEN, 4, "chicken"))
    assert game.submit(Declare(BEN, 4, "chicken")).state.bag_of(BEN).kind == "chicken"


def test_r6_3_two_kinds_are_refused() -> None:
    game = at_declare({BEN: ("2 chicken, cheese, silk", "chicken")})
    no_move(game, Declare(BEN, 4, "2 chicken and 2 cheese"))
    with pytest.raises(MalformedError, match=r"Declare\.kind"):
        INPUTS.read(("Declare", BEN, 4, ("chicken", "cheese")))


def test_r6_3_the_lie_is_not_known_before_the_bag_opens() -> None:
    game = at_inspection({BEN: ("2 chicken, cheese, silk", "chicken")})
    honest = at_inspection({BEN: ("4 chicken", "chicken")})
    assert game.state == honest.state
