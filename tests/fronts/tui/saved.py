"""Screens that are saved as text, and compared with what is drawn today."""

import os
from pathlib import Path

from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.screen import Screen
from p2p_sheriff.fronts.tui.theme import LOOKS
from tests.fronts.tui.strict import StrictCanvas

SCREENS = Path(__file__).parent / "screens"
SIZES = ((80, 24), (120, 40))
SAVING = os.environ.get("SAVE_SCREENS") == "1"
"""With SAVE_SCREENS=1 the pictures are saved instead of compared: look at the difference before you keep it."""


def text_of(screen: Screen, width: int = 80, height: int = 24) -> str:
    """Draws a screen where no text may lie on another, every line fills the width, and every style is known."""
    canvas = StrictCanvas(width, height)
    screen.draw(canvas)
    text = canvas.to_text()
    assert {wcswidth(line) for line in text.split("\n")} == {width}
    assert {style for line in canvas.to_cells() for style, _ in line} <= set(LOOKS)
    return text


def assert_saved(screen: Screen, name: str, width: int, height: int) -> None:
    """Compares a screen with the saved one of that name: a folder and a file."""
    text = text_of(screen, width, height)
    picture = "".join(f"{line.rstrip()}\n" for line in text.split("\n"))
    path = SCREENS / f"{name}-{width}x{height}.txt"
    if SAVING:
        path.parent.mkdir(exist_ok=True)
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


def assert_none_left_over(folder: str, names: tuple[str, ...]) -> None:
    """Asserts that no screen is saved that nobody compares."""
    wanted = {f"{name}-{width}x{height}.txt" for name in names for width, height in SIZES}
    assert {path.name for path in (SCREENS / folder).iterdir()} == wanted
