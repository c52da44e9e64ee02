"""How two nodes introduce themselves, as pure steps from bytes to bytes (docs/protocol.md, Handshake).

    server  challenge()   -- hello -->    answer()  client
            welcome()    <-- answer --
                         -- welcome -->   accept()

TLS has shown the client who the server is before the first step. The client's signature names the server, the hello and
the client, so it can't be passed on to anybody else or used again.
"""

import hmac
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import scrypt
from typing import Final, TypeAlias

from p2p_sheriff.node.compared import words
from p2p_sheriff.node.farewell import Why, refusal
from p2p_sheriff.texts.cleaning import clean
from protocol.charter import MAX_NAME_BYTES
from protocol.codec import Value, decode, encode
from protocol.commitment import COMMITMENT_BYTES, SALT_BYTES, commit, verify_opening
from protocol.errors import InvalidOpeningError, InvalidSignatureError, LocalError, MalformedError
from protocol.group import Group
from protocol.hashing import PROTOCOL, digest
from protocol.identity import SIGNATURE_BYTES, Identity, PublicIdentity
from protocol.randomness import Rng

WIRE: Final = "p2p-sheriff/2"
"""Name and version of what is spoken over a connection: the first field of every message below."""

HELLO_BYTES: Final = 1024
"""The largest message of a handshake: all that is read from a stranger."""

NONCE_BYTES: Final = 32
_PURPOSE: Final = "handshake"


@dataclass(frozen=True, slots=True)
class TableKey:
    """What a passphrase becomes at one server. Slow to compute, so that guessing is slow too."""

    secret: bytes = field(repr=False)

    def proof(self, role: str, context: bytes) -> bytes:
        """Returns a proof that holds for one handshake and one side of it."""
        return hmac.digest(self.secret, encode((PROTOCOL, "passphrase", role, context)), "sha256")


@dataclass(frozen=True, slots=True)
class OtherEnd:
    """Who is at the other end, proved."""

    identity: PublicIdentity
    name: str
    """What they call themselves: decoration."""
    words: tuple[str, ...]
    """The same six words at both ends, unless somebody is in between."""
    private: bool
    """Whether both ends have proved to know the passphrase."""


Admit: TypeAlias = Callable[[PublicIdentity, str], None]
"""Judges a proved identity and its name; raises a TransportError to refuse them."""


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a server remembers between its hello and its welcome."""

    server: PublicIdentity
    hello: bytes
    opening: bytes = field(repr=False)
    table: TableKey | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client remembers between its answer and the welcome."""

    server: PublicIdentity
    client: PublicIdentity
    commitment: bytes
    nonce: bytes
    context: bytes
    table: TableKey | None


def anyone(identity: PublicIdentity, name: str) -> None:
    """Admits everybody."""


def known_names(pins: Mapping[str, PublicIdentity]) -> Admit:
    """Admits everybody but who uses the name of a known identity without being it; pins may be added later."""

    def admit(identity: PublicIdentity, name: str) -> None:
        owners = {folded(known): owner for known, owner in pins.items()}
        if owners.get(folded(name), identity) != identity:
            raise refusal(Why.NAME, name)

    return admit


def require_name(name: str) -> None:
    """Returns if the others will accept this name.

    Raises:
        LocalError: They will not.
    """
    if not _is_name(name):
        raise LocalError(f"a name has 1 to {MAX_NAME_BYTES} bytes, all printable, and no space at its ends")


def table_key(passphrase: str, server: PublicIdentity) -> TableKey:
    """Returns the key that a passphrase stands for at this server. It takes about a tenth of a second and 32 MiB.

    Raises:
        LocalError: The passphrase is empty.
    """
    secret = unicodedata.normalize("NFKC", passphrase).strip().encode()
    if not secret:
        raise LocalError("a passphrase has at least one character")
    salt = encode((PROTOCOL, "passphrase", server.key))
    return TableKey(scrypt(secret, salt=salt, n=1 << 15, r=8, p=1, maxmem=1 << 26, dklen=32))


def challenge(server: PublicIdentity, table: TableKey | None, rng: Rng) -> Challenge:
    """Begins as the server; the ``hello`` of the result is sent."""
    opening = rng(SALT_BYTES)
    commitment = commit(_place(server), None, opening)
    return Challenge(server, encode((WIRE, commitment, table is not None)), opening, table)


