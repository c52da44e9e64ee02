from collections.abc import Sequence

from protocol.codec import Value, encode
from protocol.hashing import ORDER, PROTOCOL, sha512
from tests.vectors import published
from tests.vectors.notation import BYTES, ERRORS, SCALARS, TYPED, Case, Json, VectorFile, prose, scalar, typed

DESCRIPTION = prose(
    f"""
    Hashes and challenges. A case's `call` says what to do. `sha512`: SHA-512 of `message` is `expected`. `digest`:
    `expected` is the first 32 bytes of SHA-512 of `encoded`, which is the encoding (codec.json) of
    ["{PROTOCOL}", `tag`, `fields`]. `expand_message`: expand_message_xmd of RFC 9380, section 5.3.1, with SHA-512, of
    `message` under `domain` is `expected`, to the length of that; invalid cases give a `length`. `oracle`: the
    challenges of a proof, step by step. The state starts as SHA-512 of the encoding of ["{PROTOCOL}", `tag`,
    `context`], where context is bytes. To absorb `values` under a name, replace the state by SHA-512 of the encoding
    of [state, "absorb", name, `values`]. To squeeze `count` challenges under a name, replace it by SHA-512 of the
    encoding of [state, "squeeze", name, `count`]; then challenge i, from 0, is SHA-512(state || i as 4 bytes,
    big-endian), read as a little-endian integer, modulo q = 2^252 + 27742317777372353535851937790883648493. Each step
    gives the `state` after it.
    """
)

FIELDS: list[tuple[str, str, tuple[Value, ...]]] = [
    ("no fields", "test", ()),
    ("another tag", "other", ()),
    ("two texts", "test", ("ab", "c")),
    ("the same letters, divided elsewhere", "test", ("a", "bc")),
    ("bytes", "test", (b"abc",)),
    ("the same bytes as text", "test", ("abc",)),
    ("a number", "test", (1,)),
    ("true", "test", (True,)),
    ("a nested number", "test", ((1,),)),
    ("every type", "test", (None, False, 2**64 - 1, -(2**63), b"\0", "\u00e9", ((), 7))),
]

# An array of values is absorbed, a number of challenges is squeezed.
Step = tuple[str, tuple[Value, ...] | int]
SCRIPTS: list[tuple[str, str, bytes, list[Step]]] = [
    ("one challenge from nothing but tag and context", "test", bytes(32), [("c", 1)]),
    ("another tag", "other", bytes(32), [("c", 1)]),
    ("another context", "test", bytes(31) + b"\1", [("c", 1)]),
    ("nothing absorbed is something absorbed", "test", bytes(32), [("a", ()), ("c", 1)]),
    ("one name, two values", "test", bytes(32), [("a", (1, b"\2")), ("c", 1)]),
    ("the same values one by one", "test", bytes(32), [("a", (1,)), ("a", (b"\2",)), ("c", 1)]),
    ("the same values in an array", "test", bytes(32), [("a", ((1, b"\2"),)), ("c", 1)]),
    (
        "challenges between, several at once, none, and one",
        "test",
        bytes(range(32)),
        [("a", ("x",)), ("e", 3), ("T", (bytes(32), None)), ("e", 0), ("c", 1)],
    ),
]


def vectors() -> VectorFile:
    valid: list[Case] = [
        {"comment": "FIPS 180-4", "call": "sha512", "message": message.encode().hex(), "expected": expected}
        for message, expected in published.SHA512.items()
    ]
    valid += [
        {
            "comment": "RFC 9380, K.3",
            "call": "expand_message",
            "message": message.encode().hex(),
            "domain": published.K3_DOMAIN.encode().hex(),
            "expected": expected,
        }
        for message, expected in published.K3
    ]
    valid += [_digest(*fields) for fields in FIELDS]
    valid += [_oracle(*script) for script in SCRIPTS]
    invalid: list[Case] = [
        {
            "comment": comment,
            "call": "expand_message",
            "message": "",
            "domain": domain.hex(),
            "length": length,
            "error": "LocalError",
        }
        for comment, domain, length in (("a domain of 256 bytes", bytes(256), 32), ("256 blocks", b"", 255 * 64 + 1))
    ]
    invalid.append(
        {
            "comment": "a field that has no encoding",
            "call": "digest",
            "tag": "test",
            "fields": typed((2**64,)),
            "error": "LocalError",
        }
    )
    return VectorFile(
        " ".join((DESCRIPTION, TYPED, BYTES, SCALARS, ERRORS)),
        valid,
        invalid,
        f"{published.FIPS_180_4} {published.RFC_9380_K3} digest and oracle: our own.",
    )


def _digest(comment: str, tag: str, fields: tuple[Value, ...]) -> Case:
    encoded = encode((PROTOCOL, tag, fields))
    return {
        "comment": comment,
        "call": "digest",
        "tag": tag,
        "fields": typed(fields),
        "encoded": encoded.hex(),
        "expected": sha512(encoded)[:32].hex(),
    }


def _oracle(comment: str, tag: str, context: bytes, script: Sequence[Step]) -> Case:
    """Follows the description, not the library's oracle: the vectors are a second opinion on it."""
    state = sha512(encode((PROTOCOL, tag, context)))
    steps: list[Json] = []
    for name, content in script:
        if isinstance(content, int):
            state = sha512(encode((state, "squeeze", name, content)))
            blocks = [sha512(state + i.to_bytes(4)) for i in range(content)]
            expected = [scalar(int.from_bytes(block, "little") % ORDER) for block in blocks]
            steps.append({"squeeze": name, "count": content, "expected": expected, "state": state.hex()})
        else:
            state = sha512(encode((state, "absorb", name, content)))
            steps.append({"absorb": name, "values": typed(content), "state": state.hex()})
    return {"comment": comment, "call": "oracle", "tag": tag, "context": context.hex(), "steps": steps}
