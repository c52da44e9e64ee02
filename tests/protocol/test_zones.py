from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol.cipher import card_points
from protocol.codec import Value
from protocol.deck import Card, Change, Keyring, lock_cards, shuffle_cards, verify_lock
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import GENERATOR, Element, Group
from protocol.proofs import shuffle
from protocol.proofs.context import Context
from protocol.randomness import Rng
from protocol.zones import (
    Rearranged,
    Rearrangement,
    Statement,
    prove_statements,
    rearrange,
    verify_rearrangement,
    verify_statements,
)
from tests.drbg import Drbg
from tests.protocol.contexts import ELSEWHERE, HERE
from tests.protocol.dealing import ANNA, BEN, at, opened

LABELS = 12
APPLES, SILK = slice(0, 5), slice(5, 12)


def held(group: Group, keys: Keyring, numbers: Sequence[int], locks: int = 1) -> tuple[Card, ...]:
    """Returns cards with these labels under so many of Anna's keys, in turn."""
    points = card_points(group, "goods", LABELS)
    own = [keys.fresh() for _ in range(locks)]
    return tuple(
        Card(own[place % locks].close(group, [points[number]])[0], ((ANNA, own[place % locks].public),))
        for place, number in enumerate(numbers)
    )


def laid_anew(group: Group, keys: Keyring, cards: Sequence[Card], rng: Rng) -> Rearranged:
    return rearrange(group, at(ANNA), ANNA, cards, keys, rng, lambda count: shuffle.prepare(group, count, rng))


def verified(group: Group, cards: Sequence[Card], rearrangement: Rearrangement, rng: Rng) -> tuple[Card, ...]:
    return verify_rearrangement(group, at(ANNA), ANNA, cards, rearrangement, rng)


@pytest.fixture
def keys(group: Group, rng: Drbg) -> Keyring:
    return Keyring(group, rng)


