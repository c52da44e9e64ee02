"""Domain-separated, injective hashing, and the Fiat-Shamir oracle of all proofs (docs/protocol.md, Hashing).

What is hashed is always the canonical encoding of one typed value that starts with the protocol's name and a tag, so
that no two different lists of fields, and no two purposes, ever share an input.
"""

import hashlib
from typing import Final

from protocol.codec import Value, encode

PROTOCOL: Final = "trustless-table/1"
"""Name and version: the first field of everything that is hashed or signed."""

DIGEST_BYTES: Final = 32

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""q, the prime order of the group; challenges are scalars below it."""


def sha512(data: bytes) -> bytes:
    """Returns the 64-byte SHA-512 hash."""
    return hashlib.sha512(data).digest()


def digest(tag: str, *fields: Value) -> bytes:
    """Returns a 32-byte digest of typed fields under a tag."""
    return sha512(encode((PROTOCOL, tag, fields)))[:DIGEST_BYTES]


class Oracle:
    """The random oracle of one proof: each challenge depends on everything that was absorbed before it."""

    def __init__(self, tag: str, context: bytes) -> None:
        """Starts with the kind of the proof and the context that it is bound to."""
        self._state = sha512(encode((PROTOCOL, tag, context)))

    def absorb(self, name: str, *values: Value) -> None:
        """Binds all further challenges to these values."""
        self._state = sha512(encode((self._state, "absorb", name, values)))

    @property
    def bound(self) -> bytes:
        """What stands for all that was absorbed so far."""
        return self._state

    def scalar(self, name: str) -> int:
        """Returns one challenge."""
        return self.scalars(name, 1)[0]

    def scalars(self, name: str, count: int) -> list[int]:
        """Returns several challenges, each uniform below q up to a bias of 2^-259."""
        self._state = sha512(encode((self._state, "squeeze", name, count)))
        return [int.from_bytes(sha512(self._state + i.to_bytes(4)), "little") % ORDER for i in range(count)]
