"""Every screen before a game as text: as it was saved, as wide as the terminal, and with nothing overlapping."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.beginning import Beginning
from p2p_sheriff.fronts.tui.hall import Hall
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.screen import Screen, draw
from p2p_sheriff.fronts.tui.theme import LOOKS
from p2p_sheriff.fronts.tui.welcome import Welcome
from tests.fronts.tui.gallery import SIZES
from tests.fronts.tui.halls import BUSY, CROWD, EMPTY, GUEST, LONG, OWN
from tests.fronts.tui.scenes import LONG_NAMES, NAMES
from tests.fronts.tui.spoken import spoken
from tests.fronts.tui.strict import StrictCanvas

SAVED = Path(__file__).parent / "screens" / "lobby"
SAVING = os.environ.get("SAVE_SCREENS") == "1"

COMPARED = ("anchor", "bishop", "candle", "dragon", "ember", "falcon")


def pressed(screen: Screen, *keys: str) -> Screen:
    for key in keys:
        screen, _ = screen.press(key)
    return screen


def lobby(hall: Hall, *keys: str) -> Screen:
    return pressed(LobbyScreen(hall, spoken()), *keys)


GALLERY: Mapping[str, Callable[[], Screen]] = {
    "empty": lambda: lobby(EMPTY),
    "busy": lambda: lobby(BUSY),
    "watch": lambda: lobby(BUSY, "end"),
    "crowd": lambda: lobby(CROWD),
    "open": lambda: lobby(BUSY, "o", "down", "space"),
    "private": lambda: lobby(BUSY, "o", *["down"] * 5, "space", "down", *"bosco"),
    "bots": lambda: lobby(EMPTY, "b"),
    "address": lambda: lobby(EMPTY, "c", *"192.168.1.2", "enter"),
    "name": lambda: lobby(CROWD, "n"),
    "wrong-key": lambda: lobby(BUSY, "z"),
    "own-table": lambda: LobbyScreen(EMPTY, spoken()).seeing(OWN).hearing("Marian sits down.", "Marian is ready."),
    "styles": lambda: lobby(OWN, "b", "down"),
    "purse": lambda: lobby(OWN, "p"),
    "send-away": lambda: lobby(OWN, "down", "x"),
    "guest": lambda: lobby(GUEST, "x"),
    "long-names": lambda: lobby(LONG),
    "welcome-name": lambda: Welcome(spoken(), "Kim"),
    "welcome-choice": lambda: pressed(Welcome(spoken(), "Kim"), "enter"),
    "welcome-long": lambda: pressed(Welcome(spoken(), LONG_NAMES[0]), "enter"),
    "beginning": lambda: Beginning(spoken(), NAMES[:5], COMPARED),
    "beginning-long": lambda: pressed(Beginning(spoken(), LONG_NAMES[:5], COMPARED), "z"),
}

screens = pytest.mark.parametrize("name", GALLERY)
sizes = pytest.mark.parametrize(("width", "height"), SIZES)


@screens
@sizes
def test_the_screen_is_as_it_was_saved(name: str, width: int, height: int) -> None:
    text = draw(GALLERY[name](), width, height, spoken()).to_text()
    picture = "".join(f"{line.rstrip()}\n" for line in text.split("\n"))
    path = SAVED / f"{name}-{width}x{height}.txt"
    if SAVING:
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text(encoding="utf-8")


@screens
@sizes
def test_every_line_fills_the_width_and_no_text_lies_on_another(name: str, width: int, height: int) -> None:
    canvas = StrictCanvas(width, height)
    GALLERY[name]().draw(canvas)
    lines = canvas.to_text().split("\n")
    assert len(lines) == height
    assert {wcswidth(line) for line in lines} == {width}


@screens
def test_every_style_is_known(name: str) -> None:
    lines = draw(GALLERY[name](), 120, 40, spoken()).to_cells()
    assert {style for line in lines for style, _ in line} <= set(LOOKS)


@pytest.mark.parametrize("name", [name for name in GALLERY if name not in ("crowd", "name") and "long" not in name])
def test_the_screen_can_be_drawn_in_ascii(name: str) -> None:
    text = draw(GALLERY[name](), 120, 40, spoken()).to_text(ascii_only=True)
    assert text.isascii(), re.findall(r"[^\x00-\x7f]", text)


def test_a_passphrase_is_never_on_the_screen() -> None:
    for screen in (lobby(BUSY, "p", *"bosco"), GALLERY["private"]()):
        assert "bosco" not in draw(screen, 120, 40, spoken()).to_text()
        assert "•••••" in draw(screen, 120, 40, spoken()).to_text()
