"""Provers who cheat. Each cheat is shown to work where the one check that stops it is taken away."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from protocol.cipher import Lock, card_points
from protocol.codec import Value
from protocol.errors import InvalidProofError
from protocol.group import GENERATOR, Element, Group
from protocol.hashing import ORDER, Oracle
from protocol.proofs import membership
from protocol.proofs.membership import Claim, MembershipProof, Opening, prove, verify
from protocol.proofs.pedersen import com, second_base
from protocol.randomness import Rng, scalars
from tests.drbg import Drbg
from tests.protocol.contexts import HERE


def cards(group: Group, *labels: int) -> tuple[Element, ...]:
    return tuple(card_points(group, "goods", 216)[label] for label in labels)


def rows(*digits: Sequence[int]) -> list[int]:
    return [bit for digit in digits for bit in digit]


def forge(
    group: Group,
    claims: Sequence[Claim],
    inverses: Sequence[int],
    s: Sequence[int],
    rng: Rng,
    committed: Sequence[int] | None = None,
) -> MembershipProof:
    """Proves straight from the specification, with any "digits" s and any "1/k" for each key, true or not."""
    layout = membership.Layout(claims)
    n, keys, H = layout.slots, len(layout.keys), second_base(group)
    a = layout.complete(scalars(rng, layout.free), 0)
    rA, rB, rC, rD = scalars(rng, 4)
    rho = [scalars(rng, keys) for _ in range(2)]
    A, B = com(group, a, rA), com(group, committed or s, rB)
    oracle = membership._start(HERE, claims)
    y, lambdas = membership._bind_digits(oracle, layout, A, B)
    C = group.add(group.mul(sum(y[j] * a[j] * (1 - 2 * s[j]) for j in range(n)), H), group.mul_base(rC))
    D = group.add(group.mul(-sum(y[j] * a[j] ** 2 for j in range(n)), H), group.mul_base(rD))
    both = layout.label_sums(lambdas, s, a), layout.label_sums(lambdas, a, s)
    p = layout.label_sums(lambdas, a, a), [left + right for left, right in zip(*both, strict=True)]
    Xl = [
        group.msm(
            [lambdas[i] for i, claim in enumerate(claims) if claim.key == K],
            [claim.card for claim in claims if claim.key == K],
        )
        for K in layout.keys
    ]
    G_0, G_1 = (group.add(group.msm(p[d], layout.labels), group.msm(rho[d], Xl)) for d in range(2))
    E_0, E_1 = (tuple(group.mul(rho[d][j], layout.keys[j]) for j in range(keys)) for d in range(2))
    x = membership._bind_sums(oracle, C, D, G_0, G_1, E_0, E_1)
    f = layout.without_first([(s[j] * x + a[j]) % ORDER for j in range(n)])
    z = tuple((x * x * inverses[j] - rho[0][j] - x * rho[1][j]) % ORDER for j in range(keys))
    return MembershipProof(A, B, C, D, G_0, G_1, E_0, E_1, f, rA + x * rB, x * rC + rD, z)


def inverse(k: int) -> int:
    return pow(k, -1, ORDER)


class WithoutWeight:
    """The verifier's randomness, but one weight is 0: number 0 weighs the commitment, 1 the bits, 2 a key."""

    def __init__(self, rng: Rng, gone: int) -> None:
        self.rng, self.gone, self.drawn = rng, gone, 0

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return bytes(count) if self.drawn == self.gone + 1 else self.rng(count)


def foresee(monkeypatch: pytest.MonkeyPatch, challenges: Mapping[str, int]) -> None:
    """Takes these challenges from the oracle, and gives them to prover and verifier beforehand."""

    class Foreseen(Oracle):
        def scalars(self, name: str, count: int) -> list[int]:
            return [challenges[name]] * count if name in challenges else super().scalars(name, count)

    monkeypatch.setattr(membership, "Oracle", Foreseen)


def refused(group: Group, claims: Sequence[Claim], proof: MembershipProof, rng: Rng) -> None:
    with pytest.raises(InvalidProofError, match="membership equations"):
        verify(group, HERE, claims, proof, rng)


