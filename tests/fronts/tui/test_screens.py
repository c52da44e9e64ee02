"""Every screen as text: as it was saved, exactly as wide as the terminal, and with nothing drawn over anything."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.screen import draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import LOOKS
from tests.fronts.tui.gallery import GALLERY, SIZES, model_of
from tests.fronts.tui.scenes import NAMES
from tests.fronts.tui.strict import StrictCanvas

SAVED = Path(__file__).parent / "screens" / "table"
SAVING = os.environ.get("SAVE_SCREENS") == "1"
"""With SAVE_SCREENS=1 the pictures are saved instead of compared: look at the difference before you keep it."""

screens = pytest.mark.parametrize("name", GALLERY)
sizes = pytest.mark.parametrize(("width", "height"), SIZES)


@screens
@sizes
def test_the_screen_is_as_it_was_saved(name: str, width: int, height: int) -> None:
    model = model_of(name)
    text = draw(TableScreen(model), width, height, model.words).to_text()
    picture = "".join(f"{line.rstrip()}\n" for line in text.split("\n"))
    path = SAVED / f"{name}-{width}x{height}.txt"
    if SAVING:
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


@screens
@sizes
def test_every_line_fills_the_width_and_no_text_lies_on_another(name: str, width: int, height: int) -> None:
    canvas = StrictCanvas(width, height)
    TableScreen(model_of(name)).draw(canvas)
    lines = canvas.to_text().split("\n")
    assert len(lines) == height
    assert {wcswidth(line) for line in lines} == {width}


@screens
def test_every_style_is_known(name: str) -> None:
    model = model_of(name)
    lines = draw(TableScreen(model), 120, 40, model.words).to_cells()
    assert {style for line in lines for style, _ in line} <= set(LOOKS)


@screens
def test_the_screen_can_be_drawn_in_ascii(name: str) -> None:
    model = model_of(name)
    model = replace(model, names=NAMES[: len(model.names)], log=())  # People keep their letters.
    text = draw(TableScreen(model), 120, 40, model.words).to_text(ascii_only=True)
    assert text.isascii(), re.findall(r"[^\x00-\x7f]", text)


@screens
@pytest.mark.parametrize(("width", "height"), [(81, 25), (109, 24), (110, 24), (80, 60), (133, 33)])
def test_other_sizes_don_t_break_the_picture(name: str, width: int, height: int) -> None:
    canvas = StrictCanvas(width, height)
    TableScreen(model_of(name)).draw(canvas)
    assert {wcswidth(line) for line in canvas.to_text().split("\n")} == {width}


@pytest.mark.parametrize(("width", "height"), [(79, 24), (80, 23), (20, 5), (1, 1)])
def test_a_window_that_is_too_small_says_which_size_is_needed(width: int, height: int) -> None:
    model = model_of("load")
    text = draw(TableScreen(model), width, height, model.words).to_text()
    assert {wcswidth(line) for line in text.split("\n")} == {width}
    if width > 70:
        assert "it needs 80 x 24" in text
        assert f"It is {width} x {height} now" in text


def test_no_saved_screen_is_left_over() -> None:
    wanted = {f"{name}-{width}x{height}.txt" for name in GALLERY for width, height in SIZES}
    assert {path.name for path in SAVED.iterdir()} == wanted
