"""A player with a character: prices bags, bribes and people by what is to be expected, as its temperament sees it."""

from functools import partial
from random import Random

from p2p_sheriff.bots.appraisal import Appraiser
from p2p_sheriff.bots.belief import Suspicion
from p2p_sheriff.bots.bot import Bot, Opinion
from p2p_sheriff.bots.officers import EXPERIENCE, RULE_OF_THUMB, Observer
from p2p_sheriff.bots.outlook import cards_to_set_aside, cards_to_take
from p2p_sheriff.bots.reckoning import Reckoning
from p2p_sheriff.bots.sayings import REPLIES, Saying
from p2p_sheriff.bots.temperament import Level, Temperament, temperament
from p2p_sheriff.bots.ventures import are_made, venture
from p2p_sheriff.bots.worth import cheapest_bribe
from p2p_sheriff.rules.cards import Goods, Handle, Kind, Seat
from p2p_sheriff.rules.deals import bribe_for_passing
from p2p_sheriff.rules.law import declarable_kinds, fine_of
from p2p_sheriff.rules.moves import Accept, Act, Offer, Things, Verb
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.view import View

_FALSE_FINE = 3.5
_FALSE_VALUE = 6.0
"""What a confiscated card costs its owner: the mean fine, and the mean value."""
_WORTH_ASKING = 0.2
"""How likely a lie must be for a question."""
_TALK = 0.7
"""How often a ready phrase gets an answer."""
_TEASE = 0.15
"""How much oftener than unasked something is offered for a true bag when somebody asks."""
_COURTING = 4
"""So many times as often something is offered unasked to a person who is sheriff: to haggle is what people came for."""
_LEAST = 2
"""Less gold is not worth a word."""


