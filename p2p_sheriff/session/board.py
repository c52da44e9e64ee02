"""What lies on the table for all to see: the rules' state, the locked cards and the decks; proofs change it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from p2p_sheriff.rules import Handle, Input, Refusal, Seat, State, Transition, Zone
from p2p_sheriff.rules.facts import Fact
from p2p_sheriff.session.labels import GOODS
from protocol.deck import Card
from protocol.errors import DefectError
from protocol.group import Group
from protocol.proofs.context import Context
from protocol.randomness import Rng
from protocol.table import Turn


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck by its name, as the contexts of proofs have it."""

    name: str
    undrawn: tuple[Card, ...] = ()
    """The top first."""
    missing: tuple[Card, ...] = ()
    """Cards that stay in the box unseen (rule 12.3)."""
    generation: int = 0
    """How often it was made anew."""

    def context(self, turn: Turn, operation: str, index: int, handles: Sequence[Handle] = ()) -> Context:
        """Returns the place of a proof about cards of this deck."""
        return turn.context(self.name, self.generation, operation, index, handles)


@dataclass(frozen=True, slots=True)
class Board:
    """All that is public about cards: the same on every node, and without a secret."""

    game: bytes
    state: State
    group: Group = field(compare=False, repr=False)
    rng: Rng = field(compare=False, repr=False)
    """The verifier's own randomness."""
    cards: Mapping[Handle, Card] = field(default_factory=dict)
    """Every card that has a handle."""
    decks: Mapping[str, Deck] = field(default_factory=lambda: {GOODS: Deck(GOODS)})
    """By name."""
    changes: tuple[Transition, ...] = ()
    """What the last entry has put into the rules, in order."""

    @property
    def goods(self) -> Deck:
        """The deck of goods."""
        return self.decks[GOODS]

    def with_deck(self, deck: Deck) -> Self:
        """Returns the board with this deck in place of the one of its name."""
        return replace(self, decks={**self.decks, deck.name: deck})

    def renewed(self, old: Iterable[Handle], new: Sequence[Card]) -> tuple[Self, tuple[Handle, ...]]:
        """Returns the board without the old handles, with fresh ones for the new cards; and these."""
        first, gone = self.state.next_handle, frozenset(old)
        fresh = tuple(Handle(first + i) for i in range(len(new)))
        cards = {handle: card for handle, card in self.cards.items() if handle not in gone}
        return replace(self, cards={**cards, **dict(zip(fresh, new, strict=True))}), fresh

    # -- into the rules

    def put(self, item: Input) -> Self:
        """Returns the board after an input to the rules.

        Raises:
            Refusal: The rules do not take it.
        """
        change = Transition.of(self.state, item)
        return replace(self, state=change.after, changes=(*self.changes, change))

    def record(self, fact: Fact) -> Self:
        """Returns the board after a fact that was demanded and has been proved.

        Raises:
            DefectError: The rules do not take it: nobody but us has said it.
        """
        try:
            return self.put(fact)
        except Refusal as refusal:
            raise DefectError(f"the rules refuse what they have demanded: {refusal}") from refusal

    # -- what one seat proves about cards of its own

    def claiming(self, turn: Turn, acts: int) -> Context:
        """Returns the place of the proof of all that an entry with so many acts claims about hidden cards."""
        return self.goods.context(turn, "claim", acts)

    def rearranging(self, turn: Turn, index: int, seat: Seat, zone: Zone) -> tuple[Context, list[Card]]:
        """Returns the place of a zone's rearrangement, and its hidden cards as they lie now.

        Raises:
            DefectError: The seat does not hold them: it could not rearrange them if it wanted.
        """
        handles = self.state.hidden_in(seat, zone)
        return self.goods.context(turn, "rearrange", index, handles), self.held(seat, handles)

    def held(self, seat: Seat, handles: Iterable[Handle]) -> list[Card]:
        """Returns cards that the rules take for this seat's own.

        Raises:
            DefectError: One is not under its lock alone.
        """
        cards = [self.cards[handle] for handle in handles]
        if not all(card.is_held_by(seat) for card in cards):
            raise DefectError("the rules ask for cards that are not under the lock of who is asked alone")
        return cards
