"""A table that is being gathered, as everybody on the network may know it, and what is said about it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from ipaddress import ip_address
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.gathering.pledges import Agreed, Pledge, TableId, Version
from p2p_sheriff.rules import first_sheriff_candidates
from p2p_sheriff.session.acts import MAX_STYLE_BYTES, MAX_TEXT_BYTES
from p2p_sheriff.session.terms import PLAYERS, Terms, propose
from protocol.charter import MAX_NAME_BYTES, Player, Proposal
from protocol.errors import LocalError, MalformedError
from protocol.identity import PublicIdentity
from protocol.typed import Form, Plain, between, sized, utf8, word

_GAME_ID_BYTES: Final = 32
MAX_PURSE: Final = 10**9

Purse: TypeAlias = Annotated[int, between(0, MAX_PURSE)] | None
"""The cash that somebody says they carry (rule 2.5), or that they don't say."""


def _address(text: str, _: object) -> str:
    try:
        # A zone, behind %, is any text of any length, and means something on its own machine alone.
        is_address = not text or (str(ip_address(text)) == text and "%" not in text)
    except ValueError:
        is_address = False
    if not is_address:
        raise MalformedError("a host is an address: for a name, whoever answers would have to be asked")
    return text


Host: TypeAlias = Annotated[str, Form((str,), str, str, _address)]
"""An address, or nothing: where the connection comes from."""
Port: TypeAlias = Annotated[int, between(1, (1 << 16) - 1)]


class Closing(StrEnum):
    """Why a table is over for somebody: the word on the wire, and of the text in the catalogues (`closings`)."""

    CLOSED = "closed"
    SENT_AWAY = "sent_away"
    FULL = "full"
    INVITED = "invited"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Member(Plain):
    """Somebody at a table that is being gathered."""

    identity: PublicIdentity
    name: Annotated[str, utf8(1, MAX_NAME_BYTES)]
    host: Host
    port: Port
    purse: Purse = None
    ready: bool = False
    bot: Annotated[str, utf8(0, MAX_STYLE_BYTES)] = ""
    """The style of a bot, by its node's own word; empty for a person."""


@dataclass(frozen=True, slots=True)
class TableInfo(Plain):
    """What everybody on the network may know of a table that is being gathered."""

    id: TableId
    title: Annotated[str, sized(0, MAX_NAME_BYTES)]
    setup: Terms
    opener: PublicIdentity
    """Who keeps the list."""
    members: Annotated[tuple[Member, ...], sized(1, PLAYERS[-1])]
    """In the order of their seats."""
    again: bytes = b""
    """The id of the game that this is a rematch of, for its players alone; empty: a table for anybody."""
    version: Version = 0
    declined: Annotated[tuple[PublicIdentity, ...], sized(0, PLAYERS[-1])] = ()
    """Who of that game does not play again, as far as the opener has heard: somebody else may have their seat."""

    def __post_init__(self) -> None:
        identities = {member.identity for member in self.members}
        if len(identities) < len(self.members):
            raise LocalError("nobody sits on two seats")
        if self.opener not in identities:
            raise LocalError("who opened a table sits at it")
        if self.free_seats < 0:
            raise LocalError("a table has as many members as seats at the most")
        if len(self.again) not in (0, _GAME_ID_BYTES):
            raise LocalError("a table is a rematch of a game, by its id, or of none")
        if len(set(self.declined)) < len(self.declined) or identities & set(self.declined):
            raise LocalError("who declines does so once, and does not sit there")
        if self.declined and not self.again:
            raise LocalError("a table that is no rematch can't be declined")

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


# -- what is said


@word("join")
@dataclass(frozen=True, slots=True)
class Joins:
    """To the opener: asks for a seat."""

    table: TableId
    member: Member


@word("ready")
@dataclass(frozen=True, slots=True)
class GetsReady:
    """To the opener: is ready, or not."""

    table: TableId
    ready: bool


@word("purse")
@dataclass(frozen=True, slots=True)
class StatesPurse:
    """To the opener: states the own purse."""

    table: TableId
    purse: Purse


@word("chat")
@dataclass(frozen=True, slots=True)
class Chats:
    """From a member to all others: words."""

    table: TableId
    text: Annotated[str, utf8(1, MAX_TEXT_BYTES)]


@word("leave")
@dataclass(frozen=True, slots=True)
class Leaves:
    """To the opener: stands up."""

    table: TableId


@word("decline")
@dataclass(frozen=True, slots=True)
class Declines:
    """To the opener of a rematch: does not play again."""

    table: TableId


@word("table")
@dataclass(frozen=True, slots=True)
class Lists:
    """From the opener: the list has changed, or is asked for."""

    table: TableId
    info: TableInfo


@word("closed")
@dataclass(frozen=True, slots=True)
class Closes:
    """From the opener: this table is over for the receiver."""

    table: TableId
    why: Closing


TableMessage: TypeAlias = Joins | GetsReady | StatesPurse | Chats | Leaves | Declines | Lists | Closes | Pledge | Agreed
