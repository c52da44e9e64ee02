"""How vectors are read, by who replays them."""

from typing import Any, TypeAlias

from protocol.codec import Value
from protocol.group import Edwards25519, Element, decode_scalar
from protocol.proofs.context import Context
from tests.drbg import Drbg

Case: TypeAlias = "dict[str, Any]"

GROUP = Edwards25519()
VERIFIER = Drbg("the verifier's own weights")

unhex = bytes.fromhex


def value(written: Any) -> Value:
    match written:
        case list():
            return tuple(map(value, written))
        case {"hex": text}:
            return unhex(text)
        case {"integer": text}:
            return int(text)
        case _:
            assert written is None or isinstance(written, int | str)
            return written


def fields(written: Any) -> tuple[Value, ...]:
    return tuple(map(value, written))


def scalar(text: str) -> int:
    return decode_scalar(unhex(text))


def point(text: str) -> Element:
    return GROUP.decode(unhex(text))


def points(texts: list[str]) -> tuple[Element, ...]:
    return tuple(map(point, texts))


def hexes(items: Any) -> list[str]:
    return [item.hex() for item in items]


def context(written: Any) -> Context:
    values: dict[str, Any] = {name: value(item) for name, item in written.items()}
    return Context(**values | {name: unhex(written[name]) for name in ("game", "roster", "previous")})
