from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cipher import Lock, card_points
from protocol.errors import InvalidProofError, LocalError, MalformedError
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Element, Group, encode_scalar
from protocol.hashing import ORDER
from protocol.proofs.context import Context
from protocol.proofs.dleq import Equality, EqualityProof, prove, verify
from tests.drbg import Drbg
from tests.protocol.contexts import ELSEWHERE, HERE

CARDS = 12


def locking(group: Group, lock: Lock, count: int = CARDS) -> Equality:
    cards = card_points(group, "goods", count)
    return Equality(lock.base, lock.public, cards, tuple(lock.close(group, cards)))


@pytest.mark.parametrize("count", [0, 1, 2, 12, 216])
def test_locked_cards_are_accepted(group: Group, rng: Drbg, count: int) -> None:
    lock = Lock.generate(group, rng)
    statement = locking(group, lock, count)
    proof = prove(group, HERE, [statement], [lock.k], rng)
    verify(group, HERE, [statement], EqualityProof.from_bytes(proof.to_bytes(), 1))
    assert len(proof.to_bytes()) == 64


def test_relocking_from_one_key_to_another_is_accepted(group: Group, rng: Drbg) -> None:
    old = Lock.generate(group, rng)
    new = Lock.generate(group, rng, old.public)
    under_old = tuple(old.close(group, card_points(group, "goods", 5)))
    statement = Equality(old.public, new.public, under_old, tuple(new.close(group, under_old)))
    verify(group, HERE, [statement], prove(group, HERE, [statement], [new.k], rng))


@given(st.lists(st.tuples(st.integers(1, ORDER - 2), st.integers(0, 4)), min_size=1, max_size=4))
def test_several_keys_are_proved_at_once_and_none_can_be_false(keys: list[tuple[int, int]]) -> None:
    group, rng = Edwards25519(), Drbg(repr(keys))
    statements = [locking(group, Lock(group, k), count) for k, count in keys]
    proof = prove(group, HERE, statements, [k for k, _ in keys], rng)
    verify(group, HERE, statements, EqualityProof.from_bytes(proof.to_bytes(), len(keys)))
    for i in range(len(keys)):
        image = group.add(statements[i].image, GENERATOR)
        wrong = [*statements[:i], replace(statements[i], image=image), *statements[i + 1 :]]
        refused(group, wrong, proof)
        refused(group, wrong, prove(group, HERE, wrong, [k for k, _ in keys], rng))


def refused(group: Group, statements: list[Equality], proof: EqualityProof, context: Context = HERE) -> None:
    with pytest.raises(InvalidProofError, match="hash"):
        verify(group, context, statements, proof)


def with_outputs(statement: Equality, changes: dict[int, Element]) -> Equality:
    return replace(statement, outputs=tuple(changes.get(i, P) for i, P in enumerate(statement.outputs)))


