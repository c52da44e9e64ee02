from p2p_sheriff.rules import Choice, demands
from p2p_sheriff.rules.demands import Draw, Reshuffle
from p2p_sheriff.rules.facts import Drawn, Reshuffled
from p2p_sheriff.rules.moves import LayDown, NameFirst, SetAside, TakeDiscards
from tests.rules.notation import ANN, BEN, CAT, DAN, FIRST
from tests.rules.refusing import no_move
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection, at_market


def drawing(need: int, deck: int, *piles: str) -> Scenario:
    """BEN has set aside and shown as many cards, and so many are left to draw."""
    game = at_market().submit(NameFirst(ANN, BEN)).lay_piles(*piles)
    game.state = game.state.but(deck=deck)
    game.apply(SetAside(BEN, game.state[BEN].hand[:need]))
    return game.settle_next(1)


def test_r9_1_second_edition_the_whole_discard_pile_becomes_the_deck_when_a_card_is_needed() -> None:
    game = drawing(3, 0, "4 bread, 3 silk")
    (pile,) = game.state.piles
    assert demands(game.state) == (Reshuffle(tuple(card.handle for card in pile)),)
    game.settle()
    assert game.state.deck == 7 - 3
    assert game.state.piles == ((),)


def test_r9_1_a_deck_that_is_just_used_up_is_not_reshuffled_yet() -> None:
    game = drawing(3, 3, "4 bread").settle()
    assert game.state.deck == 0
    assert game.seen(Reshuffled) == []
    assert game.piles() == [["bread"] * 4]


def test_r9_1_first_edition_the_top_5_of_each_pile_stay() -> None:
    game = at_market(4, edition=FIRST).lay_piles("2 bread, 5 cheese", "silk, 5 mead")
    game.state = game.state.but(deck=0)
    game.submit(SetAside(BEN, game.state[BEN].hand[:2]))
    game.apply(TakeDiscards(BEN, (0, 0)))
    handles = [card.handle for pile in game.state.piles for card in pile if card.kind in ("bread", "silk")]
    assert demands(game.state) == (Reshuffle(tuple(handles)),)
    game.settle()
    assert game.piles() == [["cheese"] * 5, ["mead"] * 5]
    assert game.state.deck == 3 - 2


def test_r9_1_first_edition_a_pile_that_runs_out_stays_empty_until_someone_discards_onto_it() -> None:
    game = at_market(4, edition=FIRST).lay_piles("2 bread", "3 mead")
    chosen = game.hold(BEN, "2 silk")
    game.submit(SetAside(BEN, chosen), TakeDiscards(BEN, (2, 0)))
    assert game.piles() == [[], ["mead"] * 3]
    game.submit(LayDown(BEN, 0, chosen))
    assert game.piles() == [["silk"] * 2, ["mead"] * 3]


def test_r9_1_nothing_else_counts_as_a_reshuffle() -> None:
    game = drawing(3, 0, "4 bread")
    no_move(game, Reshuffled(3))
    no_move(game, Drawn(BEN, ()))
    game.settle()
    no_move(game, Reshuffled(4))


def test_r9_2_in_the_middle_of_a_draw_the_deck_is_used_up_then_reshuffled_then_the_rest_is_drawn() -> None:
    game = drawing(5, 2, "6 bread")
    assert demands(game.state) == (Draw(BEN, 2),)
    game.settle_next(1)
    assert [type(demand) for demand in demands(game.state)] == [Reshuffle]
    game.settle_next(1)
    assert demands(game.state) == (Draw(BEN, 3),)
    game.settle()
    assert len(game.state[BEN].hand) == 6


def test_r9_2_when_no_card_is_left_at_all_the_draw_ends_short_and_play_goes_on() -> None:
    game = drawing(5, 1, "2 bread").settle()
    assert len(game.state[BEN].hand) == 1 + 1 + 2
    assert game.choices() == {(CAT, Choice.SET_ASIDE)}


def test_r9_2_first_edition_the_five_on_each_pile_are_not_drawn() -> None:
    game = at_market(4, edition=FIRST).lay_piles("5 bread", "5 mead")
    game.state = game.state.but(deck=0)
    game.submit(SetAside(BEN, game.state[BEN].hand[:2]), TakeDiscards(BEN, (0, 0)))
    assert len(game.state[BEN].hand) == 4
    assert game.choices() == {(BEN, Choice.LAY_DOWN)}


def test_r9_2_hands_are_filled_seat_by_seat_each_to_full() -> None:
    game = at_inspection(dict.fromkeys((BEN, CAT, DAN), ("5 apples", "apples")))
    game.state = game.state.but(deck=7, piles=((),))
    game.lay_piles("4 bread")
    for bag in (BEN, CAT, DAN):
        game.passes(bag)
    assert [len(player.hand) for player in game.state.players] == [6, 6, 6, 2]
    assert game.state.round == 2
