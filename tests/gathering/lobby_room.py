"""A room of people who gather a table, without a network."""

from collections.abc import Callable, Sequence

from p2p_sheriff.gathering.gathering import Changed, Chatted, Closed, Gathering, Output, Send, Started
from p2p_sheriff.gathering.tables import Member, TableMessage
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Setup
from protocol.charter import Charter
from protocol.codec import Value, decode, encode
from protocol.group import Group
from protocol.identity import Identity, PublicIdentity
from protocol.typed import Codec
from tests.drbg import Drbg

SAID = Codec[TableMessage](TableMessage)
LOST: Value = ("lost",)
"""In place of a message that never arrives."""

Tamper = Callable[[PublicIdentity, PublicIdentity, Value], Value]


class Room:
    """Gatherings of one table, and the connections between them."""

    def __init__(self, group: Group, names: list[str], setup: Setup, purses: list[int | None] | None = None) -> None:
        self.rng = Drbg(" ".join(names))
        self.identities = {one.public: one for one in (Identity.generate(self.rng) for _ in names)}
        self.members = [
            Member(public, name, "127.0.0.1", 4000 + seat, purse)
            for seat, (public, name, purse) in enumerate(
                zip(self.identities, names, purses or [None] * len(names), strict=True)
            )
        ]
        self.group = group
        self.gatherings = {
            self.members[0].identity: Gathering.open(self.rng, self.key(self.members[0]), self.members[0], "fun", setup)
        }
        self.charters: dict[PublicIdentity, Charter] = {}
        self.closed: dict[PublicIdentity, Phrase] = {}
        self.tamper: Tamper = lambda _sender, _receiver, message: message

    def key(self, member: Member) -> Identity:
        """Returns the identity of a member; one who is new here gets one that is not theirs."""
        return self.identities.get(member.identity) or Identity.generate(self.rng)

    @property
    def opener(self) -> Gathering:
        return next(gathering for gathering in self.gatherings.values() if gathering.is_opener)

    def join(self, member: Member) -> None:
        gathering, outputs = Gathering.join(self.rng, self.key(member), member, self.opener.info)
        self.gatherings[member.identity] = gathering
        self.carry_out(member.identity, outputs)

    def fill(self) -> None:
        for member in self.members[1:]:
            self.join(member)
        self.get_ready()

    def get_ready(self) -> None:
        for gathering in list(self.gatherings.values()):
            self.act(gathering.me, lambda gathering: gathering.set_ready(True))

    def act(self, member: Member, action: Callable[[Gathering], list[Output]]) -> None:
        self.carry_out(member.identity, action(self.gatherings[member.identity]))

    def begin(self) -> Charter:
        """Starts the game; all must have the same charter then."""
        self.carry_out(self.opener.me.identity, self.opener.begin())
        assert set(self.charters) == set(self.gatherings)
        assert len({charter.game for charter in self.charters.values()}) == 1
        return self.charters[self.opener.me.identity]

    def play_again(self, charter: Charter, *order: int) -> None:
        """Lets the players come to the table of a rematch in this order; the first opens it."""
        first, *others = (self.members[number] for number in order)
        self.charters.clear()
        again = Gathering.open_again(self.rng, self.key(first), first, "again", charter)
        self.gatherings = {first.identity: again}
        for member in others:
            self.join(member)
        self.get_ready()

    def hear(self, receiver: PublicIdentity, sender: PublicIdentity, message: Value, name: str = "") -> list[Output]:
        """Lets a member hear a message as it comes over the wire."""
        return self.gatherings[receiver].handle(sender, SAID.read(message, self.group), "", name)

    def carry_out(self, sender: PublicIdentity, outputs: Sequence[Output]) -> None:
        for output in outputs:
            match output:
                case Send(to, message):
                    for receiver in list(self.gatherings) if to is None else [to]:
                        sent = self.tamper(sender, receiver, SAID.write(message))
                        if receiver != sender and sent != LOST:
                            self.carry_out(receiver, self.hear(receiver, sender, decode(encode(sent))))
                case Started(charter):
                    self.charters[sender] = charter
                case Closed(reason):
                    self.closed[sender] = reason
                case Changed() | Chatted():
                    pass
