"""Work that goes around the table: one seat after the other, or all at once, until the last one completes it.

A pass is a value and has everything about it side by side: how it begins, whose entry comes next and where its proof
stands, how a seat makes its part and how all check it, and what is so when the last one has done theirs.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, Self, TypeVar, assert_never

from p2p_sheriff.rules import Choose, Handle, Seat, demands
from p2p_sheriff.rules.demands import (
    Draw,
    Give,
    Open,
    Prove,
    Rearrange,
    Redeal,
    Reshuffle,
    Show,
    ShowKinds,
    Shuffle,
    Toss,
)
from p2p_sheriff.rules.facts import Coin, Drawn, Given, Reshuffled, Shuffled
from p2p_sheriff.session.acts import Act, Commits, Locks, Reveals, Shuffles, Strips
from p2p_sheriff.session.board import Board, Deck
from p2p_sheriff.session.labels import labels_of
from protocol.codec import Value
from protocol.coin import SHARE_BYTES, commit_share, toss, verify_share
from protocol.commitment import COMMITMENT_BYTES
from protocol.deck import (
    Card,
    Keyring,
    lock_cards,
    shuffle_cards,
    strip_cards,
    verify_lock,
    verify_shuffle,
    verify_strip,
)
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
    """Of the coin that is being tossed."""

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
    uncovers: ClassVar[bool] = False
    """Whether its last entry takes the last lock but one off a card, and so gives a secret away."""

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
        """Whose next entry gives a secret away."""
        return self.waiting if self.uncovers and len(self.waiting) == 1 else ()

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
    match demand:
        case Shuffle():
            return Mixing.begin(board)
        case Reshuffle():
            return Collecting.begin(board, demand)
        case Draw():
            return Dealing.begin(board, (demand, *(other for other in others if isinstance(other, Draw))))
        case Toss():
            return Tossing.begin(board, demand)
        case Give():
            return Giving.begin(board, demand)
        case Choose() | Rearrange() | Show() | ShowKinds() | Prove() | Open() | Redeal():
            return None
        case _:
            assert_never(demand)


def _asked(kind: type[A], turn: Turn, act: Act) -> A:
    if not isinstance(act, kind):
        raise ForbiddenError(f"seat {turn.entry.author} is asked for something else")
    return act


# -- cards


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPassing(Passing):
    """Cards go around."""

    deck: Deck
    """Whose cards they are; as it is while they go around."""
    cards: tuple[Card, ...]

    @property
    def held(self) -> tuple[Card, ...]:
        return self.cards

    def begun(self, board: B) -> B:
        return board.with_deck(self.deck)

    def _on(self, cards: tuple[Card, ...]) -> Self:
        return replace(self, cards=cards, waiting=self.waiting[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Mixing(CardPassing):
    """Each seat in turn shuffles the list under a fresh lock."""

    name = "mix"

    @classmethod
    def begin(cls, board: Board) -> "Mixing":
        """Returns the shuffle of all goods."""
        seats, points = board.state.seats, labels_of(board.group, board.state.setup).points
        return cls(waiting=seats, of=len(seats), deck=board.goods, cards=tuple(map(Card, points)))

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, "shuffle", index)

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        context, preparation = self._context(turn, index), maker.prepare(len(self.cards))
        return Shuffles(shuffle_cards(maker.group, context, maker.seat, self.cards, maker.keys, preparation))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        change, context = _asked(Shuffles, turn, act).change, self._context(turn, index)
        return self._on(verify_shuffle(board.group, context, turn.entry.author, self.cards, change, board.rng))

    def completed(self, board: B) -> B:
        kept = len(self.cards) - board.state.setup.missing
        deck = replace(self.deck, undrawn=self.cards[:kept], missing=self.cards[kept:])
        return board.with_deck(deck).record(Shuffled(len(self.cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Collecting(CardPassing):
    """Before discards are shuffled, each seat in turn puts all of them under one fresh lock of its own."""

    name = "collect"
    handles: tuple[Handle, ...]

    @classmethod
    def begin(cls, board: Board, demand: Reshuffle) -> "Collecting":
        """Returns the first half of a reshuffle."""
        seats, deck = board.state.seats, replace(board.goods, generation=board.goods.generation + 1)
        cards = tuple(board.cards[handle] for handle in demand.handles)
        return cls(waiting=seats, of=len(seats), deck=deck, cards=cards, handles=demand.handles)

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, "gather", index)

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        context = self._context(turn, index)
        return Locks(lock_cards(maker.group, context, maker.seat, self.cards, maker.keys, maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        change, context = _asked(Locks, turn, act).change, self._context(turn, index)
        passed = self._on(verify_lock(board.group, context, turn.entry.author, self.cards, change))
        if passed.waiting or len(passed.cards) == 1:
            return passed
        seats = board.state.seats
        return Remixing(waiting=seats, of=len(seats), deck=self.deck, cards=passed.cards, handles=self.handles)

    def completed(self, board: B) -> B:
        return _reshuffled(self, board)


@dataclass(frozen=True, slots=True, kw_only=True)
class Remixing(Mixing):
    """Each seat in turn shuffles the discards that were collected, under a fresh lock in place of its own."""

    name = "remix"
    handles: tuple[Handle, ...]

    def completed(self, board: B) -> B:
        return _reshuffled(self, board)


def _reshuffled(passed: Collecting | Remixing, board: B) -> B:
    board, _ = board.with_deck(replace(passed.deck, undrawn=passed.cards)).renewed(passed.handles, ())
    return board.record(Reshuffled(len(passed.cards)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing(CardPassing):
    """Each seat in turn takes its lock off the cards that are not for itself."""

    name = "deal"
    uncovers = True
    draws: tuple[Draw, ...]
    """Who draws how many of the cards, in this order."""

    @classmethod
    def begin(cls, board: Board, draws: tuple[Draw, ...]) -> "Dealing":
        """Returns the deal of several hands, or of one."""
        count, state, deck = sum(draw.count for draw in draws), board.state, board.goods
        rest = replace(deck, undrawn=deck.undrawn[count:])
        dealing = cls(waiting=(), of=len(state.seats), deck=rest, cards=deck.undrawn[:count], draws=draws)
        around = state.clockwise_after(draws[0].seat)
        return replace(dealing, waiting=tuple(seat for seat in around if dealing.to_strip(seat)))

    def to_strip(self, seat: int) -> tuple[int, ...]:
        """Returns the places of the cards that the seat's lock comes off."""
        receivers = [draw.seat for draw in self.draws for _ in range(draw.count)]
        return tuple(place for place, receiver in enumerate(receivers) if receiver != seat)

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, "deal", index)

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        context, cards = self._context(turn, index), [self.cards[place] for place in self.to_strip(maker.seat)]
        return Strips(strip_cards(maker.group, context, maker.seat, cards, maker.keys, maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        seat, change = turn.entry.author, _asked(Strips, turn, act).change
        places = self.to_strip(seat)
        cards = [self.cards[place] for place in places]
        stripped = verify_strip(board.group, self._context(turn, index), seat, cards, change)
        now = dict(zip(places, stripped, strict=True))
        return self._on(tuple(now.get(place, card) for place, card in enumerate(self.cards)))

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
    uncovers = True
    give: Give

    @classmethod
    def begin(cls, board: Board, give: Give) -> "Giving":
        """Returns a gift."""
        cards = tuple(board.cards[handle] for handle in give.handles)
        return cls(waiting=give.by, of=len(give.by), deck=board.goods, cards=cards, give=give)

    @property
    def _is_taken(self) -> bool:
        return len(self.waiting) == 1

    def _context(self, turn: Turn, index: int) -> Context:
        return self.deck.context(turn, "give" if self._is_taken else "take", index, self.give.handles)

    def make(self, maker: Maker, turn: Turn, index: int) -> Act:
        context, group, seat = self._context(turn, index), maker.group, maker.seat
        if self._is_taken:
            return Strips(strip_cards(group, context, seat, self.cards, maker.keys, maker.rng))
        return Locks(lock_cards(group, context, seat, self.cards, maker.keys, maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        context, group, seat = self._context(turn, index), board.group, turn.entry.author
        if self._is_taken:
            return self._on(verify_strip(group, context, seat, self.cards, _asked(Strips, turn, act).change))
        return self._on(verify_lock(group, context, seat, self.cards, _asked(Locks, turn, act).change))

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
        seats, context = board.state.seats, (board.game, board.state.round, coin.purpose)
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
