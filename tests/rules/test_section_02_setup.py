import pytest

from p2p_sheriff.rules import BadSetup, Handle, Phase, Setup, apply, demands, first_sheriff_candidates, new_game
from p2p_sheriff.rules.demands import Toss
from p2p_sheriff.rules.facts import Coin, Drawn, Shown
from tests.rules.notation import ANN, BEN, CAT, DAN, EVE, FAY, FIRST, SECOND, cards, names
from tests.rules.refusing import no_move
from tests.rules.scenario import Scenario
from tests.rules.situations import at_market


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 7, 8])
def test_r2_1_fewer_than_3_or_more_than_6_players_have_no_table(players: int) -> None:
    with pytest.raises(BadSetup, match=str(players)):
        Setup(players)


@pytest.mark.parametrize(("players", "officers"), [(3, 1), (4, 1), (5, 1), (6, 2)])
def test_r2_1_three_to_five_have_a_sheriff_and_six_have_deputies(players: int, officers: int) -> None:
    game = at_market(players)
    assert len(game.state.officers) == officers
    assert len(game.state.merchants) == players - officers


def test_r2_1_left_is_the_next_seat_clockwise() -> None:
    assert at_market(5, sheriff=CAT).state.merchants == (DAN, EVE, ANN, BEN)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_r2_2_everyone_starts_with_50_gold_an_empty_stall_and_an_empty_bag(players: int) -> None:
    for player in at_market(players).state.players:
        assert player.gold == 50
        assert (player.stall, player.stack, player.prizes, player.bag) == ((), (), (), None)


@pytest.mark.parametrize(("players", "left"), [(3, 138), (4, 180), (5, 174), (6, 168)])
def test_r2_3_everyone_gets_6_cards_and_the_rest_is_the_deck(players: int, left: int) -> None:
    game = at_market(players)
    assert [len(player.hand) for player in game.state.players] == [6] * players
    assert game.state.deck == left
    assert game.state.kinds == {}, "Nothing lies face up."


@pytest.mark.parametrize("players", [3, 4, 5])
def test_r2_4_first_edition_turns_up_5_cards_and_then_5_more(players: int) -> None:
    game = Scenario(players, edition=FIRST)
    game.deck = list(cards(f"{6 * players} bread, 5 cheese, 5 chicken"))
    game.settle()
    assert [names(pile) for pile in game.state.piles] == [["cheese"] * 5, ["chicken"] * 5]
    assert game.state.deck == at_market(players, edition=SECOND).state.deck - 10


def test_r2_4_exactly_ten_cards_are_turned_up_by_the_sheriff() -> None:
    game = Scenario(4, edition=FIRST)
    while (draw := game.settle_until_draw()).count != 10:
        game.apply(game.answer(draw))
    new = tuple(Handle(game.state.next_handle + number) for number in range(10))
    no_move(game, Drawn(BEN, new))
    no_move(game, Drawn(ANN, new[:9]))
    game.apply(Drawn(ANN, new))
    shown = tuple((handle, "bread") for handle in new)
    no_move(game, Shown(BEN, shown))
    no_move(game, Shown(ANN, shown[:9]))
    no_move(game, Shown(ANN, (*shown[:9], shown[0])))
    game.apply(Shown(ANN, shown))
    assert [len(pile) for pile in game.state.piles] == [5, 5]


def test_r2_4_second_edition_has_one_discard_pile_which_is_empty() -> None:
    assert at_market(4, edition=SECOND).state.piles == ((),)


def test_r2_4_six_players_have_one_empty_discard_pile_in_both_editions() -> None:
    assert at_market(6, edition=FIRST).state.piles == ((),)
    assert at_market(6, edition=SECOND).state.piles == ((),)


def test_r2_4_all_cards_of_the_discard_piles_are_open_to_all() -> None:
    game = at_market(4, edition=FIRST)
    on_piles = {card.handle for pile in game.state.piles for card in pile}
    assert len(on_piles) == 10
    assert game.state.kinds.keys() == on_piles


def test_r2_5_who_carries_most_cash_is_sheriff() -> None:
    assert first_sheriff_candidates([5, 12, 3]) == (BEN,)
    state = new_game(Setup(3, candidates=(BEN,)))
    assert Scenario(3, sheriff=BEN).until(Phase.MARKET).state.officers == (BEN,)
    assert state.officers == ()


def test_r2_5_a_tie_is_drawn_among_those_who_tie() -> None:
    assert first_sheriff_candidates([7, None, 7, 2]) == (ANN, CAT)


def test_r2_5_nobody_willing_to_say_is_drawn_among_all() -> None:
    assert first_sheriff_candidates([None, None, None]) == (ANN, BEN, CAT)


@pytest.mark.parametrize(("value", "sheriff"), [(0, BEN), (1, DAN)])
def test_r2_5_the_coin_decides_a_tie(value: int, sheriff: int) -> None:
    game = Scenario(4)
    game.state = new_game(Setup(4, candidates=(BEN, DAN)))
    game.coins = [value]
    while not isinstance(demands(game.state)[0], Toss):
        game.apply(game.answer(demands(game.state)[0]))
    (toss,) = demands(game.state)
    assert isinstance(toss, Toss)
    assert toss.sides == 2
    assert apply(game.state, Coin(toss.purpose, value)).officers == (sheriff,)


def test_r2_5_without_candidates_any_seat_can_be_drawn() -> None:
    drawn = set()
    for value in range(5):
        game = Scenario(5)
        game.state = new_game(Setup(5))
        game.coins = [value]
        drawn.add(game.until(Phase.MARKET).chief)
    assert drawn == {ANN, BEN, CAT, DAN, EVE}
    assert FAY not in drawn
