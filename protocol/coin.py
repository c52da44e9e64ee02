"""The joint coin: a random number that nobody can bias while one player is honest (docs/protocol.md, Joint coin).

All commit to a share, then all reveal. Who reveals last knows the outcome before the others and can only veto it, once,
by never revealing: then all see who.
"""

from collections.abc import Sequence
from typing import Final

from protocol.codec import Value
from protocol.commitment import commit, verify_opening
from protocol.errors import LocalError
from protocol.hashing import digest

SHARE_BYTES: Final = 32


def commit_share(context: tuple[Value, ...], seat: int, share: bytes) -> bytes:
    """Returns a seat's commitment to its 32 random bytes."""
    return commit(("coin", context, seat), b"", share)


def verify_share(commitment: bytes, context: tuple[Value, ...], seat: int, share: bytes) -> None:
    """Returns if the share is the one that the seat committed to.

    Raises:
        InvalidOpeningError: It is not.
    """
    verify_opening(commitment, ("coin", context, seat), b"", share)


def toss(context: tuple[Value, ...], shares: Sequence[bytes], sides: int) -> int:
    """Returns a number in 0 .. sides - 1, uniform up to 2^-200, from all shares in seat order."""
    if not 1 <= sides <= 1 << 40:
        raise LocalError("a coin has at least one side, and at most 2^40")
    return int.from_bytes(digest("coin", context, tuple(shares))) % sides
