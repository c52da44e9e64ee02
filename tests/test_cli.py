import subprocess
import sys
from io import BytesIO, TextIOWrapper

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


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_a_language(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert "--lang CODE" in capsys.readouterr().out


def test_an_unknown_language_is_refused_with_those_that_there_are() -> None:
    run = sheriff("resume", "--lang", "xx")
    assert run.returncode == 2
    assert run.stderr.startswith("There are no texts in the language 'xx'. There are: en (English)")


def test_letters_that_the_output_does_not_have_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = BytesIO()
    output = TextIOWrapper(data, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", output)
    assert main(["resume", "--lang", "xx"]) == 2
    output.write("Łucja")
    output.flush()
    assert data.getvalue() == b"?ucja"


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
