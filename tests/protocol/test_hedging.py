"""A machine that draws the same randomness twice: two proofs would tell the secret, if masks were not hedged."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest

from protocol import deck
from protocol.cipher import Lock, card_points
from protocol.group import Group
from protocol.hashing import ORDER
from protocol.proofs import dleq, membership, shuffle
from protocol.randomness import Rng, hedged
from tests.drbg import Drbg
from tests.protocol import shuffle_liar
from tests.protocol.contexts import HERE

THERE = replace(HERE, sequence=HERE.sequence + 1)
"""Another place in the same game."""


def unhedged(rng: Rng, *_: object) -> Rng:
    return rng


@pytest.fixture(params=[hedged, unhedged], ids=["hedged", "not hedged"])
def leaks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the attack succeeds: with masks that are not hedged."""
    for proof in (dleq, membership):
        monkeypatch.setattr(proof, "hedged", request.param)
    return request.param is unhedged


def test_two_equality_proofs_with_the_same_randomness_tell_the_key_unless_hedged(group: Group, leaks: bool) -> None:
    lock, cards = Lock(group, 4711), card_points(group, "goods", 3)
    statement = dleq.Equality(lock.base, lock.public, cards, tuple(lock.close(group, cards)))
    one, other = (dleq.prove(group, at, [statement], [lock.k], Drbg("copied")) for at in (HERE, THERE))
    found = (one.responses[0] - other.responses[0]) * pow(one.challenge - other.challenge, -1, ORDER) % ORDER
    assert (found == lock.k) is leaks


def test_two_proofs_of_different_statements_with_the_same_randomness_tell_the_key_unless_hedged(
    group: Group, leaks: bool
) -> None:
    lock, cards = Lock(group, 4711), card_points(group, "goods", 4)
    one, other = (
        dleq.prove(
            group,
            HERE,
            [dleq.Equality(lock.base, lock.public, some, tuple(lock.close(group, some)))],
            [lock.k],
            Drbg("copied"),
        )
        for some in (cards[:2], cards[2:])
    )
    found = (one.responses[0] - other.responses[0]) * pow(one.challenge - other.challenge, -1, ORDER) % ORDER
    assert (found == lock.k) is leaks


def test_two_membership_proofs_with_the_same_randomness_tell_the_card_unless_hedged(group: Group, leaks: bool) -> None:
    """Three would tell the key, too."""
    lock, among = Lock(group, 4711), card_points(group, "goods", 4)
    claim = membership.Claim(group.mul(lock.k, among[3]), lock.public, among)
    one, other = (
        membership.prove(group, at, [claim], [membership.Opening(lock.k, 3)], Drbg("copied")) for at in (HERE, THERE)
    )
    # f = s x + a with the same a: where the digit's bit s is 0, nothing changes.
    same = [a == b for a, b in zip(one.responses, other.responses, strict=True)]
    changed = [(a - b) % ORDER for a, b in zip(one.responses, other.responses, strict=True)]
    told = not any(same) and len(set(changed)) == 1  # Both digits of 3 are 1, and the differences both x - x'.
    assert told is leaks


def order_told(one: shuffle.Attested, other: shuffle.Attested) -> tuple[int, ...] | None:
    """Returns the permutation of the first of two proofs, if they have the same masks w and the same permutation."""
    (u, _, _, c), (u2, _, _, c2) = (shuffle_liar.challenges(*link[:2], link.proof.commitments) for link in (one, other))
    s, s2 = one.proof.coefficients, other.proof.coefficients
    for pi in permutations(range(len(u))):
        if all((s[j] - s2[j] - c * u[i] + c2 * u2[i]) % ORDER == 0 for j, i in enumerate(pi)):
            return pi
    return None


@pytest.mark.parametrize("source", [hedged, unhedged])
def test_two_shuffles_prepared_with_the_same_randomness_tell_the_order_unless_hedged(
    group: Group, source: Callable[..., Rng]
) -> None:
    links, orders = [], []
    for number, at in enumerate((HERE, THERE)):
        lock = Lock(group, 4711 + number)
        preparation = shuffle.prepare(group, 4, source(Drbg("copied"), "SH", b"own", number))
        statement = shuffle.shuffle(group, preparation, lock, card_points(group, "goods", 4))
        proof = shuffle.prove(group, at, statement, lock.k, preparation)
        links.append(shuffle.Attested(at, statement, proof))
        orders.append(preparation.order)
    assert (order_told(links[0], links[1]) == orders[0]) is (source is unhedged)


@pytest.mark.parametrize("source", [hedged, unhedged])
def test_two_proofs_of_a_list_whose_preparation_was_lost_tell_the_order_unless_hedged(
    group: Group, source: Callable[..., Rng], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deck, "hedged", source)
    keys, before = deck.Keyring(group, Drbg("keys")), tuple(map(deck.Card, card_points(group, "goods", 4)))
    preparation = shuffle.prepare(group, 4, Drbg("lost"))
    after = deck.read_list(group, 0, before, deck.list_cards(group, 0, before, keys, preparation))
    links = []
    for at in (HERE, THERE):
        data = deck.prove_list(group, at, 0, before, after, keys, None, Drbg("copied"))
        links.append(deck.read_proof(group, at, 0, before, after, data))
    assert (order_told(links[0], links[1]) == preparation.order) is (source is unhedged)


def test_a_hedged_source_repeats_itself_only_where_all_is_the_same() -> None:
    def first(*known: object, seed: str = "seed", purpose: str = "EQ") -> bytes:
        return hedged(Drbg(seed), purpose, *known)(100)  # type: ignore[arg-type]  # Numbers and bytes are values.

    assert first(b"k", 1) == first(b"k", 1)
    assert (
        len({first(b"k", 1), first(b"l", 1), first(b"k", 2), first(b"k", 1, seed="x"), first(b"k", 1, purpose="MB")})
        == 5
    )


def test_a_hedged_source_never_gives_the_same_bytes_again() -> None:
    source = hedged(Drbg("seed"), "EQ")
    drawn = [source(32) for _ in range(50)]
    assert len(set(drawn)) == 50
    assert [len(source(size)) for size in (0, 1, 64, 65, 200)] == [0, 1, 64, 65, 200]
