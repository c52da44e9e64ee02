"""What merry men do when they get in (rule 16.6): the frame that all their effects fit into.

`options` lists every way in which an effect can be used now, as all can see; `happen` carries one of them out. It does
what it can, the rest lapses, and it may be waived as a whole (rule 16.3). Where it says sheriff, its owner picks one
deputy; gifts go to neither (rule 10.7).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

from p2p_sheriff.rules.cards import Handle, Seat, Zone
from p2p_sheriff.rules.gifts import pay_gold
from p2p_sheriff.rules.market import remove_from_piles
from p2p_sheriff.rules.moves import UseMan, Verb
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import AskErrand, GiveCards, OpenBag, RearrangeZone, Step


class Errand(ABC):
    """The effect of a merry man."""

    __slots__ = ()

    def asks(self, seat: Seat) -> Step:
        """Return the question to his owner."""
        return AskErrand(seat)

    @abstractmethod
    def options(self, state: State, seat: Seat) -> Iterator[UseMan]:
        """Give every way to use it; waiving comes besides."""

    def waivers(self, state: State, seat: Seat) -> tuple[UseMan, ...]:  # noqa: ARG002 - one of them costs something.
        """Return the ways not to use it."""
        return (UseMan(seat, use=False),)

    @abstractmethod
    def happen(self, state: State, send: UseMan) -> State:
        """Carry out one of the options."""


def others(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return all other players, from the owner's left."""
    return state.clockwise_after(seat)[:-1]


def merchants_besides(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return who may get a gift: neither the owner nor anybody in office."""
    return tuple(other for other in others(state, seat) if other not in state.officers)


def have_passed(state: State) -> tuple[Seat, ...]:
    """Return the merchants whose bags have passed this round, from the sheriff's left."""
    bags = ((seat, state[seat].bag) for seat in state.merchants)
    return tuple(seat for seat, bag in bags if bag and bag.fate is Verb.PASS and OpenBag(seat) not in state.todo)


def collect(state: State, payers: tuple[Seat, ...], receiver: Seat, gold: int) -> State:
    """Have everyone of these pay so much, or all they have (rule 7.16)."""
    for payer in payers:
        state = pay_gold(state, payer, receiver, min(gold, state[payer].gold))
    return state


def take_from_piles(state: State, seat: Seat, handles: tuple[Handle, ...]) -> tuple[State, tuple[Step, ...]]:
    """Take open discards into the hand: own ones at once; whoever discarded the others gives them."""
    cards = [card for pile in state.piles for card in pile if card.handle in handles]
    own = tuple(card.handle for card in cards if card.keeper == seat)
    state = remove_from_piles(state, own).with_player(seat, hand=state[seat].hand + own)
    gifts = tuple(
        GiveCards(keeper, seat, Zone.PILES, tuple(card.handle for card in cards if card.keeper == keeper))
        for keeper in dict.fromkeys(card.keeper for card in cards if card.keeper != seat)
    )
    return state, (*gifts, RearrangeZone(seat, Zone.HAND))
