import copy
import pickle
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cipher import Lock, card_points
from protocol.counting import CountingGroup
from protocol.errors import (
    AlreadyUsedError,
    LocalError,
    MalformedError,
    VerificationError,
)
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Group
from protocol.hashing import ORDER
from protocol.proofs.context import Context
from protocol.proofs.pedersen import generators
from protocol.proofs.shuffle import Shuffle, ShuffleProof, prepare, prove, shuffle, verify
from protocol.randomness import Rng
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import ELSEWHERE, HERE
from tests.protocol.shuffle_liar import lie
from tests.protocol.shuffles import EQUATIONS, Shuffled, lock_from, refused, shuffled

SMALL_ORDER = bytes.fromhex("ec" + 30 * "ff" + "7f")
"""(0, -1), of order two."""


@pytest.fixture
def honest(group: Group, rng: Rng) -> Shuffled:
    return shuffled(group, 5, rng)


@pytest.fixture(scope="module")
def parallel_group() -> Iterator[Group]:
    with ThreadPoolExecutor(2) as pool:
        yield Edwards25519(pool.map)


# Honest shuffles.


@pytest.mark.parametrize("base_pair", ["put on", "replaced"])
@pytest.mark.parametrize("count", [2, 3, 5, 54, 216, pytest.param(432, marks=pytest.mark.slow)])
def test_an_honest_shuffle_is_accepted_and_locks_every_card_once(
    group: Group, rng: Rng, count: int, base_pair: str
) -> None:
    made = shuffled(group, count, rng, base_pair)
    data = made.proof.to_bytes()
    assert len(data) == 32 * (3 * count + 2) + 32 * 8
    verify(group, HERE, made.statement, ShuffleProof.from_bytes(group, data, count), rng)
    cards = card_points(group, "goods", count)
    assert made.lock.open(group, made.statement.outputs) == [cards[i] for i in made.order]
    assert sorted(made.order) == list(range(count))


@pytest.mark.parametrize("count", [2, 33, 54])
def test_a_thread_pool_changes_nothing_but_the_time(group: Group, parallel_group: Group, count: int) -> None:
    alone, pooled = shuffled(group, count, Drbg("same")), shuffled(parallel_group, count, Drbg("same"))
    assert alone.statement == pooled.statement
    assert alone.proof == pooled.proof
    verify(parallel_group, HERE, alone.statement, alone.proof, Drbg("weights"))


def test_what_another_thread_prepared_serves_here(group: Group, rng: Rng) -> None:
    with ThreadPoolExecutor(1) as pool:
        preparation = pool.submit(prepare, group, 4, rng).result()
    lock = Lock.generate(group, rng)
    statement = shuffle(group, preparation, lock, card_points(group, "goods", 4))
    verify(group, HERE, statement, prove(group, HERE, statement, lock.k, preparation), rng)


@given(
    order=st.integers(2, 5).flatmap(lambda n: st.permutations(range(n))), k=st.integers(1, ORDER - 1), seed=st.text()
)
def test_any_permutation_and_any_key_are_accepted(group: Group, order: list[int], k: int, seed: str) -> None:
    rng = Drbg(seed)
    lock = Lock(group, k, Lock.generate(group, rng).public)
    cards = card_points(group, "goods", len(order))
    preparation = prepare(group, len(order), rng, order)
    statement = shuffle(group, preparation, lock, cards)
    assert statement.outputs == tuple(group.mul(k, cards[i]) for i in order)
    verify(group, HERE, statement, prove(group, HERE, statement, k, preparation), rng)


def test_the_prover_written_from_the_specification_is_accepted(group: Group, rng: Rng, honest: Shuffled) -> None:
    proof = lie(group, HERE, honest.statement, honest.lock.k, honest.order, rng)
    verify(group, HERE, honest.statement, proof, rng)


def test_every_order_of_three_cards_comes_up_equally_often(group: Group, rng: Rng) -> None:
    orders = [prepare(group, 3, rng).order for _ in range(300)]
    for order in permutations(range(3)):
        assert 25 <= orders.count(order) <= 80


# Proofs that were moved or damaged.


@pytest.mark.parametrize("elsewhere", ELSEWHERE.values(), ids=ELSEWHERE.keys())
def test_a_proof_moved_elsewhere_is_refused(group: Group, honest: Shuffled, elsewhere: Context) -> None:
    refused(group, honest.statement, honest.proof, EQUATIONS, elsewhere)


def refused_as_bytes(group: Group, statement: Shuffle, data: bytes) -> None:
    with pytest.raises(VerificationError):
        verify(group, HERE, statement, ShuffleProof.from_bytes(group, data, len(statement.inputs)), Drbg("weights"))


