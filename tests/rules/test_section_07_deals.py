from p2p_sheriff.rules import Choice, Handle, Phase, Zone, demands, legal_moves
from p2p_sheriff.rules.demands import Give, Prove, Rearrange, ShowKinds
from p2p_sheriff.rules.facts import Given, Opened, Shown
from p2p_sheriff.rules.inspection import may_act
from p2p_sheriff.rules.moves import Accept, HandOver, Inspect, Pass, Verb
from tests.rules.notation import ANN, BEN, CAT, DAN, goods
from tests.rules.refusing import no_move, refused
from tests.rules.situations import at_inspection

# -- 7.5: closing a deal


def test_r7_5_closing_a_deal_moves_gold_then_deals_with_bags_in_order() -> None:
    game = at_inspection({CAT: ("silk", "apples"), DAN: ("mead", "apples")})
    game.grant(BEN, stall="cheese")
    number = game.offer(BEN, "inspect 3, pass 1, inspect 2", gold=10, stall="cheese")
    game.apply(Accept(ANN, BEN, number))
    assert game.gold()[:2] == [60, 40], "Gold moves first."
    (give,) = demands(game.state)
    assert isinstance(give, Give)
    assert (give.giver, give.receiver) == (BEN, ANN)
    game.settle()
    assert [opened.seat for opened in game.seen(Opened)] == [DAN, BEN, CAT]


def test_r7_5_goods_of_a_bag_are_promised_only_in_a_deal_that_passes_it() -> None:
    game = at_inspection({})
    refused(game, game.an_offer(BEN, "inspect 1", bag="silk"), "7.5")
    refused(game, game.an_offer(BEN, "pass 2", bag="silk"), "7.5")
    refused(game, game.an_offer(BEN, "pass 2", bag_blind=1), "7.5")


def test_r7_5_what_is_not_there_is_refused_when_offered() -> None:
    game = at_inspection({}).grant(BEN, stall="2 apples", stack="silk")
    refused(game, game.an_offer(BEN, "pass 1", stall="3 apples"), "7.5")
    refused(game, game.an_offer(BEN, "pass 1", stall="cheese"), "7.5")
    refused(game, game.an_offer(BEN, "pass 1", stack_blind=2), "7.5")


def test_r7_5_a_bag_dealt_with_is_refused_when_offered() -> None:
    game = at_inspection({}).passes(CAT)
    refused(game, game.an_offer(BEN, "inspect 2", gold=5), "7.5")
    refused(game, game.an_offer(BEN, "pass 1, inspect 2", gold=5), "7.5")
    refused(game, game.an_offer(BEN, "pass 0", gold=5), "7.5")


def test_r7_5_gold_is_not_spent_twice() -> None:
    game = at_inspection({})
    first = game.offer(BEN, "pass 1", gold=30)
    second = game.offer(BEN, "inspect 2", gold=30)
    game.submit(Accept(ANN, BEN, second))
    assert game.state[BEN].gold == 20
    refused(game, Accept(ANN, BEN, first), "7.3")


def test_r7_5_goods_are_not_spent_twice() -> None:
    game = at_inspection({}).grant(BEN, stall="apples")
    first = game.offer(BEN, "pass 1", stall="apples")
    second = game.offer(BEN, "inspect 2", stall="apples")
    game.submit(Accept(ANN, BEN, second))
    refused(game, Accept(ANN, BEN, first), "7.5")


def test_r7_5_face_down_cards_are_not_spent_twice() -> None:
    game = at_inspection({}).grant(BEN, stack="silk")
    first = game.offer(BEN, "pass 1", stack_blind=1)
    second = game.offer(BEN, "inspect 2", stack_blind=1)
    game.submit(Accept(ANN, BEN, second))
    refused(game, Accept(ANN, BEN, first), "7.5")


def test_r7_4_the_sheriff_gives_acts_never_gold_or_goods() -> None:
    game = at_inspection({})
    refused(game, game.an_offer(ANN, "pass 1", payer=ANN, gold=5), "7.4")
    refused(game, game.an_offer(BEN, "pass 1", payer=ANN, gold=5), "7.4")


