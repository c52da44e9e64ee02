"""The command `simulate`, as people run it."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.series import Series, cores
from p2p_sheriff.lab.simulate.statistics import rate, spread
from p2p_sheriff.lab.simulate.tournament import Measure, Tournament
from p2p_sheriff.rules import Pack, Seat, Setup
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.moves import LayLaws
from tests.cases import SOAK

EXTRA = '[["plums", "legal", 6, 3, 2, ["apples", 2]], ["ivory", "contraband", 3, 12, 6, null]]'


def simulate(*arguments: str, hash_seed: str = "0") -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "p2p_sheriff", "simulate", *arguments]
    return subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, check=False)


def _children(process: int) -> Path:
    return Path(f"/proc/{process}/task/{process}/children")


# -- the same games, the same bytes


@pytest.mark.parametrize(
    "table",
    [
        ("--players", "5", "--with", "royal,black-market"),
        ("--players", "3"),
        ("--players", "4", "--edition", "first", "--with", "seven,missing,timer"),
        ("--players", "6", "--with", "royal,black-market"),
    ],
    ids=" ".join,
)
def test_the_same_seed_gives_the_same_bytes_for_any_hash_seed_and_any_number_of_workers(table: tuple[str, ...]) -> None:
    games = (*table, "--games", "20", "--seed", "1", "--json")
    one = simulate(*games, "--workers", "1", hash_seed="0")
    three = simulate(*games, "--workers", "3", hash_seed="12345")
    assert one.returncode == three.returncode == 0
    assert one.stderr == three.stderr == ""
    assert one.stdout == three.stdout
    assert json.loads(one.stdout)["games"] == 20


def test_another_seed_gives_other_games() -> None:
    games = ("--players", "3", "--games", "4", "--workers", "1", "--json")
    first, second = (json.loads(simulate(*games, "--seed", seed).stdout) for seed in ("1", "-99999999999999999999"))
    assert first["all"]["score"] != second["all"]["score"]


# -- what is told


def test_json_tells_wins_scores_bags_deals_rounds_and_cards_left(tmp_path: Path) -> None:
    extra = tmp_path / "extra.json"
    extra.write_text(EXTRA, encoding="utf-8")
    result = simulate("--players", "4", "--games", "8", "--seed", "2", "--extra", str(extra), "--json")
    assert result.returncode == 0
    told = json.loads(result.stdout)
    assert told["extra"] == ["plums", "ivory"]
    assert list(told["by_style"]) == list(STYLES)
    assert sum(style["wins"]["count"] for style in told["by_style"].values()) == pytest.approx(8)
    assert sum(seat["wins"]["count"] for seat in told["by_seat"]) == pytest.approx(8)
    assert told["all"]["bags"]["count"] == 8 * 8 * 3
    assert told["rounds"]["mean"] == 8
    everything = told["all"]
    assert everything["bags"]["passed"]["rate"] + everything["bags"]["inspected"]["rate"] == pytest.approx(1, abs=1e-3)
    assert everything["deals"]["closed"] <= everything["deals"]["offers"]
    assert everything["score"]["least"] <= everything["score"]["quantiles"]["50"] <= everything["score"]["most"]
    assert told["cards_left_in_deck"]["least"] >= 0


def test_with_a_timer_players_take_time_so_that_it_runs_out_in_some_rounds_and_bags_pass_then() -> None:
    options = ("--players", "3", "--games", "20", "--seed", "7", "--json")
    timed = json.loads(simulate(*options, "--with", "timer").stdout)
    untimed = json.loads(simulate(*options).stdout)
    assert 0.05 < timed["times_up"]["rate"] < 0.95
    assert "times_up" not in untimed
    assert timed["all"]["bags"]["passed"]["rate"] > untimed["all"]["bags"]["passed"]["rate"]


def test_text_has_a_line_for_every_style_and_seat() -> None:
    result = simulate("--players", "3", "--games", "3", "--seed", "5", "--styles", "shrewd,honest,honest")
    assert result.returncode == 0
    begun = [line.split("  ")[0] for line in result.stdout.splitlines()]
    assert {"honest", "shrewd", "seat 0", "seat 1", "seat 2", "all"} <= set(begun)
    assert "gambler" not in begun


def test_every_style_sits_at_every_seat_equally_often() -> None:
    series = Series(Setup(5), STYLES, games=20, seed=0)
    seated = [(seat, series.style_at(game, seat)) for game in range(series.games) for seat in range(5)]
    assert {seated.count((seat, style)) for seat in range(5) for style in STYLES} == {5}


def test_a_series_that_begins_later_plays_on_where_another_of_the_same_seed_ends() -> None:
    whole, begin, rest = (Series(Setup(3), STYLES, games, 1, first) for games, first in ((4, 0), (2, 0), (2, 2)))
    assert list(whole.play_all(1)) == [*begin.play_all(1), *rest.play_all(1)]


# -- bad input


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--players", "7"), "from 3 to 6, not 7"),
        (("--players", "2"), "from 3 to 6, not 2"),
        (("--players", "four"), "four is no whole number"),
        (("--games", "-5"), "--games: from 1 to"),
        (("--games", "0"), "--games: from 1 to"),
        (("--with", "royal,casino"), "casino is none of: royal, timer"),
        (("--edition", "third"), "third"),
        (("--styles", "honest,drunk"), "no style 'drunk'"),
        (("--styles", ","), "at least one style"),
        (("--workers", "0"), "--workers: from 1"),
        (("--extra", "no-such-file.json"), "no-such-file.json can't be read"),
        (("--dice", "6"), "--dice"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_bad_input_gets_a_sentence_and_exit_code_2(arguments: tuple[str, ...], sentence: str) -> None:
    result = simulate("--players", "4", "--games", "1", "--seed", "1", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"[[", "is not a JSON file"),
        (b"\xff\xfe", "is not a JSON file"),
        (b'[["plums", "legal"]]', "is not [name, kind, count, value, fine, counts for]"),
        (b'[["apples", "legal", 6, 3, 2, null]]', "needs a name of its own"),
    ],
)
def test_a_bad_table_of_extra_goods_gets_a_sentence_and_exit_code_2(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    extra = tmp_path / "extra.json"
    extra.write_bytes(content)
    result = simulate("--players", "4", "--games", "1", "--seed", "1", "--extra", str(extra))
    assert (result.returncode, result.stdout) == (2, "")
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(not _children(os.getpid()).exists(), reason="this system does not list the children of a process")
def test_an_interrupt_ends_all_workers_without_a_traceback() -> None:
    # A shell lets jobs in the background ignore interrupts, and the program would inherit that from these tests.
    listens = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    program = [sys.executable, "-c", f"{listens}; from p2p_sheriff.cli import main; raise SystemExit(main())"]
    command = [*program, "simulate", "--players", "3", "--games", "100000", "--seed", "1"]
    process = subprocess.Popen(
        [*command, "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )
    try:
        while len(_children(process.pid).read_text().split()) < 3:
            time.sleep(0.05)
        # As a terminal does it: to the whole group, workers included.
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate()
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    assert process.returncode == 130
    assert output == ""
    assert errors == "Stopped before all games were played.\n"


# -- figures


@given(st.integers(0, 200), st.integers(1, 200))
def test_the_interval_of_a_rate_holds_the_rate_and_stays_within_nothing_and_all(successes: int, more: int) -> None:
    share = rate(Fraction(successes, 2), successes + more)
    assert 0 <= share.low <= share.value <= share.high <= 1


def test_the_interval_of_a_rate_is_wilsons() -> None:
    share = rate(30, 100)
    assert (round(share.low, 4), round(share.high, 4)) == (0.2189, 0.3958)


def test_a_spread_has_mean_deviation_and_quantiles() -> None:
    numbers = spread([4, 1, 3, 2, 5])
    assert (numbers.mean, numbers.least, numbers.most) == (3, 1, 5)
    assert numbers.deviation == pytest.approx(2.5**0.5)
    assert numbers.quantiles == (1, 2, 3, 4, 5)


# -- strength: a short series may miss a bound by as much as chance explains, a soak by nothing


def failing(part: str, games: int, seed: int) -> list[str]:
    figures = Tournament(1000 if SOAK else games, 1 if SOAK else seed, (part,)).figures(cores())
    bad = [figure for figure in figures if not (figure.holds if SOAK else figure.may_hold)]
    return [f"{figure.who}: {figure.what} {figure.value:.3f}" for figure in bad]


@pytest.mark.slow
@pytest.mark.soak
def test_at_a_mixed_table_everybody_wins_sometimes_lies_sometimes_and_opens_lies_rather_than_true_bags() -> None:
    assert failing("mixed", 100, seed=1) == []


@pytest.mark.slow
@pytest.mark.soak
def test_no_plain_counter_strategy_beats_three_different_bots() -> None:
    assert failing("counters", 32, seed=1) == []


def test_the_silent_one_never_offers_nor_pays_anything() -> None:
    table = ("--players", "4", "--styles", "silent,honest,smuggler,gambler")
    result = json.loads(simulate(*table, "--games", "8", "--seed", "1", "--json", "--workers", "1").stdout)
    deals = {style: group["deals"] for style, group in result["by_style"].items()}
    assert deals["silent"]["closed"] == deals["silent"]["gold"] == 0
    assert deals["smuggler"]["closed"] > 0


@pytest.mark.slow
@pytest.mark.soak
def test_level_hard_beats_level_normal() -> None:
    if SOAK:
        assert failing("hard", 1000, seed=1) == []
        return
    # Of a short series the bound of each style says little; all 640 games together tell hard from normal clearly.
    wins = [one.value for one in Tournament(80, 1, ("hard",)).figures(cores()) if one.what == "wins"]
    assert sum(wins) / len(wins) >= 0.33


def test_a_figure_out_of_its_bounds_fails_and_a_short_series_is_given_what_chance_explains() -> None:
    near, far = (Measure("mixed", "honest", "wins", 1, value, 0.12, 0.45, error=0.02) for value in (0.10, 0.05))
    assert (near.holds, near.may_hold, far.may_hold) == (False, True, False)


def test_a_tournament_prints_its_figures_and_says_by_its_exit_code_whether_they_hold() -> None:
    result = simulate("--tournament", "mixed", "--games", "2", "--seed", "1", "--json")
    told = json.loads(result.stdout)
    assert result.returncode == (0 if told["holds"] else 1)
    assert {figure["who"] for figure in told["figures"]} == set(STYLES)
    assert {figure["seed"] for figure in told["figures"]} == {1, 2}


def test_a_law_that_was_laid_is_not_in_the_deck_that_the_dealer_deals_anew() -> None:
    dealer = Dealer(Setup(4, options=frozenset({"laws"}), candidates=(Seat(0),)), Random(1))
    dealer.start()
    dealer.submit(LayLaws(Seat(0), dealer.state.drawn_laws[:2]))
    dealer.submit(Left((Seat(1),)))
    assert len(dealer.state.laws) == 2
    assert len(dealer._packs[Pack.LAWS]) == 22
    assert not set(dealer._packs[Pack.LAWS]) & set(dealer.state.laws)
