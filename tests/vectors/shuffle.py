from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from protocol.cipher import Lock, card_points
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Element
from protocol.hashing import ORDER
from protocol.proofs.shuffle import Shuffle, prepare, prove
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import HERE
from tests.protocol.shuffle_liar import Mix, lie
from tests.vectors.group import SMALL_ORDER, mixed_with
from tests.vectors.notation import Case, Json, VectorFile, hexes, prose, scalar
from tests.vectors.proofs import NOTES, Refused, accepted_case, changed_cases, moved_cases, refused_case

DESCRIPTION = prose(
    """
    SH, a shuffle: `image` = k `base`, and output j = k times input order(j), for one secret key k and one secret
    permutation. The `proof` for N cards is the elements P, Q, T_Q, T_D, T_B, T_f, E_0, E_1, then the scalars
    s_1 .. s_N, f_1 .. f_N, g_2 .. g_{N-1}, s_q, s_k, s_f, s_e. The witness is `key` and `order`, which counts from 0.
    A verifier that merges the five equations takes the weights from its own randomness. Where a comment says that only
    one equation fails, all others hold: a verifier that leaves it out accepts the case. The equations are numbered:
    1 com(s; s_q), 2 the sum over the cards, 3 the key, 4 com(f; s_f), 5 the product.
    """
)
WRONG = Refused("InvalidProofError", "shuffle equations")

group = Edwards25519()
cards = card_points(group, "goods", 9)
lock, other = Lock(group, 3**150), Lock(group, 5**100)
new = Lock(group, 7**80, lock.public)
ORDER_OF_THREE = (2, 0, 1)


def vectors() -> VectorFile:
    true = shuffled(lock, cards[:3], ORDER_OF_THREE)
    proof = proved("changed", true, lock, ORDER_OF_THREE)
    two = shuffled(lock, cards[:2], (1, 0))
    invalid = [
        *false_statements(true),
        *single_equations(true),
        *other_statements(true, proof),
        *moved_cases(written(two), proved("moved", two, lock, (1, 0)), WRONG),
        *changed_cases(written(true), proof, 8, WRONG),
        *malformed_statements(true, proof),
    ]
    return VectorFile(f"{DESCRIPTION} {NOTES}", valid_cases(), invalid, context=HERE)


def shuffled(lock: Lock, inputs: Sequence[Element], order: Sequence[int]) -> Shuffle:
    outputs = lock.close(group, [inputs[i] for i in order])
    return Shuffle(lock.base, lock.public, tuple(inputs), tuple(outputs))


def seed(name: str) -> str:
    return f"trustless-table vectors/shuffle/{name}"


def proved(name: str, statement: Shuffle, lock: Lock, order: Sequence[int]) -> bytes:
    preparation = prepare(group, len(order), Drbg(seed(name)), order)
    return prove(group, HERE, statement, lock.k, preparation).to_bytes()


def written(statement: Shuffle) -> Case:
    return {
        "base": statement.base.hex(),
        "image": statement.image.hex(),
        "inputs": hexes(statement.inputs),
        "outputs": hexes(statement.outputs),
    }


def valid_cases() -> list[Case]:
    shuffles = {
        "two cards, exchanged": (lock, cards[:2], (1, 0)),
        "two cards that stay": (lock, cards[:2], (0, 1)),
        "three cards": (lock, cards[:3], ORDER_OF_THREE),
        "eight cards": (lock, cards[:8], (5, 2, 7, 0, 1, 6, 3, 4)),
        "three cards whose lock is replaced: the base is the old public key": (
            new,
            lock.close(group, cards[:3]),
            (0, 2, 1),
        ),
        "eight cards over another player's lock": (lock, other.close(group, cards[:8]), tuple(range(7, -1, -1))),
        "the key 1: the cards are only put into another order": (Lock(group, 1), cards[:3], ORDER_OF_THREE),
    }
    cases = []
    for comment, (key, inputs, order) in shuffles.items():
        statement = shuffled(key, inputs, order)
        witness: Case = {"key": scalar(key.k), "order": order}
        proof = proved(comment, statement, key, order)
        cases.append(accepted_case(comment, written(statement), proof, witness, seed(comment)))
    return cases


def lied(
    comment: str,
    statement: Shuffle,
    k: int = lock.k,
    order: Sequence[int] = ORDER_OF_THREE,
    outcome: Refused = WRONG,
    **mixes: Mix,
) -> Case:
    """A cheat claims the statement as it stands, and answers as if it were true."""
    proof = lie(group, HERE, statement, k, order, Drbg(seed(comment)), **mixes)
    return refused_case(comment, written(statement), proof.to_bytes(), outcome)


def outputs(statement: Shuffle, *points: Element) -> Shuffle:
    return replace(statement, outputs=points)


