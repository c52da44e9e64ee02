"""Every text of the game's screen is used, and every one that is used is there."""

import re
from pathlib import Path

import p2p_sheriff.tui
from p2p_sheriff.tui.words import ENGLISH, Words

SOURCES = Path(p2p_sheriff.tui.__file__).parent
MADE_UP = ("phase.", "side.", "wait.", "ask.", "key.", "offer.section_", "phrase.", "proof.", "proofs.column_")
"""Groups whose keys are put together from the names of things."""


def test_no_text_is_left_over() -> None:
    paths = [*SOURCES.glob("*.py"), SOURCES.parent / "commands" / "screenseat.py"]
    sources = [path.read_text(encoding="utf-8").partition("ENGLISH:")[0] for path in paths]
    used = {key for source in sources for key in re.findall(r"""["']([a-z_]+\.[a-z_ 0-9]+)["']""", source)}
    used |= {"list.and", "list.comma"}
    left = [key for key in ENGLISH if key not in used and not key.startswith(MADE_UP)]
    assert left == []


def test_a_number_chooses_the_form() -> None:
    words = Words()
    assert words("cards.too_many", n=1) == "Not more than 1 card."
    assert words("cards.too_many", n=5) == "Not more than 5 cards."


def test_names_are_listed_as_people_say_them() -> None:
    words = Words()
    assert [words.listed(names) for names in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]


def test_goods_are_counted_in_words() -> None:
    words = Words()
    assert words.counted("apples", 1) == "1 apple"
    assert words.goods((("apples", 2), ("silk", 1))) == "2 apples, 1 silk"


def test_time_is_minutes_and_seconds() -> None:
    assert [Words.time(seconds) for seconds in (-3, 0, 59.9, 61, 3600)] == ["0:00", "0:00", "0:59", "1:01", "60:00"]
