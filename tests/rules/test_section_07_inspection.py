import pytest

from p2p_sheriff.rules import Choice, Edition, Kind, NotAllowed, Phase, check_move, demands, legal_moves
from p2p_sheriff.rules.bounds import LayDownBounds, PayInKindBounds
from p2p_sheriff.rules.demands import Prove, Show, ShowKinds
from p2p_sheriff.rules.facts import Opened, Proved, Shown
from p2p_sheriff.rules.law import fine_of, is_contraband, is_legal_good
from p2p_sheriff.rules.moves import Inspect, LayDown, Pass, PayInKind, Verb
from tests.rules.notation import ANN, BEN, CAT, FIRST, SECOND, cards, names
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection

CONTRABAND = ("pepper", "mead", "silk", "crossbow")


# -- 7.10: the bag passes


def test_r7_10_two_cheese_and_a_contraband_pass_two_face_up_one_face_down() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")}).passes(BEN)
    assert game.stall(BEN) == ["cheese", "cheese"]
    assert game.stack(BEN) == ["silk"]
    assert not set(game.state[BEN].stack) & game.state.kinds.keys(), "Which contraband it is stays secret."


def test_r7_10_all_legal_goods_go_face_up_whatever_was_declared() -> None:
    game = at_inspection({BEN: ("apples, cheese, bread, chicken", "chicken")}).passes(BEN)
    assert game.stall(BEN) == ["apples", "bread", "cheese", "chicken"]
    assert game.state[BEN].stack == ()


def test_r7_10_royal_goods_go_face_down() -> None:
    game = at_inspection({BEN: ("gouda, cheese", "cheese")}, 4, "royal").passes(BEN)
    assert game.stall(BEN) == ["cheese"]
    assert game.stack(BEN) == ["gouda"]


def test_r7_10_the_face_down_cards_are_proved_to_be_contraband() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    game.apply(Pass(ANN, BEN))
    game.settle_next(2)
    (proof,) = demands(game.state)
    assert isinstance(proof, Prove)
    assert proof == Prove(BEN, game.state.bag_of(BEN).handles, CONTRABAND)
    assert len(game.state.bag_of(BEN).handles) == 1
    no_move(game, Proved(BEN, proof.handles, (*proof.kinds, "cheese")))
    no_move(game, Proved(BEN, (), proof.kinds))


def test_r7_10_every_legal_card_is_asked_for() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    game.apply(Pass(ANN, BEN))
    game.settle_next(1)
    (show,) = demands(game.state)
    assert show == ShowKinds(BEN, game.state.bag_of(BEN).handles, ("apples", "cheese", "bread", "chicken"), ())


def test_r7_10_contraband_that_is_not_owed_is_not_to_be_shown() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    game.apply(Pass(ANN, BEN))
    game.settle_next(1)
    no_move(game, Shown(BEN, tuple((handle, game.kinds[handle]) for handle in game.state.bag_of(BEN).handles)))


def test_r7_10_the_other_cards_stay_in_the_hand() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    hand = set(game.state[BEN].hand)
    bag = set(game.bags[BEN])
    assert set(game.passes(BEN).state[BEN].hand) == hand - bag


def test_r7_10_legal_is_what_the_table_of_goods_says() -> None:
    state = at_inspection({}, 4, "royal").state
    assert [good.kind for good in state.setup.goods if is_legal_good(state, good.kind)] == [
        "apples",
        "cheese",
        "bread",
        "chicken",
    ]
    assert is_contraband(state, "gouda")
    assert is_contraband(state, "silk")


# -- 7.11: the bag is inspected


def test_r7_11_everything_in_an_inspected_bag_is_shown_to_all() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    game.apply(Inspect(ANN, BEN))
    game.settle_next(1)
    assert demands(game.state) == (Show(BEN, tuple(sorted(game.state.bag_of(BEN).handles))),)
    game.settle_next(1)
    assert sorted(kind for shown in game.seen(Shown) for _, kind in shown.cards) == ["cheese", "cheese", "silk"]


