"""Deals of several givers, gifts between merchants, trades and sureties (rules 7.4 to 7.6, 10.4, 15.2 and 19.4)."""

from collections.abc import Sequence

import pytest

from p2p_sheriff.rules import Choice, Edition, Phase, Seat, Zone, demands, legal_moves
from p2p_sheriff.rules.cards import LOOT
from p2p_sheriff.rules.deals import own_bribe
from p2p_sheriff.rules.demands import Give, Rearrange, ShowKinds
from p2p_sheriff.rules.facts import Given, Left, Opened, Shown
from p2p_sheriff.rules.moves import Accept, Condition, Gift, HandOver, Inspect, Offer, Pass, Refuse, Verb, Withdraw
from p2p_sheriff.rules.steps import Debt
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, INPUTS, acts, pay
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import alone, at_inspection, patrol

LIE, TRUE = ("silk, apples", "apples"), ("2 apples", "apples")
IF_TRUE, IF_LIE = Condition.IF_TRUE, Condition.IF_LIE


def gives(giver: Seat, receiver: Seat, condition: Condition | None = None, **things: str | int) -> Gift:
    """Return a gift, goods given as text."""
    return Gift(giver, receiver, pay(**things), condition)


def an_offer(game: Scenario, seat: Seat, deal: str, *gifts: Gift, to: tuple[Seat, ...] = ()) -> Offer:
    """Return an offer with these gifts; without an act it is a trade."""
    done = acts(deal) if deal else ()
    return Offer(seat, game.state.offer_numbers[seat] + 1, to or game.state.officers, gifts, done)


def agreed(game: Scenario, offer: Offer) -> Scenario:
    """Have an offer made, and all its parties accept it."""
    assert INPUTS.read(INPUTS.write(offer)) == offer
    game.submit(offer)
    for seat in offer.parties:
        if seat != offer.seat:
            game.submit(Accept(seat, *offer.name))
    return game


def leaves(game: Scenario, seat: Seat) -> None:
    """Have a player leave, and let everything happen that follows."""
    game.apply(Left((seat,)))
    game.settle()


# -- 7.4: who gives what, and what the sheriff does


def test_r7_4_several_merchants_give_in_one_offer() -> None:
    """ "Ann pays you 5 and I pay you 3: open Gilbert's bag." """
    game = at_inspection({DAN: LIE})
    agreed(game, an_offer(game, CAT, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3)))
    assert game.gold() == [50 + 5 + 3 + 4, 45, 47, 46]
    assert game.state.bag_of(DAN).fate is Verb.INSPECT


def test_r7_4_a_merchant_gives_to_another_merchant() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese")
    agreed(game, an_offer(game, BEN, "pass 1", gives(BEN, CAT, gold=6, stall="cheese")))
    assert game.gold() == [50, 44, 56, 50]
    assert game.stall(CAT) == ["cheese"]
    assert game.state.bag_of(BEN).fate is Verb.PASS


def test_r7_4_a_trade_has_no_act() -> None:
    game = at_inspection({}).grant(BEN, stall="2 cheese").grant(CAT, stall="chicken")
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, stall="2 cheese"), gives(CAT, BEN, gold=1, stall="chicken")))
    assert (game.stall(BEN), game.stall(CAT)) == (["chicken"], ["cheese", "cheese"])
    assert game.gold() == [50, 51, 49, 50]
    assert game.state.closed_bags == (BEN, CAT, DAN), "No bag has been dealt with."
    assert game.choices() == {(ANN, Choice.ACT)}
    assert game.state.offers == ()


def test_r7_4_the_sheriff_is_a_party_of_a_trade_and_may_ask_for_a_share() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese")
    offer = an_offer(game, ANN, "", gives(BEN, CAT, stall="cheese"), gives(CAT, BEN, gold=5), gives(CAT, ANN, gold=1))
    agreed(game, offer)
    assert game.gold() == [51, 55, 44, 50]
    without = an_offer(game, BEN, "", gives(BEN, CAT, gold=5))
    game.submit(without, Accept(CAT, *without.name))
    assert game.gold() == [51, 55, 44, 50], "It waits for the sheriff."
    assert Accept(ANN, *without.name) in legal_moves(game.state, ANN)
    assert game.submit(Accept(ANN, *without.name)).gold() == [51, 50, 49, 50]


