"""Bots in processes of their own, each on a host of its own, on a network that fails in many ways."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.session.replay import Finding
from protocol.faults import FaultCode
from protocol.group import Edwards25519
from tests.node.lan import Bot, Lan, Loopback, Network, bots, laid, missing

FIND_OTHERS = """
import asyncio, secrets, sys
from p2p_sheriff.node.discovery import Discovery, Found
from protocol.identity import Identity

async def find(name, others):
    identity = Identity.generate(secrets.token_bytes).public
    async with asyncio.timeout(600), Discovery(identity, name, 4711, rescan_seconds=2) as discovery:
        found = {}
        while len(found) < others:
            match await discovery.found.get():
                case Found(identity, name, (host,), _):
                    found[identity] = host, name
        print(*(f"{host}={name}" for host, name in sorted(found.values())), flush=True)
        await asyncio.to_thread(sys.stdin.read)

asyncio.run(find(sys.argv[1], int(sys.argv[2])))
"""
"""Prints where all others are, and stays until its input ends."""

pytestmark = pytest.mark.slow

DECK = "apples=10,cheese=7,chicken=6,pepper=3,mead=3,silk=3"
PHASES = ("setup", "market", "load", "declare", "inspect")


@pytest.fixture
def network() -> Iterator[Network]:
    """A virtual network; where the machine allows none, loopback."""
    if missing():
        yield Loopback()
        return
    with laid(4) as lan:
        yield lan


@pytest.fixture
def lan() -> Iterator[Lan]:
    if why := missing():
        pytest.skip(why)
    with laid(4) as lan:
        yield lan


def sit_down(crowd: list[Bot]) -> None:
    """Lets the first open a table, and the others join it."""
    opener, *others = crowd
    opener.open(len(crowd))
    for bot in others:
        bot.start("--join", f"{opener.name}'s table")


def assert_same_end(crowd: list[Bot]) -> None:
    """Waits for the end: all have the same result and the same transcript, and its audit passes."""
    assert len({bot.result() for bot in crowd}) == 1
    transcripts = {bot.transcript() for bot in crowd}
    assert len(transcripts) == 1
    assert isinstance(audit(transcripts.pop(), Edwards25519()).verdict, Valid)


def test_four_that_find_each_other_end_a_game_with_the_same_result(network: Network, tmp_path: Path) -> None:
    with bots(network, range(1, 5), tmp_path, DECK) as crowd:
        sit_down(crowd)
        assert_same_end(crowd)


def test_six_hosts_on_one_network_find_each_other() -> None:
    if why := missing():
        pytest.skip(why)
    with laid(6) as lan, ExitStack() as stack:
        places = {host: f"{lan.address(host)}=Host{host}" for host in lan.hosts}
        processes = {}
        for host in lan.hosts:
            command = lan.inside(host, sys.executable, "-c", FIND_OTHERS, f"Host{host}", "5")
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            stack.enter_context(process)
            stack.callback(process.kill)
            processes[host] = process
        for host, process in processes.items():
            assert process.stdout is not None
            assert process.stdout.readline().split() == [places[other] for other in lan.hosts if other != host]


def test_where_multicast_is_blocked_one_address_is_enough(lan: Lan, tmp_path: Path) -> None:
    assert lan.multicast_reaches(1, 2)
    lan.block_multicast()
    assert not lan.multicast_reaches(1, 2)
    with bots(lan, range(1, 5), tmp_path, DECK) as (opener, *others):
        port = opener.open(4)
        for bot in others:
            bot.start("--connect", f"{lan.address(1)}:{port}")
        assert_same_end([opener, *others])


def test_a_cable_that_is_cut_and_healed_in_every_phase_only_delays_the_end(lan: Lan, tmp_path: Path) -> None:
    with bots(lan, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        for number, phase in enumerate(PHASES):
            crowd[1].wait_for(phase)
            lan.cut(2)
            time.sleep((7, 2)[number % 2])  # Longer, and shorter, than it takes to be held for dead.
            lan.heal(2)
        assert_same_end(crowd)


def test_a_game_gets_on_though_three_of_ten_packets_of_a_host_are_lost(lan: Lan, tmp_path: Path) -> None:
    lan.lose(2, 30)
    with bots(lan, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        crowd[1].wait_for("market of round 3")
        lan.heal(2)
        assert_same_end(crowd)


def test_a_game_ends_though_a_host_is_eighty_milliseconds_away(lan: Lan, tmp_path: Path) -> None:
    assert lan.round_trip(1, 2) < 0.16
    lan.delay(2, 80)
    assert 0.16 <= lan.round_trip(1, 2) < 1
    with bots(lan, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        assert_same_end(crowd)


def test_one_that_is_killed_in_every_phase_comes_back_and_all_end_alike(network: Network, tmp_path: Path) -> None:
    with bots(network, range(1, 5), tmp_path, DECK) as crowd:
        sit_down(crowd)
        victim = crowd[2]
        for phase in PHASES:
            victim.wait_for(phase)
            victim.kill()
            victim.start("--resume")
        assert_same_end(crowd)


def test_one_that_is_killed_where_multicast_is_blocked_comes_back_with_one_address(lan: Lan, tmp_path: Path) -> None:
    lan.block_multicast()
    with bots(lan, range(1, 4), tmp_path, DECK) as (opener, *others):
        port = opener.open(3)
        for bot in others:
            bot.start("--connect", f"{lan.address(1)}:{port}")
        others[1].wait_for("market")
        others[1].kill()
        others[1].start("--resume", "--connect", f"{lan.address(1)}:{port}")
        assert_same_end([opener, *others])


def test_one_that_comes_back_at_another_address_is_found_there_and_all_end_alike(lan: Lan, tmp_path: Path) -> None:
    with bots(lan, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        victim = crowd[1]
        victim.wait_for("load")
        victim.kill()
        lan.move(2)
        victim.start("--resume")
        assert_same_end(crowd)


def test_one_that_gets_another_address_in_the_middle_of_the_game_plays_on(lan: Lan, tmp_path: Path) -> None:
    with bots(lan, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        crowd[1].wait_for("load")
        lan.move(2)
        assert_same_end(crowd)


def test_one_that_sleeps_longer_than_it_takes_to_be_held_for_dead_plays_on(network: Network, tmp_path: Path) -> None:
    with bots(network, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        for phase in ("market", "inspect"):
            crowd[2].wait_for(phase)
            crowd[2].freeze()
            time.sleep(9)
            crowd[2].thaw()
        assert_same_end(crowd)


def test_one_whose_clock_shows_another_year_at_each_look_is_found_plays_and_comes_back(
    network: Network, tmp_path: Path
) -> None:
    with bots(network, range(1, 4), tmp_path, DECK) as crowd:
        victim = crowd[1]
        victim.has_wild_clock = True
        sit_down(crowd)
        victim.wait_for("load")
        assert "wild clock" in victim.errors
        victim.kill()
        victim.start("--resume")
        assert_same_end(crowd)


def test_an_onlooker_on_a_host_of_its_own_gets_the_transcript_of_the_players(network: Network, tmp_path: Path) -> None:
    with bots(network, range(1, 4), tmp_path, DECK) as crowd:
        sit_down(crowd)
        crowd[0].wait_for("declare")
        path = tmp_path / "seen.sheriff"
        command = network.command(4, "watch", "--data", str(tmp_path), "--out", str(path), crowd[0].name)
        done = subprocess.run(command, check=False, capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        assert_same_end(crowd)
        assert path.read_bytes() == crowd[0].transcript()


GONE = ("--grace", "2")
"""Bots that soon go on without who is gone."""


def test_one_of_four_that_is_killed_for_good_is_voted_out_and_the_others_finish(
    network: Network, tmp_path: Path
) -> None:
    with bots(network, range(1, 5), tmp_path, DECK) as crowd:
        for bot in crowd:
            bot.extra = GONE
        sit_down(crowd)
        victim, *others = crowd
        victim.wait_for("load")
        victim.kill()
        assert_same_end(others)


def test_a_sheriff_who_pulls_the_plug_in_mid_inspection_is_voted_out_and_the_others_finish(
    lan: Lan, tmp_path: Path
) -> None:
    with bots(lan, range(1, 5), tmp_path, DECK) as crowd:
        for bot in crowd:
            bot.extra = (*GONE, "--pace", "0.7")
        sit_down(crowd)
        said = {bot: bot.wait_for("inspect") for bot in crowd}
        (sheriff,) = (bot for bot in crowd if "as sheriff" in said[bot])
        lan.cut(lan.hosts[crowd.index(sheriff)])
        assert_same_end([bot for bot in crowd if bot is not sheriff])


def test_one_that_sends_garbage_is_dropped_and_one_with_a_false_proof_put_out_and_named(
    network: Network, tmp_path: Path
) -> None:
    with bots(network, range(1, 5), tmp_path, DECK) as crowd:
        cheat, *others = crowd[::-1]
        cheat.program = "tests.node.cheat"
        sit_down(crowd)
        assert_same_end(others)
        for bot in others:
            assert f"not connected any more: {cheat.name}" in bot.log
            report = audit(bot.evidence(), Edwards25519())
            assert isinstance(report.verdict, Finding)
            assert report.verdict.code is FaultCode.FALSE_PROOF
            assert report.name(report.verdict.seat) == cheat.name
