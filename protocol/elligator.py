"""Hashing to the curve after RFC 9380, suite edwards25519_XMD:SHA-512_ELL2_RO_, up to the clearing of the cofactor.

Only public labels are hashed, so nothing here needs to run in constant time; ``hash_secret_to_group`` is for secrets.
The curve library's own map is not used because it covers half of the group and is not a standard: an implementer in
another language needs one.
"""

from typing import Final

from protocol.errors import LocalError
from protocol.hashing import sha512

P: Final = 2**255 - 19
"""The prime of the field."""

_J: Final = 486662
"""The coefficient of curve25519, v^2 = u^3 + J u^2 + u."""

_SQRT_MINUS_ONE: Final = pow(2, (P - 1) // 4, P)
_BLOCK_BYTES: Final = 128
_FIELD_BYTES: Final = 48


def expand_message(message: bytes, domain: bytes, length: int) -> bytes:
    """Returns ``length`` uniform bytes: expand_message_xmd of RFC 9380, section 5.3.1, with SHA-512."""
    blocks = -(-length // 64)
    if len(domain) > 255 or blocks > 255:
        raise LocalError("expand_message takes a domain of at most 255 bytes and gives at most 16,320")
    suffix = domain + len(domain).to_bytes(1)
    first = sha512(bytes(_BLOCK_BYTES) + message + length.to_bytes(2) + b"\0" + suffix)
    block = sha512(first + b"\1" + suffix)
    output = block
    for i in range(2, blocks + 1):
        block = sha512(bytes(a ^ b for a, b in zip(first, block, strict=True)) + i.to_bytes(1) + suffix)
        output += block
    return output[:length]


def hash_to_field(message: bytes, domain: bytes) -> tuple[int, int]:
    """Returns two field elements: hash_to_field of RFC 9380, section 5.2, with count = 2."""
    uniform = expand_message(message, domain, 2 * _FIELD_BYTES)
    return int.from_bytes(uniform[:_FIELD_BYTES]) % P, int.from_bytes(uniform[_FIELD_BYTES:]) % P


def map_to_curve(u: int) -> bytes:
    """Returns the encoded edwards25519 point that u maps to (RFC 9380, section 6.8.2), not yet of prime order."""
    # Elligator 2 with Z = 2: x or -J - x is the abscissa of a point. 1 + 2u^2 is never 0, as -1/2 is no square.
    x = -_J * pow(1 + 2 * u * u, -1, P) % P
    g = _curve25519(x)
    root = pow(g, (P + 3) // 8, P)
    if root * root % P in (g, -g % P):
        y = _of_parity(1, _root_of(g, root))
    else:
        # The other ordinate squared is 2 u^2 g; its root follows from the same power, since 2 is no square either.
        x = (-_J - x) % P
        y = _of_parity(0, _root_of(2 * u * u * g % P, root * u * _ROOT_OF_TWO))
    if y == 0 or x == P - 1:
        return (1).to_bytes(32, "little")  # The exceptional cases of the map are the identity.
    inverse = pow(y * (x + 1), -1, P)  # Of both denominators at once.
    edwards_x = _SQRT_MINUS_486664 * x * (x + 1) * inverse % P
    edwards_y = (x - 1) * y * inverse % P
    return (edwards_y | (edwards_x & 1) << 255).to_bytes(32, "little")


def _curve25519(x: int) -> int:
    return (x * x * x + _J * x * x + x) % P


def _root_of(square: int, candidate: int) -> int:
    """Of a candidate whose square is right up to the sign, makes a root."""
    return candidate % P if candidate * candidate % P == square else candidate * _SQRT_MINUS_ONE % P


def _of_parity(parity: int, root: int) -> int:
    return root if root & 1 == parity else -root % P


_ROOT_OF_TWO: Final = pow(2, (P + 3) // 8, P)
_SQRT_MINUS_486664: Final = _of_parity(0, _root_of(-486664 % P, pow(-486664, (P + 3) // 8, P)))
"""The even root, which fixes the birational map between the two forms of the curve."""