def test_r7_4_the_sheriff_gives_acts_never_gold_or_goods_in_a_trade_either() -> None:
    game = at_inspection({})
    refused(game, an_offer(game, BEN, "", gives(BEN, ANN, gold=5), gives(ANN, BEN, gold=1)), "7.4")
    refused(game, an_offer(game, ANN, "", gives(ANN, BEN, gold=1)), "7.4")


def test_r7_4_nobody_gives_to_themselves_or_to_nobody() -> None:
    game = at_inspection({})
    refused(game, an_offer(game, BEN, "pass 1", gives(BEN, BEN, gold=5)), "7.4")
    refused(game, an_offer(game, BEN, "pass 1", gives(BEN, LOOT, gold=5)), "7.4")
    no_move(game, an_offer(game, BEN, "pass 1", gives(BEN, ANN, gold=5), gives(BEN, ANN, gold=6)))


@pytest.mark.parametrize(("deal", "gifts"), [("pass 1", ()), ("", ()), ("", (gives(BEN, CAT),))])
def test_r7_4_a_deal_says_who_gives_what(deal: str, gifts: Sequence[Gift]) -> None:
    """A bag may be passed for a gift of nothing, that is, for words; without an act something changes hands."""
    game = at_inspection({})
    refused(game, an_offer(game, BEN, deal, *gifts), "7.4")
    refused(game, an_offer(game, ANN, deal, *gifts), "7.4")


def test_r7_4_the_author_is_a_party() -> None:
    game = at_inspection({})
    refused(game, an_offer(game, DAN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3)), "7.4")
    agreed(game, an_offer(game, CAT, "pass 2", gives(BEN, CAT, gold=5)))
    assert game.gold() == [50, 45, 55, 50], "Who only gets something is one."


def test_r7_4_a_deal_is_closed_when_all_parties_have_accepted() -> None:
    game = at_inspection({DAN: TRUE})
    offer = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3))
    game.submit(offer)
    refused(game, Accept(DAN, *offer.name), "7.4")
    game.submit(Accept(ANN, *offer.name))
    refused(game, Accept(ANN, *offer.name), "7.4")
    assert game.gold() == [50, 50, 50, 50]
    assert game.state.closed_bags == (BEN, CAT, DAN)
    game.submit(Accept(CAT, *offer.name))
    assert game.gold() == [50 + 8 - 4, 45, 47, 54]


def test_r7_4_until_then_the_author_may_withdraw_it_and_a_partys_refusal_ends_it() -> None:
    """Who has accepted may refuse, too: that takes the acceptance back."""
    game = at_inspection({})
    offer = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3))
    game.submit(offer, Accept(CAT, *offer.name))
    refused(game, Refuse(DAN, *offer.name), "7.4")
    game.submit(Refuse(CAT, *offer.name))
    refused(game, Accept(ANN, *offer.name), "7.4")
    again = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3))
    game.submit(again, Accept(CAT, *again.name), Withdraw(BEN, again.number))
    refused(game, Accept(ANN, *again.name), "7.4")
    assert game.gold() == [50, 50, 50, 50]


def test_r7_4_an_acceptance_is_of_that_very_offer_and_not_of_the_one_that_replaces_it() -> None:
    game = at_inspection({})
    old = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=3))
    game.submit(old, Accept(CAT, *old.name))
    new = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=1), gives(CAT, ANN, gold=30))
    game.submit(new)
    assert [standing.offer for standing in game.state.offers] == [new]
    refused(game, Accept(ANN, *old.name), "7.4")
    game.submit(Accept(ANN, *new.name))
    assert game.gold() == [50, 50, 50, 50], "Cat has not accepted this one."


