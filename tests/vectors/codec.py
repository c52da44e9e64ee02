from protocol.codec import MAX_DEPTH, Value, encode
from tests.vectors.notation import BYTES, ERRORS, TYPED, Case, VectorFile, prose, typed

DESCRIPTION = prose(
    """
    Canonical msgpack. A case's `call` says what to do. `roundtrip`: encoding `value` gives the bytes `encoded`, and
    decoding these gives `value` back. `decode`: the bytes `encoded`, read with a limit of `max_bytes` bytes (2^20
    where it is not given), must be refused. `encode`: `value` must be refused. Every value has one encoding, with the
    shortest header of its type; there are no maps, floats and extensions. Values nest at most 16 levels deep, and the
    innermost value counts as a level, be it a number or an empty array.
    """
)


def nested(arrays: int, innermost: Value) -> Value:
    """Puts a value into that many arrays."""
    value = innermost
    for _ in range(arrays):
        value = (value,)
    return value


VALUES: list[tuple[str, Value]] = [
    ("null", None),
    ("false", False),
    ("true, which is not 1", True),
    ("one, which is not true", 1),
    *(
        (f"integer at the limit of an encoding: {n}", n)
        for n in (
            *(0, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**53 - 1, 2**53, 2**63, 2**64 - 1),
            *(-1, -32, -33, -128, -129, -(2**15), -(2**15) - 1, -(2**31), -(2**31) - 1, -(2**53), -(2**63)),
        )
    ),
    *((f"bytes at the limit of an encoding: {n} of them", bytes(n)) for n in (0, 255, 256)),
    *((f"text at the limit of an encoding: {n} bytes", n * "x") for n in (0, 31, 32, 255, 256)),
    ("text is measured in bytes of UTF-8", 16 * "\u00e9"),
    ("text beyond the basic plane", "\U0001f0a1"),
    ("text is not normalised: one code point", "\u00e9"),
    ("text is not normalised: the same letter in two code points", "e\u0301"),
    ("the same bytes as text", "abc"),
    ("the same bytes as bytes", b"abc"),
    *((f"array at the limit of an encoding: {n} items", n * (0,)) for n in (0, 15, 16)),
    ("all types in one array", (None, True, -5, 300, b"\0\xff", "deck", ((), ("x", 2**64 - 1)))),
    (f"{MAX_DEPTH} levels: an empty array in {MAX_DEPTH - 1} arrays", nested(MAX_DEPTH - 1, ())),
    (f"{MAX_DEPTH} levels: a number in {MAX_DEPTH - 1} arrays", nested(MAX_DEPTH - 1, 1)),
]

NOT_CANONICAL = {
    "no bytes": "",
    "1 in two bytes": "cc01",
    "127 in two bytes": "cc7f",
    "255 in three bytes": "cd00ff",
    "1 in five bytes": "ce00000001",
    "1 in nine bytes": "cf0000000000000001",
    "1 as a signed byte": "d001",
    "-1 as a signed byte": "d0ff",
    "-128 in three bytes": "d1ff80",
    "-1 in nine bytes": "d3ffffffffffffffff",
    "200 as a signed number of two bytes": "d100c8",
    "short text with a long header": "d90161",
    "short bytes with a long header": "c5000161",
    "short bytes with the longest header": "c60000000161",
    "short array with a long header": "dc000101",
    "short array with the longest header": "dd0000000101",
    "array that ends early": "91",
    "bytes that end early": "c40361",
    "text that ends early": "a361",
    "array header that promises 2^32 - 1 items": "ddffffffff00",
    "a byte behind the value": "0101",
    "empty map": "80",
    "map": "810101",
    "empty map with a long header": "de0000",
    "float of four bytes": "ca3f800000",
    "float of eight bytes": "cb3ff0000000000000",
    "extension": "d40100",
    "timestamp": "d6ff00000000",
    "the byte that msgpack never uses": "c1",
    "text that is not UTF-8": "a1ff",
    "text with an overlong form of U+0000": "a2c080",
    "text with half of a surrogate pair": "a3eda080",
    f"{MAX_DEPTH + 1} levels: an empty array in {MAX_DEPTH} arrays": MAX_DEPTH * "91" + "90",
    f"{MAX_DEPTH + 1} levels: a number in {MAX_DEPTH} arrays": MAX_DEPTH * "91" + "01",
    "600 levels": 599 * "91" + "90",
}

NO_VALUES: list[tuple[str, Value]] = [
    ("2^64", 2**64),
    ("-2^63 - 1", -(2**63) - 1),
    ("2^64 inside arrays", ((1, (2**64,)),)),
    (f"{MAX_DEPTH + 1} levels: an empty array in {MAX_DEPTH} arrays", nested(MAX_DEPTH, ())),
    (f"{MAX_DEPTH + 1} levels: a number in {MAX_DEPTH} arrays", nested(MAX_DEPTH, 1)),
]


def vectors() -> VectorFile:
    valid: list[Case] = [
        {"comment": comment, "call": "roundtrip", "value": typed(value), "encoded": encode(value).hex()}
        for comment, value in VALUES
    ]
    refused: list[Case] = [
        {"comment": comment, "call": "decode", "encoded": encoded, "error": "MalformedError"}
        for comment, encoded in NOT_CANONICAL.items()
    ]
    too_long: Case = {
        "comment": "more bytes than allowed",
        "call": "decode",
        "encoded": encode(b"12345678").hex(),
        "max_bytes": 9,
        "error": "MalformedError",
    }
    mistakes: list[Case] = [
        {"comment": comment, "call": "encode", "value": typed(value), "error": "LocalError"}
        for comment, value in NO_VALUES
    ]
    return VectorFile(" ".join((DESCRIPTION, TYPED, BYTES, ERRORS)), valid, [*refused, too_long, *mistakes])
