from protocol.codec import Value, encode
from protocol.elligator import P
from protocol.group import GENERATOR, IDENTITY, Edwards25519
from protocol.hashing import ORDER, PROTOCOL
from tests.protocol import edwards
from tests.vectors import published
from tests.vectors.notation import BYTES, ERRORS, SCALARS, TYPED, Case, VectorFile, flipped, prose, scalar, typed

DESCRIPTION = prose(
    f"""
    The prime-order subgroup of edwards25519. A case's `call` says what to do. `decode`: `element`, as received, must
    be accepted or refused; what is accepted are exactly the canonical encodings of points of order q, which leaves out
    the identity. `decode_scalar`: `scalar`, as received, must be accepted and is the integer `value`, in decimal; or
    refused, because it has not 32 bytes or is not below q. `multiply`: `scalar` times `element` is `expected`. `add`:
    `left` plus `right` is `expected`. `map_to_curve`: the field element `u` maps to the point `expected`, not yet of
    order q, by map_to_curve of RFC 9380, section 6.8.2. `hash_to_curve`: hash_to_curve of the suite
    edwards25519_XMD:SHA-512_ELL2_RO_ of `message` under `domain` is `expected`; on the way, `u0` and `u1` are the field
    elements, `q0` and `q1` the points that they map to. `hash_to_group`: `expected` is hash_to_curve of `message` under
    `domain`, where `message` is the encoding (codec.json) of the array `fields`, and `domain` the text
    {PROTOCOL}/TAG/edwards25519_XMD:SHA-512_ELL2_RO_ with `tag` in place of TAG. The results of `multiply` and `add`
    come from a second implementation of the curve.
    """
)

SMALL_ORDER = {
    1: ["0100000000000000000000000000000000000000000000000000000000000000"],
    2: ["ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"],
    4: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
    ],
    8: [
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ],
}

LABELS: list[tuple[str, str, tuple[Value, ...]]] = [
    ("no fields", "test", ()),
    ("another tag", "other", ()),
    ("a number", "test", (1,)),
    ("the same digit as text", "test", ("1",)),
    ("the first card of a deck named goods", "card", ("goods", 0)),
    ("h_1 of the proofs", "generator", (1,)),
    ("h_2 of the proofs", "generator", (2,)),
    ("H of the proofs", "second-base", ()),
]


def mixed_with(small: str) -> str:
    """Returns G plus a point of small order: on the curve, and outside the group."""
    return edwards.encode(edwards.add(edwards.GENERATOR, edwards.decode(bytes.fromhex(small)))).hex()


def vectors() -> VectorFile:
    return VectorFile(
        " ".join((DESCRIPTION, SCALARS, TYPED, BYTES, ERRORS)),
        [*_elements(), *_scalars(), *_operations(), *_maps(), *_published(), *(_label(*label) for label in LABELS)],
        [*_no_elements(), *_no_scalars()],
        f"hash_to_curve, and map_to_curve where the comment says so: {published.RFC_9380_J51} All others: our own.",
    )


def _elements() -> list[Case]:
    doubled = edwards.encode(edwards.mul(2, edwards.GENERATOR))
    negated = edwards.encode(edwards.negate(edwards.GENERATOR))
    return [
        {"comment": comment, "call": "decode", "element": element.hex()}
        for comment, element in (
            ("G", GENERATOR),
            ("2G", doubled),
            ("-G, with the sign bit set", negated),
            ("G with a flipped bit happens to be another element", flipped(GENERATOR, 0)),
        )
    ]


def _scalars() -> list[Case]:
    return [
        {"comment": comment, "call": "decode_scalar", "scalar": scalar(s), "value": str(s)}
        for comment, s in (("zero", 0), ("one", 1), ("2^252", 2**252), ("q - 1", ORDER - 1))
    ]


def _operations() -> list[Case]:
    P, Q = edwards.mul(5, edwards.GENERATOR), edwards.mul(ORDER - 7, edwards.GENERATOR)
    products = [
        ("small", 3, P),
        ("q - 1 negates", ORDER - 1, P),
        ("zero gives the identity", 0, P),
        ("large", 2**252 - 2**128 + 12345, Q),
    ]
    multiply: list[Case] = [
        {
            "comment": comment,
            "call": "multiply",
            "scalar": scalar(s),
            "element": edwards.encode(point).hex(),
            "expected": edwards.encode(edwards.mul(s, point)).hex(),
        }
        for comment, s, point in products
    ]
    add: list[Case] = [
        {
            "comment": comment,
            "call": "add",
            "left": edwards.encode(left).hex(),
            "right": edwards.encode(right).hex(),
            "expected": edwards.encode(edwards.add(left, right)).hex(),
        }
        for comment, left, right in (
            ("two elements", P, Q),
            ("an element and itself", P, P),
            ("an element and its negative", P, edwards.negate(P)),
        )
    ]
    return multiply + add


