"""Ed25519 identities of players, and signatures that are good for one purpose only (docs/protocol.md, Identities)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.codec import encode
from protocol.errors import InvalidSignatureError, LocalError
from protocol.group import Group
from protocol.hashing import PROTOCOL
from protocol.randomness import Rng

SEED_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class PublicIdentity:
    """Who somebody is: a public key. Names are decoration."""

    key: bytes
    """The 32 bytes of RFC 8032, checked to be a point of the prime-order group."""

    @classmethod
    def from_bytes(cls, group: Group, data: bytes) -> "PublicIdentity":
        """Checks a received key: under a key of small order, one signature would hold for many messages.

        Raises:
            MalformedError: Not a point of the prime-order group.
        """
        return cls(bytes(group.decode(data)))

    def to_bytes(self) -> bytes:
        """Returns the key."""
        return self.key

    def verify(self, purpose: str, signature: bytes, message: bytes) -> None:
        """Returns if this is the identity's signature of the message for that purpose.

        Raises:
            InvalidSignatureError: It is not.
        """
        try:
            _public_key(self.key).verify(signature, _prefixed(purpose, message))
        except (InvalidSignature, ValueError) as error:
            raise InvalidSignatureError(f"not a signature of this key for {purpose}") from error


class Identity:
    """A secret signing key."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        """Takes the 32-byte secret of RFC 8032."""
        if len(seed) != SEED_BYTES:
            raise LocalError(f"an identity's seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = PublicIdentity(self._key.public_key().public_bytes_raw())

    @classmethod
    def generate(cls, rng: Rng) -> "Identity":
        """Makes a new identity."""
        return cls(rng(SEED_BYTES))

    def seed(self) -> bytes:
        """Returns the secret, to be stored."""
        return self._key.private_bytes_raw()

    def sign(self, purpose: str, message: bytes) -> bytes:
        """Returns the 64-byte signature of these exact bytes for that purpose."""
        return self._key.sign(_prefixed(purpose, message))

    def __repr__(self) -> str:
        """Shows the public key alone."""
        return f"Identity({self.public.key.hex()})"


@lru_cache(maxsize=64)
def _public_key(key: bytes) -> Ed25519PublicKey:
    """Reads a key once, and not again for each entry of the same few players."""
    return Ed25519PublicKey.from_public_bytes(key)


def _prefixed(purpose: str, message: bytes) -> bytes:
    return encode((PROTOCOL, "signature", purpose)) + message
