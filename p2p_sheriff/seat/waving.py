"""Lets all bags pass that are left, one after the other: as long as nothing else is said or done about them."""

from dataclasses import dataclass

from p2p_sheriff.rules import Choice, Seat, View
from p2p_sheriff.rules.deals import deciding
from p2p_sheriff.rules.moves import Verb
from p2p_sheriff.seat.deciding import BagMove, decision
from p2p_sheriff.seat.picture import Picture


@dataclass(frozen=True, slots=True)
class Waving:
    """What an officer had before them when they decided that all the rest may pass."""

    round: int
    bags: frozenset[Seat]
    """Those that are still to pass."""
    offers: frozenset[tuple[Seat, int]]

    @classmethod
    def begin(cls, view: View) -> "Waving":
        """Returns what holds now: the bags that the officer has a say about, and a deputy has not yet let pass."""
        state = view.state
        bags = (bag for bag in state.closed_bags if view.seat in deciding(state, bag))
        unsaid = (
            bag for bag in bags if (word := state.bag_of(bag).stance(view.seat)) is None or word.verb != Verb.PASS
        )
        return cls(state.round, frozenset(unsaid), _offers(view))

    def next(self, picture: Picture) -> "tuple[Waving | None, BagMove | None]":
        """Returns what is left of it, and the bag that passes now; nothing is left when something new has come."""
        view = picture.view
        if view is None or view.state.round != self.round or not self.bags:
            return None, None
        if not _offers(view) <= self.offers:
            return None, None
        if picture.choice is not Choice.ACT:
            return self, None  # The bag before is still being opened.
        if not self.bags <= set(view.state.closed_bags):
            return None, None
        bag = next(bag for bag in view.state.closed_bags if bag in self.bags)
        return Waving(self.round, self.bags - {bag}, self.offers), decision(view, bag, Verb.PASS)


def _offers(view: View) -> frozenset[tuple[Seat, int]]:
    return frozenset((one.offer.seat, one.offer.number) for one in view.state.offers)
