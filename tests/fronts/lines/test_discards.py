"""The market of the first edition in lines of text (rules 4.3, 4.4 and 7.13)."""

import pytest

from p2p_sheriff.fronts.lines.discards import piles, shortage
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.understanding import NotUnderstood, understand
from p2p_sheriff.rules import Card, Choice, Edition, Handle, Knowledge, Seat, Setup, View, new_game
from p2p_sheriff.rules.moves import LayDown, SetAside, TakeDiscards
from p2p_sheriff.rules.steps import AskLayDown, AskTake
from p2p_sheriff.texts import LANGUAGES, Texts

NAMES = ["Anna", "Ben", "Cleo"]
ANNA, BEN = Seat(0), Seat(1)
KINDS = dict(enumerate(("silk", "apples", "cheese", "chicken", "mead", "pepper")))


def seen(*, asks: Choice, deck: int = 20) -> View:
    """Anna has set three cards aside: silk, apples, cheese."""
    hand = tuple(map(Handle, KINDS))
    step = AskTake(ANNA) if asks is Choice.TAKE_DISCARDS else AskLayDown(ANNA, ANNA)
    left = tuple(Card(Handle(20 + place), kind, BEN) for place, kind in enumerate(("bread", "cheese")))
    state = new_game(Setup(4, Edition.FIRST)).but(officers=(BEN,), deck=deck, piles=(left, ()), todo=(step,))
    state = state.with_player(ANNA, hand=hand[3:], aside=hand[:3])
    return View(state, Knowledge(ANNA, {Handle(place): kind for place, kind in KINDS.items()}, ()))


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("take 2 1", (2, 1)),
        ("take 2, 1", (2, 1)),
        ("2 1", (2, 1)),
        ("take 0 0", (0, 0)),
        ("take nothing", (0, 0)),
        ("take 1 left", (1, 0)),
        ("take two right", (0, 2)),
        ("TAKE 1 right and 2 left", (2, 1)),
    ],
)
def test_r4_3_how_many_cards_of_each_pile_are_taken_is_understood(line: str, counts: tuple[int, int]) -> None:
    assert understand(seen(asks=Choice.TAKE_DISCARDS), NAMES, Choice.TAKE_DISCARDS, line) == TakeDiscards(ANNA, counts)


@pytest.mark.parametrize("line", ["take", "take 1", "take one", "take 1 middle", "take left", "take 1 2 3"])
def test_what_says_no_number_for_a_pile_is_answered_with_how_to_say_it(line: str) -> None:
    with pytest.raises(NotUnderstood, match="take 2 1"):
        understand(seen(asks=Choice.TAKE_DISCARDS), NAMES, Choice.TAKE_DISCARDS, line)


@pytest.mark.parametrize(
    ("line", "pile", "handles"),
    [
        ("lay left", 0, (1, 2, 0)),
        ("lay right 3 1 2", 1, (0, 1, 2)),
        ("lay right pile 2, 3, 1", 1, (2, 0, 1)),
        ("lay left 1-3", 0, (1, 2, 0)),
    ],
)
def test_r4_3_cards_are_put_back_in_the_order_that_was_typed(line: str, pile: int, handles: tuple[int, ...]) -> None:
    """They are listed in the order of the goods: apples, cheese, silk."""
    move = understand(seen(asks=Choice.LAY_DOWN), NAMES, Choice.LAY_DOWN, line)
    assert move == LayDown(ANNA, pile, tuple(map(Handle, handles)))


@pytest.mark.parametrize("line", ["lay", "lay 1 2 3", "lay left 1 2", "lay up 1 2 3", "lay left 1 1 2"])
def test_what_does_not_name_a_pile_and_every_card_once_is_not_understood(line: str) -> None:
    with pytest.raises(NotUnderstood):
        understand(seen(asks=Choice.LAY_DOWN), NAMES, Choice.LAY_DOWN, line)


def test_r4_4_who_sets_more_aside_than_can_be_drawn_again_is_warned() -> None:
    two = SetAside(ANNA, (Handle(3), Handle(4)))
    assert shortage(seen(asks=Choice.TAKE_DISCARDS, deck=0), SetAside(ANNA, ())) is None
    assert shortage(seen(asks=Choice.TAKE_DISCARDS, deck=0), two) is None, "two cards lie on the left pile"
    three = SetAside(ANNA, (Handle(3), Handle(4), Handle(5)))
    assert shortage(seen(asks=Choice.TAKE_DISCARDS, deck=0), three) == 2
    assert shortage(seen(asks=Choice.TAKE_DISCARDS, deck=1), three) is None


def test_r2_4_both_piles_are_told_from_the_top() -> None:
    left, right = piles(seen(asks=Choice.TAKE_DISCARDS).state)
    assert left == "On the left pile, the top card first: cheese, bread."
    assert right == "The right pile is empty."


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_questions_show_what_there_is_to_choose_from(language: str) -> None:
    texts = Texts.of(language)
    tableau = Tableau(NAMES, texts)
    take = tableau.prompt(seen(asks=Choice.TAKE_DISCARDS), Choice.TAKE_DISCARDS)
    assert set(piles(seen(asks=Choice.TAKE_DISCARDS).state, texts)) <= set(take)
    lay = "\n".join(tableau.prompt(seen(asks=Choice.LAY_DOWN), Choice.LAY_DOWN))
    assert f"3 = {texts.good('silk', 1)}" in lay
    down = tableau.prompt(seen(asks=Choice.TAKE_DISCARDS), Choice.SET_ASIDE)
    assert any(texts("table.set_aside_down") in line for line in down)
