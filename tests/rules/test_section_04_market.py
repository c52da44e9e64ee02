from p2p_sheriff.rules import Choice, Edition, Kind, Phase, Seat, demands
from p2p_sheriff.rules.demands import Draw, Reshuffle, Show
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.market import drawable, lacking
from p2p_sheriff.rules.moves import LayDown, NameFirst, SetAside, TakeDiscards
from tests.rules.notation import ANN, BEN, CAT, DAN, FIRST, SECOND, cards, names
from tests.rules.refusing import no_move, refused
from tests.rules.scenario import Scenario
from tests.rules.situations import at_market


def turns(game: Scenario) -> list[Seat]:
    """Let every merchant have a dull turn; return who had one, in order."""
    seats = []
    while game.state.phase is Phase.MARKET:
        seats += [seat for seat, choice in game.choices() if choice is Choice.SET_ASIDE]
        game.dull()
    return seats


def begun(edition: Edition = SECOND) -> Scenario:
    """BEN has the first turn at the market."""
    game = at_market(4, edition=edition)
    return game.submit(NameFirst(ANN, BEN)) if edition is SECOND else game


def hand(game: Scenario, seat: Seat) -> list[Kind]:
    return sorted(game.kinds[handle] for handle in game.state[seat].hand)


def test_r4_1_second_edition_the_sheriff_names_who_begins_then_it_goes_clockwise() -> None:
    game = at_market()
    assert game.choices() == {(ANN, Choice.NAME_FIRST)}
    assert turns(game.submit(NameFirst(ANN, CAT))) == [CAT, DAN, BEN]


def test_r4_1_first_edition_the_merchant_to_the_left_begins() -> None:
    assert turns(at_market(4, edition=FIRST, sheriff=CAT)) == [DAN, ANN, BEN]


def test_r4_1_only_the_sheriff_names_and_only_a_merchant() -> None:
    game = at_market()
    refused(game, NameFirst(BEN, BEN), "4.1")
    refused(game, NameFirst(ANN, ANN), "4.1")
    no_move(game, NameFirst(ANN, Seat(9)))


def test_r4_1_nobody_has_a_turn_before_it_comes_or_twice() -> None:
    game = begun()
    refused(game, SetAside(CAT, ()), "4.1")
    game.submit(SetAside(BEN, ()))
    refused(game, SetAside(BEN, ()), "4.1")


def test_r4_1_a_named_merchant_stays_named() -> None:
    refused(begun(), NameFirst(ANN, CAT), "4.1")


def test_r4_2_up_to_5_cards_are_set_aside_face_up_and_the_hand_is_filled_to_6() -> None:
    game = begun()
    chosen = game.hold(BEN, "2 cheese, 2 silk, pepper")
    game.deck = list(cards("5 chicken"))
    game.submit(SetAside(BEN, chosen))
    assert names(game.state[BEN].aside_shown) == ["cheese", "cheese", "pepper", "silk", "silk"]
    assert hand(game, BEN) == ["apples", *["chicken"] * 5]


def test_r4_2_setting_nothing_aside_is_a_turn() -> None:
    game = begun()
    before = hand(game, BEN)
    assert not game.submit(SetAside(BEN, ())).state[BEN].aside_shown
    assert hand(game, BEN) == before
    assert game.choices() == {(CAT, Choice.SET_ASIDE)}


def test_r4_2_the_cards_are_shown_before_the_first_is_drawn() -> None:
    game = begun()
    game.apply(SetAside(BEN, game.state[BEN].hand[:2]))
    (first,) = demands(game.state)
    assert isinstance(first, Show)
    game.apply(game.answer(first))
    assert demands(game.state) == (Draw(BEN, 2),)


def test_r4_2_all_set_aside_cards_are_shown_and_no_others() -> None:
    game = begun()
    cheese, silk = game.hold(BEN, "cheese, silk")
    game.apply(SetAside(BEN, (cheese, silk)))
    no_move(game, Shown(BEN, ((cheese, "cheese"),)))
    no_move(game, Shown(BEN, ((cheese, "cheese"), (cheese, "cheese"))))
    no_move(game, Shown(CAT, ((cheese, "cheese"), (silk, "silk"))))
    no_move(game, Shown(BEN, ((cheese, "cheese"), (silk, "bananas"))))


def test_r4_2_a_sixth_card_stays_in_the_hand() -> None:
    game = begun()
    refused(game, SetAside(BEN, game.state[BEN].hand), "4.2")


