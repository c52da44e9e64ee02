"""Entries: what players say, signed and linked (docs/protocol.md, Entries)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, TypeVar

from protocol.charter import Charter
from protocol.codec import Value, decode, encode
from protocol.errors import MalformedError
from protocol.hashing import digest
from protocol.identity import Identity
from protocol.typed import Codec, Plain, between, sized

T = TypeVar("T")

VERSION: Final = 1
MAX_ENTRY_BYTES: Final = 128 * 1024
"""A shuffle of 432 cards with its proof has 57 kB."""

_PURPOSE: Final = "entry"


@dataclass(frozen=True, slots=True)
class Head(Plain):
    """How much of a seat's chain somebody has: its length, and the hash of its last entry."""

    length: Annotated[int, between(0)]
    hash: Annotated[bytes, sized(32)]


@dataclass(frozen=True, slots=True)
class Entry(Plain):
    """One message of one seat. Where it stands in the author's chain is the author's own head."""

    game: bytes
    author: int
    heads: tuple[Head, ...]
    """What the author had of every chain, the own among them, when writing this."""
    step: Annotated[int, between(0)] | None
    """The step of the game that this entry takes; None for a free entry, which has no effect by itself."""
    payload: Value
    """The game's business; None in a free entry that only says, by its heads, what its author has seen."""
    _read: dict[object, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def said(self, read: Callable[[Value], T]) -> T:
        """Returns what ``read`` makes of the payload, which is read once: words are looked at with every later entry.

        Raises:
            MalformedError: It makes nothing of it.
        """
        if read not in self._read:
            self._read[read] = read(self.payload)
        made: T = self._read[read]
        return made

    @property
    def sequence(self) -> int:
        """The entry's number in its author's chain, from 0."""
        return self.heads[self.author].length

    @property
    def previous(self) -> bytes:
        """The hash of the author's previous entry; for the first, the id of the game."""
        return self.heads[self.author].hash

    @property
    def is_acknowledgement(self) -> bool:
        """Whether it says nothing but what its author has seen."""
        return self.step is None and self.payload is None

    def to_bytes(self) -> bytes:
        """Returns the bytes that are signed."""
        return encode((VERSION, *self.to_value()))


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
        body, signature = _SIGNED.read(decode(data, MAX_ENTRY_BYTES))
        entry = _entry(charter, decode(body, MAX_ENTRY_BYTES))
        charter.players[entry.author].identity.verify(_PURPOSE, signature, body)
        return cls(entry, body, signature, digest("entry", body))

    @classmethod
    def sign(cls, identity: Identity, entry: Entry) -> "SignedEntry":
        """Signs an own entry."""
        body = entry.to_bytes()
        return cls(entry, body, identity.sign(_PURPOSE, body), digest("entry", body))


_SIGNED: Final = Codec[tuple[bytes, bytes]](tuple[bytes, bytes])
"""A body and a signature."""


def _entry(charter: Charter, value: Value) -> Entry:
    if not isinstance(value, tuple) or not value or type(value[0]) is not int:
        raise MalformedError("an entry begins with its version")
    if value[0] != VERSION:
        raise MalformedError(f"version {value[0]} of entries is not known here")
    entry = Entry.from_value(value[1:])
    if entry.game != charter.game:
        raise MalformedError("an entry of another game")
    if not 0 <= entry.author < len(charter.players):
        raise MalformedError("an entry of nobody at this table")
    if len(entry.heads) != len(charter.players):
        raise MalformedError("an entry names the head of every seat's chain")
    return entry
