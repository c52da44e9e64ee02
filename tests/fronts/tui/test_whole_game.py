"""A whole game on the screen, from `p2p-sheriff` to the score sheet and a rematch, by keys and by mouse."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

import pytest

from tests.fronts.tui.robot import Robot
from tests.fronts.tui.terminal import ScreenTerminal

GAME_SECONDS = 900
BY_MOUSE = (2, 3)
"""In one of two rounds in a row, at least, a player is a merchant."""


def open_table(terminal: ScreenTerminal, name: str, look: Callable[[], None] = lambda: None) -> None:
    """Goes from the very first start to a table with three bots, looks around at every step, and says ready."""
    terminal.wait_for("What shall the others call you")
    terminal.press(*name, "enter")
    terminal.wait_for("How do you want to begin")
    look()
    terminal.press("3", "enter")
    terminal.wait_for("On this network")
    look()
    terminal.press("o")
    terminal.wait_for("How shall your table be")
    look()
    terminal.press("4", "enter")
    terminal.wait_for("Seats: 1 of 4 taken")
    for style, taken in (("1", 2), ("2", 3), ("3", 4)):
        terminal.press("b")
        terminal.wait_for("Which bot")
        terminal.press(style, "enter")
        terminal.wait_for(rf"Seats: {taken} of 4 taken")
    terminal.wait_for("Everybody waits for you")
    look()
    terminal.press("r")


def columns(sheet: str) -> tuple[dict[str, list[int]], list[int]]:
    """Returns the figures of every line of a score sheet, and the totals."""
    lines: dict[str, list[int]] = {}
    for line in sheet.split("The end: the score sheet", 1)[1].splitlines()[2:]:
        label, figures = line[:19].strip(), line[19:]
        cells = re.findall(r"(?<!\S)(?:\+?\d+|·)(?!\S)", figures)
        if label == "total":
            return lines, [int(cell) for cell in cells]
        lines[label] = [0 if cell == "·" else int(cell) for cell in cells]
    raise AssertionError(f"There is no total:\n{sheet}")


@pytest.mark.slow
@pytest.mark.timeout(2 * GAME_SECONDS)
def test_a_person_plays_a_whole_game_by_keys_and_by_mouse_reads_the_score_and_plays_again(tmp_path: Path) -> None:
    name = f"Kim{token_hex(2)}"  # Bots look for a table by its title, and there may be other tables on this machine.
    options = ["--data", str(tmp_path), "--interface", "127.0.0.1", "--pace", "0.2"]
    with ScreenTerminal(["-m", "p2p_sheriff", *options]) as terminal:
        open_table(terminal, name)
        terminal.wait_for("Round 1 of 8")
        robot = Robot(terminal, by_mouse=BY_MOUSE)
        robot.play_until("The end: the score sheet", GAME_SECONDS)
        _assert_everything_was_played(robot)
        terminal.wait_for("Audited: every signature, shuffle, proof and rule of this game holds")
        terminal.wait_for("wins with|share the win with")
        terminal.resize(120, 60)
        terminal.wait_for("round by round")
        _assert_sums_are_right(terminal.settle())
        terminal.press("r")
        terminal.wait_for("Round 1 of 8")
        robot.play_until("The market: set|Load your bag|market first", GAME_SECONDS)
        assert "The end" not in terminal.text
        terminal.press("q")
        terminal.wait_for("Leave the table")
        terminal.press("enter")
        terminal.wait_for("go on with it with g")
        terminal.press("q")
        assert terminal.exit_code() == 0
        assert "Traceback" not in terminal.settle()
    _assert_audit_agrees(tmp_path, name)


def _assert_everything_was_played(robot: Robot) -> None:
    assert {number for number, _, _ in robot.done} >= set(range(1, 9))
    assert {how for number, how, _ in robot.done if number in BY_MOUSE} == {"mouse"}
    assert any(how == "mouse" for _, how in robot.did("load"))
    assert any(how == "mouse" for _, how in robot.did("declare"))
    assert any(how == "keys" for _, how in robot.did("load"))
    assert robot.did("first")
    assert robot.did("judge")
    assert robot.offered


def _assert_sums_are_right(text: str) -> None:
    lines, totals = columns(text)
    assert len(totals) == 4
    assert {len(figures) for figures in lines.values()} == {4}, text
    assert [sum(figures) for figures in zip(*lines.values(), strict=True)] == totals
    assert any("crown" in label for label in lines)
    assert max(totals) == totals[0]


def _assert_audit_agrees(folder: Path, name: str) -> None:
    """Asserts that all four transcripts of the game, the player's and those of the bots, are valid, and the same."""
    transcripts = list(folder.rglob("*.sheriff"))
    assert len({path.read_bytes() for path in transcripts}) == 1
    command = [sys.executable, "-m", "p2p_sheriff", "audit", str(transcripts[0])]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert all(player in run.stdout for player in (name, "Robin", "Marian", "Tuck"))
