"""Cards go back onto a deck, or under it: nobody sees them, and nobody can follow them by a lock."""

from dataclasses import dataclass, replace

from p2p_sheriff.rules import Handle
from p2p_sheriff.rules.demands import PutOnTop, PutUnder
from p2p_sheriff.rules.facts import Fact, WentOnTop, WentUnder
from p2p_sheriff.session.acts import Act, Locks
from p2p_sheriff.session.board import Board, Deck
from p2p_sheriff.session.labels import name_of
from p2p_sheriff.session.passes.passing import B, CardPassing, Passing, asked
from protocol.deck import Card
from protocol.proofs.context import Context
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Returning(CardPassing):
    """Each seat in turn puts a fresh lock on the cards; last come those under whose locks they lie.

    So no point of them is seen again that was seen before, whoever draws them next.
    """

    name = "return"
    way = (Locks, "return")
    handles: tuple[Handle, ...]
    fact: Fact
    """What is so then."""
    on_top: bool = False
    """The first one is uppermost; else they go under the deck."""

    @classmethod
    def begin(cls, board: Board, demand: PutUnder | PutOnTop) -> "Returning":
        """Returns the way back of cards that were dealt."""
        cards = tuple(board.cards[handle] for handle in demand.handles)
        if isinstance(demand, PutOnTop):
            fact = WentOnTop(demand.seat, demand.handles)
            return replace(cls.into(board, board.goods, cards, fact), handles=demand.handles, on_top=True)
        went = WentUnder(demand.pack, demand.seats, demand.handles)
        return replace(cls.into(board, board.decks[name_of(demand.pack)], cards, went), handles=demand.handles)

    @classmethod
    def into(cls, board: Board, deck: Deck, cards: tuple[Card, ...], fact: Fact) -> "Returning":
        """Returns the way of these cards into a deck: of its only label, too, which can't be shuffled."""
        holders = {seat for card in cards for seat, _ in card.locks}
        waiting = tuple(sorted(board.state.seats, key=holders.__contains__)) if cards else ()
        return cls(waiting=waiting, of=len(waiting), deck=deck, cards=cards, handles=(), fact=fact)

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index, self.handles)

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        fresh = asked(Locks, turn, act).change.key
        if any(fresh == key for card in (*board.locked, *self.cards) for _, key in card.locks):
            raise ForbiddenError("cards go back under a fresh key, not under one that is in use")
        return CardPassing.after(self, board, turn, act, index)

    def completed(self, board: B) -> B:
        undrawn = self.cards + self.deck.undrawn if self.on_top else self.deck.undrawn + self.cards
        board, _ = board.with_deck(replace(self.deck, undrawn=undrawn)).renewed(self.handles, ())
        return board.record(self.fact)
