"""Bots that play by rules of thumb: they make up their mind about a bag once, and don't reckon."""

from abc import abstractmethod
from collections.abc import Iterable, Set
from random import Random

from p2p_sheriff.bots.bot import Bot, Opinion
from p2p_sheriff.bots.routine import by_kind
from p2p_sheriff.rules.cards import Card, Handle, Kind, Seat
from p2p_sheriff.rules.law import bag_limits, fine_of, is_legal_good, value_of
from p2p_sheriff.rules.market import cards_needed
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.view import View


class InstinctBot(Bot):
    """What honest people, smugglers and gamblers have in common."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        super().__init__(seat, rng)
        self.offers = 0
        """How many offers this merchant has thought of this round."""
        self._thoughts: dict[Seat, Opinion] = {}

    @abstractmethod
    def wanted(self, view: View) -> Set[Kind]:
        """Return the goods to keep at the market, and to take from a discard pile."""

    @abstractmethod
    def first_thought(self, view: View, bag: Seat) -> Opinion:
        """Return what this officer thinks of a bag at first sight."""

    def new_round(self) -> None:
        """Forget the offers and opinions of the last round."""
        self.offers = 0
        self._thoughts.clear()

    def opinion(self, view: View, bag: Seat) -> Opinion:
        """Stay with the first thought; money is asked for once."""
        thought = self._thoughts.get(bag)
        if thought is None:
            thought = self._thoughts[bag] = self.first_thought(view, bag)
        if thought.ask and self.asked[bag]:
            return Opinion(thought.inspect, thought.pass_price, thought.inspect_price)
        return thought

    def discard(self, view: View) -> tuple[Handle, ...]:
        """Set aside what is not wanted, the cheapest first."""
        wanted, setup = self.wanted(view), view.state.setup
        unwanted = [card for card in view.hand if card.kind not in wanted]
        return tuple(
            card.handle for card in sorted(unwanted, key=lambda card: (value_of(setup, card.kind), card.handle))
        )

    def take(self, view: View) -> tuple[int, int]:
        """Take from both piles as long as what lies on top is wanted."""
        wanted, need = self.wanted(view), cards_needed(view.state, self.seat)
        counts = [0, 0]
        for index, pile in enumerate(view.state.piles):
            for card in reversed(pile):
                if sum(counts) == need or card.kind not in wanted:
                    break
                counts[index] += 1
        return counts[0], counts[1]


def best_legal(state: State, cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return the cards of the legal good of which there is most value here; none if there is no legal good."""
    groups = by_kind(tuple(card for card in cards if is_legal_good(state, card.kind)))
    best = max(groups.values(), key=lambda group: value_of(state.setup, group[0].kind) * len(group), default=[])
    return tuple(best)


def fitting(view: View, cards: Iterable[Card]) -> tuple[Handle, ...]:
    """Return the handles of as many of these cards as go into the bag."""
    _, most = bag_limits(view.state, view.seat)
    return tuple(sorted(card.handle for card in list(cards)[:most]))


def false_kinds(view: View) -> list[Kind]:
    """Return what makes the own declared bag a lie, card by card."""
    declared = view.me.bag.kind if view.me.bag else None
    return [card.kind for card in view.bag if card.kind != declared]


def stake(view: View) -> int:
    """Return what an inspection would cost: the goods confiscated, and the fines."""
    return sum(value_of(view.state.setup, kind) + fine_of(view.state, kind) for kind in false_kinds(view))


def count_declared(state: State, bag: Seat) -> int:
    """Return the number declared for a bag."""
    return state.bag_of(bag).count or 0