def test_r7_4_trades_of_an_author_with_the_same_parties_replace_each_other() -> None:
    game = at_inspection({})
    game.submit(an_offer(game, BEN, "", gives(BEN, CAT, gold=5)))
    with_dan = an_offer(game, BEN, "", gives(BEN, DAN, gold=5))
    about_a_bag = an_offer(game, BEN, "pass 2", gives(BEN, CAT, gold=5))
    better = an_offer(game, BEN, "", gives(CAT, BEN, gold=7))
    game.submit(with_dan)
    game.submit(Offer(BEN, 5, about_a_bag.officers, about_a_bag.gifts, about_a_bag.acts))
    game.submit(Offer(BEN, 6, better.officers, better.gifts, better.acts))
    assert [standing.offer.number for standing in game.state.offers] == [with_dan.number, 5, 6]


# -- 7.4: sureties


@pytest.mark.parametrize(
    ("condition", "bag", "gold"),
    [
        (IF_TRUE, TRUE, [50 - 4 + 9, 41, 50, 54]),
        (IF_TRUE, LIE, [50 + 4, 50, 50, 46]),
        (IF_LIE, TRUE, [50 - 4, 50, 50, 54]),
        (IF_LIE, LIE, [50 + 4 + 9, 41, 50, 46]),
    ],
)
def test_r7_4_a_surety_is_gold_if_the_bag_is_found_so(
    condition: Condition, bag: tuple[str, str], gold: list[int]
) -> None:
    """ "If he was honest, I pay your fine." """
    game = at_inspection({DAN: bag})
    agreed(game, an_offer(game, BEN, "inspect 3", gives(BEN, ANN, condition, gold=9)))
    assert game.gold() == gold


def test_r7_4_a_surety_may_go_with_gifts_of_its_giver_and_of_others() -> None:
    game = at_inspection({DAN: LIE})
    gifts = gives(BEN, ANN, gold=2), gives(BEN, ANN, IF_LIE, gold=3), gives(CAT, ANN, gold=1)
    agreed(game, an_offer(game, BEN, "inspect 3, pass 1", *gifts))
    assert game.gold() == [50 + 4 + 6, 45, 49, 46]


def test_r7_4_the_owner_of_the_bag_may_be_its_surety() -> None:
    game = at_inspection({DAN: LIE})
    agreed(game, an_offer(game, DAN, "inspect 3", gives(DAN, ANN, IF_LIE, gold=20)))
    assert game.gold() == [74, 50, 50, 26]


@pytest.mark.parametrize(
    ("deal", "gifts"),
    [
        ("pass 3", (gives(BEN, ANN, IF_TRUE, gold=9),)),
        ("pass 1, inspect 3", (gives(BEN, ANN, IF_TRUE, gold=9),)),
        ("", (gives(BEN, ANN, IF_TRUE, gold=9),)),
        ("inspect 3", (gives(BEN, ANN, IF_TRUE, gold=9), gives(CAT, ANN, IF_LIE, gold=9))),
        ("inspect 3", (gives(BEN, ANN, IF_TRUE, gold=9), gives(BEN, ANN, IF_TRUE, gold=9))),
        ("inspect 3", (gives(BEN, CAT, IF_TRUE, gold=9),)),
        ("inspect 3", (gives(BEN, ANN, IF_TRUE),)),
        ("inspect 3", (gives(BEN, ANN, IF_TRUE, gold=9, stall="apples"),)),
    ],
    ids=["a pass", "a pass first", "a trade", "two", "twice", "to a merchant", "no gold", "goods"],
)
def test_r7_4_one_gift_of_gold_to_the_sheriff_hangs_on_the_first_act_an_inspection(
    deal: str, gifts: Sequence[Gift]
) -> None:
    game = at_inspection({}).grant(BEN, stall="apples")
    refused(game, an_offer(game, BEN, deal, *gifts), "7.4")


