"""What one seat saw of hidden cards, without any key: enough to see a finished game again from that seat.

Handles are never used twice, so which card was of which kind is all that there is to keep.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from p2p_sheriff.rules import Handle, Kind, Knowledge, Seat, State
from protocol.codec import Value
from protocol.group import Group
from protocol.typed import Codec, Plain


@dataclass(frozen=True, slots=True)
class Keepsake(Plain):
    """The kinds of all hidden cards that a seat has ever held."""

    seat: Seat
    kinds: Mapping[Handle, Kind] = field(default_factory=dict, repr=False)

    def knowledge(self, state: State, bag: tuple[Handle, ...] = ()) -> Knowledge | None:
        """Returns what the seat knew in a state; None if it does not remember one of its cards.

        Args:
            state: What all saw.
            bag: What is in the own closed bag, as its opening shows later.
        """
        handles = hidden(state, self.seat)
        if not all(handle in self.kinds for handle in handles):
            return None
        player = state[self.seat]
        is_closed = player.bag is not None and set(bag) <= set(player.hand)
        return Knowledge(self.seat, {handle: self.kinds[handle] for handle in handles}, bag if is_closed else ())

    def to_value(self) -> tuple[Value, ...]:
        """Returns the plain form: for each kind its cards."""
        cards: dict[Kind, list[int]] = {}
        for handle, kind in sorted(self.kinds.items()):
            cards.setdefault(kind, []).append(handle)
        return (int(self.seat), tuple((kind, tuple(handles)) for kind, handles in sorted(cards.items())))

    @classmethod
    def from_value(cls, value: Value, group: Group | None = None) -> "Keepsake":
        """Reads the plain form.

        Raises:
            MalformedError: It is something else.
        """
        seat, cards = _FORM.read(value, group)
        return cls(seat, {handle: kind for kind, handles in cards for handle in handles})


_FORM: Final = Codec[tuple[Seat, tuple[tuple[Kind, tuple[Handle, ...]], ...]]](
    tuple[Seat, tuple[tuple[Kind, tuple[Handle, ...]], ...]]
)


def hidden(state: State, seat: Seat) -> tuple[Handle, ...]:
    """Returns all hidden cards that a seat holds: hand, face-down stack, what is set aside, and the opened bag."""
    player = state[seat]
    return player.hand + player.stack + player.aside + (player.bag.handles if player.bag else ())
