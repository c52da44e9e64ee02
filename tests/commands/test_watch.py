"""Looking on at a game: before it begins, in the middle of it, in a terminal and in a pipe."""

import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex

import pytest

from tests.commands.terminal import PROGRAM, Terminal
from tests.table.games import SHORT_DECK

DECK = ",".join(f"{kind}={count}" for kind, count in SHORT_DECK)
LOOPBACK = ("--interface", "127.0.0.1")


@contextmanager
def bot(folder: Path, name: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    command = [*PROGRAM, "bot", "--data", str(folder), "--profile", name, "--name", name, "--pace", "1", *LOOPBACK]
    command += arguments
    with subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_onlookers_come_before_and_during_a_game_see_the_same_score_and_keep_a_transcript_that_passes_the_audit(
    tmp_path: Path,
) -> None:
    opener = f"Ann{token_hex(2)}"
    title, look = f"{opener}'s table", ["--data", str(tmp_path), *LOOPBACK]
    with ExitStack() as stack:
        first = stack.enter_context(bot(tmp_path, opener, "--open", "3", "--deck", DECK))
        early = stack.enter_context(Terminal(["watch", opener, "--out", str(tmp_path / "early.sheriff"), *look]))
        early.wait_for("is still being gathered")
        others = [stack.enter_context(bot(tmp_path, name, "--join", title)) for name in ("Bo", "Cy")]
        early.wait_for(r"So far:\nRound 1: ")
        command = [
            *PROGRAM,
            "watch",
            title,
            "--profile",
            "late",
            "--from-start",
            "--out",
            str(tmp_path / "late.sheriff"),
        ]
        late = stack.enter_context(
            subprocess.Popen([*command, *look], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        )
        stack.callback(late.kill)
        early.wait_for("The merchants load their bags")
        place = len(early.text)
        for line, answer in {
            "table": rf"^{opener}: (?:bot: \w+, )?\d+ gold",
            "offers": r"No offers stand|^\w+ \d+: ",
            "pile": "On the discard pile",
            "words": r"The words of this table: (\w+ ){5}\w+\.",
            "mute bo": "You don't see any more what Bo says",
            "mute nobody": "Who is nobody",
            "inspect bo": "You only look: type table",
        }.items():
            early.type(line)
            early.wait_for(answer, start=place)
        told, _ = late.communicate()
        early.wait_for("The transcript is in")
        assert (early.exit_code(), late.returncode) == (0, 0)
        results = {process.communicate()[0].splitlines()[-1] for process in (first, *others)}
        assert len(results) == 1  # The players were not disturbed.
    assert "So far:" not in told
    assert told.count("=== Round ") == 9
    assert "draws six cards" in told
    assert "Traceback" not in told + early.text
    assert sheet(told) == sheet(early.text)
    for name in ("early.sheriff", "late.sheriff"):
        run = subprocess.run([*PROGRAM, "audit", str(tmp_path / name)], capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stdout + run.stderr


def sheet(told: str) -> str:
    found = re.search(r"^\S+: \d+ in gold, .*!$", told, re.MULTILINE | re.DOTALL)
    assert found is not None
    return " ".join(found[0].split())
