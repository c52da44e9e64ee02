"""Figures of the cryptographic core."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log2
from secrets import token_bytes
from time import process_time
from typing import Final

from nacl import bindings

from p2p_sheriff.lab.bench.measure import REPETITIONS, Bench, Benchmark, Figure, Measured, Result
from protocol import deck
from protocol.cipher import Lock, card_points
from protocol.deck import Card, Keyring
from protocol.group import Element, encode_scalar
from protocol.proofs import dleq, membership, shuffle
from protocol.proofs.context import Context
from protocol.proofs.pedersen import generators

DECK: Final = 216
GROWTH: Final = (54, 108, 216, 432)
REMAINING, MATCHED, KEYS_OF_EACH = 5, 150, 5
"""Who deals around a gap, how many cards lie on the table, and under how many keys of each."""

CONTEXT: Final = Context(bytes(32), bytes(32), "goods", 0, 0, 0, 0, bytes(32), "bench", 0)


def _group_mul(bench: Bench, name: str) -> Iterator[Result]:
    """One multiplication through our interface, against the bare call of the library."""
    s, P = 2**251 + 12345678901234567890, bench.group.mul_base(3)
    encoded, rounds = encode_scalar(s), 200
    ours = bare = float("inf")
    for _ in range(REPETITIONS):
        start = process_time()
        for _ in range(rounds):
            bench.group.mul(s, P)
        middle = process_time()
        for _ in range(rounds):
            bindings.crypto_scalarmult_ed25519_noclamp(encoded, P)
        end = process_time()
        ours, bare = min(ours, middle - start), min(bare, end - middle)
    yield Measured(name, ours / rounds, bare / rounds)


@dataclass(frozen=True, slots=True)
class _Shuffled:
    lock: Lock
    preparation: shuffle.Preparation
    statement: shuffle.Shuffle


def _shuffled(bench: Bench, cards: Sequence[Element]) -> _Shuffled:
    lock = Lock.generate(bench.group, token_bytes)
    preparation = shuffle.prepare(bench.group, len(cards), token_bytes)
    return _Shuffled(lock, preparation, shuffle.shuffle(bench.group, preparation, lock, cards))


def _cards(bench: Bench, count: int) -> tuple[Element, ...]:
    generators(bench.group, count)
    return card_points(bench.group, "goods", count)


def _prove(bench: Bench, made: _Shuffled) -> shuffle.ShuffleProof:
    return shuffle.prove(bench.group, CONTEXT, made.statement, made.lock.k, made.preparation)


def _shuffle_offline(bench: Bench, name: str) -> Iterator[Result]:
    generators(bench.group, DECK)
    yield bench.time(name, lambda: lambda: shuffle.prepare(bench.group, DECK, token_bytes))


def _shuffle_prove(bench: Bench, name: str) -> Iterator[Result]:
    cards = _cards(bench, DECK)

    def prepare() -> Callable[[], object]:
        made = _shuffled(bench, cards)
        return lambda: _prove(bench, made)

    yield bench.time(name, prepare)


def _shuffle_verify(bench: Bench, name: str) -> Iterator[Result]:
    yield _verify_timing(bench, name, int(name.rsplit(".", 1)[1]))


def _verify_timing(bench: Bench, name: str, count: int) -> Measured:
    made = _shuffled(bench, _cards(bench, count))
    proof = _prove(bench, made)
    return bench.time(name, lambda: lambda: shuffle.verify(bench.group, CONTEXT, made.statement, proof, token_bytes))


def _shuffle_growth(bench: Bench, name: str) -> Iterator[Result]:
    """The exponent with which the time grows from the smallest list to the largest: 1 is linear."""
    small, large = (_verify_timing(bench, name, count) for count in (GROWTH[0], GROWTH[-1]))
    doublings = log2(GROWTH[-1] / GROWTH[0])
    grown, floor = log2(large.seconds / small.seconds), log2(large.floor_seconds / small.floor_seconds)
    yield Figure(name, grown / doublings, "exponent", floor / doublings)


def _strip(bench: Bench, name: str) -> Iterator[Result]:
    """Takes a lock off twelve cards, proves it, and verifies it: what a refill costs each of two players."""
    group, count = bench.group, 12
    lock = Lock.generate(group, token_bytes)
    locked = tuple(lock.close(group, _cards(bench, count)))

    def strip() -> None:
        stripped = tuple(lock.open(group, locked))
        statement = dleq.Equality(lock.base, lock.public, stripped, locked)
        proof = dleq.prove(group, CONTEXT, [statement], [lock.k], token_bytes)
        dleq.verify(group, CONTEXT, [statement], proof)

    yield bench.time(name, lambda: strip)


def _membership(bench: Bench, name: str) -> Iterator[Result]:
    group = bench.group
    _, side, shape = name.split(".")
    count, labels = (int(part) for part in (shape.split("x") if "x" in shape else ("1", shape)))
    among = _cards(bench, labels)
    lock = Lock.generate(group, token_bytes)
    claims = [membership.Claim(X, lock.public, among) for X in lock.close(group, among[:count])]
    openings = [membership.Opening(lock.k, index) for index in range(count)]

    def prove() -> membership.MembershipProof:
        return membership.prove(group, CONTEXT, claims, openings, token_bytes)

    def verify() -> None:
        membership.verify(group, CONTEXT, claims, proof, token_bytes)

    proof = prove()
    yield bench.time(name, lambda: prove if side == "prove" else verify)


class _Around:
    """A deck that is dealt anew around a gap, as far as the last seat's node finds it done by the others."""

    def __init__(self, bench: Bench) -> None:
        """Has the others lay and prove their lists, and match the cards that lie on the table."""
        self._group, self._rings = bench.group, [Keyring(bench.group, token_bytes) for _ in range(REMAINING)]
        labels = tuple(map(Card, _cards(bench, DECK)))
        self._lists = [labels]
        self._laid = [self._lay(seat) for seat in range(REMAINING - 1)]
        self._proofs = [self._prove(seat, preparation) for seat, (_, preparation) in enumerate(self._laid)]
        self._table = self._cards(labels)
        self._matches, cards = list[deck.Change](), self._table
        for seat in range(REMAINING - 1):
            self._matches.append(self._match(seat, cards))
            cards = deck.verify_lock(self._group, CONTEXT, seat, cards, self._matches[-1])

    def _cards(self, labels: Sequence[Card]) -> tuple[Card, ...]:
        """Returns what lies on the table: as many cards of each seat, in hand, stack, stall and discards."""
        locks = [(place % REMAINING, place // REMAINING % KEYS_OF_EACH) for place in range(MATCHED)]
        fresh = {lock: self._rings[lock[0]].fresh() for lock in dict.fromkeys(locks)}
        return tuple(
            card.relocked(fresh[lock].close(self._group, [card.point])[0], lock[0], fresh[lock].public)
            for card, lock in zip(labels, locks, strict=False)
        )

    def _lay(self, seat: int) -> tuple[deck.Change, shuffle.Preparation]:
        preparation = shuffle.prepare(self._group, DECK, token_bytes)
        change = deck.list_cards(self._group, seat, self._lists[-1], self._rings[seat], preparation)
        self._lists.append(deck.read_list(self._group, seat, self._lists[-1], change))
        return change, preparation

    def _prove(self, seat: int, preparation: shuffle.Preparation) -> bytes:
        before, after = self._lists[seat : seat + 2]
        return deck.prove_list(self._group, CONTEXT, seat, before, after, self._rings[seat], preparation, token_bytes)

    def _match(self, seat: int, cards: Sequence[Card]) -> deck.Change:
        key = self._lists[seat + 1][0].key_of(seat)
        ring = self._rings[seat]
        return deck.lock_cards(self._group, CONTEXT, seat, cards, ring, token_bytes, ring[key] if key else None)

    def finish(self) -> None:
        """Does all that the last seat's node does: its own part, and the verification of all."""
        group, own = self._group, REMAINING - 1
        for seat, (change, _) in enumerate(self._laid):
            deck.read_list(group, seat, self._lists[seat], change)
        _, preparation = self._lay(own)
        proofs = [*self._proofs, self._prove(own, preparation)]
        links = [
            deck.read_proof(group, CONTEXT, seat, before, after, proof)
            for seat, ((before, after), proof) in enumerate(zip(pairwise(self._lists), proofs, strict=True))
        ]
        shuffle.verify_chain(group, links, token_bytes)
        cards = self._table
        for seat, change in enumerate(self._matches):
            cards = deck.verify_lock(group, CONTEXT, seat, cards, change)
        deck.verify_lock(group, CONTEXT, own, cards, self._match(own, cards))


def _deal_around(bench: Bench, name: str) -> Iterator[Result]:
    """What a node does when the deck is dealt anew around somebody who left, with five who remain."""
    yield bench.time(name, lambda: _Around(bench).finish, 3)


BENCHMARKS: Final[dict[str, Benchmark]] = {
    "group.mul": _group_mul,
    f"shuffle.offline.{DECK}": _shuffle_offline,
    f"shuffle.prove.{DECK}": _shuffle_prove,
    **{f"shuffle.verify.{count}": _shuffle_verify for count in GROWTH},
    "shuffle.verify.growth": _shuffle_growth,
    "strip.12": _strip,
    f"deal.around.{DECK}": _deal_around,
    **{f"membership.{side}.{shape}": _membership for shape in ("48", "204", "5x48") for side in ("prove", "verify")},
}
