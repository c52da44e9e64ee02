import pytest

from p2p_sheriff.rules import (
    Card,
    Ending,
    GameNotOver,
    Handle,
    NotAllowed,
    Phase,
    Score,
    Seat,
    Setup,
    State,
    apply,
    demands,
    new_game,
    outcome,
)
from p2p_sheriff.rules.demands import Show
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.moves import Pass, SetAside
from p2p_sheriff.rules.scoring import Crown, GoodsScore, Rank, is_king, is_queen
from tests.rules.notation import ANN, BEN, CAT, DAN, cards
from tests.rules.refusing import no_move
from tests.rules.scenario import Scenario
from tests.rules.situations import at_inspection, at_market


def ended(*holdings: tuple[int, str], options: tuple[str, ...] = ("royal", "black-market")) -> State:
    """The end of a game: gold and goods of every seat; prizes by their own names."""
    setup = Setup(4, options=frozenset(options))
    state = new_game(setup).but(phase=Phase.OVER, ending=Ending.FINISHED, todo=())
    handle = 0
    for seat, (gold, text) in enumerate((*holdings, *[(0, "")] * (4 - len(holdings)))):
        kinds = cards(text)
        lying = [Card(Handle(handle + number), kind, Seat(seat)) for number, kind in enumerate(kinds)]
        handle += len(kinds)
        state = state.with_player(
            Seat(seat),
            gold=gold,
            stall=tuple(card for card in lying if card.kind in setup.legal),
            revealed=tuple(card for card in lying if card.kind in setup.contraband),
            prizes=tuple(kind for kind in kinds if kind not in setup.legal + setup.contraband),
        )
    return state


def totals(state: State) -> list[int]:
    return [score.total for score in outcome(state).scores]


def crowns(state: State, good: str) -> list[tuple[Seat, Rank, int]]:
    """Return who is king or queen of a good, with which points."""
    scores = outcome(state).scores
    return [(score.seat, crown.rank, crown.points) for score in scores for crown in score.crowns if crown.good == good]


def to_reveal(game: Scenario) -> None:
    """Let all bags pass, up to the moment when face-down cards are to be shown."""
    *others, last = game.state.closed_bags
    for bag in others:
        game.passes(bag)
    game.apply(Pass(game.chief, last))
    while game.state.phase is not Phase.REVEAL:
        game.settle_next(1)


KING, QUEEN = Rank.KING, Rank.QUEEN


# -- 11.1


def test_r11_1_all_face_down_contraband_is_revealed_and_hands_are_not() -> None:
    game = at_inspection({BEN: ("silk, 2 apples", "apples")}).grant(ANN, stack="mead").in_the_last_round()
    hands = {handle for player in game.state.players for handle in player.hand}
    hands -= {handle for bag in game.bags.values() for handle in bag}
    to_reveal(game)
    assert {(show.seat, len(show.handles)) for show in demands(game.state) if isinstance(show, Show)} == {
        (ANN, 1),
        (BEN, 1),
    }
    game.settle()
    assert [card.kind for card in game.state[ANN].revealed] == ["mead"]
    assert [card.kind for card in game.state[BEN].revealed] == ["silk"]
    assert not hands & game.state.kinds.keys()


def test_r11_1_nothing_face_down_can_be_held_back() -> None:
    game = at_inspection({}).grant(ANN, stack="mead, silk").in_the_last_round()
    to_reveal(game)
    mead, silk = game.state[ANN].stack
    no_move(game, Shown(ANN, ((mead, "mead"),)))
    no_move(game, Shown(ANN, ((mead, "mead"), (mead, "mead"))))
    no_move(game, Shown(BEN, ((mead, "mead"), (silk, "silk"))))


def test_r11_1_what_is_revealed_lies_as_it_lay_in_whatever_order_it_is_shown() -> None:
    game = at_inspection({}).grant(ANN, stack="mead, silk").in_the_last_round()
    to_reveal(game)
    mead, silk = game.state[ANN].stack
    state = apply(game.state, Shown(ANN, ((silk, "silk"), (mead, "mead"))))
    assert [card.handle for card in state[ANN].revealed] == [mead, silk]


