"""Canonical msgpack: a value has one encoding, and every other is refused (docs/protocol.md, Encodings).

Arrays only: no maps, floats or extensions, because msgpack leaves their order, their width and their meaning open.
"""

from typing import Final, TypeAlias

import msgpack

from protocol.errors import LocalError, MalformedError

Value: TypeAlias = "bool | int | bytes | str | tuple[Value, ...] | None"
"""What can be encoded."""

MAX_BYTES: Final = 1 << 20
"""The largest entry, two shuffled lists of 432 cards with their proofs, is about a tenth of this."""

MAX_DEPTH: Final = 16
"""Deeper nesting has no use here and breaks recursive readers."""


def encode(value: Value) -> bytes:
    """Returns the canonical encoding of a value.

    Raises:
        LocalError: The value is of another type, nested too deeply, an integer outside -2^63 .. 2^64 - 1, or no text.
    """
    _refuse_foreign(value, LocalError)
    try:
        return _pack(value)
    except UnicodeEncodeError as error:
        raise LocalError("text that is no Unicode: a lone surrogate") from error


def decode(data: bytes, max_bytes: int = MAX_BYTES) -> Value:
    """Returns the value that ``data`` encodes; arrays come back as tuples.

    Raises:
        MalformedError: The bytes are too long, no msgpack, of a type that has no place here, or not canonical.
    """
    if len(data) > max_bytes:
        raise MalformedError(f"{len(data)} bytes, at most {max_bytes} are allowed")
    try:
        value: Value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            max_str_len=max_bytes,
            max_bin_len=max_bytes,
            max_array_len=max_bytes,
            max_map_len=0,
            max_ext_len=0,
        )
    except (ValueError, RecursionError, msgpack.UnpackException) as error:
        raise MalformedError(f"not canonical msgpack: {type(error).__name__}") from error
    _refuse_foreign(value, MalformedError)
    if _pack(value) != data:
        raise MalformedError("not the canonical encoding of its value")
    return value


def _pack(value: Value) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def _refuse_foreign(value: object, error: type[LocalError | MalformedError]) -> None:
    level: list[object] = [value]
    for _ in range(MAX_DEPTH):
        below: list[object] = []
        for item in level:
            if isinstance(item, tuple):
                below.extend(item)
            elif isinstance(item, int):
                if not -(1 << 63) <= item < 1 << 64:
                    raise error("an integer outside -2^63 .. 2^64 - 1")
            elif not (item is None or isinstance(item, bytes | str)):
                raise error(f"a value of type {type(item).__name__}")
        if not below:
            return
        level = below
    raise error(f"nested deeper than {MAX_DEPTH} levels")
