"""A proof of a shuffle tells neither the permutation nor the key.

Each test is a distinguisher. It must fail on honest proofs, and the very same code must succeed on proofs that the
library's prover made from flawed randomness: that shows that it would have seen a leak.

The one for the permutation uses all there is in a proof. Given a proof and a candidate for pi, every mask that the
prover drew follows, as a scalar or as a point. Under the true candidate they are what was drawn; under a false one they
are noise. If what is drawn is uniform, both look the same; if a mask is missing, biased or used twice, they do not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, log, sqrt
from typing import TypeAlias

import pytest

from protocol.cipher import Lock, card_points
from protocol.group import Group, encode_scalar
from protocol.hashing import ORDER
from protocol.proofs.pedersen import com
from protocol.proofs.shuffle import Shuffle, ShuffleProof, prepare, prove, shuffle, verify
from protocol.randomness import below
from tests.drbg import Drbg
from tests.protocol.contexts import HERE
from tests.protocol.shuffle_liar import challenges

N = 3
CANDIDATES = ((0, 1, 2), (1, 2, 0))
MASKS = ("w_1", "w_2", "w_3", "d_1", "d_2", "d_3", "delta_2", "r_p", "r_q", "w_q", "w_k", "w_f", "r_0", "r_1")
"""What is drawn for three cards, in this order."""

Flaw: TypeAlias = Callable[[int, int], int]
"""From the number of a draw and the uniform scalar that came up to the scalar that is used."""


def no_flaw(_: int, drawn: int) -> int:
    return drawn


def always_odd(_: int, drawn: int) -> int:
    return drawn | 1


def zero_at(place: int) -> Flaw:
    return lambda number, drawn: 0 if number == place else drawn


def repeated(first: int, second: int) -> Flaw:
    before: dict[int, int] = {}

    def repeat(number: int, drawn: int) -> int:
        before[number] = drawn
        return before[first] if number == second else drawn

    return repeat


class Randomness:
    """A source in which the scalars that are drawn have a flaw."""

    def __init__(self, seed: str, flaw: Flaw) -> None:
        self._rng = Drbg(seed)
        self._flaw = flaw
        self._number = 0

    def __call__(self, count: int) -> bytes:
        # The upper 253 of 256 bits are a candidate; it is drawn again until it is below q.
        data = self._rng(count)
        drawn = int.from_bytes(data) >> 3
        if drawn >= ORDER:
            return data
        self._number += 1
        return (self._flaw(self._number - 1, drawn) << 3).to_bytes(count)


@dataclass(frozen=True)
class Sample:
    statement: Shuffle
    proof: ShuffleProof
    truth: int
    """Which of the candidates pi was."""
    k: int


def sample(group: Group, flaw: Flaw, number: int) -> Sample:
    rng = Drbg(f"sample {number}")
    truth, lock = below(rng, 2), Lock.generate(group, rng)
    preparation = prepare(group, N, Randomness(f"masks {number}", flaw), CANDIDATES[truth])
    statement = shuffle(group, preparation, lock, card_points(group, "goods", N))
    return Sample(statement, prove(group, HERE, statement, lock.k, preparation), truth, lock.k)


def samples(group: Group, flaw: Flaw, count: int) -> list[Sample]:
    return [sample(group, flaw, number) for number in range(count)]


def implied_masks(group: Group, statement: Shuffle, proof: ShuffleProof, order: Sequence[int]) -> bytes:
    """Returns all masks that explain the proof if pi was this order, and their differences.

    Of a mask that no scalar of the proof holds, it is the multiple of a point.
    """
    u, y, z, c = challenges(HERE, statement, proof.commitments)
    P, Q, T_Q, T_D, _, T_f, E_0, E_1 = proof.commitments
    u_pi = [u[i] for i in order]
    a = [y * (i + 1) + u[i] - z for i in order]
    w = [s_j - c * u_j for s_j, u_j in zip(proof.coefficients, u_pi, strict=True)]
    d = [f_j - c * a_j for f_j, a_j in zip(proof.factors, a, strict=True)]
    delta = [d[0], proof.products[0] - c * a[0] * a[1], 0]
    e_0 = [-delta[0] * d[1], -delta[1] * d[2], 0]
    e_1 = [delta[1] - a[1] * delta[0] - a[0] * d[1], -a[2] * delta[1] - a[0] * a[1] * d[2], 0]
    scalars = [*w, *d, delta[1]]
    points = [
        group.sub(P, com(group, [i + 1 for i in order], 0)),
        group.sub(Q, com(group, u_pi, 0)),
        group.sub(T_Q, com(group, w, 0)),
        group.sub(T_D, group.msm(w, statement.outputs)),
        group.sub(T_f, com(group, d, 0)),
        group.sub(E_0, com(group, e_0, 0)),
        group.sub(E_1, com(group, e_1, 0)),
    ]
    scalars += [x - y for x, y in combinations(scalars, 2)]
    points += [group.sub(X, Y) for X, Y in combinations(points, 2)]
    return b"".join([*map(encode_scalar, scalars), *points])


def bits(data: bytes) -> bytes:
    return f"{int.from_bytes(data):0{8 * len(data)}b}".encode().translate(bytes.maketrans(b"01", b"\0\1"))


def right_guesses(group: Group, known: Sequence[Sample], unknown: Sequence[Sample]) -> int:
    """Returns how often the permutation is guessed, after learning from samples whose permutation is known.

    What is learnt is how often each bit of the implied masks is set under true and under false candidates. The guess is
    the candidate under which the bits that differ most, by three standard deviations, are likelier.
    """
    n = len(known)

    def features(one: Sample, candidate: int) -> bytes:
        return bits(implied_masks(group, one.statement, one.proof, CANDIDATES[candidate]))

    set_if_true = map(sum, zip(*(features(one, one.truth) for one in known), strict=True))
    set_if_false = map(sum, zip(*(features(one, 1 - one.truth) for one in known), strict=True))
    evidence = {
        place: (log((n - true + 1) / (n - false + 1)), log((true + 1) / (false + 1)))
        for place, (true, false) in enumerate(zip(set_if_true, set_if_false, strict=True))
        if abs(true - false) > 3 * sqrt(n / 2)
    }

    def likelihood(one: Sample, candidate: int) -> float:
        found = features(one, candidate)
        return sum(weights[found[place]] for place, weights in evidence.items())

    return sum((likelihood(one, 1) > likelihood(one, 0)) == (one.truth == 1) for one in unknown)


def chance(right: int, total: int) -> float:
    """Returns the probability of guessing right at least so often by tossing a coin."""
    return sum(comb(total, n) for n in range(right, total + 1)) / (1 << total)


def test_a_proof_does_not_tell_the_permutation(group: Group) -> None:
    honest = samples(group, no_flaw, 200)
    right = right_guesses(group, honest[:100], honest[100:])
    assert 0.001 < chance(right, 100) < 0.999


def test_masks_that_are_always_odd_tell_the_permutation(group: Group) -> None:
    leaky = samples(group, always_odd, 200)
    right = right_guesses(group, leaky[:100], leaky[100:])
    assert chance(right, 100) < 1e-6


def tells_the_permutation(group: Group, flaw: Flaw) -> bool:
    leaky = samples(group, flaw, 30)
    verify(group, HERE, leaky[0].statement, leaky[0].proof, Drbg("weights"))
    return right_guesses(group, leaky[:15], leaky[15:]) == 15


@pytest.mark.parametrize("mask", MASKS)
def test_any_one_mask_left_out_tells_the_permutation(group: Group, mask: str) -> None:
    assert tells_the_permutation(group, zero_at(MASKS.index(mask)))


@pytest.mark.parametrize(
    ("first", "second"),
    [("w_1", "w_2"), ("w_1", "d_1"), ("d_3", "delta_2"), ("r_p", "r_q"), ("w_q", "w_f"), ("r_0", "r_1")],
)
def test_one_mask_used_for_two_values_tells_the_permutation(group: Group, first: str, second: str) -> None:
    assert tells_the_permutation(group, repeated(MASKS.index(first), MASKS.index(second)))


# The key.


def agreement(pairs: Sequence[tuple[int, int]]) -> float:
    """Returns by how many standard deviations the bits of two scalars agree more, or less, often than by chance."""
    # The top bit of a scalar is hardly ever set, in any scalar, and tells nothing.
    differences = sum(((x ^ y) & (1 << 252) - 1).bit_count() for x, y in pairs)
    total = 252 * len(pairs)
    return (total - 2 * differences) / sqrt(total)


def key_hints(one: Sample) -> list[int]:
    """Returns all that might hold k: the closing scalars, and the same without their challenge."""
    c = challenges(HERE, one.statement, one.proof.commitments).c
    return [*one.proof.closing, *(s * pow(c, -1, ORDER) % ORDER for s in one.proof.closing)]


def strongest_hint(shown: Sequence[Sample]) -> float:
    hints = zip(*map(key_hints, shown), strict=True)
    return max(abs(agreement([(x, one.k) for x, one in zip(hint, shown, strict=True)])) for hint in hints)


def test_a_proof_does_not_tell_the_key(group: Group) -> None:
    assert strongest_hint(samples(group, no_flaw, 100)) < 4


def test_a_proof_without_a_mask_for_the_key_tells_it(group: Group) -> None:
    assert strongest_hint(samples(group, zero_at(MASKS.index("w_k")), 100)) > 150


def test_two_proofs_with_the_same_masks_give_the_key_away(group: Group) -> None:
    def key(seeds: tuple[str, str]) -> tuple[int, int]:
        lock = Lock(group, 1 + below(Drbg("key"), ORDER - 1))
        answers = []
        for seed, deck in zip(seeds, ("goods", "laws"), strict=True):
            preparation = prepare(group, N, Drbg(seed))
            statement = shuffle(group, preparation, lock, card_points(group, deck, N))
            proof = prove(group, HERE, statement, lock.k, preparation)
            answers.append((proof.closing[1], challenges(HERE, statement, proof.commitments).c))
        (s, c), (s_again, c_again) = answers
        return (s - s_again) * pow(c - c_again, -1, ORDER) % ORDER, lock.k

    extracted, k = key(("a source that repeats", "a source that repeats"))
    assert extracted == k
    extracted, k = key(("one", "two"))
    assert extracted != k