@pytest.fixture
def lock(group: Group, rng: Drbg) -> Lock:
    return Lock.generate(group, rng)


def test_the_prover_written_from_the_specification_is_accepted_where_it_does_not_cheat(
    group: Group, lock: Lock, rng: Drbg
) -> None:
    other, three, five = Lock.generate(group, rng), cards(group, 1, 2, 3), cards(group, *range(5))
    claims = [
        Claim(group.mul(lock.k, three[2]), lock.public, three),
        Claim(group.mul(other.k, five[4]), other.public, five),
        Claim(group.mul(lock.k, five[1]), lock.public, five),
    ]
    s = rows((1, 0), (0, 1), (0, 1, 0), (0, 1, 0), (0, 1, 0), (1, 0, 0))
    verify(group, HERE, claims, forge(group, claims, [inverse(lock.k), inverse(other.k)], s, rng), rng)


Prover = Callable[[Group, Sequence[Claim], Sequence[Opening], Rng], MembershipProof]


def by_the_book(group: Group, claims: Sequence[Claim], openings: Sequence[Opening], rng: Rng) -> MembershipProof:
    return prove(group, HERE, claims, openings, rng)


def by_forgery(group: Group, claims: Sequence[Claim], openings: Sequence[Opening], rng: Rng) -> MembershipProof:
    layout = membership.Layout(claims)
    return forge(group, claims, [inverse(k) for k in layout.secret_keys(openings)], layout.bits(openings), rng)


