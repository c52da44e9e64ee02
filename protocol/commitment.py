"""Hash commitments to simultaneous choices: closed bags, joint coins (docs/protocol.md, Commitments)."""

from hmac import compare_digest
from typing import Final

from protocol.codec import Value
from protocol.errors import InvalidOpeningError, LocalError
from protocol.hashing import digest

COMMITMENT_BYTES: Final = 32
SALT_BYTES: Final = 32
"""With 256 fresh bits, a commitment tells nothing of a content that can be guessed."""


def commit(context: tuple[Value, ...], content: Value, salt: bytes) -> bytes:
    """Returns the commitment to a content.

    Args:
        context: Where it belongs: game, round, seat and purpose. A commitment holds nowhere else.
        content: What is committed to.
        salt: 32 fresh random bytes, kept secret until the opening.
    """
    if len(salt) != SALT_BYTES:
        raise LocalError(f"a salt has {SALT_BYTES} bytes, not {len(salt)}")
    return digest("commitment", context, content, salt)


def verify_opening(commitment: bytes, context: tuple[Value, ...], content: Value, salt: bytes) -> None:
    """Returns if the commitment was made to this content, here.

    Raises:
        InvalidOpeningError: It was made to something else, or belongs elsewhere.
    """
    if len(salt) != SALT_BYTES or not compare_digest(commitment, commit(context, content, salt)):
        raise InvalidOpeningError("the commitment was not made to this content in this place")