def test_r4_2_only_different_cards_of_the_own_hand_can_be_set_aside() -> None:
    game = begun()
    card = game.state[BEN].hand[0]
    no_move(game, SetAside(BEN, (card, card)))
    no_move(game, SetAside(BEN, game.state[CAT].hand[:1]))


def test_r4_2_what_was_set_aside_is_in_the_discard_pile_only_when_all_had_a_turn() -> None:
    game = begun()
    game.submit(SetAside(BEN, game.hold(BEN, "2 cheese")), SetAside(CAT, game.hold(CAT, "silk")))
    assert game.state.piles == ((),)
    game.submit(SetAside(DAN, game.hold(DAN, "mead")))
    assert names(game.state.piles[0]) == ["cheese", "cheese", "mead", "silk"]
    assert not any(player.aside_shown for player in game.state.players)


def test_r4_2_a_reshuffle_during_the_market_leaves_set_aside_cards_out() -> None:
    game = begun()
    game.submit(SetAside(BEN, game.hold(BEN, "5 cheese")))
    game.lay_piles("3 bread")
    (pile,) = game.state.piles
    game.state = game.state.but(deck=0)
    game.apply(SetAside(CAT, game.hold(CAT, "2 silk")))
    game.apply(game.answer(demands(game.state)[0]))
    assert demands(game.state) == (Reshuffle(tuple(card.handle for card in pile)),)
    game.settle()
    assert len(game.state[BEN].aside_shown) == 5
    assert len(game.state[CAT].aside_shown) == 2


def test_r4_3_set_aside_cards_stay_face_down_until_the_draws_are_over() -> None:
    game = begun(FIRST)
    chosen = game.hold(BEN, "2 silk")
    game.submit(SetAside(BEN, chosen))
    assert game.state[BEN].aside == chosen
    assert not set(chosen) & game.state.kinds.keys()
    game.submit(TakeDiscards(BEN, (0, 0)))
    assert not set(chosen) & game.state.kinds.keys()
    game.submit(LayDown(BEN, 0, chosen))
    assert set(chosen) <= game.state.kinds.keys()


def test_r4_3_cards_come_from_the_top_of_both_piles_and_then_from_the_deck() -> None:
    game = begun(FIRST).lay_piles("bread, chicken, cheese", "bread, mead, pepper")
    game.deck = list(cards("crossbow, crossbow"))
    deck = game.state.deck
    game.submit(SetAside(BEN, game.hold(BEN, "5 silk")), TakeDiscards(BEN, (2, 1)))
    assert hand(game, BEN) == sorted(cards("apples, cheese, chicken, pepper, 2 crossbow"))
    assert game.piles() == [["bread"], ["bread", "mead"]]
    assert game.state.deck == deck - 2


def test_r4_3_all_cards_may_come_from_the_piles() -> None:
    game = begun(FIRST).lay_piles("bread", "mead")
    deck = game.state.deck
    game.submit(SetAside(BEN, game.hold(BEN, "2 silk")), TakeDiscards(BEN, (1, 1)))
    assert game.state.deck == deck
    assert len(game.state[BEN].hand) == 6
    assert game.state.piles == ((), ())


def test_r4_3_with_nothing_on_the_piles_all_cards_come_from_the_deck() -> None:
    game = begun(FIRST).lay_piles("", "")
    game.submit(SetAside(BEN, game.hold(BEN, "2 silk")))
    assert len(game.state[BEN].hand) == 6
    assert game.choices() == {(BEN, Choice.LAY_DOWN)}


def test_r4_3_exactly_as_many_cards_are_drawn_as_were_set_aside() -> None:
    game = begun(FIRST)
    game.submit(SetAside(BEN, game.hold(BEN, "2 silk")))
    refused(game, TakeDiscards(BEN, (2, 1)), "4.3")
    refused(game, TakeDiscards(BEN, (3, 0)), "4.3")
    assert len(game.submit(TakeDiscards(BEN, (1, 0))).state[BEN].hand) == 6


def test_r4_3_no_more_than_lies_there_can_be_taken() -> None:
    game = begun(FIRST).lay_piles("bread", "5 mead")
    game.submit(SetAside(BEN, game.hold(BEN, "3 silk")))
    refused(game, TakeDiscards(BEN, (2, 0)), "4.3")
    no_move(game, TakeDiscards(BEN, (-1, 1)))


def test_r4_3_once_a_card_came_from_the_deck_none_comes_from_a_pile() -> None:
    game = begun(FIRST)
    game.submit(SetAside(BEN, game.hold(BEN, "3 silk")), TakeDiscards(BEN, (1, 0)))
    assert game.choices() == {(BEN, Choice.LAY_DOWN)}
    refused(game, TakeDiscards(BEN, (1, 0)), "4.3")


