import pytest

from p2p_sheriff.rules import (
    Choice,
    Ending,
    Phase,
    Seat,
    apply,
    demands,
    legal_moves,
    new_game,
    outcome,
)
from p2p_sheriff.rules.demands import Redeal, Show
from p2p_sheriff.rules.facts import Left, Redealt
from p2p_sheriff.rules.moves import (
    NameFirst,
    Pass,
    SetAside,
    ShareLoot,
    Trade,
)
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, FIRST, INPUTS
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection, at_market

# -- 19.1


def test_r19_1_who_comes_back_folds_the_same_inputs_to_the_same_table() -> None:
    game = at_market(4)
    game.submit(NameFirst(ANN, BEN), SetAside(BEN, game.hold(BEN, "2 silk"))).until(Phase.INSPECT).next_round()
    state = new_game(game.state.setup)
    for _, item in game.log:
        state = apply(state, INPUTS.read(INPUTS.write(item)))
    assert state == game.state
    assert demands(state) == demands(game.state)


# -- 19.2


def test_r19_2_who_is_out_makes_no_more_moves() -> None:
    game = at_inspection({}, 5).leaves(BEN)
    assert game.state.seats == (ANN, CAT, DAN, EVE)
    refused(game, game.an_offer(BEN, "pass 2", gold=0), "19.2")
    assert legal_moves(game.state, BEN) == ()


@pytest.mark.parametrize("seats", [(), (9,), (-1,), (2, 1), (1, 1)])
def test_r19_2_only_players_of_the_table_leave_each_once(seats: tuple[int, ...]) -> None:
    no_move(at_market(5), Left(tuple(Seat(seat) for seat in seats)))


def test_r19_2_nobody_leaves_twice() -> None:
    no_move(at_market(5).leaves(BEN), Left((BEN,)))


@pytest.mark.parametrize("phase", [Phase.MARKET, Phase.LOAD, Phase.DECLARE, Phase.INSPECT])
def test_r19_2_a_player_can_leave_in_any_phase_and_the_others_play_on(phase: Phase) -> None:
    game = at_market(5).until(phase).leaves(CAT).next_round()
    assert game.state.round == 2
    assert CAT not in game.state.merchants


# -- 19.3


def test_r19_3_the_gold_goes_to_the_bank() -> None:
    game = at_inspection({}).grant(BEN, gold=33)
    bank = game.state.bank
    game.leaves(BEN)
    assert game.state.bank == bank + 33
    assert game.state[BEN].gold == 0


def test_r19_3_all_their_cards_go_back_into_the_deck_which_is_dealt_anew() -> None:
    game = at_inspection({}).grant(BEN, stall="2 apples", stack="silk")
    deck = game.state.deck
    game.apply(Left((BEN,)))
    assert demands(game.state) == (Redeal(deck + 6 + 2 + 1),)
    no_move(game, Redealt(deck))
    game.settle()
    assert game.state.deck == deck + 9
    player = game.state[BEN]
    assert (player.hand, player.stall, player.stack, player.bag) == ((), (), (), None)


def test_r19_3_cards_that_they_had_discarded_go_back_too() -> None:
    game = at_market().submit(NameFirst(ANN, BEN))
    game.submit(SetAside(BEN, game.hold(BEN, "2 silk")), SetAside(CAT, game.hold(CAT, "mead"))).until(Phase.LOAD)
    deck = game.state.deck
    game.leaves(BEN)
    assert game.piles() == [["mead"]]
    assert game.state.deck == deck + 6 + 2


def test_r19_3_set_aside_cards_go_back_too() -> None:
    game = at_market().submit(NameFirst(ANN, BEN))
    game.submit(SetAside(BEN, game.hold(BEN, "2 silk")))
    deck = game.state.deck
    game.leaves(BEN)
    assert game.state.deck == deck + 6 + 2
    assert game.choices() == {(CAT, Choice.SET_ASIDE)}


def test_r19_3_cards_taken_out_of_the_game_at_the_black_market_go_back_too() -> None:
    game = at_inspection({}, 4, "black-market").grant(BEN, stack="3 silk").passes(BEN)
    game.submit(Trade(BEN, tuple((handle, "silk") for handle in game.state[BEN].stack)))
    deck, hand = game.state.deck, len(game.state[BEN].hand)
    game.leaves(BEN)
    assert game.state.box == ()
    assert game.state.deck == deck + 3 + hand + 1
    assert game.state[BEN].prizes == ()


