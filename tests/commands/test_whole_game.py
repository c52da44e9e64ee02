"""A person's game against bots, from `make play` to the score, through a real terminal."""

import re
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import pytest

from tests.commands.person import Person
from tests.commands.terminal import PROGRAM, WIDE, Terminal

ROOT = Path(__file__).parents[2]
SECONDS = 600


def make() -> tuple[str, ...]:
    """Returns the command that plays with the interpreter of this test, as it is set up."""
    return ("make", "--no-print-directory", "--old-file", f"{sys.prefix}/.ready", f"VENV={sys.prefix}", "play")


@pytest.mark.slow
@pytest.mark.timeout(2 * SECONDS)
def test_a_person_plays_a_whole_game_from_make_play_to_the_score_haggles_audits_it_and_plays_again(
    tmp_path: Path,
) -> None:
    name = f"Kim{token_hex(2)}"
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data"), "TERM": "xterm"}
    with Terminal([f"ARGS=--lines --pace 0.2 --name {name}"], make(), ROOT, homes, WIDE) as terminal:
        person = Person(terminal)
        person.play_until(r"(?:wins|share the win)!", SECONDS)
        found = terminal.wait_for(r"The transcript is in\s+(\S+);")
        assert "All players have shuffled the 204 cards" in terminal.text
        assert re.findall(r"=== Round (\d+)", terminal.text) == [str(number) for number in range(1, 9)]
        assert re.search(r"Your offer \d+: You pay \w+ [23] gold.*: let your bag pass", terminal.text)
        assert re.search(r"(?:accepts|refuses) your offer \d+", terminal.text)
        assert {"first", "load", "declare", "offer"} <= person.typed
        run = subprocess.run([*PROGRAM, "audit", found[1]], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        assert all(player in run.stdout for player in (name, "Robin", "Marian", "Tuck"))
        terminal.wait_for("Type rematch", start=found.end())
        terminal.type("rematch")
        terminal.wait_for("Type: ready", start=found.end())
        terminal.type("ready")
        again = terminal.wait_for("All players have shuffled the 204 cards", start=found.end())
        terminal.wait_for(">>> ", start=again.end())
        terminal.type("quit")
        terminal.wait_for("`p2p-sheriff resume` goes on")
        assert terminal.exit_code() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.slow
@pytest.mark.timeout(2 * SECONDS)
def test_a_person_plays_the_first_edition_to_the_score_and_its_transcript_is_accepted(tmp_path: Path) -> None:
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    arguments = ["play", "--edition", "first", "--bots", "2", "--lines", "--pace", "0.1", "--haggle", "1"]
    with Terminal([*arguments, "--name", f"Kim{token_hex(2)}"], environment=homes, width=WIDE) as terminal:
        person = Person(terminal)
        person.play_until(r"(?:wins|share the win)!", SECONDS)
        found = terminal.wait_for(r"The transcript is in\s+(\S+);")
        assert {"aside", "take", "lay", "load", "declare"} <= person.typed
        assert re.search(r"turns up the first discards, the last on top", terminal.text)
        run = subprocess.run([*PROGRAM, "audit", found[1]], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr
        assert "Traceback" not in terminal.text
