"""Masks that were prepared: the proof is as good, takes less, and no mask ever serves twice."""

import copy
import pickle

import pytest

from protocol.cipher import Lock, card_points
from protocol.counting import CountingGroup
from protocol.errors import LocalError
from protocol.group import Edwards25519, Group
from protocol.proofs.membership import Claim, Masks, MembershipProof, Opening, prove, verify
from tests.drbg import Drbg
from tests.protocol.contexts import HERE

SIZES = (4, 9, 6)
SLOTS = sum(2 * b for b in (2, 3, 3))


def bag(group: Group, rng: Drbg) -> tuple[list[Claim], list[Opening]]:
    """Three cards of sets of different sizes, the third under a key of its own."""
    points, locks = card_points(group, "goods", 12), [Lock.generate(group, rng)] * 2 + [Lock.generate(group, rng)]
    claims = [
        Claim(group.mul(lock.k, points[1]), lock.public, points[:size]) for lock, size in zip(locks, SIZES, strict=True)
    ]
    return claims, [Opening(lock.k, 1) for lock in locks]


def prepared(group: Group, rng: Drbg, count: int) -> Masks:
    masks = Masks()
    while len(masks) < count:
        masks.prepare(group, 8, rng)
    return masks


@pytest.mark.parametrize("count", [SLOTS, SLOTS + 9])
def test_a_proof_with_prepared_masks_is_accepted_and_uses_all_of_them_up(group: Group, rng: Drbg, count: int) -> None:
    claims, openings = bag(group, rng)
    masks = prepared(group, rng, count)
    proof = prove(group, HERE, claims, openings, rng, masks)
    verify(group, HERE, claims, MembershipProof.from_bytes(group, proof.to_bytes(), claims), rng)
    assert len(masks) == 0


def test_too_few_masks_are_left_alone(group: Group, rng: Drbg) -> None:
    claims, openings = bag(group, rng)
    masks = prepared(group, rng, 8)
    assert len(masks) < SLOTS
    proof = prove(group, HERE, claims, openings, rng, masks)
    verify(group, HERE, claims, proof, rng)
    assert len(masks) == 8


def test_two_proofs_of_the_same_with_one_store_of_masks_have_nothing_in_common(group: Group, rng: Drbg) -> None:
    claims, openings = bag(group, rng)
    masks = prepared(group, rng, SLOTS)
    first, second = (prove(group, HERE, claims, openings, rng, masks) for _ in range(2))
    assert first.masks != second.masks
    assert not set(first.responses) & set(second.responses)


def test_a_multiplication_for_each_row_is_left_and_none_depends_on_what_is_hidden(rng: Drbg) -> None:
    group = CountingGroup(Edwards25519())
    claims, openings = bag(group, rng)
    group.counts.clear()
    prove(group, HERE, claims, openings, rng)
    plain = group.counts.copy()
    masks = prepared(group, rng, SLOTS)
    group.counts.clear()
    prove(group, HERE, claims, openings, rng, masks)
    assert plain["mul"] - group.counts["mul"] == SLOTS - 2 * len(claims)
    assert plain["add"] == group.counts["add"]


def test_masks_are_neither_copied_nor_stored_nor_shown(group: Group, rng: Drbg) -> None:
    masks = prepared(group, rng, 8)
    for again in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(LocalError, match="used once"):
            again(masks)
    assert repr(masks) == "Masks(8 digits)"
