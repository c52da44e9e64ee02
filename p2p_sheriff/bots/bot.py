"""What every bot is: it gets a view and the public inputs, and answers every choice of the rules.

A bot holds no secret but its own view and can sit at any table, with a simple dealer or on a network. Whoever plays
says what it wants; the mechanics of offers, answers and the deputies' words are the same for all and live here.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from p2p_sheriff.bots.band import discard, fill_orders, hide_man, keep_man, lay_laws, lay_out, reorder, send
from p2p_sheriff.bots.memory import Memory
from p2p_sheriff.bots.routine import hand_over, lay_down, name_first, pay_in_kind, pick_loot, share_loot, trade
from p2p_sheriff.bots.sayings import Saying
from p2p_sheriff.bots.worth import possible, things_value
from p2p_sheriff.rules import moves
from p2p_sheriff.rules.bags import LoadBag
from p2p_sheriff.rules.cards import Goods, Handle, Kind, Seat, kinds_of, receiver_of
from p2p_sheriff.rules.deals import (
    bribe_for_passing,
    deciding,
    find_offer,
    may_accept,
    own_bribe,
    problem_with,
    problem_with_closing,
)
from p2p_sheriff.rules.demands import Choice
from p2p_sheriff.rules.facts import Input
from p2p_sheriff.rules.law import coin, market_limit, required_verb, value_of
from p2p_sheriff.rules.moves import Accept, Act, Condition, Gift, Move, Offer, Refuse, Things, Verb, Withdraw
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Negotiate
from p2p_sheriff.rules.view import View

PATIENCE = 6
"""How often a bot speaks up as a merchant in one round, and how often as an officer about one bag: talk must end."""
_MARGIN = 1.0
"""What a deal with other merchants must bring at least: what is not known of the others is worth something, too."""


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
    """Gold to ask of its owner for letting it pass; 0: nothing is asked (any more)."""


class Bot(ABC):
    """A player. Everything random comes from the generator that it is given."""

    style: str
    name: str
    """The style, and the level if it is not the usual one: for statistics."""
    trust: float = 0.6
    """How much of the hidden goods that strangers promise it believes in."""
    people: frozenset[Seat] = frozenset()
    """Who at the table is a person, as far as whoever seats the bot knows."""

    def __init__(self, seat: Seat, rng: Random) -> None:
        self.seat = seat
        self.rng = rng
        self.memory = Memory()
        self._round = -1
        self._spoken = 0
        self.asked: Counter[Seat] = Counter()
        """How often this officer has asked the owner of each bag for money this round."""
        self._ceilings: dict[Seat, int] = {}
        """The least that this officer has asked or accepted for each bag this round: it asks for less from then on."""
        self._answered: set[tuple[Seat, int]] = set()
        self._order: dict[Seat, float] = {}

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
                return LoadBag(self.seat, hide_man(view, self.pack(view), self.rng))
            case Choice.DECLARE:
                return moves.Declare(self.seat, len(view.knowledge.bag), self.declaration(view))
            case Choice.ACT:
                # Who is asked to act has waited long enough: what nobody has answered counts as refused.
                return self._haggle(view, unanswered=False) or self.settle(view, view.state.closed_bags)
            case Choice.HAND_OVER:
                return hand_over(view)
            case Choice.PAY_IN_KIND:
                return pay_in_kind(view, self.loss(view))
            case Choice.TRADE:
                return trade(view)
            case Choice.KEEP_MAN:
                return keep_man(view, self.rng)
            case Choice.SEND:
                return send(view, self.loss(view))
            case Choice.DISCARD:
                return discard(view, self.loss(view))
            case Choice.REORDER:
                return reorder(view)
            case Choice.LAY_LAWS:
                return lay_laws(view, self.rng)
            case Choice.LAY_OUT:
                return lay_out(view, self.loss(view))
            case Choice.FILL_ORDERS:
                return fill_orders(view, self.loss(view))
            case Choice.SHARE_LOOT:
                return share_loot(view)
            case Choice.PICK_LOOT:
                return pick_loot(view)

    def negotiate(self, view: View) -> Offer | Withdraw | Accept | Refuse | None:
        """Say something while bags are closed, or nothing: merchants and officers alike.

        An officer's word here settles at most the bag of somebody who has offered for it: it accepts, or asks for more.
        """
        state = view.state
        if state.todo[:1] != (Negotiate(),) or self.seat not in state.seats:
            return None
        self._turn_page(state)
        if self.seat in state.officers:
            return self._haggle(view, unanswered=True)
        if self._spoken >= PATIENCE:
            return None
        word = self._next_answer(view) or self.propose(view)
        if word is not None:
            self._spoken += 1
        return word

    def settle(self, view: View, bags: Collection[Seat]) -> Move | None:
        """Act as an officer on one of these bags, for good; None if a deputy has to wait for the other one."""
        self._turn_page(view.state)
        state = view.state
        if deal := self._deal(view, bags):
            return deal
        for bag in self.in_order(view, bags):
            if self._decides(state, bag):
                return self._verdict(view, bag)
            if word := self._speak_as_deputy(view, bag):
                return word
        return None

    def answer(self, view: View, offer: Offer) -> Accept | Offer | None:
        """Answer an offer of somebody else that needs this seat's word: accept it, offer something else, or refuse."""
        self._turn_page(view.state)
        self._answered.add((offer.seat, offer.number))
        if not offer.is_bribe:
            return self._accept(offer) if self._gain(view, offer) >= 0 else None
        if self.seat not in view.state.officers:
            return self.respond(view, offer)
        if self._gain(view, offer) >= 0:
            return self._accept(offer)
        bag = offer.gift.giver
        if offer.acts != (Act(bag, Verb.PASS),) or not self._decides(view.state, bag):
            return None
        return self._ask(view.state, bag, self.opinion(view, bag).ask)

    def reply(self, saying: Saying) -> Saying | None:  # noqa: ARG002 - not everybody talks.
        """Answer a ready phrase of the chat with another one, or not at all."""
        return None

    # -- what a player decides

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
    def respond(self, view: View, offer: Offer) -> Accept | Offer | None:
        """Answer an officer's question as a merchant: pay, offer something else, or refuse."""

    @abstractmethod
    def opinion(self, view: View, bag: Seat) -> Opinion:
        """Say what this officer thinks of a bag."""

    def loss(self, view: View) -> dict[Kind, float]:
        """Return what giving away one card of each kind costs, for debts: above zero. By default its value."""
        return {kind: float(value_of(view.state.setup, kind)) for kind in view.state.setup.table}

    def worth(self, state: State, offer: Offer) -> float:
        """Return what an offer brings this officer, promises as far as the giver has kept them; half of the Loot."""
        return self._believed(state, offer.gift) / len(offer.officers)

    def chance_of_a_lie(self, view: View, bag: Seat) -> float:  # noqa: ARG002 - not everybody judges people.
        """Return how likely a closed bag is a lie."""
        return 0.5

    def interest(self, view: View, act: Act) -> float:  # noqa: ARG002 - not everybody reckons.
        """Return what it is worth to this merchant that something is done with a bag; by default nothing."""
        return 0.0

    def crowned(self, view: View, goods: Goods) -> float:  # noqa: ARG002 - not everybody reckons.
        """Return what these goods do for the own crowns, beyond their value; by default nothing."""
        return 0.0

    def new_round(self) -> None:  # noqa: B027 - a hook: not everybody keeps something for a round.
        """Forget what was kept for one round only."""

    # -- for players

    def offer(self, view: View, things: Things, *acts: Act) -> Offer | None:
        """Make up an offer to whoever decides about the first bag named; None if it can't be made."""
        state = view.state
        officers = deciding(state, acts[0].bag)
        offer = Offer.bribe(self.seat, state.offer_numbers[self.seat] + 1, self.seat, officers, acts, things)
        return offer if problem_with(state, offer) is None else None

    def standing_bribe(self, state: State) -> Offer | None:
        """Return the own offer for passing the own bag that stands, to whoever decides about it now."""
        return bribe_for_passing(state, self.seat)

    def in_order(self, view: View, bags: Collection[Seat]) -> list[Seat]:
        """Return the bags in the order in which this officer deals with them: another one every round."""
        for bag in view.state.merchants:
            self._order.setdefault(bag, self.rng.random())
        return sorted(bags, key=lambda bag: (self._order.get(bag, 0.0), bag))

    # -- merchants

    def _turn_page(self, state: State) -> None:
        if state.round != self._round:
            self._round = state.round
            self._spoken = 0
            self.asked.clear()
            self._ceilings.clear()
            self._answered.clear()
            self._order.clear()
            self.new_round()

    def _next_answer(self, view: View) -> Accept | Offer | Refuse | None:
        """Answer what somebody offers; every offer is considered once."""
        for standing in view.state.offers:
            offer = standing.offer
            name = (offer.seat, offer.number)
            if name in self._answered or not may_accept(view.state, self.seat, standing):
                continue
            return self.answer(view, offer) or Refuse(self.seat, *name)
        return None

    # -- officers

    def _decides(self, state: State, bag: Seat) -> bool:
        """Whether this officer decides about the bag alone."""
        return deciding(state, bag) == (self.seat,)

    def _haggle(self, view: View, *, unanswered: bool) -> Offer | Accept | None:
        """Take a bribe that is good enough, or ask for money; not again while a question may still be answered."""
        state = view.state
        for bag in self.in_order(view, state.closed_bags):
            if not self._decides(state, bag):
                continue
            opinion = self.opinion(view, bag)
            bribe = bribe_for_passing(state, bag)
            if bribe is not None and not opinion.ask and self.worth(state, bribe) >= max(opinion.pass_price, 1):
                return self._accept(bribe)
            if unanswered and any(it.offer.seat == self.seat and bag in it.offer.bags for it in state.offers):
                continue
            if opinion.ask and (question := self._ask(state, bag, opinion.ask)):
                return question
        return None

    def _ask(self, state: State, bag: Seat, gold: int) -> Offer | None:
        gold = min(gold, coin(state, bag))
        if gold <= 0 or self.asked[bag] >= PATIENCE or gold >= self._ceilings.get(bag, gold + 1):
            return None
        self.asked[bag] += 1
        self._ceilings[bag] = gold
        number = state.offer_numbers[self.seat] + 1
        return Offer.bribe(self.seat, number, bag, (self.seat,), (Act(bag, Verb.PASS),), Things(gold))

    def _accept(self, offer: Offer) -> Accept:
        """Take an offer. The bag may stay closed, as a deal can need the other deputy too, but it has its price now."""
        for act in offer.acts if offer.is_bribe else ():
            price = offer.gift.things.gold if act.verb is Verb.PASS else 0
            self._ceilings[act.bag] = min(price, self._ceilings.get(act.bag, price))
        return Accept(self.seat, offer.seat, offer.number)

    def _deal(self, view: View, bags: Collection[Seat]) -> Accept | None:
        """Take the best deal about these bags that pays its price; a bribe that passing takes anyway can wait."""
        state, best, most = view.state, None, 0.0
        for standing in state.offers:
            offer = standing.offer
            if not may_accept(state, self.seat, standing) or not offer.bags <= set(bags):
                continue
            is_own = offer.is_bribe and offer == own_bribe(state, offer.gift.giver)
            if is_own or self._has_said(state, offer):
                continue
            gain = self._gain(view, offer)
            if gain > most:
                best, most = offer, gain
        return self._accept(best) if best else None

    def _has_said(self, state: State, offer: Offer) -> bool:
        """Whether this deputy has said something already about the one bag that the offer is about."""
        return len(offer.acts) == 1 and state.bag_of(offer.acts[0].bag).stance(self.seat) is not None

    def _gain(self, view: View, offer: Offer) -> float:
        """Return what is gained by a deal: by an officer, or by a merchant if it is no bribe."""
        if self.seat not in view.state.officers:
            done = sum(self.interest(view, act) for act in offer.acts)
            return done + sum(self._share(view, offer, gift) for gift in offer.gifts) - _MARGIN
        if offer.is_bribe:
            worth = self.worth(view.state, offer)
        else:
            worth = sum(self._share(view, offer, gift) for gift in offer.gifts) / len(offer.officers)
        return worth - sum(self._price(view, act, offer) for act in offer.acts)

    def _share(self, view: View, offer: Offer, gift: Gift) -> float:
        """Return what a gift brings to this seat, or to those in office if it is one of them; below zero: it costs."""
        state, chance = view.state, 1.0
        if gift.condition is not None:
            lie = self.chance_of_a_lie(view, offer.acts[0].bag)
            chance = lie if gift.condition is Condition.IF_LIE else 1 - lie
        if gift.giver == self.seat:
            return -chance * self._cost(view, gift.things)
        if gift.condition is not None and gift.giver == offer.acts[0].bag:
            return 0.0  # Who knows the bag pledges gold for what is not so.
        if self.seat in state.officers:
            return chance * self._believed(state, gift) if gift.receiver == receiver_of(offer.officers) else 0.0
        if gift.receiver != self.seat:
            return 0.0
        return self._believed(state, gift) + self.crowned(view, gift.things.stall)

    def _believed(self, state: State, gift: Gift) -> float:
        """Return what a gift is worth, if its giver keeps promises as before, and as far as there are cards."""
        trust = self.memory.conduct[gift.giver].trust(self.trust)
        return things_value(state.setup, possible(state, gift.giver, gift.things), trust)

    def _cost(self, view: View, things: Things) -> float:
        """Return what it costs to give these things, hidden ones as far as they are there; blind ones are the least."""
        loss, stack, bag = self.loss(view), Counter(kinds_of(view.stack)), Counter(kinds_of(view.bag))
        cost = things.gold + sum(loss[kind] * count for kind, count in things.stall)
        for goods, there in ((things.stack, stack), (things.bag, bag)):
            cost += sum(loss[kind] * min(count, there[kind]) for kind, count in goods)
        for blind, cards in ((things.stack_blind, stack), (things.bag_blind, bag)):
            cost += sum(sorted(loss[kind] for kind in cards.elements())[:blind])
        return cost

    def _price(self, view: View, act: Act, offer: Offer) -> float:
        """Return what an act must bring: to pass a bag, more than its owner offers for that in another offer."""
        opinion = self.opinion(view, act.bag)
        if act.verb is Verb.INSPECT:
            return opinion.inspect_price
        bribe = bribe_for_passing(view.state, act.bag)
        other = self.worth(view.state, bribe) if bribe and bribe != offer else 0.0
        return max(opinion.pass_price, other)

    def _verdict(self, view: View, bag: Seat) -> Move:
        """Decide about a bag alone."""
        verb = required_verb(view.state, bag) or self._leaning(view, bag)
        if verb is Verb.INSPECT:
            return moves.Inspect(self.seat, bag)
        return moves.Pass(self.seat, bag, for_nothing=bribe_for_passing(view.state, bag) is None)

    def _speak_as_deputy(self, view: View, bag: Seat) -> Move | None:
        """Say the next word about a bag that belongs to both deputies, or None: it is the other one's turn."""
        state, shared, required = view.state, view.state.bag_of(bag), required_verb(view.state, bag)
        if shared.alone is not None:
            return None
        own = shared.stance(self.seat)
        if own is None:
            verb, bribe = required or self._leaning(view, bag), bribe_for_passing(state, bag)
            return self._accept(bribe) if bribe and verb is Verb.PASS else moves.Stance(self.seat, bag, verb)
        if required not in (None, own.verb):
            return moves.Stance(self.seat, bag, required)
        price = find_offer(state, *own.price) if own.price else None
        if price and problem_with_closing(state, price.offer):
            # Its giver has spent the gold on another deal: whoever waited for that would wait for ever.
            return moves.Stance(self.seat, bag, required or self._leaning(view, bag))
        other = next((stance for stance in shared.stances if stance.seat != self.seat), None)
        if other is None:
            return None
        if own.verb is not other.verb:
            return moves.Apart(self.seat, bag) if own.verb is Verb.INSPECT else None
        if own.price == other.price or self.seat == state.officers[0]:  # One of them yields: the one drawn second.
            return None
        if other.price is None:
            return moves.Stance(self.seat, bag, other.verb)
        standing = find_offer(state, *other.price)
        return self._accept(standing.offer) if standing and may_accept(state, self.seat, standing) else None

    def _leaning(self, view: View, bag: Seat) -> Verb:
        opinion = self.opinion(view, bag)
        bribe = bribe_for_passing(view.state, bag)
        bought = bribe is not None and self.worth(view.state, bribe) >= opinion.pass_price
        return Verb.INSPECT if opinion.inspect and not bought else Verb.PASS
