"""Figures of the cryptographic core."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import log2
from secrets import token_bytes
from time import process_time
from typing import Final

from nacl import bindings

from p2p_sheriff.lab.bench.measure import REPETITIONS, Bench, Benchmark, Figure, Measured, Result
from protocol.cipher import Lock, card_points
from protocol.group import Element, encode_scalar
from protocol.proofs import dleq, membership, shuffle
from protocol.proofs.context import Context
from protocol.proofs.pedersen import generators

DECK: Final = 216
PLAYERS: Final = 6
GROWTH: Final = (54, 108, 216, 432)

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


def _deck_ready(bench: Bench, name: str) -> Iterator[Result]:
    """From the unshuffled deck to the moment when every player has verified every shuffle, with a core for each player.

    Each step is really done and measured here, one after the other; the longest chain is computed from them. A player
    passes the list on at once and proves afterwards; what others proved is verified whenever the own core is free.
    """
    cards: Sequence[Element] = _cards(bench, DECK)
    steps = []
    for _ in range(PLAYERS):
        timings, cards = _player_step(bench, name, cards)
        steps.append(timings)
    yield Measured(
        name,
        longest_chain(*zip(*([timing.seconds for timing in step] for step in steps), strict=True)),
        longest_chain(*zip(*([timing.floor_seconds for timing in step] for step in steps), strict=True)),
    )


def _player_step(bench: Bench, name: str, cards: Sequence[Element]) -> tuple[list[Measured], Sequence[Element]]:
    """Returns what it took to shuffle, to prove and to verify, and the shuffled cards."""
    group = bench.group
    made: list[_Shuffled] = []
    proofs: list[bytes] = []

    def lock_and_permute() -> Callable[[], object]:
        lock, preparation = Lock.generate(group, token_bytes), shuffle.prepare(group, DECK, token_bytes)
        return lambda: made.append(_Shuffled(lock, preparation, shuffle.shuffle(group, preparation, lock, cards)))

    def prove() -> Callable[[], object]:
        one = made[len(proofs)]
        return lambda: proofs.append(_prove(bench, one).to_bytes())

    def verify() -> None:
        sent, data = made[0].statement, proofs[0]
        received = replace(sent, outputs=tuple(map(group.decode, sent.outputs)))
        proof = shuffle.ShuffleProof.from_bytes(group, data, DECK)
        shuffle.verify(group, CONTEXT, received, proof, token_bytes)

    timings = [bench.time(name, lock_and_permute), bench.time(name, prove), bench.time(name, lambda: verify)]
    return timings, made[0].statement.outputs


def longest_chain(shuffles: Sequence[float], proves: Sequence[float], verifies: Sequence[float]) -> float:
    """Returns when the last player is done, if player i shuffles, proves and is verified in these times."""
    listed = [sum(shuffles[: i + 1]) for i in range(len(shuffles))]
    proved = [at + prove for at, prove in zip(listed, proves, strict=True)]
    ends = []
    for i in range(len(shuffles)):
        work = [(listed[i] - shuffles[i], shuffles[i] + proves[i])]
        work += [(proved[j], verifies[j]) for j in range(len(shuffles)) if j != i]
        clock = 0.0
        for release, length in sorted(work):
            clock = max(clock, release) + length
        ends.append(clock)
    return max(ends)


BENCHMARKS: Final[dict[str, Benchmark]] = {
    "group.mul": _group_mul,
    f"shuffle.offline.{DECK}": _shuffle_offline,
    f"shuffle.prove.{DECK}": _shuffle_prove,
    **{f"shuffle.verify.{count}": _shuffle_verify for count in GROWTH},
    "shuffle.verify.growth": _shuffle_growth,
    "strip.12": _strip,
    **{f"membership.{side}.{shape}": _membership for shape in ("48", "204", "5x48") for side in ("prove", "verify")},
    f"deck.ready.{PLAYERS}x{DECK}": _deck_ready,
}
