import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import InvalidSignatureError, LocalError, MalformedError
from protocol.group import Group
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg

# RFC 8032, section 7.1, tests 1 to 3: secret key, public key, message, signature.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("secret", "public", "message", "signature"), RFC_8032)
def test_keys_and_signatures_are_those_of_rfc_8032(
    monkeypatch: pytest.MonkeyPatch, secret: str, public: str, message: str, signature: str
) -> None:
    # The RFC signs bare messages; ours have a prefix, which is taken away here and nowhere else.
    monkeypatch.setattr("protocol.identity._prefixed", lambda _, message: message)
    identity = Identity(bytes.fromhex(secret))
    assert identity.public.key.hex() == public
    assert identity.sign("", bytes.fromhex(message)).hex() == signature
    identity.public.verify("", bytes.fromhex(signature), bytes.fromhex(message))


@given(st.binary(max_size=100))
def test_a_signature_holds_for_its_message(message: bytes) -> None:
    identity = Identity.generate(Drbg("seed"))
    identity.public.verify("entry", identity.sign("entry", message), message)


def test_a_signature_holds_for_nothing_else(rng: Drbg) -> None:
    identity, other = Identity.generate(rng), Identity.generate(rng)
    signature = identity.sign("entry", b"message")
    for public, purpose, forged, message in (
        (other.public, "entry", signature, b"message"),
        (identity.public, "vote", signature, b"message"),
        (identity.public, "entry", signature, b"Message"),
        (identity.public, "entry", signature[:-1], b"message"),
        (identity.public, "entry", signature + b"\0", b"message"),
        (identity.public, "entr", signature, b"ymessage"),
        (identity.public, "entry", b"", b"message"),
    ):
        with pytest.raises(InvalidSignatureError):
            public.verify(purpose, forged, message)


def test_no_bit_of_a_signature_can_be_flipped(rng: Drbg) -> None:
    identity = Identity.generate(rng)
    signature = identity.sign("entry", b"message")
    for bit in range(512):
        flipped = (int.from_bytes(signature) ^ 1 << bit).to_bytes(64)
        with pytest.raises(InvalidSignatureError):
            identity.public.verify("entry", flipped, b"message")


def test_an_identity_comes_back_from_its_seed_and_shows_no_secret(rng: Drbg) -> None:
    identity = Identity.generate(rng)
    assert Identity(identity.seed()).public == identity.public
    assert identity.seed().hex() not in repr(identity)
    with pytest.raises(LocalError):
        Identity(bytes(31))


def test_a_public_key_of_small_order_is_refused(group: Group, rng: Drbg) -> None:
    key = Identity.generate(rng).public.key
    assert PublicIdentity.from_bytes(group, key).key == key
    for small in (bytes(32), (1).to_bytes(32, "little"), bytes(31)):
        with pytest.raises(MalformedError):
            PublicIdentity.from_bytes(group, small)
