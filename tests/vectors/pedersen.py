from collections.abc import Sequence

from protocol.group import Edwards25519
from protocol.hashing import ORDER
from protocol.proofs.pedersen import generators, second_base
from tests.protocol import edwards
from tests.vectors.notation import BYTES, SCALARS, Case, VectorFile, hexes, prose, scalar

DESCRIPTION = prose(
    """
    Commitments to vectors of scalars, which the proofs are made of. A case's `call` says what to do. `generators`: the
    first `count` of h_1, h_2, ... are `expected`: h_j is hash_to_group (group.json) with the tag generator and the
    fields [j]. `second_base`: H is `expected`: hash_to_group with the tag second-base and no fields. `com`: the
    commitment to `values` v_1 .. v_n with `blinding` r is `expected` = rG + v_1 h_1 + ... + v_n h_n, which comes from a
    second implementation of the curve. There are no invalid cases: what is received are elements and scalars, for
    which see group.json.
    """
)


def vectors() -> VectorFile:
    group = Edwards25519()
    h = generators(group, 8)
    bases: list[Case] = [
        {"comment": "h_1 .. h_8", "call": "generators", "count": 8, "expected": hexes(h)},
        {"comment": "H", "call": "second_base", "expected": second_base(group).hex()},
    ]
    commitments = [
        _com(comment, h, values, r)
        for comment, values, r in (
            ("one value", [5], 7),
            ("zeros, and no blinding", [0, 0], 0),
            ("some of them zero", [0, 1, 0, ORDER - 1], 2**251),
            ("eight values", [2**j * 3**200 for j in range(8)], 3**150),
        )
    ]
    return VectorFile(" ".join((DESCRIPTION, SCALARS, BYTES)), [*bases, *commitments], [])


def _com(comment: str, h: Sequence[bytes], values: Sequence[int], r: int) -> Case:
    total = edwards.mul(r % ORDER, edwards.GENERATOR)
    for v, h_j in zip(values, h, strict=False):
        total = edwards.add(total, edwards.mul(v % ORDER, edwards.decode(h_j)))
    return {
        "comment": comment,
        "call": "com",
        "values": [scalar(v) for v in values],
        "blinding": scalar(r),
        "expected": edwards.encode(total).hex(),
    }
