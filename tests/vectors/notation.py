"""How vectors are written down: bytes, scalars, typed values, contexts and whole files as JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, TypeAlias

from protocol.codec import Value
from protocol.group import encode_scalar
from protocol.proofs.context import Context

ROOT: Final = Path(__file__).parents[2]
FOLDER: Final = ROOT / "protocol" / "vectors"
GAME_FOLDER: Final = ROOT / "docs" / "vectors"
GAMES_FOLDER: Final = GAME_FOLDER / "games"

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
Case: TypeAlias = "dict[str, Json]"


def prose(text: str) -> str:
    """Makes one line of a text that is set in several."""
    return " ".join(text.split())


BYTES = "Bytes are lowercase hex."
SCALARS = "Scalars and field elements are 32 bytes, little-endian, as hex; points are 32 bytes as in RFC 8032, as hex."
TYPED = prose(
    """
    Values of the codec are written so: null, true, false, numbers, strings and arrays stand for themselves,
    {"hex": "..."} for bytes, and {"integer": "..."}, in decimal, for an integer of 2^53 or more, or -2^53 or less.
    """
)
ERRORS = prose(
    """
    Cases under `invalid` must be refused with the named `error`. MalformedError: the bytes are not the one encoding of
    anything that may stand there. LocalError: a mistake of the caller's own, before anything is sent or received.
    """
)
CHECKS = prose(
    """
    InvalidProofError: all is well-formed, but the proof does not hold; `check` is this library's name for what failed,
    for information: what must agree is that the proof is refused.
    """
)
PROOFS = prose(
    """
    To replay a case, decode every point of the statement with the full check of group.json, then decode the proof, then
    verify it under the context (context.json says how its fields become 32 bytes): the case's own, or where it has none
    the one at the head of this file. Verification is what must agree.
    """
)
RANDOM = prose(
    """
    Valid cases hold besides the witness and the `seed` that the proof was made with. The n-th request of the prover,
    n = 1, 2, ..., for b random bytes was answered with the first b bytes of SHAKE256(seed || "/" || n as 8 bytes,
    big-endian), with the seed in UTF-8; a scalar is 32 such bytes, read as a big-endian integer and shifted right by 3
    bits, and is asked for again while it is not below q. The order in which a prover draws is this library's own and
    informative: another prover gives other bytes, which hold as well. The secrets in this file are public: never use
    them.
    """
)


@dataclass(frozen=True, slots=True)
class VectorFile:
    """One file: what to do, and the cases that must be accepted and refused."""

    description: str
    valid: Sequence[Case]
    invalid: Sequence[Case]
    source: str = ""
    context: Context | None = None
    """Of every case that has none of its own."""

    def to_text(self) -> str:
        """Returns the file's content; cases are numbered through."""
        cases = [{"id": number, **case} for number, case in enumerate([*self.valid, *self.invalid], 1)]
        content = {
            "description": self.description,
            **({"source": self.source} if self.source else {}),
            **({"context": context_fields(self.context)} if self.context else {}),
            "valid": cases[: len(self.valid)],
            "invalid": cases[len(self.valid) :],
        }
        return json.dumps(content, indent=1) + "\n"


def typed(value: Value) -> Json:
    """Writes a value that the codec knows."""
    match value:
        case tuple():
            return [typed(item) for item in value]
        case bytes():
            return {"hex": value.hex()}
        case int() if abs(value) >= 1 << 53:
            return {"integer": str(value)}
        case _:
            return value


def scalar(s: int) -> str:
    return encode_scalar(s).hex()


def hexes(items: Iterable[bytes]) -> list[str]:
    return [item.hex() for item in items]


def context_fields(context: Context) -> Json:
    return {name: value.hex() if isinstance(value, bytes) else typed(value) for name, value in asdict(context).items()}


def flipped(data: bytes, bit: int) -> bytes:
    """Flips one bit; bit 0 is the lowest bit of the first byte."""
    return bytes(byte ^ (1 << bit % 8 if i == bit // 8 else 0) for i, byte in enumerate(data))
