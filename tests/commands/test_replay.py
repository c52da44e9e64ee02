"""``replay``: the whole game in lines, on a screen, or a refusal."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.cli import main
from p2p_sheriff.node.log import GameLog
from p2p_sheriff.session.keepsake import Keepsake
from p2p_sheriff.session.resume import FirstRecord
from tests.fronts.tui.films import played
from tests.fronts.tui.terminal import ScreenTerminal


def run(*arguments: str) -> int:
    return main(["replay", *arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.sheriff"
    path.write_bytes(played().record.to_bytes())
    return path


def test_in_lines_the_whole_game_is_told(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--lines") == 0
    told = capsys.readouterr().out
    assert "=== Round 8" in told
    assert "Robin: Nothing but apples, I swear." in told
    assert told.rstrip().endswith("!") or "win" in told.splitlines()[-1]


def test_the_lines_are_in_the_language_that_was_asked_for(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(str(file), "--lines", "--lang", "es") == 0
    told = capsys.readouterr().out
    assert "=== Ronda 8" in told
    assert "Round" not in told
    assert "draws" not in told


def test_the_audit_speaks_the_language_that_was_asked_for(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(file), "--lang", "es"]) == 0
    told = capsys.readouterr().out
    assert "todos han firmado el resultado" in told
    assert "gana" in told
    _damage(file)
    assert main(["audit", str(file), "--lang", "pl"]) == 1
    assert "Plik został zmieniony, uszkodzony albo zmyślony" in capsys.readouterr().out


def test_why_a_file_is_no_transcript_is_said_in_the_language_that_was_asked_for(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_bytes(b"something else")
    assert main(["audit", str(file), "--lang", "pl"]) == 2
    assert "to nie jest zapis gry" in capsys.readouterr().err
    assert main(["replay", str(file), "--lang", "es"]) == 2
    assert "no es la transcripción de una partida" in capsys.readouterr().err


def _damage(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(bytes(data))


def test_an_unfinished_game_is_told_as_far_as_it_goes(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = played().record
    file.write_bytes(replace(record, entries=record.entries[:60]).to_bytes())
    assert run(str(file), "--lines") == 0
    assert "did not come to its end" in capsys.readouterr().out


def test_a_changed_file_is_refused_as_by_the_audit(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _damage(file)
    assert run(str(file), "--lines") == 1
    told = capsys.readouterr().out
    assert "Fault in entry" in told
    assert "Round" not in told


def test_what_is_no_transcript_is_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"something else")
    assert run(str(file)) == 2
    assert "can't be shown: this is not the transcript of a game" in capsys.readouterr().err
    assert run(str(file.parent / "nothing")) == 2
    assert "can't be read" in capsys.readouterr().err


def test_without_a_file_past_games_are_listed_by_number_and_one_is_shown_by_it(
    tmp_path: Path, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ("--data", str(tmp_path), "--profile", "kim", "--lines")
    assert run(*where) == 0
    assert capsys.readouterr().out.startswith("No game has been played to its end in this profile yet.")
    games = tmp_path / "kim" / "games"
    games.mkdir(parents=True)
    (games / f"{'ab' * 32}.sheriff").write_bytes(file.read_bytes())
    (games / f"{'cd' * 32}.sheriff").write_bytes(b"rubbish")
    assert run(*where) == 0
    listed = capsys.readouterr().out.splitlines()
    (line,) = [line for line in listed if "Robin" in line]
    number, *_, last = line.split()
    assert listed[-1].startswith("`p2p-sheriff replay NUMBER` shows one again")
    assert run(number, *where) == 0
    assert "=== Round 8" in capsys.readouterr().out
    assert run("7", *where) == 2
    assert "There is no game 7: `p2p-sheriff replay` lists those from 1 to 2." in capsys.readouterr().err
    assert last


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