def false_statements(true: Shuffle) -> list[Case]:
    first, second, third = true.outputs
    foreign = cards[8]
    under_other = other.close(group, [cards[i] for i in ORDER_OF_THREE])
    relocked = shuffled(new, lock.close(group, cards[:3]), ORDER_OF_THREE)
    apart = group.add(first, GENERATOR), group.sub(second, GENERATOR)
    cancelling = group.mul(lock.k + 1, cards[2]), group.mul(lock.k - 1, cards[0])
    distinct = Refused("InvalidProofError", "outputs pairwise distinct")
    return [
        lied("a duplicated card", outputs(true, first, first, third), order=(2, 2, 1), outcome=distinct),
        lied("a foreign card", outputs(true, first, second, foreign)),
        lied("a foreign card under the right key", outputs(true, first, second, group.mul(lock.k, foreign))),
        lied("one card under another key", outputs(true, under_other[0], second, third)),
        lied("two cards under keys that cancel", outputs(true, *cancelling, third)),
        lied("all cards under another key, proved with that", outputs(true, *under_other), other.k),
        lied("compensating errors in two cards", outputs(true, *apart, third)),
        lied("two cards added up", outputs(true, group.add(first, second), second, third)),
        lied("another base", replace(true, base=other.public)),
        lied("a false new key", replace(relocked, image=other.public), new.k),
        lied("a new key on the base G instead of the old key", replace(relocked, base=GENERATOR), new.k),
        lied("inputs and outputs exchanged", replace(true, inputs=true.outputs, outputs=true.inputs)),
        lied("the wrong key: proved with another", true, other.k),
        lied("the wrong order: proved with another", true, order=(0, 1, 2)),
    ]


def single_equations(true: Shuffle) -> list[Case]:
    """Each lie is told so that four of the five equations hold."""
    first, second, third = true.outputs
    mixed = outputs(true, group.add(first, second), second, third)

    def unmixed(u: list[int]) -> list[int]:
        """The coefficients under which the mixed outputs have the right sum."""
        u_1, u_2, u_3 = (u[i] for i in ORDER_OF_THREE)
        return [u_1, (u_2 - u_1) % ORDER, u_3]

    under_other = other.close(group, [cards[i] for i in ORDER_OF_THREE])
    told = "only equation {} fails"
    return [
        lied(f"{told.format(1)}: the sum uses coefficients that Q does not hold", mixed, used=unmixed),
        lied(f"{told.format(2)}: all cards under another key", outputs(true, *under_other)),
        lied(f"{told.format(3)}: a false public key", replace(true, image=other.public)),
        lied(f"{told.format(4)}: the factors are not those of P and Q", mixed, used=unmixed, committed=unmixed),
        lied(
            f"{told.format(5)}: the product is not that of a permutation",
            mixed,
            used=unmixed,
            committed=unmixed,
            multiplied=unmixed,
        ),
    ]


def other_statements(true: Shuffle, proof: bytes) -> list[Case]:
    """A good proof for another statement, true or not."""
    C_1, C_2, C_3 = true.inputs
    D_1, D_2, D_3 = true.outputs
    four = shuffled(lock, cards[:4], (2, 0, 1, 3))
    count_differs = Refused("InvalidProofError", "as many outputs as inputs")
    return [
        refused_case("two inputs swapped", written(replace(true, inputs=(C_2, C_1, C_3))), proof, WRONG),
        refused_case("two outputs swapped", written(outputs(true, D_2, D_1, D_3)), proof, WRONG),
        refused_case("a proof of other cards", written(shuffled(lock, cards[3:6], ORDER_OF_THREE)), proof, WRONG),
        refused_case("a proof of fewer cards", written(four), proof),
        refused_case("a card left out", written(outputs(true, D_1, D_2)), proof, count_differs),
        refused_case("a card put in", written(outputs(true, *true.outputs, cards[8])), proof, count_differs),
    ]


def malformed_statements(true: Shuffle, proof: bytes) -> list[Case]:
    identity, mixed = IDENTITY.hex(), mixed_with(SMALL_ORDER[2][0])
    not_canonical = (edwards.P + 1).to_bytes(32, "little").hex()
    inputs, two_outputs = hexes(true.inputs), hexes(true.outputs[:2])
    changes: dict[str, dict[str, Json]] = {
        "a zero key: image and outputs are the identity": {"image": identity, "outputs": [identity] * 3},
        "the base is the identity": {"base": identity},
        "the image is the identity": {"image": identity},
        "the image with a small-order part": {"image": mixed},
        "an input is the identity": {"inputs": [identity, *inputs[1:]]},
        "an input with a small-order part": {"inputs": [mixed, *inputs[1:]]},
        "an output of small order": {"outputs": [*two_outputs, SMALL_ORDER[8][0]]},
        "an output that is not canonical": {"outputs": [*two_outputs, not_canonical]},
    }
    one: Case = {"inputs": inputs[:1], "outputs": two_outputs[:1]}
    return [
        *(refused_case(comment, written(true) | change, proof) for comment, change in changes.items()),
        hidden_small_order(true),
        refused_case("one card: there is no such proof, EQ serves", written(true) | one, proof, Refused("LocalError")),
    ]


def hidden_small_order(true: Shuffle) -> Case:
    """The error, of order two, is multiplied by an even scalar: the equations alone do not see it."""
    order_two = edwards.decode(bytes.fromhex(SMALL_ORDER[2][0]))
    mixed = edwards.forged(edwards.encode(edwards.add(edwards.decode(true.outputs[0]), order_two)))
    statement = outputs(true, mixed, *true.outputs[1:])
    s_1 = slice(8 * 32, 9 * 32)
    proofs = (proved(f"small order {attempt}", statement, lock, ORDER_OF_THREE) for attempt in count())
    return refused_case(
        "an output with a part of order two, and a proof whose equations hold: only the check of the point tells",
        written(statement),
        next(proof for proof in proofs if int.from_bytes(proof[s_1], "little") % 2 == 0),
    )
