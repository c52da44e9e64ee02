import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

from p2p_sheriff.rules import outcome
from p2p_sheriff.session.acts import Payload, Seals
from p2p_sheriff.session.record import SUFFIX
from tests.table.transcripts import Game, finished_game

COMMAND = [sys.executable, "-m", "p2p_sheriff", "audit"]


@pytest.fixture
def game() -> Game:
    return finished_game()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / f"game{SUFFIX}"


def run(*arguments: str | Path, encoding: str = "utf-8") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, text=True, env=environment, check=False
    )
    assert "Traceback" not in done.stderr
    return done


def test_a_valid_game_prints_the_scores_and_exits_with_0(game: Game, file: Path) -> None:
    file.write_bytes(game.content)
    done = run(file)
    result = outcome(game.sessions[0].play.state)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Game {game.charter.game.hex()}" in done.stdout
    assert f"Valid: {len(game.entries)} entries" in done.stdout
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("player ")]
    assert [int(row[5]) for row in rows] == [score.total for score in result.scores]
    assert all(int(row[2]) + int(row[3]) + int(row[4]) == int(row[5]) for row in rows)
    assert [seat for seat, row in enumerate(rows) if row[-1] == "wins"] == list(result.winners)


def test_a_valid_game_as_json(game: Game, file: Path) -> None:
    file.write_bytes(game.content)
    done = run(file, "--json", encoding="ascii")
    report = json.loads(done.stdout)
    result = outcome(game.sessions[0].play.state)
    assert done.returncode == 0
    assert (report["verdict"], report["game"], report["fault"]) == ("valid", game.charter.game.hex(), None)
    assert report["entries"] == len(game.entries)
    assert [(one["seat"], one["name"]) for one in report["scores"]] == [(s, f"player {s}") for s in range(3)]
    assert [one["total"] for one in report["scores"]] == [score.total for score in result.scores]
    assert [one["seat"] for one in report["scores"] if one["wins"]] == list(result.winners)
    for one in report["scores"]:
        assert one["total"] == one["gold"] + sum(part["points"] for part in one["goods"] + one["crowns"])


def test_a_fault_names_entry_seat_and_reason_and_exits_with_1(game: Game, file: Path) -> None:
    place = game.seals[0]
    entry = game.signed[place].entry
    file.write_bytes(game.instead(place, game.resigned(place, payload=Payload((Seals(bytes(32)),)).to_value())))
    done = run(file)
    who = f"number {entry.sequence} of seat {entry.author} (player {entry.author})"
    assert done.returncode == 1
    assert f"Fault in entry {place} of the file, {who}: this is not the result of the game." in done.stdout
    assert "Valid" not in done.stdout


def test_a_fault_as_json(game: Game, file: Path) -> None:
    entry = game.signed[3].entry
    file.write_bytes(game.instead(3, game.sign((entry.author + 1) % 3, entry)))
    done = run(file, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["verdict"], report["scores"]) == ("fault", [])
    assert report["fault"] == {
        "entry": 3,
        "seat": entry.author,
        "name": f"player {entry.author}",
        "number": entry.sequence,
        "code": "UNSIGNED",
        "reason": "its alleged author did not sign it",
        "proven": False,
    }


def test_a_broken_charter_is_a_fault_without_an_entry(game: Game, file: Path) -> None:
    file.write_bytes(game.content[:60])
    done = run(file, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert (report["verdict"], report["game"], report["fault"]["entry"]) == ("fault", None, None)
    assert "Fault in the charter: the transcript breaks off" in run(file).stdout


def test_an_unfinished_game_says_for_whom_it_waits_and_exits_with_1(game: Game, file: Path) -> None:
    file.write_bytes(game.having(game.entries[:2]))
    done = run(file)
    assert done.returncode == 1
    assert "Unfinished: all 2 entries are valid, but the game is not decided." in done.stdout
    assert "The game waits for seat 2 (player 2), or the end of the file is missing." in done.stdout
    report = json.loads(run(file, "--json").stdout)
    assert (report["verdict"], report["waits_for"], report["cut_off"]) == ("unfinished", [2], False)


def test_a_file_that_is_no_transcript_exits_with_2(file: Path) -> None:
    file.write_bytes(b"a shopping list")
    done = run(file)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"{file} can't be audited: this is not the transcript of a game.\n"


def test_a_file_that_is_not_there_or_a_folder_exits_with_2(tmp_path: Path) -> None:
    for path in (tmp_path / "nothing", tmp_path):
        done = run(path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{path} can't be read: ")


def test_no_file_at_all_exits_with_2_and_says_how_to_call() -> None:
    done = run()
    assert done.returncode == 2
    assert "This is missing: FILE" in done.stderr


def test_an_audit_stopped_from_the_keyboard_says_so(file: Path) -> None:
    os.mkfifo(file)
    # Where tests run in the background the signal is ignored, also by the programs that they start.
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = f"{listens}; from p2p_sheriff.cli import main; raise SystemExit(main(['audit', {str(file)!r}]))"
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)
    with process, file.open("wb"):  # Opened when the audit has opened it to read.
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert (process.returncode, said) == (130, "Stopped before everything was checked.\n")


def test_progress_is_shown_on_a_terminal_and_wiped_at_the_end(game: Game, file: Path) -> None:
    file.write_bytes(game.having(game.entries[:3]))
    reader, terminal = os.openpty()
    shown = bytearray()

    def read() -> None:
        try:
            while data := os.read(reader, 1024):
                shown.extend(data)
        except OSError:
            """The other side is closed."""

    thread = Thread(target=read)
    thread.start()
    with subprocess.Popen([*COMMAND, str(file)], stderr=terminal, stdout=subprocess.DEVNULL) as process:
        os.close(terminal)
    thread.join()
    os.close(reader)
    assert process.returncode == 1
    assert b"checked 1 of 3 entries" in shown
    assert shown.endswith(b"checked 3 of 3 entries\r\x1b[K")
