"""Every cheat with a list of cards is refused, with the right error."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cipher import Lock, card_points
from protocol.deck import (
    Card,
    Change,
    Keyring,
    lock_cards,
    shuffle_cards,
    strip_cards,
    verify_lock,
    verify_shuffle,
    verify_strip,
)
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import GENERATOR, IDENTITY, Element, Group
from protocol.proofs import dleq, shuffle
from protocol.proofs.context import Context
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import ELSEWHERE, HERE
from tests.protocol.dealing import ANNA, BEN, CARDS, at, joined, labels

Operation = Callable[[Group, Context, int, tuple[Card, ...], Change, Drbg], tuple[Card, ...]]


def verify_a_lock(
    group: Group, context: Context, seat: int, cards: tuple[Card, ...], change: Change, _rng: Drbg
) -> tuple[Card, ...]:
    return verify_lock(group, context, seat, cards, change)


def verify_a_strip(
    group: Group, context: Context, seat: int, cards: tuple[Card, ...], change: Change, _rng: Drbg
) -> tuple[Card, ...]:
    return verify_strip(group, context, seat, cards, change)


class Honest:
    """An honest change of each sort, by Anna: what a cheat starts from."""

    def __init__(self, group: Group, rng: Drbg, verify: Operation) -> None:
        self.group, self.rng, self.verify = group, rng, verify
        self.keys = Keyring(group, rng)
        self.lock = self.keys.fresh()
        points = card_points(group, "goods", CARDS)
        if verify is verify_a_strip:
            locks = ((ANNA, self.lock.public),)
            self.cards = tuple(Card(point, locks) for point in self.lock.close(group, points))
            self.change = strip_cards(group, at(ANNA), ANNA, self.cards, self.keys, rng)
        elif verify is verify_a_lock:
            self.cards = tuple(map(Card, points))
            self.change = lock_cards(group, at(ANNA), ANNA, self.cards, self.keys, rng)
        else:
            self.cards = tuple(map(Card, points))
            preparation = shuffle.prepare(group, CARDS, rng)
            self.change = shuffle_cards(group, at(ANNA), ANNA, self.cards, self.keys, preparation)
        self.points = self.change.decode_points(group, CARDS)

    def accepted(self) -> None:
        self.verify(self.group, at(ANNA), ANNA, self.cards, self.change, self.rng)

    def refused(self, error: type[Exception], change: Change | None = None, context: Context | None = None) -> None:
        with pytest.raises(error):
            self.verify(self.group, context or at(ANNA), ANNA, self.cards, change or self.change, self.rng)

    def with_points(self, points: list[bytes] | list[Element]) -> Change:
        return replace(self.change, points=b"".join(points))


@pytest.fixture(params=[verify_shuffle, verify_a_lock, verify_a_strip], ids=["shuffle", "lock", "strip"])
def honest(request: pytest.FixtureRequest, group: Group, rng: Drbg) -> Honest:
    return Honest(group, rng, request.param)


class TestAChangedChangeIsRefused:
    def test_but_the_honest_one_is_accepted(self, honest: Honest) -> None:
        honest.accepted()
        assert Change.from_value(honest.change.to_value()) == honest.change

    @pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE)
    def test_moved_elsewhere(self, honest: Honest, elsewhere: Context) -> None:
        is_other_seat = elsewhere.seat != HERE.seat
        honest.refused(InvalidProofError, context=elsewhere if is_other_seat else replace(elsewhere, seat=ANNA))

    def test_a_card_replaced_by_another_point(self, honest: Honest) -> None:
        for place in range(CARDS):
            points = [*honest.points]
            points[place] = honest.group.mul_base(5)
            honest.refused(InvalidProofError, honest.with_points(points))

    def test_two_errors_that_cancel(self, honest: Honest) -> None:
        first, second, *rest = honest.points
        group = honest.group
        honest.refused(
            InvalidProofError, honest.with_points([group.add(first, GENERATOR), group.sub(second, GENERATOR), *rest])
        )

    def test_two_cards_exchanged(self, honest: Honest) -> None:
        first, second, *rest = honest.points
        honest.refused(InvalidProofError, honest.with_points([second, first, *rest]))

    def test_a_duplicated_card(self, honest: Honest) -> None:
        honest.refused(InvalidProofError, honest.with_points([honest.points[0], *honest.points[:-1]]))

    def test_a_card_too_few_or_too_many(self, honest: Honest) -> None:
        for points in (honest.points[:-1], (*honest.points, honest.points[0]), ()):
            honest.refused(MalformedError, honest.with_points(list(points)))

    def test_points_cut_within_a_card(self, honest: Honest) -> None:
        honest.refused(MalformedError, replace(honest.change, points=honest.change.points[:-1]))
        honest.refused(MalformedError, replace(honest.change, points=honest.change.points + b"\0"))

    @pytest.mark.parametrize("name", ["identity", "order two", "small-order part", "not canonical", "no point"])
    def test_a_point_that_is_no_element_of_the_group(self, honest: Honest, name: str) -> None:
        order_two = (0, edwards.P - 1)
        mixed = edwards.encode(edwards.add(edwards.decode(honest.points[3]), order_two))
        bad = {
            "identity": bytes(IDENTITY),
            "order two": edwards.encode(order_two),
            "small-order part": mixed,
            "not canonical": (edwards.P + 1).to_bytes(32, "little"),
            "no point": b"\xff" * 32,
        }[name]
        points: list[bytes] = [*honest.points[:3], bad, *honest.points[4:]]
        honest.refused(MalformedError, honest.with_points(points))

    def test_a_proof_cut_or_extended(self, honest: Honest) -> None:
        for proof in (b"", honest.change.proof[:-1], honest.change.proof + bytes(32)):
            honest.refused(MalformedError, replace(honest.change, proof=proof))

    def test_a_flipped_bit_of_the_proof(self, honest: Honest) -> None:
        @given(st.integers(0, 8 * len(honest.change.proof) - 1))
        def check(bit: int) -> None:
            size = len(honest.change.proof)
            proof = (int.from_bytes(honest.change.proof) ^ 1 << bit).to_bytes(size)
            with pytest.raises((InvalidProofError, MalformedError)):
                honest.verify(
                    honest.group, at(ANNA), ANNA, honest.cards, replace(honest.change, proof=proof), honest.rng
                )

        check()

    def test_a_key_missing_or_where_none_may_be(self, honest: Honest) -> None:
        key = b"" if honest.change.key else bytes(honest.lock.public)
        honest.refused(MalformedError, replace(honest.change, key=key))

    def test_a_key_that_is_no_element_of_the_group(self, honest: Honest) -> None:
        for key in (bytes(IDENTITY), b"\xff" * 32, bytes(31)):
            honest.refused(MalformedError, replace(honest.change, key=key))

    def test_another_key_than_the_cards_are_under(self, honest: Honest) -> None:
        other = Lock.generate(honest.group, honest.rng).public
        change = replace(honest.change, key=bytes(other) if honest.change.key else b"")
        cards = honest.cards if honest.change.key else [card.relocked(card.point, ANNA, other) for card in honest.cards]
        with pytest.raises(InvalidProofError):
            honest.verify(honest.group, at(ANNA), ANNA, tuple(cards), change, honest.rng)

    def test_the_same_change_of_other_cards(self, honest: Honest) -> None:
        others = tuple(replace(card, point=honest.group.add(card.point, GENERATOR)) for card in honest.cards)
        with pytest.raises(InvalidProofError):
            honest.verify(honest.group, at(ANNA), ANNA, others, honest.change, honest.rng)


class TestAFalseProofIsRefused:
    """The cheat proves the false statement with the honest code and all that the cheat knows."""

    def test_a_stacked_deck(self, group: Group, rng: Drbg) -> None:
        # Two apples for one silk: the list is as long as it was, its cards are other ones.
        cards, lock = labels(group), Lock.generate(group, rng)
        preparation = shuffle.prepare(group, CARDS, rng)
        statement = shuffle.shuffle(group, preparation, lock, [card.point for card in cards])
        spare = lock.close(group, [card_points(group, "goods", CARDS + 1)[CARDS]])
        stacked = replace(statement, outputs=(*spare, *statement.outputs[1:]))
        proof = shuffle.prove(group, at(ANNA), stacked, lock.k, preparation)
        change = Change(lock.public, joined(stacked.outputs), proof.to_bytes())
        with pytest.raises(InvalidProofError):
            verify_shuffle(group, at(ANNA), ANNA, cards, change, rng)

    def test_a_short_deck(self, group: Group, rng: Drbg) -> None:
        cards = labels(group)
        short = shuffle_cards(
            group, at(ANNA), ANNA, cards[1:], Keyring(group, rng), shuffle.prepare(group, CARDS - 1, rng)
        )
        with pytest.raises(MalformedError):
            verify_shuffle(group, at(ANNA), ANNA, cards, short, rng)

    def test_a_wrong_strip_of_one_card_in_twelve(self, group: Group, rng: Drbg) -> None:
        honest = Honest(group, rng, verify_a_strip)
        for place in range(CARDS):
            points = (*honest.points[:place], group.mul_base(7), *honest.points[place + 1 :])
            self.refused_strip(honest, points, honest.lock.k)

    def test_two_wrong_strips_that_cancel(self, group: Group, rng: Drbg) -> None:
        honest = Honest(group, rng, verify_a_strip)
        first, second, *rest = honest.points
        self.refused_strip(honest, (group.add(first, GENERATOR), group.sub(second, GENERATOR), *rest), honest.lock.k)

    def test_a_strip_with_another_key(self, group: Group, rng: Drbg) -> None:
        honest = Honest(group, rng, verify_a_strip)
        other = Lock.generate(group, rng)
        points = tuple(other.open(group, [card.point for card in honest.cards]))
        for k in (honest.lock.k, other.k):
            self.refused_strip(honest, points, k)

    @staticmethod
    def refused_strip(honest: Honest, points: tuple[Element, ...], k: int) -> None:
        locked = tuple(card.point for card in honest.cards)
        false = dleq.Equality(GENERATOR, honest.lock.public, points, locked)
        proof = dleq.prove(honest.group, at(ANNA), [false], [k], honest.rng)
        honest.refused(InvalidProofError, Change(b"", joined(points), proof.to_bytes()))

    def test_a_card_of_somebody_else(self, group: Group, rng: Drbg) -> None:
        honest = Honest(group, rng, verify_a_strip)
        with pytest.raises(MalformedError, match="no lock"):
            verify_strip(group, at(BEN), BEN, honest.cards, honest.change)
        with pytest.raises(LocalError, match="no lock"):
            strip_cards(group, at(BEN), BEN, honest.cards, honest.keys, rng)

    def test_a_card_taken_twice(self, group: Group, rng: Drbg) -> None:
        card, lock = labels(group)[0], Lock.generate(group, rng)
        (point,) = lock.close(group, [card.point])
        twice = dleq.Equality(GENERATOR, lock.public, (card.point,) * 2, (point,) * 2)
        proof = dleq.prove(group, at(ANNA), [twice], [lock.k], rng)
        with pytest.raises(MalformedError, match="twice"):
            verify_lock(group, at(ANNA), ANNA, [card, card], Change(lock.public, point + point, proof.to_bytes()))

    @pytest.mark.parametrize("count", [0, 1])
    def test_a_shuffle_of_fewer_than_two_cards(self, group: Group, rng: Drbg, count: int) -> None:
        honest = Honest(group, rng, verify_shuffle)
        with pytest.raises(MalformedError):
            verify_shuffle(group, at(ANNA), ANNA, honest.cards[:count], honest.change, rng)
