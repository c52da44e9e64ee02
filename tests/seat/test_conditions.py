"""Who joins a table sees every term that is not the usual one."""

from dataclasses import fields

import pytest

from p2p_sheriff.rules import OPTIONS, Edition, Good, Setup
from p2p_sheriff.rules.goods import Side
from p2p_sheriff.seat.conditions import conditions, unusual
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from tests.table.games import SHORT_DECK

EGGS = Good("dragon eggs", Side.CONTRABAND, 5, 9, 4, ("chicken", 2))


def test_of_the_usual_table_nothing_is_unusual() -> None:
    assert unusual(Setup(4), ENGLISH) == []
    assert unusual(Setup(3, candidates=()), ENGLISH) == []


@pytest.mark.parametrize("edition", Edition)
def test_where_six_play_everybody_is_deputy_and_nobody_sheriff(edition: Edition) -> None:
    told = conditions(Setup(6, edition), ENGLISH)[0]
    assert told == f"The {edition.value} edition for 6 players; everybody is deputy three times."


def test_a_short_deck_is_shown_to_who_joins() -> None:
    lines = unusual(Setup(3, short=SHORT_DECK), ENGLISH)
    cards = sum(count for _, count in SHORT_DECK)
    assert lines[0].startswith(f"A short deck: {cards} cards in place of 156: ")
    assert all(f"{count} " in lines[0] for _, count in SHORT_DECK)
    assert lines[0] in conditions(Setup(3, short=SHORT_DECK), ENGLISH)


def test_an_extra_good_is_shown_with_all_its_figures() -> None:
    assert unusual(Setup(4, extra=(EGGS,)), ENGLISH) == [
        "An extra good: dragon eggs, 5 cards, contraband, worth 9, fine 4.",
        "For the crowns, dragon eggs counts as 2 chicken.",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_makes_a_difference_in_every_language(language: str) -> None:
    texts = Texts.of(language)
    tables = [
        Setup(4, Edition.FIRST),
        *(Setup(4, options=frozenset({option})) for option in OPTIONS),
        Setup(4, extra=(EGGS,)),
        Setup(4, short=SHORT_DECK),
    ]
    told = [tuple(unusual(setup, texts)) for setup in tables]
    assert all(told)
    assert len(set(told)) == len(told)
    assert all(set(lines) <= set(conditions(setup, texts)) for setup, lines in zip(tables, told, strict=True))


def test_a_term_that_is_added_to_tables_is_not_forgotten_here() -> None:
    # Who plays is seen anyway, and the candidates for sheriff follow from the purses, which are shown with the seats.
    assert {field.name for field in fields(Setup)} - {"players", "candidates"} == {
        "edition",
        "options",
        "extra",
        "short",
    }
