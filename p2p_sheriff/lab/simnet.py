"""N real sessions in memory: real entries, real proofs, and a network that loses, repeats, delays and tampers.

For tests and the benchmark. The network is the only thing that is simulated: what arrives is verified as anywhere.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from p2p_sheriff.rules import Choice, Input, LoadBag, Move, Setup, View
from p2p_sheriff.session.happenings import GameEvent, Happened
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.terms import propose
from protocol.charter import NONCE_BYTES, Charter, Player
from protocol.errors import LocalError, VerificationError
from protocol.group import Group
from protocol.identity import SEED_BYTES, Identity
from protocol.randomness import Rng


class Chooser(Protocol):
    """Who makes the choices of one seat."""

    def observe(self, item: Input) -> None:
        """Takes note of what all have seen."""
        ...

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        """Makes any other choice."""
        ...

    def negotiate(self, view: View) -> Move | None:
        """Says something while bags are negotiated about, or nothing."""
        ...


def open_table(setup: Setup, group: Group, rng: Rng, names: Sequence[str] = ()) -> list[Session]:
    """Seats players with fresh identities: proposal, nonces committed and revealed, charter, sessions."""
    identities = [Identity(rng(SEED_BYTES)) for _ in range(setup.players)]
    names = names or [f"player {seat}" for seat in range(setup.players)]
    players = [Player(identity.public, name) for identity, name in zip(identities, names, strict=True)]
    proposal = propose(players, setup)
    nonces = [rng(NONCE_BYTES) for _ in identities]
    commitments = [proposal.commit_nonce(seat, nonce) for seat, nonce in enumerate(nonces)]
    charter = Charter.sealed(proposal, commitments, nonces)
    return [Session(charter, identity, group, rng) for identity in identities]


@dataclass(slots=True)
class Traffic:
    """What went over the network."""

    entries: int = 0
    lost: int = 0
    refused: list[tuple[int, VerificationError]] = field(default_factory=list)
    """Bytes that a node refused to take as an entry, and why."""


@dataclass(frozen=True, slots=True)
class Weather:
    """How bad the network is: each a probability from 0 to 1."""

    loss: float = 0.0
    duplicates: float = 0.0
    disorder: float = 0.0
    """How likely something else than the oldest message arrives next."""


class Simnet:
    """A table of sessions and the network between them."""

    def __init__(
        self,
        sessions: Sequence[Session],
        choosers: Sequence[Chooser],
        rng: Random,
        weather: Weather | None = None,
        tamper: Callable[[int, int, bytes], bytes | None] = lambda _sender, _receiver, data: data,
    ) -> None:
        """Connects the sessions.

        Args:
            sessions: By seat.
            choosers: Who chooses for each seat.
            rng: Drives the network alone.
            weather: How bad the network is; perfect by default.
            tamper: What becomes of a message from one seat to another: other bytes, or None if it vanishes for good.
        """
        self.sessions, self._choosers = list(sessions), list(choosers)
        self.traffic = Traffic()
        self.events: list[tuple[int, GameEvent]] = []
        """Everything that happened on any node, with its seat."""
        self._rng, self._weather, self._tamper = rng, weather or Weather(), tamper
        self._in_flight: list[tuple[int, int, bytes]] = []

    def run(self, until: Callable[[Play], bool] = lambda _: False, limit: int = 100_000) -> None:
        """Plays until every node's game is so, or nothing happens any more: it is over, or waits for somebody.

        Raises:
            LocalError: It took more steps than the limit.
        """
        for _ in range(limit):
            if all(until(session.play) for session in self.sessions):
                return
            if not (self._work() or self._deliver() or self._choose() or self._resend()):
                return
        raise LocalError(f"the game did not come to rest in {limit} steps")

    @property
    def is_over(self) -> bool:
        """Whether every node has the result, signed by all."""
        return all(session.play.is_over for session in self.sessions)

    # -- the network

    def _flush(self, seat: int) -> None:
        session, chooser = self.sessions[seat], self._choosers[seat]
        for data in session.outbox:
            self.traffic.entries += 1
            self._send(seat, data)
        for event in session.events:
            self.events.append((seat, event))
            for item in event.inputs if isinstance(event, Happened) else ():
                chooser.observe(item)
        session.outbox.clear()
        session.events.clear()

    def _send(self, sender: int, data: bytes, receivers: Sequence[int] = ()) -> int:
        """Sends to these, or to all others; returns to how many, those included where it gets lost on the way."""
        count = 0
        for receiver in receivers or range(len(self.sessions)):
            if receiver == sender:
                continue
            sent = self._tamper(sender, receiver, data)
            if sent is None:
                continue
            count += 1
            if self._rng.random() < self._weather.loss:
                self.traffic.lost += 1
                continue
            copies = 2 if self._rng.random() < self._weather.duplicates else 1
            self._in_flight += [(sender, receiver, sent)] * copies
        return count

    def _deliver(self) -> bool:
        if not self._in_flight:
            return False
        disordered = self._rng.random() < self._weather.disorder
        place = self._rng.randrange(len(self._in_flight)) if disordered else 0
        _, receiver, data = self._in_flight.pop(place)
        try:
            self.sessions[receiver].receive(data)
        except VerificationError as error:
            self.traffic.refused.append((receiver, error))
        self._flush(receiver)
        return True

    def _resend(self) -> bool:
        """Sends everybody what somebody else has and they lack; returns whether anything was sent, lost or not."""
        sent = 0
        for receiver, session in enumerate(self.sessions):
            transcript, blamed = session.table.transcript, session.table.faults
            for sender, other in enumerate(self.sessions):
                for seat, chain in enumerate(other.table.transcript.chains):
                    for signed in chain[len(transcript.chains[seat]) :] if seat not in blamed else ():
                        if transcript.get(seat, signed.entry.sequence) is None:
                            sent += self._send(sender, signed.to_bytes(), [receiver])
        return sent > 0

    # -- the players

    def _work(self) -> bool:
        worked = False
        for seat, session in enumerate(self.sessions):
            while session.advance():
                worked = True
            self._flush(seat)
        return worked

    def _choose(self) -> bool:
        return any(self._choose_for(seat) for seat in range(len(self.sessions)))

    def _choose_for(self, seat: int) -> bool:
        """Lets one player choose, or say something before the sheriff does."""
        session, chooser = self.sessions[seat], self._choosers[seat]
        choice = session.choice()
        if choice is None:
            return False
        if choice is Choice.ACT and self._negotiate(seat):
            return True
        move = chooser.choose(session.view(), choice)
        if move is None:
            return False
        session.submit(move)
        self._flush(seat)
        return True

    def _negotiate(self, sheriff: int) -> bool:
        """Lets every merchant speak; returns whether one did."""
        spoken = False
        for seat, (session, chooser) in enumerate(zip(self.sessions, self._choosers, strict=True)):
            if seat != sheriff and (move := chooser.negotiate(session.view())) is not None:
                session.submit(move)
                self._flush(seat)
                spoken = True
        return spoken