def test_r16_4_a_merry_man_makes_the_declaration_a_lie_for_a_surety_too() -> None:
    game = at_inspection({}, 4, "merry-men")
    assert game.state.bag_of(DAN).man is None
    game.bags[DAN] += game.state[DAN].men
    game.state = game.state.with_bag(DAN, count=2)
    gold = game.state[BEN].gold
    agreed(game, an_offer(game, BEN, "inspect 3", gives(BEN, ANN, IF_LIE, gold=9)))
    assert game.state[BEN].gold == gold - 9


# -- 7.5: closing


def test_r7_5_gold_then_face_up_goods_then_face_down_goods_then_the_bags_in_order() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese", stack="silk").grant(CAT, stall="chicken", stack="mead")
    gifts = gives(BEN, ANN, gold=5, stack="silk"), gives(CAT, BEN, stall="chicken", stack_blind=1)
    offer = an_offer(game, BEN, "pass 3, pass 1", *gifts, gives(BEN, CAT, gold=2, stall="cheese"))
    game.submit(offer, Accept(CAT, *offer.name))
    game.apply(Accept(ANN, *offer.name))
    assert game.gold() == [55, 43, 52, 50], "All gold moves first."
    game.settle()
    moved = [(given.giver, given.receiver) for given in game.seen(Given)]
    assert moved == [(CAT, BEN), (BEN, CAT), (BEN, ANN), (CAT, BEN)], "Each as named."
    assert [opened.seat for opened in game.seen(Opened)] == [DAN, BEN]
    order = [type(item) for _, item in game.log if isinstance(item, Given | Opened)]
    assert order == [Given] * 4 + [Opened] * 2
    assert (game.stall(BEN), game.stall(CAT)) == (["apples", "chicken"], ["cheese"])
    assert (game.stack(ANN), game.stack(BEN), game.stack(CAT)) == (["silk"], ["mead"], [])


def test_r7_5_all_that_one_gives_must_be_theirs_before_the_deal() -> None:
    game = at_inspection({}).grant(BEN, stall="apples", stack="silk")
    both = [gives(BEN, ANN, gold=25), gives(BEN, CAT, gold=25)]
    game.submit(an_offer(game, BEN, "pass 1", *both))
    both[1] = gives(BEN, CAT, gold=27)
    refused(game, an_offer(game, BEN, "pass 1", *both), "7.3")
    both = [gives(BEN, ANN, stall="apples"), gives(BEN, CAT, stall="apples")]
    refused(game, an_offer(game, BEN, "pass 1", *both), "7.5")
    both = [gives(BEN, ANN, stack_blind=1), gives(BEN, CAT, stack_blind=1)]
    refused(game, an_offer(game, BEN, "pass 1", *both), "7.5")


def test_r7_5_the_surety_must_be_theirs_before_the_deal_too() -> None:
    game = at_inspection({})
    surety = gives(BEN, ANN, IF_LIE, gold=30)
    refused(game, an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=22), surety), "7.3")
    refused(game, an_offer(game, BEN, "inspect 3", gives(CAT, BEN, gold=50), gives(BEN, ANN, IF_LIE, gold=52)), "7.3")
    offer = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=20), surety)
    game.submit(offer).deal(BEN, "pass 2", gold=2)
    refused(game, Accept(ANN, *offer.name), "7.3")


def test_r7_5_nothing_received_in_a_deal_is_given_on_in_it() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese", stack="silk").grant(CAT, gold=0)
    refused(game, an_offer(game, BEN, "pass 2", gives(BEN, CAT, gold=9), gives(CAT, ANN, gold=9)), "7.3")
    refused(game, an_offer(game, BEN, "", gives(BEN, CAT, stall="cheese"), gives(CAT, DAN, stall="cheese")), "7.5")
    refused(game, an_offer(game, BEN, "", gives(BEN, CAT, stack_blind=1), gives(CAT, DAN, stack_blind=1)), "7.5")


