"""What one seat saw of hidden cards, without any key: enough to see a finished game again from that seat.

Handles are never used twice, so which card was of which kind is all that there is to keep.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from p2p_sheriff.rules import Handle, Kind, Knowledge, Seat, State
from p2p_sheriff.rules.facts import Looked
from protocol.codec import Value
from protocol.group import Group
from protocol.typed import Codec, Plain


@dataclass(frozen=True, slots=True)
class Keepsake(Plain):
    """The kinds of all hidden cards that a seat has ever held, or looked at."""

    seat: Seat
    kinds: Mapping[Handle, Kind] = field(default_factory=dict, repr=False)

    def knowledge(self, state: State, bag: tuple[Handle, ...] = (), looks: Sequence[Looked] = ()) -> Knowledge | None:
        """Returns what the seat knew in a state; None if it does not remember one of its cards.

        Args:
            state: What all saw.
            bag: What is in the own closed bag, as its opening shows later.
            looks: At which cards anybody has looked so far.
        """
        handles = state.hidden_of(self.seat)
        if not all(handle in self.kinds for handle in handles):
            return None
        player = state[self.seat]
        is_closed = player.bag is not None and set(bag) <= {*player.hand, *player.men}
        own = (look for look in looks if look.seat == self.seat and look.handle in self.kinds)
        looked = tuple((look.owner, self.kinds[look.handle]) for look in own)
        return Knowledge(
            self.seat, {handle: self.kinds[handle] for handle in handles}, bag if is_closed else (), looked
        )

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
