import subprocess
import sys

import pytest

from p2p_sheriff.cli import main

COMMANDS = ("audit", "bench", "bot", "demo", "doctor", "host", "join", "play", "resume", "simulate")


def sheriff(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2p_sheriff", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_help_names_every_command_and_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], *([command, "--help"] for command in COMMANDS)):
        with pytest.raises(SystemExit) as stop:
            main(arguments)
        assert stop.value.code == 0
    text = capsys.readouterr().out
    assert all(f"\n    {command} " in text for command in COMMANDS)


def test_the_version_is_told() -> None:
    assert sheriff("--version").stdout.startswith("p2p-sheriff 0.")


@pytest.mark.parametrize("arguments", [["dance"], ["simulate", "--players", "x"], ["audit"], ["bench", "--loud"]])
def test_what_is_no_command_gets_a_sentence_and_exit_code_2(arguments: list[str]) -> None:
    run = sheriff(*arguments)
    assert run.returncode == 2
    assert "error:" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_reader_who_leaves_early_sees_no_traceback() -> None:
    program = f"{sys.executable} -m p2p_sheriff simulate --players 3 --games 2 --seed 1 --workers 1 | head -c 1"
    run = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert len(run.stdout) == 1
    assert run.stderr == ""