def test_r7_5_promises_are_recorded_and_never_enforced() -> None:
    game = at_inspection({})
    game.deal(BEN, "pass 1", promise="I pass your bag in the next round.")
    assert game.gold() == [50, 50, 50, 50]
    game.next_round().until(Phase.INSPECT)
    assert game.chief == BEN
    assert may_act(game.state, BEN, ANN)


def test_r7_5_goods_of_the_bag_move_when_it_opens() -> None:
    game = at_inspection({BEN: ("2 silk, apples", "apples"), CAT: ("mead", "apples")})
    number = game.offer(BEN, "inspect 2, pass 1", bag="silk")
    game.submit(Accept(ANN, BEN, number))
    assert [type(item) for _, item in game.log if isinstance(item, Opened | Given)] == [Opened, Opened, Given]
    assert game.stack(ANN) == ["silk"]
    assert game.stack(BEN) == ["silk"]


# -- 7.6: passing takes the owner's offer


def test_r7_6_letting_a_bag_pass_takes_its_owners_offer() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=6)
    assert game.passes(BEN).gold() == [56, 44, 50, 50]


def test_r7_6_for_nothing_takes_nothing() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=6)
    assert game.passes(BEN, for_nothing=True).gold() == [50, 50, 50, 50]
    assert game.state.bag_of(BEN).fate is Verb.PASS


def test_r7_6_only_the_owners_own_offer_for_that_bag_alone_is_taken() -> None:
    game = at_inspection({})
    game.offer(CAT, "pass 1", gold=6)
    game.offer(BEN, "pass 1, inspect 3", gold=7)
    game.offer(ANN, "pass 1", payer=BEN, gold=8)
    assert game.passes(BEN).gold() == [50, 50, 50, 50]


def test_r7_6_an_offer_to_be_inspected_is_no_offer_to_pass() -> None:
    game = at_inspection({})
    game.offer(BEN, "inspect 1", gold=6)
    assert game.passes(BEN).gold() == [50, 50, 50, 50]


def test_r7_6_a_bag_whose_bribe_can_not_be_paid_any_more_passes_only_for_nothing() -> None:
    game = at_inspection({})
    game.offer(BEN, "pass 1", gold=30)
    game.deal(BEN, "inspect 2", gold=30)
    before = game.gold()
    refused(game, Pass(ANN, BEN), "7.6")
    assert Pass(ANN, BEN) not in legal_moves(game.state, ANN)
    assert game.passes(BEN, for_nothing=True).gold() == before


def test_r7_6_hidden_goods_promised_by_kind_can_always_be_paid_as_far_as_they_exist() -> None:
    game = at_inspection({BEN: ("apples", "apples")}).grant(BEN, stack="2 silk")
    game.offer(BEN, "pass 1", stack="2 silk")
    game.deal(BEN, "pass 2", stack="silk")
    game.passes(BEN)
    assert game.stack(ANN) == ["silk", "silk"]


def test_r7_6_a_sheriff_who_took_a_bribe_can_not_inspect() -> None:
    game = at_inspection({BEN: ("silk", "apples")})
    game.deal(BEN, "pass 1", gold=5)
    refused(game, Inspect(ANN, BEN), "7.1")
    assert not may_act(game.state, ANN, BEN)


def test_r7_6_the_sheriff_may_inspect_despite_any_offer() -> None:
    game = at_inspection({BEN: ("silk", "apples")})
    game.offer(BEN, "pass 1", gold=40)
    assert game.inspects(BEN).gold() == [54, 46, 50, 50]


# -- 7.7: goods received


def test_r7_7_legal_goods_go_face_up_onto_the_receivers_stall() -> None:
    game = at_inspection({BEN: ("3 cheese", "cheese")}).grant(BEN, stall="2 apples")
    game.deal(BEN, "pass 1", stall="apples", bag="2 cheese")
    assert game.stall(ANN) == ["apples", "cheese", "cheese"]
    assert game.stall(BEN) == ["apples", "cheese"]
    assert game.state[ANN].stack == ()


def test_r7_7_contraband_goes_face_down_onto_the_receivers_stall() -> None:
    game = at_inspection({BEN: ("silk, mead", "apples")})
    game.deal(BEN, "pass 1", bag="silk")
    assert game.stack(ANN) == ["silk"]
    assert game.stall(ANN) == []
    assert not set(game.state[ANN].stack) & game.state.kinds.keys()