def test_r4_3_all_set_aside_cards_go_onto_one_pile_in_the_order_of_the_merchant() -> None:
    game = begun(FIRST).lay_piles("bread", "mead")
    cheese, silk, pepper = game.hold(BEN, "cheese, silk, pepper")
    game.submit(SetAside(BEN, (cheese, silk, pepper)), TakeDiscards(BEN, (0, 0)))
    game.submit(LayDown(BEN, 1, (pepper, cheese, silk)))
    assert game.piles() == [
        ["bread"],
        ["mead", "pepper", "cheese", "silk"],
    ]


def test_r4_3_the_cards_laid_down_are_those_set_aside_before_the_draw() -> None:
    game = begun(FIRST)
    cheese, silk, *_ = game.hold(BEN, "cheese, silk")
    game.submit(SetAside(BEN, (cheese, silk)), TakeDiscards(BEN, (0, 0)))
    drawn = game.state[BEN].hand[0]
    no_move(game, LayDown(BEN, 0, (cheese, drawn)))
    no_move(game, LayDown(BEN, 0, (cheese,)))
    no_move(game, LayDown(BEN, 0, (cheese, cheese)))
    no_move(game, LayDown(BEN, 2, (cheese, silk)))


def test_r4_3_a_sixth_card_stays_in_the_hand() -> None:
    game = begun(FIRST)
    refused(game, SetAside(BEN, game.state[BEN].hand), "4.3")


def test_r4_3_another_can_not_take_or_lay_down_for_the_merchant() -> None:
    game = begun(FIRST)
    chosen = game.hold(BEN, "cheese")
    game.submit(SetAside(BEN, chosen))
    refused(game, TakeDiscards(CAT, (1, 0)), "4.3")
    game.submit(TakeDiscards(BEN, (0, 0)))
    refused(game, LayDown(CAT, 0, chosen), "4.3")


def test_r4_4_who_starts_short_draws_to_a_full_hand() -> None:
    for edition in (FIRST, SECOND):
        game = begun(edition).shorten_hand(BEN, 3)
        game.submit(SetAside(BEN, game.state[BEN].hand[:1]))
        if edition is FIRST:
            game.submit(TakeDiscards(BEN, (0, 0)))
        assert len(game.state[BEN].hand) == 6


def test_r4_4_first_edition_who_starts_short_may_fill_the_hand_from_the_piles() -> None:
    game = begun(FIRST).shorten_hand(BEN, 3).lay_piles("2 bread", "2 mead")
    deck = game.state.deck
    game.submit(SetAside(BEN, game.state[BEN].hand[:1]), TakeDiscards(BEN, (2, 2)))
    assert len(game.state[BEN].hand) == 6
    assert game.state.deck == deck


def test_r4_4_how_many_cards_can_be_drawn_again_is_known_before_they_are_set_aside() -> None:
    for edition, piles in ((FIRST, ("7 bread", "2 mead")), (SECOND, ("9 bread",))):
        game = begun(edition).lay_piles(*piles)
        assert drawable(game.state.but(deck=3)) == 3 + 9


def test_r4_4_first_edition_what_the_deck_can_not_give_is_known_before_cards_are_taken() -> None:
    """The top five of a pile come into a hand or stay there; what lies below is shuffled into an empty deck."""
    game = begun(FIRST).lay_piles("7 bread", "2 mead")
    game.submit(SetAside(BEN, game.state[BEN].hand[:5]))
    for deck, counts, short in (
        (5, (0, 0), 0),
        (0, (0, 0), 3),
        (1, (0, 0), 2),
        (0, (2, 0), 3),
        (0, (1, 2), 1),
        (0, (3, 2), 0),
    ):
        assert lacking(game.state.but(deck=deck), BEN, counts) == short


def test_r4_5_three_aside_two_from_the_left_pile_one_from_the_deck_three_onto_the_right_pile() -> None:
    game = begun(FIRST).lay_piles("bread, cheese, chicken", "bread, bread")
    chosen = game.hold(BEN, "3 silk, 3 mead")[:3]
    game.deck = ["crossbow"]
    deck = game.state.deck
    game.submit(SetAside(BEN, chosen), TakeDiscards(BEN, (2, 0)), LayDown(BEN, 1, chosen))
    assert hand(game, BEN) == sorted(cards("3 mead, cheese, chicken, crossbow"))
    assert [names(pile) for pile in game.state.piles] == [["bread"], sorted(cards("2 bread, 3 silk"))]
    assert game.state.deck == deck - 1
