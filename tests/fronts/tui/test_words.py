"""What the screen makes of the catalogue's texts."""

import pytest

from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.texts import Texts


def test_a_number_chooses_the_form() -> None:
    words = Words()
    assert words("cards.too_many", n=1) == "Not more than 1 card."
    assert words("cards.too_many", n=5) == "Not more than 5 cards."
    assert Words(Texts.of("pl"))("cards.too_many", n=3) == "Nie więcej niż 3 karty."


@pytest.mark.parametrize(
    ("language", "listed"),
    [("en", ["", "A", "A and B", "A, B and C"]), ("pt", ["", "A", "A e B", "A, B e C"])],
)
def test_names_are_listed_as_people_say_them(language: str, listed: list[str]) -> None:
    words = Words(Texts.of(language))
    assert [words.listed(names) for names in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == listed


def test_goods_are_counted_in_words() -> None:
    words = Words()
    assert words.counted("apples", 1) == "1 apple"
    assert words.goods((("apples", 2), ("silk", 1))) == "2 apples, 1 silk"


def test_keys_are_called_what_stands_on_them() -> None:
    keys = ("Enter", "Space", "q", "↑↓", "1-9")
    assert [Words().cap(key) for key in keys] == list(keys)
    assert [Words(Texts.of("es")).cap(key) for key in keys] == ["Intro", "Espacio", "q", "↑↓", "1-9"]


def test_time_is_minutes_and_seconds() -> None:
    assert [Words.time(seconds) for seconds in (-3, 0, 59.9, 61, 3600)] == ["0:00", "0:00", "0:59", "1:01", "60:00"]
