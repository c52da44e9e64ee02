import pytest

from p2p_sheriff.rules import (
    Choice,
    Phase,
    Seat,
    legal_moves,
)
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Gift,
    Inspect,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    ShareLoot,
    Stance,
    Things,
    Verb,
)
from p2p_sheriff.rules.state import Loot
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FIRST
from tests.rules.refusing import refused
from tests.rules.situations import alone, at_declare, at_inspection, at_load, at_market, load_all, share


def test_r19_4_a_merchants_bag_is_void_and_deals_about_it_are_off() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=5)
    game.offer(CAT, "inspect 1, pass 2", gold=5)
    game.offer(ANN, "pass 3", payer=BEN, gold=5)
    game.offer(DAN, "pass 3", gold=5)
    game.leaves(BEN)
    assert [standing.offer.seat for standing in game.state.offers] == [DAN]
    assert game.state.closed_bags == (CAT, DAN)
    refused(game, Inspect(ANN, BEN), "7.1")


def test_r19_4_nothing_more_is_due_from_a_merchant_who_left() -> None:
    game = at_inspection({BEN: ("silk", "apples")})
    game.apply(Inspect(ANN, BEN))
    game.leaves(BEN)
    assert game.state[ANN].gold == 50
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r19_4_nothing_more_is_due_to_a_merchant_who_left() -> None:
    game = at_inspection({BEN: ("4 chicken", "chicken")})
    game.apply(Inspect(ANN, BEN))
    game.settle_next(1)
    game.leaves(BEN)
    assert game.state[ANN].gold == 50


def test_r19_4_a_merchant_out_while_loading_or_declaring_is_not_waited_for() -> None:
    assert at_load().leaves(BEN).choices() == {(CAT, Choice.LOAD), (DAN, Choice.LOAD)}
    assert at_declare({}).leaves(BEN).choices() == {(CAT, Choice.DECLARE)}


def test_r19_4_the_sheriff_out_bags_not_yet_dealt_with_pass_without_a_bribe() -> None:
    game = at_inspection({BEN: ("silk", "apples"), CAT: ("mead", "apples")}).inspects(CAT)
    game.offer(BEN, "pass 1", gold=9)
    gold = game.gold()[1:]
    game.leaves(ANN)
    assert game.gold()[1:] == gold
    assert game.stack(BEN) == ["silk"]
    assert game.stall(DAN) == ["apples"]
    assert game.state.round == 2
    assert game.chief == BEN


def test_r7_4_while_the_deck_is_dealt_around_a_sheriff_who_left_nobody_is_there_to_make_deals_with() -> None:
    game = at_inspection({})
    game.apply(Left((ANN,)))
    refused(game, Offer(BEN, 0, (), (Gift(BEN, CAT, Things(gold=1)),), ()), "7.4")
    refused(game, Offer(BEN, 0, (), (Gift(BEN, CAT, Things(gold=1)),), (Act(BEN, Verb.PASS),)), "7.4")
    assert legal_moves(game.state, BEN) == ()


@pytest.mark.parametrize("shown", [False, True], ids=["before it is opened", "before it is shown"])
def test_r19_4_the_sheriff_out_a_bag_whose_inspection_was_decided_is_opened_without_fines(shown: bool) -> None:
    game = at_inspection({BEN: ("silk, 2 apples", "apples"), CAT: ("2 chicken", "chicken")})
    game.apply(Inspect(ANN, BEN))
    if shown:
        game.settle_next(1)
    game.leaves(ANN)
    assert game.stall(BEN) == ["apples", "apples"]
    assert game.piles() == [["silk"]]
    assert [game.state[seat].gold for seat in (BEN, CAT)] == [50, 50]


def test_r19_4_the_sheriff_out_a_true_bag_whose_inspection_was_decided_is_not_paid_for() -> None:
    game = at_inspection({BEN: ("4 chicken", "chicken")})
    game.apply(Inspect(ANN, BEN))
    game.leaves(ANN)
    assert game.stall(BEN) == ["chicken"] * 4
    assert game.state[BEN].gold == 50


