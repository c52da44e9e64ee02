import pytest

from p2p_sheriff.rules import Choice, Phase, Seat, legal_moves
from p2p_sheriff.rules.inspection import may_act
from p2p_sheriff.rules.moves import (
    Accept,
    Gift,
    Inspect,
    Offer,
    Pass,
    Refuse,
    Stance,
    Things,
    Verb,
    Withdraw,
)
from tests.rules.notation import ANN, BEN, CAT, DAN, acts, goods, pay
from tests.rules.refusing import no_move, refused
from tests.rules.situations import at_inspection

# -- 7.1 and 7.2: who deals with the bags, and when


def test_r7_1_the_sheriff_deals_with_the_bags_in_any_order() -> None:
    game = at_inspection({})
    assert game.choices() == {(ANN, Choice.ACT)}
    game.passes(DAN).inspects(BEN)
    assert game.state.closed_bags == (CAT,)
    assert game.state.phase is Phase.INSPECT


@pytest.mark.parametrize("verb", [Verb.PASS, Verb.INSPECT])
def test_r7_1_inspecting_none_or_all_is_fine(verb: Verb) -> None:
    game = at_inspection({})
    for bag in (BEN, CAT, DAN):
        assert may_act(game.state, ANN, bag)
        game.submit(Pass(ANN, bag) if verb is Verb.PASS else Inspect(ANN, bag))
    assert game.state.round == 2


def test_r7_1_each_bag_is_dealt_with_exactly_once() -> None:
    game = at_inspection({}).passes(BEN).inspects(CAT)
    for bag in (BEN, CAT):
        refused(game, Pass(ANN, bag), "7.1")
        refused(game, Inspect(ANN, bag), "7.1")
        assert not may_act(game.state, ANN, bag)


def test_r7_1_only_the_sheriff_deals_with_bags() -> None:
    game = at_inspection({})
    refused(game, Pass(BEN, CAT), "7.1")
    refused(at_inspection({}, 6), Stance(CAT, CAT, Verb.PASS), "7.1")
    refused(game, Inspect(CAT, CAT), "7.1")
    assert not may_act(game.state, BEN, CAT)


def test_r7_1_the_sheriff_has_no_bag_to_deal_with() -> None:
    refused(at_inspection({}), Pass(ANN, ANN), "7.1")


def test_r7_1_one_bag_is_settled_before_the_next() -> None:
    game = at_inspection({BEN: ("silk", "apples")})
    game.apply(Inspect(ANN, BEN))
    refused(game, Pass(ANN, CAT), "7.1")


def test_r7_2_everyone_may_make_offers_at_once_until_the_sheriff_acts() -> None:
    game = at_inspection({})
    game.offer(DAN, "pass 3", gold=3)
    game.offer(BEN, "pass 1", gold=1)
    game.offer(ANN, "pass 2", payer=CAT, gold=9)
    game.offer(CAT, "inspect 1", gold=2)
    assert [standing.offer.seat for standing in game.state.offers] == [DAN, BEN, ANN, CAT]


def test_r7_2_acting_on_a_bag_ends_the_negotiation_about_it_alone() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=1)
    game.offer(CAT, "inspect 1, pass 2", gold=5)
    game.offer(DAN, "pass 3", gold=1)
    game.inspects(BEN)
    assert [standing.offer.seat for standing in game.state.offers] == [DAN]


def test_r7_2_what_is_done_is_done() -> None:
    game = at_inspection({BEN: ("silk", "apples")}).passes(BEN)
    assert game.state.bag_of(BEN).fate is Verb.PASS
    assert BEN not in game.state.closed_bags
    assert not any(isinstance(move, Inspect) and move.bag == BEN for move in legal_moves(game.state, ANN))


def test_r7_2_offers_can_be_made_while_a_bag_is_being_unpacked() -> None:
    game = at_inspection({})
    game.apply(Pass(ANN, BEN))
    game.apply(game.an_offer(DAN, "pass 3", gold=3))
    assert [standing.offer.seat for standing in game.state.offers] == [DAN]


def test_r7_2_no_offers_stand_when_the_last_bag_is_settled() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=5)
    game.next_round()
    assert game.state.offers == ()


def test_r7_2_there_is_nothing_to_negotiate_about_when_all_bags_are_settled() -> None:
    game = at_inspection({}, 6)
    game.deal(CAT, "pass 2", gold=5)
    while (ANN, Choice.SHARE_LOOT) not in game.choices():
        game.dull()
    refused(game, game.an_offer(DAN, "pass 3", gold=5), "7.2")


