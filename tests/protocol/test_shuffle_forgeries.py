"""Lies about the cards: told by the library's prover, and by one that makes the most of each."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from protocol.cipher import Lock
from protocol.errors import InvalidProofError, LocalError
from protocol.group import IDENTITY, Element, Group
from protocol.hashing import ORDER
from protocol.proofs.shuffle import Shuffle, prepare, prove, verify
from protocol.randomness import Rng
from tests.drbg import Drbg
from tests.protocol.contexts import HERE
from tests.protocol.shuffle_liar import Mix, lie, permuted
from tests.protocol.shuffles import EQUATIONS, Shuffled, refused, shuffled


@pytest.fixture
def honest(group: Group, rng: Rng) -> Shuffled:
    return shuffled(group, 5, rng)


@dataclass(frozen=True)
class Attack:
    statement: Shuffle
    k: int
    order: tuple[int, ...]


Forgery = Callable[[Group, Shuffled, Rng], Attack]


def outputs_changed(made: Shuffled, changes: dict[int, Element]) -> Attack:
    outputs = tuple(changes.get(j, D) for j, D in enumerate(made.statement.outputs))
    return Attack(replace(made.statement, outputs=outputs), made.lock.k, made.order)


def a_foreign_card(group: Group, made: Shuffled, _: Rng) -> Attack:
    return outputs_changed(made, {2: group.hash_to_group("card", "foreign", 0)})


def a_foreign_card_under_the_right_key(group: Group, made: Shuffled, _: Rng) -> Attack:
    return outputs_changed(made, {2: group.mul(made.lock.k, group.hash_to_group("card", "foreign", 0))})


def one_card_under_another_key(group: Group, made: Shuffled, rng: Rng) -> Attack:
    other = Lock.generate(group, rng)
    return outputs_changed(made, {2: group.mul(other.k, made.statement.inputs[made.order[2]])})


def two_cards_under_keys_that_cancel(group: Group, made: Shuffled, _: Rng) -> Attack:
    C, k = [made.statement.inputs[i] for i in made.order], made.lock.k
    return outputs_changed(made, {0: group.mul(k + 1, C[0]), 1: group.mul(k - 1, C[1])})


def all_cards_under_another_key(group: Group, made: Shuffled, rng: Rng) -> Attack:
    outputs = Lock.generate(group, rng).close(group, [made.statement.inputs[i] for i in made.order])
    return Attack(replace(made.statement, outputs=tuple(outputs)), made.lock.k, made.order)


def all_cards_under_another_key_that_the_prover_uses(group: Group, made: Shuffled, rng: Rng) -> Attack:
    other = Lock.generate(group, rng)
    outputs = other.close(group, [made.statement.inputs[i] for i in made.order])
    return Attack(replace(made.statement, outputs=tuple(outputs)), other.k, made.order)


def compensating_errors_in_two_cards(group: Group, made: Shuffled, _: Rng) -> Attack:
    D, X = made.statement.outputs, group.hash_to_group("card", "foreign", 0)
    return outputs_changed(made, {0: group.add(D[0], X), 1: group.sub(D[1], X)})


def two_cards_mixed(group: Group, made: Shuffled, _: Rng) -> Attack:
    D = made.statement.outputs
    return outputs_changed(made, {0: group.add(D[0], D[1])})


def two_inputs_swapped(_: Group, made: Shuffled, __: Rng) -> Attack:
    C = made.statement.inputs
    return Attack(replace(made.statement, inputs=(C[1], C[0], *C[2:])), made.lock.k, made.order)


def two_outputs_swapped(_: Group, made: Shuffled, __: Rng) -> Attack:
    D = made.statement.outputs
    return outputs_changed(made, {0: D[1], 1: D[0]})


def a_false_new_key(group: Group, made: Shuffled, rng: Rng) -> Attack:
    return Attack(replace(made.statement, image=Lock.generate(group, rng).public), made.lock.k, made.order)


def a_false_old_key(group: Group, made: Shuffled, rng: Rng) -> Attack:
    return Attack(replace(made.statement, base=Lock.generate(group, rng).public), made.lock.k, made.order)


FORGERIES: list[Forgery] = [
    a_foreign_card,
    a_foreign_card_under_the_right_key,
    one_card_under_another_key,
    two_cards_under_keys_that_cancel,
    all_cards_under_another_key,
    all_cards_under_another_key_that_the_prover_uses,
    compensating_errors_in_two_cards,
    two_cards_mixed,
    two_inputs_swapped,
    two_outputs_swapped,
    a_false_new_key,
    a_false_old_key,
]


@pytest.mark.parametrize("base_pair", ["put on", "replaced"])
@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forgery_is_refused(group: Group, rng: Rng, forge: Forgery, base_pair: str) -> None:
    made = shuffled(group, 5, rng, base_pair)
    attack = forge(group, made, rng)
    assert attack.statement != made.statement

    refused(group, attack.statement, made.proof, EQUATIONS)

    preparation = prepare(group, 5, rng, attack.order)
    refused(group, attack.statement, prove(group, HERE, attack.statement, attack.k, preparation), EQUATIONS)

    refused(group, attack.statement, lie(group, HERE, attack.statement, attack.k, attack.order, rng), EQUATIONS)


def test_a_duplicated_card_is_refused(group: Group, rng: Rng, honest: Shuffled) -> None:
    D = honest.statement.outputs
    statement = replace(honest.statement, outputs=(D[1], *D[1:]))
    proof = lie(group, HERE, statement, honest.lock.k, (honest.order[1], *honest.order[1:]), rng)
    refused(group, statement, proof, "outputs pairwise distinct")
    with pytest.raises(LocalError, match="outputs pairwise distinct"):
        prove(group, HERE, statement, honest.lock.k, prepare(group, 5, rng))


def test_a_card_left_out_or_put_in_is_refused(group: Group, rng: Rng, honest: Shuffled) -> None:
    D = honest.statement.outputs
    for outputs in (D[1:], (*D, group.hash_to_group("card", "foreign", 0))):
        statement = replace(honest.statement, outputs=outputs)
        refused(group, statement, honest.proof, "as many outputs as inputs")
        with pytest.raises(LocalError, match="as many outputs as inputs"):
            prove(group, HERE, statement, honest.lock.k, prepare(group, 5, rng))


def test_a_zero_key_is_refused(group: Group, honest: Shuffled) -> None:
    with pytest.raises(LocalError, match="must not be zero"):
        Lock(group, 0)
    with pytest.raises(LocalError, match="must not be zero"):
        Lock(group, ORDER)
    refused(group, replace(honest.statement, image=IDENTITY), honest.proof, "no identity among keys and cards")


def test_the_identity_in_a_list_or_as_a_key_is_refused(group: Group, rng: Rng, honest: Shuffled) -> None:
    statement = honest.statement
    for bad in (
        replace(statement, base=IDENTITY),
        replace(statement, inputs=(IDENTITY, *statement.inputs[1:])),
        replace(statement, outputs=(*statement.outputs[:-1], IDENTITY)),
    ):
        proof = lie(group, HERE, bad, honest.lock.k, honest.order, rng)
        refused(group, bad, proof, "no identity among keys and cards")


# Every equation is there for a reason: without it, and with no other change, one of these lies would be believed.


class WithoutEquation:
    """Weights of which one is zero."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.drawn = 0
        self.rng = Drbg("weights")

    def __call__(self, count: int) -> bytes:
        self.drawn += 1
        return bytes(count) if self.drawn == self.number else self.rng(count)


