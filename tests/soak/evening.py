"""Plays one planned game of a soak on a virtual LAN, and looks at what everybody is left with."""

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.session.replay import Finding
from protocol.faults import FaultCode
from protocol.group import Edwards25519
from tests.node.lan import Bot, Lan, Network, laid
from tests.soak.plan import GONE, GRACE_SECONDS, MISHAPS, Moment, Plan, Planned
from tests.soak.rogue import DEEDS

_PATIENCE: Final = 600
"""Seconds without a new entry on any disk after which a game hangs, and is not only slow."""


class SoakBot(Bot):
    """A bot of a plan: of its style, and a cheat if it says so."""

    def __init__(self, network: Network, host: int, folder: Path, plan: Plan) -> None:
        super().__init__(network, host, folder, ",".join(f"{kind}={count}" for kind, count in plan.setup.short))
        self._plan, self.is_rogue = plan, host == plan.rogue

    def _command(self, *arguments: str) -> list[str]:
        style, level = self._plan.people[self._host - 1]
        given = (*arguments, "--style", style, "--level", level, "--seed", str(self._plan.seed + self._host))
        given = (*given, "--grace", str(GRACE_SECONDS))
        if not self.is_rogue:
            return super()._command(*given)
        cheats = (self._plan.deed, str(self._plan.since))
        return self._network.command(self._host, *cheats, *given, module="tests.soak.rogue")


@dataclass(frozen=True, slots=True)
class Evening:
    """How a game went."""

    seconds: float
    entries: int
    """In the record that all have."""
    happened: int
    """How many mishaps there was time for."""
    found: int
    """How many have evidence of a fault."""

    def __str__(self) -> str:
        """Returns a line that says so."""
        return f"{self.entries} entries, {self.happened} mishaps, {self.found} found a cheat, {self.seconds:.0f} s"


def play(plan: Plan, folder: Path) -> Evening:
    """Plays a game to its end, without who has left or was found out.

    Raises:
        AssertionError: Somebody has another result or none, a record or evidence that does not hold, or keys left.
    """
    began = time.monotonic()
    with laid(plan.setup.players) as lan, _seated(plan, lan, folder) as crowd:
        honest = [bot for bot in crowd if not bot.is_rogue]
        happened = [one.name for one in _happenings(plan, lan, crowd, honest)]
        if GONE in happened:
            honest = [bot for bot in honest if bot is not crowd[(plan.gone or 0) - 1]]
        found, entries = _judged(plan, honest), _assert_same_end(honest)
        return Evening(time.monotonic() - began, entries, len(happened), found)


@contextmanager
def _seated(plan: Plan, lan: Lan, folder: Path) -> Iterator[list[SoakBot]]:
    """Yields players at a table; whatever happens, none of them is left behind."""
    with ExitStack() as stack:
        crowd = [SoakBot(lan, host, folder, plan) for host in lan.hosts]
        for bot in crowd:
            stack.callback(bot.kill)
        opener, *others = crowd
        options = ("--with", ",".join(sorted(plan.setup.options))) if plan.setup.options else ()
        opener.open(len(crowd), "--edition", plan.setup.edition.value, *options)
        for bot in others:
            bot.start("--join", f"{opener.name}'s table")
        yield crowd


def _happenings(plan: Plan, lan: Lan, crowd: Sequence[SoakBot], honest: Sequence[SoakBot]) -> Iterator[Planned]:
    """Lets everything happen at its time, and yields it, until the game is over."""
    planned, running = list(plan.mishaps), list[tuple[float, Planned]]()
    stored, deadline = 0, time.monotonic() + _PATIENCE
    while running or any(bot.is_running for bot in honest):
        if stored != (size := sum(path.stat().st_size for bot in crowd for path in bot.kept("log"))):
            stored, deadline = size, time.monotonic() + _PATIENCE
        assert time.monotonic() < deadline, f"it hangs: {[(bot.name, bot.phase) for bot in crowd]}"
        assert not (failed := [bot.errors for bot in honest if bot.has_failed]), failed
        now = max((Moment.told(bot.phase) for bot in crowd if bot.phase), default=Moment(0, 0))
        for ended in [one for one in running if one[0] <= time.monotonic()]:
            running.remove(ended)
            MISHAPS[ended[1].name].ends(lan, ended[1].host, crowd[ended[1].host - 1])
        for one in [one for one in planned if one.moment <= now]:
            bot = crowd[one.host - 1]
            if bot.is_running and all(one.host != other.host for _, other in running):
                planned.remove(one)
                if one.name == GONE:
                    bot.kill()
                    yield one
                    continue
                running.append((time.monotonic() + one.seconds, one))
                MISHAPS[one.name].begins(lan, one.host, bot)
                yield one
        time.sleep(0.05)


def _judged(plan: Plan, honest: Sequence[SoakBot]) -> int:
    """Audits all evidence: it is against the cheat alone, for what it did; returns how many have some."""
    evidence = [path for bot in honest for path in bot.kept("evidence")]
    for path in evidence:
        report = audit(path.read_bytes(), Edwards25519())
        assert isinstance(report.verdict, Finding), report.verdict
        assert report.charter is not None
        assert report.charter.players[report.verdict.seat or 0].name.startswith(f"Bot{plan.rogue} "), report.verdict
        # Who has the next honest entry before the false one of that number finds two of them.
        assert report.verdict.code in (DEEDS[plan.deed].code, FaultCode.EQUIVOCATION), report.verdict
        assert report.verdict.is_proven
    assert len(evidence) in (0, len(honest)), "not everybody knows of the cheat"
    return len(evidence)


def _assert_same_end(honest: Sequence[SoakBot]) -> int:
    """Asserts that all have one result and one record that holds, and no keys; returns how many entries it has."""
    assert len({bot.result() for bot in honest}) == 1, "different results"
    transcripts = {bot.transcript() for bot in honest}
    assert len(transcripts) == 1, "different transcripts"
    report = audit(transcripts.pop(), Edwards25519())
    assert isinstance(report.verdict, Valid), report.verdict
    assert not any(bot.kept("keys") for bot in honest), "keys were left"
    return report.entries