def test_r7_11_nothing_can_be_held_back() -> None:
    game = at_inspection({BEN: ("2 cheese, silk", "cheese")})
    game.apply(Inspect(ANN, BEN))
    game.settle_next(1)
    shown = tuple((handle, game.kinds[handle]) for handle in game.state.bag_of(BEN).handles)
    no_move(game, Shown(BEN, shown[:2]))
    no_move(game, Shown(BEN, (*shown[:2], shown[0])))
    no_move(game, Shown(CAT, shown))


def test_r7_11_the_bag_opens_only_when_it_is_its_turn() -> None:
    game = at_inspection({BEN: ("2 cheese", "cheese")})
    no_move(game, Opened(BEN, game.bags[BEN]))
    game.apply(Inspect(ANN, BEN))
    no_move(game, Opened(CAT, game.bags[CAT]))


# -- 7.12: it was true


def test_r7_12_four_chicken_true_the_sheriff_pays_8() -> None:
    game = at_inspection({BEN: ("4 chicken", "chicken")}).inspects(BEN)
    assert game.gold() == [42, 58, 50, 50]
    assert game.stall(BEN) == ["chicken"] * 4


@pytest.mark.parametrize("kind", ["apples", "cheese", "bread", "chicken"])
def test_r7_12_a_true_card_costs_the_sheriff_its_fine(kind: Kind) -> None:
    game = at_inspection({BEN: (f"3 {kind}", kind)})
    fine = game.state.setup.table[kind].fine
    assert fine_of(game.state, kind) == fine
    assert game.inspects(BEN).gold() == [50 - 3 * fine, 50 + 3 * fine, 50, 50]


def test_r7_12_a_bag_is_true_if_every_card_is_the_declared_good() -> None:
    game = at_inspection({BEN: ("2 cheese", "cheese"), CAT: ("2 cheese, apples", "cheese")})
    assert game.inspects(BEN).gold() == [46, 54, 50, 50]
    assert game.inspects(CAT).gold() == [48, 54, 48, 50]


# -- 7.13: it was a lie


@pytest.mark.parametrize("edition", [FIRST, SECOND])
def test_r7_13_one_apple_one_cheese_two_mead_declared_as_four_apples_cost_10(edition: Edition) -> None:
    game = at_inspection({BEN: ("apples, cheese, 2 mead", "apples")}, edition=edition)
    game.inspects(BEN)
    if edition is FIRST:
        game.dull()
    assert game.gold() == [60, 40, 50, 50]
    assert game.stall(BEN) == ["apples"]


def test_r7_13_every_other_card_is_confiscated_into_the_discard_pile_legal_or_not() -> None:
    game = at_inspection({BEN: ("apples, cheese, 2 mead", "apples")}).inspects(BEN)
    assert names(game.state.piles[0]) == ["cheese", "mead", "mead"]
    assert game.state[BEN].stack == ()


def test_r7_13_first_edition_the_sheriff_lays_them_onto_one_pile_in_any_order() -> None:
    game = at_inspection({BEN: ("cheese, silk, mead", "apples")}, edition=FIRST)
    before = game.state.piles
    game.inspects(BEN)
    assert game.choices() == {(ANN, Choice.LAY_DOWN)}
    (bounds,) = [each for each in legal_moves(game.state, ANN) if isinstance(each, LayDownBounds)]
    by_kind = {game.kinds[handle]: handle for handle in bounds.handles}
    order = (by_kind["mead"], by_kind["silk"], by_kind["cheese"])
    game.submit(LayDown(ANN, 1, order))
    assert game.state.piles[0] == before[0]
    assert [card.kind for card in game.state.piles[1][len(before[1]) :]] == ["mead", "silk", "cheese"]


def test_r7_13_first_edition_only_the_sheriff_lays_down_and_all_of_them() -> None:
    game = at_inspection({BEN: ("cheese, silk", "apples")}, edition=FIRST).inspects(BEN)
    one, two = (card.handle for card in game.state.bag_of(BEN).shown)
    refused(game, LayDown(BEN, 0, (one, two)), "7.13")
    no_move(game, LayDown(ANN, 0, (one,)))
    no_move(game, LayDown(ANN, 2, (one, two)))


