"""A person's game in lines of text, through a real terminal."""

import fcntl
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import OPTIONS, Edition, Setup
from p2p_sheriff.session.record import Record
from p2p_sheriff.session.terms import setup_of
from protocol.identity import Identity
from tests.commands.person import QUESTION, Person
from tests.commands.terminal import WIDE, Terminal
from tests.drbg import Drbg
from tests.node.mortal import GROUP, charter_of


@pytest.mark.slow
def test_a_round_against_bots_is_played_by_typing_and_after_leaving_it_goes_on_with_the_same_bots(
    tmp_path: Path,
) -> None:
    options = ["--name", "Kim", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    with Terminal(["play", "--bots", "2", "--pace", "0.2", *options], width=WIDE) as terminal:
        place = terminal.wait_for(QUESTION.pattern).start()
        for line, answer in {
            "frobnicate": "That means nothing here",
            "hand": "Your hand: 1 ",
            "table": r"Kim \(you\): 50 gold, an empty stall",
            "mute marian": "You don't see any more what Marian says",
            "unmute MA": "You see again what Marian says",
            "mute nobody": "Who is nobody",
            "words": r"The words of this table: (\w+ ){5}\w+\.",
            "help": "mute NAME",
        }.items():
            terminal.type(line)
            terminal.wait_for(answer, start=place)
        Person(terminal).play_until("=== Round 2", 600)
        terminal.type("quit")
        terminal.wait_for("`p2p-sheriff resume` goes on")
        assert terminal.exit_code() == 0
        assert "Traceback" not in terminal.text
    with Terminal(["resume", *options], width=WIDE) as terminal:
        terminal.wait_for(r"Checking what was played so far: (\d+) of \1\.")
        assert terminal.text.count("Checking what was played so far") == 2, "told for every entry"
        terminal.wait_for("Waiting for .* to come back: they must show what they have")
        terminal.wait_for("Round 2: ")
        Person(terminal).play_until("=== Round 3", 600)
        terminal.type("quit")
        assert terminal.exit_code() == 0
        assert "Traceback" not in terminal.text


@pytest.mark.slow
def test_a_game_speaks_polish_and_understands_it(tmp_path: Path) -> None:
    options = ["--lang", "pl", "--name", "Łucja", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    with Terminal(["play", "--bots", "2", "--pace", "0.2", *options]) as terminal:
        place = terminal.wait_for(r">>> (Jesteś szeryfem|Targ|Spakuj torbę)").end()
        for line, answer in {
            "tańcz": "Tego tu nie rozumiem",
            "stol": r"Łucja \(to ty\): 50 sztuk złota, pusty stragan",
            "wycisz marian": "Nie widzisz już, co mówi Marian",
            "pomoc": "W każdej chwili: ręka, stół",
            "koniec": "Odchodzisz na razie od stołu",
        }.items():
            terminal.type(line)
            terminal.wait_for(answer, start=place)
        assert terminal.exit_code() == 0
        assert not re.search(r"Traceback|\b[Tt]he\b", terminal.text)


@pytest.mark.slow
def test_bots_end_with_whoever_has_started_them_even_if_that_is_killed(tmp_path: Path) -> None:
    options = ["--name", "Kim", "--data", str(tmp_path), "--interface", "127.0.0.1"]
    with Terminal(["play", "--bots", "2", *options]) as terminal:
        terminal.wait_for(">>> ")
        locks = [tmp_path / "default" / "bots" / f"bot-{name}" / "lock" for name in ("robin", "marian")]
        assert all(is_held(lock) for lock in locks)
        terminal.kill()
        end = time.monotonic() + 600
        while any(is_held(lock) for lock in locks):
            assert time.monotonic() < end, "a bot has outlived its table"
            time.sleep(0.1)


def is_held(lock: Path) -> bool:
    """Returns whether a process has the profile of this lock."""
    with lock.open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def sheriff(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2p_sheriff", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def test_nothing_to_resume_and_nobody_to_connect_to_are_said_in_a_sentence(tmp_path: Path) -> None:
    loopback = ["--data", str(tmp_path), "--interface", "127.0.0.1"]
    run = sheriff("resume", *loopback)
    assert (run.returncode, run.stderr) == (2, "There is no interrupted game in this profile.\n")
    run = sheriff("resume", "--lang", "es", *loopback)
    assert (run.returncode, run.stderr) == (2, "No hay ninguna partida interrumpida en este perfil.\n")
    run = sheriff("join", "127.0.0.1:9", *loopback)
    assert run.returncode == 2
    assert run.stderr.startswith("127.0.0.1:9: ")
    assert "Traceback" not in run.stderr


def test_a_game_that_is_given_up_can_not_be_resumed_and_its_keys_are_gone(tmp_path: Path) -> None:
    with Profile.open("anna", tmp_path) as profile:
        identities = [profile.identity(), *(Identity.generate(Drbg(name)) for name in ("ben", "cleo"))]
        keeper = Keeper.begin(profile, charter_of(identities, Setup(3)), GROUP, Drbg("anna"))
        keeper.session.say("hello")
        keeper.store()
        keeper.close()
    keys = keeper.log.path.with_suffix(".keys")
    assert keys.exists()
    options = ["--give-up", "--profile", "anna", "--data", str(tmp_path)]
    run = sheriff("resume", *options)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout.startswith("The game is given up. The keys to your cards are wiped")
    assert not keys.exists()
    assert sheriff("resume", *options).stderr == "There is no interrupted game in this profile.\n"


@pytest.mark.slow
def test_without_a_terminal_play_is_a_demo_that_ends_with_an_audit() -> None:
    run = sheriff("play", "--bots", "2", "--pace", "0")
    assert run.returncode == 0, run.stderr
    assert "3 of 3 nodes ended with the same result." in run.stdout
    assert run.stdout.endswith("The audit of the transcript passed.\n")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_six_processes_play_the_first_edition_with_all_modules_and_the_audit_accepts_their_file(tmp_path: Path) -> None:
    file = tmp_path / "game.sheriff"
    table = ["--players", "6", "--edition", "first", "--with", ",".join(OPTIONS)]
    run = sheriff("demo", *table, "--pace", "0", "--out", str(file))
    assert run.returncode == 0, run.stderr
    assert "6 of 6 nodes ended with the same result." in run.stdout
    setup = setup_of(Record.from_bytes(GROUP, file.read_bytes()).charter)
    assert (setup.players, setup.edition, setup.options) == (6, Edition.FIRST, frozenset(OPTIONS))
    checked = sheriff("audit", str(file))
    assert (checked.returncode, checked.stderr) == (0, "")
