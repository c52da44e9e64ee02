"""Whom a node knows, and where they may be: companions always, strangers while there is room and it is not in vain."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import inf
from typing import Final

from p2p_sheriff.node.dials import Dials, Place
from p2p_sheriff.node.discovery import Found
from p2p_sheriff.node.farewell import Why
from p2p_sheriff.node.limits import Limits
from p2p_sheriff.node.transport import Connection
from p2p_sheriff.node.wire import Address
from protocol.identity import PublicIdentity

_MOST_ADDRESSES: Final = 8
_MOST_HINTS: Final = 4
"""Of one peer."""


@dataclass(slots=True)
class Peer:
    """What is known of another node: where it may be, and the connection if there is one."""

    name: str = ""
    addresses: list[Place] = field(default_factory=list)
    hints: list[Place] = field(default_factory=list)
    """Where others say that it is: tried last."""
    connection: Connection | None = None
    heard: float = 0.0
    lost: float = inf
    """When the connection broke off; never, if there was none yet."""
    dialling: bool = False
    next_dial: float = 0.0
    back_off: float = 0.0
    wanted: bool = False
    """Whether it is worth dialling: it was found, or sits at our table."""
    asked_for: bool = False
    """Whether the player has typed its address: it is never forgotten."""
    failures: int = 0
    """How often it was dialled in vain since it was there."""
    refused_at: frozenset[Place] = frozenset()
    """Where one of us has refused the other for good: it is not dialled there again."""
    refusals: set[Why] = field(default_factory=set)
    """What the player was told of why there is no connection."""

    def learn(self, *addresses: Place) -> None:
        """Puts addresses before those that are known."""
        known = (address for address in self.addresses if address not in addresses)
        self.addresses = [*addresses, *known][:_MOST_ADDRESSES]

    @property
    def places(self) -> list[Place]:
        """Where to dial it."""
        return list(dict.fromkeys((*self.addresses, *self.hints)))


class Acquaintances:
    """All peers of a node. Companions share its game or table."""

    def __init__(self, limits: Limits, dials: Dials, is_companion: Callable[[PublicIdentity], bool]) -> None:
        """Takes how many strangers may be remembered, and where it is in vain to dial them."""
        self.peers: dict[PublicIdentity, Peer] = {}
        self._limits, self._dials, self._is_companion = limits, dials, is_companion

    def find(self, found: Found, now: float) -> bool:
        """Returns whether somebody who has announced to be there may be dialled; makes room for one more stranger."""
        if found.identity in self.peers or self._is_companion(found.identity):
            return True
        is_futile = all(self._dials.is_futile((host, found.port), now) for host in found.hosts)
        return not is_futile and self._make_room()

    def _make_room(self) -> bool:
        """Whether one more stranger may be remembered: for whom was dialled in vain most often is forgotten."""
        waiting = {who: peer for who, peer in self.peers.items() if self._may_forget(who, peer)}
        if len(waiting) < self._limits.strangers_known:
            return True
        worst = max(waiting, key=lambda who: (bool(waiting[who].refusals), waiting[who].failures))
        if not waiting[worst].failures:
            return False
        del self.peers[worst]
        return True

    def fail(self, identity: PublicIdentity, peer: Peer, now: float) -> None:
        """Notes that somebody was dialled in vain: a stranger is forgotten when that was often enough.

        Not who has refused us for a reason that people were told: they would be told again.
        """
        peer.failures += 1
        if peer.failures >= self._limits.failures and not peer.refusals and self._may_forget(identity, peer):
            self._dials.leave_alone(peer.places, now)
            self.peers.pop(identity, None)

    def lose(self, identity: PublicIdentity, peer: Peer) -> None:
        """Notes that a connection is over: who only called us is forgotten with it, others if there are too many."""
        if self._may_forget(identity, peer):
            del self.peers[identity]
            if peer.wanted and self._make_room():
                self.peers[identity] = peer

    def hint(self, others: Iterable[Address]) -> None:
        """Takes a companion's hints about companions whom this node misses: about nobody else."""
        for other in others:
            identity = PublicIdentity(other.key)
            peer = self.peers.get(identity)
            if peer is not None and peer.connection is None and other.host and self._is_companion(identity):
                hints = ((other.host, other.port), *peer.hints)
                peer.hints = list(dict.fromkeys(hints))[:_MOST_HINTS]

    def is_companions_address(self, host: str) -> bool:
        """Whether a companion may be at an address."""
        # In this order: it is asked for each call of a crowd, and who is a companion takes longer to say.
        there = (who for who, peer in self.peers.items() if any(host == known for known, _ in peer.addresses))
        return any(self._is_companion(who) for who in there)

    def has_met(self, identity: PublicIdentity) -> bool:
        """Whether somebody is a companion, or there is or was a connection with them."""
        peer = self.peers.get(identity)
        return self._is_companion(identity) or (peer is not None and (peer.connection is not None or peer.lost < inf))

    def _may_forget(self, identity: PublicIdentity, peer: Peer) -> bool:
        return peer.connection is None and not peer.asked_for and not self._is_companion(identity)