def test_r11_1_hands_are_not_scored() -> None:
    game = at_inspection({}).in_the_last_round().next_round()
    assert game.state.phase is Phase.OVER
    assert all(player.hand for player in game.state.players)
    assert [score.goods for score in outcome(game.state).scores] == [
        (),
        (GoodsScore("apples", 1, 2),),
        (GoodsScore("apples", 1, 2),),
        (GoodsScore("apples", 1, 2),),
    ]


def test_r11_1_nothing_is_demanded_and_no_move_is_taken_when_the_game_is_over() -> None:
    state = at_inspection({}).in_the_last_round().next_round().state
    assert demands(state) == ()
    with pytest.raises(NotAllowed) as caught:
        apply(state, SetAside(BEN, ()))
    assert caught.value.rule == "3.3"


def test_r11_1_there_is_no_outcome_before_the_end() -> None:
    with pytest.raises(GameNotOver):
        outcome(at_market().state)


# -- 11.2


def test_r11_2_the_score_is_gold_and_goods_and_bonuses() -> None:
    state = ended((7, "2 chicken, silk"), (50, ""), (0, "chicken"))
    assert outcome(state).scores[ANN] == Score(
        seat=ANN,
        gold=7,
        goods=(GoodsScore("chicken", 2, 8), GoodsScore("silk", 1, 8)),
        crowns=(Crown("chicken", KING, 1, 10),),
        modules=(),
        legal_cards=2,
        contraband_cards=1,
        total=33,
    )
    assert totals(state) == [33, 50, 9, 0]


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("pepper", 6),
        ("mead", 7),
        ("silk", 8),
        ("crossbow", 9),
        ("pepper 30", 30),
        ("mead 32", 32),
    ],
)
def test_r11_2_contraband_scores_its_value(kind: str, value: int) -> None:
    state = ended((10, kind), (0, ""), (0, ""))
    assert value_of(state.setup, kind) == value
    assert totals(state)[0] == 10 + value


# -- 11.3


@pytest.mark.parametrize(
    ("good", "king", "queen"), [("apples", 20, 10), ("cheese", 15, 10), ("bread", 15, 10), ("chicken", 10, 5)]
)
def test_r11_3_king_has_most_and_queen_second_most(good: str, king: int, queen: int) -> None:
    state = ended((0, f"2 {good}"), (0, f"3 {good}"), (0, f"1 {good}"), (0, ""))
    assert crowns(state, good) == [(ANN, QUEEN, queen), (BEN, KING, king)]


@pytest.mark.parametrize(
    ("royal", "good", "number"),
    [
        ("green apples", "apples", 2),
        ("golden apples", "apples", 3),
        ("gouda", "cheese", 2),
        ("blue cheese", "cheese", 3),
        ("rye bread", "bread", 2),
        ("pumpernickel", "bread", 3),
        ("royal rooster", "chicken", 2),
    ],
)
def test_r11_3_a_royal_good_counts_as_two_or_three(royal: str, good: str, number: int) -> None:
    more = ended((0, royal), (0, f"{number - 1} {good}"), (0, ""))
    assert [(seat, rank) for seat, rank, _ in crowns(more, good)] == [(ANN, KING), (BEN, QUEEN)]
    tie = ended((0, royal), (0, f"{number} {good}"), (0, ""))
    assert [rank for _, rank, _ in crowns(tie, good)] == [KING, KING]


def test_r11_3_contraband_makes_nobody_king() -> None:
    assert outcome(ended((0, "5 silk, pepper 30"), (0, ""), (0, ""))).scores[ANN].crowns == ()


# -- 11.4


@pytest.mark.parametrize(("good", "two", "three"), [("apples", 15, 10), ("cheese", 12, 8), ("chicken", 7, 5)])
def test_r11_4_a_tie_for_king_splits_both_bonuses_and_leaves_no_queen(good: str, two: int, three: int) -> None:
    state = ended((0, f"2 {good}"), (0, f"2 {good}"), (0, good), (0, ""))
    assert crowns(state, good) == [(ANN, KING, two), (BEN, KING, two)]
    state = ended((0, f"2 {good}"), (0, f"2 {good}"), (0, f"2 {good}"), (0, good))
    assert crowns(state, good) == [(ANN, KING, three), (BEN, KING, three), (CAT, KING, three)]


