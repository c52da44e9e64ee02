"""A table that is being gathered, as everybody on the network may know it: plain values, read strictly."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from p2p_sheriff.rules import Setup, first_sheriff_candidates
from p2p_sheriff.session.terms import propose, setup_from_value, setup_to_value
from protocol.charter import MAX_NAME_BYTES, Player, Proposal
from protocol.codec import Value
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.identity import PublicIdentity

TABLE_ID_BYTES: Final = 16
_GAME_ID_BYTES: Final = 32
MAX_PURSE: Final = 10**9
_MAX_HOST_CHARACTERS: Final = 64


def purse_from_value(value: Value) -> int | None:
    """Reads the cash that somebody says they carry (rule 2.5), or that they don't say.

    Raises:
        MalformedError: It is no number of coins.
    """
    if value is not None and (type(value) is not int or not 0 <= value <= MAX_PURSE):
        raise MalformedError("a member's purse is impossible")
    return value


class Closing(StrEnum):
    """Why a table is over for somebody: the word on the wire, and of the text in the catalogues (`closings`)."""

    CLOSED = "closed"
    SENT_AWAY = "sent_away"
    FULL = "full"
    INVITED = "invited"
    GONE = "gone"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody at a table that is being gathered."""

    identity: PublicIdentity
    name: str
    host: str
    port: int
    purse: int | None = None
    """The cash that they say they carry (rule 2.5)."""
    ready: bool = False

    def to_value(self) -> Value:
        """Returns the plain form."""
        return (self.identity.key, self.name, self.host, self.port, self.purse, self.ready)

    @classmethod
    def from_value(cls, group: Group, value: Value) -> "Member":
        """Reads the plain form.

        Raises:
            MalformedError: It is none.
        """
        match value:
            case (bytes(key), str(name), str(host), int(port), purse, bool(ready)) if type(port) is int:
                pass
            case _:
                raise MalformedError("a member has a key, a name, an address, a purse and is ready or not")
        if not name or len(name.encode()) > MAX_NAME_BYTES:
            raise MalformedError("a member's name is impossible")
        if len(host) > _MAX_HOST_CHARACTERS or not 0 <= port < 1 << 16:
            raise MalformedError("a member's address is impossible")
        return cls(PublicIdentity.from_bytes(group, key), name, host, port, purse_from_value(purse), ready)


@dataclass(frozen=True, slots=True)
class TableInfo:
    """What everybody on the network may know of a table that is being gathered."""

    id: bytes
    title: str
    setup: Setup
    opener: PublicIdentity
    """Who keeps the list."""
    members: tuple[Member, ...]
    """In the order of their seats."""
    again: bytes = b""
    """The id of the game that this is a rematch of, for its players alone; empty: a table for anybody."""
    version: int = 0
    """Counts the changes: an older list never replaces a newer one."""

    @property
    def free_seats(self) -> int:
        """How many may still join."""
        return self.setup.players - len(self.members)

    @property
    def is_complete(self) -> bool:
        """Whether all seats are taken and all are ready."""
        return self.free_seats == 0 and all(member.ready for member in self.members)

    def member(self, identity: PublicIdentity) -> Member | None:
        """Returns the member with this identity."""
        return next((member for member in self.members if member.identity == identity), None)

    def proposal(self) -> Proposal:
        """Returns what all members would sign: the seats as they are, the first sheriff by the purses."""
        candidates = first_sheriff_candidates([member.purse for member in self.members])
        players = [Player(member.identity, member.name) for member in self.members]
        return propose(players, replace(self.setup, candidates=candidates))

    def to_value(self) -> Value:
        """Returns the plain form."""
        members = tuple(member.to_value() for member in self.members)
        return (self.id, self.title, setup_to_value(self.setup), self.opener.key, members, self.again, self.version)

    @classmethod
    def from_value(cls, group: Group, value: Value) -> "TableInfo":
        """Reads the plain form.

        Raises:
            MalformedError: It is none.
        """
        match value:
            case (bytes(id_), str(title), terms, bytes(key), tuple(members), bytes(again), int(version)) if (
                type(version) is int and version >= 0
            ):
                pass
            case _:
                raise MalformedError("a table has an id, a title, terms, an opener, members, a past and a version")
        if len(id_) != TABLE_ID_BYTES or len(again) not in (0, _GAME_ID_BYTES) or len(title) > MAX_NAME_BYTES:
            raise MalformedError("a table's id or title is impossible")
        setup = setup_from_value(terms)
        if not 1 <= len(members) <= setup.players:
            raise MalformedError("a table has members, as many as it has seats at the most")
        seated = tuple(Member.from_value(group, member) for member in members)
        identities = {member.identity for member in seated}
        if len(identities) < len(seated):
            raise MalformedError("nobody sits on two seats")
        opener = PublicIdentity.from_bytes(group, key)
        if opener not in identities:
            raise MalformedError("who opened a table sits at it")
        return cls(id_, title, setup, opener, seated, again, version)