def test_r19_3_an_odd_card_of_the_loot_that_is_just_being_discarded_goes_back_too() -> None:
    game = at_inspection({CAT: ("silk", "apples")}, 6)
    game.deal(CAT, "pass 2", bag="silk")
    while (ANN, Choice.SHARE_LOOT) not in game.choices():
        game.dull()
    in_play = game.state.deck + len(game.state.handles())
    game.apply(ShareLoot(ANN))
    game.settle_next(1)
    game.apply(Left((ANN,)))
    assert game.state.deck + len(game.state.handles()) == in_play
    assert game.settle().piles() == [[]]


def test_r19_3_the_cards_of_the_loot_go_back_with_a_deputy_who_leaves() -> None:
    game = at_inspection({CAT: ("silk", "apples")}, 6)
    game.deal(CAT, "pass 2", bag="silk")
    while (ANN, Choice.SHARE_LOOT) not in game.choices():
        game.dull()
    in_play = game.state.deck + len(game.state.handles())
    game.apply(ShareLoot(ANN))
    game.apply(Left((BEN,)))
    assert game.state.deck + len(game.state.handles()) == in_play
    assert game.settle().state.round == 2
    assert not game.state.loot


def test_r19_3_first_discards_that_a_leaver_was_turning_up_go_back_and_others_are_turned_up() -> None:
    game = Scenario(4, edition=FIRST)
    while not isinstance(demand := demands(game.state)[0], Show):
        game.apply(game.answer(demand))
    in_play = game.state.deck + len(game.state.handles())
    assert (demand.seat, len(demand.handles)) == (ANN, 10)
    game.apply(Left((ANN,)))
    assert game.state.deck + len(game.state.handles()) == in_play
    game.settle()
    assert [len(pile) for pile in game.state.piles] == [5, 5]
    assert {card.keeper for pile in game.state.piles for card in pile} == {BEN}


def test_r19_3_the_ten_cards_of_the_setup_go_back_with_the_first_sheriff() -> None:
    game = at_market(4, edition=FIRST)
    assert [len(pile) for pile in game.state.piles] == [5, 5]
    deck = game.state.deck
    game.leaves(ANN)
    assert game.state.piles == ((), ())
    assert game.state.deck == deck + 10 + 6


def test_r19_3_the_ten_cards_of_the_setup_stay_if_somebody_else_leaves() -> None:
    game = at_market(4, edition=FIRST)
    piles = game.state.piles
    assert game.leaves(BEN).state.piles == piles


def test_r19_3_black_market_cards_leave_the_game() -> None:
    game = at_inspection({}, 4, "black-market").grant(BEN, stack="3 silk").passes(BEN)
    game.submit(Trade(BEN, tuple((handle, "silk") for handle in game.state[BEN].stack)))
    (prize,) = game.state[BEN].prizes
    market = game.state.market
    game.leaves(BEN)
    assert game.state.market == market
    assert not any(prize in pair for pair in market)
    assert not any(game.state[seat].prizes for seat in (ANN, BEN, CAT, DAN))


def test_r19_3_nobody_sees_the_cards() -> None:
    game = at_inspection({}).grant(BEN, stack="silk")
    known = game.state.kinds
    game.leaves(BEN)
    assert game.state.kinds == known


def test_r19_3_who_left_is_not_scored_and_counts_for_no_king_or_queen() -> None:
    game = at_inspection({}).grant(BEN, stall="9 chicken").grant(CAT, stall="chicken").in_the_last_round().leaves(BEN)
    result = outcome(game.next_round().state)
    assert [score.seat for score in result.scores] == [ANN, CAT, DAN]
    assert [(crown.good, crown.points) for crown in result.scores[1].crowns][-1:] == [("chicken", 10)]


# -- 19.5


def sheriffs(game: Scenario) -> list[Seat]:
    """Play on to the end; return the first officer of every round, beginning with this one."""
    seats = []
    while game.state.phase is not Phase.OVER:
        seats.append(game.chief)
        game.next_round()
    return seats


