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
    try:
        expected = commit(context, content, salt)
    except LocalError as error:  # What was received has no encoding here, so nobody can have committed to it.
        raise InvalidOpeningError(f"nothing that can be committed to: {error}") from error
    if not compare_digest(commitment, expected):
        raise InvalidOpeningError("the commitment was not made to this content in this place")
