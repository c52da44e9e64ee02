import fcntl
import json
import os
import struct
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from p2p_sheriff.cli import main
from p2p_sheriff.commands import doctor
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.selftest import SELF_TESTS
from tests.node.lan import Lan, ip, laid, missing_for_firewalls

NOWHERE = ("--interface", "nowhere")
"""No interface has that name, so nothing of the network is tried."""


def examined(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, list[dict[str, str]]]]:
    """Returns the exit code and the findings by topic."""
    code = main(["doctor", "--json", *arguments])
    captured = capsys.readouterr()
    assert captured.err == ""
    report = json.loads(captured.out)
    assert report["can_play"] == (code == 0)
    topics: dict[str, list[dict[str, str]]] = {}
    for finding in report["findings"]:
        topics.setdefault(finding["topic"], []).append(finding)
    return code, topics


def verdicts(findings: list[dict[str, str]]) -> set[str]:
    return {finding["verdict"] for finding in findings}


def test_on_a_machine_that_works_everything_is_found_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, topics = examined(capsys, "--interface", "127.0.0.1", "--data", str(tmp_path))
    assert code == 0
    for topic in ("libraries", "self-test", "interfaces", "port", "multicast", "clock", "profile"):
        assert verdicts(topics[topic]) == {"ok"}, topics[topic]
    assert len(topics["self-test"]) == len(SELF_TESTS)
    assert "127.0.0.1" in topics["multicast"][0]["text"]
    assert list(tmp_path.iterdir()) == []


def test_without_a_network_it_says_so_and_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *NOWHERE, "--data", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "none is called nowhere" in output
    assert "--connect HOST:PORT" in output
    assert output.splitlines()[-1] == "You can play here, with the limits above."


def test_a_profile_that_can_not_be_made_is_a_problem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no folder")
    assert main(["doctor", *NOWHERE, "--data", str(tmp_path / "file" / "deeper")]) == 1
    output = capsys.readouterr().out
    assert "problem  profile" in output
    assert "--data FOLDER" in output
    assert output.splitlines()[-1] == "You can't play here yet: see the problems above."


def spoil(path: Path) -> None:
    path.write_bytes(b"no key")


def lose_name(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize("damage", [spoil, lose_name])
def test_a_profile_whose_key_is_damaged_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None]
) -> None:
    with Profile.open("default", tmp_path) as profile:
        profile.identity()
    damage(tmp_path / "default" / "identity")
    code, topics = examined(capsys, *NOWHERE, "--data", str(tmp_path))
    assert code == 1
    assert "identity" in topics["profile"][0]["text"]
    assert "--profile NAME" in topics["profile"][0]["advice"]


def test_a_profile_that_others_could_look_into_is_made_private(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Profile.open("default", tmp_path) as profile:
        profile.folder.chmod(0o755)
    code, topics = examined(capsys, *NOWHERE, "--data", str(tmp_path))
    assert code == 0
    assert [finding["verdict"] for finding in topics["profile"]] == ["ok", "warning"]
    assert "755" in topics["profile"][1]["text"]
    assert (tmp_path / "default").stat().st_mode & 0o777 == 0o700
    assert not (tmp_path / "default" / "doctor").exists()


def test_a_profile_that_is_in_use_is_said_to_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Profile.open("default", tmp_path):
        code, topics = examined(capsys, *NOWHERE, "--data", str(tmp_path))
    assert code == 0
    assert str(os.getpid()) in topics["profile"][0]["text"]


def test_a_library_that_computes_wrongly_is_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("deep inside a library")

    monkeypatch.setitem(SELF_TESTS, "signature", broken)
    code, topics = examined(capsys, *NOWHERE, "--data", str(tmp_path))
    assert code == 1
    assert [finding["text"] for finding in topics["self-test"] if finding["verdict"] == "problem"] == [
        "signature: ZeroDivisionError: deep inside a library"
    ]


def test_a_check_that_fails_itself_is_a_finding_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def surprise() -> AsyncIterator[doctor.Finding]:
        raise PermissionError("no clock for you")
        yield

    monkeypatch.setattr(doctor, "_clock", surprise)
    code, topics = examined(capsys, *NOWHERE, "--data", str(tmp_path))
    assert code == 1
    assert "no clock for you" in topics["clock"][0]["text"]


@pytest.mark.parametrize(
    ("size", "environment", "words"),
    [
        ((24, 80), {"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "80x24, all colours"),
        ((40, 120), {"TERM": "xterm", "NO_COLOR": "1"}, "120x40, no colours, as NO_COLOR asks"),
        ((10, 40), {"TERM": "xterm"}, "40x10 is small"),
        ((24, 80), {"TERM": "dumb", "PYTHONIOENCODING": "ascii"}, "the encoding is ascii"),
    ],
)
def test_a_terminal_is_described(
    tmp_path: Path, size: tuple[int, int], environment: dict[str, str], words: str
) -> None:
    main_end, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "PYTHONPATH")}
    with os.fdopen(main_end, "rb", buffering=0) as output:
        subprocess.run(
            [sys.executable, "-m", "p2p_sheriff", "doctor", *NOWHERE, "--data", str(tmp_path)],
            stdin=terminal,
            stdout=terminal,
            env=kept | {"PYTHONUTF8": "1"} | environment,
            check=True,
        )
        shown = output.read(1 << 14).decode()
    os.close(terminal)
    assert words in shown


# -- on hosts that fail in their own ways


slow = pytest.mark.slow


@pytest.fixture
def lan() -> Iterator[Lan]:
    if why := missing_for_firewalls():
        pytest.skip(why)
    with laid(2) as lan:
        yield lan


def report_from(lan: Lan, host: int, folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        lan.command(host, "doctor", "--data", str(folder)), check=False, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


@slow
def test_a_host_whose_multicast_works_is_told_so(lan: Lan, tmp_path: Path) -> None:
    code, report = report_from(lan, 1, tmp_path)
    assert code == 0
    assert "ok       multicast   a node was announced and found on eth0 (10.77.0.1)" in report
    assert "10.77.0.1 answers on an opened port" in report


@slow
def test_a_host_without_multicast_is_told_so_and_what_to_do(lan: Lan, tmp_path: Path) -> None:
    lan.forbid_multicast(1)
    code, report = report_from(lan, 1, tmp_path)
    assert code == 0
    assert "warning  multicast   does not work on eth0 (10.77.0.1)" in report
    assert "they add --connect HOST:PORT" in report


@slow
def test_a_host_without_an_address_is_told_to_get_one(lan: Lan, tmp_path: Path) -> None:
    ip("-n", lan.namespace(1), "addr", "flush", "dev", "eth0")
    code, report = report_from(lan, 1, tmp_path)
    assert code == 0
    assert "has no IPv4 address on any network" in report
    assert "Plug in a cable" in report


@slow
def test_a_host_that_can_not_even_reach_itself_is_examined_to_the_end(lan: Lan, tmp_path: Path) -> None:
    ip("-n", lan.namespace(1), "link", "set", "lo", "down")
    ip("-n", lan.namespace(1), "link", "set", "eth0", "down")
    code, report = report_from(lan, 1, tmp_path)
    assert code == 0
    assert "warning  port" in report
    assert "profile" in report
