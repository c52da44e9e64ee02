"""A cheating player: the honest session, with one entry changed right before it is signed."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from p2p_sheriff.rules import Claim, Handle, Move
from p2p_sheriff.rules.moves import Talk
from p2p_sheriff.session.acts import FREE, Act, Moves, Negotiates, Payload, Request
from p2p_sheriff.session.labels import GOODS, labels_of
from p2p_sheriff.session.passes import Tossing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import setup_of
from protocol.charter import Charter
from protocol.codec import Value
from protocol.deck import Change
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import VerificationError
from protocol.group import ELEMENT_BYTES, Edwards25519, Element, Group
from protocol.identity import Identity
from protocol.proofs import membership
from protocol.randomness import Rng
from protocol.table import Event, Table
from protocol.zones import Statement

Lie: TypeAlias = Callable[["Cheat", Payload], Payload | None]
"""What to sign in place of an honest payload; None: that one is not to be lied about."""

Version: TypeAlias = Callable[["Cheat", Entry, Act], Act | None]
"""What to say in place of the first act of an entry, if anything."""

Tamper: TypeAlias = Callable[["Cheat", int, int, bytes], bytes | None]
"""What becomes of a message from one seat to another, at a table with this cheat."""

Waits: TypeAlias = Callable[["Cheat"], bool]
"""Whether to leave a duty undone now."""


def honest(_cheat: "Cheat", _payload: Payload) -> None:
    """No lie at all: for who cheats by what else is done."""


def never(_cheat: "Cheat") -> bool:
    """Every duty is done."""
    return False


class LyingTable(Table[Play]):
    """The honest table, that lets its player change a slot entry before it is signed."""

    def __init__(self, charter: Charter, game: Play, identity: Identity, change: Callable[[Value], Value]) -> None:
        super().__init__(charter, game, identity)
        self._change = change

    def write(self, payload: Value, *, free: bool = False) -> tuple[bytes, list[Event]]:
        return super().write(payload if free else self._change(payload), free=free)

    def settle(self) -> bool:
        """Does not look back at what was signed."""
        return False


class Cheat(Session):
    """An honest player but for what the lie changes, or for a duty that is left undone."""

    def __init__(
        self,
        charter: Charter,
        identity: Identity,
        group: Group,
        rng: Rng,
        lie: Lie,
        waits: Waits,
        *,
        hasty: bool = True,
    ) -> None:
        super().__init__(charter, identity, group, rng)
        self.table = LyingTable(charter, Play.begin(charter.game, setup_of(charter), group, rng), identity, self._twist)
        self.before = self.play
        """The game before the own last entry that takes a step, as all had it."""
        self.before_step: dict[int | None, Play] = {}
        """The same of each step: this node does not look back at what it has signed, and goes on after a lie."""
        self.has_lied = False
        self.group, self.rng = group, rng
        self._identity, self._lie, self._waits, self._hasty = identity, lie, waits, hasty

    def _twist(self, payload: Value) -> Value:
        self.before = self.before_step[self.table.step] = self.play
        lie = self._lie(self, Payload.from_value(payload))
        self.has_lied = self.has_lied or lie is not None
        return payload if lie is None else lie.to_value()

    def advance(self) -> bool:
        return not self._waits(self) and super().advance()

    def _may_release(self) -> bool:
        """Gives secrets away without waiting for anybody; a share of a coin, which all would refuse, only if hasty."""
        return self._hasty or not isinstance(self.play.passing, Tossing) or super()._may_release()

    def _write(self, first: Act) -> None:
        try:
            super()._write(first)
        except VerificationError:  # The honest code would rather stop than write what all will refuse.
            self._send(self.table.write(Payload((first,)).to_value()))

    # -- what the honest code would refuse to write

    def sign(
        self, payload: Value = None, *, step: int | None = None, author: int | None = None, heads: Sequence[Head] = ()
    ) -> bytes:
        """Signs anything, true or not, without taking it into the own chain."""
        seat = self.seat if author is None else author
        entry = Entry(self.table.charter.game, seat, tuple(heads) or self.table.transcript.heads, step, payload)
        return SignedEntry.sign(self._identity, entry).to_bytes()

    def push(self, *acts: Act, step: int | None = None) -> None:
        """Writes an entry that takes a step, by default the current one, whoever's turn it is."""
        self.before, self.has_lied = self.play, True
        data = self.sign(Payload(acts).to_value(), step=self.table.step if step is None else step)
        self.outbox.append(data)
        self._note(self.table.receive(data))

    def whisper(self, move: Talk | Request) -> None:
        """Says what the rules would refuse."""
        self._send(self.table.write(FREE.write(Negotiates(move)), free=True))

    def claim(self, acts: int, claims: Sequence[Claim]) -> bytes:
        """Proves what an entry of so many acts shows of these cards, as far as it is true."""
        labels = labels_of(self.group, self.play.state.setup)
        return self.prove(acts, [Statement(self.play.cards[handle], labels.among((kind,))) for handle, kind in claims])

    def prove(self, acts: int, statements: Sequence[Statement]) -> bytes:
        """Makes a proof even of what is false: of such a card, that it is the first one of the set."""
        context = self.table.turn().context(GOODS, self.play.goods.generation, "claim", acts)
        claims = [statement.claim(self.seat) for statement in statements]
        points = [self.secrets._open(statement.card) for statement in statements]
        openings = [
            membership.Opening(self.secrets.keys[claim.key].k, claim.among.index(point) if point in claim.among else 0)
            for claim, point in zip(claims, points, strict=True)
        ]
        return membership.prove(self.group, context, claims, openings, self.rng).to_bytes()

    def written_by(self, seat: int) -> Iterator[Payload]:
        """Yields what a seat has written so far that takes a step."""
        for signed in self.table.transcript.chains[seat]:
            if signed.entry.step is not None:
                yield Payload.from_value(signed.entry.payload)

    def knows(self, handle: Handle) -> str:
        """Returns the kind of an own card."""
        return self.secrets.kind_of(self.play, handle)


