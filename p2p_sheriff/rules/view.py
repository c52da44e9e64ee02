"""What one seat knows: the public state and, apart from it, the kinds of the hidden cards that it has seen."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2p_sheriff.rules.cards import Card, Handle, Kind, Seat
from p2p_sheriff.rules.state import Player, State


@dataclass(frozen=True)
class Knowledge:
    """What a seat knows privately. It never leaves that seat's node."""

    seat: Seat
    kinds: Mapping[Handle, Kind] = field(repr=False)
    """Kinds of hidden cards: the own hand, bag and stack, cards set aside."""
    bag: tuple[Handle, ...] = field(default=(), repr=False)
    """The cards in the own closed bag."""
    looked: tuple[tuple[Seat, Kind], ...] = field(default=(), repr=False)
    """Face-down goods of others that this seat has looked at: who had what then (Will Scarlet)."""


@dataclass(frozen=True)
class View:
    """The table from one seat: all that its player, or its bot, gets to see."""

    state: State
    knowledge: Knowledge

    @property
    def seat(self) -> Seat:
        """Whose view it is."""
        return self.knowledge.seat

    @property
    def me(self) -> Player:
        """What lies in front of this seat."""
        return self.state[self.seat]

    @property
    def hand(self) -> tuple[Card, ...]:
        """The own hand, cards in a closed bag included."""
        return self._known(self.me.hand)

    @property
    def stack(self) -> tuple[Card, ...]:
        """The own face-down contraband."""
        return self._known(self.me.stack)

    @property
    def bag(self) -> tuple[Card, ...]:
        """The goods in the own bag, while it is closed or being unpacked."""
        if self.me.bag and (self.me.bag.handles or self.me.bag.shown):
            return self.me.bag.shown + self._known(self.me.bag.handles)
        return self._known(tuple(handle for handle in self.knowledge.bag if handle not in self.me.men))

    @property
    def man(self) -> str | None:
        """The own merry man, by name; the first of two while one is chosen."""
        return self.knowledge.kinds[self.me.men[0]] if self.me.men else None

    def _known(self, handles: tuple[Handle, ...]) -> tuple[Card, ...]:
        return tuple(Card(handle, self.knowledge.kinds[handle], self.seat) for handle in handles)
