"""Beginning to play: a name is asked once, and who looks for a table sees what there is."""

from pathlib import Path

import pytest

from tests.commands.terminal import Terminal
from tests.commands.test_watch import LOOPBACK, bot


def test_a_name_is_asked_at_the_first_game_and_enter_takes_the_one_that_is_offered(tmp_path: Path) -> None:
    options = ["join", "nosuch", "--data", str(tmp_path), *LOOPBACK]
    with Terminal(options, environment={"LOGNAME": "kim"}) as terminal:
        terminal.wait_for(r"What are you called at the table\? Enter takes kim: ")
        terminal.type(" " + "x" * 200)
        terminal.wait_for("can't be your name")
        terminal.type("Łucja")
        terminal.wait_for("Still looking, ")
    assert (tmp_path / "default" / "nick").read_text("utf-8") == "Łucja"
    with Terminal(options) as terminal:
        terminal.wait_for("Still looking, ")
        assert "What are you called" not in terminal.text


@pytest.mark.slow
def test_who_looks_for_a_table_that_is_not_there_sees_at_once_what_is_there_and_a_sign_of_life(tmp_path: Path) -> None:
    with (
        bot(tmp_path, "Ann", "--open", "3"),
        Terminal(["join", "NOSUCH", "--name", "Kim", "--data", str(tmp_path), *LOOPBACK]) as terminal,
    ):
        terminal.wait_for(r'"Ann\'s table" \(2 free seats\)')
        first = terminal.wait_for(r"Still looking, (\d+) seconds? more")
        terminal.wait_for(r"Still looking, (\d+) seconds? more", start=first.end())
