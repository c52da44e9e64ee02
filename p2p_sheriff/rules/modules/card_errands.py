"""Effects of merry men that move cards, or let somebody look at them (rule 16.6)."""

from collections.abc import Iterator
from dataclasses import dataclass

from p2p_sheriff.rules.cards import Handle, Kind, Seat, Zone, kinds_of
from p2p_sheriff.rules.deck import reshuffled_handles
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.modules.errands import Errand, others, take_from_piles
from p2p_sheriff.rules.moves import UseMan
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import AskDiscard, AskLayOut, DealHands, GiveCards, LookAt, Peek, RearrangeZone, Step


@dataclass(frozen=True, slots=True)
class RefillAndSwap(Errand):
    """Refill the hand, then swap hand cards for discards."""

    cards: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """There is always something to do."""
        if state[seat].hand or state.deck or reshuffled_handles(state):
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """The swap is asked for when the hand is full."""
        return state.push(DealHands((send.seat,)), AskDiscard(send.seat, self.cards, swap=True))


@dataclass(frozen=True, slots=True)
class LookAtOne(Errand):
    """Look at one face-down card of any stall."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each back; the own ones are known."""
        for owner in others(state, seat):
            yield from (UseMan(seat, who=(owner,), cards=(handle,)) for handle in state[owner].stack)

    def happen(self, state: State, send: UseMan) -> State:
        """Its owner rearranges the stack afterwards: nobody else learns which card it was."""
        (owner,), (handle,) = send.who, send.cards
        return state.push(LookAt(send.seat, owner, handle), RearrangeZone(owner, Zone.STACK))


@dataclass(frozen=True, slots=True)
class TakeGood(Errand):
    """Take one face-up good of the sheriff's stall."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each deputy and each kind."""
        for officer in state.officers:
            for kind in dict.fromkeys(kinds_of(state[officer].stall)):
                yield UseMan(seat, who=(officer,), goods=(kind,))

    def happen(self, state: State, send: UseMan) -> State:
        """The card goes over as in a deal."""
        (officer,), (kind,) = send.who, send.goods
        return state.push(GiveCards(officer, send.seat, Zone.STALL, (_one(state, officer, kind),)))


def _one(state: State, seat: Seat, kind: Kind) -> Handle:
    return next(card.handle for card in state[seat].stall if card.kind == kind)


@dataclass(frozen=True, slots=True)
class LayOne(Errand):
    """Put one legal card of the hand onto the own stall."""

    def asks(self, seat: Seat) -> Step:
        """It is asked for the card at once: none waives it."""
        return AskLayOut(seat)

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:  # noqa: ARG002 - there are none.
        """Nothing is sent."""
        return iter(())

    def happen(self, state: State, send: UseMan) -> State:  # noqa: ARG002 - nothing does.
        """Nothing happens but what the card's question brings."""
        return state


@dataclass(frozen=True, slots=True)
class DrawAndDiscard(Errand):
    """Draw goods, then discard as many cards face up."""

    cards: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """If there is something to draw."""
        if state.deck or reshuffled_handles(state):
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """The hand may be more than full for a moment."""
        size = len(state[send.seat].hand) + self.cards
        return state.push(DealHands((send.seat,), size=size), AskDiscard(send.seat, self.cards))


@dataclass(frozen=True, slots=True)
class SwapGoods(Errand):
    """Swap one face-up good for another one of equal value on another stall."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each own kind and each other kind of that value."""
        for own in dict.fromkeys(kinds_of(state[seat].stall)):
            for other in others(state, seat):
                for kind in dict.fromkeys(kinds_of(state[other].stall)):
                    if kind != own and value_of(state.setup, kind) == value_of(state.setup, own):
                        yield UseMan(seat, who=(other,), goods=(own, kind))

    def happen(self, state: State, send: UseMan) -> State:
        """Both cards go over."""
        (other,), (own, kind) = send.who, send.goods
        return state.push(
            GiveCards(send.seat, other, Zone.STALL, (_one(state, send.seat, own),)),
            GiveCards(other, send.seat, Zone.STALL, (_one(state, other, kind),)),
        )


@dataclass(frozen=True, slots=True)
class TakeTop(Errand):
    """Take the top card of a discard pile into the hand, and discard one."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each pile."""
        yield from (UseMan(seat, cards=(pile[-1].handle,)) for pile in state.piles if pile)

    def happen(self, state: State, send: UseMan) -> State:
        """What is discarded is asked for when the hand is rearranged."""
        state, steps = take_from_piles(state, send.seat, send.cards)
        return state.push(*steps, AskDiscard(send.seat, 1))


@dataclass(frozen=True, slots=True)
class TakeConfiscated(Errand):
    """Take one card confiscated this round onto the own stall."""

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """One for each card that still lies on a pile."""
        for pile in state.piles:
            for card in pile:
                if card.handle in state.confiscated and card.keeper != seat:
                    yield UseMan(seat, cards=(card.handle,))

    def happen(self, state: State, send: UseMan) -> State:
        """Legal goods go face up, others face down."""
        (card,) = (card for pile in state.piles for card in pile if card.handle in send.cards)
        return state.push(GiveCards(card.keeper, send.seat, Zone.PILES, send.cards, onto_stall=True))


@dataclass(frozen=True, slots=True)
class LookAtDeck(Errand):
    """Look at the top cards of the deck, and put them back in an order of choice."""

    cards: int

    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """If there are any: an empty deck is not reshuffled for a look."""
        if state.deck:
            yield UseMan(seat)

    def happen(self, state: State, send: UseMan) -> State:
        """They come to the owner's hand for a moment."""
        return state.push(Peek(send.seat, min(self.cards, state.deck)))
