"""Certificates as nobody should show them."""

from datetime import datetime

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes, CertificatePublicKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256


def certified(
    public: CertificatePublicKeyTypes,
    signer: CertificateIssuerPrivateKeyTypes,
    algorithm: SHA256 | None = None,
    subject: str = "stranger",
    issuer: str = "stranger",
) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(_name(issuer))
        .public_key(public)
        .serial_number(7)
        .not_valid_before(datetime(2020, 1, 1))
        .not_valid_after(datetime(2040, 1, 1))
        .sign(signer, algorithm)
    )


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