def test_r7_5_face_down_goods_by_kind_come_out_of_what_the_giver_had_before_the_deal() -> None:
    game = at_inspection({}).grant(BEN, stack="silk").grant(CAT, stack="2 mead")
    offer = an_offer(game, BEN, "", gives(BEN, CAT, stack="silk"), gives(CAT, DAN, stack="silk"))
    agreed(game, offer)
    assert (game.stack(CAT), game.stack(DAN)) == (["mead", "mead", "silk"], [])


def test_r7_5_blind_goods_come_out_of_what_the_giver_had_before_the_deal() -> None:
    """Cat chooses among her own cards, and lays the stack anew only then: who got what can't be told after it."""
    game = at_inspection({}).grant(BEN, stack="silk").grant(CAT, stack="mead, pepper")
    own = game.state[CAT].stack
    offer = an_offer(game, BEN, "", gives(BEN, CAT, stack_blind=1), gives(CAT, BEN, stack_blind=1))
    agreed(game, offer)
    assert game.choices() == {(CAT, Choice.HAND_OVER)}
    received = next(handle for handle in game.state[CAT].stack if handle not in own)
    no_move(game, HandOver(CAT, (received,)))
    game.apply(HandOver(CAT, own[:1]))
    game.settle_next(1)
    due = {(one.seat, one.zone) for one in demands(game.state) if isinstance(one, Rearrange)}
    assert due == {(BEN, Zone.STACK), (CAT, Zone.STACK)}
    game.settle()
    assert (game.stack(BEN), game.stack(CAT)) == (["mead"], ["pepper", "silk"])


def test_r7_5_two_gifts_of_face_down_goods_are_made_one_after_the_other_as_named() -> None:
    game = at_inspection({}).grant(BEN, stack="silk, mead, pepper")
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, stack="silk"), gives(BEN, DAN, stack="silk", stack_blind=1)))
    assert game.stack(CAT) == ["silk"]
    assert game.choices() == {(BEN, Choice.HAND_OVER)}
    game.submit(HandOver(BEN, game.state[BEN].stack[:1]))
    assert (len(game.stack(DAN)), len(game.stack(BEN))) == (1, 1)


def test_r7_5_a_card_of_the_stall_is_given_once() -> None:
    game = at_inspection({}).grant(BEN, stall="2 apples")
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, stall="apples"), gives(BEN, DAN, stall="apples")))
    assert [game.stall(seat) for seat in (BEN, CAT, DAN)] == [[], ["apples"], ["apples"]]


def test_r7_5_black_market_cards_go_to_merchants_too_and_are_not_given_on() -> None:
    game = at_inspection({}, 4, "black-market")
    name = game.state.market[0][0]
    game.grant(BEN, prizes=name)
    refused(game, an_offer(game, BEN, "", gives(BEN, CAT, stall=name), gives(CAT, DAN, stall=name)), "7.5")
    refused(game, an_offer(game, BEN, "", gives(BEN, CAT, stall=name), gives(BEN, DAN, stall=name)), "7.5")
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, stall=name)))
    assert (game.state[BEN].prizes, game.state[CAT].prizes) == ((), (name,))


def test_r7_5_a_surety_moves_when_its_bag_has_been_shown_before_the_fine() -> None:
    game = at_inspection({DAN: TRUE}).grant(ANN, gold=0)
    offer = an_offer(game, BEN, "inspect 3, pass 1", gives(BEN, ANN, IF_TRUE, gold=3))
    game.submit(offer)
    game.apply(Accept(ANN, *offer.name))
    game.settle_next(1)
    assert game.state[BEN].gold == 50, "The bag is open, and not yet shown."
    (shown,) = [game.answer(demand) for demand in demands(game.state)]
    assert isinstance(shown, Shown)
    game.apply(shown)
    assert game.gold() == [0, 47, 50, 53], "The sheriff pays the fine with it; the rest is forgiven."
    assert [opened.seat for opened in game.settle().seen(Opened)] == [DAN, BEN]


def test_r7_5_a_surety_is_paid_before_the_givers_own_fine() -> None:
    game = at_inspection({DAN: LIE}).grant(DAN, gold=6)
    agreed(game, an_offer(game, DAN, "inspect 3", gives(DAN, ANN, IF_LIE, gold=5)))
    assert game.gold() == [56, 50, 50, 0]
    assert not any(isinstance(step, Debt) for step in game.state.todo)


