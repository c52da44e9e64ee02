from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from protocol.cipher import Lock, card_points
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Element
from protocol.hashing import ORDER, Oracle
from protocol.proofs.dleq import Equality, prove
from tests.drbg import Drbg
from tests.protocol import edwards
from tests.protocol.contexts import HERE
from tests.vectors.group import SMALL_ORDER, mixed_with
from tests.vectors.notation import Case, Json, VectorFile, hexes, prose, scalar
from tests.vectors.proofs import NOTES, Refused, accepted_case, changed_cases, moved_cases, refused_case

DESCRIPTION = prose(
    """
    EQ, equality of discrete logarithms. For each of the `statements` of a case there is one t with image = t base and
    outputs_i = t inputs_i for all i; one `proof` shows all of them. It is the challenge c, then one response for each
    statement. Who takes a lock off proves it the other way round: the locked cards are the outputs, the stripped ones
    the inputs. The witness is `secrets`: the t of each statement.
    """
)
WRONG = Refused("InvalidProofError", "c = hash(statements, T)")

group = Edwards25519()
cards = card_points(group, "goods", 13)
lock, other = Lock(group, 3**150), Lock(group, 5**100)


def vectors() -> VectorFile:
    three = locking(lock, cards[:3])
    proof = proved("changed", [three], [lock.k])
    invalid = [
        *(
            refused_case(comment, written([false]), proved(comment, [false], [t]), WRONG)
            for comment, false, t in false_statements()
        ),
        *wrong_batches(),
        *moved_cases(written([three]), proof, WRONG),
        *changed_cases(written([three]), proof, 0, WRONG),
        *malformed_statements(three, proof),
    ]
    return VectorFile(f"{DESCRIPTION} {NOTES}", valid_cases(), invalid, context=HERE)


def locking(lock: Lock, inputs: Sequence[Element]) -> Equality:
    return Equality(lock.base, lock.public, tuple(inputs), tuple(lock.close(group, inputs)))


def seed(name: str) -> str:
    return f"trustless-table vectors/dleq/{name}"


def proved(name: str, statements: Sequence[Equality], secrets: Sequence[int]) -> bytes:
    return prove(group, HERE, statements, secrets, Drbg(seed(name))).to_bytes()


def written(statements: Sequence[Equality]) -> Case:
    return {"statements": [row(statement) for statement in statements]}


def row(statement: Equality) -> Case:
    return {
        "base": statement.base.hex(),
        "image": statement.image.hex(),
        "inputs": hexes(statement.inputs),
        "outputs": hexes(statement.outputs),
    }


def valid_cases() -> list[Case]:
    new = Lock(group, 7**80, lock.public)
    several = [locking(lock, cards[:2]), locking(other, cards[2:3]), locking(new, lock.close(group, cards[3:5]))]
    batches = {
        "knowledge of a key: no cards": ([locking(lock, ())], [lock.k]),
        "one card": ([locking(lock, cards[:1])], [lock.k]),
        "twelve cards": ([locking(lock, cards[:12])], [lock.k]),
        "a lock replaced by another: the base is the old public key": (
            [locking(new, lock.close(group, cards[:3]))],
            [new.k],
        ),
        "three keys, one of them on another base": (several, [lock.k, other.k, new.k]),
        "the same statement twice": ([several[0], several[0]], [lock.k, lock.k]),
        "the key 1, which changes nothing": ([locking(Lock(group, 1), cards[:2])], [1]),
    }
    return [
        accepted_case(
            comment,
            written(statements),
            proved(comment, statements, secrets),
            {"secrets": [scalar(t) for t in secrets]},
            seed(comment),
        )
        for comment, (statements, secrets) in batches.items()
    ]


def false_statements() -> list[tuple[str, Equality, int]]:
    """Each is proved by the honest procedure, with the t that is nearest to the truth."""
    true = locking(lock, cards[:12])
    short = locking(lock, cards[:3])
    first, second, third = short.outputs
    new = Lock(group, 7**80, lock.public)
    relocked = locking(new, short.outputs)
    plus, minus = group.add(true.inputs[0], GENERATOR), group.sub(true.inputs[1], GENERATOR)
    cases = [
        ("a wrong strip of one card in twelve", replace(true, inputs=(*true.inputs[:7], cards[12], *true.inputs[8:]))),
        ("two wrong strips that cancel", replace(true, inputs=(plus, minus, *true.inputs[2:]))),
        (
            "compensating errors in two cards",
            outputs(short, group.add(first, GENERATOR), group.sub(second, GENERATOR), third),
        ),
        ("a duplicated card", outputs(short, first, first, third)),
        ("a foreign card", outputs(short, first, second, lock.close(group, cards[12:])[0])),
        ("two outputs exchanged", outputs(short, second, first, third)),
        ("one card under another key", outputs(short, first, group.mul(other.k, cards[1]), third)),
        ("all cards under another key", outputs(short, *other.close(group, cards[:3]))),
        ("a false public key", replace(short, image=other.public)),
        ("another base", replace(short, base=other.public)),
        ("inputs and outputs exchanged", replace(short, inputs=short.outputs, outputs=short.inputs)),
        ("a false new key", replace(relocked, image=group.mul(new.k + 1, lock.public))),
        ("a new key on the base G instead of the old key", replace(relocked, base=GENERATOR)),
    ]
    keys = {"a false new key": new.k, "a new key on the base G instead of the old key": new.k}
    return [
        *((comment, false, keys.get(comment, lock.k)) for comment, false in cases),
        ("all cards under another key, proved with that", outputs(short, *other.close(group, cards[:3])), other.k),
        ("no cards, and a false public key", replace(locking(lock, ()), image=other.public), lock.k),
    ]


