from dataclasses import replace

import pytest

from protocol.cipher import card_points
from protocol.codec import Value
from protocol.deck import (
    Card,
    Change,
    Keyring,
    common_key,
    lock_cards,
    shuffle_cards,
    strip_cards,
    verify_lock,
    verify_shuffle,
    verify_strip,
)
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import GENERATOR, Group
from protocol.hashing import ORDER
from protocol.proofs import shuffle
from tests.drbg import Drbg
from tests.protocol.dealing import ANNA, BEN, CARDS, CLEO, SEATS, at, drawn, joined, labels, opened, rings_of, shuffled


class TestDealing:
    def test_every_card_of_a_shuffled_deck_reaches_its_receiver_once(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        deck = shuffled(group, rng, rings, labels(group))
        seen = [
            opened(group, rings[receiver], receiver, card)
            for receiver in range(SEATS)
            for card in drawn(group, rng, rings, deck[4 * receiver : 4 * receiver + 4], receiver)
        ]
        assert sorted(seen) == sorted(card_points(group, "goods", CARDS))

    def test_each_lock_stands_on_the_card_until_it_is_taken_off(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        deck = shuffled(group, rng, rings, labels(group))
        assert [seat for seat, _ in deck[0].locks] == [ANNA, BEN, CLEO]
        assert len({card.locks for card in deck}) == 1
        (card,) = drawn(group, rng, rings, deck[:1], BEN)
        assert card.locks == (deck[0].locks[BEN],)
        assert [card.key_of(seat) for seat in (ANNA, BEN, CLEO)] == [None, deck[0].locks[BEN][1], None]
        assert [card.is_held_by(seat) for seat in range(SEATS)] == [False, True, False]

    def test_shuffling_again_replaces_the_own_lock(self, group: Group, rng: Drbg) -> None:
        keys = Keyring(group, rng)
        once = labels(group)
        for _ in range(2):
            change = shuffle_cards(group, at(ANNA), ANNA, once, keys, shuffle.prepare(group, CARDS, rng))
            once = verify_shuffle(group, at(ANNA), ANNA, once, change, rng)
        assert len(once[0].locks) == 1
        assert sorted(opened(group, keys, ANNA, card) for card in once) == sorted(card_points(group, "goods", CARDS))

    def test_a_card_changes_hands_by_the_receivers_lock_and_the_givers_strip(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        hand = drawn(group, rng, rings, shuffled(group, rng, rings, labels(group))[:2], ANNA)
        before = [opened(group, rings[ANNA], ANNA, card) for card in hand]
        change = lock_cards(group, at(BEN), BEN, hand, rings[BEN], rng)
        both = verify_lock(group, at(BEN), BEN, hand, change)
        assert [seat for seat, _ in both[0].locks] == [ANNA, BEN]
        given_ = verify_strip(group, at(ANNA), ANNA, both, strip_cards(group, at(ANNA), ANNA, both, rings[ANNA], rng))
        assert [opened(group, rings[BEN], BEN, card) for card in given_] == before

    def test_nothing_is_proved_about_no_cards(self, group: Group, rng: Drbg) -> None:
        keys = Keyring(group, rng)
        assert verify_strip(group, at(ANNA), ANNA, (), strip_cards(group, at(ANNA), ANNA, (), keys, rng)) == ()
        assert verify_lock(group, at(ANNA), ANNA, (), lock_cards(group, at(ANNA), ANNA, (), keys, rng)) == ()


class TestReshuffling:
    """Discards lie under many keys of many seats; two passes put them under one fresh lock of every seat."""

    def test_all_cards_end_under_one_key_of_every_seat_in_an_unknown_order(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        discards = self.discards(group, rings)
        before = sorted(opened(group, rings[card.locks[0][0]], card.locks[0][0], card) for card in discards)
        gathered = discards
        for seat, keys in enumerate(rings):
            change = lock_cards(group, at(seat), seat, gathered, keys, rng)
            own_keys = {card.key_of(seat) for card in gathered}
            assert len(change.proof) == 32 * (1 + len(own_keys))
            gathered = verify_lock(group, at(seat), seat, gathered, change)
        assert len({card.locks for card in gathered}) == 1
        deck = shuffled(group, rng, rings, gathered)
        assert not {card.point for card in deck} & {card.point for card in (*discards, *gathered)}
        after = [opened(group, rings[CLEO], CLEO, card) for card in drawn(group, rng, rings, deck, CLEO)]
        assert sorted(after) == before

    def test_one_false_card_among_several_keys_is_refused(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        discards = self.discards(group, rings)
        change = lock_cards(group, at(ANNA), ANNA, discards, rings[ANNA], rng)
        verify_lock(group, at(ANNA), ANNA, discards, change)
        points = list(change.decode_points(group, len(discards)))
        for place in range(len(points)):
            swapped = [*points]
            swapped[place] = group.add(points[place], GENERATOR)
            with pytest.raises(InvalidProofError):
                verify_lock(group, at(ANNA), ANNA, discards, replace(change, points=joined(swapped)))

    def test_cards_under_different_locks_are_not_shuffled(self, group: Group, rng: Drbg) -> None:
        rings = rings_of(group, rng)
        discards = self.discards(group, rings)
        with pytest.raises(LocalError, match="same locks"):
            shuffle_cards(group, at(ANNA), ANNA, discards, rings[ANNA], shuffle.prepare(group, len(discards), rng))

    def test_cards_under_different_locks_of_others_are_not_shuffled_either(self, group: Group, rng: Drbg) -> None:
        # All of them have no lock of Anna's; but which of Ben's keys a shuffled card is under, nobody could say.
        rings = rings_of(group, rng)
        bens = [card for card in self.discards(group, rings) if card.key_of(BEN)]
        assert len({card.key_of(BEN) for card in bens}) == 2
        points = tuple(card.point for card in bens)
        lock = rings[ANNA].fresh()
        preparation = shuffle.prepare(group, len(bens), rng)
        statement = shuffle.shuffle(group, preparation, lock, points)
        proof = shuffle.prove(group, at(ANNA), statement, lock.k, preparation)
        change = Change(lock.public, joined(statement.outputs), proof.to_bytes())
        with pytest.raises(MalformedError, match="same locks"):
            verify_shuffle(group, at(ANNA), ANNA, bens, change, rng)

    @staticmethod
    def discards(group: Group, rings: list[Keyring]) -> tuple[Card, ...]:
        """Returns cards that lie under two keys of Anna's, two of Ben's and one of Cleo's."""
        owners = (ANNA, BEN, ANNA, CLEO, BEN, ANNA)
        locks = [rings[owner].fresh() for owner in owners[:5]] + [rings[ANNA].fresh()]
        locks[2] = locks[0]
        return tuple(
            Card(lock.close(group, [M])[0], ((owner, lock.public),))
            for owner, lock, M in zip(owners, locks, card_points(group, "goods", 6), strict=True)
        )


@pytest.mark.parametrize("value", [None, (), (b"", b""), (b"", b"", b"", b""), ("", b"", b""), (b"", b"", 0), b"", 5])
def test_a_value_of_another_shape_is_no_change(value: Value) -> None:
    with pytest.raises(MalformedError):
        Change.from_value(value)


class TestKeyring:
    def test_it_shows_no_secret(self, group: Group, rng: Drbg) -> None:
        keys = Keyring(group, rng)
        lock = keys.fresh()
        shown = f"{keys!r} {keys} {lock!r}"
        assert str(lock.k) not in shown
        assert f"{lock.k:x}" not in shown
        assert "1 keys" in repr(keys)

    def test_every_key_is_another(self, group: Group, rng: Drbg) -> None:
        keys = Keyring(group, rng)
        assert len({keys.fresh().public for _ in range(20)}) == 20

    def test_keys_that_were_stored_come_back(self, group: Group, rng: Drbg) -> None:
        keys, again = Keyring(group, rng), Keyring(group, rng)
        locks = [keys.fresh() for _ in range(3)]
        again.keep(keys.secrets())
        assert again.secrets() == keys.secrets() == tuple(lock.k for lock in locks)
        assert [again[lock.public].k for lock in locks] == [lock.k for lock in locks]

    @pytest.mark.parametrize("k", [0, ORDER])
    def test_a_stored_key_that_is_none_is_refused(self, group: Group, rng: Drbg, k: int) -> None:
        with pytest.raises(LocalError):
            Keyring(group, rng).keep([k])

    def test_forgotten_keys_are_gone_and_the_others_stay(self, group: Group, rng: Drbg) -> None:
        keys = Keyring(group, rng)
        first, second, third = (keys.fresh() for _ in range(3))
        keys.forget_all_but([second.public, GENERATOR])
        assert keys.secrets() == (second.k,)
        for gone in (first, third):
            with pytest.raises(LocalError, match="no secret"):
                keys[gone.public]
        keys.forget(second.public)
        keys.forget(second.public)
        assert keys.secrets() == ()


def test_the_common_key_of_a_list(group: Group, rng: Drbg) -> None:
    key = Keyring(group, rng).fresh().public
    cards = [Card(point, ((ANNA, key),)) for point in card_points(group, "goods", 3)]
    assert common_key(cards, ANNA) == key
    assert common_key(cards, BEN) is None
    for mixed in ([], [*cards, Card(GENERATOR)]):
        with pytest.raises(LocalError):
            common_key(mixed, ANNA)
