"""Every screen before a game as text: as it was saved, as wide as the terminal, and with nothing overlapping."""

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui import opening, seating
from p2p_sheriff.fronts.tui.beginning import Beginning
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.screen import Screen, draw
from p2p_sheriff.fronts.tui.theme import LOOKS
from p2p_sheriff.fronts.tui.welcome import Welcome
from p2p_sheriff.rules import OPTIONS, Setup
from p2p_sheriff.seat import hall as halls
from p2p_sheriff.seat.hall import Hall, option_names
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session import terms
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.tui.gallery import SIZES
from tests.fronts.tui.halls import BUSY, CROWD, EMPTY, GUEST, LONG, OWN, PAST, UNUSUAL, member, seated, table
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
    "open": lambda: lobby(BUSY, "o", "down", "down", "space"),
    "private": lambda: lobby(BUSY, "o", *["down"] * (5 + len(terms.OPTIONS)), "space", "down", *"bosco"),
    "bots": lambda: lobby(EMPTY, "b"),
    "address": lambda: lobby(EMPTY, "c", *"192.168.1.2", "enter"),
    "name": lambda: lobby(CROWD, "n"),
    "long-past": lambda: lobby(PAST, "h", *["down"] * 8),
    "wrong-key": lambda: lobby(BUSY, "z"),
    "own-table": lambda: LobbyScreen(EMPTY, spoken()).seeing(OWN).hearing("Marian sits down.", "Marian is ready."),
    "styles": lambda: lobby(OWN, "b", "down"),
    "purse": lambda: lobby(OWN, "p"),
    "send-away": lambda: lobby(OWN, "down", "x"),
    "guest": lambda: lobby(GUEST, "x"),
    "unusual": lambda: lobby(UNUSUAL),
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


@sizes
def test_who_sits_down_reads_of_a_short_deck_and_of_extra_goods_in_every_window(width: int, height: int) -> None:
    text = draw(GALLERY["unusual"](), width, height, spoken()).to_text()
    terms = " ".join(text.replace("│", " ").split())
    for told in ("A short deck", "dragon eggs", "fine 4.", "royal goods"):
        assert told in terms


# -- options that come


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_of_the_rules_has_a_name_and_a_word_about_it_as_soon_as_tables_play_it(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (opening, seating, halls):
        monkeypatch.setattr(module, "OPTIONS", OPTIONS)
    words = Words(Texts.of(language))
    form = LobbyScreen(BUSY, words)
    last = 5 + len(OPTIONS)
    seen = ""
    for keys in (["o"], ["o", *["down"] * last], ["o", *["down"] * last, "space", "down", "b"]):
        canvas = StrictCanvas(80, 24)
        pressed(form, *keys).draw(canvas)
        seen += canvas.to_text()
    assert all(words(f"option.{option}") in seen for option in OPTIONS)
    assert words("open.passphrase") in seen
    setup = Setup(4, options=frozenset(OPTIONS))
    own = seated(EMPTY, table("All", setup, member(EMPTY.me)))
    canvas = StrictCanvas(80, 24)
    LobbyScreen(EMPTY, words).seeing(own).draw(canvas)
    side = [line[-26:] for line in canvas.to_text().split("\n")]
    assert all(name.split()[-1] in " ".join(side) for name in option_names(words, setup))


def test_no_option_is_in_the_form_that_tables_do_not_play() -> None:
    canvas = StrictCanvas(120, 40)
    lobby(BUSY, "o").draw(canvas)
    hidden = set(OPTIONS) - set(terms.OPTIONS)
    assert not [option for option in hidden if spoken()(f"option.{option}") in canvas.to_text()]
