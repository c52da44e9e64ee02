from collections import Counter

import pytest

from p2p_sheriff.rules import Choice, Handle, Kind, NotAllowed, Pack, Phase, Seat, Setup, check_move, legal_moves
from p2p_sheriff.rules.bounds import OrderBounds
from p2p_sheriff.rules.facts import PackRedealt, PackShuffled, Proved, Shown, TimeUp, TurnedOver
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import FillOrders, PayInKind, Trade
from p2p_sheriff.rules.scoring import outcome
from p2p_sheriff.rules.state import FilledOrder
from tests.rules.notation import ANN, BEN, CAT, DAN, FIRST, names
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import Bags, at_inspection, at_market


def orders(bags: Bags, *open_orders: str, options: tuple[str, ...] = (), players: int = 4) -> Scenario:
    """The first bags are declared, and these orders lie open."""
    return at_inspection(bags, players, "orders", *options).lay_orders(*open_orders)


def hidden(game: Scenario, seat: Seat, *kinds: Kind) -> tuple[tuple[Handle, Kind], ...]:
    """Return hidden cards of the own open bag of these kinds."""
    left = list(game.state.bag_of(seat).handles)
    claims = []
    for kind in kinds:
        handle = next(handle for handle in left if game.kinds[handle] == kind)
        left.remove(handle)
        claims.append((handle, kind))
    return tuple(claims)


def filled(game: Scenario, seat: Seat) -> list[tuple[str, list[Kind]]]:
    return [(order.name, names(order.cards)) for order in game.state[seat].orders]


# -- the cards


def test_r14_1_fifteen_orders_each_a_legal_good_and_a_contraband_good_with_a_bonus() -> None:
    setup = Setup(4, options=frozenset({"orders"}))
    assert len(cards_of(setup, Pack.ORDERS)) == 15
    assert Counter(cards_of(setup, Pack.ORDERS)).most_common(2) == [("apples+pepper", 2), ("apples+mead", 2)]
    bonuses = {name: order.bonus for name, order in ORDERS.items()}
    assert bonuses == {
        "apples+pepper": 7,
        "apples+mead": 6,
        "apples+silk": 6,
        "apples+crossbow": 6,
        "bread+pepper": 6,
        "bread+mead": 5,
        "bread+silk": 5,
        "cheese+pepper": 6,
        "cheese+mead": 5,
        "cheese+silk": 5,
        "chicken+pepper": 5,
        "chicken+mead": 5,
        "chicken+silk": 4,
    }
    assert all(setup.table[order.legal].side.value == "legal" for order in ORDERS.values())
    assert all(setup.table[order.contraband].side.value == "contraband" for order in ORDERS.values())


def test_r14_1_with_three_players_the_bread_orders_stay_out() -> None:
    three = cards_of(Setup(3, options=frozenset({"orders"})), Pack.ORDERS)
    assert len(three) == 12
    assert not [name for name in three if "bread" in name]


def test_r14_1_without_the_module_there_are_no_orders() -> None:
    game = at_inspection({BEN: ("apples, silk", "apples")})
    assert game.state.orders == ()
    assert game.passes(BEN).choices() == {(ANN, Choice.ACT)}


def test_r14_2_the_deck_is_shuffled_and_four_orders_lie_open() -> None:
    game = at_market(4, "orders")
    assert game.seen(PackShuffled) == [PackShuffled(Pack.ORDERS, 15)]
    assert len(game.state.orders) == 4
    assert game.state.left_in(Pack.ORDERS) == 11


def test_r14_2_orders_are_refilled_at_the_end_of_the_round_and_not_at_once() -> None:
    game = orders({BEN: ("apples, silk", "apples")}, "apples+silk", "bread+mead", "bread+silk", "cheese+mead")
    game.passes(BEN).submit(FillOrders(BEN, ("apples+silk",), hidden(game, BEN, "silk")))
    assert len(game.state.orders) == 3
    game.log.clear()
    game.next_round()
    (turned,) = game.seen(TurnedOver)
    assert len(turned.names) == 1
    assert [*game.state.orders][3:] == [*turned.names]


