"""How two nodes introduce themselves, as pure steps from bytes to bytes (docs/protocol.md, Handshake).

    server  challenge()   -- hello -->    answer()  client
            meet()       <-- answer --
            welcome()    -- welcome -->   accept()
            confirm()    <-- confirm --             at a private table

TLS has shown the client who the server is before the first step. The client's signature names the server, the hello and
the client, so it can't be passed on to anybody else or used again.
"""

import hmac
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from p2p_sheriff.node.compared import words
from p2p_sheriff.node.cpace import Passphrase, Share, Tags
from p2p_sheriff.node.farewell import Why, refusal
from p2p_sheriff.texts.cleaning import clean
from protocol.charter import MAX_NAME_BYTES
from protocol.codec import Value, decode, encode
from protocol.commitment import COMMITMENT_BYTES, SALT_BYTES, commit, verify_opening
from protocol.errors import InvalidOpeningError, InvalidSignatureError, LocalError, MalformedError
from protocol.group import Group
from protocol.hashing import digest
from protocol.identity import SIGNATURE_BYTES, Identity, PublicIdentity
from protocol.randomness import Rng

WIRE: Final = "p2p-sheriff/3"
"""Name and version of what is spoken over a connection: the first field of every message below."""

HELLO_BYTES: Final = 1024
"""The largest message of a handshake: all that is read from a stranger."""

NONCE_BYTES: Final = 32
_PURPOSE: Final = "handshake"


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
    """What a server remembers between its hello and the answer."""

    server: PublicIdentity
    hello: bytes
    opening: bytes = field(repr=False)
    passphrase: Passphrase | None


@dataclass(frozen=True, slots=True)
class Caller:
    """A client that has proved who it is, but not yet that it knows the passphrase."""

    identity: PublicIdentity
    name: str
    nonce: bytes
    context: bytes
    Y: bytes | None


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a server sends, and whom it is connected with: at a private table, as soon as they confirm."""

    message: bytes
    peer: OtherEnd
    tags: Tags | None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a client remembers between its answer and the welcome."""

    server: PublicIdentity
    client: PublicIdentity
    commitment: bytes
    nonce: bytes
    share: Share | None


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


def challenge(server: PublicIdentity, passphrase: Passphrase | None, rng: Rng) -> Challenge:
    """Begins as the server; the ``hello`` of the result is sent."""
    opening = rng(SALT_BYTES)
    commitment = commit(_place(server), None, opening)
    return Challenge(server, encode((WIRE, commitment, passphrase is not None)), opening, passphrase)


def answer(
    identity: Identity, name: str, server: PublicIdentity, hello: bytes, passphrase: Passphrase | None, rng: Rng
) -> tuple[Answer, bytes]:
    """Goes on as the client; the bytes are sent.

    TLS has proved who the server is. If there is a passphrase, we insist on it.

    Raises:
        TransportError: The server speaks another version, is ourselves, or does not ask for a passphrase as we do.
        LocalError: Our name is impossible.
    """
    match _read(hello):
        case (_, bytes(commitment), bool(private)) if len(commitment) == COMMITMENT_BYTES:
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the hello of a server")
    require_name(name)
    if identity.public == server:
        raise refusal(Why.SELF)
    if private and passphrase is None:
        raise refusal(Why.PRIVATE)
    if passphrase is not None and not private:
        raise refusal(Why.PUBLIC)
    nonce = rng(NONCE_BYTES)
    context = _context(server, hello, identity.public, nonce, name)
    share = passphrase.share(context, rng) if passphrase is not None else None
    Y = share.Y if share is not None else None
    signature = identity.sign(_PURPOSE, encode((context, Y)))
    message = encode((WIRE, identity.public.key, nonce, name, Y, signature))
    return Answer(server, identity.public, commitment, nonce, share), message


def meet(group: Group, asked: Challenge, message: bytes, admit: Admit = anyone) -> Caller:
    """Goes on as the server: learns who has answered. Until here it costs no more than a signature check.

    Raises:
        TransportError: The client speaks another version, is ourselves, has not proved who it is, does not do its part
            for the passphrase, or is not admitted.
    """
    match _read(message):
        case (_, bytes(key), bytes(nonce), str(called), bytes() | None as Y, bytes(signature)) if (
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
        client.verify(_PURPOSE, signature, encode((context, Y)))
    except (MalformedError, InvalidSignatureError) as error:
        raise refusal(Why.PROOF) from error
    if (Y is None) != (asked.passphrase is None):
        raise refusal(Why.PASSPHRASE)
    admit(client, called)
    return Caller(client, called, nonce, context, Y)


def welcome(asked: Challenge, caller: Caller, name: str, rng: Rng) -> Greeting:
    """Ends as the server of a public table; the ``message`` of the result is sent, and at a private one confirmed.

    Raises:
        TransportError: What the client sent for the passphrase is no element of the group.
    """
    pair = _words(asked.server, caller.identity, asked.opening, caller.nonce)
    proof, tags = None, None
    if asked.passphrase is not None and caller.Y is not None:
        share = asked.passphrase.share(caller.context, rng)
        with _judging_share():
            tags = share.as_server(caller.Y)
        proof = (share.Y, tags.server)
    peer = OtherEnd(caller.identity, caller.name, pair, tags is not None)
    return Greeting(encode((WIRE, name, asked.opening, proof)), peer, tags)


def accept(asked: Answer, message: bytes, admit: Admit = anyone) -> tuple[OtherEnd, bytes | None]:
    """Ends as the client; the bytes, if there are any, are sent: the server of a private table waits for them.

    Raises:
        TransportError: The server does not keep to its hello, does not know the passphrase, or is not admitted.
    """
    match _read(message):
        case (_, str(name), bytes(opening), proof) if _is_name(name):
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the welcome of a server")
    try:
        verify_opening(asked.commitment, _place(asked.server), None, opening)
    except InvalidOpeningError as error:
        raise refusal(Why.MALFORMED, "the welcome does not open what the hello committed to") from error
    last = _check_server(asked.share, proof)
    admit(asked.server, name)
    pair = _words(asked.server, asked.client, opening, asked.nonce)
    return OtherEnd(asked.server, name, pair, last is not None), last


def confirm(welcomed: Greeting, message: bytes) -> None:
    """Ends as the server of a private table.

    Raises:
        TransportError: The client does not know the passphrase.
    """
    match _read(message):
        case (_, bytes(tag)):
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the last message of a client")
    if welcomed.tags is None or not hmac.compare_digest(welcomed.tags.client, tag):
        raise refusal(Why.PASSPHRASE)


def _check_server(share: Share | None, proof: Value) -> bytes | None:
    """Returns what the client says last, if the server knows the passphrase too."""
    match share, proof:
        case None, None:
            return None
        case Share(), (bytes(Y), bytes(tag)):
            with _judging_share():
                tags = share.as_client(Y)
            if hmac.compare_digest(tags.server, tag):
                return encode((WIRE, tags.client))
        case _, None | (bytes(), bytes()):
            pass
        case _:
            raise refusal(Why.MALFORMED, "not the welcome of a server")
    raise refusal(Why.PASSPHRASE)


@contextmanager
def _judging_share() -> Iterator[None]:
    try:
        yield
    except MalformedError as error:
        raise refusal(Why.MALFORMED, f"no share of a passphrase: {error}") from error


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