def test_r7_7_a_good_offered_by_kind_is_shown_to_all_as_it_moves() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk, pepper")
    game.deal(BEN, "pass 1", stack="silk")
    assert [kind for shown in game.seen(Shown) for _, kind in shown.cards] == ["silk", "apples"]
    assert game.stack(ANN) == ["silk"]
    assert game.stack(BEN) == ["mead", "pepper"]


def test_r7_7_the_payer_chooses_what_was_offered_blind_and_nobody_else_sees_it() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk, pepper")
    shown = len(game.seen(Shown))
    game.deal(BEN, "pass 1", stack_blind=2)
    assert game.choices() == {(BEN, Choice.HAND_OVER)}
    mead, _, pepper = game.state[BEN].stack
    game.apply(HandOver(BEN, (mead, pepper)))
    assert demands(game.state) == (Give(BEN, ANN, (ANN,), (mead, pepper)),)
    game.apply(game.answer(demands(game.state)[0]))
    assert len(game.seen(Shown)) == shown
    assert demands(game.state) == (Rearrange(ANN, Zone.STACK, 2),)
    game.settle()
    assert game.stack(ANN) == ["mead", "pepper"]
    assert game.stack(BEN) == ["silk"]


def test_r7_7_the_cards_that_move_are_those_and_go_where_they_were_promised() -> None:
    game = at_inspection({}).grant(BEN, stack="mead").grant(CAT, stack="silk")
    number = game.offer(BEN, "pass 1", stack_blind=1)
    game.apply(Accept(ANN, BEN, number))
    (mead,), (silk,) = game.state[BEN].stack, game.state[CAT].stack
    new = Handle(game.state.next_handle)
    no_move(game, Given(CAT, ANN, ((mead, new),)))
    no_move(game, Given(BEN, DAN, ((mead, new),)))
    no_move(game, Given(BEN, ANN, ((silk, new),)))
    no_move(game, Given(BEN, ANN, ((mead, mead),)))
    no_move(game, Given(BEN, ANN, ()))
    game.apply(Given(BEN, ANN, ((mead, new),)))
    assert game.state[ANN].stack == (new,)


def test_r7_7_exactly_the_promised_number_is_handed_over() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk, pepper")
    game.deal(BEN, "pass 1", stack_blind=2)
    one, two, three = game.state[BEN].stack
    refused(game, HandOver(BEN, (one,)), "7.7")
    refused(game, HandOver(BEN, (one, two, three)), "7.7")
    refused(game, HandOver(CAT, (one, two)), "7.7")
    no_move(game, HandOver(BEN, (one, one)))
    no_move(game, HandOver(BEN, (one, game.state[BEN].hand[0])))


def test_r7_7_contraband_of_the_bag_is_given_blind_as_far_as_it_exists() -> None:
    game = at_inspection({BEN: ("silk, 2 apples", "apples")})
    game.deal(BEN, "pass 1", bag_blind=2)
    assert game.stack(ANN) == ["silk"]
    assert game.stall(BEN) == ["apples", "apples"]


def test_r7_7_the_payer_chooses_among_the_contraband_of_the_bag() -> None:
    game = at_inspection({BEN: ("silk, apples, mead", "apples")})
    game.deal(BEN, "pass 1", bag_blind=1)
    assert game.choices() == {(BEN, Choice.HAND_OVER)}
    hidden = game.state.bag_of(BEN).handles
    mead = next(handle for handle in hidden if game.kinds[handle] == "mead")
    game.submit(HandOver(BEN, (mead,)))
    assert game.stack(ANN) == ["mead"]
    assert game.stack(BEN) == ["silk"]


# -- 7.8: honour among thieves


def test_r7_8_goods_promised_by_kind_from_the_bag_are_owed_as_far_as_they_exist() -> None:
    game = at_inspection({BEN: ("silk, mead, apples", "apples")})
    game.deal(BEN, "pass 1", bag="2 silk")
    assert game.stack(ANN) == ["silk"]
    assert game.stack(BEN) == ["mead"]
    assert game.stall(BEN) == ["apples"]


def test_r7_8_no_more_is_owed_than_was_promised() -> None:
    game = at_inspection({BEN: ("3 silk", "apples")})
    game.deal(BEN, "pass 1", bag="2 silk")
    assert game.stack(ANN) == ["silk", "silk"]
    assert game.stack(BEN) == ["silk"]