def test_r7_5_goods_from_a_bag_go_to_the_sheriff_alone_in_a_deal_that_passes_it() -> None:
    game = at_inspection({BEN: ("silk", "apples"), CAT: ("mead, apples", "apples")})
    refused(game, an_offer(game, BEN, "pass 1", gives(BEN, CAT, bag="silk")), "7.5")
    refused(game, an_offer(game, BEN, "pass 1", gives(BEN, CAT, bag_blind=1)), "7.5")
    refused(game, an_offer(game, BEN, "", gives(BEN, ANN, bag="silk")), "7.5")
    gifts = gives(BEN, ANN, bag="silk"), gives(CAT, ANN, bag_blind=1), gives(CAT, BEN, gold=1)
    agreed(game, an_offer(game, CAT, "pass 2, pass 1", *gifts))
    assert game.stack(ANN) == ["mead", "silk"]
    assert game.gold() == [50, 51, 49, 50]


def test_r7_5_what_is_not_there_any_more_is_refused_when_it_is_closed() -> None:
    game = at_inspection({}).grant(BEN, stall="cheese")
    trade = an_offer(game, BEN, "", gives(BEN, CAT, stall="cheese"), gives(CAT, BEN, gold=5))
    game.submit(trade, Accept(CAT, *trade.name))
    game.deal(BEN, "pass 1", stall="cheese")
    refused(game, Accept(ANN, *trade.name), "7.5")
    assert Accept(ANN, *trade.name) not in legal_moves(game.state, ANN)


def test_r3_1_a_trade_is_made_in_the_inspection_alone() -> None:
    game = at_inspection({})
    offer = an_offer(game, BEN, "", gives(BEN, CAT, gold=5))
    game.submit(offer)
    for bag in (BEN, CAT, DAN):
        game.passes(bag)
    assert game.state.offers == ()
    assert game.state.phase is not Phase.INSPECT
    refused(game, offer, "3.1")


def test_r7_7_by_kind_all_see_what_moves_between_merchants_and_blind_the_two_alone() -> None:
    game = at_inspection({}).grant(BEN, stack="silk, mead")
    offer = an_offer(game, BEN, "", gives(BEN, CAT, stack="silk"))
    game.submit(offer, Accept(CAT, *offer.name))
    game.apply(Accept(ANN, *offer.name))
    assert demands(game.state) == (ShowKinds(BEN, game.state[BEN].stack, (), (("silk", 1),)),)
    game.settle()
    other = an_offer(game, BEN, "", gives(BEN, DAN, stack_blind=1))
    game.submit(other, Accept(DAN, *other.name))
    game.apply(Accept(ANN, *other.name))
    assert demands(game.state) == (Give(BEN, DAN, (DAN,), game.state[BEN].stack),)


# -- 7.6: passing takes the owner's own offer alone


@pytest.mark.parametrize(
    "gifts",
    [
        (gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=5)),
        (gives(BEN, ANN, gold=5), gives(BEN, CAT, gold=5)),
        (gives(BEN, CAT, gold=5),),
    ],
    ids=["not the only giver", "not to the sheriff alone", "not to the sheriff"],
)
def test_r7_6_letting_a_bag_pass_accepts_nothing_that_others_have_a_word_in(gifts: Sequence[Gift]) -> None:
    game = at_inspection({})
    game.submit(an_offer(game, BEN, "pass 1", *gifts))
    assert own_bribe(game.state, BEN) is None
    assert game.submit(Pass(ANN, BEN)).gold() == [50, 50, 50, 50]


def test_r7_6_a_trade_can_leave_a_bribe_that_can_not_be_paid_any_more() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=30)
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, gold=30)))
    refused(game, Pass(ANN, BEN), "7.6")
    assert game.passes(BEN, for_nothing=True).gold() == [50, 20, 80, 50]


