"""Whether the libraries on this machine compute what they should: known answers, and one small proof."""

from collections.abc import Callable
from dataclasses import replace
from secrets import token_bytes
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.cipher import Lock, card_points
from protocol.codec import decode, encode
from protocol.errors import MalformedError, VerificationError
from protocol.group import Edwards25519
from protocol.hashing import sha512
from protocol.proofs import shuffle
from protocol.proofs.context import Context

# RFC 8032, section 7.1, test 1.
_SEED: Final = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
_SIGNATURE_OF_NOTHING: Final = bytes.fromhex(
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
    "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)

# FIPS 180-4: SHA-512 of "abc".
_SHA512_OF_ABC: Final = bytes.fromhex(
    "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
)

_ENCODED: Final = bytes.fromhex("9501a161c40100c0c3")
_NOT_THE_SHORTEST: Final = bytes.fromhex("91cc01")
_CARDS: Final = 4


class SelfTestError(Exception):
    """A library does not do what it must; the sentence says what."""


def curve() -> None:
    """Returns if the group's library refuses the points that it must refuse."""
    Edwards25519()


def signature() -> None:
    """Returns if a signature is the known one."""
    if Ed25519PrivateKey.from_private_bytes(_SEED).sign(b"") != _SIGNATURE_OF_NOTHING:
        raise SelfTestError("the signature of a known message is another one")


def hashing() -> None:
    """Returns if a hash is the known one."""
    if sha512(b"abc") != _SHA512_OF_ABC:
        raise SelfTestError("the hash of a known message is another one")


def codec() -> None:
    """Returns if values have their one encoding, and another is refused."""
    value = (1, "a", b"\0", None, True)
    if encode(value) != _ENCODED or decode(_ENCODED) != value:
        raise SelfTestError("a known value is encoded in another way")
    try:
        decode(_NOT_THE_SHORTEST)
    except MalformedError:
        return
    raise SelfTestError("a second encoding of the same value is accepted")


def shuffling() -> None:
    """Returns if the proof of a small shuffle holds, and does not hold for another seat."""
    group, lock = Edwards25519(), Lock.generate(Edwards25519(), token_bytes)
    here = Context(bytes(32), bytes(32), "self-test", 0, 0, 0, 0, bytes(32), "shuffle", 0)
    preparation = shuffle.prepare(group, _CARDS, token_bytes)
    statement = shuffle.shuffle(group, preparation, lock, card_points(group, "self-test", _CARDS))
    proof = shuffle.prove(group, here, statement, lock.k, preparation)
    shuffle.verify(group, here, statement, proof, token_bytes)
    try:
        shuffle.verify(group, replace(here, seat=1), statement, proof, token_bytes)
    except VerificationError:
        return
    raise SelfTestError("the proof of a shuffle is accepted from somebody else")


SELF_TESTS: Final[dict[str, Callable[[], None]]] = {
    "curve": curve,
    "signature": signature,
    "hash": hashing,
    "codec": codec,
    "shuffle proof": shuffling,
}