@pytest.mark.parametrize(("good", "two", "three"), [("apples", 5, 3), ("cheese", 5, 3), ("chicken", 2, 1)])
def test_r11_4_a_tie_for_queen_splits_the_queens_bonus(good: str, two: int, three: int) -> None:
    state = ended((0, f"2 {good}"), (0, good), (0, good), (0, ""))
    assert crowns(state, good)[1:] == [(BEN, QUEEN, two), (CAT, QUEEN, two)]
    state = ended((0, f"2 {good}"), (0, good), (0, good), (0, good))
    assert crowns(state, good)[1:] == [(BEN, QUEEN, three), (CAT, QUEEN, three), (DAN, QUEEN, three)]


def test_r11_4_nobody_is_king_or_queen_of_a_good_they_have_none_of() -> None:
    state = ended((0, "cheese"), (0, ""), (0, ""))
    assert [(seat, rank) for seat, rank, _ in crowns(state, "cheese")] == [(ANN, KING)]
    assert crowns(state, "bread") == []


def test_r11_4_the_predicates_say_the_same() -> None:
    counts = {ANN: 3, BEN: 3, CAT: 1, DAN: 0}
    assert [is_king(counts, seat) for seat in counts] == [True, True, False, False]
    assert [is_queen(counts, seat) for seat in counts] == [False, False, False, False]
    counts = {ANN: 3, BEN: 1, CAT: 1, DAN: 0}
    assert [is_queen(counts, seat) for seat in counts] == [False, True, True, False]


# -- 11.5


def winners(*holdings: tuple[int, str]) -> tuple[Seat, ...]:
    return outcome(ended(*holdings)).winners


def test_r11_5_most_points_wins() -> None:
    assert winners((10, ""), (11, ""), (9, "")) == (BEN,)


def test_r11_5_a_tie_goes_to_most_legal_goods() -> None:
    # Tied at 60 points: 2 apples and their crown (20), against more gold.
    assert winners((36, "2 apples"), (60, ""), (0, "")) == (ANN,)


def test_r11_5_legal_goods_count_before_contraband() -> None:
    # Both have 18 besides their gold: two chicken with their crown (10), or three pepper.
    assert totals(ended((20, "2 chicken"), (20, "3 pepper")))[:2] == [38, 38]
    assert winners((20, "2 chicken"), (20, "3 pepper")) == (ANN,)


def test_r11_5_then_to_most_contraband_cards_a_royal_good_being_one() -> None:
    assert winners((20, ""), (14, "pepper"), (0, "")) == (BEN,)
    both = ended((6, "2 pepper"), (3, "gouda"), (0, ""))
    assert totals(both)[:2] == [18, 24]
    assert outcome(both).scores[BEN].contraband_cards == 1


def test_r11_5_then_the_win_is_shared() -> None:
    assert winners((20, "silk"), (20, "silk"), (3, "")) == (ANN, BEN)


# -- 11.6 and 11.7


def test_r11_6_the_worked_example_is_125() -> None:
    state = ended(
        (42, "4 apples, 6 cheese, bread, 4 chicken, 2 pepper, crossbow"),
        (0, "5 apples, 2 bread, 4 chicken"),
        (0, "5 apples, 2 bread, 5 chicken"),
    )
    score = outcome(state).scores[ANN]
    assert [good.points for good in score.goods] == [8, 18, 3, 16, 12, 9]
    assert score.gold == 42
    assert [(crown.good, crown.points) for crown in score.crowns] == [("cheese", 15), ("chicken", 2)]
    assert score.total == 125


def test_r11_7_ten_cheese_and_a_gouda_beat_eleven_cheese() -> None:
    state = ended((0, "10 cheese, gouda"), (0, "11 cheese"), (0, ""))
    assert crowns(state, "cheese") == [(ANN, KING, 15), (BEN, QUEEN, 10)]
