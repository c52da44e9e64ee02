"""Uniform choices from an injected source of bytes: the library never draws randomness by itself."""

from collections.abc import Callable
from itertools import count
from typing import Final, TypeAlias

from protocol.codec import Value, encode
from protocol.errors import LocalError
from protocol.hashing import ORDER, PROTOCOL, sha512

Rng: TypeAlias = Callable[[int], bytes]
"""Returns that many unpredictable bytes: ``secrets.token_bytes`` in the game, a seeded generator in tests."""

FRESH_BYTES: Final = 32
"""How much fresh randomness a hedged source starts from."""


def hedged(rng: Rng, purpose: str, *known: Value) -> Rng:
    """Returns a source for the masks of one proof: hashes of what is known to the prover alone, and fresh randomness.

    Where the randomness is good, so is this one. Where it repeats itself, as on a machine that was copied, two proofs
    still have different masks, unless they are one and the same: equal masks would give the key away.

    Args:
        rng: The source of fresh randomness.
        purpose: Which kind of proof.
        known: The secrets that it is about, its place and its statement.
    """
    seed = sha512(encode((PROTOCOL, "hedge", purpose, known, rng(FRESH_BYTES))))
    requests = count()

    def source(size: int) -> bytes:
        request = seed + next(requests).to_bytes(4)
        return b"".join(sha512(request + block.to_bytes(4)) for block in range(-(-size // 64)))[:size]

    return source


def below(rng: Rng, bound: int) -> int:
    """Returns a uniform integer in 0 .. bound - 1, by rejection: no value is likelier than another."""
    if bound < 1:
        raise LocalError("there is no integer in an empty range")
    bits = (bound - 1).bit_length()
    size = (bits + 7) // 8
    while True:
        candidate = int.from_bytes(rng(size)) >> (8 * size - bits)
        if candidate < bound:
            return candidate


def scalar(rng: Rng) -> int:
    """Returns a uniform scalar in 0 .. q - 1."""
    return below(rng, ORDER)


def nonzero_scalar(rng: Rng) -> int:
    """Returns a uniform scalar in 1 .. q - 1: a key."""
    return 1 + below(rng, ORDER - 1)


def scalars(rng: Rng, count: int) -> list[int]:
    """Returns independent uniform scalars."""
    return [scalar(rng) for _ in range(count)]


def permutation(rng: Rng, count: int) -> tuple[int, ...]:
    """Returns a uniform permutation of 0 .. count - 1 (Fisher-Yates)."""
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        j = below(rng, i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order)
