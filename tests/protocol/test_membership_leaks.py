"""What a membership proof tells of the index and of the key: nothing that this attack can find.

The attack turns a proof into some thousand yes-or-no features: every bit of it, and every relation that would hold for
one candidate if a mask were missing. On half of the proofs, whose secrets it is told, it picks the feature that tells
most; the other half shows what that was worth. The same attack must succeed when the honest prover is given worse
randomness.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import compress
from math import comb

import pytest

from protocol.cipher import Lock, card_points
from protocol.group import SCALAR_BYTES, Group, encode_scalar
from protocol.hashing import ORDER
from protocol.proofs import membership
from protocol.proofs.membership import Claim, MembershipProof, Opening, prove, verify
from protocol.proofs.pedersen import generators, second_base
from protocol.randomness import Rng, below
from tests.drbg import Drbg
from tests.protocol.contexts import HERE

Spoil = Callable[[int], int]


@pytest.fixture(autouse=True)
def _without_hedge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the masks be what the source of randomness says: here they are spoiled one by one."""
    monkeypatch.setattr(membership, "hedged", lambda rng, *_: rng)


class Spoiled:
    """A source of bytes of which some scalars come out spoiled, by their number; the others stay as they were."""

    def __init__(self, rng: Rng, spoil: Spoil, scalars: Sequence[int]) -> None:
        self.rng, self.spoil, self.scalars, self.drawn = rng, spoil, scalars, 0

    def __call__(self, count: int) -> bytes:
        assert count == SCALAR_BYTES
        shift = 8 * SCALAR_BYTES - ORDER.bit_length()
        scalar = int.from_bytes(self.rng(count)) >> shift
        if scalar < ORDER:
            scalar = self.spoil(scalar) if self.drawn in self.scalars else scalar
            self.drawn += 1
        return (scalar << shift).to_bytes(count)


def zero(_: int) -> int:
    return 0


def odd(scalar: int) -> int:
    return scalar | 1


def short(scalar: int) -> int:
    return scalar & (1 << 240) - 1


@dataclass(frozen=True, slots=True)
class Sample:
    features: str
    index: int
    key_bit: int


def sample(group: Group, rng: Drbg, others: int, spoil: Spoil, scalars: Sequence[int]) -> Sample:
    """Proves that a card is one of two, beside others whose place in the set everybody knows."""
    among = card_points(group, "goods", 2)
    lock = Lock.generate(group, rng)
    openings = [Opening(lock.k, i) for i in (below(rng, 2), *(i % 2 for i in range(others)))]
    claims = [Claim(group.mul(lock.k, among[opening.index]), lock.public, among) for opening in openings]
    proof = prove(group, HERE, claims, openings, Spoiled(rng, spoil, scalars))
    candidates = [[Opening(1, index), *openings[1:]] for index in range(2)]
    return Sample(features(group, claims, proof, candidates), openings[0].index, pow(lock.k, -1, ORDER) & 1)


def bits(data: bytes) -> str:
    return f"{int.from_bytes(data):0{8 * len(data)}b}"


def features(
    group: Group, claims: Sequence[Claim], proof: MembershipProof, candidates: Sequence[Sequence[Opening]]
) -> str:
    layout, H = membership.Layout(claims), second_base(group)
    oracle = membership._start(HERE, claims)
    y, lambdas = membership._bind_digits(oracle, layout, proof.masks, proof.digits)
    x = membership._bind_sums(
        oracle,
        proof.cross_terms,
        proof.squares,
        proof.constant,
        proof.linear,
        proof.key_constants,
        proof.key_linears,
    )
    per_x = pow(x, -1, ORDER)
    unmasked = [f_j * per_x for f_j in proof.responses] + [z * per_x * per_x for z in proof.key_responses]
    found = bits(proof.to_bytes()) + bits(b"".join(map(encode_scalar, unmasked)))
    f = layout.complete(proof.responses, x)
    for candidate in candidates:
        s = layout.bits(candidate)
        a = [f_j - s_j * x for f_j, s_j in zip(f, s, strict=True)]
        cH = group.mul(sum(y_j * a_j * (1 - 2 * s_j) for y_j, a_j, s_j in zip(y, a, s, strict=True)), H)
        p_1 = zip(layout.label_sums(lambdas, s, a), layout.label_sums(lambdas, a, s), strict=True)
        unblinded = reduce(group.add, compress(generators(group, len(s)), s))
        relations = [
            # If rB or rA were zero, then rC or rD, then rho_0 and rho_1.
            proof.digits == unblinded,
            proof.digits == group.add(unblinded, group.mul_base(proof.opening * per_x)),
            proof.cross_terms == cH,
            proof.cross_terms == group.add(cH, group.mul_base(proof.bit_opening * per_x)),
            proof.constant == group.msm(layout.label_sums(lambdas, a, a), layout.labels),
            proof.linear == group.msm([left + right for left, right in p_1], layout.labels),
        ]
        found += "".join("01"[holds] for holds in relations)
    return found