def test_r7_13_other_legal_goods_make_a_lie_too() -> None:
    game = at_inspection({BEN: ("3 apples, cheese", "apples")}).inspects(BEN)
    assert game.gold() == [52, 48, 50, 50]
    assert game.stall(BEN) == ["apples"] * 3
    assert names(game.state.piles[0]) == ["cheese"]


def test_r7_13_royal_goods_cost_their_own_fine() -> None:
    game = at_inspection({BEN: ("blue cheese, green apples, royal rooster", "cheese")}, 4, "royal").inspects(BEN)
    assert game.gold() == [50 + 5 + 3 + 4, 50 - 5 - 3 - 4, 50, 50]


# -- 7.14 and 7.15: out of gold


def owing(bag: str, declared: Kind, *, gold: int, stall: str = "", stack: str = "") -> Scenario:
    """BEN has this much, and is caught with this bag."""
    game = at_inspection({BEN: (bag, declared)}).grant(BEN, gold=gold, stall=stall, stack=stack)
    return game.inspects(BEN)


def test_r7_14_who_can_not_pay_in_full_pays_the_gold_there_is_and_then_legal_goods() -> None:
    game = owing("2 mead", "apples", gold=5, stall="chicken")
    assert game.gold() == [55, 0, 50, 50]
    assert game.stall(ANN) == ["chicken"], "A chicken of 4 for the missing 3: no change is given."
    assert game.stall(BEN) == []


def test_r7_14_gold_that_suffices_leaves_the_stall_alone() -> None:
    game = owing("2 mead", "apples", gold=8, stall="chicken", stack="silk")
    assert game.gold() == [58, 0, 50, 50]
    assert game.stall(BEN) == ["chicken"]
    assert game.stack(BEN) == ["silk"]


def test_r7_14_contraband_is_given_for_what_legal_goods_do_not_cover() -> None:
    game = owing("3 mead", "apples", gold=0, stall="2 apples", stack="silk, pepper")
    assert game.stall(ANN) == ["apples", "apples"], "All legal goods, worth 4 of the 12."
    assert game.choices() == {(BEN, Choice.PAY_IN_KIND)}
    silk = next(handle for handle in game.state[BEN].stack if game.kinds[handle] == "silk")
    game.submit(PayInKind(BEN, (), ((silk, "silk"),)))
    assert game.stack(ANN) == ["silk"]
    assert game.stack(BEN) == ["pepper"]


def test_r7_14_with_nothing_left_the_rest_is_forgiven() -> None:
    game = owing("5 mead", "apples", gold=3)
    assert game.gold() == [53, 0, 50, 50]
    assert game.state.phase is Phase.INSPECT
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r7_14_contraband_that_does_not_suffice_is_given_all_and_the_rest_forgiven() -> None:
    game = owing("5 mead", "apples", gold=0, stack="silk, pepper")
    silk, pepper = game.state[BEN].stack
    refused(game, PayInKind(BEN, (), ((silk, "silk"),)), "7.14")
    game.submit(PayInKind(BEN, (), ((silk, "silk"), (pepper, "pepper"))))
    assert game.stack(ANN) == ["pepper", "silk"]
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r7_14_the_sheriff_owes_in_the_same_way() -> None:
    game = at_inspection({BEN: ("4 chicken", "chicken")}).grant(ANN, gold=5, stall="bread")
    game.inspects(BEN)
    assert game.gold() == [0, 55, 50, 50]
    assert game.stall(BEN) == ["bread", "chicken", "chicken", "chicken", "chicken"]


def test_r7_14_nobody_pays_in_goods_unless_gold_is_short() -> None:
    game = at_inspection({}).grant(BEN, stall="apples")
    refused(game, PayInKind(BEN, (("apples", 1),)), "7.14")


