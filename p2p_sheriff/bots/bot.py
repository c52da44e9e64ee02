"""What every bot is: it gets a view and the public inputs, and answers every choice of the rules.

A bot holds no secret but its own view and can sit at any table, with a simple dealer or on a network. The styles say
what they want; the mechanics of offers, answers and the deputies' words are the same for all and live here.
"""

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.bots.routine import hand_over, lay_down, name_first, pay_in_kind, pick_loot, share_loot, trade
from p2p_sheriff.bots.worth import things_value
from p2p_sheriff.rules import moves
from p2p_sheriff.rules.bags import LoadBag
from p2p_sheriff.rules.cards import Handle, Kind, Seat
from p2p_sheriff.rules.deals import bribe_for_passing, problem_with
from p2p_sheriff.rules.demands import Choice
from p2p_sheriff.rules.facts import Input
from p2p_sheriff.rules.inspection import is_bound_to
from p2p_sheriff.rules.law import market_limit, value_of
from p2p_sheriff.rules.moves import Accept, Act, Move, Offer, Things, Verb, Withdraw
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Negotiate
from p2p_sheriff.rules.view import View

PATIENCE = 5
"""How often a bot speaks up as a merchant in one round, and how often as an officer about one bag: talk must end."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What an officer thinks of a closed bag."""

    inspect: bool
    """What happens to it without a deal."""
    pass_price: float
    """What a deal must pay at least for letting it pass."""
    inspect_price: float
    """What a deal must pay at least for inspecting it."""
    ask: int = 0
    """Gold to ask of its owner for letting it pass; 0: nothing is asked."""