@pytest.mark.parametrize("bit", [0, 1, 7, 8, 100, 127, 128, 200, 247, 248, 251, 252, 253, 254, 255])
def test_a_flipped_bit_of_any_field_is_refused(group: Group, rng: Rng, bit: int) -> None:
    made = shuffled(group, 3, rng)
    data = made.proof.to_bytes()
    for field in range(0, len(data), 32):
        flipped = int.from_bytes(data[field : field + 32], "little") ^ 1 << bit
        refused_as_bytes(group, made.statement, data[:field] + flipped.to_bytes(32, "little") + data[field + 32 :])


@given(position=st.integers(0, 32 * 19 - 1), change=st.integers(1, 255), seed=st.integers(0, 3))
def test_a_changed_byte_anywhere_is_refused(group: Group, position: int, change: int, seed: int) -> None:
    made = shuffled(group, 3, Drbg(str(seed)))
    verify(group, HERE, made.statement, made.proof, Drbg("weights"))
    data = bytearray(made.proof.to_bytes())
    data[position] ^= change
    refused_as_bytes(group, made.statement, bytes(data))


@given(data=st.data(), seed=st.integers(0, 3))
def test_a_statement_with_any_point_replaced_is_refused(group: Group, data: st.DataObject, seed: int) -> None:
    made = shuffled(group, 3, Drbg(str(seed)))
    points = [made.statement.base, made.statement.image, *made.statement.inputs, *made.statement.outputs]
    place = data.draw(st.integers(0, len(points) - 1))
    points[place] = group.mul(data.draw(st.integers(2, ORDER - 1)), points[place])
    statement = Shuffle(points[0], points[1], tuple(points[2:5]), tuple(points[5:]))
    refused(group, statement, made.proof, EQUATIONS)


def test_a_truncated_or_extended_proof_is_refused_before_any_group_operation(group: Group, honest: Shuffled) -> None:
    counting = CountingGroup(group)
    data = honest.proof.to_bytes()
    for bad in (b"", data[:-1], data[:-32], data[:-96], data + b"\0", data + data[-32:], data + data):
        with pytest.raises(MalformedError, match="a proof of a shuffle of 5 cards has 800 bytes"):
            ShuffleProof.from_bytes(counting, bad, 5)
    assert not counting.counts


def test_a_proof_for_another_number_of_cards_is_refused_before_any_group_operation(
    group: Group, rng: Rng, honest: Shuffled
) -> None:
    counting = CountingGroup(group)
    proof = honest.proof
    for bad in (
        shuffled(group, 4, rng).proof,
        replace(proof, commitments=proof.commitments[1:]),
        replace(proof, coefficients=(*proof.coefficients, 0)),
        replace(proof, factors=proof.factors[1:]),
        replace(proof, products=(*proof.products, 0)),
        replace(proof, closing=proof.closing[1:]),
    ):
        refused(counting, honest.statement, bad, "a proof for as many cards")
    assert not counting.counts


def test_a_scalar_that_is_not_below_the_order_is_refused(group: Group, honest: Shuffled) -> None:
    data = honest.proof.to_bytes()
    for field in range(32 * 8, len(data), 32):
        s = int.from_bytes(data[field : field + 32], "little")
        for bad in (ORDER, s + ORDER, 2**256 - 1):
            with pytest.raises(MalformedError, match="not below the order"):
                ShuffleProof.from_bytes(group, data[:field] + bad.to_bytes(32, "little") + data[field + 32 :], 5)


NOT_ELEMENTS = {
    "the identity": bytes(IDENTITY),
    "a point of order two": SMALL_ORDER,
    "a point with a small-order part": bytes(Edwards25519().add(GENERATOR, edwards.forged(SMALL_ORDER))),
    "the identity with y = 1 + p": (2**255 - 18).to_bytes(32, "little"),
    "the identity with a sign": (1 | 1 << 255).to_bytes(32, "little"),
    "y = p": (2**255 - 19).to_bytes(32, "little"),
    "no point of the curve": (2).to_bytes(32, "little"),
}


@pytest.mark.parametrize("encoding", NOT_ELEMENTS.values(), ids=NOT_ELEMENTS.keys())
def test_what_is_no_element_of_the_group_is_refused_in_every_place(
    group: Group, honest: Shuffled, encoding: bytes
) -> None:
    data = honest.proof.to_bytes()
    for field in range(0, 32 * 8, 32):
        with pytest.raises(MalformedError):
            ShuffleProof.from_bytes(group, data[:field] + encoding + data[field + 32 :], 5)


def test_a_small_order_part_added_to_a_point_of_the_proof_is_refused(group: Group, honest: Shuffled) -> None:
    data = honest.proof.to_bytes()
    for field in range(0, 32 * 8, 32):
        point = group.add(group.decode(data[field : field + 32]), edwards.forged(SMALL_ORDER))
        with pytest.raises(MalformedError):
            ShuffleProof.from_bytes(group, data[:field] + point + data[field + 32 :], 5)


