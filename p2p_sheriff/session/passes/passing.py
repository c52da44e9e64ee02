"""What is common to all work that goes around the table."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol, TypeAlias, TypeVar

from p2p_sheriff.rules import Seat
from p2p_sheriff.session.acts import Act, Locks, Shuffles, Strips
from p2p_sheriff.session.board import Board, Deck
from protocol import deck
from protocol.cipher import Lock
from protocol.deck import Card, Keyring
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

    def prepare(self, count: int, *, listed: bool = False) -> Preparation:
        """Returns a preparation to shuffle that many cards; one for a list is kept for its proof."""
        ...

    def take_lock(self) -> Lock | None:
        """Returns the lock for the own list, if it was made while the list before it was waited for."""
        ...

    def take_listed(self) -> Preparation | None:
        """Returns the preparation of the own last list, unless it was lost in a restart."""
        ...

    def once(self, context: Context, make: Callable[[], bytes]) -> bytes:
        """Returns the proof of the own last list in this place, made while there was time, or now."""
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
    is_attempt: ClassVar[bool] = False
    """Whether all that it makes is thrown away if it fails: no card in play is under its locks yet."""

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

    def owes_proof(self, _seat: Seat) -> bool:
        """Whether that seat has laid a list that it still has to prove."""
        return False

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


def asked(kind: type[A], turn: Turn, act: Act) -> A:
    if not isinstance(act, kind):
        raise ForbiddenError(f"seat {turn.entry.author} is asked for something else")
    return act


# -- cards

Way: TypeAlias = type[Shuffles | Locks | Strips]
"""What is done to the cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardPassing(Passing):
    """Cards go around, and each seat in turn changes its lock on them."""

    looks_first: ClassVar[bool] = False
    """Whether own work is checked before it counts: where more than its own proof rests on it."""
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
        if self.way[0] is Locks:
            return Locks(deck.lock_cards(group, context, seat, cards, keys, maker.rng))
        return Strips(deck.strip_cards(group, context, seat, cards, keys, maker.rng))

    def after(self, board: Board, turn: Turn, act: Act, index: int) -> Passing:
        group, seat, context = board.group, turn.entry.author, self._context(turn, index)
        places, change = self.places(seat), asked(self.way[0], turn, act).change
        cards = [self.cards[place] for place in places]
        if self.way[0] is Locks:
            changed, check = deck.read_lock(group, context, seat, cards, change)
        else:
            changed, check = deck.read_strip(group, context, seat, cards, change)
        if self.looks_first:
            check()
        else:
            turn.check(check)
        now = dict(zip(places, changed, strict=True))
        return self._on(tuple(now.get(place, card) for place, card in enumerate(self.cards)))

    def _on(self, cards: tuple[Card, ...]) -> Passing:
        return replace(self, cards=cards, waiting=self.waiting[1:])