def answer(
    identity: Identity, name: str, server: PublicIdentity, hello: bytes, table: TableKey | None, rng: Rng
) -> tuple[Answer, bytes]:
    """Goes on as the client; the bytes are sent.

    Args:
        identity: Who we are.
        name: What we call ourselves.
        server: Whom TLS has proved the server to be.
        hello: What it sent.
        table: The key of the passphrase that we insist on, if any.
        rng: The source of the nonce.

    Raises:
        TransportError: The server speaks another version, is ourselves, or does not agree about the passphrase.
        LocalError: Our name is impossible.
    """
    commitment, private = _read_hello(hello)
    require_name(name)
    if identity.public == server:
        raise refusal(Why.SELF)
    if private and table is None:
        raise refusal(Why.PRIVATE)
    if table is not None and not private:
        raise refusal(Why.PUBLIC)
    nonce = rng(NONCE_BYTES)
    context = _context(server, hello, identity.public, nonce, name)
    proof = table.proof("client", context) if table is not None else None
    signature = identity.sign(_PURPOSE, encode((context, proof)))
    message = encode((WIRE, identity.public.key, nonce, name, proof, signature))
    return Answer(server, identity.public, commitment, nonce, context, table), message


def welcome(group: Group, asked: Challenge, name: str, message: bytes, admit: Admit = anyone) -> tuple[OtherEnd, bytes]:
    """Ends as the server; the bytes are sent, and the client may be told everything from now on.

    Raises:
        TransportError: The client speaks another version, is ourselves, has not proved who it is or that it knows the
            passphrase, or is not admitted.
    """
    match _read(message):
        case (_, bytes(key), bytes(nonce), str(called), bytes() | None as proof, bytes(signature)) if (
            len(nonce) == NONCE_BYTES and len(signature) == SIGNATURE_BYTES and _is_name(called)
        ):
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the answer of a client")
    if key == asked.server.key:
        raise refusal(Why.SELF)
    try:
        client = PublicIdentity.from_bytes(group, key)
        context = _context(asked.server, asked.hello, client, nonce, called)
        client.verify(_PURPOSE, signature, encode((context, proof)))
    except (MalformedError, InvalidSignatureError) as error:
        raise refusal(Why.PROOF) from error
    _check_passphrase(asked.table, proof, "client", context)
    admit(client, called)
    reply = asked.table.proof("server", context) if asked.table is not None else None
    pair = _words(asked.server, client, asked.opening, nonce)
    return OtherEnd(client, called, pair, asked.table is not None), encode((WIRE, name, asked.opening, reply))


def accept(asked: Answer, message: bytes, admit: Admit = anyone) -> OtherEnd:
    """Ends as the client.

    Raises:
        TransportError: The server does not keep to its hello, does not know the passphrase, or is not admitted.
    """
    match _read(message):
        case (_, str(name), bytes(opening), bytes() | None as proof) if _is_name(name):
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the welcome of a server")
    try:
        verify_opening(asked.commitment, _place(asked.server), None, opening)
    except InvalidOpeningError as error:
        raise refusal(Why.MALFORMED, "the welcome does not open what the hello committed to") from error
    _check_passphrase(asked.table, proof, "server", asked.context)
    admit(asked.server, name)
    pair = _words(asked.server, asked.client, opening, asked.nonce)
    return OtherEnd(asked.server, name, pair, asked.table is not None)


def _read(message: bytes) -> Value:
    """Reads the version first: what follows may look different in another one."""
    try:
        value = decode(message, HELLO_BYTES)
    except MalformedError as error:
        raise refusal(Why.MALFORMED, f"no message of a handshake: {error}") from error
    match value:
        case (str(wire), *_) if wire != WIRE and wire.startswith("p2p-sheriff/"):
            raise refusal(Why.VERSION, f"{WIRE}, {clean(wire)}")
        case (str(wire), *_) if wire == WIRE:
            return value
        case _:
            raise refusal(Why.MALFORMED, "no message of a handshake")


def _read_hello(hello: bytes) -> tuple[bytes, bool]:
    match _read(hello):
        case (_, bytes(commitment), bool(private)) if len(commitment) == COMMITMENT_BYTES:
            return commitment, private
        case _:
            raise refusal(Why.MALFORMED, "not the hello of a server")


def _check_passphrase(table: TableKey | None, proof: bytes | None, role: str, context: bytes) -> None:
    if table is None and proof is None:
        return
    if table is None or proof is None or not hmac.compare_digest(table.proof(role, context), proof):
        raise refusal(Why.PASSPHRASE)


def _context(server: PublicIdentity, hello: bytes, client: PublicIdentity, nonce: bytes, name: str) -> bytes:
    return digest(_PURPOSE, server.key, hello, client.key, nonce, name)


def _place(server: PublicIdentity) -> tuple[Value, ...]:
    return (_PURPOSE, server.key)


def _words(server: PublicIdentity, client: PublicIdentity, opening: bytes, nonce: bytes) -> tuple[str, ...]:
    return words("pair", server.key, client.key, opening, nonce)


def _is_name(name: str) -> bool:
    return name.isprintable() and name == name.strip() and 1 <= len(name.encode()) <= MAX_NAME_BYTES


def folded(name: str) -> str:
    """Returns what two names have in common that people take for the same."""
    return unicodedata.normalize("NFKC", name).casefold()
