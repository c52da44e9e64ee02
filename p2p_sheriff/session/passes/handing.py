"""Cards come into somebody's hands, or before their eyes: from a deck, or from somebody else."""

from dataclasses import dataclass, replace

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.demands import DealOut, Draw, Give, LetLook
from p2p_sheriff.rules.facts import DealtOut, Drawn, Given, Looked
from p2p_sheriff.session.acts import Locks, Strips
from p2p_sheriff.session.board import Board, Glimpse
from p2p_sheriff.session.labels import name_of
from p2p_sheriff.session.passes.passing import B, CardPassing, Passing, Way
from protocol.deck import Card
from protocol.proofs.context import Context
from protocol.table import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing(CardPassing):
    """Each seat in turn takes its lock off the cards that are not for itself."""

    name = "deal"
    way = (Strips, "deal")
    draws: tuple[Draw, ...]
    """Who draws how many of the cards, in this order."""

    @classmethod
    def begin(cls, board: Board, draws: tuple[Draw, ...]) -> "Dealing":
        """Returns the deal of several hands, or of one."""
        around = board.state.clockwise_after(draws[0].seat)
        cards, rest = board.goods.drawn(sum(draw.count for draw in draws))
        dealing = cls(waiting=around, of=len(around), deck=rest, cards=cards, draws=draws)
        return replace(dealing, waiting=tuple(seat for seat in around if dealing.places(seat)))

    def places(self, seat: int) -> tuple[int, ...]:
        receivers = [draw.seat for draw in self.draws for _ in range(draw.count)]
        return tuple(place for place, receiver in enumerate(receivers) if receiver != seat)

    def completed(self, board: B) -> B:
        cards = self.cards
        for draw in self.draws:
            board, fresh = board.renewed((), cards[: draw.count])
            board, cards = board.record(Drawn(draw.seat, fresh)), cards[draw.count :]
        return board


@dataclass(frozen=True, slots=True, kw_only=True)
class Giving(CardPassing):
    """Cards change hands: who receives puts a lock on, then the giver takes the own one off."""

    name = "give"
    give: Give

    @classmethod
    def begin(cls, board: Board, give: Give) -> "Giving":
        """Returns a gift."""
        cards = tuple(board.cards[handle] for handle in give.handles)
        return cls(waiting=give.by, of=len(give.by), deck=board.goods, cards=cards, give=give)

    @property
    def way(self) -> tuple[Way, str]:
        return (Locks, "take") if len(self.waiting) > 1 else (Strips, "give")

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index, self.give.handles)

    def completed(self, board: B) -> B:
        give = self.give
        board, fresh = board.renewed(give.handles, self.cards)
        return board.record(Given(give.giver, give.receiver, tuple(zip(give.handles, fresh, strict=True))))


@dataclass(frozen=True, slots=True, kw_only=True)
class DealingOut(CardPassing):
    """Each seat in turn takes its lock off the cards of a module that others draw: one seat, or both deputies."""

    name = "deal"
    way = (Strips, "deal")
    demand: DealOut

    @classmethod
    def begin(cls, board: Board, demand: DealOut) -> "DealingOut":
        """Returns how cards of a module come under the locks of these seats alone."""
        cards, rest = board.decks[name_of(demand.pack)].drawn(demand.count)
        waiting = tuple(seat for seat in board.state.clockwise_after(demand.seats[0]) if seat not in demand.seats)
        of = len(waiting) + (len(demand.seats) if len(demand.seats) > 1 else 0)
        return cls(waiting=waiting, of=of, deck=rest, cards=cards, demand=demand)

    @property
    def releasers(self) -> tuple[Seat, ...]:
        return (
            self.waiting if len(self.waiting) == len(self.demand.seats) == 1 else ()
        )  # Two see nothing before copies.

    def _on(self, cards: tuple[Card, ...]) -> Passing:
        seats = self.demand.seats
        if self.waiting[1:] or len(seats) == 1:
            return replace(self, cards=cards, waiting=self.waiting[1:])
        copies = cards * len(seats)
        return Disclosing(waiting=seats, of=self.of, deck=self.deck, cards=copies, drawn=cards, demand=self.demand)

    def completed(self, board: B) -> B:
        board, fresh = board.renewed((), self.cards)
        return board.record(DealtOut(self.demand.pack, self.demand.seats, fresh))


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosing(CardPassing):
    """Both deputies see cards that stay under both their locks: each strips copies for the other."""

    name = "deal"
    way = (Strips, "share")
    demand: DealOut
    drawn: tuple[Card, ...]
    """The cards; of these, ``cards`` are the copies for the first deputy, then those for the other one."""

    def places(self, seat: int) -> tuple[int, ...]:
        readers = [reader for reader in self.demand.seats for _ in self.drawn]
        return tuple(place for place, reader in enumerate(readers) if reader != seat)

    @property
    def releasers(self) -> tuple[Seat, ...]:
        return self.waiting

    @property
    def held(self) -> tuple[Card, ...]:
        return (*self.drawn, *self.cards)

    def completed(self, board: B) -> B:
        board, fresh = board.renewed((), self.drawn)
        copies = {handle: self.cards[place :: len(fresh)] for place, handle in enumerate(fresh)}
        board = replace(board, copies={**board.copies, **copies})
        return board.record(DealtOut(self.demand.pack, self.demand.seats, fresh))


@dataclass(frozen=True, slots=True, kw_only=True)
class Looking(CardPassing):
    """Somebody looks at a hidden card: a gift of a copy, and the card stays where it is, as it is."""

    name = "look"
    look: LetLook

    @classmethod
    def begin(cls, board: Board, look: LetLook) -> "Looking":
        """Returns a look at a card."""
        return cls(
            waiting=(look.seat, look.owner), of=2, deck=board.goods, cards=(board.cards[look.handle],), look=look
        )

    @property
    def way(self) -> tuple[Way, str]:
        return (Locks, "look") if len(self.waiting) > 1 else (Strips, "let look")

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index, (self.look.handle,))

    def completed(self, board: B) -> B:
        look, (copy,) = self.look, self.cards
        board = replace(board, looks=(*board.looks, Glimpse(look.seat, look.owner, look.handle, copy)))
        return board.record(Looked(look.seat, look.owner, look.handle))