# -- 7.3: what a bribe may be


def test_r7_3_a_bribe_may_be_any_mix() -> None:
    game = at_inspection({BEN: ("2 silk, apples", "apples")})
    game.grant(BEN, stall="2 apples", stack="mead, pepper")
    game.deal(BEN, "pass 1", gold=7, stall="2 apples", stack="mead", stack_blind=1, bag="silk", promise="a favour")
    assert game.state[BEN].gold == 43
    assert game.state[ANN].gold == 57
    assert game.stall(ANN) == ["apples", "apples"]
    assert game.stack(ANN) == ["mead", "pepper", "silk"]
    assert game.stall(BEN) == ["apples"]
    assert game.stack(BEN) == ["silk"]


def test_r7_3_all_gold_may_be_offered_but_not_a_coin_more() -> None:
    game = at_inspection({}).grant(BEN, gold=12)
    refused(game, game.an_offer(BEN, "pass 1", gold=13), "7.3")
    game.offer(BEN, "pass 1", gold=12)


def test_r7_3_a_sheriff_can_not_ask_for_more_gold_than_the_payer_has() -> None:
    game = at_inspection({}).grant(BEN, gold=12)
    refused(game, game.an_offer(ANN, "pass 1", payer=BEN, gold=13), "7.3")


def test_r7_3_cards_in_hand_can_not_be_offered() -> None:
    game = at_inspection({BEN: ("apples", "apples")})
    game.hold(BEN, "apples, cheese")
    refused(game, game.an_offer(BEN, "pass 1", stall="cheese"), "7.5")
    refused(game, game.an_offer(BEN, "pass 1", stack_blind=1), "7.5")


def test_r7_3_a_promise_of_goods_in_the_bag_need_not_be_true() -> None:
    game = at_inspection({BEN: ("apples", "apples")})
    game.deal(BEN, "pass 1", bag="crossbow")
    assert game.stack(ANN) == []
    assert game.stall(BEN) == ["apples"]


def test_r7_3_a_promise_is_words_of_a_sentence_or_two() -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", promise="I will let yours pass next time.")
    assert game.state.offers[0].offer == Offer.bribe(
        BEN, number, BEN, (ANN,), acts("pass 1"), promise="I will let yours pass next time."
    )
    no_move(game, game.an_offer(BEN, "pass 1", promise="x" * 100_000))


# -- 7.4: offers


def test_r7_4_a_deal_is_closed_when_the_sheriff_accepts_that_very_offer() -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", gold=5)
    assert game.state[ANN].gold == 50
    game.submit(Accept(ANN, BEN, number))
    assert game.gold() == [55, 45, 50, 50]
    assert game.state.bag_of(BEN).fate is Verb.PASS


def test_r7_4_a_deal_is_closed_when_the_merchant_accepts_the_sheriffs_offer() -> None:
    game = at_inspection({})
    number = game.offer(ANN, "pass 1", payer=BEN, gold=8)
    game.submit(Accept(BEN, ANN, number))
    assert game.gold() == [58, 42, 50, 50]
    assert game.state.bag_of(BEN).fate is Verb.PASS


def test_r7_4_twenty_gold_to_pass_me_and_inspect_another() -> None:
    game = at_inspection({CAT: ("silk, apples", "apples")})
    game.deal(BEN, "pass 1, inspect 2", gold=20)
    assert game.gold() == [74, 30, 46, 50]
    assert game.state.bag_of(BEN).fate is Verb.PASS
    assert game.state.bag_of(CAT).fate is Verb.INSPECT


def test_r7_4_five_gold_to_look_at_anothers_bag() -> None:
    game = at_inspection({CAT: ("silk", "apples")})
    game.offer(CAT, "pass 2", gold=10)
    game.deal(BEN, "inspect 2", gold=5)
    assert game.gold() == [59, 45, 46, 50]
    assert game.state.closed_bags == (BEN, DAN)


def test_r7_4_only_the_other_side_can_accept() -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", gold=5)
    refused(game, Accept(BEN, BEN, number), "7.4")
    refused(game, Accept(CAT, BEN, number), "7.4")
    asked = game.offer(ANN, "pass 1", payer=BEN, gold=8)
    refused(game, Accept(CAT, ANN, asked), "7.4")
    refused(game, Accept(ANN, ANN, asked), "7.4")


