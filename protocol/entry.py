"""Entries: what players say, signed and linked (docs/protocol.md, Entries)."""

from dataclasses import dataclass
from typing import Final

from protocol.charter import Charter
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError
from protocol.hashing import digest
from protocol.identity import Identity

VERSION: Final = 1
MAX_ENTRY_BYTES: Final = 128 * 1024
"""A shuffle of 432 cards with its proof has 57 kB."""

_PURPOSE: Final = "entry"


@dataclass(frozen=True, slots=True)
class Head:
    """How much of a seat's chain somebody has: its length, and the hash of its last entry."""

    length: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """One message of one seat. Where it stands in the author's chain is the author's own head."""

    game: bytes
    author: int
    heads: tuple[Head, ...]
    """What the author had of every chain, the own among them, when writing this."""
    step: int | None
    """The step of the game that this entry takes; None for a free entry, which has no effect by itself."""
    payload: Value

    @property
    def sequence(self) -> int:
        """The entry's number in its author's chain, from 0."""
        return self.heads[self.author].length

    @property
    def previous(self) -> bytes:
        """The hash of the author's previous entry; for the first, the id of the game."""
        return self.heads[self.author].hash

    def to_bytes(self) -> bytes:
        """Returns the bytes that are signed."""
        heads = tuple((head.length, head.hash) for head in self.heads)
        return encode((VERSION, self.game, self.author, heads, self.step, self.payload))


@dataclass(frozen=True, slots=True)
class SignedEntry:
    """An entry with the very bytes that were signed."""

    entry: Entry
    body: bytes
    signature: bytes
    hash: bytes
    """Of the body alone: a second signature of the same body makes no other entry."""

    def to_bytes(self) -> bytes:
        """Returns what is sent."""
        return encode((self.body, self.signature))

    @classmethod
    def from_bytes(cls, charter: Charter, data: bytes) -> "SignedEntry":
        """Reads a received entry of that game and checks its signature.

        Raises:
            MalformedError: It is no entry of this game.
            InvalidSignatureError: Its author did not sign it.
        """
        match decode(data, MAX_ENTRY_BYTES):
            case (bytes(body), bytes(signature)):
                entry = _entry(charter, decode(body, MAX_ENTRY_BYTES))
            case _:
                raise MalformedError("an entry is a body and a signature")
        charter.players[entry.author].identity.verify(_PURPOSE, signature, body)
        return cls(entry, body, signature, digest("entry", body))

    @classmethod
    def sign(cls, identity: Identity, entry: Entry) -> "SignedEntry":
        """Signs an own entry."""
        body = entry.to_bytes()
        return cls(entry, body, identity.sign(_PURPOSE, body), digest("entry", body))


def _entry(charter: Charter, value: Value) -> Entry:
    match value:
        case (int(version), bytes(game), int(author), tuple(heads), int() | None as step, payload):
            pass
        case _:
            raise MalformedError("an entry has a version, a game, an author, heads, a step and a payload")
    if version != VERSION or isinstance(version, bool):
        raise MalformedError(f"version {version} of entries is not known here")
    if game != charter.game:
        raise MalformedError("an entry of another game")
    if isinstance(author, bool) or not 0 <= author < len(charter.players):
        raise MalformedError("an entry of nobody at this table")
    if len(heads) != len(charter.players):
        raise MalformedError("an entry names the head of every seat's chain")
    if step is not None and (isinstance(step, bool) or step < 0):
        raise MalformedError("a step is a number")
    return Entry(game, author, tuple(_head(head) for head in heads), step, payload)


def _head(value: Value) -> Head:
    match value:
        case (int(length), bytes(hash_)) if not isinstance(length, bool) and length >= 0 and len(hash_) == 32:
            return Head(length, hash_)
        case _:
            raise MalformedError("a head is a length and a hash")
