import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cipher import Lock, card_points, set_digest
from protocol.errors import LocalError
from protocol.group import GENERATOR, Edwards25519, Group
from protocol.hashing import ORDER
from tests.drbg import Drbg

keys = st.integers(1, ORDER - 1)


@given(keys, keys)
def test_locks_commute(a: int, b: int) -> None:
    group = Edwards25519()
    cards = card_points(group, "test", 3)
    first, second = Lock(group, a), Lock(group, b)
    locked = second.close(group, first.close(group, cards))
    assert locked == first.close(group, second.close(group, cards))
    assert second.open(group, first.open(group, locked)) == list(cards)


def test_a_lock_on_another_base_is_public_under_that_base(group: Group, rng: Drbg) -> None:
    old = Lock.generate(group, rng)
    new = Lock.generate(group, rng, old.public)
    assert new.public == group.mul(new.k, old.public) == group.mul_base(new.k * old.k)
    assert old.base == GENERATOR


@pytest.mark.parametrize("k", [0, ORDER])
def test_a_zero_key_is_refused(group: Group, k: int) -> None:
    with pytest.raises(LocalError):
        Lock(group, k)


def test_a_lock_does_not_show_its_key(group: Group, rng: Drbg) -> None:
    lock = Lock.generate(group, rng)
    assert str(lock.k) not in repr(lock)
    assert f"{lock.k:x}" not in repr(lock)


def test_card_points_differ_by_label_and_deck(group: Group) -> None:
    goods, laws = card_points(group, "goods", 20), card_points(group, "laws", 20)
    assert len({*goods, *laws}) == 40
    assert goods[:5] == card_points(group, "goods", 5)


def test_the_digest_of_a_set_depends_on_its_order_and_its_members(group: Group) -> None:
    cards = card_points(group, "goods", 3)
    assert len({set_digest(cards), set_digest(cards[::-1]), set_digest(cards[:2])}) == 3


def test_a_lock_that_replaces_another_leaves_the_cards_under_itself_alone(group: Group, rng: Drbg) -> None:
    old, new = Lock.generate(group, rng), Lock.generate(group, rng)
    relock = new.replacing(group, old)
    cards = card_points(group, "test", 3)
    assert relock.close(group, old.close(group, cards)) == new.close(group, cards)
    assert (relock.base, relock.public) == (old.public, new.public)
