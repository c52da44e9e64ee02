"""``replay``: the whole game in lines, on a screen, or a refusal."""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.commands import replay as replaying
from p2p_sheriff.node.log import GameLog
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.resume import FirstRecord
from p2p_sheriff.texts import add_language_argument
from p2p_sheriff.usage import UsageError
from tests.fronts.tui.films import played
from tests.fronts.tui.terminal import ScreenTerminal


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    replaying.add_arguments(parser)
    add_language_argument(parser)
    return replaying.run(parser.parse_args(arguments))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.sheriff"
    path.write_bytes(played().record.to_bytes())
    return path


def test_in_lines_the_whole_game_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--lines") == 0
    told = capsys.readouterr().out
    assert "=== Round 9" in told
    assert "Robin: Nothing but apples, I swear." in told
    assert told.rstrip().endswith("!") or "win" in told.splitlines()[-1]


def test_the_lines_are_in_the_language_that_was_asked_for(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--lines", "--lang", "es") == 0
    told = capsys.readouterr().out
    assert "=== Ronda 9" in told
    assert "Round" not in told
    assert "draws" not in told


def test_an_unfinished_game_is_told_as_far_as_it_goes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played().record
    file.write_bytes(replace(record, entries=record.entries[:60]).to_bytes())
    assert run(str(file), "--lines") == 0
    assert "did not come to its end" in capsys.readouterr().out


def test_a_changed_file_is_refused_as_by_the_audit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))
    assert run(str(file), "--lines") == 1
    told = capsys.readouterr().out
    assert "Fault in entry" in told
    assert "Round" not in told


def test_what_is_no_transcript_is_refused(file: Path) -> None:
    file.write_bytes(b"something else")
    with pytest.raises(UsageError, match="can't be shown: this is not the transcript of a game"):
        run(str(file))
    with pytest.raises(UsageError, match="can't be read"):
        run(str(file.parent / "nothing"))


def _profile_with(base: Path, memory: Keepsake) -> Sequence[str]:
    charter = played().record.charter
    games = base / "anna" / "games"
    games.mkdir(parents=True)
    opening = FirstRecord(charter.to_bytes(), is_over=True, memory=memory)
    GameLog.create(games / f"{charter.game.hex()}.log", [opening.to_value()]).close()
    return "--profile", "anna", "--data", str(base)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_in_a_real_terminal_the_own_profile_shows_the_own_cards(file: Path, tmp_path: Path) -> None:
    own = _profile_with(tmp_path, played().memories[0])
    with ScreenTerminal(["-m", "p2p_sheriff", "replay", str(file), *own], 120, 40) as terminal:
        terminal.wait_for("all of it holds")
        terminal.press("down", "down")
        terminal.wait_for("Your hand")
        terminal.wait_for("as Robin saw it")
        terminal.press("q")
        assert terminal.exit_code() == 0
    with ScreenTerminal(["-m", "p2p_sheriff", "replay", str(file), "--data", str(tmp_path)], 120, 40) as terminal:
        terminal.wait_for("what all saw")
        terminal.press("\x1b[F")
        terminal.wait_for("score sheet")
        terminal.press("q")
        assert terminal.exit_code() == 0