def unmixing(order: tuple[int, ...]) -> Mix:
    """The coefficients under which a list with D_1 + D_2 in place of D_1 has the right sum."""

    def mix(u: list[int]) -> list[int]:
        u_pi = permuted(order)(u)
        return [u_pi[0], (u_pi[1] - u_pi[0]) % ORDER, *u_pi[2:]]

    return mix


@pytest.mark.parametrize(
    ("equation", "forge", "told"),
    [
        pytest.param(1, two_cards_mixed, ["used"], id="1: the sum uses what Q holds"),
        pytest.param(2, all_cards_under_another_key, [], id="2: the sum of the outputs is k times that of the inputs"),
        pytest.param(3, a_false_new_key, [], id="3: k is the key of the base pair"),
        pytest.param(4, two_cards_mixed, ["used", "committed"], id="4: the factors are what P and Q hold"),
        pytest.param(5, two_cards_mixed, ["used", "committed", "multiplied"], id="5: the product is that of all pairs"),
    ],
)
def test_each_equation_alone_stops_a_lie(
    group: Group, rng: Rng, honest: Shuffled, equation: int, forge: Forgery, told: list[str]
) -> None:
    attack = forge(group, honest, rng)
    mixes = dict.fromkeys(told, unmixing(attack.order))
    proof = lie(group, HERE, attack.statement, attack.k, attack.order, rng, **mixes)
    refused(group, attack.statement, proof, EQUATIONS)
    verify(group, HERE, attack.statement, proof, WithoutEquation(equation))
    for other in {1, 2, 3, 4, 5} - {equation}:
        with pytest.raises(InvalidProofError):
            verify(group, HERE, attack.statement, proof, WithoutEquation(other))