class Character(Bot):
    """A style at a level."""

    def __init__(self, style: str, seat: Seat, rng: Random, level: Level = Level.NORMAL) -> None:
        super().__init__(seat, rng)
        self.style, self.name = style, style if level is Level.NORMAL else f"{style}:{level.value}"
        self.temper: Temperament = temperament(style, level)
        self.trust = self.temper.trust
        self._appraiser = Appraiser()
        self._observer = Observer(self.memory, EXPERIENCE if level is Level.HARD else RULE_OF_THUMB)
        self._reckoning: Reckoning | None = None

    def new_round(self) -> None:
        """Begin anew."""
        self._opened = False
        self._raised = False
        self._pointed = False
        self._silent = self.rng.random() < self.temper.silence
        self._moods: dict[Seat, tuple[float, float]] = {}

    def reply(self, saying: Saying) -> Saying | None:
        """Answer in character, now and then; what is in a bag never matters."""
        replies = REPLIES[self.style].get(saying, ())
        return self.rng.choice(replies) if replies and self.rng.random() < _TALK else None

    # -- market and bag

    def discard(self, view: View) -> tuple[Handle, ...]:
        """Keep what promises the best bag."""
        return cards_to_set_aside(view, self._reckon(view).outlook)

    def take(self, view: View) -> tuple[int, int]:
        """Take from the discard piles what makes the hand better than the deck would."""
        return cards_to_take(view, self._reckon(view).outlook)

    def pack(self, view: View) -> tuple[Handle, ...]:
        """Pack the bag that seems best today."""
        whim = self.temper.whim
        plans = self._reckon(view).packing.plans(self._decoy(view))
        plan = max(plans, key=lambda plan: plan.value + self.temper.thrill * plan.false + self.rng.gauss(0, whim))
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
            self._reckoning = Reckoning(view, self.memory, self._appraiser, self._observer, self.temper.thrill)
        return self._reckoning

    # -- as a merchant

    def propose(self, view: View) -> Offer | None:
        """Offer what the own bag is worth, more under a threat; then money for a look at a liar, or a richer deal."""
        state, temper = view.state, self.temper
        if self.seat in state.closed_bags:
            if not self._opened:
                self._opened = True
                if gold := self._first_offer(view):
                    return self._bribe(view, gold)
            if not self._raised and state.bag_of(self.seat).alone is not None:
                self._raised = True
                return self._raise(view)
        if self._pointed:
            return None
        self._pointed = True
        if self.rng.random() < temper.meddling:
            return self._point_at_a_liar(view)
        if are_made(state.setup, self.people) and self.rng.random() < temper.enterprise:
            return venture(view, self.rng, partial(self.interest, view), partial(self._gain, view))
        return None

    def _first_offer(self, view: View) -> int:
        """Return what to offer unasked: what seems right for a lie, less or nothing by temper; else a feeler."""
        temper = self.temper
        plan = self._reckon(view).packing.plan(view.bag, view.state.bag_of(self.seat).kind or "")
        if not plan.false or not plan.bribe:
            courting = 1 if self.people.isdisjoint(view.state.officers) else _COURTING
            return self._feeler(view, courting * temper.bluff)
        if self._silent:
            return 0
        gold = round(plan.bribe * temper.opening * self.rng.uniform(0.85, 1.15))
        return gold if gold >= _LEAST else 0

    def _feeler(self, view: View, chance: float) -> int:
        """Return so often about what liars offer, whatever is in the bag: who pays for lies alone is seen through."""
        count = len(view.bag)
        if count < 2 or self.rng.random() >= chance:
            return 0
        gold = min(max(_LEAST, round(count * self.rng.triangular(0.5, 3, 1.5))), view.me.gold)
        return gold if gold >= _LEAST else 0

    def respond(self, view: View, offer: Offer) -> Accept | Offer | None:
        """Pay if it is less than what the threat is worth; else offer that, once."""
        if offer.acts != (Act(self.seat, Verb.PASS),) or self._silent:
            return None
        if offer.gift.things.gold <= self._limit(view):
            return Accept(self.seat, offer.seat, offer.number)
        if self._raised:
            return None
        self._raised = True
        return self._raise(view)

    def _raise(self, view: View) -> Offer | None:
        """Answer a question that asks too much, or a deputy who acts alone, with the most that makes sense.

        For a true bag nothing does, nor with officers who look all the same; sometimes something is offered even so.
        """
        standing, gold = self.standing_bribe(view.state), int(self._limit(view))
        if gold < _LEAST or not self._helps(view, gold):
            gold = self._feeler(view, self.temper.bluff + _TEASE)
        enough = max(_LEAST, standing.gift.things.gold + 1 if standing else 0)
        return self._bribe(view, gold) if gold >= enough else None

    def _helps(self, view: View, gold: int) -> bool:
        """Whether this gold makes a look less likely: there are officers who open just the bags of those who offer."""
        officers, count = self._reckon(view).officers, len(view.bag)
        return officers.chance_to_look(gold, count) < officers.chance_to_look(0, count)

    def _limit(self, view: View) -> float:
        """Return the most that letting the bag pass is worth under a threat."""
        reckoning = self._reckon(view)
        declared = view.state.bag_of(self.seat).kind or ""
        prospects = reckoning.packing.prospects([card.kind for card in view.bag], declared)
        look = reckoning.officers.chance_to_look(0, len(view.bag))
        return self.temper.purse * look * prospects.at_stake / (1 + reckoning.rivalry)

    def interest(self, view: View, act: Act) -> float:
        """Weigh what is done with the own bag against what is likely to be done without a deal; and looks at others."""
        if act.bag != self.seat:
            return self._harm(view, act.bag) if act.verb is Verb.INSPECT else 0.0
        if act.verb is Verb.PASS:
            return self._limit(view)
        reckoning, declared = self._reckon(view), view.state.bag_of(self.seat).kind or ""
        prospects = reckoning.packing.prospects([card.kind for card in view.bag], declared)
        unseen = 1 - reckoning.officers.chance_to_look(0, len(view.bag))
        return -unseen * prospects.at_stake / (1 + reckoning.rivalry)

    def chance_of_a_lie(self, view: View, bag: Seat) -> float:
        """Know the own bag, and suspect the others."""
        if bag != self.seat:
            return self._thought(view, bag).lie
        declared = view.state.bag_of(bag).kind
        return float(any(view.knowledge.kinds[handle] != declared for handle in view.knowledge.bag))

    def _bribe(self, view: View, worth: int) -> Offer | None:
        """Offer gold; when it runs short, the goods that are missed least, of the stall and of the bag."""
        things = cheapest_bribe(view, worth, self._reckon(view).appraisal.loss)
        return self.offer(view, things, Act(self.seat, Verb.PASS))

    def _point_at_a_liar(self, view: View) -> Offer | None:
        """Pay a little for a look at a rival, if it hurts the rival more than it costs."""
        state, reckoning = view.state, self._reckon(view)
        best, most = None, _LEAST - 1
        for bag in state.closed_bags:
            if bag == self.seat:
                continue
            # Half of the gain is offered.
            gold = min(view.me.gold, int(self._harm(view, bag) / (1 + reckoning.rivalry)))
            if gold > most:
                best, most = bag, gold
        return None if best is None else self.offer(view, Things(most), Act(best, Verb.INSPECT))

    def _harm(self, view: View, bag: Seat) -> float:
        """Return what it is worth that a rival's bag is looked at: the fine stays among rivals, the goods are lost."""
        thought = self._thought(view, bag)
        return self._reckon(view).rivalry * thought.lie * thought.false_cards * _FALSE_VALUE

    def crowned(self, view: View, goods: Goods) -> float:
        """Return what is to be expected of the own crowns with these goods."""
        return self._reckon(view).appraisal.crowned(dict(goods))

    # -- as an officer

    def opinion(self, view: View, bag: Seat) -> Opinion:
        """Weigh the fines of a liar against those of a mistake."""
        state, reckoning = view.state, self._reckon(view)
        thought = self._thought(view, bag)
        look = _gain_of_a_look(state, bag, thought, reckoning.rivalry) / (1 + reckoning.rivalry)
        bribe = bribe_for_passing(state, bag)
        offered = self.worth(state, bribe) if bribe else 0.0
        return Opinion(
            inspect=look > 0,
            pass_price=max(look, 0),
            inspect_price=max(look, offered, 0) - look,
            ask=self._question(bag, thought, look, offered),
        )

    def _thought(self, view: View, bag: Seat) -> Suspicion:
        """Return what this player believes of a bag: what the evidence says, as today's mood has it."""
        if bag not in self._moods:
            self._moods[bag] = (self.rng.gauss(0, 1), self.rng.uniform(0.85, 1.15))
        thought = self._reckon(view).suspicion(bag)
        mood = self.temper.doubt + self.temper.blur * self._moods[bag][0]
        # One question that was not answered with money tells half of what many do: liars pay.
        asked, candour = self.asked[bag], self.memory.conduct[bag].candour
        relief = self.temper.insight * candour * asked / (asked + 1)
        return Suspicion(thought.odds + mood - relief, thought.false_cards)

    def _question(self, bag: Seat, thought: Suspicion, look: float, offered: float) -> int:
        """Ask for much first and for less then, as long as it is more than what is offered and what a look brings."""
        asks = self.temper.asks
        if thought.lie < _WORTH_ASKING or self.asked[bag] >= len(asks):
            return 0
        stake = thought.false_cards * (_FALSE_FINE + _FALSE_VALUE) * self._moods[bag][1]
        ask = max(stake * asks[self.asked[bag]], look + 1)
        if offered >= look:  # Who takes what is offered anyway does not ask for ten times as much.
            ask = min(ask, 1.6 * offered + 2) if offered else ask
        return round(ask) if ask > 1.15 * offered + 1 else 0

    def loss(self, view: View) -> dict[Kind, float]:
        """Return what giving away a card costs, crowns included."""
        appraisal = self._reckon(view).appraisal
        return {kind: appraisal.loss(kind) for kind in view.state.setup.table}


def _gain_of_a_look(state: State, bag: Seat, thought: Suspicion, rivalry: float) -> float:
    declared = state.bag_of(bag)
    fine = fine_of(state, declared.kind or "") * (declared.count or 0)
    caught = thought.false_cards * (_FALSE_FINE * (1 + rivalry) + _FALSE_VALUE * rivalry)
    return thought.lie * caught - (1 - thought.lie) * fine * (1 + rivalry)