class Bot(ABC):
    """A player. Everything random comes from the generator that it is given."""

    style: ClassVar[str]
    trust: ClassVar[float]
    """How much of the hidden goods that others promise it believes in."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        self.seat = seat
        self.rng = rng
        self.memory = Memory()
        self._round = -1
        self._spoken = 0
        self.asked: Counter[Seat] = Counter()
        """How often this officer has asked the owner of each bag for money this round."""
        self._answered: set[tuple[Seat, int]] = set()

    # -- what the table calls

    def observe(self, item: Input) -> None:
        """Take in a public input."""
        self.memory.note(item)

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        """Answer a choice. Only a deputy may answer None: the next word is the other deputy's."""
        self._turn_page(view.state)
        match choice:
            case Choice.NAME_FIRST:
                return name_first(view)
            case Choice.SET_ASIDE:
                return moves.SetAside(self.seat, self.discard(view)[: market_limit(view.state, self.seat)])
            case Choice.TAKE_DISCARDS:
                return moves.TakeDiscards(self.seat, self.take(view))
            case Choice.LAY_DOWN:
                return lay_down(view)
            case Choice.LOAD:
                return LoadBag(self.seat, self.pack(view))
            case Choice.DECLARE:
                return moves.Declare(self.seat, len(view.knowledge.bag), self.declaration(view))
            case Choice.ACT:
                return self._act(view)
            case Choice.HAND_OVER:
                return hand_over(view)
            case Choice.PAY_IN_KIND:
                return pay_in_kind(view, self.loss(view))
            case Choice.TRADE:
                return trade(view)
            case Choice.SHARE_LOOT:
                return share_loot(view)
            case Choice.PICK_LOOT:
                return pick_loot(view)

    def negotiate(self, view: View) -> Offer | Withdraw | Accept | None:
        """Say something as a merchant while bags wait for the officers, or nothing."""
        state = view.state
        if state.todo[:1] != (Negotiate(),) or self.seat not in state.merchants:
            return None
        self._turn_page(state)
        if self._spoken >= PATIENCE:
            return None
        word = self._answer(view) or self.propose(view)
        if word is not None:
            self._spoken += 1
        return word

    # -- what a style decides

    @abstractmethod
    def discard(self, view: View) -> tuple[Handle, ...]:
        """Choose the cards to set aside at the market, the least wanted first; those above the limit are kept."""

    @abstractmethod
    def take(self, view: View) -> tuple[int, int]:
        """Choose how many cards to take from each discard pile (first edition)."""

    @abstractmethod
    def pack(self, view: View) -> tuple[Handle, ...]:
        """Choose the cards for the bag."""

    @abstractmethod
    def declaration(self, view: View) -> Kind:
        """Choose the legal good to declare for the bag that was packed."""

    @abstractmethod
    def propose(self, view: View) -> Offer | Withdraw | None:
        """Make an offer as a merchant, or none. It is called again after everything that happens."""

    @abstractmethod
    def agrees(self, view: View, offer: Offer) -> bool:
        """Say whether to pay what an officer asks."""

    @abstractmethod
    def opinion(self, view: View, bag: Seat) -> Opinion:
        """Say what this officer thinks of a bag."""

    def loss(self, view: View) -> dict[Kind, float]:
        """Return what giving away one card of each kind costs, for debts: above zero. By default its value."""
        return {kind: float(value_of(view.state.setup, kind)) for kind in view.state.setup.table}

    def new_round(self) -> None:  # noqa: B027 - a hook: most styles keep nothing for a round.
        """Forget what was kept for one round only."""

    # -- for styles

    def offer(self, view: View, things: Things, *acts: Act, officers: tuple[Seat, ...] = ()) -> Offer | None:
        """Make up an offer, to whoever decides about the first bag named unless said otherwise; None if it can't be."""
        state = view.state
        if not officers:
            alone = state.bag_of(acts[0].bag).alone
            officers = state.officers if alone is None else (alone,)
        offer = Offer.bribe(self.seat, state.offer_numbers[self.seat] + 1, self.seat, officers, acts, things)
        return offer if problem_with(state, offer) is None else None

    def standing_bribe(self, state: State) -> Offer | None:
        """Return the own offer for passing the own bag that stands."""
        for standing in state.offers:
            if standing.offer.seat == self.seat and standing.offer.acts == (Act(self.seat, Verb.PASS),):
                return standing.offer
        return None

    def threatened(self, state: State) -> bool:
        """Say whether an officer has asked this merchant for money, or acts alone on the own bag."""
        asked = any(it.offer.gift.giver == self.seat and it.offer.seat != self.seat for it in state.offers)
        return asked or state.bag_of(self.seat).alone is not None

    # -- merchants

    def _turn_page(self, state: State) -> None:
        if state.round != self._round:
            self._round = state.round
            self._spoken = 0
            self.asked.clear()
            self._answered.clear()
            self.new_round()

    def _answer(self, view: View) -> Accept | None:
        """Accept what an officer asks for, if it is worth it; every question is considered once."""
        for standing in view.state.offers:
            offer = standing.offer
            name = (offer.seat, offer.number)
            if offer.gift.giver != self.seat or offer.seat == self.seat or name in self._answered:
                continue
            self._answered.add(name)
            if problem_with(view.state, offer) is None and self.agrees(view, offer):
                return Accept(self.seat, *name)
        return None

    # -- officers

    def _act(self, view: View) -> Move | None:
        state = view.state
        if deal := self._deal(view):
            return deal
        if len(state.officers) == 1:
            return self._settle(view, state.closed_bags[0])
        for bag in state.closed_bags:
            if word := self._speak_as_deputy(view, bag):
                return word
        return None

    def _deal(self, view: View) -> Accept | None:
        """Take the best deal that pays its price; a bribe that passing the bag takes anyway can wait until then."""
        state, best, most = view.state, None, 0.0
        for standing in state.offers:
            offer = standing.offer
            if self.seat not in offer.officers or offer.seat == self.seat or self.seat in standing.accepted:
                continue
            if _is_taken_by_passing(state, offer, self.seat) or problem_with(state, offer) is not None:
                continue
            gain = self.worth(state, offer) - sum(self.price(view, act) for act in offer.acts)
            if gain > most:
                best, most = offer, gain
        return Accept(self.seat, best.seat, best.number) if best else None

    def worth(self, state: State, offer: Offer) -> float:
        """Return what an offer brings this officer: half of what goes onto the Loot."""
        return things_value(state.setup, offer.gift.things, self.trust) / len(offer.officers)

    def price(self, view: View, act: Act) -> float:
        """Return what an act must be paid at least."""
        opinion = self.opinion(view, act.bag)
        return opinion.pass_price if act.verb is Verb.PASS else opinion.inspect_price

    def _settle(self, view: View, bag: Seat) -> Move:
        """Decide about a bag alone, after asking for money as often as this style does."""
        state = view.state
        opinion = self.opinion(view, bag)
        bribe = bribe_for_passing(state, bag, (self.seat,))
        bound = is_bound_to(state, self.seat, bag)
        if opinion.ask and bound is None and (question := self._ask(state, bag, opinion.ask)):
            return question
        bought = bribe is not None and self.worth(state, bribe) >= opinion.pass_price
        if bound is Verb.PASS or (bound is None and (bought or not opinion.inspect)):
            return moves.Pass(self.seat, bag)
        return moves.Inspect(self.seat, bag)

    def _ask(self, state: State, bag: Seat, gold: int) -> Offer | None:
        gold = min(gold, state[bag].gold)
        if not gold or self.asked[bag] >= PATIENCE:
            return None
        self.asked[bag] += 1
        number = state.offer_numbers[self.seat] + 1
        return Offer.bribe(self.seat, number, bag, (self.seat,), (Act(bag, Verb.PASS),), Things(gold))

    def _speak_as_deputy(self, view: View, bag: Seat) -> Move | None:
        """Say the next word about a bag that belongs to both deputies, or None: it is the other one's turn."""
        state = view.state
        shared = state.bag_of(bag)
        if shared.alone is not None:
            return self._settle(view, bag) if shared.alone == self.seat else None
        own = shared.stance(self.seat)
        if own is None:
            return moves.Stance(self.seat, bag, self._leaning(view, bag))
        other = next((stance for stance in shared.stances if stance.seat != self.seat), None)
        if other is None:
            return None
        if own.verb is other.verb:
            return None if own.confirmed else moves.Confirm(self.seat, bag)
        return moves.Alone(self.seat, bag) if own.verb is Verb.INSPECT else None

    def _leaning(self, view: View, bag: Seat) -> Verb:
        opinion = self.opinion(view, bag)
        bribe = bribe_for_passing(view.state, bag, view.state.officers)
        bought = bribe is not None and self.worth(view.state, bribe) >= opinion.pass_price
        return Verb.INSPECT if opinion.inspect and not bought else Verb.PASS


def _is_taken_by_passing(state: State, offer: Offer, officer: Seat) -> bool:
    """Whether letting the bag pass accepts this offer (rule 7.6): not if it is made to one deputy of two."""
    bag = offer.gift.giver
    if offer.acts != (Act(bag, Verb.PASS),):
        return False
    return offer.officers == state.officers or state.bag_of(bag).alone == officer