def test_r7_14_the_goods_must_be_there_and_cover_the_rest() -> None:
    game = owing("2 mead", "apples", gold=1, stall="3 chicken, cheese")
    refused(game, PayInKind(BEN, (("chicken", 1),)), "7.14")
    refused(game, PayInKind(BEN, (("bread", 3),)), "7.14")
    refused(game, PayInKind(CAT, (("chicken", 2),)), "7.14")
    refused(game, PayInKind(BEN, ()), "7.14")
    game.submit(PayInKind(BEN, (("chicken", 2),)))
    assert game.stall(ANN) == ["chicken", "chicken"]


def test_r7_15_the_debtor_chooses_among_the_legal_goods() -> None:
    for goods, left in (((("chicken", 1),), ["cheese", "cheese"]), ((("cheese", 2),), ["chicken"])):
        game = owing("mead", "apples", gold=0, stall="2 cheese, chicken")
        (bounds,) = [each for each in legal_moves(game.state, BEN) if isinstance(each, PayInKindBounds)]
        assert bounds == PayInKindBounds(BEN, 4, (("cheese", 2), ("chicken", 1)), ())
        assert game.submit(PayInKind(BEN, goods)).stall(BEN) == left


def test_r7_15_no_good_may_be_superfluous() -> None:
    game = owing("mead", "apples", gold=0, stall="2 cheese, chicken")
    refused(game, PayInKind(BEN, (("cheese", 1), ("chicken", 1))), "7.15")
    refused(game, PayInKind(BEN, (("cheese", 2), ("chicken", 1))), "7.15")


def test_r7_15_if_legal_goods_can_cover_the_rest_contraband_is_not_owed() -> None:
    game = owing("mead", "apples", gold=0, stall="2 cheese, chicken", stack="silk")
    (silk,) = game.state[BEN].stack
    refused(game, PayInKind(BEN, (), ((silk, "silk"),)), "7.15")


def test_r7_15_no_contraband_may_be_superfluous() -> None:
    game = owing("2 mead", "apples", gold=2, stack="silk, pepper")
    silk, pepper = game.state[BEN].stack
    refused(game, PayInKind(BEN, (), ((silk, "silk"), (pepper, "pepper"))), "7.15")
    game.submit(PayInKind(BEN, (), ((pepper, "pepper"),)))
    assert game.stack(ANN) == ["pepper"]


def test_r7_15_contraband_given_is_shown_to_all_and_goes_face_down() -> None:
    game = owing("mead", "apples", gold=0, stack="silk, pepper")
    silk = next(handle for handle in game.state[BEN].stack if game.kinds[handle] == "silk")
    game.submit(PayInKind(BEN, (), ((silk, "silk"),)))
    assert len(game.state[ANN].stack) == 1
    assert not set(game.state[ANN].stack) & game.state.kinds.keys()


def test_r7_15_what_a_card_is_must_be_said_truly() -> None:
    game = owing("mead", "apples", gold=0, stack="silk, pepper")
    silk, pepper = game.state[BEN].stack
    with pytest.raises(NotAllowed) as caught:
        check_move(game.view(BEN), PayInKind(BEN, (), ((pepper, "silk"),)))
    assert caught.value.rule == "7.15"
    check_move(game.view(BEN), PayInKind(BEN, (), ((silk, "silk"),)))
    no_move(game, PayInKind(BEN, (), ((silk, "apples"),)))
    no_move(game, PayInKind(BEN, (), ((silk, "silk"), (silk, "silk"))))


def test_r7_16_a_bribe_is_no_fine_and_is_never_paid_in_other_goods() -> None:
    game = at_inspection({}).grant(BEN, gold=3, stall="5 chicken")
    refused(game, game.an_offer(BEN, "pass 1", gold=4), "7.3")
    game.deal(BEN, "pass 1", gold=2)
    assert game.stall(BEN) == ["apples", *cards("5 chicken")]
    assert game.state.bag_of(BEN).fate is Verb.PASS
