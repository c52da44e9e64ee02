"""One game of bots with a simple dealer, and what is counted in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from p2p_sheriff.bots import Bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Choose, Kind, LoadBag, Move, Pack, Seat, State, Transition, may_time_out, outcome
from p2p_sheriff.rules.deals import bribe_for_passing, find_offer
from p2p_sheriff.rules.facts import Opened, TimeUp, Unveiled
from p2p_sheriff.rules.moves import Accept, Act, Declare, FillOrders, Inspect, Offer, Pass, Stance, Verb
from p2p_sheriff.rules.setup import MINUTE

WORD_SECONDS: Final = (3, 25)
"""How long people take for an offer, an answer or a decision: at least, and at most."""


class Stalemate(Exception):  # noqa: N818 - says what is the case.
    """Nobody at a table of bots had anything to do, and the game was not over."""


@dataclass(slots=True)
class Tally:
    """What one seat did as a merchant, in whole numbers."""

    passed_true: int = 0
    passed_lies: int = 0
    inspected_true: int = 0
    inspected_lies: int = 0
    offers: int = 0
    bribes: int = 0
    """Deals that were closed with this seat as the giver."""
    bribe_gold: int = 0
    bribe_goods: int = 0
    """Cards promised in them, open and hidden."""
    deals_about_others: int = 0
    """Those among them that name the bag of somebody else."""
    judged_true: int = 0
    """True bags of others that this seat had to judge as an officer."""
    judged_lies: int = 0
    opened_true: int = 0
    """Those among them that were opened."""
    opened_lies: int = 0

    @property
    def lies(self) -> int:
        """Bags that were not what they were said to be."""
        return self.passed_lies + self.inspected_lies

    @property
    def bags(self) -> int:
        """All bags that were dealt with."""
        return self.lies + self.passed_true + self.inspected_true

    def count_bag(self, verb: Verb, *, true: bool) -> None:
        """Count a bag that was dealt with."""
        if verb is Verb.PASS:
            self.passed_true += true
            self.passed_lies += not true
        else:
            self.inspected_true += true
            self.inspected_lies += not true

    def count_verdict(self, verb: Verb, *, true: bool) -> None:
        """Count a bag that this seat has judged."""
        opened = verb is Verb.INSPECT
        self.judged_true += true
        self.judged_lies += not true
        self.opened_true += opened and true
        self.opened_lies += opened and not true

    def count_deal(self, offer: Offer) -> None:
        """Count a deal that was closed."""
        things = offer.gift.things
        self.bribes += 1
        self.bribe_gold += things.gold
        self.bribe_goods += sum(count for goods in (things.stall, things.stack, things.bag) for _, count in goods)
        self.bribe_goods += things.stack_blind + things.bag_blind
        self.deals_about_others += any(act.bag != offer.gift.giver for act in offer.acts)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished game: by seat who played, with what result."""

    styles: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[Seat, ...]
    rounds: int
    deck_left: int
    tallies: tuple[Tally, ...]
    played: tuple[tuple[Pack, str], ...] = ()
    """Cards of modules that were played: orders filled, laws laid, merry men who got in."""
    times_up: int = 0
    """Rounds in which the time for the bags ran out."""


