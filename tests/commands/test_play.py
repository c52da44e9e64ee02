"""A person's game in lines of text, through a real terminal."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.terminal import Terminal


def answer(question: str, shown: str) -> str:
    """Returns what an honest and obliging player types."""
    if "first?" in question:
        return "first marian"
    if "set aside" in question:
        return "aside 1"
    if "Load" in question:
        return "load 1 2"
    if "Hand your bag" in question:
        return "declare apples"
    if "inspect a bag" in question:
        return f"pass {re.findall(r'^(Marian|Tuck): ', shown, re.MULTILINE)[-1].lower()} for nothing"
    return "no"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_round_against_bots_is_played_by_typing_and_goes_on_after_leaving(tmp_path: Path) -> None:
    options = ["--name", "Kim", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    with Terminal(["play", "--bots", "2", "--pace", "0.2", *options]) as terminal:
        place = terminal.wait_for(">>> (.*)\n(?s:.*?)Type ").end()
        terminal.type("frobnicate")
        terminal.wait_for("That means nothing here", start=place)
        terminal.type("hand")
        terminal.wait_for("Your hand: 1 ", start=place)
        terminal.type("table")
        terminal.wait_for(r"Kim \(you\): 50 gold, an empty stall", start=place)
        start = 0
        while "=== Round 2" not in terminal.text:
            found = terminal.wait_for(r">>> (.*)\n(?s:.*?)Type |=== Round 2", start=start)
            start = found.end()
            if found[1]:
                terminal.type(answer(found[1], found[0]))
        terminal.wait_for("=== Round 2")
        terminal.type("quit")
        terminal.wait_for("`p2p-sheriff resume` goes on")
        assert terminal.exit_code() == 0
        assert "Traceback" not in terminal.text
    with Terminal(["resume", *options]) as terminal:
        terminal.wait_for("Checking what was played so far")
        terminal.type("table")
        terminal.wait_for("Round 2, ")


def sheriff(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2p_sheriff", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play", "--bots", "1"], "3 to 6 players, not 2"),
        (["play", "--bots", "5"], "Six players can't play at the table yet"),
        (["play", "--edition", "first"], "first edition can't be played at the table yet"),
        (["demo", "--with", "timer"], "timer can't be played at the table yet"),
        (["host", "--with", "dragons"], "no option 'dragons'"),
        (["join", "nowhere:x"], "no HOST:PORT"),
        (["join", "x", "--connect", "127.0.0.1"], "no HOST:PORT"),
    ],
)
def test_what_can_not_be_played_gets_a_sentence_and_exit_code_2(arguments: list[str], sentence: str) -> None:
    run = sheriff(*arguments)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert "Traceback" not in run.stderr


def test_nothing_to_resume_and_nobody_to_connect_to_are_said_in_a_sentence(tmp_path: Path) -> None:
    loopback = ["--data", str(tmp_path), "--interface", "127.0.0.1"]
    run = sheriff("resume", *loopback)
    assert (run.returncode, run.stderr) == (2, "There is no interrupted game in this profile.\n")
    run = sheriff("join", "127.0.0.1:9", *loopback)
    assert run.returncode == 2
    assert run.stderr.startswith("127.0.0.1:9: ")
    assert "Traceback" not in run.stderr


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_without_a_terminal_play_is_a_demo_that_ends_with_an_audit() -> None:
    run = sheriff("play", "--bots", "2", "--pace", "0")
    assert run.returncode == 0, run.stderr
    assert "3 of 3 nodes ended with the same result." in run.stdout
    assert run.stdout.endswith("The audit of the transcript passed.\n")