def test_r19_5_the_badge_skips_the_empty_seat() -> None:
    assert sheriffs(at_market(5).leaves(CAT)) == [ANN, BEN, DAN, EVE, ANN, BEN, DAN, EVE]


def test_r19_5_the_game_ends_when_all_who_remain_have_served_as_often_as_at_the_start() -> None:
    game = at_market(4).next_round()
    assert sheriffs(game.leaves(DAN)) == [BEN, CAT, ANN, BEN, CAT]


def test_r19_5_a_player_who_has_served_often_enough_is_skipped() -> None:
    game = at_market(4)
    game.state = game.state.with_player(BEN, served=2)
    assert game.next_round().chief == CAT


def test_r19_5_six_that_become_five_have_one_sheriff_left_of_the_last_first_drawn_deputy() -> None:
    game = at_market(6).next_round()
    assert game.state.officers == (CAT, DAN)
    # Until now ANN, BEN, CAT and DAN have served once: two more times each, and three for EVE.
    assert sheriffs(game.leaves(FAY)) == [CAT, DAN, EVE, ANN, BEN, CAT, DAN, EVE, ANN, BEN, CAT, EVE]


def test_r19_5_six_that_become_five_keep_one_pile_and_the_market_of_the_second_edition() -> None:
    game = at_market(6, edition=FIRST).leaves(FAY).next_round()
    assert len(game.state.officers) == 1
    assert len(game.state.piles) == 1
    assert game.choices() == {(game.chief, Choice.NAME_FIRST)}


def test_r19_5_module_decks_stay_as_at_the_start() -> None:
    game = at_market(6, "black-market")
    market = game.state.market
    assert game.leaves(FAY).state.market == market
    assert game.state.setup.black_market == market


def test_r19_5_the_game_ends_if_only_those_stay_who_have_served() -> None:
    game = at_inspection({})
    for seat in (ANN, CAT, DAN):
        game.state = game.state.with_player(seat, served=2)
    game.leaves(BEN).next_round()
    assert game.state.phase is Phase.OVER
    assert outcome(game.state).ending is Ending.FINISHED


# -- 19.6


def test_r19_6_with_fewer_than_3_left_the_game_is_abandoned_and_nobody_wins() -> None:
    game = at_inspection({BEN: ("silk", "apples")}, 3).grant(CAT, gold=77, stack="mead").leaves(ANN)
    assert game.state.phase is Phase.OVER
    result = outcome(game.state)
    assert result.ending is Ending.ABANDONED
    assert result.winners == ()
    assert [(score.seat, score.total) for score in result.scores] == [(BEN, 50), (CAT, 84)]


def test_r19_6_unsettled_bags_are_unscored_and_unseen() -> None:
    game = at_inspection({BEN: ("silk", "apples")}, 3)
    game.apply(Pass(ANN, BEN))
    game.leaves(CAT)
    assert outcome(game.state).scores[1].goods == ()
    assert "silk" not in game.state.kinds.values()


def test_r19_6_two_may_leave_at_once() -> None:
    game = at_market(4).leaves(BEN, DAN)
    assert outcome(game.state).ending is Ending.ABANDONED


def test_r19_6_all_may_leave_at_once() -> None:
    result = outcome(at_market(3).leaves(ANN, BEN, CAT).state)
    assert (result.ending, result.scores, result.winners) == (Ending.ABANDONED, (), ())


def test_r19_6_three_are_enough() -> None:
    game = at_market(4).leaves(BEN)
    assert game.state.ending is None
    assert len(sheriffs(game)) == 6


def test_r19_6_a_game_that_has_ended_is_not_abandoned_by_who_leaves_at_the_reveal() -> None:
    game = at_inspection({}, 3).grant(ANN, stack="mead").grant(BEN, gold=70).in_the_last_round().passes(BEN)
    game.apply(Pass(ANN, CAT))
    while game.state.phase is not Phase.REVEAL:
        game.settle_next(1)
    game.leaves(ANN)
    result = outcome(game.state)
    assert result.ending is Ending.FINISHED
    assert result.winners == (BEN,)


# -- 19.7


def test_r19_7_as_many_missing_cards_are_set_aside_again() -> None:
    game = at_market(4, "missing")
    deck = game.state.deck
    game.apply(Left((BEN,)))
    assert demands(game.state) == (Redeal(deck + 6),)
    assert game.settle().state.deck == deck + 6
