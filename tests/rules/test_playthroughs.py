"""Golden games: what is played today is what was played when they were written, line by line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rules.playthrough import FOLDER, PLAYTHROUGHS, Playthrough, tell

MOST_BYTES = 60_000


@pytest.mark.parametrize("game", PLAYTHROUGHS, ids=lambda game: game.name)
def test_the_game_is_played_as_it_was_written_down(game: Playthrough) -> None:
    written = game.path.read_text(encoding="utf-8").splitlines()
    told = tell(game)
    for number, (played, line) in enumerate(zip(told, written, strict=False), start=1):
        assert played == line, f"{game.path.name}, line {number}"
    assert len(told) == len(written)


def test_every_file_is_a_playthrough_and_small() -> None:
    assert sorted(FOLDER.iterdir()) == sorted(game.path for game in PLAYTHROUGHS)
    assert {game.setup.players for game in PLAYTHROUGHS} == {3, 4, 5, 6}
    for game in PLAYTHROUGHS:
        assert game.path.stat().st_size < MOST_BYTES


def test_a_playthrough_does_not_depend_on_how_the_interpreter_hashes_strings() -> None:
    root = Path(__file__).parents[2]
    program = (
        "from tests.rules.playthrough import PLAYTHROUGHS, tell\n"
        "for game in PLAYTHROUGHS: print('\\n'.join(tell(game)))"
    )
    run = subprocess.run(
        [sys.executable, "-c", program],
        cwd=root,
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert run.stdout == "".join(game.path.read_text(encoding="utf-8") for game in PLAYTHROUGHS)
