import pytest

from p2p_sheriff.rules import Choice, Edition, Handle, Kind, NotAllowed, Seat, check_move, legal_moves
from p2p_sheriff.rules.bounds import TradeBounds
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.moves import PayInKind, Trade
from tests.rules.notation import ANN, BEN, CAT, DAN, FIRST, SECOND
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import Bags, at_inspection


def market(bags: Bags, edition: Edition = SECOND) -> Scenario:
    return at_inspection(bags, 4, "black-market", edition=edition)


def three(game: Scenario, seat: Seat, kind: Kind) -> tuple[tuple[Handle, Kind], ...]:
    """Return three face-down cards of one kind, as a trade shows them."""
    return tuple((handle, kind) for handle in game.state[seat].stack if game.kinds[handle] == kind)[:3]


def test_r13_1_three_face_up_pairs_lie_there_the_dearer_on_top() -> None:
    game = market({})
    assert game.state.market == (("pepper 30", "pepper 27"), ("mead 32", "mead 29"), ("silk 34", "silk 31"))
    worth = [[value_of(game.state.setup, prize) for prize in pair] for pair in game.state.market]
    assert worth == [[30, 27], [32, 29], [34, 31]]


def test_r13_1_without_the_module_there_is_no_black_market() -> None:
    assert at_inspection({}).state.market == ()
    assert at_inspection({}).grant(BEN, stack="3 pepper").passes(BEN).choices() == {(ANN, Choice.ACT)}


@pytest.mark.parametrize("kind", ["pepper", "mead", "silk"])
def test_r13_2_three_of_a_kind_shown_buy_the_top_card(kind: Kind) -> None:
    game = market({}).grant(BEN, stack=f"4 {kind}, crossbow").passes(BEN)
    before = game.state.market
    (pair,) = (left for left in before if left[0].startswith(kind))
    assert game.choices() == {(BEN, Choice.TRADE)}
    game.submit(Trade(BEN, three(game, BEN, kind)))
    assert game.state[BEN].prizes == pair[:1]
    assert game.stack(BEN) == sorted([kind, "crossbow"])
    assert game.state.market == tuple(left[1:] if left == pair else left for left in before)


def test_r13_2_the_three_cards_leave_the_game() -> None:
    game = market({}).grant(BEN, stack="3 silk").passes(BEN)
    before = (game.state.deck, game.state.piles)
    game.submit(Trade(BEN, three(game, BEN, "silk")))
    assert [card.kind for card in game.state.box] == ["silk"] * 3
    assert (game.state.deck, game.state.piles) == before


def test_r13_2_the_second_buyer_gets_the_cheaper_card_and_the_third_none() -> None:
    game = market({})
    for seat in (BEN, CAT, DAN):
        game.grant(seat, stack="3 silk")
    for seat in (BEN, CAT):
        game.passes(seat).submit(Trade(seat, three(game, seat, "silk")))
    assert [game.state[seat].prizes for seat in (BEN, CAT)] == [("silk 34",), ("silk 31",)]
    game.passes(DAN)
    assert game.choices() == {(DAN, Choice.TRADE)}
    refused(game, Trade(DAN, three(game, DAN, "silk")), "13.2")


def test_r13_2_asked_after_an_inspected_bag_too() -> None:
    game = market({}).grant(BEN, stack="3 silk").inspects(BEN)
    assert game.choices() == {(BEN, Choice.TRADE)}


def test_r13_2_cards_of_the_own_bag_that_just_passed_count() -> None:
    game = market({BEN: ("2 silk", "apples")}).grant(BEN, stack="silk").passes(BEN)
    game.submit(Trade(BEN, three(game, BEN, "silk")))
    assert game.state[BEN].prizes == ("silk 34",)


def test_r13_2_second_edition_at_most_one_per_player_and_round() -> None:
    game = market({}).grant(BEN, stack="3 silk, 3 mead").passes(BEN)
    game.submit(Trade(BEN, three(game, BEN, "silk")))
    assert game.choices() == {(ANN, Choice.ACT)}
    refused(game, Trade(BEN, three(game, BEN, "mead")), "13.2")


def test_r13_2_second_edition_not_at_the_start_of_the_inspect_phase() -> None:
    game = market({}).grant(BEN, stack="3 silk")
    refused(game, Trade(BEN, three(game, BEN, "silk")), "13.2")
    refused(game.passes(CAT), Trade(BEN, three(game, BEN, "silk")), "13.2")