class BotTable:
    """Bots around a dealer: it tells all of them what happens, and asks each for what it has to choose."""

    def __init__(self, dealer: Dealer, bots: Sequence[Bot], pace: Random | None = None) -> None:
        """Take who plays; with ``pace`` they take as long as people for what they say, and a timer runs out."""
        self.dealer, self.bots, self._pace = dealer, bots, pace
        self._round, self._seconds, self._times_up = 0, 0, 0
        """How long the bags of this round have been haggled about."""
        self.tallies = tuple(Tally() for _ in bots)
        self._played: list[tuple[Pack, str]] = []
        self._loaded: dict[Seat, tuple[Kind, ...]] = {}
        """What is in the bags: the dealer's table knows."""
        self._declared: dict[Seat, Kind] = {}
        self._verbs: dict[Seat, Verb] = {}
        """What was decided about bags."""
        self._speaker = Seat(0)
        """Who spoke last in a negotiation."""

    def play(self) -> GameRecord:
        """Play until the game is over."""
        self._tell(self.dealer.start())
        while choices := self.dealer.choices():
            if choices[0].choice is Choice.ACT:
                if not self._is_time_up():
                    self._inspect([choice.seat for choice in choices])
            else:
                self._submit(self._chosen(choices[0]))
        state = self.dealer.state
        result = outcome(state)
        return GameRecord(
            styles=tuple(bot.name for bot in self.bots),
            scores=tuple(score.total for score in result.scores),
            winners=result.winners,
            rounds=state.round,
            deck_left=state.deck,
            tallies=self.tallies,
            played=tuple(self._played),
            times_up=self._times_up,
        )

    def _is_time_up(self) -> bool:
        """Let the time pass that the next word takes; if there is not so much left, all bags pass."""
        state = self.dealer.state
        if self._pace is None or not may_time_out(state):
            return False
        if self._round != state.round:
            self._round, self._seconds = state.round, 0
        self._seconds += self._pace.randint(*WORD_SECONDS)
        if self._seconds <= MINUTE * len(state.merchants):
            return False
        self._times_up += 1
        self._tell(self.dealer.submit(TimeUp(state.round, state.phase)))
        return True

    def _tell(self, changes: Iterable[Transition]) -> None:
        for change in changes:
            self._played += _played(change)
            if isinstance(change.item, Opened):
                self._count_bag(change.item.seat, change.before.officers)
            for bot in self.bots:
                bot.observe(change.item)

    def _inspect(self, officers: Sequence[Seat]) -> None:
        """Let the next merchant speak who wants to, around the table; when nobody does, it is the officers' turn."""
        for seat in self.dealer.state.clockwise_after(self._speaker):
            if seat in officers:
                continue
            if (word := self.bots[seat].negotiate(self.dealer.view(seat))) is not None:
                self._speaker = seat
                self._submit(word)
                return
        for seat in officers:
            if (move := self.bots[seat].choose(self.dealer.view(seat), Choice.ACT)) is not None:
                self._submit(move)
                return
        raise Stalemate("Both deputies wait for each other.")

    def _chosen(self, asked: Choose) -> Move | LoadBag:
        move = self.bots[asked.seat].choose(self.dealer.view(asked.seat), asked.choice)
        if move is None:
            raise Stalemate(f"Seat {asked.seat} has to {asked.choice.value}, and does not.")
        return move

    def _submit(self, move: Move | LoadBag) -> None:
        if isinstance(move, LoadBag):
            kinds = self.dealer.knowledge(move.seat).kinds
            self._loaded[move.seat] = tuple(kinds[handle] for handle in move.handles)
            self._tell(self.dealer.submit(move))
            return
        before = self.dealer.state
        if isinstance(move, Offer):
            self.tallies[move.seat].offers += 1
        if isinstance(move, Declare):
            self._declared[move.seat] = move.kind
        for act in _acts(before, move):
            self._verbs[act.bag] = act.verb
        changes = self.dealer.submit(move)
        deal = _closed_deal(before, move, self.dealer.state)
        if deal is not None and deal.is_bribe:
            self.tallies[deal.gift.giver].count_deal(deal)
        self._tell(changes)

    def _count_bag(self, seat: Seat, officers: tuple[Seat, ...]) -> None:
        true = all(kind == self._declared[seat] for kind in self._loaded[seat])
        # Nobody decided: the time was up, or the sheriff left, and the bag passes (rules 12.2 and 19.4).
        verb = self._verbs.pop(seat, Verb.PASS)
        self.tallies[seat].count_bag(verb, true=true)
        for officer in officers:
            self.tallies[officer].count_verdict(verb, true=true)


def _played(change: Transition) -> list[tuple[Pack, str]]:
    """Return the cards of modules that this has brought into play."""
    match change.item:
        case FillOrders(_, orders):
            return [(Pack.ORDERS, name) for name in orders]
        case Unveiled(Pack.LAWS):
            return [(Pack.LAWS, name) for name in change.after.laws if name not in change.before.laws]
        case Unveiled(Pack.MERRY_MEN, (seat,), cards) if change.after.bag_of(seat).fate is Verb.PASS:
            return [(Pack.MERRY_MEN, name) for _, name in cards]
        case _:
            return []


def _acts(state: State, move: Move) -> tuple[Act, ...]:
    """Return what a move does with bags, if it does anything."""
    match move:
        case Pass(_, bag):
            return (Act(bag, Verb.PASS),)
        case Inspect(_, bag):
            return (Act(bag, Verb.INSPECT),)
        case Accept(_, author, number):
            standing = find_offer(state, author, number)
            return standing.offer.acts if standing else ()
        case Stance(seat, bag, verb) if any(
            (it.verb, it.price) == (verb, None) for it in state.bag_of(bag).stances if it.seat != seat
        ):
            return (Act(bag, verb),)
        case _:
            return ()


def _closed_deal(before: State, move: Move, after: State) -> Offer | None:
    """Return the deal that a move has closed."""
    match move:
        case Accept(_, author, number):
            standing = find_offer(before, author, number)
            return standing.offer if standing and not find_offer(after, author, number) else None
        case Pass(_, bag, for_nothing=False):
            return bribe_for_passing(before, bag)
        case _:
            return None
