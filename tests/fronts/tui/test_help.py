"""The rules of this table: what is played and nothing else, to be found by typing."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.rulebook import Chapter, rulebook
from p2p_sheriff.fronts.tui.screen import Pop, Wish
from p2p_sheriff.rules import OPTIONS, Edition, Good, Setup, Side
from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from p2p_sheriff.rules.modules.order_cards import ORDERS
from p2p_sheriff.seat.printed import law_name, law_text, man_text
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from tests.fronts.tui.saved import SIZES, assert_none_left_over, assert_saved, text_of
from tests.fronts.tui.spoken import spoken

PLAIN = Setup(4)
ALL = Setup(6, Edition.FIRST, frozenset(OPTIONS), (Good("figs", Side.LEGAL, 5, 3, 2, ("apples", 1)),))
SETUPS = (
    PLAIN,
    ALL,
    Setup(3, Edition.FIRST, frozenset({"black-market"})),
    Setup(5, options=frozenset({"royal", "black-market"})),
)
MODULES = Setup(4, options=frozenset({"orders", "laws", "merry-men"}))
RULES = Path(__file__).parents[3] / "docs" / "rules.md"


def opened(setup: Setup = PLAIN) -> HelpScreen:
    return HelpScreen.of(setup, spoken())


def pressed(screen: HelpScreen, *keys: str) -> HelpScreen:
    for key in keys:
        after, intents = screen.press(key)
        assert intents == ()
        assert isinstance(after, HelpScreen)
        screen = after
    return screen


def intents_of(screen: HelpScreen, key: str) -> tuple[Wish, ...]:
    return screen.press(key)[1]


def text_in(chapters: tuple[Chapter, ...]) -> str:
    return "\n".join(one.text for chapter in chapters for one in chapter.paragraphs)


# -- what it says

PLACES: dict[str, Callable[[], HelpScreen]] = {
    "beginning": opened,
    "goods": lambda: pressed(opened(SETUPS[3]), *["right"] * 11),
    "six": lambda: pressed(opened(ALL), *["right"] * 11),
    "found": lambda: pressed(opened(), *"bribe"),
    "nothing": lambda: pressed(opened(), *"unicorn"),
    "keys": lambda: pressed(opened(), "end"),
    "orders": lambda: pressed(opened(MODULES), "chapter:13"),
    "laws": lambda: pressed(opened(MODULES), "chapter:14"),
    "men": lambda: pressed(opened(MODULES), "chapter:15"),
}


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_help_is_as_it_was_saved(name: str, width: int, height: int) -> None:
    assert_saved(PLACES[name](), f"help/{name}", width, height)


def test_no_saved_help_is_left_over() -> None:
    assert_none_left_over("help", tuple(PLACES))


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: f"{setup.players}-{setup.edition.value}")
def test_the_table_of_goods_has_the_figures_of_this_table(setup: Setup) -> None:
    screen = opened(setup)
    shown = "\n".join(text_of(pressed(screen, *["down"] * times), 200, 60) for times in range(0, 90, 10))
    for good in setup.goods:
        row = rf"{good.kind} +{good.side.value} +{good.count} +{good.value} +{good.fine}\b"
        assert re.search(row, shown), good


def test_what_is_not_played_is_not_explained() -> None:
    plain = text_in(rulebook(PLAIN, Words()))
    for word in (
        "deputies",
        "black market",
        "Royal",
        "a clock",
        "Ten cards",
        "two discard piles",
        "law",
        "merry",
        "orders",
    ):
        assert word.casefold() not in plain.casefold(), word


def test_every_option_that_is_played_is_explained() -> None:
    everything = text_in(rulebook(ALL, Words()))
    for word in ("deputies", "black market", "Royal goods", "a clock", "Ten cards", "seven cards", "5 figs"):
        assert word in everything, word


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_law_and_every_merry_man_is_explained_in_a_sentence(language: str) -> None:
    texts = Texts.of(language)
    told = text_in(rulebook(MODULES, Words(texts)))
    assert "{" not in told
    for law in LAWS:
        assert f"{texts(f'laws.{law}')}: {law_text(texts, law, MODULES)}" in told
    for man in MEN:
        assert texts(f"men.{man}") in told
        assert man_text(texts, man, MODULES) in told
    for order in ORDERS.values():
        assert f"{texts.name(order.legal)} + {texts.name(order.contraband)} ({order.bonus})" in told


@pytest.mark.parametrize(
    ("language", "sheriff"), [("en", "sheriff"), ("es", "sheriff"), ("pl", "szeryf"), ("pt", "xerife"), ("uk", "шериф")]
)
@pytest.mark.parametrize("edition", Edition)
def test_r10_1_where_deputies_act_the_help_speaks_of_no_sheriff_till_six_are_five(
    language: str, sheriff: str, edition: Edition
) -> None:
    words = Words(Texts.of(language))
    chapters = rulebook(Setup(6, edition, frozenset(OPTIONS)), words)
    told = {one.text: one.rule for chapter in chapters for one in chapter.paragraphs}
    stash = law_name(words.texts, "sheriff's private stash")
    assert {rule for text, rule in told.items() if sheriff in text.removeprefix(stash).lower()} == {"19.5"}


def test_r10_7_the_help_says_who_lays_laws_where_there_are_two_deputies() -> None:
    told = text_in(rulebook(ALL, Words()))
    assert "the deputies draw three laws that only they see." in told
    assert "If they disagree, the deputy who was drawn first decides." in told


def test_laws_about_goods_that_are_not_in_the_deck_are_not_explained() -> None:
    told = text_in(rulebook(Setup(3, options=MODULES.options), Words()))
    assert "bread" not in told
    assert "cheese tax" in told


def test_every_rule_that_is_named_is_in_the_reference() -> None:
    reference = RULES.read_text(encoding="utf-8")
    for setup in SETUPS:
        for chapter in rulebook(setup, Words()):
            for one in chapter.paragraphs:
                number = re.escape(one.rule)
                assert not one.rule or re.search(rf"^(- {number}|## {number}) ", reference, re.MULTILINE), one


def test_every_text_of_the_help_is_used() -> None:
    class Noting(Words):
        def __call__(self, key: str, /, **fields: object) -> str:
            used.add(f"tui.{key}")
            return super().__call__(key, **fields)

    used: set[str] = set()
    words = Noting()
    for setup in (*SETUPS, MODULES):
        screen = HelpScreen(words, rulebook(setup, words)).searching("")
        for query in ("", "silk", "unicorn"):
            text_of(screen.searching(query))
    assert {key for key in ENGLISH.entries if key.startswith("tui.help.")} <= used


# -- finding something


def test_typing_leaves_what_has_all_the_words_in_any_case() -> None:
    text = text_of(pressed(opened(), *"SHERIFF", "space", *"pays"), 120, 40)
    assert "the sheriff pays the merchant the fines" in text
    assert "Set aside 0 to 5 cards" not in text


def test_a_rule_is_found_by_its_number() -> None:
    assert "1 apple, 1 cheese and 2 mead" in text_of(pressed(opened(), *"7.13"))


def test_a_title_finds_the_whole_chapter() -> None:
    text = text_of(pressed(opened(), *"out", "space", *"of", "space", *"gold"))
    assert "The debtor chooses" in text


def test_letters_can_be_taken_back_and_escape_shows_everything_again() -> None:
    before = opened()
    screen = pressed(before, *"silk")
    assert pressed(screen, "backspace", "backspace").query == "si"
    assert pressed(screen, "escape") == before


def test_escape_without_a_search_goes_back_to_the_game() -> None:
    for key in ("escape", "enter", "f1", "c-c"):
        assert intents_of(opened(), key) == (Pop(),)


# -- turning pages


def test_right_and_left_turn_chapters_and_stop_at_the_ends() -> None:
    first = opened()
    screen = pressed(first, "right", "right")
    assert text_of(screen).split("\n")[1].endswith("A round" + " " * 51)
    assert pressed(screen, "left", "left", "left", "left") == first
    last = pressed(first, "end")
    assert pressed(last, "right") == last


def test_a_click_on_a_chapter_opens_it() -> None:
    assert "▶ Market" in text_of(pressed(opened(), "chapter:3"))


@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_pressed_there_is_a_picture(seed: int) -> None:
    rng = Random(seed)
    screen = opened(SETUPS[seed % len(SETUPS)])
    keys = [
        "up",
        "down",
        "pageup",
        "pagedown",
        "home",
        "end",
        "left",
        "right",
        "backspace",
        "a",
        "s",
        "space",
        "chapter:9",
    ]
    for _ in range(150):
        screen = pressed(screen, rng.choice(keys))
        text_of(screen)
