"""The shrewd player: counts cards, remembers people, and puts a price on everything."""

from random import Random

from p2p_sheriff.bots.appraisal import Appraiser
from p2p_sheriff.bots.bot import Bot, Opinion
from p2p_sheriff.bots.outlook import cards_to_set_aside, cards_to_take
from p2p_sheriff.bots.people import Suspicion
from p2p_sheriff.bots.reckoning import Reckoning
from p2p_sheriff.bots.worth import cheapest_bribe, things_value
from p2p_sheriff.rules.cards import Handle, Kind, Seat
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.law import declarable_kinds, fine_of
from p2p_sheriff.rules.moves import Act, Offer, Things, Verb
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.view import View

_FALSE_FINE = 3.5
_FALSE_VALUE = 6.0
"""What a confiscated card costs its owner: the mean fine, and the mean value."""
_THREAT = 0.5
"""How likely an officer who asked for money, or acts alone, looks into a bag that does not pay."""
_ASKS = (0.55, 0.35)
"""The parts of a liar's stake that are asked for, one after the other."""
_WORTH_ASKING = 0.15
"""How likely a lie must be for a question."""


class ShrewdBot(Bot):
    """Prices bags, bribes and people by expected value."""

    style = "shrewd"
    trust = 0.6
    """Of strangers; whoever promised something before is known."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        super().__init__(seat, rng)
        self._appraiser = Appraiser()
        self._reckoning: Reckoning | None = None

    def new_round(self) -> None:
        """Begin anew."""
        self._opened = False
        self._raised = False
        self._pointed = False

    # -- market and bag

    def discard(self, view: View) -> tuple[Handle, ...]:
        """Keep what promises the best bag."""
        return cards_to_set_aside(view, self._reckon(view).outlook)

    def take(self, view: View) -> tuple[int, int]:
        """Take from the discard piles what makes the hand better than the deck would."""
        return cards_to_take(view, self._reckon(view).outlook)

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Pack the bag with the best expectation."""
        plan = self._reckon(view).packing.best(self._decoy(view))
        return tuple(sorted(card.handle for card in plan.cards))

    def declaration(self, view: View) -> Kind:
        """Say what loses least if somebody looks, and is believed easily."""
        kinds = [card.kind for card in view.bag]
        packing = self._reckon(view).packing
        declared = [kind for kind in declarable_kinds(view.state) if kind in kinds] or [self._decoy(view)]
        return max(declared, key=lambda kind: packing.prospects(kinds, kind).inspected)

    def _decoy(self, view: View) -> Kind:
        """Return the good that is declared most credibly without having it: common, and not set aside just now."""
        left, aside = self._reckon(view).left, self.memory.stories[self.seat].aside
        return max(declarable_kinds(view.state), key=lambda kind: (aside[kind] == 0, left[kind]))

    def _reckon(self, view: View) -> Reckoning:
        """Work things out once for every state of the table."""
        if self._reckoning is None or self._reckoning.view.state is not view.state:
            self._reckoning = Reckoning(view, self.memory, self._appraiser)
        return self._reckoning

    # -- as a merchant

    def propose(self, view: View) -> Offer | None:
        """Offer what the own bag is worth paying for, more under a threat, and money for a look at a liar."""
        state = view.state
        if self.seat in state.closed_bags:
            if not self._opened:
                self._opened = True
                plan = self._reckon(view).packing.plan(view.bag, state.bag_of(self.seat).kind or "")
                if plan.bribe:
                    return self._bribe(view, plan.bribe)
            if not self._raised and self.threatened(state):
                self._raised = True
                return self._raise(view)
        return self._point_at_a_liar(view)

    def agrees(self, view: View, offer: Offer) -> bool:
        """Pay if it is less than what the threat is worth."""
        return offer.acts == (Act(self.seat, Verb.PASS),) and offer.gift.things.gold <= self._limit(view)

    def _raise(self, view: View) -> Offer | None:
        """Answer a question that asks too much, or a deputy who acts alone, with the most that makes sense."""
        standing = self.standing_bribe(view.state)
        alone = view.state.bag_of(self.seat).alone
        heard = standing is not None and (alone is None or standing.officers == (alone,))
        limit = int(self._limit(view))
        return self._bribe(view, limit) if limit > (standing.gift.things.gold if standing and heard else 0) else None

    def _limit(self, view: View) -> float:
        """Return the most that letting the bag pass is worth under a threat."""
        reckoning = self._reckon(view)
        declared = view.state.bag_of(self.seat).kind or ""
        prospects = reckoning.packing.prospects([card.kind for card in view.bag], declared)
        return _THREAT * prospects.at_stake / (1 + reckoning.rivalry)

    def _bribe(self, view: View, worth: int) -> Offer | None:
        """Offer gold; when it runs short, the goods that are missed least, of the stall and of the bag."""
        things = cheapest_bribe(view, worth, self._reckon(view).appraisal.loss)
        return self.offer(view, things, Act(self.seat, Verb.PASS))

    def _point_at_a_liar(self, view: View) -> Offer | None:
        """Pay a little for a look at a rival, if it hurts the rival more than it costs."""
        if self._pointed:
            return None
        self._pointed = True
        state, reckoning = view.state, self._reckon(view)
        best, most = None, 0
        for bag in state.closed_bags:
            if bag == self.seat:
                continue
            thought = reckoning.suspicion(bag)
            # The fine stays among rivals: only the goods are lost. Half of the gain is offered.
            gain = reckoning.rivalry * thought.lie * thought.false_cards * _FALSE_VALUE * (1 - _THREAT)
            gold = min(view.me.gold, int(gain / (1 + reckoning.rivalry) / 2))
            if gold > most:
                best, most = bag, gold
        return None if best is None else self.offer(view, Things(most), Act(best, Verb.INSPECT))

    # -- as an officer

    def opinion(self, view: View, bag: Seat) -> Opinion:
        """Weigh the fines of a liar against those of a mistake."""
        state, reckoning = view.state, self._reckon(view)
        thought = reckoning.suspicion(bag)
        look = _gain_of_a_look(state, bag, thought, reckoning.rivalry)
        price = look / (1 + reckoning.rivalry)
        bribe = bribe_for_passing(state, bag, (self.seat,))
        offered = self.worth(state, bribe) if bribe else 0.0
        return Opinion(look > 0, max(price, 0), -price, self._question(bag, thought, price, offered))

    def worth(self, state: State, offer: Offer) -> float:
        """Believe in promises as far as the giver has kept them."""
        trust = self.memory.conduct[offer.gift.giver].trust
        return things_value(state.setup, offer.gift.things, trust) / len(offer.officers)

    def _question(self, bag: Seat, thought: Suspicion, price: float, offered: float) -> int:
        """Ask for much first and for less then, as long as it is more than what is offered and what a look brings."""
        if thought.lie < _WORTH_ASKING or self.asked[bag] == len(_ASKS):
            return 0
        stake = thought.false_cards * (_FALSE_FINE + _FALSE_VALUE)
        ask = round(max(stake * _ASKS[self.asked[bag]], price + 1))
        return ask if ask > offered + 1 else 0

    def loss(self, view: View) -> dict[Kind, float]:
        """Return what giving away a card costs, crowns included."""
        appraisal = self._reckon(view).appraisal
        return {kind: appraisal.loss(kind) for kind in view.state.setup.table}


def _gain_of_a_look(state: State, bag: Seat, thought: Suspicion, rivalry: float) -> float:
    declared = state.bag_of(bag)
    fine = fine_of(state, declared.kind or "") * (declared.count or 0)
    caught = thought.false_cards * (_FALSE_FINE * (1 + rivalry) + _FALSE_VALUE * rivalry)
    return thought.lie * caught - (1 - thought.lie) * fine * (1 + rivalry)
