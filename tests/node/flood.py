"""A game of three in a virtual network, and strangers on a fourth host who attack one of them (``make flood``).

How long a game takes depends on its cards. So there are several in peace and as many under each attack, one after the
other in turns, and medians are compared.
"""

import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from tests.node.lan import Bot, Lan, bots, laid, missing
from tests.node.raid import RAIDS, SECONDS

SHORT_DECK: Final = "apples=10,cheese=7,chicken=6,pepper=3,mead=3,silk=3"
DECK: Final = "apples=40,cheese=28,chicken=20,pepper=14,mead=10,silk=8"
"""Of a game that is over in a few seconds one would mostly see what strangers may take in one go."""
GAMES: Final = 3
"""In peace, and under each attack."""
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


def play(lan: Lan, folder: Path, raids: Mapping[str, int], deck: str = DECK) -> Outcome:
    """Plays a game from the first market to its end, under all these attacks at once."""
    folder.mkdir()
    with bots(lan, (1, 2, 3), folder, deck) as crowd:
        opener, *others = crowd
        opener.open(len(crowd))
        strangers = [_strangers(lan, name, opener, count) for name, count in raids.items()]
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


def _row(name: str, outcomes: Sequence[Outcome], peace: float) -> str:
    seconds = [outcome.seconds for outcome in outcomes]
    worked = median(outcome.worked for outcome in outcomes)
    memory = max(outcome.memory for outcome in outcomes) >> 20
    ends = sum((Counter(outcome.ends) for outcome in outcomes), Counter[str]())
    told = ", ".join(f"{times} {end}" for end, times in sorted(ends.items()))
    middle, range_of = median(seconds), f"{min(seconds):.1f} to {max(seconds):.1f}"
    return f"| {name} | {middle:.1f} | {range_of} | {middle / peace:.2f} | {worked:.1f} | {memory} | {told} |\n"


def main() -> None:
    """Plays games in peace, under each attack, and under all of them at once, in turns; prints the medians."""
    if why := missing():
        sys.exit(why)
    attacks: dict[str, Mapping[str, int]] = {**{name: {name: COUNTS[name]} for name in RAIDS}, "all": COUNTS}
    chosen: dict[str, Mapping[str, int]] = {"peace": {}, **{name: attacks[name] for name in sys.argv[1:] or attacks}}
    outcomes = {name: list[Outcome]() for name in chosen}
    with laid(ATTACKER) as lan, tempfile.TemporaryDirectory() as folder:
        for number in range(1, GAMES + 1):
            for name, raids in chosen.items():
                outcomes[name].append(play(lan, Path(folder) / f"{name} {number}", raids))
                sys.stderr.write(f"{number}/{GAMES} {name}: {outcomes[name][-1].seconds:.1f} s\n")
    peace = median(outcome.seconds for outcome in outcomes["peace"])
    for name in chosen:
        sys.stdout.write(_row(name, outcomes[name], peace))


if __name__ == "__main__":
    main()
