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

MAX_ITEMS: Final = 1 << 14
"""In all arrays together: a reader makes room for what headers announce. The largest entry has a fifth of this."""


def encode(value: Value) -> bytes:
    """Returns the canonical encoding of a value.

    Raises:
        LocalError: The value is of another type, nested too deeply, of too many items, an integer outside
            -2^63 .. 2^64 - 1, or no text.
    """
    _refuse_foreign(value)
    try:
        return _pack(value)
    except UnicodeEncodeError as error:
        raise LocalError("text that is no Unicode: a lone surrogate") from error


def decode(data: bytes, max_bytes: int = MAX_BYTES) -> Value:
    """Returns the value that ``data`` encodes; arrays come back as tuples.

    Raises:
        MalformedError: The bytes are too long, no msgpack, of a type that has no place here, of more items or levels
            than a value may have, or not canonical.
    """
    if len(data) > max_bytes:
        raise MalformedError(f"{len(data)} bytes, at most {max_bytes} are allowed")
    _measure(data)
    try:
        value: Value = msgpack.unpackb(data, use_list=False, raw=False, max_map_len=0, max_ext_len=0)
    except (ValueError, msgpack.UnpackException) as error:
        raise MalformedError(f"not canonical msgpack: {type(error).__name__}") from error
    if _pack(value) != data:
        raise MalformedError("not the canonical encoding of its value")
    return value


def _pack(value: Value) -> bytes:
    packed: bytes = msgpack.packb(value, use_bin_type=True)
    return packed


def _measure(data: bytes) -> None:
    """Refuses foreign types, and what would take more memory or depth than it should, before room is made for it.

    A few bytes can announce millions of items, level below level. So headers alone are read here.
    """
    items, at, end = 0, 0, len(data)
    above: list[int] = []  # How many values are still to come on each level above this one.
    left = 1
    while left or above:
        if not left:
            left = above.pop()
            continue
        left -= 1
        if len(above) >= MAX_DEPTH:
            raise MalformedError(f"nested deeper than {MAX_DEPTH} levels")
        if at >= end or (header := _HEADERS.get(data[at])) is None:
            raise MalformedError("not canonical msgpack: it ends early, or has a type that has no place here")
        is_array, length, length_bytes = header
        at += 1 + length_bytes
        if length_bytes:
            length = int.from_bytes(data[at - length_bytes : at])
        if is_array:
            items += length
            above.append(left)
            left = length
            if items > MAX_ITEMS:
                raise MalformedError(f"more than {MAX_ITEMS} items")
        else:
            at += length


_HEADERS: Final[dict[int, tuple[bool, int, int]]] = {
    **dict.fromkeys([*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3], (False, 0, 0)),  # small numbers, None, bool
    **{0x90 + length: (True, length, 0) for length in range(16)},
    **{0xA0 + length: (False, length, 0) for length in range(32)},  # short text
    **{first + power: (False, 1 << power, 0) for first in (0xCC, 0xD0) for power in range(4)},  # numbers
    **{first + power: (False, 0, 1 << power) for first in (0xC4, 0xD9) for power in range(3)},  # bytes, text
    0xDC: (True, 0, 2),
    0xDD: (True, 0, 4),
}
"""By the first byte of a value: whether it is an array, its length, or in how many bytes the length follows."""


_PLAIN: Final = (bytes, str, type(None))


def _refuse_foreign(value: Value) -> None:
    items, level = 0, [value]
    for _ in range(MAX_DEPTH):
        below: list[Value] = []
        for item in level:
            kind = type(item)
            if kind is bytes or kind is str:  # As most are: the next line says the same, three times slower.
                continue
            if isinstance(item, _PLAIN):
                continue
            if isinstance(item, tuple):
                below += item
            elif not isinstance(item, int):
                raise LocalError(f"a value of type {kind.__name__}")
            elif not -(1 << 63) <= item < 1 << 64:
                raise LocalError("an integer outside -2^63 .. 2^64 - 1")
        if not below:
            return
        items, level = items + len(below), below
        if items > MAX_ITEMS:
            raise LocalError(f"more than {MAX_ITEMS} items")
    raise LocalError(f"nested deeper than {MAX_DEPTH} levels")
