"""One game of bots with a simple dealer, and what is counted in it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p2p_sheriff.bots import Bot
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Choose, Kind, LoadBag, Move, Seat, State, Transition, outcome
from p2p_sheriff.rules.deals import bribe_for_passing, find_offer
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.moves import Accept, Act, Confirm, Declare, Inspect, Offer, Pass, Verb


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


class BotTable:
    """Bots around a dealer: it tells all of them what happens, and asks each for what it has to choose."""

    def __init__(self, dealer: Dealer, bots: Sequence[Bot]) -> None:
        self.dealer, self.bots = dealer, bots
        self.tallies = tuple(Tally() for _ in bots)
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
                self._inspect([choice.seat for choice in choices])
            else:
                self._submit(self._chosen(choices[0]))
        state = self.dealer.state
        result = outcome(state)
        return GameRecord(
            styles=tuple(bot.style for bot in self.bots),
            scores=tuple(score.total for score in result.scores),
            winners=result.winners,
            rounds=state.round,
            deck_left=state.deck,
            tallies=self.tallies,
        )

    def _tell(self, changes: Iterable[Transition]) -> None:
        for item in (change.item for change in changes):
            if isinstance(item, Opened):
                self._count_bag(item.seat)
            for bot in self.bots:
                bot.observe(item)

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
        if deal := _closed_deal(before, move, self.dealer.state):
            self.tallies[deal.gift.giver].count_deal(deal)
        self._tell(changes)

    def _count_bag(self, seat: Seat) -> None:
        true = all(kind == self._declared[seat] for kind in self._loaded[seat])
        # Nobody decided: the time was up, or the sheriff left, and the bag passes (rules 12.2 and 19.4).
        self.tallies[seat].count_bag(self._verbs.pop(seat, Verb.PASS), true=true)


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
        case Confirm(seat, bag):
            stance = state.bag_of(bag).stance(seat)
            return (Act(bag, stance.verb),) if stance else ()
        case _:
            return ()


def _closed_deal(before: State, move: Move, after: State) -> Offer | None:
    """Return the deal that a move has closed."""
    match move:
        case Accept(_, author, number):
            standing = find_offer(before, author, number)
            return standing.offer if standing and not find_offer(after, author, number) else None
        case Pass(seat, bag, for_nothing=False):
            return bribe_for_passing(before, bag, (seat,))
        case Confirm(seat, bag, for_nothing=False) if all(
            it.verb is Verb.PASS and (it.seat == seat or (it.confirmed and not it.for_nothing))
            for it in before.bag_of(bag).stances
        ):
            return bribe_for_passing(before, bag, before.officers)
        case _:
            return None