def test_r7_6_the_sheriff_may_inspect_despite_an_offer_that_all_but_one_have_accepted() -> None:
    game = at_inspection({DAN: TRUE})
    offer = an_offer(game, BEN, "pass 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=5))
    game.submit(offer, Accept(CAT, *offer.name), Inspect(ANN, DAN))
    assert game.gold() == [46, 50, 50, 54]


# -- 10.4: with deputies


def test_r10_4_what_deputies_get_goes_onto_the_loot_a_surety_too() -> None:
    game = patrol({EVE: LIE})
    gifts = gives(CAT, LOOT, gold=5), gives(DAN, LOOT, gold=3), gives(CAT, LOOT, IF_LIE, gold=7)
    agreed(game, an_offer(game, CAT, "inspect 4", *gifts))
    assert game.gold() == [50, 50, 38, 47, 46, 50, 5 + 3 + 7 + 4]


def test_r10_4_a_surety_if_true_lies_on_the_loot_and_each_deputy_pays_half_of_the_fine() -> None:
    game = patrol({EVE: TRUE})
    agreed(game, an_offer(game, CAT, "inspect 4", gives(CAT, LOOT, IF_TRUE, gold=4)))
    assert game.gold() == [48, 48, 46, 50, 54, 50, 4]


def test_r10_4_a_deal_of_several_needs_both_deputies_and_all_merchants_in_it() -> None:
    game = patrol({})
    offer = an_offer(game, CAT, "inspect 4", gives(CAT, LOOT, gold=5), gives(DAN, LOOT, gold=3))
    game.submit(offer, Accept(ANN, *offer.name), Accept(BEN, *offer.name))
    assert game.state.bag_of(EVE).fate is None, "Both deputies have said the same, but Dan has not accepted."
    assert game.submit(Accept(DAN, *offer.name)).state.bag_of(EVE).fate is Verb.INSPECT


def test_r10_4_the_one_acting_alone_keeps_it() -> None:
    game = alone(patrol({EVE: LIE}), BEN, EVE)
    gifts = gives(CAT, BEN, gold=5), gives(DAN, BEN, IF_LIE, gold=3)
    refused(game, an_offer(game, CAT, "inspect 4", gives(CAT, LOOT, gold=5), to=(BEN,)), "7.4")
    refused(game, an_offer(game, CAT, "inspect 4", gives(CAT, ANN, gold=5), to=(BEN,)), "7.4")
    agreed(game, an_offer(game, CAT, "inspect 4", *gifts, to=(BEN,)))
    assert game.gold() == [50, 50 + 5 + 3 + 4, 45, 47, 46, 50, 0]


def test_r10_4_a_trade_needs_both() -> None:
    game = alone(patrol({}), BEN, EVE)
    refused(game, an_offer(game, CAT, "", gives(CAT, DAN, gold=5), to=(BEN,)), "10.4")
    offer = an_offer(game, CAT, "", gives(CAT, DAN, gold=5))
    game.submit(offer, Accept(DAN, *offer.name), Accept(BEN, *offer.name))
    assert game.gold()[2:4] == [50, 50]
    assert game.submit(Accept(ANN, *offer.name)).gold()[2:4] == [45, 55]


def test_r10_4_a_share_of_a_trade_lies_on_the_loot() -> None:
    game = patrol({}).grant(CAT, stall="cheese")
    agreed(game, an_offer(game, CAT, "", gives(CAT, DAN, gold=5), gives(CAT, LOOT, gold=2, stall="cheese")))
    assert game.gold()[2:] == [43, 55, 50, 50, 2]
    assert [card.kind for card in game.state.loot.cards] == ["cheese"]
    refused(game, an_offer(game, CAT, "", gives(CAT, ANN, gold=5)), "7.4")


# -- 15.2: no coin


def test_r15_2_no_coin_forbids_sureties_and_gold_between_merchants_too() -> None:
    game = at_inspection({}, 4, "laws").enact("no coin").grant(BEN, stall="cheese")
    refused(game, an_offer(game, BEN, "inspect 3", gives(BEN, ANN, IF_LIE, gold=1)), "15.2")
    refused(game, an_offer(game, BEN, "", gives(BEN, CAT, stall="cheese"), gives(CAT, BEN, gold=1)), "15.2")
    agreed(game, an_offer(game, BEN, "", gives(BEN, CAT, stall="cheese")))
    assert game.stall(CAT) == ["cheese"]


# -- 19.4: who leaves in the middle


@pytest.mark.parametrize("gone", [CAT, DAN, ANN])
def test_r19_4_offers_that_have_a_quitter_as_a_party_or_name_the_bag_are_off(gone: Seat) -> None:
    game = at_inspection({}, 5)
    game.submit(an_offer(game, BEN, "inspect 3", gives(BEN, ANN, gold=5), gives(CAT, ANN, gold=5)))
    leaves(game, gone)
    assert game.state.offers == ()


def test_r19_4_only_what_is_due_to_or_from_a_quitter_lapses_of_a_deal_under_way() -> None:
    game = at_inspection({}, 5).grant(BEN, stack="silk").grant(CAT, stall="cheese", stack="mead")
    gifts = gives(CAT, DAN, stall="cheese", stack="mead"), gives(BEN, CAT, stack="silk"), gives(BEN, ANN, gold=5)
    offer = an_offer(game, BEN, "pass 1", *gifts)
    game.submit(offer, Accept(CAT, *offer.name), Accept(DAN, *offer.name))
    game.apply(Accept(ANN, *offer.name))
    leaves(game, DAN)
    assert (game.stall(CAT), game.stack(CAT), game.stack(BEN)) == (["cheese"], ["mead", "silk"], [])
    assert game.state[ANN].gold == 55
    assert game.state.bag_of(BEN).fate is Verb.PASS


@pytest.mark.parametrize(("gone", "paid"), [(BEN, False), (DAN, False), (ANN, False), (EVE, True)])
def test_r19_4_a_surety_lapses_if_giver_owner_or_sheriff_leaves_before_the_bag_was_shown(
    gone: Seat, paid: bool
) -> None:
    game = at_inspection({DAN: LIE}, 5)
    offer = an_offer(game, BEN, "inspect 3", gives(BEN, ANN, IF_LIE, gold=9))
    game.submit(offer)
    game.apply(Accept(ANN, *offer.name))
    leaves(game, gone)
    if gone != BEN:
        assert game.state[BEN].gold == (41 if paid else 50)
    if gone != ANN:
        fine = 0 if gone == DAN else 4
        assert game.state[ANN].gold == 50 + fine + (9 if paid else 0)


def test_r19_4_a_surety_for_the_loot_goes_to_the_deputy_who_is_left() -> None:
    game = patrol({EVE: LIE})
    offer = an_offer(game, CAT, "inspect 4", gives(CAT, LOOT, IF_LIE, gold=9))
    game.submit(offer, Accept(ANN, *offer.name))
    game.apply(Accept(BEN, *offer.name))
    leaves(game, BEN)
    assert game.gold()[0] == 50 + 9 + 4
    assert game.gold()[2] == 41


@pytest.mark.parametrize("edition", list(Edition))
def test_r7_5_gold_and_goods_are_conserved_in_a_ring_of_gifts(edition: Edition) -> None:
    game = at_inspection({}, 5, edition=edition)
    for seat in (BEN, CAT, DAN, EVE):
        game.grant(seat, stall="cheese", stack="silk")
    ring = list(zip((BEN, CAT, DAN, EVE), (CAT, DAN, EVE, BEN), strict=True))
    agreed(game, an_offer(game, BEN, "", *(gives(a, b, gold=50, stall="cheese", stack_blind=1) for a, b in ring)))
    assert game.gold() == [50] * 5
    for seat in (BEN, CAT, DAN, EVE):
        assert (game.stall(seat), game.stack(seat)) == (["cheese"], ["silk"])
    assert FAY not in game.state.seats
