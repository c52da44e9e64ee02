"""What lies on the table for all to see: the rules' state, the locked cards and the decks; proofs change it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from p2p_sheriff.rules import Handle, Input, Pack, Refusal, Seat, State, Transition, Zone
from p2p_sheriff.rules.facts import Fact
from p2p_sheriff.session.labels import GOODS, Labels, labels_of, name_of
from protocol.deck import Card
from protocol.errors import DefectError
from protocol.group import Element, Group
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
    gone: tuple[Element, ...] = ()
    """Labels that came to lie open and are never put back: orders, and laws that were laid."""

    def context(self, turn: Turn, operation: str, index: int, handles: Sequence[Handle] = ()) -> Context:
        """Returns the place of a proof about cards of this deck."""
        return turn.context(self.name, self.generation, operation, index, handles)

    def drawn(self, count: int) -> "tuple[tuple[Card, ...], Deck]":
        """Returns so many cards of the top, and the deck without them."""
        return self.undrawn[:count], replace(self, undrawn=self.undrawn[count:])


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A copy of somebody's hidden card, under the lock of who was allowed to look at it, alone."""

    seat: Seat
    owner: Seat
    handle: Handle
    """What the card was called then."""
    card: Card


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
    decks: Mapping[str, Deck] = field(default_factory=dict)
    """By name."""
    copies: Mapping[Handle, tuple[Card, ...]] = field(default_factory=dict)
    """Of cards under the locks of two deputies: for the eyes of each, a copy under that one's lock alone."""
    looks: tuple[Glimpse, ...] = ()
    """Whoever has looked at a card keeps the key of the copy, which opens nothing else: so a restart loses nothing."""
    changes: tuple[Transition, ...] = ()
    """What the last entry has put into the rules, in order."""

    @property
    def goods(self) -> Deck:
        """The deck of goods."""
        return self.decks[GOODS]

    @property
    def labels(self) -> Labels:
        """What the cards of all decks are."""
        return labels_of(self.group, self.state.setup)

    def handles_of(self, pack: Pack | None) -> tuple[Handle, ...]:
        """Returns, in order, the handles of all cards of a deck that lie somewhere."""
        return tuple(sorted(self.state.handles() if pack is None else self.state.of_pack(pack)))

    @property
    def seen(self) -> tuple[Card, ...]:
        """All cards that have a handle, and copies of cards."""
        copies = (card for cards in self.copies.values() for card in cards)
        return (*self.cards.values(), *copies, *(look.card for look in self.looks))

    @property
    def locked(self) -> tuple[Card, ...]:
        """All cards, those in decks too."""
        return (*self.seen, *(card for deck in self.decks.values() for card in (*deck.undrawn, *deck.missing)))

    def with_deck(self, deck: Deck) -> Self:
        """Returns the board with this deck in place of the one of its name."""
        return replace(self, decks={**self.decks, deck.name: deck})

    def renewed(self, old: Iterable[Handle], new: Sequence[Card]) -> tuple[Self, tuple[Handle, ...]]:
        """Returns the board without the old handles, with fresh ones for the new cards; and these."""
        first, gone = self.state.next_handle, frozenset(old)
        fresh = tuple(Handle(first + i) for i in range(len(new)))
        cards = {handle: card for handle, card in self.cards.items() if handle not in gone}
        copies = {handle: cards for handle, cards in self.copies.items() if handle not in gone}
        return replace(self, cards={**cards, **dict(zip(fresh, new, strict=True))}, copies=copies), fresh

    def without_lost(self) -> Self:
        """Returns the board without what nobody can unlock after somebody left: decks, and cards the rules took away.

        Raises:
            DefectError: The rules leave a card on the table that is under a lock of somebody who left.
        """
        packs, seats = (None, *self.state.setup.packs), set(self.state.seats)
        cards = {handle: self.cards[handle] for pack in packs for handle in self.handles_of(pack)}
        copies = {handle: copies for handle, copies in self.copies.items() if handle in cards}
        if not all(seat in seats for card in cards.values() for seat, _ in card.locks):
            raise DefectError("a card that stays on the table is under the lock of somebody who left")
        decks = {name: Deck(name, generation=deck.generation + 1, gone=deck.gone) for name, deck in self.decks.items()}
        return replace(self, cards=cards, copies=copies, decks=decks)

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
        deck = self.decks[name_of(Pack.MERRY_MEN if zone is Zone.MEN else None)]
        return deck.context(turn, "rearrange", index, handles), self.held(seat, handles)

    def held(self, seat: Seat, handles: Iterable[Handle]) -> list[Card]:
        """Returns cards that the rules take for this seat's own.

        Raises:
            DefectError: One is not under its lock alone.
        """
        cards = [self.cards[handle] for handle in handles]
        if not all(card.is_held_by(seat) for card in cards):
            raise DefectError("the rules ask for cards that are not under the lock of who is asked alone")
        return cards
