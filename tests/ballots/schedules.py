"""What happens to the seats of a table, whoever plays them: the schedule says it, and seats of any kind go through it.

An action says which entry it means by the number of the action that wrote it, so an action can be left out.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Protocol, TypeAlias

from tests.ballots.counting import Gone, Log, Taken
from tests.ballots.ledger import Entry, Heads, Keys, Ledger, Mask, Seats, See, Slot, Vote, Words, chain, past


class Voter(Protocol):
    """One node: a player, or an onlooker, who has no seat and writes nothing."""

    @property
    def log(self) -> Log: ...
    @property
    def step(self) -> int: ...
    @property
    def seated(self) -> Seats:
        """Who is in by what was folded."""
        ...

    @property
    def staying(self) -> Seats:
        """Who is in by the certificates that count, folded or not yet."""
        ...

    @property
    def is_out(self) -> bool: ...
    def deliver(self, entry: Entry) -> None: ...
    def restart(self) -> None: ...

    # Each writes an entry if the rules allow it, and returns it.
    def slot(self) -> Entry | None: ...
    def see(self) -> Entry | None: ...
    def vote(self, out: Seats) -> Entry | None: ...
    def join(self, unwanted: Seats) -> Entry | None: ...


@dataclass(frozen=True, slots=True)
class Deliver:
    to: int
    of: int
    is_whole: bool
    """Whether all that the entry builds on arrives with it."""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One node gets all that another has."""

    to: int
    source: int


@dataclass(frozen=True, slots=True)
class WriteSlot:
    seat: int


@dataclass(frozen=True, slots=True)
class WriteSee:
    seat: int


@dataclass(frozen=True, slots=True)
class WriteVote:
    seat: int
    out: Seats


@dataclass(frozen=True, slots=True)
class Agree:
    """A seat votes as in the last vote that was written until then, whether it has seen it or not."""

    seat: int
    of: int


@dataclass(frozen=True, slots=True)
class Restart:
    seat: int


@dataclass(frozen=True, slots=True)
class Part:
    """The network falls apart into two sides, or comes together again."""

    side: Seats


@dataclass(frozen=True, slots=True)
class Lie:
    seat: int
    seed: int
    may_fork: bool


Action: TypeAlias = Deliver | Exchange | WriteSlot | WriteSee | WriteVote | Agree | Restart | Part | Lie


def keys_of(log: Log) -> Keys:
    """Returns the certificates in a history."""
    return tuple(item.key for item in log if isinstance(item, Gone))


class BrokenError(AssertionError):
    """What the rules promise does not hold."""