def first_edition_inspection() -> Scenario:
    """First edition, second round: everyone but the new sheriff BEN has three silk and three mead face down."""
    game = market({}, FIRST).next_round()
    for seat in (ANN, CAT, DAN):
        game.grant(seat, stack="3 silk, 3 mead")
    while not any(choice is Choice.TRADE for _, choice in game.choices()):
        game.dull()
    return game


def test_r13_2_first_edition_also_at_the_start_of_the_inspect_phase_in_seat_order() -> None:
    game = first_edition_inspection()
    asked = []
    while game.choices() != {(BEN, Choice.ACT)}:
        ((seat, choice),) = game.choices()
        assert choice is Choice.TRADE
        asked.append(seat)
        game.submit(Trade(seat))
    assert asked == [CAT, DAN, ANN]


def test_r13_2_first_edition_has_no_limit() -> None:
    game = first_edition_inspection()
    game.submit(Trade(CAT, three(game, CAT, "silk")), Trade(CAT, three(game, CAT, "mead")))
    assert game.state[CAT].prizes == ("silk 34", "mead 32")
    assert game.choices() == {(DAN, Choice.TRADE)}, "Nothing is left to trade."


def test_r13_2_no_trade_is_a_choice() -> None:
    game = market({}).grant(BEN, stack="3 silk").passes(BEN).submit(Trade(BEN))
    assert game.stack(BEN) == ["silk"] * 3
    assert game.choices() == {(ANN, Choice.ACT)}


def test_r13_2_only_three_equal_cards_of_the_three_kinds_buy() -> None:
    game = market({}).grant(BEN, stack="3 crossbow, 2 silk, mead").passes(BEN)
    claims = [(handle, game.kinds[handle]) for handle in game.state[BEN].stack]
    by_kind = {kind: tuple(claim for claim in claims if claim[1] == kind) for kind in ("crossbow", "silk", "mead")}
    refused(game, Trade(BEN, by_kind["crossbow"]), "13.2")
    refused(game, Trade(BEN, by_kind["silk"]), "13.2")
    refused(game, Trade(BEN, by_kind["silk"] + by_kind["mead"]), "13.2")
    no_move(game, Trade(BEN, (by_kind["silk"][0],) * 3))
    no_move(game, Trade(BEN, tuple((handle, "silk") for handle in game.state[BEN].hand[:3])))


def test_r13_2_the_own_node_refuses_a_false_claim() -> None:
    game = market({}).grant(BEN, stack="2 silk, mead").passes(BEN)
    with pytest.raises(NotAllowed) as caught:
        check_move(game.view(BEN), Trade(BEN, tuple((handle, "silk") for handle in game.state[BEN].stack)))
    assert caught.value.rule == "13.2"


def test_r13_2_whoever_has_three_face_down_cards_is_asked_whatever_they_are() -> None:
    game = market({}).grant(BEN, stack="silk, mead, crossbow").grant(CAT, stack="2 silk").passes(BEN)
    assert legal_moves(game.state, BEN)[:2] == (
        Trade(BEN),
        TradeBounds(BEN, game.state[BEN].stack, ("pepper", "mead", "silk")),
    )
    game.submit(Trade(BEN)).passes(CAT)
    assert game.choices() == {(ANN, Choice.ACT)}, "Two cards are too few."


def test_r13_2_a_black_market_card_may_be_bribed_by_its_own_name() -> None:
    game = market({}).grant(BEN, stack="silk", prizes="silk 34")
    game.deal(BEN, "pass 1", stall="silk 34")
    assert game.state[ANN].prizes == ("silk 34",)
    assert game.state[BEN].prizes == ()
    assert game.stack(BEN) == ["silk"]


def test_r13_2_a_black_market_card_is_no_pepper_mead_or_silk() -> None:
    game = market({}).grant(BEN, stack="2 silk", prizes="silk 34").passes(BEN)
    assert game.choices() == {(ANN, Choice.ACT)}, "It is no third silk."
    refused(game, game.an_offer(CAT, "pass 2", stall="silk 34"), "7.5")


def test_r13_2_a_black_market_card_may_be_owed() -> None:
    game = market({BEN: ("2 mead", "apples")}).grant(BEN, gold=0, prizes="silk 34").inspects(BEN)
    game.submit(PayInKind(BEN, (("silk 34", 1),)))
    assert game.state[ANN].prizes == ("silk 34",)