def test_r7_4_offers_run_between_a_merchant_and_the_sheriff() -> None:
    game = at_inspection({})
    refused(game, game.an_offer(BEN, "pass 1", to=(CAT,), gold=5), "7.4")
    refused(game, game.an_offer(BEN, "pass 1", payer=CAT, gold=5), "7.4")


def test_r7_4_a_new_offer_of_the_same_author_payer_and_bags_replaces_the_last() -> None:
    game = at_inspection({})
    old = game.offer(BEN, "pass 1", gold=5)
    new = game.offer(BEN, "pass 1", gold=7)
    assert [standing.offer.number for standing in game.state.offers] == [new]
    refused(game, Accept(ANN, BEN, old), "7.4")


def test_r7_4_offers_about_other_bags_or_by_another_author_stand_side_by_side() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=5)
    game.offer(BEN, "inspect 2", gold=5)
    game.offer(BEN, "pass 1, inspect 2", gold=9)
    game.offer(ANN, "pass 1", payer=BEN, gold=8)
    game.offer(ANN, "pass 1", payer=CAT, gold=8)
    assert len(game.state.offers) == 5


def test_r7_4_an_offer_may_be_withdrawn() -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", gold=5)
    refused(game, Withdraw(CAT, number), "7.4")
    game.submit(Withdraw(BEN, number))
    assert game.state.offers == ()
    refused(game, Accept(ANN, BEN, number), "7.4")
    refused(game, Withdraw(BEN, number), "7.4")


def test_r7_4_parties_are_all_who_give_or_get_and_always_the_sheriff() -> None:
    gifts = (Gift(BEN, CAT, pay(gold=5)), Gift(CAT, BEN, pay(stall="apples")), Gift(DAN, CAT, pay(gold=1)))
    assert Offer(BEN, 0, (ANN,), gifts, ()).parties == (BEN, CAT, DAN, ANN)
    assert Offer.bribe(ANN, 0, BEN, (ANN, CAT), acts("pass 1")).parties == (BEN, ANN, CAT)


def test_r7_4_a_number_names_an_offer_for_ever() -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", gold=5)
    game.submit(Withdraw(BEN, number))
    refused(game, Offer.bribe(BEN, number, BEN, (ANN,), acts("pass 1"), pay(gold=9)), "7.4")


@pytest.mark.parametrize(
    "nonsense",
    [
        Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1, inspect 1"), pay(gold=5)),
        Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 9"), pay(gold=5)),
        Offer.bribe(BEN, -1, BEN, (ANN,), acts("pass 1"), pay(gold=5)),
        Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(stall=goods("2 bananas"))),
        Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(stall=(("apples", -1),))),
        Offer.bribe(BEN, 0, BEN, (ANN,), acts("pass 1"), Things(stack_blind=-1)),
    ],
)
def test_r7_4_an_offer_that_means_nothing_is_no_move(nonsense: Offer) -> None:
    no_move(at_inspection({}), nonsense)


def test_r7_4_a_partys_refusal_ends_an_offer() -> None:
    game = at_inspection({})
    bribe, demand = game.offer(BEN, "pass 1", gold=5), game.offer(ANN, "pass 1", payer=BEN, gold=8)
    game.submit(Refuse(ANN, BEN, bribe))
    game.submit(Refuse(BEN, ANN, demand))
    assert game.state.offers == ()
    refused(game, Accept(ANN, BEN, bribe), "7.4")
    refused(game, Refuse(ANN, BEN, bribe), "7.4")


@pytest.mark.parametrize("seat", [BEN, CAT], ids=["its author", "no party"])
def test_r7_4_nobody_refuses_an_offer_but_those_whose_word_it_needs(seat: Seat) -> None:
    game = at_inspection({})
    number = game.offer(BEN, "pass 1", gold=5)
    assert Refuse(seat, BEN, number) not in legal_moves(game.state, seat)
    assert Refuse(ANN, BEN, number) in legal_moves(game.state, ANN)
    refused(game, Refuse(seat, BEN, number), "7.4")


def test_r7_4_offers_may_come_to_count_in_another_order_than_they_were_numbered() -> None:
    """The sheriff's offer to one merchant counts when that one has seen it: a later one to another may be first."""
    game = at_inspection({})
    game.submit(Offer.bribe(ANN, 1, CAT, (ANN,), acts("pass 2"), pay(gold=5)))
    game.submit(Offer.bribe(ANN, 0, BEN, (ANN,), acts("pass 1"), pay(gold=5)))
    assert len(game.state.offers) == 2
    assert game.state.offer_numbers[ANN] == 1