def outputs(statement: Equality, *points: Element) -> Equality:
    return replace(statement, outputs=points)


def wrong_batches() -> list[Case]:
    """True statements, or one that is not among true ones, with a proof that belongs to something else."""
    one, two = locking(lock, cards[:2]), locking(other, cards[2:4])
    false = outputs(two, *two.outputs[::-1])
    both = proved("both", [one, two], [lock.k, other.k])
    backwards = Equality(one.base, one.image, one.inputs[::-1], one.outputs[::-1])
    alone = proved("alone", [one], [lock.k])
    return [
        refused_case(
            "the wrong key: proved with another", written([one]), proved("wrong key", [one], [other.k]), WRONG
        ),
        refused_case(
            "the second of two statements false",
            written([one, false]),
            proved("one false", [one, false], [lock.k, other.k]),
            WRONG,
        ),
        refused_case("two statements exchanged", written([two, one]), both, WRONG),
        refused_case("a proof of other cards", written([locking(lock, cards[2:4])]), alone, WRONG),
        refused_case("a proof of more cards", written([locking(lock, cards[:1])]), alone, WRONG),
        refused_case("the same cards in another order", written([backwards]), alone, WRONG),
        refused_case("a proof of one statement for two", written([one, two]), alone),
        refused_case("a proof of two statements for one", written([one]), both),
        refused_case(
            "two proofs glued together for two", written([one, two]), alone + proved("glued", [two], [other.k])
        ),
    ]


def malformed_statements(true: Equality, proof: bytes) -> list[Case]:
    zero = Equality(GENERATOR, IDENTITY, cards[:2], (IDENTITY, IDENTITY))
    mixed = mixed_with(SMALL_ORDER[2][0])
    not_canonical = (edwards.P + 1).to_bytes(32, "little").hex()
    inputs, two_outputs = hexes(true.inputs), hexes(true.outputs[:2])
    changes: dict[str, tuple[str, Json]] = {
        "the base is the identity": ("base", IDENTITY.hex()),
        "the image is the identity": ("image", IDENTITY.hex()),
        "the image with a small-order part": ("image", mixed),
        "an input is the identity": ("inputs", [IDENTITY.hex(), *inputs[1:]]),
        "an input with a small-order part": ("inputs", [mixed, *inputs[1:]]),
        "an output of small order": ("outputs", [*two_outputs, SMALL_ORDER[8][0]]),
        "an output that is not canonical": ("outputs", [*two_outputs, not_canonical]),
        "a truncated output": ("outputs", [*two_outputs, true.outputs[2][:-1].hex()]),
    }
    fewer: Case = {"statements": [row(true) | {"outputs": two_outputs}]}
    return [
        *(
            refused_case(comment, {"statements": [row(true) | {field: value}]}, proof)
            for comment, (field, value) in changes.items()
        ),
        refused_case("a zero key: image and outputs are the identity", written([zero]), proof),
        hidden_small_order(true),
        refused_case(
            "fewer outputs than inputs", fewer, proof, Refused("InvalidProofError", "as many outputs as inputs")
        ),
    ]


def hidden_small_order(true: Equality) -> Case:
    """The error, of order two, is multiplied by an even scalar: the equation alone does not see it."""
    order_two = edwards.decode(bytes.fromhex(SMALL_ORDER[2][0]))
    mixed = edwards.forged(edwards.encode(edwards.add(edwards.decode(true.outputs[0]), order_two)))
    statement = outputs(true, mixed, *true.outputs[1:])
    oracle = Oracle("EQ", HERE.to_bytes())
    oracle.absorb("statement", statement.base, statement.image, statement.inputs, statement.outputs)
    e_1 = oracle.scalars("e", len(statement.inputs))[0]
    for attempt in count():
        proof = proved(f"small order {attempt}", [statement], [lock.k])
        if -int.from_bytes(proof[:32], "little") * e_1 % ORDER % 2 == 0:
            break
    return refused_case(
        "an output with a part of order two, and a proof whose equation holds: only the check of the point tells",
        written([statement]),
        proof,
    )
