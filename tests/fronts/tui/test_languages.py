"""Every screen in every language, in the smallest window."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial

import pytest
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.lessons import LESSONS
from p2p_sheriff.fronts.tui.screen import Screen
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from p2p_sheriff.texts.cells import cells_of
from tests.fronts.tui import test_help, test_lobby_screens, test_replay, test_tutorial
from tests.fronts.tui.gallery import GALLERY, model_of
from tests.fronts.tui.scenes import Scene
from tests.fronts.tui.spoken import speaking, spoken
from tests.fronts.tui.strict import FittingCanvas

WIDTH, HEIGHT = 80, 24
ARROWS = ("↑↓", "←→")
ASKED, KEYS = -2, -1
"""The lines of a screen that say what is asked, and which keys answer it."""


def _table(name: str) -> Screen:
    return TableScreen(model_of(name, spoken().texts.language))


SCREENS: Mapping[str, Callable[[], Screen]] = {
    **{f"lobby {name}": make for name, make in test_lobby_screens.GALLERY.items()},
    **{f"help {name}": make for name, make in test_help.PLACES.items()},
    **{f"replay {name}": make for name, make in test_replay.PLACES.items()},
    **{f"tutorial {key}": partial(test_tutorial.at, key) for key in test_tutorial.KEYS},
    **{f"table {name}": partial(_table, name) for name in GALLERY},
}
"""Every screen that is saved as text."""
OVERFULL = ("lobby crowd", "lobby name", "table six", "table thirty")
"""Where names and goods are cut off in any language."""

languages = pytest.mark.parametrize("language", LANGUAGES)
translations = pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])


@cache
def drawn(name: str, language: str) -> FittingCanvas:
    """Draws a screen where no text may lie on another; what is cut off is noted."""
    canvas = FittingCanvas(WIDTH, HEIGHT)
    with speaking(language):
        SCREENS[name]().draw(canvas)
    return canvas


@translations
@pytest.mark.parametrize("name", SCREENS)
def test_every_text_fits_where_english_fits(name: str, language: str) -> None:
    canvas = drawn(name, language)
    assert {wcswidth(line) for line in canvas.to_text().split("\n")} == {WIDTH}
    if not name.startswith(OVERFULL) and "long" not in name:
        assert len(canvas.cut) <= len(drawn(name, "en").cut), canvas.cut


@languages
@pytest.mark.parametrize("name", GALLERY)
def test_every_key_that_answers_a_question_is_shown(name: str, language: str) -> None:
    model = model_of(name, language)
    current = model.overlay or model.dialogue
    if current is None or model.sending or model.reveals or model.summaries:
        return
    line = drawn(f"table {name}", language).to_text().split("\n")[KEYS]
    for key, what in current.keys(model):
        cap = model.words.cap(key)
        is_plain = key in ARROWS or what == "key.look_offer"
        assert f" {cap}  {model.words(what)} " in line or (is_plain and f" {cap} " in line), (key, what)


@languages
@pytest.mark.parametrize("key", test_tutorial.KEYS)
def test_the_coach_is_not_cut_off(key: str, language: str) -> None:
    words = Words(Texts.of(language))
    said = " ".join(drawn(f"tutorial {key}", language).to_text().split())
    for part in ("title", "text", "do"):
        assert words(f"tutorial.{key}.{part}") in said


@languages
def test_the_coach_names_the_keys_that_go_on(language: str) -> None:
    words = Words(Texts.of(language))
    names = {"enter": words.cap("Enter"), "down": "↓"}
    for lesson in LESSONS:
        asked = words(f"tutorial.{lesson.key}.do").replace(",", "").split()
        assert {names.get(key, key) for key in lesson.presses} <= {word.rstrip(".:") for word in asked}, lesson.key


@translations
def test_keys_are_called_the_same_everywhere(language: str) -> None:
    texts = Texts.of(language)
    wrong = {"Enter", "Esc", "Tab", "Space", "Del"} - {texts(f"tui.keyname.{key}") for key in ("enter", "esc", "tab")}
    for key, entry in texts.entries.items():
        if key.startswith("tui.") and not key.startswith("tui.keyname."):
            assert not wrong & set(str(entry).replace(":", " ").replace(",", " ").split()), key


@languages
def test_a_whole_game_is_shown(language: str) -> None:
    with speaking(language):
        scene = Scene.of(Setup(players=4, options=frozenset({"royal", "black-market"})), 1)
    pictures = 0
    while scene.dealer.choices():
        scene.step()
        table = TableScreen(scene.model).at(100.0 * pictures)
        for screen in (table, table.at(100.0 * pictures + 2.4), TableScreen(replace(scene.model, reveals=()))):
            canvas = FittingCanvas(WIDTH, HEIGHT)
            screen.draw(canvas)
            asked = canvas.to_text().split("\n")[ASKED]
            assert "{" not in canvas.to_text()
            assert "…" not in asked, asked
            assert cells_of(asked) == WIDTH
        scene.model = replace(scene.model, reveals=())
        pictures += 1
    assert pictures > 100
