"""What happens in a game of a soak: who plays what, what befalls whom and when. It follows from a seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from p2p_sheriff.rules import BadSetup, Edition, Phase, Setup
from p2p_sheriff.rules.goods import goods_for
from p2p_sheriff.session.terms import OPTIONS, PLAYERS
from p2p_sheriff.verbs.values import LEVELS, STYLES
from tests.node.lan import Bot, Lan
from tests.soak.rogue import DEEDS

Befalls = Callable[[Lan, int, Bot], None]
"""Something happens to a host, and to who plays there."""


def _nothing(_lan: Lan, _host: int, _bot: Bot) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Mishap:
    """What may befall an honest player, and how it ends after a while."""

    begins: Befalls
    ends: Befalls = _nothing


MISHAPS: Final[Mapping[str, Mishap]] = {
    "kill": Mishap(lambda _lan, _host, bot: bot.kill(), lambda _lan, _host, bot: bot.start("--resume")),
    "sleep": Mishap(lambda _lan, _host, bot: bot.freeze(), lambda _lan, _host, bot: bot.thaw()),
    "cut": Mishap(lambda lan, host, _bot: lan.cut(host), lambda lan, host, _bot: lan.heal(host)),
    "loss": Mishap(lambda lan, host, _bot: lan.lose(host, 30), lambda lan, host, _bot: lan.heal(host)),
    "delay": Mishap(lambda lan, host, _bot: lan.delay(host, 60), lambda lan, host, _bot: lan.heal(host)),
    "move": Mishap(lambda lan, host, _bot: lan.move(host)),
}
GONE: Final = "gone"
"""Somebody is killed and never comes back: the others go on without them."""
GRACE_SECONDS: Final = 30
"""How long somebody who is not there is waited for: longer than all mishaps."""
MOST_MISHAPS: Final = 6
MOST_SECONDS: Final = 8
"""Longer than it takes to be held for dead."""

PHASES: Final = (Phase.SETUP, Phase.MARKET, Phase.LOAD, Phase.DECLARE, Phase.INSPECT)


@dataclass(frozen=True, slots=True, order=True)
class Moment:
    """The beginning of a phase, in the order in which they come."""

    round: int
    phase: int

    @classmethod
    def told(cls, line: str) -> "Moment":
        """Reads how a bot tells of one; what comes after the last phase of a round counts as that one."""
        phase, _, number = line.rpartition(" of round ")
        names = [one.value for one in PHASES]
        return cls(int(number.split()[0]), names.index(phase) if phase in names else len(names))


@dataclass(frozen=True, slots=True)
class Planned:
    """A mishap, when it begins, and for how many seconds it lasts."""

    moment: Moment
    host: int
    name: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """One game."""

    seed: int
    setup: Setup
    people: tuple[tuple[str, str], ...]
    """Style and level, by host from 1 on."""
    mishaps: tuple[Planned, ...]
    rogue: int | None
    """The host of who cheats, if anybody does."""
    deed: str
    since: int
    """From which own entry on."""
    gone: int | None
    """The host of who leaves for good, if anybody does."""

    @classmethod
    def of(cls, seed: int) -> "Plan":
        """Returns the plan of that seed."""
        rng = Random(seed)
        players, options = rng.choice(PLAYERS), frozenset(option for option in OPTIONS if rng.random() < 0.4)
        part = 0.15 + 0.2 * rng.random()
        hosts = range(1, players + 1)
        rogue = rng.choice(hosts) if rng.random() < 0.4 else None
        honest = [host for host in hosts if host != rogue]
        rounds = players * Setup(players).terms
        gone = rng.choice(honest) if rng.random() < 0.4 else None
        mishaps = [
            Planned(
                # In the last round the game may be over for somebody before it comes back.
                Moment(rng.randrange(1, rounds), rng.randrange(len(PHASES))),
                rng.choice(honest),
                rng.choice(list(MISHAPS)),
                round(MOST_SECONDS * rng.random(), 1),
            )
            for _ in range(rng.randint(1, MOST_MISHAPS))
        ]
        if gone is not None:
            mishaps.append(Planned(Moment(rng.randrange(1, rounds), rng.randrange(len(PHASES))), gone, GONE, 0))
        people = tuple((rng.choice(STYLES), rng.choice(LEVELS)) for _ in hosts)
        mishaps.sort(key=lambda one: one.moment)
        deed, since = rng.choice(list(DEEDS)), rng.randint(5, 60)
        setup = _setup(players, rng.choice(list(Edition)), options, part)
        return cls(seed, setup, people, tuple(mishaps), rogue, deed, since, gone)

    def __str__(self) -> str:
        """Returns a line that says what happens."""
        options = ",".join(sorted(self.setup.options)) or "no options"
        mishaps = ", ".join(f"{one.name} {one.host}" for one in self.mishaps)
        cheat = f"; {self.rogue} {self.deed}" if self.rogue is not None else ""
        table = f"{self.setup.players} players, {self.setup.edition.value} edition, {self.setup.cards} cards, {options}"
        return f"{table}: {mishaps}{cheat}"


def _setup(players: int, edition: Edition, options: frozenset[str], part: float) -> Setup:
    """Returns terms with a short deck, of that part of the goods or more: it is soon shuffled, and often."""
    goods = goods_for(players, royal="royal" in options)
    while True:
        short = tuple((good.kind, max(1, round(part * good.count))) for good in goods)
        try:
            return Setup(players, edition, options, short=short)
        except BadSetup:  # Too few for all hands.
            part += 0.05
