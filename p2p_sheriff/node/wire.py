"""What nodes say to each other over a connection that has proved who is at the other end."""

from dataclasses import dataclass
from typing import Final, TypeAlias

from p2p_sheriff.gathering.tables import TableInfo
from protocol.charter import MAX_NAME_BYTES, Charter
from protocol.codec import Value, decode, encode
from protocol.entry import Head
from protocol.errors import MalformedError
from protocol.group import Group

MAX_FRAME_BYTES: Final = 160 * 1024
"""The largest entry and its envelope."""

MAX_TABLES: Final = 32
MAX_ADDRESSES: Final = 32
MAX_HOST_CHARACTERS: Final = 64


@dataclass(frozen=True, slots=True)
class Ping:
    """I am here."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where somebody is said to listen. A hint, never a proof."""

    key: bytes
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Where:
    """Where the sender listens, and others that it knows: so one address is enough to find a whole table again."""

    port: int
    others: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables that the sender has opened and that can be joined: at the most one each, but a list is simpler."""

    infos: tuple[TableInfo, ...]


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that may be watched: what its table was called, if the sender still knows, and its charter."""

    title: str
    charter: Charter


@dataclass(frozen=True, slots=True)
class Games:
    """The games that the sender plays: at the most one, but a list is simpler."""

    infos: tuple[GameInfo, ...]


@dataclass(frozen=True, slots=True)
class TableTalk:
    """A message of a table that is being gathered."""

    message: Value

    @property
    def table(self) -> bytes:
        """The id of the table: the second field of every such message."""
        match self.message:
            case (str(), bytes(table), *_):
                return table
            case _:
                raise MalformedError("a message of the lobby names its table")


@dataclass(frozen=True, slots=True)
class EntryOf:
    """An entry of a game, by whomever."""

    game: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class HeadsOf:
    """How much of each chain of a game the sender has: whoever has more sends it."""

    game: bytes
    heads: tuple[Head, ...]


Message: TypeAlias = Ping | Where | Tables | Games | TableTalk | EntryOf | HeadsOf


def to_bytes(message: Message) -> bytes:
    """Returns the frame of a message."""
    match message:
        case Ping():
            return encode(("ping",))
        case Where(port, others):
            return encode(("where", port, tuple((other.key, other.host, other.port) for other in others)))
        case Tables(infos):
            return encode(("tables", tuple(info.to_value() for info in infos)))
        case Games(infos):
            return encode(("games", tuple((info.title, info.charter.to_bytes()) for info in infos)))
        case TableTalk(body):
            return encode(("lobby", body))
        case EntryOf(game, data):
            return encode(("entry", game, data))
        case HeadsOf(game, heads):
            return encode(("heads", game, tuple((head.length, head.hash) for head in heads)))


def from_bytes(group: Group, data: bytes) -> Message:
    """Reads a received frame.

    Raises:
        MalformedError: It is no message.
    """
    match decode(data, MAX_FRAME_BYTES):
        case ("ping",):
            return Ping()
        case ("where", port, tuple(others)) if len(others) <= MAX_ADDRESSES:
            return Where(_port(port), tuple(_address(other) for other in others))
        case ("tables", tuple(infos)) if len(infos) <= MAX_TABLES:
            return Tables(tuple(TableInfo.from_value(group, info) for info in infos))
        case ("games", tuple(games)) if len(games) <= MAX_TABLES:
            return Games(tuple(_game(group, game) for game in games))
        case ("lobby", body):
            return TableTalk(body)
        case ("entry", bytes(game), bytes(entry)):
            return EntryOf(game, entry)
        case ("heads", bytes(game), tuple(heads)):
            return HeadsOf(game, tuple(_head(head) for head in heads))
        case _:
            raise MalformedError("a message that this version does not know")


def _port(value: Value) -> int:
    if type(value) is not int or not 0 < value < 1 << 16:
        raise MalformedError("a port is a number from 1 to 65535")
    return value


def _address(value: Value) -> Address:
    match value:
        case (bytes(key), str(host), port) if len(host) <= MAX_HOST_CHARACTERS:
            return Address(key, host, _port(port))
        case _:
            raise MalformedError("an address is a key, a host and a port")


def _game(group: Group, value: Value) -> GameInfo:
    match value:
        case (str(title), bytes(charter)) if len(title) <= MAX_NAME_BYTES:
            return GameInfo(title, Charter.from_bytes(group, charter))
        case _:
            raise MalformedError("a game has a title and a charter")


def _head(value: Value) -> Head:
    match value:
        case (int(length), bytes(hash_)) if type(length) is int and length >= 0 and len(hash_) == 32:
            return Head(length, hash_)
        case _:
            raise MalformedError("a head is a length and a hash")
