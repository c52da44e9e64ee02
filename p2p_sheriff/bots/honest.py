"""The honest merchant: says what is in the bag, and rarely pays for being believed."""

from collections.abc import Set
from math import inf

from p2p_sheriff.bots.bot import Opinion
from p2p_sheriff.bots.instinct import InstinctBot, best_legal, false_kinds, fitting, stake
from p2p_sheriff.rules.cards import Handle, Kind, Seat
from p2p_sheriff.rules.law import declarable_kinds, value_of
from p2p_sheriff.rules.moves import Act, Offer, Things, Verb
from p2p_sheriff.rules.view import View


class HonestBot(InstinctBot):
    """Declares truly; as sheriff mostly believes people, but not those who have lied or who offer money."""

    style = "honest"
    trust = 0.5

    def wanted(self, view: View) -> Set[Kind]:
        """Collect the legal good of which the hand holds most."""
        return {card.kind for card in best_legal(view.state, view.hand)}

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Load all of one legal good; without any, the cheapest card."""
        cheapest = min(view.hand, key=lambda card: (value_of(view.state.setup, card.kind), card.handle))
        return fitting(view, best_legal(view.state, view.hand) or (cheapest,))

    def declaration(self, view: View) -> Kind:
        """Tell the truth as far as it can be told."""
        legal = declarable_kinds(view.state)
        return next((card.kind for card in view.bag if card.kind in legal), legal[0])

    def propose(self, view: View) -> Offer | None:
        """Offer a coin or two now and then, to be left alone."""
        if self.seat not in view.state.closed_bags or self.offers:
            return None
        self.offers += 1
        if self.rng.random() < 0.07 or false_kinds(view):
            return self.offer(view, Things(min(2, view.me.gold)), Act(self.seat, Verb.PASS))
        return None

    def agrees(self, view: View, offer: Offer) -> bool:
        """Pay only for a bag that could not be declared truly, and for the own one alone."""
        return offer.acts == (Act(self.seat, Verb.PASS),) and offer.gift.things.gold <= stake(view) / 2

    def first_thought(self, view: View, bag: Seat) -> Opinion:  # noqa: ARG002 - people matter here, not the table.
        """Look into the bags of liars and of people with money in their hand; believe the others."""
        suspicion = 0.12
        if self.memory.has_lied(bag):
            suspicion += 0.4
        if self.memory.stories[bag].bribe is not None:
            suspicion += 0.2
        inspect = self.rng.random() < suspicion
        return Opinion(inspect, inf if inspect else 0, 5 if self.memory.has_lied(bag) else inf)
