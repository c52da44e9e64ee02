"""Somebody has left, whose locks nobody can take off: those who remain deal the deck anew, around the gap.

First all labels are shuffled like a first deck. Then each card that lies with those who remain is put, on a copy, under
the very same locks: it comes out as one of the shuffled points, and that one is taken out. What is left is the deck.
Nobody learns which card was taken out, and the cards themselves stay as they are (docs/protocol.md, Dealing around).
"""

from dataclasses import dataclass

from p2p_sheriff.rules import Handle, Pack
from p2p_sheriff.rules.facts import Fact, PackRedealt, Redealt
from p2p_sheriff.session.acts import Act, Locks
from p2p_sheriff.session.board import Board
from p2p_sheriff.session.passes.mixing import Mixing, dealt_from
from p2p_sheriff.session.passes.passing import B, CardPassing, Maker, Passing, asked
from protocol import deck
from protocol.deck import Card
from protocol.errors import DefectError, LocalError
from protocol.group import Element
from protocol.proofs.context import Context
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Redealing(Mixing):
    """All labels are shuffled anew by those who remain, wherever the cards are; not those that are openly gone."""

    name = "redeal"

    @classmethod
    def fact(cls, pack: Pack | None, count: int) -> Fact:
        return Redealt(count) if pack is None else PackRedealt(pack, count)

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        passing = Mixing.after(self, board, turn, act, index)
        return passing if passing.waiting else Matching.begin(board, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Matching(CardPassing):
    """Each seat in turn puts copies of all cards that lie somewhere under the lock of its own list.

    A copy that is under the locks of all is one of the points that they have shuffled: that one is not in the deck.
    """

    name = "match"
    is_attempt = True
    way = (Locks, "match")
    looks_first = True
    pack: Pack | None
    handles: tuple[Handle, ...]
    locked: tuple[Card, ...]
    """Every label, under the locks of all."""

    @classmethod
    def begin(cls, board: Board, anew: Redealing) -> "Matching":
        """Returns the second half of dealing around a gap."""
        seats, pack, handles = board.state.seats, anew.pack, board.handles_of(anew.pack)
        cards = tuple(board.cards[handle] for handle in handles)
        waiting, of = seats if cards else (), len(seats)
        return cls(waiting=waiting, of=of, deck=anew.deck, pack=pack, cards=cards, handles=handles, locked=anew.cards)

    @property
    def held(self) -> tuple[Card, ...]:
        return (*self.locked[:1], *self.cards)

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index, self.handles)

    def _key_of(self, seat: int) -> Element:
        """Returns the key of the list that a seat has proved."""
        key = self.locked[0].key_of(seat)
        if key is None:
            raise LocalError(f"seat {seat} has no list in this deck")
        return key

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        seat, keys, context = maker.seat, maker.keys, self._context(turn, index)
        lock = keys[self._key_of(seat)]
        return Locks(deck.lock_cards(maker.group, context, seat, self.cards, keys, maker.rng, lock))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        if asked(Locks, turn, act).change.key != self._key_of(turn.entry.author):
            raise ForbiddenError("cards are matched under the key of the own list, and no other")
        return CardPassing.after(self, board, turn, act, index)

    def completed(self, board: B) -> B:
        matched = {card.point for card in self.cards}
        left = tuple(card for card in self.locked if card.point not in matched)
        if len(self.locked) - len(left) != len(self.cards):
            raise DefectError("a card that lies somewhere is none of the deck's, or there twice, and all was proved")
        made = dealt_from(board, self.deck, left)
        return board.with_deck(made).record(Redealing.fact(self.pack, len(made.undrawn)))