def lies(kind: type[Act], change: Callable[[Cheat, Act], Act]) -> Lie:
    """Returns the lie that changes the first act of that kind, and leaves the entry's proof as it is."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        if not any(isinstance(act, kind) for act in payload.acts):
            return None
        return replace(
            payload, acts=tuple(change(cheat, act) if isinstance(act, kind) else act for act in payload.acts)
        )

    return lie


def moves_instead(kind: type[Move], change: Callable[[Cheat, Move], Move]) -> Lie:
    """Returns the lie that makes another move in place of the first one of that kind."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        match payload.acts[0]:
            case Moves(move) if isinstance(move, kind):
                return Payload((Moves(change(cheat, move)),))
            case _:
                return None

    return lie


def tells_differently(receiver: int, other: Version) -> Tamper:
    """Returns a network on which one peer gets another version of one of the cheat's entries, signed like the first."""

    def tamper(cheat: Cheat, sender: int, to: int, data: bytes) -> bytes:
        entry = SignedEntry.from_bytes(cheat.table.charter, data).entry
        if cheat.has_lied or entry.step is None or (sender, entry.author, to) != (cheat.seat, cheat.seat, receiver):
            return data
        version = other(cheat, entry, Payload.from_value(entry.payload).acts[0])
        if version is None:
            return data
        cheat.has_lied = True
        return cheat.sign(Payload((version,)).to_value(), step=entry.step, heads=entry.heads)

    return tamper


def points_of(change: Change) -> list[Element]:
    """Returns the points of a change of cards."""
    return list(change.decode_points(Edwards25519(), len(change.points) // ELEMENT_BYTES))


def with_points(change: Change, points: Sequence[Element]) -> Change:
    """Returns the change with other points, and the proof that it had."""
    return replace(change, points=b"".join(points))
