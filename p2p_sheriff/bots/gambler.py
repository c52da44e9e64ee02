"""The gambler: a risky mix of everything, and never the same twice."""

from collections.abc import Set

from p2p_sheriff.bots.bot import Opinion
from p2p_sheriff.bots.instinct import InstinctBot, best_legal, count_declared, fitting, stake
from p2p_sheriff.rules.cards import Handle, Kind, Seat
from p2p_sheriff.rules.law import contraband_kinds, declarable_kinds, is_contraband, is_legal_good, stack_kinds
from p2p_sheriff.rules.moves import Act, Offer, Things, Verb, Withdraw
from p2p_sheriff.rules.stalls import open_goods
from p2p_sheriff.rules.view import View

_OFFERS = 2


class GamblerBot(InstinctBot):
    """Leaves much to chance: what to keep, what to load, what to offer, whom to believe."""

    style = "gambler"
    trust = 1.0

    def wanted(self, view: View) -> Set[Kind]:
        """Keep every good by the toss of a coin, contraband more often."""
        state, chance = view.state, self.rng.random
        return {one.kind for one in state.setup.goods if chance() < (0.4 if is_legal_good(state, one.kind) else 0.75)}

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Load most of the contraband at hand, and something legal, or anything."""
        risky = [card for card in view.hand if is_contraband(view.state, card.kind) and self.rng.random() < 0.7]
        legal = best_legal(view.state, view.hand)
        mixed = [card for card in view.hand if card not in legal and card not in risky and self.rng.random() < 0.15]
        return fitting(view, [*risky, *legal, *mixed] or view.hand[:1])

    def declaration(self, view: View) -> Kind:
        """Declare what is in the bag, or anything."""
        legal = best_legal(view.state, view.bag)
        if legal and self.rng.random() < 0.85:
            return legal[0].kind
        return self.rng.choice(declarable_kinds(view.state))

    def propose(self, view: View) -> Offer | Withdraw | None:
        """Offer something now and then: gold, goods, goods that may not exist, or money for a look at somebody else."""
        state = view.state
        if self.seat not in state.closed_bags or self.offers == _OFFERS:
            return None
        self.offers += 1
        bribe = self.standing_bribe(state)
        if bribe is not None:
            return Withdraw(self.seat, bribe.number) if self.rng.random() < 0.1 else None
        chance = self.rng.random()
        others = [seat for seat in state.closed_bags if seat != self.seat]
        if chance < 0.1 and others:
            return self.offer(view, self._gold(view, 8), Act(self.rng.choice(others), Verb.INSPECT))
        if chance < 0.2:
            return self.offer(
                view, self._gold(view, 8), Act(self.seat, Verb.PASS), officers=(self.rng.choice(state.officers),)
            )
        if chance < 0.5:
            return self.offer(view, self._things(view), Act(self.seat, Verb.PASS))
        return None

    def _gold(self, view: View, most: int) -> Things:
        return Things(self.rng.randint(0, min(most, view.me.gold)))

    def _things(self, view: View) -> Things:
        state = view.state
        chance = self.rng.random()
        goods = open_goods(state, self.seat)
        if chance < 0.15 and goods:
            return Things(stall=((self.rng.choice(goods)[0], 1),))
        if chance < 0.25 and view.me.stack:
            return Things(stack_blind=1)
        if chance < 0.3 and view.me.stack:
            return Things(stack=((self.rng.choice(stack_kinds(state)), 1),))
        if chance < 0.45:
            return Things(gold=min(1, view.me.gold), bag=((self.rng.choice(contraband_kinds(state)), 1),))
        return self._gold(view, 14)

    def agrees(self, view: View, offer: Offer) -> bool:
        """Pay by chance, the more at stake the sooner."""
        return self.rng.random() * (stake(view) + 3) > offer.gift.things.gold

    def first_thought(self, view: View, bag: Seat) -> Opinion:
        """Toss a coin, and name a price if it comes to mind."""
        count = count_declared(view.state, bag)
        inspect = self.rng.random() < 0.4
        ask = self.rng.randint(1, 4 * count) if self.rng.random() < 0.4 else 0
        return Opinion(inspect, self.rng.uniform(0, 3) * count, self.rng.uniform(0, 6), ask)