def _maps() -> list[Case]:
    rfc = [
        ("RFC 9380, J.5.1, message abc", u, (x, y))
        for message, _, _, u0, u1, x0, y0, x1, y1 in published.J51
        if message == "abc"
        for u, x, y in ((u0, x0, y0), (u1, x1, y1))
    ]
    cases: list[Case] = [
        {"comment": comment, "call": "map_to_curve", "u": _reversed(u), "expected": _point(x, y)}
        for comment, u, (x, y) in rfc
    ]
    negative = P - int(rfc[0][1], 16)
    cases.append(
        {
            "comment": "the negative of a field element maps to the same point",
            "call": "map_to_curve",
            "u": negative.to_bytes(32, "little").hex(),
            "expected": cases[0]["expected"],
        }
    )
    cases.append(
        {
            "comment": "the exceptional case of the map is the identity",
            "call": "map_to_curve",
            "u": scalar(0),
            "expected": IDENTITY.hex(),
        }
    )
    return cases


def _published() -> list[Case]:
    return [
        {
            "comment": "RFC 9380, J.5.1",
            "call": "hash_to_curve",
            "message": message.encode().hex(),
            "domain": published.J51_DOMAIN.encode().hex(),
            "u0": _reversed(u0),
            "u1": _reversed(u1),
            "q0": _point(x0, y0),
            "q1": _point(x1, y1),
            "expected": _point(x, y),
        }
        for message, x, y, u0, u1, x0, y0, x1, y1 in published.J51
    ]


def _label(comment: str, tag: str, fields: tuple[Value, ...]) -> Case:
    return {
        "comment": comment,
        "call": "hash_to_group",
        "tag": tag,
        "fields": typed(fields),
        "message": encode(fields).hex(),
        "domain": f"{PROTOCOL}/{tag}/edwards25519_XMD:SHA-512_ELL2_RO_".encode().hex(),
        "expected": Edwards25519().hash_to_group(tag, *fields).hex(),
    }


def _no_elements() -> list[Case]:
    bad = [
        ("no bytes", ""),
        ("truncated: 31 bytes", GENERATOR[:-1].hex()),
        ("extended: 33 bytes", GENERATOR.hex() + "00"),
        ("two elements", 2 * GENERATOR.hex()),
        ("y = 2, not on the curve", (2).to_bytes(32, "little").hex()),
        ("G with a flipped bit, not on the curve", flipped(GENERATOR, 1).hex()),
        ("G with a flipped bit, on the curve and outside the group", flipped(GENERATOR, 3).hex()),
        ("the identity with the sign bit set, not canonical", (1 | 1 << 255).to_bytes(32, "little").hex()),
        ("order two with the sign bit set, not canonical", (P - 1 | 1 << 255).to_bytes(32, "little").hex()),
    ]
    bad += [
        (f"not canonical: y = {name}, sign bit {sign}", (y | sign << 255).to_bytes(32, "little").hex())
        for name, y in (
            ("p", P),
            ("p + 1, the identity", P + 1),
            ("p + 3, on the curve", P + 3),
            ("2^255 - 1", 2**255 - 1),
        )
        for sign in (0, 1)
    ]
    for order, encodings in SMALL_ORDER.items():
        bad += [("the identity" if order == 1 else f"small order: {order}", encoding) for encoding in encodings]
        bad += [(f"a part of order {order} beside G", mixed_with(encoding)) for encoding in encodings if order > 1]
    return [
        {"comment": comment, "call": "decode", "element": element, "error": "MalformedError"}
        for comment, element in bad
    ]


def _no_scalars() -> list[Case]:
    bad = [
        ("q", ORDER.to_bytes(32, "little")),
        ("q + 1", (ORDER + 1).to_bytes(32, "little")),
        ("2^255", (1 << 255).to_bytes(32, "little")),
        ("2^256 - 1", b"\xff" * 32),
        ("truncated: 31 bytes", bytes(31)),
        ("extended: 33 bytes", bytes(33)),
        ("no bytes", b""),
    ]
    return [
        {"comment": comment, "call": "decode_scalar", "scalar": data.hex(), "error": "MalformedError"}
        for comment, data in bad
    ]


def _reversed(big_endian: str) -> str:
    return bytes.fromhex(big_endian)[::-1].hex()


def _point(x: str, y: str) -> str:
    return edwards.encode((int(x, 16), int(y, 16))).hex()
