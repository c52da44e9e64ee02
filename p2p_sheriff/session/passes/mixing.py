"""Decks are made: the first shuffle, and discards that become a new deck."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from p2p_sheriff.rules import Handle, Pack, Seat, Zone
from p2p_sheriff.rules.demands import Mix
from p2p_sheriff.rules.facts import Fact, PackShuffled, Rearranged, Reshuffled, Shuffled
from p2p_sheriff.session.acts import Act, Attests, Locks, Shuffles
from p2p_sheriff.session.board import Board, Deck
from p2p_sheriff.session.labels import name_of
from p2p_sheriff.session.passes.passing import B, CardPassing, Maker, Passing, Way, asked
from p2p_sheriff.session.passes.returning import Returning
from protocol import deck
from protocol.deck import Card
from protocol.proofs.shuffle import Attested, FalseLinkError, verify, verify_chain
from protocol.table import StageError, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixing(CardPassing):
    """Each seat in turn shuffles the list under a fresh lock; when the last list is there, all prove theirs at once.

    No card is anybody's before every proof holds, and no lock of a card in play is touched: so nothing can be learned
    from an honest seat's list, whatever the one before it was (docs/protocol.md, List first).
    """

    name = "mix"
    is_attempt = True
    way: ClassVar[tuple[Way, str]] = (Shuffles, "shuffle")
    pack: Pack | None = None
    """Of which module it is the deck; None: of goods."""
    lists: tuple[tuple[Seat, tuple[Card, ...]], ...] = ()
    """Who has shuffled, in order, and what they found."""
    proofs: tuple[Attested, ...] = ()

    @classmethod
    def begin(cls, board: Board, pack: Pack | None = None) -> Passing:
        """Returns the shuffle of all goods, or of all cards of a module but those that lie open for good."""
        seats, made = board.state.seats, board.decks[name_of(pack)]
        cards = tuple(Card(point) for point in board.labels.decks[made.name] if point not in made.gone)
        if len(cards) < 2:
            return Returning.into(board, made, cards, cls.fact(pack, len(cards)))
        return cls(waiting=seats, of=2 * len(seats), deck=made, cards=cards, pack=pack)

    @classmethod
    def fact(cls, pack: Pack | None, count: int) -> Fact:
        """Returns what is so when the deck is made, with so many cards."""
        return Shuffled(count) if pack is None else PackShuffled(pack, count)

    @property
    def is_listed(self) -> bool:
        """Whether all have shuffled, so that all prove now."""
        return 2 * len(self.lists) == self.of

    def lists_of(self, seat: Seat) -> bool:
        """Whether the list of that seat is still to come."""
        return not self.is_listed and seat in self.waiting

    def owes_proof(self, seat: Seat) -> bool:
        return any(author == seat for author, _ in self.lists) and (not self.is_listed or seat in self.waiting)

    @property
    def done(self) -> int:
        return len(self.lists) + len(self.proofs)

    @property
    def expected(self) -> tuple[Seat, ...]:
        return self.waiting if self.is_listed else self.waiting[:1]

    @property
    def held(self) -> tuple[Card, ...]:
        return tuple(cards[0] for cards in (*(found for _, found in self.lists), self.cards))  # Each under one lock.

    def _around(self, seat: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Returns what a seat has found, and what it has left."""
        lists = [*self.lists, (None, self.cards)]
        place = next(place for place, (author, _) in enumerate(lists) if author == seat)
        return lists[place][1], lists[place + 1][1]

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        group, seat, keys = maker.group, maker.seat, maker.keys
        if self.is_listed:
            return Attests(self.prove(maker, turn, index))
        preparation = maker.prepare(len(self.cards), listed=True)
        return Shuffles(deck.list_cards(group, seat, self.cards, keys, preparation, maker.take_lock()))

    def prove(self, maker: Maker, turn: Turn, index: int) -> bytes:
        """Returns the proof of a seat's own list, for the entry of that turn: what others lay after it is not in it."""
        context, (before, after), listed = self._context(turn, index), self._around(maker.seat), maker.take_listed
        known = (maker.group, context, maker.seat, before, after, maker.keys)
        return maker.once(context, lambda: deck.prove_list(*known, listed(), maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        group, author = board.group, Seat(turn.entry.author)
        rest = tuple(seat for seat in self.waiting if seat != author)
        if not self.is_listed:
            cards = deck.read_list(group, author, self.cards, asked(Shuffles, turn, act).change)
            lists = (*self.lists, (author, self.cards))
            return replace(self, cards=cards, lists=lists, waiting=rest or tuple(seat for seat, _ in lists))
        proof, context = asked(Attests, turn, act).proof, self._context(turn, index)
        proofs = (*self.proofs, deck.read_proof(group, context, author, *self._around(author), proof))
        if not rest:
            self._verify(board, turn, proofs)
        return replace(self, proofs=proofs, waiting=rest)

    @staticmethod
    def _verify(board: Board, turn: Turn, links: Sequence[Attested]) -> None:
        """Verifies all proofs as one, in which the own one costs ten multiplications.

        Raises:
            StageError: Names the first one of others that does not hold. An own one stops this node, as any.
        """
        try:
            verify_chain(board.group, links, board.rng)
        except FalseLinkError as error:
            false = links[error.index]
            if false.context.seat != turn.judge:
                raise StageError(false.context.seat, error) from error
            turn.owed.append(lambda: verify(board.group, *false, board.rng))
            Mixing._verify(board, turn, [link for link in links if link is not false])

    def completed(self, board: B) -> B:
        return board.with_deck(dealt_from(board, self.deck, self.cards)).record(self.fact(self.pack, len(self.cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting(CardPassing):
    """Before cards that have lain about are shuffled, each seat in turn puts all of them under one fresh own lock."""

    name = "collect"
    is_attempt = True
    way = (Locks, "gather")
    handles: tuple[Handle, ...]
    owners: tuple[Seat, ...] = ()
    """Who mixes cards that lie under their locks and stay there (the Loot); else all make discards a new deck."""

    @classmethod
    def begin(cls, board: Board, handles: tuple[Handle, ...]) -> "Collecting":
        """Returns the first half of a reshuffle."""
        seats, anew = board.state.seats, replace(board.goods, generation=board.goods.generation + 1)
        cards = tuple(board.cards[handle] for handle in handles)
        return cls(waiting=seats, of=len(seats), deck=anew, cards=cards, handles=handles)

    @classmethod
    def among(cls, board: Board, mix: Mix) -> "Collecting":
        """Returns the first half of mixing cards that lie under several locks."""
        cards = tuple(board.cards[handle] for handle in mix.handles)
        seats = mix.seats
        return cls(waiting=seats, of=len(seats), deck=board.goods, cards=cards, handles=mix.handles, owners=seats)

    def _on(self, cards: tuple[Card, ...]) -> Passing:
        if self.waiting[1:] or len(cards) == 1:  # A single card needs no shuffle.
            return replace(self, cards=cards, waiting=self.waiting[1:])
        seats = tuple(Seat(seat) for seat, _ in cards[0].locks)  # Everybody's lock is on every card now.
        return Remixing(
            waiting=seats, of=2 * self.of, deck=self.deck, cards=cards, handles=self.handles, owners=self.owners
        )

    def completed(self, board: B) -> B:
        return _laid(board, self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remixing(Mixing):
    """The cards that were collected are shuffled as the first deck was, each lock in place of the seat's own."""

    name = "remix"
    handles: tuple[Handle, ...]
    owners: tuple[Seat, ...] = ()

    def completed(self, board: B) -> B:
        return _laid(board, self)


def dealt_from(board: Board, made: Deck, cards: tuple[Card, ...]) -> Deck:
    """Returns the deck of these cards; of goods, the last ones stay out if the rules say so (12.3)."""
    kept = len(cards) - (board.state.setup.missing if made.name == name_of(None) else 0)
    return replace(made, undrawn=cards[:kept], missing=cards[kept:])


def _laid(board: B, made: Collecting | Remixing) -> B:
    """Returns the board with the cards as the new deck, or anew where they lay."""
    if made.owners:
        board, fresh = board.renewed(made.handles, made.cards)
        return board.record(Rearranged(made.owners[0], Zone.LOOT, fresh))
    board, _ = board.with_deck(replace(made.deck, undrawn=made.cards)).renewed(made.handles, ())
    return board.record(Reshuffled(len(made.cards)))
