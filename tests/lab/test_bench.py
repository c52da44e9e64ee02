import json
import subprocess
import sys

import pytest

from p2p_sheriff.lab.bench import games, measure, nodes, proofs, screens, waits
from p2p_sheriff.lab.bench.crowd import Meeting, gather, peak_megabytes
from p2p_sheriff.lab.bench.measure import Bench, Figure, Measured
from p2p_sheriff.lab.bench.screens import Presses, press_keys


def bench(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "p2p_sheriff", "bench", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_benchmark_has_every_figure_by_its_name() -> None:
    assert set(proofs.BENCHMARKS | waits.BENCHMARKS | games.BENCHMARKS | nodes.BENCHMARKS | screens.BENCHMARKS) == {
        *(
            "group.mul",
            "shuffle.offline.216",
            "shuffle.prove.216",
            "shuffle.verify.growth",
            "strip.12",
            "deal.around.216",
        ),
        *(f"shuffle.verify.{count}" for count in (54, 108, 216, 432)),
        *(f"membership.{side}.{shape}" for side in ("prove", "verify") for shape in ("48", "204", "5x48")),
        *("game.4p.critical", "game.4p.critical.4c", "deck.ready.6x216", "deck.ready.6x216.4c"),
        *("first.question.4p", "first.question.6p", "wait.market", "wait.inspect"),
        *("table.draw.4p", "table.show.5", "table.refill.5p", "table.round.4p"),
        *("game.4p.simnet", "audit.4p", "transcript.bytes.4p"),
        *("lobby.discover.10", "lobby.discover.20", "lobby.discover.30", "node.idle.cpu", "node.memory"),
        *("game.3p.loopback", "game.4p.loopback"),
        "tui.key.during.shuffle",
    }


def test_json_has_seconds_floor_and_ratio() -> None:
    run = bench("--only", "strip", "--json")
    assert run.returncode == 0
    (result,) = json.loads(run.stdout)["results"]
    assert result["name"] == "strip.12"
    assert result["ratio"] == result["seconds"] / result["floor_seconds"]
    assert result["floor_seconds"] > 0


def test_a_name_that_nothing_has_gets_a_sentence_and_exit_code_2() -> None:
    run = bench("--only", "nothing")
    assert run.returncode == 2
    assert "nothing" in run.stderr
    assert "Traceback" not in run.stderr


def test_a_floor_is_made_of_the_operations_that_were_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "operation_costs", lambda _: {"mul_base": 0.25})
    measuring = Bench()
    one = measuring.time("one", lambda: lambda: measuring.group.mul_base(2))
    many = measuring.time("many", lambda: lambda: [measuring.group.mul_base(2) for _ in range(50)])
    assert (one.floor_seconds, many.floor_seconds) == (0.25, 12.5)


def test_dealing_around_a_gap_takes_as_many_multiplications_as_the_specification_says() -> None:
    measuring = Bench()
    around = proofs._Around(measuring)
    measuring.group.counts.clear()
    around.finish()
    N, n, m, t = proofs.DECK, proofs.MATCHED, proofs.REMAINING, proofs.KEYS_OF_EACH
    prove, verify = 8 * N + 1 + 2 * n + 2 * t, N * (m + 2) + 10 * m + m * (2 * n + 2 * t + 1)
    assert (prove, verify) == (2039, 3117)
    assert measuring.group.counts["mul"] == prove + verify


@pytest.mark.slow
def test_nodes_of_a_crowd_find_each_other_begin_a_game_and_measure_themselves_while_nobody_moves() -> None:
    stays = gather(Meeting(4, tables=1, players=3, idle_seconds=1))
    assert len(stays) == 4
    for stay in stays:
        assert stay.discovery_seconds > 0
        assert 0 < stay.idle_cpu_percent < 100
        assert 0 < stay.bare_megabytes < stay.megabytes
    # Who plays has a deck in memory, and who is in the lobby has none.
    assert min(stay.megabytes for stay in stays[:3]) > stays[3].megabytes


@pytest.mark.slow
def test_keys_are_answered_on_the_screen_of_a_process_that_shuffles() -> None:
    busy = press_keys((80, 24), 10, shuffling=True)
    assert len(busy.milliseconds) == 10
    assert 0 < busy.percentile(50) <= busy.percentile(99) == max(busy.milliseconds)
    assert min(busy.multiplications) > 0
    assert set(press_keys((80, 24), 3, shuffling=False).multiplications) == {0}


def test_a_percentile_is_what_so_many_did_not_exceed() -> None:
    presses = Presses([float(one) for one in range(200, 0, -1)], [1] * 200)
    assert presses.percentile(99) == 198
    assert presses.percentile(50) == 100


def test_the_memory_of_a_process_that_has_ended_is_none() -> None:
    command = [sys.executable, "-c", "print('here', flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        assert peak_megabytes(process.pid) > 1
        process.communicate("\n")
    assert peak_megabytes(process.pid) == 0


def test_results_are_lines_for_people() -> None:
    assert "1.500" in str(Measured("a", 0.003, 0.002))
    assert "bytes" in str(Figure("b", 10, "bytes", 5))