class TestRearranging:
    @pytest.mark.parametrize(("count", "locks"), [(1, 1), (2, 1), (6, 1), (2, 2), (6, 2), (7, 3)])
    def test_the_cards_are_the_same_in_the_owners_secret_order_under_one_fresh_key(
        self, group: Group, rng: Drbg, keys: Keyring, count: int, locks: int
    ) -> None:
        cards = held(group, keys, range(count), locks)
        made = laid_anew(group, keys, cards, rng)
        new = verified(group, cards, Rearrangement.from_value(made.rearrangement.to_value()), rng)
        before = [opened(group, keys, ANNA, card) for card in cards]
        assert [opened(group, keys, ANNA, card) for card in new] == [before[old] for old in made.order]
        assert sorted(made.order) == list(range(count))
        assert len({card.locks for card in new}) == 1
        assert (made.rearrangement.gather is None) == (locks == 1)

    @pytest.mark.parametrize(("count", "locks"), [(1, 1), (6, 1), (6, 3)])
    def test_nothing_that_was_seen_before_comes_back(
        self, group: Group, rng: Drbg, keys: Keyring, count: int, locks: int
    ) -> None:
        cards = held(group, keys, range(count), locks)
        made = laid_anew(group, keys, cards, rng).rearrangement
        new = verified(group, cards, made, rng)
        old_values = {card.point for card in cards} | {key for card in cards for _, key in card.locks}
        new_values = {card.point for card in new} | {new[0].locks[0][1]}
        gathered = set(made.gather.decode_points(group, count)) | {made.gather.key} if made.gather else set()
        assert not old_values & new_values
        assert not gathered & (old_values | new_values)
        assert not new_values & set(card_points(group, "goods", LABELS))

    def test_the_key_between_is_forgotten_at_once(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        cards = held(group, keys, range(4), locks=2)
        made = laid_anew(group, keys, cards, rng).rearrangement
        assert made.gather is not None
        assert len(keys.secrets()) == 3
        with pytest.raises(LocalError, match="no secret"):
            keys[group.decode(made.gather.key)]
        keys[group.decode(made.change.key)]

    def test_where_a_card_goes_says_nothing_about_where_it_was(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        cards = held(group, keys, range(3))
        counts = Counter(laid_anew(group, keys, cards, rng).order for _ in range(300))
        # Six orders, fifty of each on average: fair dice exceed this once in a thousand seeds.
        assert len(counts) == 6
        assert sum((count - 50) ** 2 / 50 for count in counts.values()) < 20.5

    def test_size_and_shape_of_a_rearrangement_depend_on_what_is_public_alone(
        self, group: Group, rng: Drbg, keys: Keyring
    ) -> None:
        def shape(change: Change | None) -> tuple[int, ...] | None:
            return None if change is None else (len(change.key), len(change.points), len(change.proof))

        shapes = set()
        for numbers in ((0, 1, 2, 3), (11, 5, 7, 9)):
            made = laid_anew(group, keys, held(group, keys, numbers, locks=2), rng).rearrangement
            shapes.add((shape(made.gather), shape(made.change)))
        assert len(shapes) == 1

    def test_a_rearrangement_does_not_show_its_order(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        made = laid_anew(group, keys, held(group, keys, range(5)), rng)
        assert str(made.order) not in repr(made)

    def test_cards_that_are_not_all_the_owners_alone_cant_be_rearranged(
        self, group: Group, rng: Drbg, keys: Keyring
    ) -> None:
        cards = held(group, keys, range(3))
        bens = Keyring(group, rng)
        locked = verify_lock(group, at(BEN), BEN, cards, lock_cards(group, at(BEN), BEN, cards, bens, rng))
        for wrong in ((), (*cards[:2], locked[2]), (*cards, Card(GENERATOR)), locked):
            with pytest.raises(LocalError, match="own lock alone"):
                laid_anew(group, keys, wrong, rng)


class TestAFalseRearrangementIsRefused:
    @pytest.fixture
    def cards(self, group: Group, keys: Keyring) -> tuple[Card, ...]:
        return held(group, keys, range(5))

    @pytest.fixture
    def made(self, group: Group, rng: Drbg, keys: Keyring, cards: tuple[Card, ...]) -> Rearrangement:
        return laid_anew(group, keys, cards, rng).rearrangement

    def refused(
        self,
        group: Group,
        cards: Sequence[Card],
        made: Rearrangement,
        rng: Drbg,
        error: type[Exception] = InvalidProofError,
        context: Context | None = None,
    ) -> None:
        with pytest.raises(error):
            verify_rearrangement(group, context or at(ANNA), ANNA, cards, made, rng)

    def test_a_swapped_card(self, group: Group, rng: Drbg, keys: Keyring, cards: tuple[Card, ...]) -> None:
        # The owner knows the key and would like to have another card in the hand.
        preparation = shuffle.prepare(group, 5, rng)
        (key,) = {card.locks[0][1] for card in cards}
        new = keys.fresh()
        relock = new.replacing(group, keys[key])
        statement = shuffle.shuffle(group, preparation, relock, [card.point for card in cards])
        (better,) = new.close(group, [card_points(group, "goods", LABELS)[11]])
        false = replace(statement, outputs=(better, *statement.outputs[1:]))
        proof = shuffle.prove(group, at(ANNA), false, relock.k, preparation)
        change = Change(new.public, b"".join(false.outputs), proof.to_bytes())
        self.refused(group, cards, Rearrangement(None, change), rng)

    def test_a_swapped_single_card(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        (card,), other = held(group, keys, [0]), held(group, keys, [11])
        self.refused(group, [card], laid_anew(group, keys, other, rng).rearrangement, rng)

    def test_another_zones_cards(self, group: Group, rng: Drbg, keys: Keyring, cards: tuple[Card, ...]) -> None:
        others = held(group, keys, range(5, 10))
        self.refused(group, cards, laid_anew(group, keys, others, rng).rearrangement, rng)

    def test_a_card_left_out_or_added(self, group: Group, rng: Drbg, keys: Keyring, cards: tuple[Card, ...]) -> None:
        lock = keys[cards[0].locks[0][1]]
        extra = Card(lock.close(group, [card_points(group, "goods", LABELS)[11]])[0], cards[0].locks)
        for wrong in (cards[1:], (*cards, extra)):
            self.refused(group, cards, laid_anew(group, keys, wrong, rng).rearrangement, rng, MalformedError)

    def test_a_gathering_missing(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        cards = held(group, keys, range(4), locks=2)
        made = laid_anew(group, keys, cards, rng).rearrangement
        self.refused(group, cards, replace(made, gather=None), rng, MalformedError)

    def test_a_gathering_where_none_may_be(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        for count in (1, 4):
            cards = held(group, keys, range(count))
            gather = lock_cards(group, at(ANNA), ANNA, cards, keys, rng)
            gathered = verify_lock(group, at(ANNA), ANNA, cards, gather)
            if count == 1:
                change = lock_cards(group, at(ANNA, 1), ANNA, gathered, keys, rng)
            else:
                change = shuffle_cards(group, at(ANNA, 1), ANNA, gathered, keys, shuffle.prepare(group, count, rng))
            self.refused(group, cards, Rearrangement(gather, change), rng, MalformedError)

    def test_a_false_gathering(self, group: Group, rng: Drbg, keys: Keyring) -> None:
        cards = held(group, keys, range(4), locks=2)
        made = laid_anew(group, keys, cards, rng).rearrangement
        assert made.gather is not None
        first, second, *rest = made.gather.decode_points(group, 4)
        exchanged = replace(made.gather, points=b"".join([second, first, *rest]))
        self.refused(group, cards, replace(made, gather=exchanged), rng)

    def test_both_proofs_of_a_rearrangement_have_places_of_their_own(
        self, group: Group, rng: Drbg, keys: Keyring
    ) -> None:
        cards = held(group, keys, range(4), locks=2)
        gather = lock_cards(group, at(ANNA), ANNA, cards, keys, rng)
        gathered = verify_lock(group, at(ANNA), ANNA, cards, gather)
        preparation = shuffle.prepare(group, 4, rng)
        change = shuffle_cards(group, at(ANNA, 0), ANNA, gathered, keys, preparation)
        self.refused(group, cards, Rearrangement(gather, change), rng)

    @pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE)
    def test_moved_elsewhere(
        self, group: Group, rng: Drbg, cards: tuple[Card, ...], made: Rearrangement, elsewhere: Context
    ) -> None:
        context = elsewhere if elsewhere.seat != HERE.seat else replace(elsewhere, seat=ANNA)
        self.refused(group, cards, made, rng, context=context)

    def test_of_cards_that_the_author_does_not_hold_alone(
        self, group: Group, rng: Drbg, cards: tuple[Card, ...], made: Rearrangement
    ) -> None:
        bens = tuple(Card(card.point, ((BEN, card.locks[0][1]),)) for card in cards)
        shared = tuple(Card(card.point, (*card.locks, (BEN, GENERATOR))) for card in cards)
        bare = tuple(Card(card.point) for card in cards)
        for wrong in (bens, shared, bare, ()):
            self.refused(group, wrong, made, rng, MalformedError)

    @pytest.mark.parametrize("value", [None, (), (None,), (None, None), (None, (b"", b"")), ((b"", b"", b""), None), 5])
    def test_a_value_of_another_shape(self, value: Value) -> None:
        with pytest.raises(MalformedError):
            Rearrangement.from_value(value)


class TestStatements:
    @pytest.fixture
    def points(self, group: Group) -> tuple[Element, ...]:
        return card_points(group, "goods", LABELS)

    @pytest.fixture
    def cards(self, group: Group, keys: Keyring) -> tuple[Card, ...]:
        return held(group, keys, (0, 3, 7, 11), locks=2)

    @pytest.fixture
    def true(self, cards: tuple[Card, ...], points: tuple[Element, ...]) -> list[Statement]:
        """Two apples, one silk, and one card of which nothing but "no apples" is said."""
        apples, silk = points[APPLES], points[SILK]
        sets = (apples, apples, (points[7],), silk)
        return [Statement(card, among) for card, among in zip(cards, sets, strict=True)]

    @pytest.fixture
    def proof(
        self, group: Group, rng: Drbg, keys: Keyring, true: list[Statement], points: tuple[Element, ...]
    ) -> bytes:
        return prove_statements(group, at(ANNA), ANNA, true, [points[i] for i in (0, 3, 7, 11)], keys, rng)

    def test_true_ones_are_accepted_in_one_merged_proof(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes
    ) -> None:
        verify_statements(group, at(ANNA), ANNA, true, proof, rng)

    def test_each_false_one_among_them_is_refused(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes, points: tuple[Element, ...]
    ) -> None:
        lies = (points[SILK], points[1:3], (points[8],), points[APPLES])
        for place, among in enumerate(lies):
            false = [*true]
            false[place] = replace(true[place], among=among)
            with pytest.raises((InvalidProofError, MalformedError)):
                verify_statements(group, at(ANNA), ANNA, false, proof, rng)

    def test_a_lie_of_the_same_size_fails_at_its_equations(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes, points: tuple[Element, ...]
    ) -> None:
        false = [replace(true[0], among=points[1:6]), *true[1:]]
        with pytest.raises(InvalidProofError):
            verify_statements(group, at(ANNA), ANNA, false, proof, rng)

    def test_a_false_one_cant_be_proved_by_mistake(
        self, group: Group, rng: Drbg, keys: Keyring, true: list[Statement], points: tuple[Element, ...]
    ) -> None:
        false = [replace(true[0], among=points[SILK])]
        with pytest.raises(LocalError, match="false"):
            prove_statements(group, at(ANNA), ANNA, false, [points[0]], keys, rng)

    def test_a_card_under_somebody_elses_lock_cant_be_spoken_of(
        self, group: Group, rng: Drbg, keys: Keyring, true: list[Statement], proof: bytes, points: tuple[Element, ...]
    ) -> None:
        card = true[0].card
        bens = Card(card.point, ((BEN, card.locks[0][1]),))
        shared = Card(card.point, (*card.locks, (BEN, GENERATOR)))
        bare = Card(card.point)
        for wrong in (bens, shared, bare):
            foreign = [replace(true[0], card=wrong), *true[1:]]
            with pytest.raises(MalformedError, match="alone"):
                verify_statements(group, at(ANNA), ANNA, foreign, proof, rng)
            with pytest.raises(LocalError, match="alone"):
                prove_statements(group, at(ANNA), ANNA, foreign[:1], [points[0]], keys, rng)

    def test_the_same_proof_by_another_seat_or_in_another_order_is_refused(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes
    ) -> None:
        with pytest.raises(MalformedError):
            verify_statements(group, at(BEN), BEN, true, proof, rng)
        with pytest.raises(InvalidProofError):
            verify_statements(group, at(ANNA), ANNA, [true[1], true[0], *true[2:]], proof, rng)

    @pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE)
    def test_moved_elsewhere(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes, elsewhere: Context
    ) -> None:
        context = elsewhere if elsewhere.seat != HERE.seat else replace(elsewhere, seat=ANNA)
        with pytest.raises(InvalidProofError):
            verify_statements(group, context, ANNA, true, proof, rng)

    def test_of_nothing_or_about_nothing_is_refused(
        self, group: Group, rng: Drbg, keys: Keyring, true: list[Statement], proof: bytes, points: tuple[Element, ...]
    ) -> None:
        # A set that a peer's own words have made empty, or that names a label twice, is the peer's mistake.
        nothing: list[list[Statement]] = [
            [],
            [replace(true[0], among=()), *true[1:]],
            [replace(true[0], among=(points[0], points[0])), *true[1:]],
        ]
        for statements in nothing:
            for bytes_ in (proof, b"", bytes(8 * 32)):
                with pytest.raises(MalformedError):
                    verify_statements(group, at(ANNA), ANNA, statements, bytes_, rng)
        with pytest.raises(LocalError):
            prove_statements(group, at(ANNA), ANNA, [], [], keys, rng)

    def test_truncated_extended_or_malformed_proofs_are_refused(
        self, group: Group, rng: Drbg, true: list[Statement], proof: bytes
    ) -> None:
        for bytes_ in (b"", proof[:-1], proof + bytes(32), b"\xff" * len(proof)):
            with pytest.raises(MalformedError):
                verify_statements(group, at(ANNA), ANNA, true, bytes_, rng)
