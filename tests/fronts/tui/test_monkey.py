"""Whole games by blind pressing of keys: nothing breaks, and the rules accept whatever the screen lets through."""

from dataclasses import replace
from random import Random

import pytest
from wcwidth import wcswidth

from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Edition, LoadBag, Move, Phase, Setup
from p2p_sheriff.seat.intents import Say
from p2p_sheriff.seat.story import said
from tests.fronts.tui.scenes import LONG_NAMES, Scene
from tests.fronts.tui.strict import StrictCanvas

KEYS = (
    *["enter"] * 6,
    *["up", "down", "left", "right", "space"] * 3,
    *"123456789",
    *"ipnclowafytgvdmur",
    *("tab", "backspace", "pageup", "pagedown", "escape", "escape", "home", "end", "x", "seat:1", "row:1", "card:2"),
)
PATIENCE = 25
"""After so many keys without a move the others go on, if they can."""


@pytest.mark.parametrize(
    ("setup", "seed"),
    [
        (Setup(players=3), 1),
        (Setup(players=4, options=frozenset({"royal", "black-market"})), 2),
        (Setup(players=5, options=frozenset({"seven", "missing"})), 3),
        (Setup(players=4, edition=Edition.FIRST, options=frozenset({"black-market"})), 4),
        (Setup(players=6, options=frozenset({"royal"})), 5),
    ],
)
def test_a_game_of_random_keys_comes_to_its_end(setup: Setup, seed: int) -> None:
    rng, scene = Random(seed), Scene.of(setup, seed, names=LONG_NAMES)
    moves = pressed = 0
    while scene.dealer.choices():
        screen, intents = TableScreen(scene.model).at(pressed / 10).press(rng.choice(KEYS))
        assert isinstance(screen, TableScreen)
        scene.model = screen.model
        pressed += 1
        for intent in intents:
            match intent:
                case Say(text):
                    scene.model = said(scene.model, scene.seat, text)
                case _ if isinstance(intent, LoadBag | Move):
                    scene.submit(intent)
                    moves += 1
                case _:
                    pass
            scene.model = replace(scene.model, sending=False)
        if pressed % PATIENCE == 0 and scene.dealer.choices():
            asked = scene.dealer.choices()[0]
            if asked.seat != scene.seat or scene.dealer.state.phase is Phase.INSPECT:
                scene.step()
        if pressed % 40 == 0:
            canvas = StrictCanvas(80 + pressed % 60, 24 + pressed % 30)
            TableScreen(scene.model).draw(canvas)
            assert {wcswidth(line) for line in canvas.to_text().split("\n")} == {canvas.width}
        assert pressed < 60_000
    assert moves > 20
    TableScreen(scene.model).draw(StrictCanvas(80, 24))
