"""Cards of modules come to lie open: each is one of its kind, so without locks it says itself what it is."""

from dataclasses import dataclass, replace

from p2p_sheriff.rules.demands import TurnOver, Unveil
from p2p_sheriff.rules.facts import TurnedOver, Unveiled
from p2p_sheriff.session.acts import Strips
from p2p_sheriff.session.board import Board
from p2p_sheriff.session.labels import name_of
from p2p_sheriff.session.passes.passing import B, CardPassing
from protocol.proofs.context import Context
from protocol.table import Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningOver(CardPassing):
    """Each seat in turn takes its lock off the top of a deck: nobody holds these cards, and they never come back."""

    name = "unveil"
    way = (Strips, "turn over")
    looks_first = True
    demand: TurnOver

    @classmethod
    def begin(cls, board: Board, demand: TurnOver) -> "TurningOver":
        """Returns how these cards come to lie open."""
        cards, rest = board.decks[name_of(demand.pack)].drawn(demand.count)
        seats = board.state.seats
        return cls(waiting=seats, of=len(seats), deck=rest, cards=cards, demand=demand)

    def completed(self, board: B) -> B:
        points = tuple(card.point for card in self.cards)
        names = tuple(map(board.labels.kind_of, points))
        board = board.with_deck(replace(self.deck, gone=self.deck.gone + points))
        return board.record(TurnedOver(self.demand.pack, names))


@dataclass(frozen=True, slots=True, kw_only=True)
class Unveiling(CardPassing):
    """Who holds cards takes the own lock off, one after the other; until they go elsewhere they lie there without."""

    name = "unveil"
    way = (Strips, "unveil")
    looks_first = True
    demand: Unveil

    @classmethod
    def begin(cls, board: Board, demand: Unveil) -> "Unveiling":
        """Returns how these cards come to lie open."""
        deck, cards = board.decks[name_of(demand.pack)], tuple(board.cards[handle] for handle in demand.handles)
        return cls(waiting=demand.seats, of=len(demand.seats), deck=deck, cards=cards, demand=demand)

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index, self.demand.handles)

    def completed(self, board: B) -> B:
        handles, pack = self.demand.handles, self.demand.pack
        names = tuple(board.labels.kind_of(card.point) for card in self.cards)
        board = board.record(Unveiled(pack, self.demand.seats, tuple(zip(handles, names, strict=True))))
        board, _ = board.renewed(handles, ())
        lying = {
            handle: card
            for handle, card in zip(handles, self.cards, strict=True)
            if handle in board.state.of_pack(pack)
        }
        gone = tuple(card.point for handle, card in zip(handles, self.cards, strict=True) if handle not in lying)
        board = board.with_deck(replace(self.deck, gone=self.deck.gone + gone))
        return replace(board, cards={**board.cards, **lying})
