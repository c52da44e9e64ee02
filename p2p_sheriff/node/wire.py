"""What nodes say to each other over a connection that has proved who is at the other end."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.gathering.tables import Host, Port, TableInfo, TableMessage
from p2p_sheriff.session.terms import setup_of
from protocol.charter import MAX_NAME_BYTES, MAX_SEATS, Charter
from protocol.codec import decode, encode
from protocol.entry import Head
from protocol.group import ELEMENT_BYTES, Group
from protocol.typed import Codec, sized, word

MAX_FRAME_BYTES: Final = 160 * 1024
"""The largest entry and its envelope."""

MAX_TABLES: Final = 1
"""Who announces sits at one, and plays one game: reading more would be work that anybody could ask for."""
MAX_ADDRESSES: Final = 32


@word("ping")
@dataclass(frozen=True, slots=True)
class Ping:
    """I am here."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where somebody is said to listen. A hint, never a proof."""

    key: Annotated[bytes, sized(ELEMENT_BYTES)]
    host: Host
    port: Port


@word("where")
@dataclass(frozen=True, slots=True)
class Where:
    """Where the sender listens, and others that it knows: so one address is enough to find a whole table again."""

    port: Port
    others: Annotated[tuple[Address, ...], sized(0, MAX_ADDRESSES)]


@word("tables")
@dataclass(frozen=True, slots=True)
class Tables:
    """The table that the sender has opened and that can be joined, if there is one."""

    infos: Annotated[tuple[TableInfo, ...], sized(0, MAX_TABLES)]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that may be watched: what its table was called, if the sender still knows, and its charter."""

    title: Annotated[str, sized(0, MAX_NAME_BYTES)]
    charter: Charter

    def __post_init__(self) -> None:
        setup_of(self.charter)  # What can't be played can't be watched.


@word("games")
@dataclass(frozen=True, slots=True)
class Games:
    """The game that the sender plays, if there is one."""

    infos: Annotated[tuple[GameInfo, ...], sized(0, MAX_TABLES)]


@word("lobby")
@dataclass(frozen=True, slots=True)
class TableTalk:
    """A message of a table that is being gathered."""

    message: TableMessage


@word("entry")
@dataclass(frozen=True, slots=True)
class EntryOf:
    """An entry of a game, by whomever."""

    game: bytes
    data: bytes


@word("heads")
@dataclass(frozen=True, slots=True)
class HeadsOf:
    """How much of each chain of a game the sender has: whoever has more sends it."""

    game: bytes
    heads: Annotated[tuple[Head, ...], sized(2, MAX_SEATS)]


Message: TypeAlias = Ping | Where | Tables | Games | TableTalk | EntryOf | HeadsOf


_MESSAGE: Final = Codec[Message](Message)


def to_bytes(message: Message) -> bytes:
    """Returns the frame of a message."""
    return encode(_MESSAGE.write(message))


def from_bytes(group: Group, data: bytes) -> Message:
    """Reads a received frame.

    Raises:
        MalformedError: It is no message.
    """
    return _MESSAGE.read(decode(data, MAX_FRAME_BYTES), group)
