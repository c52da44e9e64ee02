import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed448 import Ed448PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.node.certificate import certificate, key_in
from p2p_sheriff.node.farewell import TransportError, Why
from protocol.group import GENERATOR, IDENTITY, Edwards25519, Group
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.certificates import certified


def refused(group: Group, der: bytes | None) -> None:
    with pytest.raises(TransportError) as caught:
        key_in(group, der)
    assert caught.value.ending.why is Why.CERTIFICATE


def test_the_certificate_of_an_identity_shows_its_key_and_is_always_the_same(group: Group, rng: Drbg) -> None:
    identity = Identity.generate(rng)
    der = certificate(identity)
    assert key_in(group, der) == identity.public
    assert certificate(identity) == der
    assert identity.seed() not in der


def test_the_certificate_is_one_in_the_eyes_of_others_too(rng: Drbg) -> None:
    identity = Identity.generate(rng)
    read = x509.load_der_x509_certificate(certificate(identity))
    read.verify_directly_issued_by(read)
    key = read.public_key()
    assert isinstance(key, Ed25519PublicKey)
    assert key.public_bytes_raw() == identity.public.key
    assert read.subject.rfc4514_string() == read.issuer.rfc4514_string() == "CN=p2p-sheriff"
    assert (read.not_valid_before_utc.year, read.not_valid_after_utc.year) == (2000, 9999)


@pytest.mark.parametrize(
    ("key", "algorithm"), [(ec.generate_private_key(ec.SECP256R1()), SHA256()), (Ed448PrivateKey.generate(), None)]
)
def test_a_certificate_for_another_type_of_key_is_refused(
    group: Group, key: ec.EllipticCurvePrivateKey | Ed448PrivateKey, algorithm: SHA256 | None
) -> None:
    refused(group, certified(key.public_key(), key, algorithm).public_bytes(Encoding.DER))


@pytest.mark.parametrize("signer", [Ed25519PrivateKey.generate(), ec.generate_private_key(ec.SECP256R1())])
def test_a_certificate_that_another_key_signed_is_refused(
    group: Group, rng: Drbg, signer: CertificateIssuerPrivateKeyTypes
) -> None:
    stolen = Ed25519PublicKey.from_public_bytes(Identity.generate(rng).public.key)
    algorithm = None if isinstance(signer, Ed25519PrivateKey) else SHA256()
    refused(group, certified(stolen, signer, algorithm).public_bytes(Encoding.DER))


def test_a_certificate_with_another_issuer_is_refused(group: Group) -> None:
    key = Ed25519PrivateKey.generate()
    refused(group, certified(key.public_key(), key, issuer="an authority").public_bytes(Encoding.DER))


def test_a_key_of_small_order_is_refused_although_its_signature_holds(group: Group) -> None:
    # Under the neutral point as a key, R = G and S = 1 is a signature of every message: anybody could be that server.
    identity = Identity(bytes(32))
    forged = bytes(GENERATOR) + (1).to_bytes(32, "little")
    shown = certificate(identity).replace(identity.public.key, IDENTITY)[:-64] + forged
    read = x509.load_der_x509_certificate(shown)
    read.verify_directly_issued_by(read)
    refused(group, shown)


def test_no_certificate_is_refused(group: Group) -> None:
    refused(group, None)


@given(st.binary(max_size=300))
def test_garbage_is_refused(garbage: bytes) -> None:
    refused(Edwards25519(), garbage)


def test_no_bit_of_a_certificate_can_be_changed(group: Group) -> None:
    der = certificate(Identity(bytes(32)))
    for bit in range(8 * len(der)):
        refused(group, (int.from_bytes(der) ^ 1 << bit).to_bytes(len(der)))


def test_a_certificate_with_a_tail_is_refused(group: Group) -> None:
    der = certificate(Identity(bytes(32)))
    refused(group, der + b"\0")
    refused(group, der[:-1])