@pytest.mark.parametrize("prover", [by_the_book, by_forgery])
class TestAFalseClaimIsRefused:
    def test_a_card_outside_the_set(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        for size in (1, 2, 3, 48):
            claim = Claim(group.mul(lock.k, *cards(group, 60)), lock.public, cards(group, *range(size)))
            for index in {0, size // 2, size - 1}:
                refused(group, [claim], prover(group, [claim], [Opening(lock.k, index)], rng), rng)

    def test_a_card_under_another_key(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        other, among = Lock.generate(group, rng), cards(group, *range(7))
        claim = Claim(group.mul(other.k, among[3]), lock.public, among)
        for k in (lock.k, other.k):
            refused(group, [claim], prover(group, [claim], [Opening(k, 3)], rng), rng)

    def test_another_card_of_the_set(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        among = cards(group, *range(5))
        claim = Claim(group.mul(lock.k, among[3]), lock.public, among)
        refused(group, [claim], prover(group, [claim], [Opening(lock.k, 2)], rng), rng)

    def test_no_card_at_all(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        for X in (lock.public, GENERATOR, group.mul(-lock.k, *cards(group, 1)), *cards(group, 1)):
            claim = Claim(X, lock.public, cards(group, 1, 2))
            refused(group, [claim], prover(group, [claim], [Opening(lock.k, 0)], rng), rng)

    def test_one_wrong_card_among_five(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        among = cards(group, *range(48))
        for wrong in range(5):
            points = [group.mul(lock.k, *cards(group, 100) if i == wrong else among[i : i + 1]) for i in range(5)]
            claims = [Claim(X, lock.public, among) for X in points]
            refused(group, claims, prover(group, claims, [Opening(lock.k, i) for i in range(5)], rng), rng)

    def test_a_set_of_one_card(self, group: Group, lock: Lock, rng: Drbg, prover: Prover) -> None:
        right, wrong = cards(group, 1, 2)
        claims = [
            Claim(group.mul(lock.k, right), lock.public, cards(group, *range(4))),
            Claim(group.mul(lock.k, right), lock.public, (wrong,)),
        ]
        refused(group, claims, prover(group, claims, [Opening(lock.k, 1), Opening(lock.k, 0)], rng), rng)

    @pytest.mark.parametrize("size", [1, 4])
    @pytest.mark.parametrize("same_key", [True, False])
    def test_two_wrong_cards_whose_errors_cancel(
        self,
        group: Group,
        lock: Lock,
        rng: Drbg,
        prover: Prover,
        monkeypatch: pytest.MonkeyPatch,
        size: int,
        same_key: bool,
    ) -> None:
        locks = [lock, lock if same_key else Lock.generate(group, rng)]
        among = cards(group, *range(size))
        errors = group.add(among[0], GENERATOR), group.sub(among[0], GENERATOR)
        claims = [Claim(group.mul(lock.k, M), lock.public, among) for lock, M in zip(locks, errors, strict=True)]
        openings = [Opening(lock.k, 0) for lock in locks]
        refused(group, claims, prover(group, claims, openings, rng), rng)
        foresee(monkeypatch, {"lambda": 1})
        verify(group, HERE, claims, by_forgery(group, claims, openings, rng), rng)


class TestADishonestProverIsRefused:
    def test_digits_that_are_no_bits(self, group: Group, lock: Lock, rng: Drbg) -> None:
        M, N = among = cards(group, 1, 2)
        for t in (2, 5, -1, inverse(2)):
            # "The card" is t parts of one and 1 - t parts of the other.
            claim = Claim(group.mul(lock.k, group.msm([t, 1 - t], [M, N])), lock.public, among)
            proof = forge(group, [claim], [inverse(lock.k)], rows((t, 1 - t), (1, 0)), rng)
            refused(group, [claim], proof, rng)
            verify(group, HERE, [claim], proof, WithoutWeight(rng, 1))

    def test_digits_that_are_no_bits_but_whose_errors_cancel(
        self, group: Group, lock: Lock, rng: Drbg, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        among, third = cards(group, *range(9)), inverse(3)
        # Both the digits and their squares have the sum 1.
        digits = 2 * third, 2 * third, -third
        claim = Claim(group.mul(lock.k, group.msm(digits, among[:3])), lock.public, among)
        s = rows(digits, (1, 0, 0))
        refused(group, [claim], forge(group, [claim], [inverse(lock.k)], s, rng), rng)
        foresee(monkeypatch, {"y": 1})
        verify(group, HERE, [claim], forge(group, [claim], [inverse(lock.k)], s, rng), rng)

    def test_a_row_with_no_bit_or_two(self, group: Group, lock: Lock, rng: Drbg) -> None:
        M, N = among = cards(group, 1, 2)
        both = Claim(group.mul(lock.k, group.add(M, N)), lock.public, among)
        refused(group, [both], forge(group, [both], [inverse(lock.k)], rows((1, 1), (1, 0)), rng), rng)
        for s in (rows((0, 0), (1, 0)), rows((1, 0), (0, 0)), rows((0, 0), (0, 0))):
            claim = Claim(group.mul(lock.k, M), lock.public, among)
            refused(group, [claim], forge(group, [claim], [inverse(lock.k)], s, rng), rng)

    def test_digits_other_than_the_committed_ones(self, group: Group, lock: Lock, rng: Drbg) -> None:
        among = cards(group, 1, 2, 3, 4)
        claim = Claim(group.mul(lock.k, among[1]), lock.public, among)
        s, committed = rows((0, 1), (1, 0)), rows((1, 0), (1, 0))
        proof = forge(group, [claim], [inverse(lock.k)], s, rng, committed)
        refused(group, [claim], proof, rng)
        verify(group, HERE, [claim], proof, WithoutWeight(rng, 0))

    def test_a_key_response_for_another_key(self, group: Group, lock: Lock, rng: Drbg) -> None:
        other, among = Lock.generate(group, rng), cards(group, 1, 2, 3, 4)
        claim = Claim(group.mul(other.k, among[1]), lock.public, among)
        proof = forge(group, [claim], [inverse(other.k)], rows((0, 1), (1, 0)), rng)
        refused(group, [claim], proof, rng)
        verify(group, HERE, [claim], proof, WithoutWeight(rng, 2))

    def test_two_keys_that_make_up_for_each_other(self, group: Group, lock: Lock, rng: Drbg) -> None:
        other, among = Lock.generate(group, rng), cards(group, 1, 2, 3, 4)
        # Both cards lie under the other's lock: the two key equations are wrong, the sum over the labels is right.
        claims = [
            Claim(group.mul(other.k, among[1]), lock.public, among),
            Claim(group.mul(lock.k, among[1]), other.public, among),
        ]
        s = rows((0, 1), (1, 0), (0, 1), (1, 0))
        refused(group, claims, forge(group, claims, [inverse(other.k), inverse(lock.k)], s, rng), rng)

    def test_an_index_past_the_end_is_the_last_card_and_no_other(self, group: Group, lock: Lock, rng: Drbg) -> None:
        among = cards(group, 0, 1, 2)
        s = rows((0, 1), (0, 1))
        for label in range(5):
            claim = Claim(group.mul(lock.k, *cards(group, label)), lock.public, among)
            proof = forge(group, [claim], [inverse(lock.k)], s, rng)
            if label == 2:
                verify(group, HERE, [claim], proof, rng)
            else:
                refused(group, [claim], proof, rng)


@dataclass(frozen=True, slots=True)
class Challenged:
    """Claims and a proof with its challenges, and what the equations say each part should be once these are known."""

    group: Group
    claims: Sequence[Claim]
    proof: MembershipProof
    y: Sequence[int]
    lambdas: Sequence[int]
    x: int

    @classmethod
    def by_oracle(cls, group: Group, claims: Sequence[Claim], proof: MembershipProof) -> "Challenged":
        oracle = membership._start(HERE, claims)
        y, lambdas = membership._bind_digits(oracle, membership.Layout(claims), proof.masks, proof.digits)
        sums = proof.cross_terms, proof.squares, proof.constant, proof.linear
        x = membership._bind_sums(oracle, *sums, proof.key_constants, proof.key_linears)
        return cls(group, claims, proof, y, lambdas, x)

    def solved_for(self, part: str) -> Element:
        """Returns what the part must be; of a part that claims or keys have each, the first one's."""
        group, proof, x, layout = self.group, self.proof, self.x, membership.Layout(self.claims)
        z, per_x = proof.key_responses, inverse(self.x)
        f = layout.complete(proof.responses, x)
        e = sum(y_j * f_j * (x - f_j) for y_j, f_j in zip(self.y, f, strict=True))
        commitment = com(group, f, proof.opening)
        bit_check = group.add(group.mul(e, second_base(group)), group.mul_base(proof.bit_opening))
        P = layout.label_sums(self.lambdas, f, f)
        shares = [z[kappa] * l_i for kappa, l_i in zip(layout.kappa, self.lambdas, strict=True)]
        labels = group.msm([*P, *(-t for t in shares)], [*layout.labels, *(claim.card for claim in self.claims)])
        rest = group.sub(labels, group.add(proof.constant, group.mul(x, proof.linear)))
        E_0, E_1, K = proof.key_constants[0], proof.key_linears[0], layout.keys[0]
        x2_G = group.mul_base(x * x)
        return {
            "masks": group.sub(commitment, group.mul(x, proof.digits)),
            "digits": group.mul(per_x, group.sub(commitment, proof.masks)),
            "cross_terms": group.mul(per_x, group.sub(bit_check, proof.squares)),
            "squares": group.sub(bit_check, group.mul(x, proof.cross_terms)),
            "constant": group.add(proof.constant, rest),
            "linear": group.add(proof.linear, group.mul(per_x, rest)),
            "key_constants": group.sub(x2_G, group.msm([x, z[0]], [E_1, K])),
            "key_linears": group.mul(per_x, group.sub(x2_G, group.msm([1, z[0]], [E_0, K]))),
            "key": group.mul(inverse(z[0]), group.sub(x2_G, group.msm([1, x], [E_0, E_1]))),
            "card": group.add(self.claims[0].card, group.mul(inverse(shares[0]), rest)),
            "among": group.sub(layout.labels[0], group.mul(inverse(P[0]), rest)),
        }[part]

    def after_the_challenge(self, part: str) -> tuple[list[Claim], MembershipProof]:
        """Returns claim and proof with this one part chosen last."""
        solution, (claim, *_), proof = self.solved_for(part), self.claims, self.proof
        match part:
            case "card":
                return [replace(claim, card=solution)], proof
            case "key":
                return [replace(claim, key=solution)], proof
            case "among":
                return [replace(claim, among=(solution, *claim.among[1:]))], proof
            case "key_constants":
                return [claim], replace(proof, key_constants=(solution,))
            case "key_linears":
                return [claim], replace(proof, key_linears=(solution,))
            case _:
                return [claim], replace(proof, **{part: solution})  # type: ignore[arg-type]


# Where the oracle absorbs each part: under which name, and at which place.
PARTS = {
    "card": ("claims", 0),
    "key": ("claims", 1),
    "among": ("claims", 2),
    "masks": ("digits", 0),
    "digits": ("digits", 1),
    "cross_terms": ("sums", 0),
    "squares": ("sums", 1),
    "constant": ("sums", 2),
    "linear": ("sums", 3),
    "key_constants": ("sums", 4),
    "key_linears": ("sums", 5),
}


@pytest.mark.parametrize("part", PARTS)
def test_nothing_can_be_chosen_after_the_challenges(
    group: Group, lock: Lock, rng: Drbg, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    M, N = among = cards(group, 1, 2)
    other = Lock.generate(group, rng)
    honest, tilted = rows((0, 1), (1, 0)), rows((3, -2), (1, 0))

    def cheat() -> tuple[list[Claim], MembershipProof]:
        # A false claim, or a false proof, in which only the equation with this part fails.
        match part:
            case "masks" | "digits":
                claims = [Claim(group.mul(lock.k, N), lock.public, among)]
                proof = forge(group, claims, [inverse(lock.k)], honest, rng, rows((1, 0), (1, 0)))
            case "cross_terms" | "squares":
                claims = [Claim(group.mul(lock.k, group.msm([3, -2], [M, N])), lock.public, among)]
                proof = forge(group, claims, [inverse(lock.k)], tilted, rng)
            case "key_constants" | "key_linears" | "key":
                claims = [Claim(group.mul(other.k, N), lock.public, among)]
                proof = forge(group, claims, [inverse(other.k)], honest, rng)
            case _:
                claims = [Claim(group.mul(lock.k, *cards(group, 3)), lock.public, among)]
                proof = forge(group, claims, [inverse(lock.k)], honest, rng)
        return Challenged.by_oracle(group, claims, proof).after_the_challenge(part)

    refused(group, *cheat(), rng)

    class Unbound(Oracle):
        def absorb(self, name: str, *values: Value) -> None:
            where, place = PARTS[part]
            if name == "claims" == where:
                values = tuple(value[:place] + value[place + 1 :] for value in values if isinstance(value, tuple))
            elif name == where:
                values = values[:place] + values[place + 1 :]
            super().absorb(name, *values)

    monkeypatch.setattr(membership, "Oracle", Unbound)
    verify(group, HERE, *cheat(), rng)


def test_who_knows_all_challenges_beforehand_proves_anything_without_a_secret(
    group: Group, lock: Lock, rng: Drbg, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulator: what it makes, and so what an honest proof looks like, can tell nothing that it does not know."""
    y, l_i, x = scalars(rng, 3)
    claims = [Claim(group.mul_base(5), lock.public, cards(group, *range(5)))]
    layout = membership.Layout(claims)
    points = [group.mul_base(r) for r in scalars(rng, 8)]
    A, B, C, D, G_0, G_1, E_0, E_1 = points
    f, (zA, zC, z) = scalars(rng, layout.free), scalars(rng, 3)
    proof = MembershipProof(A, B, C, D, G_0, G_1, (E_0,), (E_1,), tuple(f), zA, zC, (z,))
    for part in ("masks", "squares", "constant", "key_constants"):
        powers = [pow(y, j, ORDER) for j in range(1, layout.slots + 1)]
        _, proof = Challenged(group, claims, proof, powers, [l_i], x).after_the_challenge(part)
    refused(group, claims, proof, rng)
    foresee(monkeypatch, {"y": y, "lambda": l_i, "x": x})
    verify(group, HERE, claims, proof, rng)
