"""Gathering a table: seats, options, ready, and a charter that nobody could choose alone. Pure: messages in and out.

Who opens a table keeps its list of members, and nothing else: the charter is made by all, from a list that all have
seen, with a nonce of everybody. Messages come over connections that prove who sent them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from p2p_sheriff.gathering.tables import (
    MAX_PURSE,
    TABLE_ID_BYTES,
    Begins,
    Closes,
    Closing,
    CommitsNonce,
    GetsReady,
    Joins,
    Leaves,
    Lists,
    Member,
    RevealsNonce,
    StatesPurse,
    TableInfo,
    TableMessage,
)
from p2p_sheriff.phrase import Phrase, Told
from p2p_sheriff.rules import BadSetup, Setup
from p2p_sheriff.session.terms import require_playable, setup_of
from protocol.charter import NONCE_BYTES, Charter
from protocol.errors import InvalidOpeningError, LocalError, MalformedError
from protocol.hashing import digest
from protocol.identity import PublicIdentity
from protocol.randomness import Rng

_MOST_EARLY: Final = 32
"""Messages that have overtaken their list: two for each of six members, several times over."""


class LobbyError(Told):
    """Something that can't be done in the lobby."""


@dataclass(frozen=True, slots=True)
class Send:
    """A message to one member, or to all others."""

    to: PublicIdentity | None
    message: TableMessage


@dataclass(frozen=True, slots=True)
class Changed:
    """The list has changed."""

    info: TableInfo


@dataclass(frozen=True, slots=True)
class Started:
    """All have agreed: the game begins."""

    charter: Charter


@dataclass(frozen=True, slots=True)
class Closed:
    """This table is over for us, before it began."""

    reason: Phrase


Output: TypeAlias = Send | Changed | Started | Closed


def require_purse(purse: int | None) -> None:
    """Returns if the others will accept this purse.

    Raises:
        LobbyError: They will not.
    """
    if purse is not None and not 0 <= purse <= MAX_PURSE:
        raise LobbyError("news.purse", most=MAX_PURSE, purse=purse)


