"""Uniform choices from an injected source of bytes: the library never draws randomness by itself."""

from collections.abc import Callable
from typing import TypeAlias

from protocol.errors import LocalError
from protocol.hashing import ORDER

Rng: TypeAlias = Callable[[int], bytes]
"""Returns that many unpredictable bytes: ``secrets.token_bytes`` in the game, a seeded generator in tests."""


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