class Play:
    """Nodes on their way through a schedule, and what they have written and released."""

    def __init__(
        self, ledger: Ledger, nodes: Sequence[Voter], liars: Seats, fault: Callable[[Entry], str | None]
    ) -> None:
        self.ledger, self.nodes, self.liars, self.fault = ledger, nodes, liars, fault
        self.honest = ledger.seats - liars
        self.present: Mask = 0
        """All that was written in this play."""
        self.contested: Mask = 0
        """What of it is not on every branch of its author."""
        self.released: list[tuple[int, Log]] = []
        """Whose secrets are out, and on what history."""
        self.acted: set[Keys] = set()
        """The certificates on which honest seats went on."""
        self.here = [0] * len(nodes)
        """What each node has got."""
        self.folded: list[set[Taken]] = [set() for _ in nodes]
        """Which entries of honest seats each node has ever folded."""
        self._written: list[int] = []
        self._side: Seats = frozenset()

    # -- actions

    def give(self, to: Iterable[int], *entries: Entry | None) -> None:
        """Delivers entries with all that they build on."""
        for node in to:
            self._give(node, past(entries))

    def sync(self, *groups: Iterable[int]) -> None:
        """Lets everybody of each group have all that the others of it have."""
        for group in map(list, groups):
            for to, source in [*combinations(group, 2), *combinations(reversed(group), 2)]:
                self._give(to, self.here[source])

    def slot(self, seat: int) -> Entry | None:
        node = self.nodes[seat]
        before, is_secret = node.log, node.step % 2 == 1
        entry = self.wrote(seat, node.slot())
        if entry:
            self.acted.add(keys_of(before))
        if entry and is_secret:
            self.released.append((seat, before))
        return entry

    def see(self, seat: int) -> Entry | None:
        return self.wrote(seat, self.nodes[seat].see())

    def vote(self, seat: int, *out: int) -> Entry | None:
        return self.wrote(seat, self.nodes[seat].vote(frozenset(out)))

    def join(self, seat: int, unwanted: Seats) -> Entry | None:
        return self.wrote(seat, self.nodes[seat].join(unwanted))

    def lie(self, seat: int, heads: Heads, words: Words) -> Entry:
        """Writes what a liar likes."""
        entry = self.ledger.add(self.ledger.draft(seat, heads, words))
        self._note(entry)
        return entry

    def _note(self, entry: Entry) -> None:
        self.present |= 1 << entry.number
        self.contested = self.ledger.contested(self.present)

    def go_on(self, seats: Sequence[int], rounds: int, until: int | None = None) -> None:
        """Lets some seats, who reach each other, play."""
        for _ in range(rounds):
            self.sync(seats)
            for seat in seats:
                if self.nodes[seat].step != until and not self.slot(seat):
                    self.see(seat)

    def wrote(self, seat: int, entry: Entry | None) -> Entry | None:
        """Notes what a node has written; no honest node would take it if it were a fault."""
        if entry is not None:
            self._note(entry)
            self.here[seat] |= 1 << entry.number
            if (reason := self.fault(entry)) is not None:
                raise BrokenError(f"P5: seat {seat} is blamed: {reason}")
        return entry

    def _give(self, node: int, mask: int) -> None:
        for entry in self.ledger.of(mask & ~self.here[node]):
            self.nodes[node].deliver(entry)
        self.here[node] |= mask

    # -- schedules

    def do(self, action: Action) -> None:
        match action:
            case Deliver(to, of, is_whole):
                entry = self._entry(of)
                if entry and (entry.author in self.liars or self._reaches(to, entry.author)):
                    self._give(to, entry.past if is_whole else 1 << entry.number)
            case Exchange(to, source) if self._reaches(to, source):
                self._give(to, self.here[source])
            case WriteSlot(seat):
                self.slot(seat)
            case WriteSee(seat):
                self.see(seat)
            case WriteVote(seat, out):
                self.vote(seat, *(out & self.nodes[seat].seated))
            case Agree(seat, of):
                votes = [vote for _, vote in self.ledger.votes_in((1 << self._count(of)) - 1)]
                if votes:
                    self.vote(seat, *votes[-1].out)
            case Restart(seat):
                self.restart(seat)
            case Part(side):
                self._side = side
            case Lie(seat, seed, may_fork):
                self._lie(seat, Random(seed), may_fork)
            case _:
                pass
        self._written.append(len(self.ledger.entries))

    def restart(self, seat: int) -> None:
        self.nodes[seat].restart()
        own = max(self.ledger.of(self.ledger.by[seat]), key=lambda entry: entry.sequence, default=None)
        self.here[seat] = past([own])

    def _reaches(self, one: int, other: int) -> bool:
        return (one in self._side) == (other in self._side)

    def _count(self, action: int) -> int:
        return self._written[action] if self._written else 0

    def _entry(self, action: int) -> Entry | None:
        return self.ledger.entries[self._count(action) - 1] if self._count(action) else None

    def _lie(self, seat: int, rng: Random, may_fork: bool) -> None:
        """Writes what is no fault by its past: anything else, nobody takes."""
        ledger, own = self.ledger, list(self.ledger.of(self.ledger.by[seat]))
        previous = rng.choice([one for one in own if not any(one is other.previous for other in own)] or [None])
        if may_fork and previous and rng.random() < 0.25:
            previous = previous.previous
        if rng.random() < 0.3:  # It knows all that some node has, and may do at once what others still wait with.
            known = past([previous, *ledger.of(rng.choice(self.here))])
        else:
            known = past([previous, *rng.sample(ledger.entries, min(len(ledger.entries), rng.randint(0, 3)))])
        before = previous.heads if previous else (None,) * len(ledger.seats)
        heads = tuple(
            previous if other == seat else self._head(known & ledger.by[other], before[other], rng)
            for other in sorted(ledger.seats)
        )
        words: Words
        kind = rng.random()
        if kind < 0.35:
            words = Slot(max(0, rng.choice([node.step for node in self.nodes]) - rng.randint(0, 1)), rng.randint(0, 1))
        elif kind < 0.75:
            votes = [vote for _, vote in ledger.votes_in(ledger.votes)]
            if votes and rng.random() < 0.8:
                words = rng.choice(votes)
            else:
                below = rng.choice(votes).below if votes else ()
                out = frozenset(rng.sample(sorted(ledger.seats - {seat}), rng.randint(0, len(ledger.seats) // 2)))
                words = Vote(below, out, 1 + max((vote.attempt for vote in votes), default=-1))
        else:
            words = See(rng.randint(0, 1))
        if self.fault(ledger.draft(seat, heads, words)) is None:
            self.lie(seat, heads, words)

    def _head(self, own: int, before: Entry | None, rng: Random) -> Entry | None:
        later = [entry for entry in self.ledger.of(own) if not chain(before) & ~entry.chain]
        ends = [entry for entry in later if not any(entry is other.previous for other in later)]
        return rng.choice(ends or [before])


def random_schedule(seats: int, liars: Seats, *, may_fork: bool, seed: int) -> list[Action]:
    """Returns what happens at a table of so many seats and an onlooker, some of whom may lie."""
    rng = Random(seed)
    honest = sorted(set(range(seats)) - liars)
    often = rng.choice([0.05, 0.15, 0.3, 0.5])
    lies, network = rng.choice([0.1, 0.3, 0.5]) if liars else 0, rng.choice([0.3, 0.6])
    sets = [frozenset(rng.sample(range(seats), rng.randint(0, (seats - 1) // 2))) for _ in range(rng.randint(1, 3))]
    actions: list[Action] = []
    for number in range(rng.choice([20, 40, 60, 90])):
        recent = rng.randrange(max(0, number - 20), number) if number else 0
        to, seat = rng.choice([*honest, seats]), rng.choice(honest)
        kind = rng.random()
        if rng.random() < 0.05:
            side = rng.sample(honest, rng.randint(1, len(honest) - 1)) if rng.random() < 0.7 else []
            actions.append(Part(frozenset(side)))
        elif kind < network:
            what = rng.random()
            if what < 0.4:
                actions.append(Exchange(to, rng.choice(honest)))
            elif what < 0.95:
                actions.append(Deliver(to, recent, rng.random() < 0.5))
            else:
                actions.append(Restart(seat))
        elif kind < network + (1 - network) * lies:
            actions.append(Lie(rng.choice(sorted(liars)), rng.getrandbits(32), may_fork))
        elif rng.random() < often:
            actions.append(WriteVote(seat, rng.choice(sets)) if rng.random() < 0.4 else Agree(seat, recent))
        else:
            actions.append(WriteSlot(seat) if rng.random() < 0.5 else WriteSee(seat))
    return actions
