"""Makes the pictures of the documentation: `make pictures`.

Screens of every phase come from the same models as the saved texts; those that README shows, and the recording, from a
real game that a robot plays in a terminal against three bots.
"""

import contextlib
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random

from p2p_sheriff.fronts.tui.beginning import Beginning
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.screen import Screen, draw
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.welcome import Welcome
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.words import Words
from tests.fronts.tui.gallery import model_of
from tests.fronts.tui.halls import BUSY, OWN
from tests.fronts.tui.painting import Grid, MissingFontError, grid_of_canvas, grid_of_terminal, save_gif, save_png
from tests.fronts.tui.robot import Robot
from tests.fronts.tui.scenes import NAMES
from tests.fronts.tui.spoken import spoken
from tests.fronts.tui.terminal import ScreenTerminal
from tests.fronts.tui.test_tutorial import at as lesson
from tests.fronts.tui.test_whole_game import open_table

_VERDICT = re.compile(r"┃ (?:True!|A lie!|Everything in it|\d+ cards? (?:is|are) contraband)")

FOLDER = Path(__file__).parents[3] / "docs" / "screens"
SIZES = ((80, 24), (120, 40), (200, 60))
WIDTH, HEIGHT = 112, 30
"""The window of the recording."""
SECONDS = 900
MOST_FRAMES = 110

PHASES = (
    *("shuffling", "name_first", "set_aside", "load", "declare", "haggle", "compose", "desk", "deal", "confirm"),
    *("inspected_whole", "passed", "summary", "past", "pay_in_kind", "hand_over", "trade", "waiting"),
    *("log", "chat", "proofs", "piles", "score", "chart", "watching", "thirty_cheeses"),
    *("six_load", "six_desk", "six_score"),
    *("laws_first", "orders_filled", "modules_desk", "six_loot"),
)
"""Screens of the gallery that are shown; `six_...` with six players, most of them with long names and wide letters."""


def screens() -> Mapping[str, Callable[[], Screen]]:
    """Returns how to make every screen that is painted, by its name."""
    of_phases = {name: _table_of(name) for name in PHASES}
    return {
        "welcome": lambda: Welcome(spoken(), "Kim", named=True),
        "tutorial": lambda: lesson("load"),
        "beginning": lambda: Beginning(spoken(), NAMES[:5], game_words(b"a game")),
        "lobby": lambda: LobbyScreen(BUSY, spoken()),
        "gathering": lambda: LobbyScreen(OWN, spoken()),
        "help": lambda: HelpScreen.of(Setup(4), spoken()),
        **of_phases,
    }


def _table_of(name: str) -> Callable[[], Screen]:
    return lambda: TableScreen(model_of(name))


def paint_phases(words: Words) -> None:
    """Paints every phase in every size."""
    for name, make in screens().items():
        for width, height in SIZES:
            picture = grid_of_canvas(draw(make(), width, height, words))
            save_png(picture, FOLDER / "phases" / f"{name.replace('_', '-')}-{width}x{height}.png")


# -- a real game


class Camera(ScreenTerminal):
    """A terminal that can be photographed."""

    @property
    def grid(self) -> Grid:
        """What is on the screen."""
        return grid_of_terminal(self._screen)


class Reporter:
    """Photographs a game as it goes on: single pictures by name, and frames of a recording."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self.frames: list[tuple[Grid, float]] = []
        self.pictures: dict[str, Grid] = {}
        self.is_recording = True

    def shoot(self, seconds: float, name: str = "") -> None:
        """Takes a picture, to be shown so long; the last one of a name is kept."""
        grid = self._camera.grid
        if name:
            self.pictures[name] = grid
        if self.is_recording and len(self.frames) < MOST_FRAMES and (not self.frames or self.frames[-1][0] != grid):
            self.frames.append((grid, seconds))

    def hear(self, question: str) -> None:
        """Takes a picture before an answer."""
        text = self._camera.text
        if question == "skip":
            self._watch_bag()
            return
        named = {
            "load": "load" if text.count("✓") > 1 else "",
            "declare": "declare",
            "offer": "offer",
            "judge": "judge",
        }
        self.shoot(1.0 if question in ("offer", "judge", "declare", "confirm") else 0.5, named.get(question, ""))
        self.is_recording = "Round 1 of" in text or "Round 2 of" in text

    def _watch_bag(self) -> None:
        """Lets a bag open card by card."""
        while self.is_recording and "Enter goes on" in (text := self._camera.settle(0.08)):
            is_whole = _VERDICT.search(text) is not None
            self.shoot(1.8 if is_whole else 0.35, "reveal" if is_whole and "is inspected!" in text else "")
            if is_whole:
                return


def play_and_record() -> None:
    """Plays a whole game, and keeps its pictures."""
    # From within a folder that goes again: the score sheet says where the transcript is.
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        options = ["--data", "sheriff", "--interface", "127.0.0.1", "--pace", "0.4"]
        with Camera(["-m", "p2p_sheriff", *options], WIDTH, HEIGHT) as camera:
            reporter = Reporter(camera)
            open_table(camera, "Wren", lambda: reporter.shoot(1.0))
            camera.wait_for("Round 1 of 8")
            Robot(camera, Random(5), watch=reporter.hear).play_until("The end: the score sheet", SECONDS)
            camera.wait_for("Audited: every")
            camera.settle()
            reporter.is_recording = True
            reporter.frames = reporter.frames[: MOST_FRAMES - 1]
            reporter.shoot(4.0, "score")
    for name, grid in reporter.pictures.items():
        save_png(grid, FOLDER / f"{name}.png")
    save_gif(reporter.frames, FOLDER / "game.gif")


def main() -> int:
    try:
        paint_phases(spoken())
        if "--phases" not in sys.argv:
            play_and_record()
    except MissingFontError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