def test_r14_2_an_empty_order_deck_leaves_fewer() -> None:
    game = orders({}, "apples+silk")
    game.packs[Pack.ORDERS] = ["bread+mead"]
    game.state = game.state.with_pack(Pack.ORDERS, 1)
    game.next_round()
    assert game.state.orders == ("apples+silk", "bread+mead")
    game.next_round()
    assert game.state.orders == ("apples+silk", "bread+mead")


def test_r14_2_only_orders_are_turned_up_and_only_as_many_as_are_missing() -> None:
    game = Scenario(4, "orders")
    while game.state.phase is not Phase.MARKET and not game.seen(PackShuffled):
        game.settle_next(1)
    no_move(game, TurnedOver(Pack.ORDERS, ("apples+silk",) * 4))
    no_move(game, PackShuffled(Pack.ORDERS, 15))
    game.until(Phase.MARKET)
    no_move(game, TurnedOver(Pack.ORDERS, ("apples+silk",)))


# -- filling


def test_r14_3_a_passing_bag_fills_an_order_with_its_two_goods() -> None:
    game = orders({BEN: ("2 apples, silk, mead", "apples")}, "apples+silk", "bread+mead").passes(BEN)
    assert game.choices() == {(BEN, Choice.FILL_ORDERS)}
    game.submit(FillOrders(BEN, ("apples+silk",), hidden(game, BEN, "silk")))
    assert filled(game, BEN) == [("apples+silk", ["apples", "silk"])]
    assert game.stall(BEN) == ["apples"]
    assert game.stack(BEN) == ["mead"]
    assert game.state.orders == ("bread+mead",)


def test_r14_3_several_orders_with_different_cards() -> None:
    game = orders({BEN: ("2 apples, silk, mead", "apples")}, "apples+silk", "apples+mead").passes(BEN)
    cards = hidden(game, BEN, "silk", "mead")
    refused(game, FillOrders(BEN, ("apples+silk", "apples+mead"), cards[:1]), "14.3")
    game.submit(FillOrders(BEN, ("apples+silk", "apples+mead"), cards))
    assert filled(game, BEN) == [("apples+silk", ["apples", "silk"]), ("apples+mead", ["apples", "mead"])]
    assert (game.stall(BEN), game.stack(BEN)) == ([], [])


def test_r14_3_no_card_serves_two_orders() -> None:
    game = orders({BEN: ("apples, silk, mead", "apples")}, "apples+silk", "apples+mead").passes(BEN)
    refused(game, FillOrders(BEN, ("apples+silk", "apples+mead"), hidden(game, BEN, "silk", "mead")), "14.3")


def test_r14_3_two_orders_that_look_the_same_are_two() -> None:
    bags = {BEN: ("2 apples, 2 mead", "apples")}
    game = orders(bags, "apples+mead").passes(BEN)
    cards = hidden(game, BEN, "mead", "mead")
    refused(game, FillOrders(BEN, ("apples+mead", "apples+mead"), cards), "14.3")
    game = orders(bags, "apples+mead", "apples+mead").passes(BEN)
    game.submit(FillOrders(BEN, ("apples+mead", "apples+mead"), hidden(game, BEN, "mead", "mead")))
    assert game.state.orders == ()


def test_r14_3_whoever_passes_first_takes_it() -> None:
    bags = {BEN: ("apples, silk", "apples"), CAT: ("apples, silk", "apples")}
    game = orders(bags, "apples+silk").passes(CAT)
    game.submit(FillOrders(CAT, ("apples+silk",), hidden(game, CAT, "silk"))).passes(BEN)
    assert game.choices() == {(ANN, Choice.ACT)}, "Nothing is left to fill."


def test_r14_3_whoever_could_have_the_goods_is_asked_whatever_they_are() -> None:
    for contraband in ("silk", "mead"):
        game = orders({BEN: (f"apples, {contraband}", "apples")}, "apples+silk").passes(BEN)
        assert game.choices() == {(BEN, Choice.FILL_ORDERS)}
        bag = game.state.bag_of(BEN)
        assert legal_moves(game.state, BEN)[:2] == (
            FillOrders(BEN),
            OrderBounds(BEN, ("apples+silk",), ("apples",), bag.handles),
        )
        game.submit(FillOrders(BEN))
        assert filled(game, BEN) == []
        assert game.stack(BEN) == [contraband]


