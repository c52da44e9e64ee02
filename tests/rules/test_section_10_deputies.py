from collections import Counter

import pytest

from p2p_sheriff.rules import Choice, Good, Phase, Seat, Side, apply, demands, legal_moves, may_time_out
from p2p_sheriff.rules.demands import Give, Toss
from p2p_sheriff.rules.facts import Coin, Drawn, TimeUp
from p2p_sheriff.rules.inspection import may_act
from p2p_sheriff.rules.moves import (
    Accept,
    Apart,
    Inspect,
    NameFirst,
    Pass,
    PayInKind,
    Refuse,
    SetAside,
    Stance,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.phases import Purpose
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, FIRST, SECOND, names
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import alone, at_inspection, at_market, load_all, patrol

PASS, INSPECT = Verb.PASS, Verb.INSPECT

DAN_THEN_BEN = 3 * 5 + 1
"""The side of the coin on which DAN is drawn first and BEN second: the fourth of six cards, then the second of five."""


# -- 10.1


def test_r10_1_each_round_two_are_deputies_and_four_are_merchants() -> None:
    game = at_market(6)
    for _ in range(3):
        assert len(game.state.officers) == 2
        assert len(game.state.merchants) == 4
        game.next_round()


def test_r10_1_the_coin_draws_any_ordered_pair_of_the_six_cards() -> None:
    game = Scenario(6).settle_next(1)
    (toss,) = demands(game.state)
    assert isinstance(toss, Toss)
    pairs = {apply(game.state, Coin(toss.purpose, value)).officers for value in range(toss.sides)}
    assert len(pairs) == toss.sides == 6 * 5
    assert (DAN, BEN) in pairs
    no_move(game, Coin(toss.purpose, toss.sides))
    no_move(game, Coin(Purpose.FIRST_SHERIFF, 0))


def test_r10_1_after_three_rounds_all_have_been_deputy_once_and_the_cards_are_reshuffled() -> None:
    game = Scenario(6)
    game.coins = [DAN_THEN_BEN, 5, 1, 29]
    game.settle()
    deputies = []
    for _ in range(4):
        deputies.append(game.state.officers)
        game.next_round()
    assert sorted(seat for pair in deputies[:3] for seat in pair) == [ANN, BEN, CAT, DAN, EVE, FAY]
    assert deputies[0] == (DAN, BEN)
    assert deputies[3] == (FAY, EVE)


def test_r10_1_the_game_ends_after_9_rounds_with_everyone_deputy_3_times() -> None:
    game = at_market(6)
    served: Counter[Seat] = Counter()
    rounds = 0
    while game.state.phase is not Phase.OVER:
        served.update(game.state.officers)
        rounds += 1
        game.next_round()
    assert rounds == 9
    assert set(served.values()) == {3}


# -- 10.2


def test_r10_2_the_market_begins_with_the_merchant_whom_the_first_drawn_deputy_names() -> None:
    game = at_market(6)
    assert game.choices() == {(ANN, Choice.NAME_FIRST)}
    refused(game, NameFirst(BEN, EVE), "4.1")
    game.submit(NameFirst(ANN, EVE))
    turns = []
    while game.state.phase is Phase.MARKET:
        turns += [seat for seat, _ in game.choices()]
        game.dull()
    assert turns == [EVE, FAY, CAT, DAN]


def test_r10_2_no_time_runs_out_at_the_market() -> None:
    game = at_market(6)
    assert not may_time_out(game.state)
    no_move(game, TimeUp(1, Phase.MARKET))


def test_r10_2_market_and_discards_are_those_of_the_second_edition_in_both() -> None:
    for edition in (FIRST, SECOND):
        game = at_market(6, edition=edition).submit(NameFirst(ANN, CAT))
        game.submit(SetAside(CAT, game.hold(CAT, "2 silk")))
        assert names(game.state[CAT].aside_shown) == ["silk", "silk"]
        assert game.choices() == {(DAN, Choice.SET_ASIDE)}
        game.until(Phase.LOAD)
        assert game.piles() == [["silk", "silk"]]


def test_r10_2_confiscated_cards_go_onto_the_one_pile_in_both_editions() -> None:
    for edition in (FIRST, SECOND):
        game = at_inspection({CAT: ("mead, silk", "apples")}, 6, edition=edition).together(CAT, INSPECT)
        assert names(game.state.piles[0]) == ["mead", "silk"]


def test_r10_2_every_order_counts_from_the_first_drawn_deputy_skipping_deputies() -> None:
    game = Scenario(6)
    game.coins = [DAN_THEN_BEN]
    game.until(Phase.LOAD)
    assert game.state.merchants == (EVE, FAY, ANN, CAT)
    load_all(game, {})
    declared = []
    while game.state.phase is Phase.DECLARE:
        declared += [seat for seat, _ in game.choices()]
        game.dull()
    assert declared == [EVE, FAY, ANN, CAT]


def test_r10_2_hands_are_refilled_in_that_order_with_the_deputies_last() -> None:
    game = Scenario(6)
    game.coins = [DAN_THEN_BEN]
    game.until(Phase.INSPECT).shorten_hand(DAN, 5).shorten_hand(BEN, 5)
    game.log.clear()
    game.next_round()
    assert [drawn.seat for drawn in game.seen(Drawn)] == [EVE, FAY, ANN, CAT, DAN, BEN]


# -- 10.3


def test_r10_3_a_bribe_for_a_bag_that_both_let_pass_goes_onto_the_loot() -> None:
    game = patrol({CAT: ("silk", "apples")})
    game.offer(CAT, "pass 2", gold=9)
    game.together(CAT, PASS)
    assert game.state.loot.gold == 9
    assert [game.state[seat].gold for seat in (ANN, BEN, CAT)] == [50, 50, 41]
    assert game.stack(CAT) == ["silk"]


def test_r10_3_a_true_bag_opened_by_both_costs_each_half() -> None:
    game = patrol({CAT: ("3 chicken", "chicken")}).together(CAT, INSPECT)
    assert game.gold() == [47, 47, 56, 50, 50, 50, 0]


def test_r10_3_the_odd_coin_is_paid_by_the_first_drawn() -> None:
    turnips = Good("turnips", Side.LEGAL, 5, 2, 3)
    game = patrol({CAT: ("3 turnips", "turnips")}, extra=(turnips,)).together(CAT, INSPECT)
    assert game.gold() == [45, 46, 59, 50, 50, 50, 0]


def test_r10_3_each_half_is_an_own_debt() -> None:
    game = patrol({CAT: ("4 chicken", "chicken")}).grant(BEN, gold=1, stall="chicken").together(CAT, INSPECT)
    assert [game.state[seat].gold for seat in (ANN, BEN, CAT)] == [46, 0, 55]
    assert game.stall(CAT) == ["chicken"] * 5


def test_r10_3_the_fines_of_a_lie_go_onto_the_loot() -> None:
    game = patrol({CAT: ("apples, 2 mead", "apples")}).together(CAT, INSPECT)
    assert game.gold() == [50, 50, 42, 50, 50, 50, 8]
    assert game.stall(CAT) == ["apples"]


def test_r10_3_goods_given_for_lack_of_gold_go_onto_the_loot() -> None:
    game = patrol({CAT: ("2 mead", "apples")}).grant(CAT, gold=0, stall="chicken", stack="silk").together(CAT, INSPECT)
    (silk,) = game.state[CAT].stack
    game.submit(PayInKind(CAT, (), ((silk, "silk"),)))
    assert [card.kind for card in game.state.loot.cards] == ["chicken", None]
    assert game.kinds[game.state.loot.cards[1].handle] == "silk"


def test_r10_3_who_opens_alone_collects_alone() -> None:
    game = alone(patrol({CAT: ("2 mead", "apples")}), BEN, CAT).submit(Inspect(BEN, CAT))
    assert game.gold() == [50, 58, 42, 50, 50, 50, 0]


def test_r10_3_who_opens_alone_pays_alone() -> None:
    game = alone(patrol({CAT: ("4 chicken", "chicken")}), BEN, CAT).submit(Inspect(BEN, CAT))
    assert game.gold() == [50, 42, 58, 50, 50, 50, 0]


def test_r10_3_who_acts_alone_may_still_take_a_bribe_and_keep_it() -> None:
    game = alone(patrol({CAT: ("silk", "apples")}), BEN, CAT)
    game.offer(CAT, "pass 2", to=(BEN,), gold=7)
    game.submit(Pass(BEN, CAT))
    assert game.gold() == [50, 57, 43, 50, 50, 50, 0]
    assert game.stack(CAT) == ["silk"]


def test_r10_3_no_deputy_decides_alone_unless_they_differ() -> None:
    game = patrol({})
    refused(game, Pass(ANN, CAT), "10.3")
    refused(game, Inspect(BEN, CAT), "10.3")
    refused(game, Apart(ANN, CAT), "10.4")
    number = game.offer(CAT, "pass 2", gold=5)
    game.submit(Stance(ANN, CAT, PASS), Accept(BEN, CAT, number))
    refused(game, Apart(ANN, CAT), "10.4")
    assert not may_act(game.state, ANN, CAT)


@pytest.mark.parametrize("who", [ANN, BEN])
def test_r10_3_once_either_says_apart_the_one_who_wants_to_open_acts_alone(who: Seat) -> None:
    game = patrol({}).submit(Stance(ANN, CAT, INSPECT), Stance(BEN, CAT, PASS))
    assert Apart(who, CAT) in legal_moves(game.state, who)
    game.submit(Apart(who, CAT))
    assert may_act(game.state, ANN, CAT)
    assert not may_act(game.state, BEN, CAT)
    refused(game, Pass(BEN, CAT), "10.3")


# -- 10.4


def test_r10_4_deputies_may_deal_with_several_merchants_at_once() -> None:
    game = patrol({})
    game.submit(Stance(ANN, CAT, PASS), Stance(ANN, DAN, INSPECT), Stance(BEN, DAN, INSPECT), Stance(BEN, CAT, PASS))
    assert game.state.closed_bags == (EVE, FAY)


def test_r10_4_what_a_deputy_says_is_open_and_may_be_changed_while_they_differ() -> None:
    game = patrol({}).submit(Stance(ANN, CAT, INSPECT), Stance(ANN, CAT, PASS), Stance(BEN, CAT, INSPECT))
    assert {(each.seat, each.verb) for each in game.state.bag_of(CAT).stances} == {(ANN, PASS), (BEN, INSPECT)}
    assert game.state.bag_of(CAT).fate is None
    game.submit(Stance(ANN, CAT, INSPECT))
    assert game.state.bag_of(CAT).fate is INSPECT


def test_r10_4_as_soon_as_both_say_the_same_it_is_done_and_nobody_takes_it_back() -> None:
    game = patrol({}).submit(Stance(ANN, CAT, PASS), Stance(BEN, CAT, PASS))
    assert game.state.bag_of(CAT).fate is PASS
    refused(game, Stance(BEN, CAT, INSPECT), "7.1")


def test_r10_4_the_same_word_for_another_price_is_not_the_same() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", gold=9)
    game.submit(Accept(ANN, CAT, number), Stance(BEN, CAT, PASS))
    assert game.state.bag_of(CAT).fate is None
    game.submit(Accept(BEN, CAT, number))
    assert game.state.bag_of(CAT).fate is PASS
    assert game.state.loot.gold == 9


def test_r10_4_who_says_something_else_has_not_accepted_the_offer_any_more() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", gold=9)
    game.submit(Accept(ANN, CAT, number), Stance(ANN, CAT, PASS), Accept(BEN, CAT, number))
    assert game.state.bag_of(CAT).fate is None
    game.submit(Stance(BEN, CAT, PASS))
    assert game.state.bag_of(CAT).fate is PASS
    assert game.state.loot.gold == 0


@pytest.mark.parametrize("end", [Withdraw(CAT, 0), Refuse(BEN, CAT, 0)])
def test_r10_4_a_word_lapses_with_its_offer(end: Withdraw | Refuse) -> None:
    game = patrol({})
    assert game.offer(CAT, "pass 2", gold=9) == end.number
    game.submit(Accept(ANN, CAT, end.number))
    assert game.state.bag_of(CAT).stances
    game.submit(end)
    assert game.state.bag_of(CAT).stances == ()


def test_r7_4_the_words_of_deputies_for_one_offer_are_not_for_the_one_that_replaces_it() -> None:
    game = patrol({})
    game.submit(Accept(ANN, CAT, game.offer(CAT, "pass 2", gold=9)))
    game.submit(Accept(BEN, CAT, game.offer(CAT, "pass 2", gold=1)))
    assert game.state.bag_of(CAT).fate is None
    assert [word.seat for word in game.state.bag_of(CAT).stances] == [BEN]


def test_r10_4_accepting_a_deal_about_several_bags_is_no_word_about_one() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2, inspect 3", gold=9)
    game.submit(Accept(ANN, CAT, number))
    assert not any(game.state.bag_of(bag).stances for bag in (CAT, DAN))
    game.submit(Accept(BEN, CAT, number))
    assert [game.state.bag_of(bag).fate for bag in (CAT, DAN)] == [PASS, INSPECT]


def test_r10_4_once_one_acts_alone_nothing_more_is_said_and_offers_to_both_are_off() -> None:
    game = patrol({})
    number = game.offer(CAT, "pass 2", gold=9)
    alone(game, ANN, CAT)
    refused(game, Stance(BEN, CAT, INSPECT), "10.4")
    refused(game, Apart(BEN, CAT), "10.4")
    refused(game, Accept(ANN, CAT, number), "7.4")


def test_r10_4_a_sheriff_has_no_stance() -> None:
    refused(at_inspection({}), Stance(ANN, BEN, PASS), "10.4")


def test_r10_4_a_deal_with_both_needs_both_and_pays_the_loot() -> None:
    game = patrol({CAT: ("silk", "apples")})
    number = game.offer(CAT, "pass 2", gold=8)
    game.submit(Accept(BEN, CAT, number))
    assert game.state.loot.gold == 0
    assert game.state.bag_of(CAT).fate is None
    refused(game, Accept(BEN, CAT, number), "7.4")
    game.submit(Accept(ANN, CAT, number))
    assert game.state.loot.gold == 8
    assert game.state.bag_of(CAT).fate is PASS


def test_r10_4_what_is_paid_to_both_both_receive_and_what_is_paid_to_one_that_one_alone() -> None:
    for to in ((ANN, BEN), (BEN,)):
        game = patrol({}).grant(CAT, stall="cheese")
        game = game if len(to) == 2 else alone(game, BEN, CAT)
        number = game.offer(CAT, "pass 2", to=to, stall="cheese")
        for deputy in to:
            game.apply(Accept(deputy, CAT, number))
        (give,) = demands(game.state)
        assert isinstance(give, Give)
        assert give.receivers == to
        assert give.by == (*to, CAT)


def test_r10_4_a_deputys_offer_for_both_needs_the_other_deputy_and_the_merchant() -> None:
    game = patrol({})
    number = game.offer(ANN, "pass 2", payer=CAT, gold=8)
    game.submit(Accept(CAT, ANN, number))
    assert game.state.loot.gold == 0
    game.submit(Accept(BEN, ANN, number))
    assert game.state.loot.gold == 8


def test_r10_4_nobody_deals_with_one_of_two_who_decide_together() -> None:
    game = patrol({})
    refused(game, game.an_offer(CAT, "pass 2", to=(ANN,), gold=6), "7.4")
    alone(game, ANN, CAT)
    refused(game, game.an_offer(CAT, "pass 2, pass 3", to=(ANN,), gold=6), "10.4")
    refused(game, game.an_offer(CAT, "pass 2, pass 3", to=(ANN, BEN), gold=6), "10.4")
    refused(game, game.an_offer(CAT, "pass 2", to=(BEN,), gold=6), "7.4")


def test_r10_4_bag_goods_are_promised_to_both_or_to_the_one_acting_alone() -> None:
    game = patrol({CAT: ("2 silk", "apples")})
    refused(game, game.an_offer(CAT, "pass 2", to=(ANN,), bag="silk"), "7.4")
    alone(game, ANN, CAT)
    refused(game, game.an_offer(CAT, "pass 2", to=(ANN, BEN), bag="silk"), "10.4")
    number = game.offer(CAT, "pass 2", to=(ANN,), bag="silk")
    game.submit(Accept(ANN, CAT, number))
    assert game.stack(ANN) == ["silk"]
    assert game.stack(CAT) == ["silk"]


def test_r10_4_bag_goods_for_both_lie_on_the_loot() -> None:
    game = patrol({CAT: ("silk, cheese", "cheese")})
    game.deal(CAT, "pass 2", bag="cheese, silk")
    assert [card.kind for card in game.state.loot.cards] == ["cheese", None]
    assert game.state[CAT].stack == ()


def test_r10_4_both_are_named_in_the_order_in_which_they_were_drawn() -> None:
    game = patrol({})
    refused(game, game.an_offer(CAT, "pass 2", to=(BEN, ANN), gold=5), "7.4")
