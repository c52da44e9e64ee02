"""Text never leaves its place, whatever letters are in it; and a click finds what it points at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.canvas import ASCII_TWINS, Canvas, bar
from p2p_sheriff.texts.cells import ELLIPSIS, cells_of, clip, fit, wrap
from p2p_sheriff.texts.cleaning import clean
from tests.fronts.tui.strict import OverlapError, StrictCanvas

words = st.text(alphabet=st.characters(codec="utf-8"), max_size=40)


@given(st.lists(st.tuples(st.integers(-2, 22), st.integers(-2, 6), words, st.integers(0, 30)), max_size=8))
def test_every_line_stays_exactly_as_wide_as_the_canvas(puts: list[tuple[int, int, str, int]]) -> None:
    canvas = Canvas(20, 5)
    for x, y, text, width in puts:
        canvas.put(x, y, text, width=width)
    assert {wcswidth(line) for line in canvas.to_text().split("\n")} == {20}


@given(words, st.integers(0, 30))
def test_clipped_text_is_whole_or_ends_with_an_ellipsis(text: str, room: int) -> None:
    text = clean(text)
    clipped = clip(text, room)
    assert cells_of(clipped) <= room
    assert clipped == text or clipped.endswith(ELLIPSIS) or room == 0
    assert cells_of(fit(text, room)) == room


@given(words, st.integers(1, 30))
def test_wrapped_text_fits_and_keeps_its_words(text: str, room: int) -> None:
    lines = wrap(text, room)
    assert all(cells_of(line) <= room for line in lines)
    if not any(ELLIPSIS in line for line in lines):
        assert " ".join(lines).split() == clean(text).split()


@given(words)
def test_clean_text_has_nothing_that_moves_the_cursor(text: str) -> None:
    assert all(letter.isprintable() for letter in clean(text))
    assert wcswidth(clean(text)) == cells_of(clean(text))


@given(words, words, st.integers(0, 19), st.integers(0, 19))
def test_text_over_half_of_a_wide_letter_leaves_no_half(first: str, second: str, at: int, over: int) -> None:
    canvas = Canvas(20, 1)
    canvas.put(at, 0, first)
    canvas.put(over, 0, second)
    assert wcswidth(canvas.to_text()) == 20


def test_a_part_clips_at_its_own_edge() -> None:
    canvas = Canvas(10, 2)
    canvas.part(2, 0, 5, 1).put(0, 0, "sheriff")
    canvas.part(8, 1, 5, 5).put(0, 0, "sheriff")
    assert canvas.to_text() == "  sher…   \n        s…"


def test_pieces_are_clipped_as_one_text() -> None:
    canvas = Canvas(12, 2)
    canvas.put_pieces(0, 0, [("gold", "12345"), ("", "6789")], width=9)
    canvas.put_pieces(0, 1, [("gold", "12345"), ("", "6789")], width=8)
    assert canvas.to_text() == "123456789   \n1234567…    "


def test_pieces_that_end_at_the_edge_say_that_something_follows() -> None:
    canvas = Canvas(5, 1)
    canvas.put_pieces(0, 0, ["12345", "6"])
    assert canvas.to_text() == "1234…"


def test_a_combining_mark_takes_no_cell_of_its_own() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "x\u0301y")
    assert canvas.to_text() == "x\u0301y  "


def test_a_click_finds_the_topmost_region() -> None:
    canvas = Canvas(20, 4)
    canvas.click("below", 0, 0, 10, 4)
    canvas.part(5, 1, 10, 2).click("above", 0, 0, 3)
    assert canvas.key_at(0, 0) == "below"
    assert canvas.key_at(5, 1) == "above"
    assert canvas.key_at(8, 1) == "below"
    assert canvas.key_at(15, 1) is None


def test_what_lies_on_top_takes_away_the_clicks_under_it() -> None:
    canvas = Canvas(20, 4)
    canvas.click("below", 0, 0, 10, 4)
    canvas.part(5, 1, 10, 2).forget_clicks()
    assert canvas.key_at(0, 0) is None


def test_ascii_has_a_letter_for_every_sign() -> None:
    assert all(chr(twin).isascii() for twin in ASCII_TWINS.values())
    canvas = Canvas(6, 3)
    canvas.box(heavy=True)
    assert canvas.to_text(ascii_only=True) == "#====#\n#    #\n#====#"


def test_cells_have_a_style_and_a_letter_or_nothing_after_a_wide_one() -> None:
    canvas = Canvas(4, 1)
    canvas.put(0, 0, "a森", "gold")
    assert canvas.to_cells() == [[("gold", "a"), ("gold", "森"), ("gold", ""), ("", " ")]]


@pytest.mark.parametrize(("filled", "full"), [(0, 0), (1, 1), (5, 5), (10, 10), (30, 10)])
def test_a_bar_shows_at_least_one_cell_of_something_and_never_too_many(filled: int, full: int) -> None:
    assert bar(filled, 10, 10) == ("█" * full, "░" * (10 - full))


def test_the_strict_canvas_sees_text_over_text() -> None:
    canvas = StrictCanvas(10, 1)
    canvas.part(0, 0, 5, 1).put(0, 0, "gold")
    with pytest.raises(OverlapError):
        canvas.part(2, 0, 5, 1).put(0, 0, "silk")
