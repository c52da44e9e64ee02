"""Drafts: what was done before a card is spoken of gives the same proof for less, tells nothing, and serves once."""

import copy
import pickle

import pytest

from protocol.cipher import Lock, card_points
from protocol.counting import CountingGroup
from protocol.errors import AlreadyUsedError, LocalError
from protocol.group import Edwards25519, Group
from protocol.proofs.draft import Draft, taken
from protocol.proofs.membership import Claim, Masks, MembershipProof, Opening, prove, verify
from tests.drbg import Drbg
from tests.protocol.contexts import HERE

SIZES = (4, 9, 6)
LONGEST = 9
INDEX = 1
SLOTS = sum(2 * b for b in (2, 3, 3))


def bag(group: Group, rng: Drbg) -> tuple[list[Claim], list[Opening]]:
    """Three cards of sets of different sizes, the third under a key of its own."""
    points, locks = card_points(group, "goods", 12), [Lock.generate(group, rng)] * 2 + [Lock.generate(group, rng)]
    claims = [
        Claim(group.mul(lock.k, points[INDEX]), lock.public, points[:size])
        for lock, size in zip(locks, SIZES, strict=True)
    ]
    return claims, [Opening(lock.k, INDEX) for lock in locks]


def drafted(group: Group, claim: Claim, rng: Drbg, index: int = INDEX) -> Draft:
    draft = Draft(claim.among, index, rng, LONGEST)
    while draft.go_on(group, 4):
        pass
    return draft


@pytest.mark.parametrize("which", [(0, 1, 2), (1,), (0, 2), ()])
@pytest.mark.parametrize("masks", [0, SLOTS])
def test_a_proof_with_drafts_of_some_claims_is_accepted(
    group: Group, rng: Drbg, which: tuple[int, ...], masks: int
) -> None:
    claims, openings = bag(group, rng)
    ready = Masks()
    ready.prepare(group, masks, rng)
    drafts = [drafted(group, claim, rng) if i in which else None for i, claim in enumerate(claims)]
    proof = prove(group, HERE, claims, openings, rng, ready, taken(drafts))
    verify(group, HERE, claims, MembershipProof.from_bytes(group, proof.to_bytes(), claims), rng)


def test_with_the_same_masks_it_is_the_very_same_proof(group: Group) -> None:
    """What differs is only when it was computed: so all that was shown of proofs holds for these too."""
    claims, openings = bag(group, Drbg("bag"))
    a, b = (
        prove(
            group,
            HERE,
            claims,
            openings,
            Drbg("masks"),
            None,
            taken([drafted(group, one, Drbg("a")) for one in claims]),
        )
        for _ in range(2)
    )
    plain = prove(group, HERE, claims, openings, Drbg("masks"))
    assert a == b
    assert {len(one.to_bytes()) for one in (a, plain)} == {len(a.to_bytes())}
    assert a.digits == plain.digits
    assert a.masks != plain.masks


def test_a_draft_of_another_card_gives_no_proof(group: Group, rng: Drbg) -> None:
    claims, openings = bag(group, rng)
    drafts = [drafted(group, claim, rng, index=0) for claim in claims]
    proof = prove(group, HERE, claims, openings, rng, None, taken(drafts))
    with pytest.raises(Exception, match="membership equations"):
        verify(group, HERE, claims, proof, rng)


@pytest.mark.parametrize("index", [0, 3])
@pytest.mark.parametrize("size", [1, 4, 9])
def test_every_draft_takes_as_many_operations_whatever_the_card_is(rng: Drbg, size: int, index: int) -> None:
    group = CountingGroup(Edwards25519())
    among = card_points(group, "goods", 12)[:size]
    group.counts.clear()
    draft = Draft(among, min(index, size - 1), rng, LONGEST)
    rests = 0
    while draft.go_on(group, 4):
        rests += 1
    assert rests == 3
    assert dict(group.counts) == {"mul": 2 * LONGEST, "add": 2 * (LONGEST - 1)}


def test_what_is_left_depends_on_the_claims_alone(rng: Drbg) -> None:
    """By the table of operations, each claim with a draft adds 2 to each of the sums, and takes its set out of them."""
    group = CountingGroup(Edwards25519())
    claims, openings = bag(group, rng)
    drafts = taken([drafted(group, claim, rng) for claim in claims])
    prove(group, HERE, claims, openings, rng)
    group.counts.clear()
    prove(group, HERE, claims, openings, rng, None, drafts)
    assert group.counts["mul"] == SLOTS + 2 + 2 * 2 * len(claims)


def test_a_draft_serves_once_when_it_is_ready_and_for_its_set(group: Group, rng: Drbg) -> None:
    claims, openings = bag(group, rng)
    draft = Draft(claims[0].among, INDEX, rng, LONGEST)
    assert taken([draft, None]) == [None, None]
    with pytest.raises(LocalError, match="not ready"):
        draft.take()
    while draft.go_on(group, 4):
        pass
    (first,) = taken([draft])
    with pytest.raises(AlreadyUsedError):
        draft.take()
    with pytest.raises(LocalError, match="another set"):
        prove(group, HERE, claims, openings, rng, None, [None, first, None])
    with pytest.raises(LocalError, match="drafts"):
        prove(group, HERE, claims, openings, rng, None, [first])
    with pytest.raises(LocalError, match="takes longer"):
        Draft(claims[1].among, INDEX, rng, LONGEST - 1)


def test_a_draft_is_neither_copied_nor_stored_nor_shown(group: Group, rng: Drbg) -> None:
    draft = drafted(group, bag(group, rng)[0][0], rng)
    for again in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(LocalError, match="used once"):
            again(draft)
    assert repr(draft) == "Draft()"
