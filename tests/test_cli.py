"""The command line: help, errors and hints, in every language, at once."""

import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import p2p_sheriff.bots
from p2p_sheriff.cli import main
from p2p_sheriff.gathering.tables import MAX_PURSE
from p2p_sheriff.rules import OPTIONS, Edition, Setup
from p2p_sheriff.session import terms
from p2p_sheriff.session.acts import MAX_PATIENCE_SECONDS
from p2p_sheriff.texts import ENGLISH, LANGUAGES, Texts
from p2p_sheriff.verbs import values
from p2p_sheriff.verbs.verbs import VERBS

HEAVY = ("nacl", "cryptography", "zeroconf", "prompt_toolkit", "msgpack", "asyncio", "protocol", "p2p_sheriff.rules")
"""What takes most of the time of a start, or stands for all that does."""

EVERY_VERB = pytest.mark.parametrize("verb", VERBS)
SLIPS = pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["dance"], 'There is no command "dance".\n`p2p-sheriff --help` shows what there is.'),
        (["hots"], 'There is no command "hots". Did you mean host?'),
        (["play", "--linse"], 'There is no option "--linse" here. Did you mean --lines?'),
        (["--bad"], 'There is no option "--bad" here.'),
        (["join"], "This is missing: TABLE"),
        (["play", "--bots"], "--bots: a value is missing after it"),
        (["play", "--lines=3"], "--lines: it takes no value, so '3' means nothing"),
        (["play", "--bots", "x"], "--bots: x is no whole number"),
        (["play", "--bots", "9"], "--bots: 2 to 5 bots can play with you, not 9: a table has 3 to 6 players"),
        (["host", "--players", "7"], "3 to 6 can play at a table, not 7"),
        (["play", "--edition", "third"], "--edition: third is none of: first, second"),
        (["host", "--with", "dragons"], "dragons is none of: royal, timer, missing, seven, black-market"),
        (["play", "--level", "lazy"], "--level: lazy is none of: mixed, easy, normal, hard"),
        (["play", "--pace", "-1"], "--pace: -1 is no number of seconds from 0 to 3600"),
        (["play", "--pace", "nan"], "--pace: nan is no number of seconds"),
        (["host", "--purse", "-3"], "--purse: from 0 to 1000000000, not -3"),
        (["join", "nowhere:x"], "TABLE: nowhere:x is no HOST:PORT"),
        (["join", "x", "--connect", "127.0.0.1"], "--connect: 127.0.0.1 is no HOST:PORT"),
        (["simulate", "--players", "7"], "--players: from 3 to 6, not 7"),
        (["audit"], "This is missing: FILE"),
        (["play", "--lang", "xx"], "There are no texts in the language 'xx'. There are: en (English)"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)


