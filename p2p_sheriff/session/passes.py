"""Work that goes around the table: one seat after the other, or all at once, until the last one completes it.

A pass is a value and has everything about it side by side: how it begins, whose entry comes next and where its proof
stands, how a seat makes its part and how all check it, and what is so when the last one has done theirs.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeAlias, TypeVar, assert_never

from p2p_sheriff.rules import Handle, Seat, demands
from p2p_sheriff.rules.demands import Around, Draw, Give, Redeal, Reshuffle, Shuffle, Toss
from p2p_sheriff.rules.facts import Coin, Drawn, Given, Reshuffled, Shuffled
from p2p_sheriff.session.acts import Act, Commits, Locks, Reveals, Shuffles, Strips
from p2p_sheriff.session.board import Board, Deck
from p2p_sheriff.session.labels import labels_of
from protocol import deck
from protocol.codec import Value
from protocol.coin import SHARE_BYTES, commit_share, toss, verify_share
from protocol.commitment import COMMITMENT_BYTES
from protocol.deck import Card, Keyring
from protocol.errors import MalformedError
from protocol.group import Group
from protocol.proofs.context import Context
from protocol.proofs.shuffle import Preparation
from protocol.randomness import Rng
from protocol.table import ForbiddenError, Turn

A = TypeVar("A", bound=Act)
B = TypeVar("B", bound=Board)


class Maker(Protocol):
    """The private side of a seat, as far as a pass needs it."""

    seat: Seat
    group: Group
    rng: Rng
    keys: Keyring
    share: bytes

    def prepare(self, count: int) -> Preparation:
        """Returns a preparation to shuffle that many cards."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Passing(ABC):
    """Something that takes an entry of several seats, as far as it has come."""

    waiting: tuple[Seat, ...]
    """Whose entries are still to come."""
    of: int
    """How many entries it takes; a seat that has nothing to do has done it."""
    name: ClassVar[str]
    """What is done, in a word."""

    @property
    def done(self) -> int:
        """How many entries have come."""
        return self.of - len(self.waiting)

    @property
    def expected(self) -> tuple[Seat, ...]:
        """Whose entries come next."""
        return self.waiting[:1]

    @property
    def releasers(self) -> tuple[Seat, ...]:
        """Whose next entries give a secret away."""
        return ()

    @property
    def held(self) -> tuple[Card, ...]:
        """The cards that are in it."""
        return ()

    def begun(self, board: B) -> B:
        """Returns the board from which it has taken what it needs."""
        return board

    @abstractmethod
    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        """Returns the part of a seat whose entry comes next."""

    @abstractmethod
    def after(self, board: Board, turn: Turn, act: Act, index: int) -> "Passing":
        """Returns the pass after the part of a seat that was expected: as it goes on, or what follows it at once.

        Raises:
            VerificationError: It does not hold.
        """

    @abstractmethod
    def completed(self, board: B) -> B:
        """Returns the board when nobody is waited for any more."""

    def lost(self, _maker: Maker) -> tuple[str, ...]:
        """Returns what a seat has lost, besides keys of cards, that it needs to go on: in words."""
        return ()


def begin(board: Board) -> Passing | None:
    """Returns the pass that the rules' first demand asks for; None if it asks one seat, or for what can't be done."""
    demand, *others = demands(board.state)
    if not isinstance(demand, Around):
        return None
    match demand:
        case Shuffle():
            return Mixing.begin(board)
        case Reshuffle(handles):
            return Collecting.begin(board, handles)
        case Draw():
            return Dealing.begin(board, (demand, *(other for other in others if isinstance(other, Draw))))
        case Toss():
            return Tossing.begin(board, demand)
        case Give():
            return Giving.begin(board, demand)
        case Redeal():
            return None
        case _:
            assert_never(demand)


def _asked(kind: type[A], turn: Turn, act: Act) -> A:
    if not isinstance(act, kind):
        raise ForbiddenError(f"seat {turn.entry.author} is asked for something else")
    return act


# -- cards

