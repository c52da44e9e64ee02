"""A game of three in a virtual network, and strangers on a fourth host who attack one of them (``make flood``)."""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.node.lan import Bot, Lan, bots, laid, missing
from tests.node.raid import RAIDS, SECONDS

DECK: Final = "apples=10,cheese=7,chicken=6,pepper=3,mead=3,silk=3"
ATTACKER: Final = 4
COUNTS: Final[Mapping[str, int]] = {
    "garbage": 10_000,
    "half-open": 10_000,
    "hellos": 10_000,
    "slow": 100,
    "announce": 2_000,
    **dict.fromkeys(("tables", "games", "lobby", "heads", "entries"), 40_000),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game went that was attacked, or not."""

    result: str
    """The digest of the result: the same for all three."""
    seconds: float
    worked: float
    """Seconds of the victim's processor."""
    memory: int
    """The most that the victim had, in bytes."""
    ends: Mapping[str, int]
    """How it ended for the strangers."""


def play(lan: Lan, folder: Path, raids: Mapping[str, int] | None = None) -> Outcome:
    """Plays a game from the first market to its end, under all these attacks at once."""
    folder.mkdir()
    with bots(lan, (1, 2, 3), folder, DECK) as crowd:
        opener, *others = crowd
        opener.open(len(crowd))
        strangers = [_strangers(lan, name, opener, count) for name, count in (raids or {}).items()]
        for one in strangers:  # On a busy machine a game may be over before they have found it.
            assert one.stdout is not None
            assert one.stdout.readline() == "found\n"
        for bot in others:
            bot.start("--join", f"{opener.name}'s table")
        opener.wait_for("market")
        began = time.monotonic()
        for one in strangers:
            assert one.stdin is not None
            one.stdin.write("go\n")
            one.stdin.flush()
        memory, worked, before = 0, 0.0, opener.cpu
        while opener.is_running:
            memory, worked = max(memory, opener.memory), max(worked, opener.cpu - before)
            time.sleep(0.05)
        results = {bot.result() for bot in crowd}
        seconds = time.monotonic() - began
        (result,) = results
        ends = Counter[str]()
        for one in strangers:
            said, errors = one.communicate(timeout=5 * SECONDS)  # A raid is bounded by itself.
            assert one.returncode == 0, errors
            ends.update({end: int(times) for end, _, times in (word.partition("=") for word in said.split())})
        return Outcome(result, seconds, worked, memory, ends)


def _strangers(lan: Lan, raid: str, whom: Bot, count: int) -> "subprocess.Popen[str]":
    command = ("nice", "-n", "19", sys.executable, "-m", "tests.node.raid", raid, whom.name, str(count))
    pipe = subprocess.PIPE
    return subprocess.Popen(lan.inside(ATTACKER, *command), stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def _row(name: str, outcome: Outcome, peace: float) -> str:
    ends = ", ".join(f"{times} {end}" for end, times in outcome.ends.items())
    ratio, memory = outcome.seconds / peace, outcome.memory >> 20
    return f"{name:10} {outcome.seconds:7.1f} s {ratio:6.2f} {outcome.worked:6.1f} s {memory:5} MB  {ends}"


def main() -> None:
    """Plays a game in peace, one under each attack, and one under all of them at once."""
    if why := missing():
        sys.exit(why)
    attacks = {**{name: {name: COUNTS[name]} for name in RAIDS}, "all": COUNTS}
    chosen = sys.argv[1:] or list(attacks)
    with laid(ATTACKER) as lan, tempfile.TemporaryDirectory() as folder:
        peace = play(lan, Path(folder) / "peace")
        sys.stdout.write(f"{_row('peace', peace, peace.seconds)}\n")
        sys.stdout.flush()
        for name in chosen:
            outcome = play(lan, Path(folder) / name, attacks[name])
            sys.stdout.write(f"{_row(name, outcome, peace.seconds)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