def sheriff(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2p_sheriff", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)


def run(*arguments: str) -> int:
    """Runs the command line here; returns its exit code."""
    try:
        return main(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else -1


# -- help


def test_the_help_names_every_command_in_groups_with_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == 0
    text = capsys.readouterr().out
    assert all(f"\n  {verb:9} " in text for verb in VERBS if verb != "lobby")
    assert text.index("To play:") < text.index("\n  play") < text.index("\n  join") < text.index("\n  bench")
    assert "\n  p2p-sheriff host --players 4\n" in text


@EVERY_VERB
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_of_every_command_is_in_the_language_that_was_asked_for(
    verb: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(verb, "--help", "--lang", language) == 0
    text, texts = capsys.readouterr().out, Texts.of(language)
    assert texts(f"verb.{verb}") in text
    assert texts("usage.help") in text
    assert "--lang CODE" in text
    if language != "en":
        assert not any(
            sentence in text for sentence in ("show this help", "default:", "usage:", "options:", "Examples")
        )


def test_every_text_about_an_option_is_shown_by_some_command(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in VERBS:
        run(verb, "--help")
    shown = "".join(capsys.readouterr().out.split())  # However it is wrapped.
    for key in (key for key in ENGLISH.entries if key.startswith("option.")):
        begin = str(ENGLISH.entries[key]).partition("{")[0]
        assert "".join(begin.split()) in shown, key


def test_the_language_may_stand_before_the_command_and_may_be_that_of_the_system(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for arguments in (["--lang", "pl", "--help"], ["--help", "--lang=pl"], ["--lang=pl", "play", "--help"]):
        assert run(*arguments) == 0
        assert "Przykłady:" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "es_ES.UTF-8")
    assert run("--help") == 0
    assert "Ejemplos:" in capsys.readouterr().out


def test_the_version_is_told() -> None:
    assert sheriff("--version").stdout.startswith("p2p-sheriff 0.")


def test_without_a_screen_the_lobby_names_the_commands_that_need_none() -> None:
    bare = sheriff("--lang", "es")
    assert (bare.returncode, bare.stdout) == (2, "")
    assert bare.stderr.startswith("El vestíbulo necesita un terminal")
    assert sheriff("lobby", "--lang", "es").stderr == bare.stderr


# -- slips


@SLIPS
def test_a_slip_gets_a_sentence_a_hint_and_exit_code_2(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    text = capsys.readouterr()
    assert text.out == ""
    assert sentence in text.err
    assert "Traceback" not in text.err


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
@SLIPS
def test_errors_speak_the_language_that_was_asked_for(
    arguments: list[str], sentence: str, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--lang" in arguments:
        return
    assert run("--lang", language, *arguments) == 2
    err = capsys.readouterr().err
    assert sentence not in err
    assert not any(word in err for word in ("There is", " is no ", "shows what", "error", "invalid", "required"))


def test_what_is_said_twice_about_tables_and_bots_is_the_same() -> None:
    least, most = values.PLAYERS
    assert range(least, most + 1) == terms.PLAYERS
    assert Setup(most).players == most
    assert tuple(edition.value for edition in terms.EDITIONS) == values.EDITIONS
    assert sorted(edition.value for edition in Edition) == sorted(values.ALL_EDITIONS)
    assert (terms.OPTIONS, OPTIONS) == (values.OPTIONS, values.ALL_OPTIONS)
    assert p2p_sheriff.bots.STYLES == values.STYLES
    assert (MAX_PURSE, MAX_PATIENCE_SECONDS) == (values.MAX_PURSE, values.MOST_SECONDS)


def test_play_without_a_terminal_refuses_options_that_would_mean_nothing(tmp_path: Path) -> None:
    result = sheriff("play", "--data", str(tmp_path), "--interface", "nosuch0", "--name", "Kim")
    assert (result.returncode, result.stdout) == (2, "")
    assert "--name, --interface, --data would mean nothing. With --lines you play through the pipe." in result.stderr


def test_play_in_lines_through_a_pipe_hears_bad_options(tmp_path: Path) -> None:
    result = sheriff("play", "--lines", "--data", str(tmp_path), "--interface", "nosuch0")
    assert (result.returncode, result.stdout) == (2, "")
    assert "No interface is called nosuch0" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["play", "--lines", "--name", "Kim", "--interface", "nosuch0"], "no_interface"),
        (["audit", "nosuch.sheriff"], "unreadable"),
        (["replay", "nosuch.sheriff"], "unreadable"),
        (["audit", __file__], "not_audited"),
        (["replay", __file__], "not_shown"),
        (["simulate", "--styles", "drunk"], "no_style"),
        (["simulate", "--styles", ""], "name_style"),
        (["simulate", "--extra", "nosuch.json"], "unreadable"),
        (["play", "--extra", "nosuch.json"], "unreadable"),
        (["demo", "--extra", __file__], "no_json"),
        (["simulate", "--extra", __file__], "no_json"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else value,
)
def test_what_a_command_finds_out_only_later_is_said_in_the_language_that_was_asked_for(
    arguments: list[str], key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ["--data", str(tmp_path)] if arguments[0] == "play" else []
    assert run(*arguments, *data, "--lang", "pl") == 2
    sentence = Texts.of("pl").entries[f"usage.{key}"]
    assert isinstance(sentence, str)
    assert max(re.split(r"{\w+}", sentence), key=len) in capsys.readouterr().err


def test_extra_goods_that_are_nested_without_end_are_no_table_of_goods(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bomb.json").write_text("[" * 100_000)
    assert run("simulate", "--extra", str(tmp_path / "bomb.json")) == 2
    assert "is not a JSON file" in capsys.readouterr().err


# -- at once


@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], *([verb, "--help"] for verb in VERBS), ["play", "--bots", "9"], ["dance"], ["-x"]],
    ids=" ".join,
)
def test_help_version_and_errors_import_nothing_that_they_do_not_need(arguments: list[str]) -> None:
    script = (
        "import sys\nfrom p2p_sheriff.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stderr.splitlines()[-1] == ""


# -- ends


def test_letters_that_the_output_does_not_have_are_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    data = BytesIO()
    output = TextIOWrapper(data, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", output)
    assert main(["resume", "--lang", "xx"]) == 2
    output.write("Łucja")
    output.flush()
    assert data.getvalue() == b"?ucja"


def test_a_reader_who_leaves_early_sees_no_traceback() -> None:
    program = f"{sys.executable} -m p2p_sheriff simulate --players 3 --games 2 --seed 1 --workers 1 | head -c 1"
    run = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
    assert len(run.stdout) == 1
    assert run.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no disk that is always full")
@pytest.mark.parametrize(
    ("output", "code", "sentence"),
    [
        (">&-", 2, "Standard output is closed: there is nowhere to write to.\n"),
        (">/dev/full", 1, "The system refuses: No space left on device.\n"),
        ("| true", 1, ""),
    ],
)
def test_output_that_goes_nowhere_ends_in_a_sentence_at_the_most(output: str, code: int, sentence: str) -> None:
    command = f"set -o pipefail; {sys.executable} -m p2p_sheriff simulate --players 3 --games 1 --seed 1 {output}"
    run = subprocess.run(["bash", "-c", command], stderr=subprocess.PIPE, text=True, check=False)
    assert (run.returncode, run.stderr) == (code, sentence)