class Gathering:
    """One table that this node takes part in, until its game starts."""

    def __init__(self, rng: Rng, me: Member, info: TableInfo, invited: tuple[PublicIdentity, ...] = ()) -> None:
        """Takes part as ``me``; see ``open``, ``open_again`` and ``join``."""
        self._rng = rng
        self.me = me
        self.info = info
        self._invited = invited
        self._seating = invited
        """Who sits where, also of those who are not here now; who is not in it sits behind, as they come."""
        self._nonce = b""
        self._commitments: dict[PublicIdentity, bytes] = {}
        self._nonces: dict[PublicIdentity, bytes] = {}
        self._early: tuple[tuple[PublicIdentity, TableMessage], ...] = ()
        self._said: tuple[TableMessage, ...] = ()
        self._has_started = False
        self._is_ready = False

    @classmethod
    def open(cls, rng: Rng, me: Member, title: str, setup: Setup) -> "Gathering":
        """Opens a table for anybody.

        Raises:
            LobbyError: It is for something that can't be played at a table yet.
        """
        try:
            require_playable(setup)
        except BadSetup as problem:
            raise LobbyError("news.unplayable", detail=str(problem)) from problem
        return cls(rng, me, TableInfo(rng(TABLE_ID_BYTES), title, setup, me.identity, (me,)))

    @classmethod
    def open_again(cls, rng: Rng, me: Member, title: str, charter: Charter) -> "Gathering":
        """Opens a table for a rematch: the same terms and seats, for the players of that game alone."""
        setup = replace(setup_of(charter), candidates=())  # Purses are stated anew.
        info = TableInfo(rng(TABLE_ID_BYTES), title, setup, me.identity, (me,), charter.game)
        return cls(rng, me, info, tuple(player.identity for player in charter.players))

    @classmethod
    def join(cls, rng: Rng, me: Member, info: TableInfo) -> tuple["Gathering", list[Output]]:
        """Asks whoever opened a table for a seat.

        Raises:
            LobbyError: There is none.
        """
        if info.free_seats == 0 and info.member(me.identity) is None:
            raise LobbyError("news.full")
        gathering = cls(rng, me, info)
        return gathering, [Send(info.opener, Joins(info.id, me))]

    def move(self, info: TableInfo) -> tuple["Gathering", list[Output]]:
        """Goes over to another table, with the same purse, as ready as here.

        Raises:
            LobbyError: It has no free seat.
        """
        gathering, outputs = Gathering.join(self._rng, self.me, info)
        return gathering, [*outputs, *gathering.set_ready(self._is_ready)]

    def is_for(self, identity: PublicIdentity) -> bool:
        """Whether somebody may sit down here: anybody, but at a rematch only the players of that game."""
        return not self._invited or identity in self._invited

    @property
    def is_opener(self) -> bool:
        """Whether this node keeps the list."""
        return self.info.opener == self.me.identity

    # -- what the own player does

    def set_ready(self, ready: bool) -> list[Output]:
        """Says that the own player is ready, or not."""
        self._is_ready = ready
        if self.is_opener:
            return self._update(self.me.identity, lambda me: replace(me, ready=ready))
        return [Send(self.info.opener, GetsReady(self.info.id, ready))]

    def set_purse(self, purse: int | None) -> list[Output]:
        """Says how much cash the own player carries (rule 2.5); None: they don't say.

        Raises:
            LobbyError: Nobody carries that.
        """
        require_purse(purse)
        self.me = replace(self.me, purse=purse)
        if self.is_opener:
            return self._update(self.me.identity, lambda me: replace(me, purse=purse))
        return [Send(self.info.opener, StatesPurse(self.info.id, purse))]

    def arrange(self, order: Sequence[PublicIdentity]) -> list[Output]:
        """Seats the members in this order.

        Raises:
            LobbyError: The own player did not open the table, or the order is not one of all members.
        """
        if not self.is_opener:
            raise LobbyError("news.arrange")
        if len(order) != len(self.info.members) or {one.identity for one in self.info.members} != set(order):
            raise LobbyError("news.order")
        self._refuse_if_sealed()
        self._seating = (*order, *(one for one in self._seating if one not in order))
        members = self._seated(self.info.members)
        return self._publish(members) if members != self.info.members else []

    def kick(self, identity: PublicIdentity) -> list[Output]:
        """Puts a member off the table before the start.

        Raises:
            LobbyError: The own player did not open it, or nobody like that sits there.
        """
        if not self.is_opener or identity == self.me.identity:
            raise LobbyError("news.send_away")
        if self.info.member(identity) is None:
            raise LobbyError("news.nobody")
        self._refuse_if_sealed()
        return [Send(identity, Closes(self.info.id, Closing.SENT_AWAY)), *self.gone(identity)]

    def leave(self) -> list[Output]:
        """Leaves before the start."""
        if self.is_opener:
            return [Send(None, Closes(self.info.id, Closing.CLOSED)), self._closed(Closing.CLOSED)]
        return [Send(self.info.opener, Leaves(self.info.id)), Closed(Phrase("news.left"))]

    def begin(self) -> list[Output]:
        """Starts the game.

        Raises:
            LobbyError: Not all seats are taken, or not all are ready, or the own player did not open the table.
        """
        if not self.is_opener:
            raise LobbyError("news.starts")
        if not self.info.is_complete:
            raise LobbyError("news.starts_when")
        if self._nonce:
            return []
        return [self._say(Begins(self.info.id, self.info.version)), *self._commit()]

    # -- what others do

    def come(self, identity: PublicIdentity) -> list[Send]:
        """Takes note that somebody is connected, or connected anew: what may have been lost is said to them again."""
        if self.info.member(identity) is None:
            return []
        again: list[TableMessage] = []
        if self.is_opener:
            again = [Lists(self.info.id, self.info)]
        elif identity == self.info.opener:
            here = self.info.id
            again = [Joins(here, self.me), GetsReady(here, self._is_ready), StatesPurse(here, self.me.purse)]
        return [Send(identity, message) for message in (*again, *self._said)]

    def gone(self, identity: PublicIdentity) -> list[Output]:
        """Takes note that somebody's connection is lost."""
        if self.info.member(identity) is None:
            return []
        if identity == self.info.opener:
            return [Closed(Phrase("news.opener_gone"))]
        if not self.is_opener:
            return []
        return self._publish(tuple(member for member in self.info.members if member.identity != identity))

    def handle(self, sender: PublicIdentity, message: TableMessage, host: str = "", name: str = "") -> list[Output]:
        """Takes a message of this table; the sender's connection says where they are, and what they are called.

        Raises:
            MalformedError: It is not this sender's to send, or not now.
        """
        from_opener = sender == self.info.opener
        match message:
            case Joins(_, joining) if self.is_opener:
                if name and joining.name != name:
                    raise MalformedError("a player joins under the name of their connection")
                return self._admit(sender, replace(joining, host=joining.host or host))
            case GetsReady(_, ready) if self.is_opener:
                return self._update(sender, lambda member: replace(member, ready=ready))
            case StatesPurse(_, purse) if self.is_opener:
                return self._update(sender, lambda member: replace(member, purse=purse))
            case Leaves() if self.is_opener:
                return self.gone(sender)
            case Lists(_, info) if from_opener:
                return self._learn(info)
            case Closes(_, why) if from_opener:
                return [self._closed(why)]
            case Begins(_, version) if from_opener:
                here = self.info.member(self.me.identity) is not None
                if version != self.info.version or not here or not self.info.is_complete:
                    return [Closed(Phrase("news.list_changed"))]
                return [] if self._nonce else self._commit()
            case CommitsNonce(version=version) | RevealsNonce(version=version) if version > self.info.version:
                # It has overtaken the list that it is about, which comes over another connection.
                self._early = (*self._early, (sender, message))[-_MOST_EARLY:]
                return []
            case CommitsNonce(version=version) | RevealsNonce(version=version) if version < self.info.version:
                return []
            case CommitsNonce(_, _, terms, commitment):
                return self._take_commitment(sender, terms, commitment)
            case RevealsNonce(_, _, nonce):
                return self._take_nonce(sender, nonce)
            case _:
                raise MalformedError("a message from somebody else than it should be")

    def _closed(self, why: Closing) -> Closed:
        opener = next(member.name for member in self.info.members if member.identity == self.info.opener)
        return Closed(Phrase(f"closings.{why}", name=opener))

    # -- the list

    def _admit(self, sender: PublicIdentity, member: Member) -> list[Output]:
        if member.identity != sender:
            raise MalformedError("a player joins for themselves alone")
        if self.info.member(sender) is not None:
            return [Send(sender, Lists(self.info.id, self.info))]
        if not self.is_for(sender):
            return [Send(sender, Closes(self.info.id, Closing.INVITED))]
        if self.info.free_seats == 0:
            return [Send(sender, Closes(self.info.id, Closing.FULL))]
        return self._publish(self._seated((*self.info.members, replace(member, ready=False))))

    def _seated(self, members: tuple[Member, ...]) -> tuple[Member, ...]:
        places = {identity: place for place, identity in enumerate(self._seating)}
        return tuple(sorted(members, key=lambda member: places.get(member.identity, len(places))))

    def _update(self, identity: PublicIdentity, change: Callable[[Member], Member]) -> list[Output]:
        """Changes what a member says of themselves, until the list is sealed."""
        members = tuple(change(member) if member.identity == identity else member for member in self.info.members)
        return self._publish(members) if members != self.info.members and not self._is_sealed else []

    @property
    def _is_sealed(self) -> bool:
        """Whether the own nonce is out: the game may have begun for others, so the list stays as it is."""
        return self.me.identity in self._nonces

    def _refuse_if_sealed(self) -> None:
        if self._is_sealed:
            raise LobbyError("news.too_late")

    def _publish(self, members: tuple[Member, ...]) -> list[Output]:
        self._forget_nonces()
        self.info = replace(self.info, members=members, version=self.info.version + 1)
        return [Send(None, Lists(self.info.id, self.info)), Changed(self.info)]

    def _learn(self, info: TableInfo) -> list[Output]:
        if (info.id, info.opener) != (self.info.id, self.info.opener) or info.version < self.info.version:
            raise MalformedError("not a newer list of this table")
        me = info.member(self.me.identity)
        if me is not None and me.name != self.me.name:
            raise MalformedError("a list that calls a player by another name than their own")
        if info == self.info:
            return []
        self.info = info
        self._forget_nonces()
        early, self._early = self._early, ()
        return [Changed(info), *(output for sender, message in early for output in self.handle(sender, message))]

    # -- the charter

    def _forget_nonces(self) -> None:
        self._nonce = b""
        self._said = ()
        self._commitments.clear()
        self._nonces.clear()

    def _say(self, message: TableMessage) -> Send:
        self._said = (*self._said, message)
        return Send(None, message)

    def _terms(self) -> bytes:
        return digest("lobby-terms", self.info.proposal().to_value(), self.info.version)

    def _commit(self) -> list[Output]:
        self._nonce = self._rng(NONCE_BYTES)
        proposal, seat = self.info.proposal(), self._seat_of(self.me.identity)
        commitment = proposal.commit_nonce(seat, self._nonce)
        said = self._say(CommitsNonce(self.info.id, self.info.version, self._terms(), commitment))
        return [said, *self._take_commitment(self.me.identity, self._terms(), commitment)]

    def _take_commitment(self, sender: PublicIdentity, terms: bytes, commitment: bytes) -> list[Output]:
        self._seat_of(sender)
        if not self.info.is_complete:
            raise MalformedError("a commitment to a game before all are there and ready")
        if terms != self._terms():
            return [Closed(Phrase("news.list_differs"))]
        if self._commitments.setdefault(sender, commitment) != commitment:
            raise MalformedError("two commitments to a nonce")
        if not self._nonce or len(self._commitments) < len(self.info.members) or self.me.identity in self._nonces:
            return []
        said = self._say(RevealsNonce(self.info.id, self.info.version, self._nonce))
        return [said, *self._take_nonce(self.me.identity, self._nonce)]

    def _take_nonce(self, sender: PublicIdentity, nonce: bytes) -> list[Output]:
        self._seat_of(sender)
        self._nonces.setdefault(sender, nonce)
        complete = len(self._nonces) == len(self._commitments) == len(self.info.members)
        if not complete or self._has_started:
            return []
        members = [member.identity for member in self.info.members]
        commitments, nonces = ([by[one] for one in members] for by in (self._commitments, self._nonces))
        try:
            charter = Charter.sealed(self.info.proposal(), commitments, nonces)
        except (InvalidOpeningError, LocalError):
            return [Closed(Phrase("news.nonce"))]
        self._has_started = True
        return [Started(charter)]

    def _seat_of(self, identity: PublicIdentity) -> int:
        for seat, member in enumerate(self.info.members):
            if member.identity == identity:
                return seat
        raise MalformedError("somebody who is not at this table")
