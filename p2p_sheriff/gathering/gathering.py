"""Gathering a table: seats, options, ready, and a charter that nobody could choose alone. Pure: messages in and out.

Who opens a table keeps its list of members, and nothing else: the charter is made by all, from a list that all have
seen, with a nonce of everybody. Messages come over connections that prove who sent them.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from p2p_sheriff.gathering.agreement import Agreement, TwoFacedError, UnequalError
from p2p_sheriff.gathering.guests import Guests
from p2p_sheriff.gathering.pledges import TABLE_ID_BYTES, Agreed, Pledge, PledgeStep
from p2p_sheriff.gathering.tables import (
    MAX_PURSE,
    Chats,
    Closes,
    Closing,
    Declines,
    GetsReady,
    Joins,
    Leaves,
    Lists,
    Member,
    StatesPurse,
    TableInfo,
    TableMessage,
)
from p2p_sheriff.phrase import Phrase, Told
from p2p_sheriff.rules import BadSetup, Setup
from p2p_sheriff.session.acts import MAX_TEXT_BYTES
from p2p_sheriff.session.terms import require_playable, setup_of
from protocol.charter import Charter
from protocol.errors import InvalidSignatureError, MalformedError, VerificationError
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng

_MOST_EARLY: Final = 24
"""Messages of one member that have overtaken their list: what all six may have said of it, passed on."""


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
class Chatted:
    """A member has said something to all at the table."""

    who: PublicIdentity
    text: str


@dataclass(frozen=True, slots=True)
class Started:
    """All have agreed: the game begins."""

    charter: Charter


@dataclass(frozen=True, slots=True)
class Closed:
    """This table is over for us, before it began."""

    reason: Phrase


Output: TypeAlias = Send | Changed | Chatted | Started | Closed


def require_purse(purse: int | None) -> None:
    """Returns if the others will accept this purse.

    Raises:
        LobbyError: They will not.
    """
    if purse is not None and not 0 <= purse <= MAX_PURSE:
        raise LobbyError("news.purse", most=MAX_PURSE, purse=purse)


class Gathering:
    """One table that this node takes part in, until its game starts."""

    def __init__(
        self, rng: Rng, identity: Identity, me: Member, info: TableInfo, invited: tuple[PublicIdentity, ...] = ()
    ) -> None:
        """Takes part as ``me``, whose identity it is; see ``open``, ``open_again`` and ``join``."""
        self._rng, self._identity = rng, identity
        self.me = me
        self.info = info
        self._guests = Guests(frozenset(invited), others_too=not invited)
        self._seating = invited
        """Who sits where, also of those who are not here now; who is not in it sits behind, as they come."""
        self._agreement: Agreement | None = None
        """About the list as it is now, once something was said about it."""
        self._is_over = False
        """Whether the attempt to begin has ended, and nothing more is said about it."""
        self._early: dict[PublicIdentity, tuple[Pledge, ...]] = {}
        self.agreed: Agreed | None = None
        """The charter, and the proof that all have agreed to it."""
        self._is_ready = False

    @classmethod
    def open(cls, rng: Rng, identity: Identity, me: Member, title: str, setup: Setup) -> "Gathering":
        """Opens a table for anybody.

        Raises:
            LobbyError: It is for something that can't be played at a table yet.
        """
        try:
            require_playable(setup)
        except BadSetup as problem:
            raise LobbyError("news.unplayable", detail=str(problem)) from problem
        return cls(rng, identity, me, TableInfo(rng(TABLE_ID_BYTES), title, setup, me.identity, (me,)))

    @classmethod
    def open_again(cls, rng: Rng, identity: Identity, me: Member, title: str, charter: Charter) -> "Gathering":
        """Opens a table for a rematch: the same terms and seats, for the players of that game."""
        setup = replace(setup_of(charter), candidates=())  # Purses are stated anew.
        info = TableInfo(rng(TABLE_ID_BYTES), title, setup, me.identity, (me,), charter.game)
        return cls(rng, identity, me, info, tuple(player.identity for player in charter.players))

    @classmethod
    def join(cls, rng: Rng, identity: Identity, me: Member, info: TableInfo) -> tuple["Gathering", list[Output]]:
        """Asks whoever opened a table for a seat.

        Raises:
            LobbyError: There is none.
        """
        if info.free_seats == 0 and info.member(me.identity) is None:
            raise LobbyError("news.full")
        gathering = cls(rng, identity, me, info)
        return gathering, [Send(info.opener, Joins(info.id, me))]

    def move(self, info: TableInfo) -> tuple["Gathering", list[Output]]:
        """Goes over to another table, with the same purse, as ready as here.

        Raises:
            LobbyError: It has no free seat.
        """
        gathering, outputs = Gathering.join(self._rng, self._identity, self.me, info)
        return gathering, [*outputs, *gathering.set_ready(self._is_ready)]

    def is_for(self, identity: PublicIdentity) -> bool:
        """Whether somebody may sit down here: anybody, but at a rematch others only once it was opened to them."""
        return self._guests.is_for(identity)

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

    def chat(self, text: str) -> list[Output]:
        """Says something to all at the table.

        Raises:
            LobbyError: It is nothing, or too much.
        """
        if not 0 < len(text.encode()) <= MAX_TEXT_BYTES:
            raise LobbyError("news.chat", most=MAX_TEXT_BYTES)
        return [Send(None, Chats(self.info.id, text)), Chatted(self.me.identity, text)]

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

    def open_up(self) -> list[Output]:
        """Lets others, bots too, have the seats of those who do not play again.

        Raises:
            LobbyError: All who are missing may still come; or the own player did not open the table.
        """
        if not self.is_opener:
            raise LobbyError("news.opens_up")
        if not self._guests.has_room(self.info):
            raise LobbyError("news.seats_kept")
        self._guests = replace(self._guests, others_too=True)
        return []

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
        return self._send(self._begun().begin())

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
        return [Send(identity, message) for message in (*again, *self._known)]

    def repeat(self) -> list[Output]:
        """Says again to all what was said so far to begin the game: of two connections, one may have been dropped."""
        return [Send(None, message) for message in self._known]

    @property
    def _known(self) -> tuple[TableMessage, ...]:
        if self.agreed is not None:
            return (self.agreed,)
        return self._agreement.said if self._agreement is not None else ()

    def gone(self, identity: PublicIdentity) -> list[Output]:
        """Takes note that somebody has left, or is cut off for too long."""
        member = self.info.member(identity)
        if member is None:
            return self._decline(identity)
        if self._has_said(PledgeStep.REVEAL):
            return []  # The game may have begun for others: whoever comes back gets what is missing.
        if self._has_said(PledgeStep.ECHO):
            return self._close(Phrase("news.lost_at_start", name=member.name))
        if identity == self.info.opener:
            return [Closed(Phrase("news.opener_gone"))]
        if not self.is_opener:
            return []
        members = tuple(member for member in self.info.members if member.identity != identity)
        return self._publish(members, (*self.info.declined, *({identity} & self._guests.invited)))

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
            case Chats(_, text):
                if self.info.member(sender) is None:
                    raise MalformedError("somebody who is not at this table")
                return [Chatted(sender, text)]
            case Leaves() if self.is_opener:
                return self.gone(sender)
            case Declines() if self.is_opener:
                return self._decline(sender)
            case Lists(_, info) if from_opener:
                return self._learn(info)
            case Closes(_, why) if from_opener:
                return [] if self._has_said(PledgeStep.REVEAL) else [self._closed(why)]
            case Pledge():
                return self._hear(sender, message)
            case Agreed():
                return self._start(message)
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
        if not self._guests.has_room(self.info, sender):
            return [Send(sender, Closes(self.info.id, Closing.FULL))]
        return self._publish(self._seated((*self.info.members, replace(member, ready=False))))

    def _decline(self, identity: PublicIdentity) -> list[Output]:
        """Takes note that somebody of the last game does not play again; they may still come while there is room."""
        declined = self.info.declined
        if (
            identity not in self._guests.invited
            or identity in declined
            or self.info.member(identity)
            or self._is_sealed
        ):
            return []
        return self._publish(self.info.members, (*declined, identity))

    def _seated(self, members: tuple[Member, ...]) -> tuple[Member, ...]:
        places = {identity: place for place, identity in enumerate(self._seating)}
        return tuple(sorted(members, key=lambda member: places.get(member.identity, len(places))))

    def _update(self, identity: PublicIdentity, change: Callable[[Member], Member]) -> list[Output]:
        """Changes what a member says of themselves, until the list is sealed."""
        members = tuple(change(member) if member.identity == identity else member for member in self.info.members)
        return self._publish(members) if members != self.info.members and not self._is_sealed else []

    @property
    def _is_sealed(self) -> bool:
        """Whether this seat has echoed what all are committed to: it never returns to this list."""
        return self._has_said(PledgeStep.ECHO)

    def _refuse_if_sealed(self) -> None:
        if self._is_sealed:
            raise LobbyError("news.too_late")

    def _publish(self, members: tuple[Member, ...], declined: tuple[PublicIdentity, ...] | None = None) -> list[Output]:
        self._agreement = None
        declined = self.info.declined if declined is None else declined
        declined = tuple(one for one in declined if one not in {member.identity for member in members})
        self.info = replace(self.info, members=members, version=self.info.version + 1, declined=declined)
        return [Send(None, Lists(self.info.id, self.info)), Changed(self.info)]

    def _learn(self, info: TableInfo) -> list[Output]:
        if (info.id, info.opener) != (self.info.id, self.info.opener) or info.version < self.info.version:
            raise MalformedError("not a newer list of this table")
        if (info.setup, info.again) != (self.info.setup, self.info.again):
            raise MalformedError("what is played at a table is said when it is opened, and stays")
        me = info.member(self.me.identity)
        if me is not None and me.name != self.me.name:
            raise MalformedError("a list that calls a player by another name than their own")
        if info == self.info or self._has_said(PledgeStep.REVEAL):
            return []
        if self._is_sealed:
            return self._close(Phrase("news.list_changed"))
        self.info, self._agreement = info, None
        early, self._early = self._early, {}
        outputs: list[Output] = [Changed(info)]
        for sender, pledges in early.items():
            for pledge in pledges:
                with suppress(VerificationError):  # Its sender says it again, and is judged by that.
                    outputs += self._hear(sender, pledge)
        return outputs

    # -- the charter

    def _begun(self) -> Agreement:
        """Returns what is said about the list as it is now."""
        if self._agreement is None:
            info = self.info
            self._agreement = Agreement(self._rng, self._identity, info.id, info.version, info.proposal(), info.opener)
        return self._agreement

    def _has_said(self, step: PledgeStep) -> bool:
        return self._agreement is not None and self._agreement.has_said(step)

    def _hear(self, sender: PublicIdentity, pledge: Pledge) -> list[Output]:
        """Takes what somebody at this table has signed, from them or from somebody else there."""
        is_member = self.info.member(sender) is not None
        if pledge.version > self.info.version:
            # It has overtaken the list that it is about, which comes over another connection; never the own list.
            if is_member and not self.is_opener:
                self._early[sender] = (*self._early.get(sender, ()), pledge)[-_MOST_EARLY:]
            return []
        if pledge.version < self.info.version or self._is_over:
            return []
        if not is_member:
            raise MalformedError("somebody who is not at this table")
        if self.info.member(self.me.identity) is None or not self.info.is_complete:
            raise MalformedError("a game that begins before all are there and ready")
        agreement = self._begun()
        if pledge.terms != agreement.terms:
            return [] if self._has_said(PledgeStep.REVEAL) else self._hear_of_another_list(sender, pledge)
        try:
            said = agreement.take(pledge)
        except TwoFacedError as error:
            liar = self.info.members[pledge.seat].name
            return self._stop(agreement, Phrase("news.two_faced", name=liar), *error.evidence)
        except UnequalError as error:
            return self._stop(agreement, Phrase("news.unequal", name=self.info.members[error.seat].name))
        return [*self._send(said), *self._start(agreement.agreed)]

    def _hear_of_another_list(self, sender: PublicIdentity, pledge: Pledge) -> list[Output]:
        """Ends the attempt if the sender has signed it; what others have signed they say themselves."""
        try:
            pledge.verify(sender)
        except InvalidSignatureError:
            return []
        name = next(member.name for member in self.info.members if member.identity == sender)
        return self._close(Phrase("news.unequal", name=name))

    def _send(self, said: Sequence[TableMessage]) -> list[Output]:
        return [Send(None, message) for message in said]

    def _stop(self, agreement: Agreement, reason: Phrase, *evidence: Pledge) -> list[Output]:
        """Ends the attempt, and shows all others why; unless all have agreed already: then nothing can split them."""
        if agreement.has_said(PledgeStep.REVEAL):
            return []
        return [*self._send((*agreement.said, *evidence)), *self._close(reason)]

    def _close(self, reason: Phrase) -> list[Output]:
        """Leaves an attempt to begin that this seat will never complete."""
        self._is_over = True
        leave = [] if self.is_opener else [Send(self.info.opener, Leaves(self.info.id))]
        return [*leave, Closed(reason)]

    def _start(self, agreed: Agreed | None) -> list[Output]:
        """Starts the game, if all have agreed, this seat too: what it has signed is among what proves it.

        Raises:
            VerificationError: They have not.
        """
        if agreed is None or self.agreed is not None:
            return []
        if agreed.charter.seat_of(self.me.identity) is None:
            raise MalformedError("a game of others")
        agreed.verify()
        self.agreed = agreed
        return [Started(agreed.charter)]