Way: TypeAlias = type[Shuffles | Locks | Strips]
"""What is done to the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPassing(Passing):
    """Cards go around, and each seat in turn changes its lock on them."""

    deck: Deck
    """Whose cards they are; as it is while they go around."""
    cards: tuple[Card, ...]

    @property
    @abstractmethod
    def way(self) -> tuple[Way, str]:
        """What the next seat does, and the operation of its proof's context."""

    def places(self, _seat: int) -> tuple[int, ...]:
        """Returns which of the cards that seat works at."""
        return tuple(range(len(self.cards)))

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, self.way[1], index)

    @property
    def releasers(self) -> tuple[Seat, ...]:
        return self.waiting if self.way[0] is Strips and len(self.waiting) == 1 else ()

    @property
    def held(self) -> tuple[Card, ...]:
        return self.cards

    def begun(self, board: B) -> B:
        return board.with_deck(self.deck)

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        group, seat, keys, context = maker.group, maker.seat, maker.keys, self._context(turn, index)
        cards = [self.cards[place] for place in self.places(seat)]
        if self.way[0] is Shuffles:
            return Shuffles(deck.shuffle_cards(group, context, seat, cards, keys, maker.prepare(len(cards))))
        if self.way[0] is Locks:
            return Locks(deck.lock_cards(group, context, seat, cards, keys, maker.rng))
        return Strips(deck.strip_cards(group, context, seat, cards, keys, maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        group, seat, context = board.group, turn.entry.author, self._context(turn, index)
        places, change = self.places(seat), _asked(self.way[0], turn, act).change
        cards = [self.cards[place] for place in places]
        if self.way[0] is Shuffles:
            changed = deck.verify_shuffle(group, context, seat, cards, change, board.rng)
        elif self.way[0] is Locks:
            changed = deck.verify_lock(group, context, seat, cards, change)
        else:
            changed = deck.verify_strip(group, context, seat, cards, change)
        now = dict(zip(places, changed, strict=True))
        return self._on(tuple(now.get(place, card) for place, card in enumerate(self.cards)))

    def _on(self, cards: tuple[Card, ...]) -> Passing:
        return replace(self, cards=cards, waiting=self.waiting[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixing(CardPassing):
    """Each seat in turn shuffles the list under a fresh lock."""

    name = "mix"
    way = (Shuffles, "shuffle")

    @classmethod
    def begin(cls, board: Board) -> "Mixing":
        """Returns the shuffle of all goods."""
        seats, points = board.state.seats, labels_of(board.group, board.state.setup).points
        return cls(waiting=seats, of=len(seats), deck=board.goods, cards=tuple(map(Card, points)))

    def completed(self, board: B) -> B:
        kept = len(self.cards) - board.state.setup.missing
        mixed = replace(self.deck, undrawn=self.cards[:kept], missing=self.cards[kept:])
        return board.with_deck(mixed).record(Shuffled(len(self.cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting(CardPassing):
    """Before discards are shuffled, each seat in turn puts all of them under one fresh lock of its own."""

    name = "collect"
    way: ClassVar[tuple[Way, str]] = (Locks, "gather")
    handles: tuple[Handle, ...]

    @classmethod
    def begin(cls, board: Board, handles: tuple[Handle, ...]) -> "Collecting":
        """Returns the first half of a reshuffle."""
        seats, anew = board.state.seats, replace(board.goods, generation=board.goods.generation + 1)
        cards = tuple(board.cards[handle] for handle in handles)
        return cls(waiting=seats, of=len(seats), deck=anew, cards=cards, handles=handles)

    def _on(self, cards: tuple[Card, ...]) -> Passing:
        if self.waiting[1:] or len(cards) == 1:  # A single card needs no shuffle.
            return replace(self, cards=cards, waiting=self.waiting[1:])
        seats = tuple(Seat(seat) for seat, _ in cards[0].locks)  # Everybody's lock is on every card now.
        return Remixing(waiting=seats, of=self.of, deck=self.deck, cards=cards, handles=self.handles)

    def completed(self, board: B) -> B:
        board, _ = board.with_deck(replace(self.deck, undrawn=self.cards)).renewed(self.handles, ())
        return board.record(Reshuffled(len(self.cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Remixing(Collecting):
    """Each seat in turn shuffles the discards that were collected, under a fresh lock in place of its own."""

    name = "remix"
    way = (Shuffles, "shuffle")
    _on = CardPassing._on


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
        count, goods = sum(draw.count for draw in draws), board.goods
        around = board.state.clockwise_after(draws[0].seat)
        cards, rest = goods.undrawn[:count], replace(goods, undrawn=goods.undrawn[count:])
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


# -- the joint coin


@dataclass(frozen=True, slots=True, kw_only=True)
class Tossing(Passing):
    """All seats at once commit to a share of the joint coin; then all at once reveal theirs."""

    name = "coin"
    coin: Toss
    context: tuple[Value, ...]
    """Which toss it is."""
    commitments: tuple[tuple[Seat, bytes], ...] = ()
    shares: tuple[bytes, ...] = ()

    @classmethod
    def begin(cls, board: Board, coin: Toss) -> "Tossing":
        """Returns a coin that is to be tossed."""
        seats, context = board.state.seats, (board.game, board.state.round, coin.purpose.value)
        return cls(waiting=seats, of=2 * len(seats), coin=coin, context=context)

    @property
    def is_committed(self) -> bool:
        """Whether all have committed, so that all reveal now."""
        return 2 * len(self.commitments) == self.of

    @property
    def done(self) -> int:
        return len(self.commitments) + len(self.shares)

    @property
    def expected(self) -> tuple[Seat, ...]:
        return self.waiting

    def make(self, maker: Maker, _turn: Turn, _index: int) -> Act:
        if self.is_committed:
            return Reveals(maker.share)
        maker.share = maker.rng(SHARE_BYTES)
        return Commits(commit_share(self.context, maker.seat, maker.share))

    def after(self, board: Board, turn: Turn, act: Act, _index: int) -> Passing:
        author = Seat(turn.entry.author)
        rest = tuple(seat for seat in self.waiting if seat != author)
        if self.is_committed:
            share = _asked(Reveals, turn, act).share
            verify_share(dict(self.commitments)[author], self.context, author, share)
            return replace(self, shares=(*self.shares, share), waiting=rest)
        commitment = _asked(Commits, turn, act).commitment
        if len(commitment) != COMMITMENT_BYTES:
            raise MalformedError("a commitment has 32 bytes")
        commitments = (*self.commitments, (author, commitment))
        return replace(self, commitments=commitments, waiting=rest or board.state.seats)

    def completed(self, board: B) -> B:
        return board.record(Coin(self.coin.purpose, toss(self.context, self.shares, self.coin.sides)))

    def lost(self, maker: Maker) -> tuple[str, ...]:
        promised = dict(self.commitments).get(maker.seat)
        is_kept = bool(maker.share) and commit_share(self.context, maker.seat, maker.share) == promised
        return () if promised is None or is_kept else ("its share of the coin",)
