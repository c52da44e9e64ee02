"""A toy game to drive the table with, and a network in memory that loses, repeats, delays, reorders and tampers."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from protocol.charter import Charter, Player, Proposal
from protocol.codec import Value
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import InvalidProofError, LocalError, MalformedError, VerificationError, judging
from protocol.faults import Fault
from protocol.identity import Identity
from protocol.proofs.context import Context
from protocol.table import Event, ForbiddenError, Table, Turn
from protocol.transcript import Transcript
from tests.drbg import Drbg

MOST_TRIES = 30
"""How often somebody is shown what proves a fault: it may get lost, and need not prove it to who has another past."""

UNLUCKY = 13
"""The number that the rules of the toy forbid."""


def identities(count: int, seed: str = "toy") -> list[Identity]:
    rng = Drbg(f"identities/{seed}")
    return [Identity.generate(rng) for _ in range(count)]


def charter_of(players: Sequence[Identity], terms: Value = "toy", seed: str = "toy") -> Charter:
    rng = Drbg(f"nonces/{seed}")
    proposal = Proposal(tuple(Player(one.public, f"player {seat}") for seat, one in enumerate(players)), terms)
    return Charter(proposal, tuple(rng(32) for _ in players))


def sign(
    charter: Charter,
    identity: Identity,
    heads: Sequence[Head],
    payload: Value = "words",
    step: int | None = None,
    author: int | None = None,
) -> SignedEntry:
    """Signs anything, true or not."""
    seat = charter.seat_of(identity.public) if author is None else author
    assert seat is not None
    return SignedEntry.sign(identity, Entry(charter.game, seat, tuple(heads), step, payload))


def say(transcript: Transcript, identity: Identity, payload: Value = "words", step: int | None = None) -> SignedEntry:
    """Writes an honest entry and delivers it to its author."""
    signed = sign(transcript.charter, identity, transcript.heads, payload, step)
    assert list(transcript.receive(signed)) == [signed]
    return signed


def place_of(turn: Turn) -> Context:
    return turn.context("toy", 0, "write", 0)


@dataclass(frozen=True, slots=True)
class Written:
    """A number that was folded, and all that the game could see of its turn."""

    step: int | None
    seat: int
    number: int
    heard: tuple[Entry, ...]
    last: tuple[Entry | None, ...]
    place: Context


@dataclass(frozen=True, slots=True)
class Toy:
    """In each step some seats must write a number; what they had heard before is part of the state."""

    stages: tuple[tuple[int, ...], ...]
    log: tuple[Written, ...] = ()

    def expected(self) -> tuple[int, ...]:
        return self.stages[0] if self.stages else ()

    def fold(self, turn: Turn) -> "Toy":
        match turn.entry.payload:
            case bool() | str():
                raise MalformedError("not a number")
            case int(number) if number == UNLUCKY:
                raise ForbiddenError("thirteen brings bad luck")
            case int(number):
                pass
            case bytes():
                raise InvalidProofError("the toy's equation")
            case _:
                with judging():
                    raise LocalError("what makes no sense to the toy is its author's mistake")
        first, *rest = self.stages
        left = tuple(seat for seat in first if seat != turn.entry.author)
        entry = turn.entry
        written = Written(entry.step, entry.author, number, turn.free, turn.last, place_of(turn))
        return replace(self, stages=(left, *rest) if left else tuple(rest), log=(*self.log, written))

    def left(self, seats: tuple[int, ...]) -> "Toy":
        stages = tuple(left for stage in self.stages if (left := tuple(seat for seat in stage if seat not in seats)))
        return replace(self, stages=stages)

    def check_words(self, entry: Entry) -> None:
        if isinstance(entry.payload, bool):
            raise MalformedError("yes or no is no answer")

    @property
    def numbers(self) -> list[tuple[int, int]]:
        """Seats and numbers in the order in which they were folded."""
        return [(written.seat, written.number) for written in self.log]

    @property
    def heard(self) -> list[Entry]:
        """All free entries in the order in which they were taken note of."""
        return [entry for written in self.log for entry in written.heard]


SEATS = 4
PLAYERS = identities(SEATS)
CHARTER = charter_of(PLAYERS)
STAGES = ((0, 1, 2, 3), (2,), (1, 3), (0,), (3, 0), (0, 1, 2, 3), (1,))
"""A game with all sorts of steps."""


def seated(*stages: tuple[int, ...], onlookers: int = 0) -> list[Table[Toy]]:
    """Returns the nodes of the four players, and of some who only look on."""
    players = [Table(CHARTER, Toy(stages), one) for one in PLAYERS]
    return [*players, *(Table(CHARTER, Toy(stages)) for _ in range(onlookers))]


def write(tables: Sequence[Table[Toy]], seat: int, payload: Value, *, free: bool = False) -> bytes:
    """Lets a seat write, and tells everybody at once."""
    data, _ = next(table for table in tables if table.seat == seat).write(payload, free=free)
    for table in tables:
        if table.seat != seat:
            table.receive(data)
    return data


def tell(tables: Sequence[Table[Toy]], signed: SignedEntry) -> list[list[Event]]:
    """Tells everybody, the author too, and returns what happened on each node."""
    return [table.receive(signed.to_bytes()) for table in tables]


def the_fault(events: Sequence[Event]) -> Fault:
    (fault,) = (event for event in events if isinstance(event, Fault))
    return fault


Tamper = Callable[[int, int, bytes], bytes | None]
"""What becomes of a message from one node to another; None if it vanishes."""


def untouched(_sender: int, _receiver: int, data: bytes) -> bytes | None:
    return data


class Pump:
    """The network between tables. Nodes beyond the seats are onlookers."""

    def __init__(
        self,
        tables: Sequence[Table[Toy]],
        rng: Random,
        loss: float = 0.0,
        duplicates: float = 0.0,
        tamper: Tamper = untouched,
        absent: Sequence[int] = (),
    ) -> None:
        self.tables, self.rng = list(tables), rng
        self.present = [node for node in range(len(self.tables)) if node not in absent]
        """The others neither act nor get anything: a test speaks for them."""
        self.events: list[list[Event]] = [[] for _ in tables]
        self.stored: list[list[bytes]] = [[] for _ in tables]
        """What each node wrote and took, in that order: its store."""
        self.refused: list[tuple[int, VerificationError]] = []
        self._loss, self._duplicates, self._tamper = loss, duplicates, tamper
        self._in_flight: list[tuple[int, bytes]] = []
        self._shown: Counter[tuple[int, bytes]] = Counter()

    def write(self, node: int, payload: Value, *, free: bool = False) -> bytes:
        data, events = self.tables[node].write(payload, free=free)
        self.stored[node].append(data)
        self.events[node] += events
        self.send(node, data)
        return data

    def send(self, sender: int, data: bytes, receivers: Sequence[int] = ()) -> None:
        for receiver in receivers or self.present:
            sent = self._tamper(sender, receiver, data) if receiver != sender else None
            if sent is not None and self.rng.random() >= self._loss:
                copies = 1 + (self.rng.random() < self._duplicates)
                self._in_flight += [(receiver, sent)] * copies

    def deliver(self) -> bool:
        """Delivers one message, whichever; returns whether there was one."""
        if not self._in_flight:
            return False
        receiver, data = self._in_flight.pop(self.rng.randrange(len(self._in_flight)))
        try:
            self.events[receiver] += self.tables[receiver].receive(data)
            self.stored[receiver].append(data)
        except VerificationError as error:
            self.refused.append((receiver, error))
        return True

    def resend(self) -> bool:
        """Sends what was asked for, and the last entry of every chain that is shorter elsewhere; whether it had to.

        What lies between is found through ``missing`` alone.
        """
        needed = False
        for receiver in self.present:
            table = self.tables[receiver]
            asked = {(missing.seat, missing.sequence) for missing in table.missing()}
            for sender, other in enumerate(self.tables):
                tails = {(seat, len(chain) - 1) for seat, chain in enumerate(other.transcript.chains) if chain}
                wanted = asked | {(seat, last) for seat, last in tails if self._lacks(table, seat, last)}
                for seat, sequence in sorted(wanted):
                    for signed in other.transcript.versions(seat, sequence):
                        if sender != receiver and signed.hash not in table.transcript.history:
                            needed = True
                            self.send(sender, signed.to_bytes(), [receiver])
                for seat in sorted(other.faults.keys() - table.faults.keys() - {table.seat}):
                    for signed in other.faults[seat].evidence:  # Often enough, however much gets lost.
                        self._shown[receiver, signed.hash] += 1
                        if self._shown[receiver, signed.hash] <= MOST_TRIES:
                            needed = True
                            self.send(sender, signed.to_bytes(), [receiver])
        return needed

    @staticmethod
    def _lacks(table: Table[Toy], seat: int, sequence: int) -> bool:
        return table.transcript.get(seat, sequence) is None and seat not in table.faults

    def run(self, act: Callable[[int], bool] = lambda _: False, limit: int = 20_000) -> None:
        """Lets nodes act and messages arrive in random order until nothing is left to do."""
        for _ in range(limit):
            if self.rng.random() < 0.6 and self.deliver():
                continue
            order = self.rng.sample(self.present, len(self.present))
            if not (any(act(node) for node in order) or self.deliver() or self.resend()):
                return
        raise AssertionError(f"the table did not come to rest in {limit} steps")