def attack(samples: Sequence[Sample], secret: Callable[[Sample], int]) -> tuple[float, float]:
    """Returns how many secrets were guessed, as a share, and how likely mere guessing would do as well."""
    known, unknown = samples[: len(samples) // 2], samples[len(samples) // 2 :]
    answers = int("".join(str(secret(sample)) for sample in known), 2)
    differences = [
        (int("".join(column), 2) ^ answers).bit_count() for column in zip(*(s.features for s in known), strict=True)
    ]
    best = max(range(len(differences)), key=lambda feature: abs(differences[feature] - len(known) / 2))
    opposite = differences[best] > len(known) / 2
    right = sum((int(sample.features[best]) ^ opposite) == secret(sample) for sample in unknown)
    tail = sum(comb(len(unknown), hits) for hits in range(right, len(unknown) + 1))
    return right / len(unknown), tail / 2 ** len(unknown)


def index(sample: Sample) -> int:
    return sample.index


def key_bit(sample: Sample) -> int:
    return sample.key_bit


@pytest.mark.parametrize(("others", "proofs"), [(0, 400), (1, 240)])
def test_an_honest_proof_tells_neither_the_index_nor_the_key(group: Group, rng: Drbg, others: int, proofs: int) -> None:
    samples = [sample(group, rng, others, zero, ()) for _ in range(proofs)]
    for secret in (index, key_bit):
        share, chance = attack(samples, secret)
        assert 0.4 < share < 0.6
        assert chance > 0.01


# The order in which the prover of one card among two draws: a (two free masks), rA, rB, rC, rD, rho_0, rho_1.
@pytest.mark.parametrize(
    ("secret", "spoil", "scalars"),
    [
        pytest.param(index, zero, [0, 1], id="index, masks a are zero"),
        pytest.param(index, short, [0, 1], id="index, masks a are 13 bits short"),
        pytest.param(index, odd, [0, 1], id="index, masks a are odd"),
        pytest.param(index, zero, [2], id="index, rA is zero"),
        pytest.param(index, zero, [3], id="index, rB is zero"),
        pytest.param(index, zero, [4], id="index, rC is zero"),
        pytest.param(index, zero, [5], id="index, rD is zero"),
        pytest.param(index, zero, [6], id="index, rho_0 is zero"),
        pytest.param(index, zero, [7], id="index, rho_1 is zero"),
        pytest.param(key_bit, zero, [6, 7], id="key, rho_0 and rho_1 are zero"),
    ],
)
def test_the_same_attack_finds_the_secret_if_a_mask_is_missing(
    group: Group, rng: Drbg, secret: Callable[[Sample], int], spoil: Spoil, scalars: Sequence[int]
) -> None:
    # A mask that is gone always shows; one that is odd or short shows in some proofs, which takes more of them.
    gone = spoil is zero
    samples = [sample(group, rng, 0, spoil, scalars) for _ in range(100 if gone else 400)]
    share, chance = attack(samples, secret)
    assert chance < 1e-6
    assert share > 0.99 or not gone


def test_a_proof_with_a_missing_mask_is_accepted_so_nobody_but_the_prover_can_prevent_it(
    group: Group, rng: Drbg
) -> None:
    among, lock = card_points(group, "goods", 2), Lock.generate(group, rng)
    claim = Claim(group.mul(lock.k, among[1]), lock.public, among)
    for missing in range(8):
        verify(
            group, HERE, [claim], prove(group, HERE, [claim], [Opening(lock.k, 1)], Spoiled(rng, zero, [missing])), rng
        )