@pytest.mark.parametrize("bag", ["2 apples", "2 silk", "cheese, silk"])
def test_r14_3_nobody_is_asked_when_all_can_see_that_no_order_fits(bag: str) -> None:
    game = orders({BEN: (bag, "apples")}, "apples+silk").passes(BEN)
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r14_3_only_goods_of_that_very_bag() -> None:
    game = orders({BEN: ("apples, mead", "apples")}, "apples+silk", "cheese+mead").grant(
        BEN, stall="cheese", stack="silk"
    )
    game.passes(BEN)
    (old,) = (handle for handle in game.state[BEN].stack if game.kinds[handle] == "silk")
    no_move(game, FillOrders(BEN, ("apples+silk",), ((old, "silk"),)))
    refused(game, FillOrders(BEN, ("cheese+mead",), hidden(game, BEN, "mead")), "14.3")


def test_r14_3_bribe_goods_have_left_before_orders_are_filled() -> None:
    game = orders({BEN: ("2 apples, silk, mead", "apples")}, "apples+silk").deal(BEN, "pass 1", bag="silk")
    assert game.choices() == {(BEN, Choice.FILL_ORDERS)}, "There is still a hidden card."
    assert game.stack(ANN) == ["silk"]
    refused(game, FillOrders(BEN, ("apples+silk",)), "14.3")


def test_r14_3_one_pepper_serves_an_order_or_a_set() -> None:
    game = orders({BEN: ("apples, pepper", "apples")}, "apples+pepper", options=("black-market",))
    game.grant(BEN, stack="2 pepper").passes(BEN)
    game.submit(FillOrders(BEN, ("apples+pepper",), hidden(game, BEN, "pepper")))
    assert game.choices() == {(ANN, Choice.ACT)}, "Two pepper are too few for the black market."


def test_r14_3_the_black_market_comes_after_the_orders() -> None:
    game = orders({BEN: ("apples, pepper", "apples")}, "apples+pepper", options=("black-market",))
    game.grant(BEN, stack="2 pepper").passes(BEN).submit(FillOrders(BEN))
    assert game.choices() == {(BEN, Choice.TRADE)}
    game.submit(Trade(BEN))


def test_r14_3_a_bag_that_passes_by_time_out_fills_orders_too() -> None:
    game = orders({BEN: ("apples, silk", "apples")}, "apples+silk", options=("timer",))
    game.apply(TimeUp(1, Phase.INSPECT))
    game.settle()
    assert game.choices() == {(BEN, Choice.FILL_ORDERS)}


def test_r14_3_an_inspected_bag_fills_none() -> None:
    game = orders({BEN: ("apples, silk", "apples")}, "apples+silk").inspects(BEN)
    assert game.choices() == {(ANN, Choice.ACT)}
    refused(game, FillOrders(BEN), "14.3")


def test_r14_3_a_royal_good_does_not_fill_an_order() -> None:
    game = orders({BEN: ("green apples, silk", "apples")}, "apples+silk", options=("royal",)).passes(BEN)
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r14_3_other_cards_twice_or_too_many_are_no_move() -> None:
    game = orders({BEN: ("2 apples, 2 silk", "apples")}, "apples+silk").passes(BEN)
    one, other = hidden(game, BEN, "silk", "silk")
    no_move(game, FillOrders(BEN, ("apples+silk",), (one, one)))
    no_move(game, FillOrders(BEN, ("apples+silk",), (one, other)))
    no_move(game, FillOrders(BEN, (), (one,)))
    no_move(game, FillOrders(BEN, ("silk+apples",), (one,)))
    refused(game, FillOrders(CAT), "14.3")


def test_r14_3_the_own_node_refuses_a_false_claim() -> None:
    game = orders({BEN: ("apples, mead", "apples")}, "apples+silk").passes(BEN)
    false = tuple((handle, "silk") for handle in game.state.bag_of(BEN).handles)
    with pytest.raises(NotAllowed) as caught:
        check_move(game.view(BEN), FillOrders(BEN, ("apples+silk",), false))
    assert caught.value.rule == "14.3"