def test_r7_13_if_the_sheriff_is_out_what_was_to_be_laid_down_lies_on_the_left_pile_as_it_lay() -> None:
    game = at_inspection({BEN: ("silk, mead", "apples")}, edition=FIRST)
    game.apply(Inspect(ANN, BEN))
    while (ANN, Choice.LAY_DOWN) not in game.choices():
        game.settle_next(1)
    lying = [card.handle for card in game.state.bag_of(BEN).shown]
    game.leaves(ANN)
    assert [[card.handle for card in pile] for pile in game.state.piles] == [lying, []]


def test_r19_4_of_a_deal_under_way_only_what_concerns_who_left_lapses() -> None:
    game = at_inspection({BEN: ("silk", "apples"), CAT: ("mead", "apples")})
    number = game.offer(DAN, "inspect 1, inspect 2", gold=7)
    game.apply(Accept(ANN, DAN, number))
    game.leaves(BEN)
    assert game.piles() == [["mead"]]
    assert [game.state[seat].gold for seat in (ANN, CAT, DAN)] == [50 + 7 + 4, 46, 43]


def test_r7_5_of_a_deal_under_way_the_acts_go_on_if_its_payer_leaves() -> None:
    game = at_inspection({BEN: ("silk", "apples"), CAT: ("mead", "apples")})
    number = game.offer(DAN, "inspect 1, inspect 2", gold=7)
    game.apply(Accept(ANN, DAN, number))
    game.leaves(DAN)
    assert game.piles() == [["silk", "mead"]]
    assert game.state[ANN].gold == 50 + 7 + 4 + 4


def test_r19_4_the_sheriff_out_in_the_market_the_round_goes_on_without() -> None:
    game = at_market().leaves(ANN)
    assert game.choices() == {(BEN, Choice.SET_ASIDE)}
    load_all(game.until(Phase.LOAD), {BEN: ("silk", "apples")})
    game.next_round()
    assert game.stack(BEN) == ["silk"]
    assert game.state.round == 2


def test_r19_4_a_deputy_out_the_other_one_finishes_alone() -> None:
    game = at_inspection({CAT: ("2 mead", "apples")}, 6)
    game.submit(Stance(ANN, CAT, Verb.PASS)).leaves(ANN)
    assert game.choices() == {(BEN, Choice.ACT)}
    game.submit(Inspect(BEN, CAT))
    assert [game.state[seat].gold for seat in (BEN, CAT)] == [58, 42]
    game.offer(DAN, "pass 3", gold=3)
    game.submit(Pass(BEN, DAN))
    assert game.state[BEN].gold == 61


def test_r19_4_the_gold_on_the_loot_is_left_to_the_deputy_who_stays() -> None:
    game = at_inspection({}, 6)
    game.deal(CAT, "pass 2", gold=11)
    game.leaves(BEN).next_round()
    assert game.state[ANN].gold == 61
    assert not game.state.loot


def test_r19_4_black_market_cards_on_the_loot_are_left_to_the_deputy_who_stays() -> None:
    game = at_inspection({}, 6, "black-market")
    (prize, *rest), *pairs = game.state.market
    game.state = game.state.but(market=(tuple(rest), *pairs), loot=Loot(prizes=(prize,)))
    game.leaves(BEN).next_round()
    assert game.state[ANN].prizes == (prize,)
    assert not game.state.loot


@pytest.mark.parametrize(("gone", "stays"), [(ANN, BEN), (BEN, ANN)])
def test_r19_4_whoever_leaves_while_deputies_pick_the_rest_is_left_to_the_other(gone: Seat, stays: Seat) -> None:
    game = at_inspection({}, 6, "black-market")
    (prize, *rest), (other, *more), *pairs = game.state.market
    game.state = game.state.but(market=(tuple(rest), tuple(more), *pairs), loot=Loot(prizes=(prize, other)))
    share(game).submit(ShareLoot(ANN))
    assert game.choices() == {(ANN, Choice.PICK_LOOT)}
    game.leaves(gone)
    assert game.state[stays].prizes == (prize, other)
    assert not game.state.loot