def test_r7_8_a_promise_by_kind_may_exceed_what_lies_there() -> None:
    game = at_inspection({}).grant(BEN, stack="silk")
    game.deal(BEN, "pass 1", stack="3 silk")
    assert game.stack(ANN) == ["silk"]


def test_r7_8_cards_promised_blind_come_out_of_what_the_promises_by_kind_leave() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, 2 silk")
    game.deal(BEN, "pass 1", stack="2 silk", stack_blind=2)
    assert game.stack(ANN) == ["mead", "silk", "silk"]
    assert game.state[BEN].stack == ()


def test_r7_8_that_no_more_is_there_is_proved_and_nothing_else() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk, pepper")
    number = game.offer(BEN, "pass 1", stack="2 silk")
    game.apply(Accept(ANN, BEN, number))
    (show,) = demands(game.state)
    assert show == ShowKinds(BEN, game.state[BEN].stack, (), goods("2 silk"))
    game.apply(game.answer(show))
    (proof,) = demands(game.state)
    assert isinstance(proof, Prove)
    assert (proof.seat, len(proof.handles)) == (BEN, 2)
    assert proof.kinds == ("pepper", "mead", "crossbow")


def test_r7_8_nothing_is_proved_of_no_cards() -> None:
    game = at_inspection({}).grant(BEN, stack="silk")
    number = game.offer(BEN, "pass 1", stack="2 silk")
    game.apply(Accept(ANN, BEN, number))
    game.settle_next(1)
    assert isinstance(demands(game.state)[0], Give)


def test_r7_8_only_what_was_promised_is_shown_and_no_card_twice() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, 2 silk")
    number = game.offer(BEN, "pass 1", stack="2 silk")
    game.apply(Accept(ANN, BEN, number))
    mead, silk, _ = game.state[BEN].stack
    no_move(game, Shown(BEN, ((silk, "silk"), (silk, "silk"))))
    no_move(game, Shown(BEN, ((silk, "silk"), (mead, "mead"))))
    no_move(game, Shown(BEN, ((game.state[BEN].hand[0], "silk"),)))
    no_move(game, Shown(CAT, ((silk, "silk"),)))


def test_r7_8_nothing_is_proved_if_all_that_was_promised_is_there() -> None:
    game = at_inspection({}).grant(BEN, stack="mead, silk, pepper")
    number = game.offer(BEN, "pass 1", stack="silk")
    game.apply(Accept(ANN, BEN, number))
    game.apply(game.answer(demands(game.state)[0]))
    assert isinstance(demands(game.state)[0], Give)


def test_r7_8_legal_goods_promised_from_the_bag_are_owed_as_far_as_they_exist() -> None:
    game = at_inspection({BEN: ("cheese, apples", "apples")})
    game.deal(BEN, "pass 1", bag="2 cheese")
    assert game.stall(ANN) == ["cheese"]
    assert game.stall(BEN) == ["apples"]


def test_r7_8_the_proof_about_a_passing_bag_leaves_out_the_kind_that_was_denied() -> None:
    game = at_inspection({BEN: ("mead", "apples")})
    number = game.offer(BEN, "pass 1", bag="silk")
    game.apply(Accept(ANN, BEN, number))
    while not isinstance(demand := demands(game.state)[0], Prove):
        game.apply(game.answer(demand))
    assert demand.kinds == ("pepper", "mead", "crossbow")


# -- 7.9: the worked deal


def test_r7_9_a_counter_of_8_gold_and_2_apples_is_accepted() -> None:
    game = at_inspection({BEN: ("3 cheese", "cheese")}).grant(BEN, stall="3 apples")
    game.offer(BEN, "pass 1", gold=5, stall="2 apples")
    counter = game.offer(ANN, "pass 1", payer=BEN, gold=8, stall="2 apples")
    game.submit(Accept(BEN, ANN, counter))
    assert game.gold() == [58, 42, 50, 50]
    assert game.stall(ANN) == ["apples", "apples"]
    assert game.stall(BEN) == ["apples", "cheese", "cheese", "cheese"]
    assert game.state.bag_of(BEN).fate is Verb.PASS