def test_r14_3_what_fills_an_order_is_shown_and_nothing_else() -> None:
    game = orders({BEN: ("apples, silk, mead", "apples")}, "apples+silk")
    game.log.clear()
    game.passes(BEN).submit(FillOrders(BEN, ("apples+silk",), hidden(game, BEN, "silk")))
    assert [kind for shown in game.seen(Shown) for _, kind in shown.cards] == ["apples"]
    assert [len(proved.handles) for proved in game.seen(Proved)] == [2]
    (order,) = game.state[BEN].orders
    assert {card.handle for card in order.cards} <= game.state.kinds.keys()


def test_r14_3_if_the_owner_leaves_the_order_leaves_the_game_and_its_goods_go_back() -> None:
    game = orders({BEN: ("apples, silk", "apples")}, "apples+silk").passes(BEN)
    game.submit(FillOrders(BEN, ("apples+silk",), hidden(game, BEN, "silk")))
    before = game.state
    game.leaves(BEN)
    # The hand and the two goods.
    assert game.state.deck == before.deck + len(before[BEN].hand) + 2
    assert game.state.left_in(Pack.ORDERS) == before.left_in(Pack.ORDERS)
    assert game.seen(PackRedealt) == [PackRedealt(Pack.ORDERS, before.left_in(Pack.ORDERS))]
    assert game.state.orders == ()


# -- what they are worth


def ended(*filled_orders: tuple[Seat, str, str]) -> Scenario:
    """The game is over; these seats have filled orders, everyone has an apple on the stall."""
    game = at_inspection({}, 4, "orders").in_the_last_round()
    for seat, name, stall in filled_orders:
        game.grant(seat, stall=stall)
        goods = game.state[seat].stall[-2:]
        rest = game.state[seat].stall[:-2]
        game.state = game.state.with_player(seat, stall=rest, orders=(FilledOrder(name, goods),))
    return game.next_round()


def test_r14_4_all_three_values_count() -> None:
    game = ended((BEN, "apples+silk", "apples, silk"))
    scores = outcome(game.state).scores
    assert [score.modules for score in scores] == [(("orders", points),) for points in (0, 2 + 8 + 6, 0, 0)]
    gold, goods = 50, 2
    crown = scores[BEN].crowns[0].points
    assert scores[BEN].total == gold + goods + crown + 16


def test_r14_4_goods_under_an_order_count_for_no_crown_and_no_tie_break() -> None:
    game = ended((BEN, "apples+silk", "apples, silk"))
    scores = outcome(game.state).scores
    assert [score.crowns for score in scores[1:]] == [scores[CAT].crowns] * 3
    assert [(score.legal_cards, score.contraband_cards) for score in scores[1:]] == [(1, 0)] * 3


def test_r14_4_goods_under_an_order_are_not_owed_or_offered() -> None:
    game = orders({BEN: ("apples, silk", "apples"), CAT: ("2 silk", "apples")}, "apples+silk").passes(BEN)
    game.submit(FillOrders(BEN, ("apples+silk",), hidden(game, BEN, "silk")))
    refused(game, game.an_offer(BEN, "pass 2", stall="apples"), "7.5")
    refused(game, game.an_offer(BEN, "pass 2", stack_blind=1), "7.5")
    (order,) = game.state[BEN].orders
    game.state = game.state.with_player(CAT, orders=(order,))
    game.grant(CAT, gold=0).inspects(CAT)
    assert game.choices() == {(ANN, Choice.ACT)}, "With nothing left the rest is forgiven."
    refused(game, PayInKind(CAT, (("apples", 1),)), "7.14")


def test_r14_2_both_editions_and_six_players_have_orders() -> None:
    assert len(at_market(4, "orders", edition=FIRST).state.orders) == 4
    game = at_inspection({DAN: ("apples, silk", "apples")}, 6, "orders").lay_orders("apples+silk")
    while game.choices() != {(DAN, Choice.FILL_ORDERS)}:
        game.dull()
    game.submit(FillOrders(DAN, ("apples+silk",), hidden(game, DAN, "silk")))
    assert filled(game, DAN) == [("apples+silk", ["apples", "silk"])]
