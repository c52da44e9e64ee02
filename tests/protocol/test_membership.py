"""Membership proofs: what is true is accepted, at a cost that depends on nothing hidden; what was changed is refused.

Provers who cheat are in test_membership_cheats.py, what a proof might tell in test_membership_leaks.py.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cipher import Lock, card_points
from protocol.codec import Value
from protocol.counting import CountingGroup
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import IDENTITY, Edwards25519, Element, Group
from protocol.hashing import ORDER
from protocol.proofs.context import Context
from protocol.proofs.membership import Claim, MembershipProof, Opening, prove, verify
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import ELSEWHERE, HERE

DECK = 216


def cards(group: Group, *labels: int) -> tuple[Element, ...]:
    return tuple(card_points(group, "goods", DECK)[label] for label in labels)


def hidden(group: Group, lock: Lock, among: tuple[Element, ...], index: int) -> tuple[Claim, Opening]:
    return Claim(group.mul(lock.k, among[index]), lock.public, among), Opening(lock.k, index)


def proved(group: Group, pairs: Sequence[tuple[Claim, Opening]], rng: Drbg) -> tuple[list[Claim], MembershipProof]:
    claims, openings = [claim for claim, _ in pairs], [opening for _, opening in pairs]
    return claims, prove(group, HERE, claims, openings, rng)


def accepted(group: Group, pairs: Sequence[tuple[Claim, Opening]], rng: Drbg) -> None:
    claims, proof = proved(group, pairs, rng)
    received = MembershipProof.from_bytes(group, proof.to_bytes(), claims)
    assert received == proof
    verify(group, HERE, claims, received, rng)


def refused(group: Group, claims: Sequence[Claim], proof: MembershipProof, rng: Drbg, context: Context = HERE) -> None:
    with pytest.raises(InvalidProofError, match="membership equations"):
        verify(group, context, claims, proof, rng)


class TestWhatIsTrueIsAccepted:
    @pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])
    def test_at_every_index_of_a_small_set(self, group: Group, rng: Drbg, size: int) -> None:
        for index in range(size):
            accepted(group, [hidden(group, Lock.generate(group, rng), cards(group, *range(size)), index)], rng)

    @pytest.mark.parametrize("size", [48, 49, 50, 60, 204, 216])
    def test_at_both_ends_of_a_large_set(self, group: Group, rng: Drbg, size: int) -> None:
        for index in (0, size - 1):
            accepted(group, [hidden(group, Lock.generate(group, rng), cards(group, *range(size)), index)], rng)

    def test_five_cards_of_one_kind_under_one_key(self, group: Group, rng: Drbg) -> None:
        lock, kind = Lock.generate(group, rng), cards(group, *range(48))
        accepted(group, [hidden(group, lock, kind, index) for index in (3, 17, 0, 47, 20)], rng)

    def test_one_card_in_several_sets_and_under_several_keys(self, group: Group, rng: Drbg) -> None:
        one, other = Lock.generate(group, rng), Lock.generate(group, rng)
        narrow, wide, alone = cards(group, 5, 6, 7), cards(group, *range(20)), cards(group, 5)
        places = [(one, narrow, 0), (one, wide, 5), (one, wide, 5), (other, wide, 5), (other, alone, 0)]
        accepted(group, [hidden(group, *place) for place in places], rng)

    def test_sets_of_one_card_alone(self, group: Group, rng: Drbg) -> None:
        locks = [Lock.generate(group, rng) for _ in range(2)]
        accepted(group, [hidden(group, locks[label % 2], cards(group, label), 0) for label in range(4)], rng)

    @given(st.data())
    def test_any_mix_of_cards_sets_and_keys_and_no_claim_of_it_can_be_false(
        self, group: Edwards25519, data: st.DataObject
    ) -> None:
        rng = Drbg(data.draw(st.text("abcdef", min_size=8, max_size=8), "seed"))
        locks = [Lock.generate(group, rng) for _ in range(data.draw(st.integers(1, 3), "keys"))]
        pairs = []
        for _ in range(data.draw(st.integers(1, 4), "cards")):
            labels = data.draw(st.lists(st.integers(0, 15), min_size=1, max_size=11, unique=True), "set")
            index = data.draw(st.integers(0, len(labels) - 1), "index")
            pairs.append(hidden(group, data.draw(st.sampled_from(locks), "key"), cards(group, *labels), index))
        accepted(group, pairs, rng)
        wrong = data.draw(st.integers(0, len(pairs) - 1), "wrong")
        claim, opening = pairs[wrong]
        # A card that the deck has, and this set has not.
        pairs[wrong] = (replace(claim, card=group.mul(opening.k, *cards(group, 16))), opening)
        claims, proof = proved(group, pairs, rng)
        refused(group, claims, proof, rng)

    def test_with_a_thread_pool_just_as_without(self, group: Group, rng: Drbg) -> None:
        lock, kind = Lock.generate(group, rng), cards(group, *range(60))
        pairs = [hidden(group, lock, kind, index) for index in (59, 7)]
        with ThreadPoolExecutor(2) as pool:
            parallel = Edwards25519(pool.map)
            claims, proof = proved(parallel, pairs, Drbg("the same"))
            verify(parallel, HERE, claims, proof, rng)
        assert (claims, proof) == proved(group, pairs, Drbg("the same"))


class TestAChangedProofIsRefused:
    """The proof is of two cards in small sets, under two keys."""

    @pytest.fixture
    def pairs(self, group: Group, rng: Drbg) -> list[tuple[Claim, Opening]]:
        sets = cards(group, *range(5)), cards(group, 3, 8, 9)
        return [hidden(group, Lock.generate(group, rng), among, 1) for among in sets]

    @pytest.fixture
    def claims(self, pairs: list[tuple[Claim, Opening]]) -> list[Claim]:
        return [claim for claim, _ in pairs]

    @pytest.fixture
    def proof(self, group: Group, pairs: list[tuple[Claim, Opening]], rng: Drbg) -> MembershipProof:
        return proved(group, pairs, rng)[1]

    @pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE)
    def test_moved_elsewhere(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg, elsewhere: Context
    ) -> None:
        refused(group, claims, proof, rng, elsewhere)

    def test_any_flipped_bit(self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg) -> None:
        data = proof.to_bytes()
        for field in range(0, len(data), 32):
            # The ends of the field and six bits in between: little-endian, so bit 255 is a sign or above q.
            for bit in (0, 255, *rng(6)):
                flipped = bytearray(data)
                flipped[field + bit // 8] ^= 1 << bit % 8
                with pytest.raises((InvalidProofError, MalformedError)):
                    verify(group, HERE, claims, MembershipProof.from_bytes(group, bytes(flipped), claims), rng)

    def test_truncated_or_extended(self, claims: list[Claim], proof: MembershipProof) -> None:
        group, data = CountingGroup(Edwards25519()), proof.to_bytes()
        for malformed in (b"", data[:-1], data[1:], data + b"\0", data[:-32], data[32:], data + data[:32], data * 2):
            with pytest.raises(MalformedError, match="bytes"):
                MembershipProof.from_bytes(group, malformed, claims)
        assert not group.counts, "the length is checked before any costly work"

    def test_with_a_scalar_not_below_q(self, group: Group, claims: list[Claim], proof: MembershipProof) -> None:
        data = proof.to_bytes()
        for start in range(32 * 10, len(data), 32):
            too_large = int.from_bytes(data[start : start + 32], "little") + ORDER
            malformed = data[:start] + too_large.to_bytes(32, "little") + data[start + 32 :]
            with pytest.raises(MalformedError, match="order"):
                MembershipProof.from_bytes(group, malformed, claims)

    def test_with_a_point_that_is_no_element(self, group: Group, claims: list[Claim], proof: MembershipProof) -> None:
        data = proof.to_bytes()
        for start in range(0, 32 * 10, 32):
            point = edwards.decode(data[start : start + 32])
            small_order_part = edwards.encode(edwards.add(point, (0, -1 % edwards.P)))
            not_canonical = (4 + edwards.P).to_bytes(32, "little")
            for bad in (bytes(32), IDENTITY, small_order_part, not_canonical, b"\xff" * 32):
                with pytest.raises(MalformedError, match="prime-order"):
                    MembershipProof.from_bytes(group, data[:start] + bad + data[start + 32 :], claims)

    def test_with_parts_exchanged(self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg) -> None:
        (e, e_), (f, *rest, f_), (z, z_) = proof.key_constants, proof.responses, proof.key_responses
        changes: list[dict[str, object]] = [
            {"masks": proof.digits, "digits": proof.masks},
            {"cross_terms": proof.squares, "squares": proof.cross_terms},
            {"constant": proof.linear, "linear": proof.constant},
            {"key_constants": (e_, e)},
            {"key_constants": proof.key_linears, "key_linears": proof.key_constants},
            {"responses": (f_, *rest, f)},
            {"opening": proof.bit_opening, "bit_opening": proof.opening},
            {"key_responses": (z_, z)},
        ]
        for change in changes:
            refused(group, claims, replace(proof, **change), rng)  # type: ignore[arg-type]

    def test_with_too_few_or_too_many_parts(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg
    ) -> None:
        for responses in ((), proof.responses[1:], (*proof.responses, 0)):
            with pytest.raises(InvalidProofError, match="as many responses as digits"):
                verify(group, HERE, claims, replace(proof, responses=responses), rng)
        for field in ("key_constants", "key_linears", "key_responses"):
            for changed in (getattr(proof, field)[1:], getattr(proof, field) * 2):
                with pytest.raises(InvalidProofError, match="as many responses as keys"):
                    verify(group, HERE, claims, replace(proof, **{field: changed}), rng)

    def test_all_zero(self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg) -> None:
        zeros = (0,) * len(proof.responses)
        refused(group, claims, replace(proof, responses=zeros, opening=0, bit_opening=0, key_responses=(0, 0)), rng)

    def test_for_claims_in_another_order(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg
    ) -> None:
        with pytest.raises(InvalidProofError):
            verify(group, HERE, claims[::-1], proof, rng)

    def test_for_cards_keys_or_sets_exchanged(self, group: Group, rng: Drbg) -> None:
        sets = cards(group, *range(4)), cards(group, *range(2, 6))
        (first, second), proof = proved(
            group, [hidden(group, Lock.generate(group, rng), among, 2) for among in sets], rng
        )
        for field in ("card", "key", "among"):
            mine, theirs = getattr(first, field), getattr(second, field)
            exchanged = [replace(first, **{field: theirs}), replace(second, **{field: mine})]
            refused(group, exchanged, proof, rng)

    def test_for_another_card_or_key(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg
    ) -> None:
        first, second = claims
        for other in (second.card, first.key, group.mul_base(7)):
            refused(group, [replace(first, card=other), second], proof, rng)
        refused(group, [replace(first, key=group.mul_base(7)), second], proof, rng)

    def test_for_another_set_even_if_the_card_is_in_it(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg
    ) -> None:
        others = {
            "another card instead": (0, 1, 2, 3, 15),
            "one more": (0, 1, 2, 3, 4, 15),
            "another order": (0, 1, 2, 4, 3),
            "none of them": (11, 12, 13, 14, 15),
        }
        for labels in others.values():
            refused(group, [replace(claims[0], among=cards(group, *labels)), claims[1]], proof, rng)
        with pytest.raises(InvalidProofError):
            verify(group, HERE, [replace(claims[0], among=cards(group, 0, 1, 2)), claims[1]], proof, rng)

    def test_for_more_or_fewer_claims(
        self, group: Group, claims: list[Claim], proof: MembershipProof, rng: Drbg
    ) -> None:
        for changed in (claims[:1], claims * 2):
            with pytest.raises(InvalidProofError, match="as many"):
                verify(group, HERE, changed, proof, rng)


class TestTheCallersMistakes:
    def test_no_claims(self, group: Group, rng: Drbg) -> None:
        with pytest.raises(LocalError, match="at least one"):
            prove(group, HERE, [], [], rng)

    def test_a_set_that_is_empty_or_names_a_card_twice(self, group: Group) -> None:
        (card,) = cards(group, 1)
        with pytest.raises(LocalError, match="empty"):
            Claim(card, card, ())
        with pytest.raises(LocalError, match="twice"):
            Claim(card, card, cards(group, 1, 2, 1))

    def test_the_identity_as_a_card_or_a_key(self, group: Group) -> None:
        among = card, key = cards(group, 1, 2)
        for X, K, S in ((IDENTITY, key, among), (card, IDENTITY, among), (card, key, (*among, IDENTITY))):
            with pytest.raises(LocalError, match="identity"):
                Claim(X, K, S)

    def test_a_zero_key(self, group: Group, rng: Drbg) -> None:
        claim, _ = hidden(group, Lock.generate(group, rng), cards(group, 1, 2), 0)
        for zero in (0, ORDER):
            with pytest.raises(LocalError, match="zero"):
                prove(group, HERE, [claim], [Opening(zero, 0)], rng)

    def test_openings_that_do_not_fit_the_claims(self, group: Group, rng: Drbg) -> None:
        claim, opening = hidden(group, Lock.generate(group, rng), cards(group, 1, 2, 3), 0)
        with pytest.raises(LocalError, match="1 claims and 2 openings"):
            prove(group, HERE, [claim], [opening, opening], rng)
        with pytest.raises(LocalError, match="two secrets"):
            prove(group, HERE, [claim, claim], [opening, replace(opening, k=opening.k + 1)], rng)
        for index in (-1, 3):
            with pytest.raises(LocalError, match="not in its set"):
                prove(group, HERE, [claim], [replace(opening, index=index)], rng)

    def test_an_opening_does_not_show_its_secrets(self) -> None:
        assert "1234567" not in repr(Opening(1234567, 1234567))


class Recorder(CountingGroup):
    """Besides counting, keeps the order of the operations."""

    def __init__(self, inner: Group) -> None:
        super().__init__(inner)
        self.sequence: list[str] = []

    def mul(self, s: int, P: Element) -> Element:
        # Which of the public points is multiplied must not depend on the index either.
        self.sequence.append(f"mul {P.hex()}")
        return super().mul(s, P)

    def mul_base(self, s: int) -> Element:
        self.sequence.append("mul_base")
        return super().mul_base(s)

    def add(self, P: Element, Q: Element) -> Element:
        self.sequence.append("add")
        return super().add(P, Q)

    def hash_to_group(self, tag: str, *fields: Value) -> Element:
        self.sequence.append("hash_to_group")
        return super().hash_to_group(tag, *fields)


class TestCosts:
    @pytest.mark.parametrize("size", [2, 3, 7, 16])
    def test_the_provers_operations_are_the_same_for_every_index(self, group: Group, rng: Drbg, size: int) -> None:
        recorder, lock = Recorder(group), Lock.generate(group, rng)
        sets = cards(group, *range(size)), cards(group, *range(1, size))
        hidden_at = [(0, 0), *((index, index - 1) for index in range(1, size)), (size - 1, 0)]
        sequences = []
        for one, other in [hidden_at[0], *hidden_at]:
            recorder.sequence.clear()
            proved(recorder, [hidden(group, lock, sets[0], one), hidden(group, lock, sets[1], other)], rng)
            sequences.append(list(recorder.sequence))
        warm, *rest = sequences[1:]
        assert "mul_base" in warm
        assert "hash_to_group" not in warm
        assert all(sequence == warm for sequence in rest)

    @pytest.mark.parametrize(
        ("sizes", "keys"), [([1], 1), ([2], 1), ([48], 1), ([204], 1), ([48] * 5, 1), ([3, 1, 20, 7], 3), ([9, 60], 2)]
    )
    def test_the_operations_are_those_of_the_formulas(
        self, group: Group, rng: Drbg, sizes: list[int], keys: int
    ) -> None:
        counting = CountingGroup(group)
        locks = [Lock.generate(group, rng) for _ in range(keys)]
        pairs = [hidden(group, locks[i % keys], cards(group, *range(size)), 0) for i, size in enumerate(sizes)]
        claims, proof = proved(counting, pairs, rng)
        c, kappa, L = len(sizes), keys, max(sizes)
        n = sum(2 * next(b for b in range(size + 1) if b * b >= size) for size in sizes)

        counting.counts.clear()
        proved(counting, pairs, rng)
        assert counting.counts == {"mul": 2 * L + n + 2, "mul_base": 4 + 2 * kappa, "add": 2 * L + 2 * n}
        counting.counts.clear()
        received = MembershipProof.from_bytes(counting, proof.to_bytes(), claims)
        assert counting.counts == {"decode": 6 + 2 * kappa}
        counting.counts.clear()
        verify(counting, HERE, claims, received, rng)
        terms = L + n + c + 3 * kappa + 6
        assert counting.counts == {"mul": terms, "mul_base": 1, "add": terms}
        assert len(proof.to_bytes()) == 32 * (n - 2 * c + 8 + 3 * kappa)
