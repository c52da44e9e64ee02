"""The self-signed certificate of a node, whose key is the node's identity (docs/protocol.md, Handshake).

TLS 1.3 makes a server prove that it holds the key of its certificate, so reading the key out of the certificate tells
who the server is. No authority, no host name and no date plays a part. All certificates are alike but for the key and
the signature: they are put together and compared, and nothing of a stranger's making has to be parsed.
"""

import secrets
import ssl
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat

from p2p_sheriff.node.farewell import Why, refusal
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.identity import SIGNATURE_BYTES, Identity, PublicIdentity

_CERTIFICATE: Final = bytes.fromhex("3081da")
"""The header of the whole, in DER."""

_ALIKE: Final = bytes.fromhex(
    "30818d"  # What is signed:
    "a003020102"  # version 3,
    "020101"  # serial number 1,
    "300506032b6570"  # signed with Ed25519,
    "30163114301206035504030c0b7032702d73686572696666"  # issuer p2p-sheriff,
    "3020170d3030303130313030303030305a180f39393939313233313030303030305a"  # valid from 2000 to the end of 9999,
    "30163114301206035504030c0b7032702d73686572696666"  # subject p2p-sheriff,
    "302a300506032b6570032100"  # an Ed25519 key, which follows.
)
_SIGNATURE: Final = bytes.fromhex("300506032b6570034100")
"""The header of the signature."""


def certificate(identity: Identity) -> bytes:
    """Returns an identity's certificate in DER: always the same bytes."""
    return _put_together(identity.public.key, _private_key(identity).sign(_ALIKE + identity.public.key))


def key_in(group: Group, shown: bytes | None) -> PublicIdentity:
    """Returns the identity in a server's certificate.

    Raises:
        TransportError: It is none of a node: there is another type of key in it, or one outside of the prime-order
            group, or it is not signed by that very key, or differs in any other byte.
    """
    alien = refusal(Why.CERTIFICATE)
    key, signature = (shown or b"")[len(_CERTIFICATE + _ALIKE) :][:32], (shown or b"")[-SIGNATURE_BYTES:]
    if shown != _put_together(key, signature):
        raise alien
    try:
        identity = PublicIdentity.from_bytes(group, key)
        Ed25519PublicKey.from_public_bytes(key).verify(signature, _ALIKE + key)
    except (MalformedError, InvalidSignature) as error:
        raise alien from error
    return identity


def server_context(identity: Identity) -> ssl.SSLContext:
    """Returns the TLS settings of a server with this identity."""
    context = _only_tls_1_3(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
    context.num_tickets = 0  # Every connection proves both identities anew.
    # The library reads keys from files only. This one is private, short-lived and encrypted under a password that is
    # never written: what a crash leaves behind is worth nothing.
    password = secrets.token_hex(32)
    encryption = BestAvailableEncryption(password.encode())
    key = _private_key(identity).private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "identity.pem"
        file.write_bytes(key + ssl.DER_cert_to_PEM_cert(certificate(identity)).encode())
        context.load_cert_chain(file, password=password)
    return context


def client_context() -> ssl.SSLContext:
    """Returns the TLS settings of a client. Any certificate will do for TLS; ``key_in`` judges it."""
    context = _only_tls_1_3(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _put_together(key: bytes, signature: bytes) -> bytes:
    return _CERTIFICATE + _ALIKE + key + _SIGNATURE + signature


def _only_tls_1_3(context: ssl.SSLContext) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    return context


def _private_key(identity: Identity) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(identity.seed())
