"""Among the cases are signatures of forms on which Ed25519 verifiers are known to differ: here all must agree."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from protocol.codec import encode
from protocol.hashing import ORDER, PROTOCOL, sha512
from tests.protocol import edwards
from tests.vectors import published
from tests.vectors.group import SMALL_ORDER, mixed_with
from tests.vectors.notation import BYTES, ERRORS, Case, VectorFile, flipped, prose

DESCRIPTION = prose(
    f"""
    Ed25519 identities. A case's `call` says what to do. `ed25519`: by plain Ed25519 of RFC 8032, `secret` has the
    public key `public`, and signs `message` with `signature`. `sign`: `secret` signs `message` for `purpose`:
    `signature` is the plain one of `signed`, which is the encoding (codec.json) of ["{PROTOCOL}", "signature",
    `purpose`], followed by the bytes of the message as they are. `verify`: the signature of `message` for `purpose`
    under the key `public` must be refused, with InvalidSignatureError. `public`: the key `public`, as received, must be
    accepted or refused, by the check of elements in group.json. `secret`: the secret must be refused. All verifiers
    must agree on every signature. So S must be below q, and the equation is the one without the cofactor, compared as
    bytes: the encoding of SB - kA equals the first half of the signature, where k is the hash of the bytes as received.
    """
)
SECRET = sha512(b"trustless-table vectors: identity")[:32]
OTHER = sha512(b"trustless-table vectors: another identity")[:32]
PURPOSE, MESSAGE = "entry", b"message"


def vectors() -> VectorFile:
    valid: list[Case] = [
        {
            "comment": f"RFC 8032, section 7.1, {name}",
            "call": "ed25519",
            "secret": secret,
            "public": public,
            "message": message,
            "signature": signature,
        }
        for name, (secret, public, message, signature) in published.ED25519.items()
    ]
    valid += [
        _signed("a message", PURPOSE, MESSAGE),
        _signed("for another purpose", "vote", MESSAGE),
        _signed("nothing, for a purpose", PURPOSE, b""),
        _signed("letters moved from the purpose to the message", "entr", b"ymessage"),
        _signed("bytes of all kinds", "\u5361", bytes(range(256))),
    ]
    valid += [
        {"comment": comment, "call": "public", "public": public.hex()}
        for comment, public in (("a public key", _public(SECRET)), ("another", _public(OTHER)))
    ]
    return VectorFile(
        " ".join((DESCRIPTION, BYTES, ERRORS)),
        valid,
        [*_forgeries(), *_no_keys()],
        f"ed25519: {published.RFC_8032} All others: our own.",
    )


def _prefixed(purpose: str, message: bytes) -> bytes:
    return encode((PROTOCOL, "signature", purpose)) + message


def _public(secret: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def _signature(secret: bytes, purpose: str, message: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(secret).sign(_prefixed(purpose, message))


def _signed(comment: str, purpose: str, message: bytes) -> Case:
    return {
        "comment": comment,
        "call": "sign",
        "secret": SECRET.hex(),
        "public": _public(SECRET).hex(),
        "purpose": purpose,
        "message": message.hex(),
        "signed": _prefixed(purpose, message).hex(),
        "signature": _signature(SECRET, purpose, message).hex(),
    }


def _forgeries() -> list[Case]:
    public, good = _public(SECRET), _signature(SECRET, PURPOSE, MESSAGE)
    R, S = good[:32], good[32:]
    cases = [
        ("the wrong key", _public(OTHER), PURPOSE, good, MESSAGE),
        ("another purpose", public, "vote", good, MESSAGE),
        ("another message", public, PURPOSE, good, b"Message"),
        ("letters moved from the purpose to the message", public, "entr", good, b"ymessage"),
        (
            "signed without purpose",
            public,
            PURPOSE,
            Ed25519PrivateKey.from_private_bytes(SECRET).sign(MESSAGE),
            MESSAGE,
        ),
        ("a flipped bit in R", public, PURPOSE, flipped(good, 3), MESSAGE),
        ("the flipped sign of R", public, PURPOSE, flipped(good, 255), MESSAGE),
        ("a flipped bit in S", public, PURPOSE, flipped(good, 256), MESSAGE),
        ("truncated", public, PURPOSE, good[:-1], MESSAGE),
        ("extended", public, PURPOSE, good + b"\0", MESSAGE),
        ("empty", public, PURPOSE, b"", MESSAGE),
        ("S >= q: q added", public, PURPOSE, R + (int.from_bytes(S, "little") + ORDER).to_bytes(32, "little"), MESSAGE),
        ("zeros", public, PURPOSE, bytes(64), MESSAGE),
        (
            "R with a small-order part, good if multiplied by the cofactor",
            public,
            PURPOSE,
            _by_hand(4242, _small(8)),
            MESSAGE,
        ),
        ("R of small order, good if multiplied by the cofactor", public, PURPOSE, _by_hand(0, _small(2)), MESSAGE),
        (
            "R is the identity, not canonical: y = p + 1",
            public,
            PURPOSE,
            _by_hand(0, edwards.NEUTRAL, edwards.P),
            MESSAGE,
        ),
    ]
    return [
        {
            "comment": comment,
            "call": "verify",
            "public": key.hex(),
            "purpose": purpose,
            "message": message.hex(),
            "signature": signature.hex(),
            "error": "InvalidSignatureError",
        }
        for comment, key, purpose, signature, message in cases
    ]


def _small(order: int) -> edwards.Point:
    return edwards.decode(bytes.fromhex(SMALL_ORDER[order][0]))


def _by_hand(r: int, small: edwards.Point, shift: int = 0) -> bytes:
    """Signs with R = rG plus a point of small order, encoded with ``shift`` added to y."""
    a = int.from_bytes(sha512(SECRET)[:32], "little") & ~7 & (1 << 254) - 1 | 1 << 254
    x, y = edwards.add(edwards.mul(r, edwards.GENERATOR), small)
    R = (y + shift | (x & 1) << 255).to_bytes(32, "little")
    k = int.from_bytes(sha512(R + _public(SECRET) + _prefixed(PURPOSE, MESSAGE)), "little")
    return R + ((r + k * a) % ORDER).to_bytes(32, "little")


def _no_keys() -> list[Case]:
    bad = [
        ("the identity", SMALL_ORDER[1][0]),
        ("small order: 4", SMALL_ORDER[4][0]),
        ("small order: 8", SMALL_ORDER[8][1]),
        ("a small-order part beside G", mixed_with(SMALL_ORDER[2][0])),
        ("not canonical: y = p + 1", (edwards.P + 1).to_bytes(32, "little").hex()),
        ("truncated", _public(SECRET)[:-1].hex()),
        ("extended", _public(SECRET).hex() + "00"),
    ]
    cases: list[Case] = [
        {"comment": comment, "call": "public", "public": public, "error": "MalformedError"} for comment, public in bad
    ]
    short: Case = {"comment": "31 bytes", "call": "secret", "secret": SECRET[:-1].hex(), "error": "LocalError"}
    return [*cases, short]