def test_r19_4_what_a_deputy_who_left_has_said_lapses() -> None:
    game = alone(at_inspection({CAT: ("2 mead", "apples")}, 6), ANN, CAT)
    game.submit(Stance(BEN, DAN, Verb.PASS)).leaves(ANN)
    assert game.state.bag_of(CAT).alone is None
    assert not any(game.state.bag_of(bag).stances for bag in (CAT, DAN)), "One officer needs no agreement."
    game.submit(Pass(BEN, CAT))
    assert game.stack(CAT) == ["mead", "mead"]


def test_r19_4_a_deputy_out_while_naming_the_first_merchant() -> None:
    game = at_market(6).submit(NameFirst(ANN, EVE)).leaves(BEN)
    assert game.choices() == {(EVE, Choice.SET_ASIDE)}


def test_r19_4_a_gift_under_way_is_off_if_its_giver_leaves() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese")
    number = game.offer(BEN, "pass 1", stall="cheese")
    game.apply(Accept(ANN, BEN, number))
    game.leaves(BEN)
    assert game.stall(ANN) == []
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r19_4_a_gift_under_way_stays_with_its_giver_if_the_sheriff_leaves() -> None:
    game = at_inspection({BEN: ("silk", "apples")}).grant(BEN, stall="cheese", stack="mead")
    number = game.offer(BEN, "pass 1", stall="cheese", stack="mead", bag="silk")
    game.apply(Accept(ANN, BEN, number))
    game.leaves(ANN)
    assert game.stall(BEN) == ["cheese"]
    assert game.stack(BEN) == ["mead", "silk"]


def test_r19_4_cards_promised_blind_are_not_chosen_any_more_if_the_sheriff_leaves() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk")
    game.deal(BEN, "pass 1", stack_blind=1)
    assert game.choices() == {(BEN, Choice.HAND_OVER)}
    game.leaves(ANN)
    assert game.stack(BEN) == ["mead", "silk"]


def test_r19_4_what_was_meant_for_both_deputies_goes_to_the_one_who_stays() -> None:
    game = at_inspection({CAT: ("silk, cheese", "cheese")}, 6).grant(CAT, stall="bread", stack="mead")
    number = game.offer(CAT, "pass 2", stall="bread", stack="mead", bag="cheese, silk")
    game.submit(Accept(ANN, CAT, number))
    game.apply(Accept(BEN, CAT, number))
    game.leaves(BEN)
    assert game.stall(ANN) == ["bread", "cheese"]
    assert game.stack(ANN) == ["mead", "silk"]


def test_r19_4_a_fine_for_both_deputies_goes_to_the_one_who_stays() -> None:
    game = at_inspection({CAT: ("2 mead", "apples")}, 6).grant(CAT, gold=0, stack="silk").together(CAT, Verb.INSPECT)
    (silk,) = game.state[CAT].stack
    game.leaves(ANN).submit(PayInKind(CAT, (), ((silk, "silk"),)))
    assert game.stack(BEN) == ["silk"]


def test_r19_4_a_fine_is_not_owed_to_a_sheriff_who_left() -> None:
    game = at_inspection({BEN: ("2 mead", "apples")}).grant(BEN, gold=0, stack="silk").inspects(BEN)
    assert game.choices() == {(BEN, Choice.PAY_IN_KIND)}
    assert game.leaves(ANN).stack(BEN) == ["silk"]


def test_r19_4_both_deputies_out_bags_pass_and_the_gold_on_the_loot_goes_to_the_bank() -> None:
    game = at_inspection({CAT: ("silk", "apples")}, 6)
    game.deal(DAN, "pass 3", gold=11)
    bank = game.grant(ANN, gold=0).grant(BEN, gold=0).state.bank
    game.leaves(ANN, BEN)
    assert game.state.bank == bank + 11
    assert game.stack(CAT) == ["silk"]
    assert game.state.round == 2
