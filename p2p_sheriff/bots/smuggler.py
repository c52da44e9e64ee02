"""The smuggler: contraband whenever there is some, and money for whoever would look."""

from collections.abc import Set

from p2p_sheriff.bots.bot import Opinion
from p2p_sheriff.bots.instinct import InstinctBot, best_legal, count_declared, false_kinds, fitting, stake
from p2p_sheriff.rules.cards import Handle, Kind, Seat
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.law import contraband_kinds, declarable_kinds, is_contraband, is_legal_good, value_of
from p2p_sheriff.rules.moves import Act, Offer, Things, Verb
from p2p_sheriff.rules.stalls import open_goods
from p2p_sheriff.rules.view import View

_SHARES = (0.3, 0.5)
"""The parts of the stake that are offered, one after the other: more when the sheriff wants more."""
_MOST = 0.55
"""The part of the stake that is paid at most."""


class SmugglerBot(InstinctBot):
    """Brings in contraband and pays for it; as sheriff is open to money."""

    style = "smuggler"
    trust = 0.6

    def wanted(self, view: View) -> Set[Kind]:
        """Collect contraband."""
        return set(contraband_kinds(view.state))

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Load all contraband, the dearest first, and fill up with one legal good that can be declared."""
        state = view.state
        contraband = [card for card in view.hand if is_contraband(state, card.kind)]
        contraband.sort(key=lambda card: (-value_of(state.setup, card.kind), card.handle))
        return fitting(view, [*contraband, *best_legal(state, view.hand)])

    def declaration(self, view: View) -> Kind:
        """Declare the legal good that is in the bag; else a common one, at random."""
        legal = best_legal(view.state, view.bag)
        if legal:
            return legal[0].kind
        table = view.state.setup.table
        kinds = declarable_kinds(view.state)
        return self.rng.choices(kinds, [table[kind].count for kind in kinds])[0]

    def propose(self, view: View) -> Offer | None:
        """Offer a part of what is at stake; a greater one when the sheriff asks for more than that."""
        state = view.state
        if self.seat not in state.closed_bags or not false_kinds(view) or self.offers == len(_SHARES):
            return None
        if self.offers and not self.threatened(state):
            return None
        share = _SHARES[self.offers]
        self.offers += 1
        pay = round(stake(view) * share)
        acts = [Act(self.seat, Verb.PASS)]
        if rival := self._somebody_else(view):
            acts.append(Act(rival, Verb.INSPECT))
        return self.offer(view, self._things(view, pay), *acts)

    def _things(self, view: View, pay: int) -> Things:
        """Pay in gold; when there is not enough, with what lies on the stall, and with what is in the bag."""
        gold = min(pay, view.me.gold)
        if gold == pay:
            return Things(gold)
        kinds = [kind for kind, _ in open_goods(view.state, self.seat) if is_legal_good(view.state, kind)]
        stall = ((kinds[0], 1),) if kinds else ()
        return Things(gold, stall, bag_blind=1)

    def _somebody_else(self, view: View) -> Seat | None:
        """Point at another merchant now and then."""
        others = [seat for seat in view.state.closed_bags if seat != self.seat]
        return self.rng.choice(others) if others and self.rng.random() < 0.1 else None

    def agrees(self, view: View, offer: Offer) -> bool:
        """Pay for the own bag up to a good part of the stake."""
        return Act(self.seat, Verb.PASS) in offer.acts and offer.gift.things.gold <= stake(view) * _MOST

    def first_thought(self, view: View, bag: Seat) -> Opinion:
        """Ask for two gold per card and a little more, and look into every other bag that does not pay."""
        price = 2 * count_declared(view.state, bag)
        inspect = self.rng.random() < 0.5
        bribe = bribe_for_passing(view.state, bag, (self.seat,))
        paid = bribe is not None and self.worth(view.state, bribe) >= price
        return Opinion(inspect, price, 3, 0 if paid else price + 2)
