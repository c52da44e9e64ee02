"""The commutative cipher: cards as points, locks as scalars (docs/protocol.md, Cards and locks).

Locks commute, a(bM) = b(aM): the players lock a deck in turn, and each can take the own lock off in any order.
"""

from collections.abc import Sequence
from functools import lru_cache

from protocol.errors import LocalError
from protocol.group import GENERATOR, Element, Group
from protocol.hashing import ORDER, digest
from protocol.randomness import Rng, nonzero_scalar


class Lock:
    """A secret key k with its public key K = kA; the base A is G, or the public key of the lock that it replaces."""

    __slots__ = ("base", "k", "public")

    def __init__(self, group: Group, k: int, base: Element = GENERATOR) -> None:
        """Takes the secret scalar k, which must not be 0."""
        if k % ORDER == 0:
            raise LocalError("a lock's key must not be zero")
        self.k = k % ORDER
        self.base = base
        self.public = group.mul_base(k) if base == GENERATOR else group.mul(k, base)

    @classmethod
    def generate(cls, group: Group, rng: Rng, base: Element = GENERATOR) -> "Lock":
        """Makes a fresh lock: every list of cards gets its own."""
        return cls(group, nonzero_scalar(rng), base)

    def replacing(self, group: Group, old: "Lock") -> "Lock":
        """Returns the lock that, put onto what is under ``old``, leaves it under this one."""
        return Lock(group, self.k * pow(old.k, -1, ORDER), old.public)

    def close(self, group: Group, cards: Sequence[Element]) -> list[Element]:
        """Returns the cards with this lock put on."""
        return group.mul_each(self.k, cards)

    def open(self, group: Group, cards: Sequence[Element]) -> list[Element]:
        """Returns the cards with this lock taken off."""
        return group.mul_each(pow(self.k, -1, ORDER), cards)

    def __repr__(self) -> str:
        """Shows the public key alone."""
        return f"Lock({self.public!r})"


@lru_cache(maxsize=16)
def card_points(group: Group, deck: str, labels: int) -> tuple[Element, ...]:
    """Returns M_0 .. M_{n-1}, the points that stand for the labels of a deck: the same in every game."""
    return tuple(group.hash_to_group("card", deck, label) for label in range(labels))


@lru_cache(maxsize=64)
def set_digest(cards: tuple[Element, ...]) -> bytes:
    """Returns the digest of an ordered list of card points: a game has few, and speaks of them in every proof."""
    return digest("card-set", cards)