class TestAFalseStatementIsRefused:
    """A cheat proves the false statement with the honest code and all that the cheat knows."""

    @pytest.fixture
    def lock(self, group: Group, rng: Drbg) -> Lock:
        return Lock.generate(group, rng)

    @pytest.fixture
    def statement(self, group: Group, lock: Lock) -> Equality:
        return locking(group, lock)

    def attack(self, group: Group, false: Equality, k: int, rng: Drbg) -> None:
        refused(group, [false], prove(group, HERE, [false], [k], rng))

    def test_a_wrong_strip_of_one_card_in_a_batch_of_twelve(
        self, group: Group, lock: Lock, statement: Equality, rng: Drbg
    ) -> None:
        # Who strips is given the outputs, locked cards, and publishes the inputs.
        for i in range(CARDS):
            inputs = (*statement.inputs[:i], group.mul_base(5), *statement.inputs[i + 1 :])
            self.attack(group, replace(statement, inputs=inputs), lock.k, rng)

    def test_two_wrong_strips_that_cancel(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        first, second, *rest = statement.inputs
        compensating = (group.add(first, GENERATOR), group.sub(second, GENERATOR), *rest)
        self.attack(group, replace(statement, inputs=compensating), lock.k, rng)

    def test_compensating_errors_in_two_cards(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        first, second = statement.outputs[:2]
        compensating = {0: group.add(first, GENERATOR), 1: group.sub(second, GENERATOR)}
        self.attack(group, with_outputs(statement, compensating), lock.k, rng)

    def test_two_cards_exchanged(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        exchanged = {0: statement.outputs[1], 1: statement.outputs[0]}
        self.attack(group, with_outputs(statement, exchanged), lock.k, rng)

    def test_one_card_under_another_key(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        other = group.mul(lock.k + 1, statement.inputs[3])
        self.attack(group, with_outputs(statement, {3: other}), lock.k, rng)

    def test_all_cards_under_another_key(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        other = Lock.generate(group, rng)
        false = replace(statement, outputs=tuple(other.close(group, statement.inputs)))
        self.attack(group, false, lock.k, rng)
        self.attack(group, false, other.k, rng)

    def test_a_false_new_key(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        self.attack(group, replace(statement, image=group.mul_base(lock.k + 1)), lock.k, rng)
        self.attack(group, replace(statement, base=group.mul_base(2)), lock.k, rng)

    def test_inputs_and_outputs_exchanged(self, group: Group, lock: Lock, statement: Equality, rng: Drbg) -> None:
        self.attack(group, replace(statement, inputs=statement.outputs, outputs=statement.inputs), lock.k, rng)


class TestAChangedProofIsRefused:
    @pytest.fixture
    def statement(self, group: Group, rng: Drbg) -> tuple[Equality, EqualityProof]:
        lock = Lock.generate(group, rng)
        statement = locking(group, lock, 3)
        return statement, prove(group, HERE, [statement], [lock.k], rng)

    @pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE)
    def test_moved_elsewhere(self, group: Group, statement: tuple[Equality, EqualityProof], elsewhere: Context) -> None:
        refused(group, [statement[0]], statement[1], elsewhere)

    def test_any_flipped_bit(self, group: Group, statement: tuple[Equality, EqualityProof]) -> None:
        data = statement[1].to_bytes()
        for bit in range(8 * len(data)):
            flipped = (int.from_bytes(data) ^ 1 << bit).to_bytes(len(data))
            with pytest.raises((InvalidProofError, MalformedError)):
                verify(group, HERE, [statement[0]], EqualityProof.from_bytes(flipped, 1))

    def test_truncated_extended_or_with_a_scalar_not_below_q(self, statement: tuple[Equality, EqualityProof]) -> None:
        data = statement[1].to_bytes()
        too_large = (int.from_bytes(data[32:], "little") + ORDER).to_bytes(32, "little")
        for malformed in (b"", data[:-1], data + b"\0", data[:32], data + data[:32], data[:32] + too_large):
            with pytest.raises(MalformedError):
                EqualityProof.from_bytes(malformed, 1)

    def test_for_another_number_of_statements(self, group: Group, statement: tuple[Equality, EqualityProof]) -> None:
        with pytest.raises(InvalidProofError, match="as many"):
            verify(group, HERE, [statement[0], statement[0]], statement[1])

    def test_zero_responses(self, group: Group, statement: tuple[Equality, EqualityProof]) -> None:
        refused(group, [statement[0]], EqualityProof.from_bytes(encode_scalar(0) * 2, 1))


@pytest.mark.parametrize("field", ["base", "image", "inputs", "outputs"])
def test_the_identity_is_neither_a_key_nor_a_card(group: Group, rng: Drbg, field: str) -> None:
    lock = Lock.generate(group, rng)
    statement = locking(group, lock, 1)
    false = {
        "base": replace(statement, base=IDENTITY),
        "image": replace(statement, image=IDENTITY),
        "inputs": replace(statement, inputs=(IDENTITY,)),
        "outputs": replace(statement, outputs=(IDENTITY,)),
    }[field]
    with pytest.raises(LocalError, match="identity"):
        prove(group, HERE, [false], [lock.k], rng)
    with pytest.raises(InvalidProofError, match="identity"):
        verify(group, HERE, [false], prove(group, HERE, [statement], [lock.k], rng))


def test_lists_of_unequal_length_are_refused(group: Group, rng: Drbg) -> None:
    lock = Lock.generate(group, rng)
    statement = locking(group, lock)
    unequal = replace(statement, inputs=statement.inputs[1:])
    with pytest.raises(LocalError, match="as many"):
        prove(group, HERE, [unequal], [lock.k], rng)
    with pytest.raises(InvalidProofError, match="as many"):
        verify(group, HERE, [unequal], prove(group, HERE, [statement], [lock.k], rng))