def test_a_zero_in_a_proof_is_refused_and_breaks_nothing(group: Group, honest: Shuffled) -> None:
    proof = honest.proof
    zeros = (0,) * 5
    for bad in (
        replace(proof, coefficients=zeros),
        replace(proof, factors=zeros),
        replace(proof, products=(0,) * 3),
        replace(proof, closing=(0,) * 4),
        replace(proof, commitments=(IDENTITY,) * 8),
        ShuffleProof((IDENTITY,) * 8, zeros, zeros, (0,) * 3, (0,) * 4),
    ):
        refused(group, honest.statement, bad, EQUATIONS)


# What the caller may not do.


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_cards_are_sent_to_the_equality_proof(group: Group, rng: Rng, count: int) -> None:
    cards = card_points(group, "goods", count)
    for attempt in (
        lambda: prepare(group, count, rng),
        lambda: Shuffle(GENERATOR, GENERATOR, cards, cards),
        lambda: ShuffleProof.from_bytes(group, b"", count),
    ):
        with pytest.raises(LocalError, match="EQ"):
            attempt()


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 2, 3), (0, 1, 1), (1, 2, 3), (-1, 0, 1)])
def test_an_order_that_does_not_name_every_card_once_is_an_error(
    group: Group, rng: Rng, order: tuple[int, ...]
) -> None:
    with pytest.raises(LocalError, match="once"):
        prepare(group, 3, rng, order)


def test_a_preparation_for_another_number_of_cards_is_an_error_and_stays_unused(group: Group, rng: Rng) -> None:
    lock, preparation = Lock.generate(group, rng), prepare(group, 3, rng)
    cards = card_points(group, "goods", 4)
    with pytest.raises(LocalError, match="for 3 cards, not for 4"):
        shuffle(group, preparation, lock, cards)
    four = shuffle(group, prepare(group, 4, rng), lock, cards)
    with pytest.raises(LocalError, match="for 3 cards, not for 4"):
        prove(group, HERE, four, lock.k, preparation)
    three = shuffle(group, preparation, lock, cards[:3])
    verify(group, HERE, three, prove(group, HERE, three, lock.k, preparation), rng)


def test_a_preparation_used_twice_raises(group: Group, rng: Rng) -> None:
    lock, preparation = Lock.generate(group, rng), prepare(group, 3, rng)
    cards = card_points(group, "goods", 3)
    statement = shuffle(group, preparation, lock, cards)
    with pytest.raises(AlreadyUsedError, match="shuffled a list already"):
        shuffle(group, preparation, lock, cards)
    prove(group, HERE, statement, lock.k, preparation)
    with pytest.raises(AlreadyUsedError, match="served a proof already"):
        prove(group, HERE, statement, lock.k, preparation)


def test_a_preparation_can_not_be_copied_or_stored_for_a_second_use(group: Group, rng: Rng) -> None:
    preparation = prepare(group, 2, rng)
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(LocalError, match="can't be copied or stored"):
            attempt(preparation)


def test_of_many_threads_that_prove_with_one_preparation_one_succeeds(parallel_group: Group, rng: Rng) -> None:
    lock, preparation = Lock.generate(parallel_group, rng), prepare(parallel_group, 2, rng)
    statement = shuffle(parallel_group, preparation, lock, card_points(parallel_group, "goods", 2))

    def attempt(index: int) -> bool:
        try:
            prove(parallel_group, replace(HERE, index=index), statement, lock.k, preparation)
        except AlreadyUsedError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(8))) == 1


def test_no_repr_shows_a_secret(group: Group, rng: Rng) -> None:
    preparation = prepare(group, 3, rng, (2, 0, 1))
    assert repr(preparation) == "Preparation(3 cards)"
    masks = preparation._take_masks()
    assert str(masks.w_k) not in repr(masks)


# What it costs, as docs/protocol.md says.


@pytest.mark.parametrize("base_pair", ["put on", "replaced"])
@pytest.mark.parametrize("N", [2, 3, 17, 54])
def test_the_operations_are_as_many_as_the_specification_says(group: Group, rng: Rng, N: int, base_pair: str) -> None:
    counting = CountingGroup(group)
    cards = card_points(counting, "goods", N)
    generators(counting, N)
    lock = lock_from(counting, base_pair, rng)
    counts = counting.counts

    def spent() -> dict[str, int]:
        result = dict(counts)
        counts.clear()
        return result

    counts.clear()
    preparation = prepare(counting, N, rng)
    assert spent() == {"mul": 4 * N, "mul_base": 4, "add": 4 * N}
    statement = shuffle(counting, preparation, lock, cards)
    assert spent() == {"mul": N}
    proof = prove(counting, HERE, statement, lock.k, preparation)
    assert spent() == {"mul": 3 * N + 1, "mul_base": 2, "add": 3 * N - 1}
    data = proof.to_bytes()
    assert spent() == {}
    received = ShuffleProof.from_bytes(counting, data, N)
    assert spent() == {"decode": 8}
    verify(counting, HERE, statement, received, rng)
    assert spent() == {"mul": 3 * N + 10, "mul_base": 1, "add": 3 * N + 9}
