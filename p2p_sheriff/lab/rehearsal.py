"""The story of the tutorial: a dealer who knows what is coming, and others who know their parts."""

from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from p2p_sheriff.fronts.tui.lessons import LESSONS, MARIAN, TUCK, YOU
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.fronts.tui.tutorial import Tutorial
from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import Choice, Kind, LoadBag, Move, Seat, Setup, Transition, View, new_game
from p2p_sheriff.rules.moves import Act, Declare, Inspect, NameFirst, Offer, Pass, SetAside, Things, Verb
from p2p_sheriff.seat.words import Words

_SETUP: Final = Setup(3, candidates=(MARIAN,))

_ARRANGED: Final[tuple[Kind, ...]] = (
    # Dealt: to the player, to Marian, to Tuck.
    *("apples", "apples", "apples", "cheese", "chicken", "pepper"),
    *("cheese", "cheese", "cheese", "apples", "chicken", "mead"),
    *("cheese", "cheese", "apples", "mead", "mead", "crossbow"),
    # Drawn in the first round: the player at the market; then Tuck and the player for what was in their bags.
    *("apples", "silk"),
    *("apples", "chicken"),
    *("apples", "cheese", "chicken", "chicken"),
    # Drawn in the second round: the player and Marian for what was in their bags.
    *("apples", "cheese", "mead"),
    *("cheese",),
)
"""The first cards of the deck, so that it is always a good story."""


class _Arranged(Random):
    """Shuffles the deck into the order of the story, and leaves hands as they are."""

    def shuffle(self, x: MutableSequence[Any]) -> None:
        """Puts the cards of the story on top: the last of the list is drawn first."""
        if len(x) == _SETUP.cards:
            for kind in _ARRANGED:
                x.remove(kind)
            x.extend(reversed(_ARRANGED))


Part = Move | Callable[[Dealer], Move | LoadBag]
"""Something that one of the others does; some of it depends on the cards."""


def _market(dealer: Dealer) -> Move:
    """Whoever's turn it is at the market keeps all cards."""
    return SetAside(dealer.choices()[0].seat, ())


def _bag(seat: Seat, *kinds: Kind) -> Part:
    def load(dealer: Dealer) -> LoadBag:
        hand, bag = list(dealer.view(seat).hand), []
        for kind in kinds:
            card = next(card for card in hand if card.kind == kind)
            hand.remove(card)
            bag.append(card.handle)
        return LoadBag(seat, tuple(bag))

    return load


def _offer(seat: Seat, sheriff: Seat, gold: int) -> Offer:
    return Offer.bribe(seat, 0, seat, (sheriff,), (Act(seat, Verb.PASS),), Things(gold=gold))


_PARTS: Final[dict[str, tuple[Part, ...]]] = {
    "welcome": (NameFirst(MARIAN, YOU),),
    "market": (_market,),
    "load": (_bag(TUCK, "cheese", "cheese"), Declare(TUCK, 2, "cheese")),
    "suspense": (Inspect(MARIAN, YOU),),
    "honest": (Pass(MARIAN, TUCK), NameFirst(TUCK, YOU)),
    "contraband": (_market,),
    "bluff": (_bag(MARIAN, "apples"),),
    "lie": (Declare(MARIAN, 1, "apples"),),
    "bribe": (Pass(TUCK, YOU),),
    "passed": (Pass(TUCK, MARIAN),),
    "badge": (
        _market,
        _market,
        _bag(MARIAN, "cheese", "cheese", "cheese"),
        _bag(TUCK, "apples", "mead", "mead", "crossbow"),
        Declare(MARIAN, 3, "cheese"),
        Declare(TUCK, 4, "apples"),
        _offer(MARIAN, YOU, 2),
        _offer(TUCK, YOU, 6),
    ),
}
"""What the others do when a lesson is done."""


@dataclass(frozen=True)
class Rehearsed:
    """The story as far as it was played. What the player did is all that differs, so it is played anew each time."""

    done: tuple[Wish | None, ...]
    dealer: Dealer
    told: tuple[Transition, ...]

    @classmethod
    def of(cls, done: tuple[Wish | None, ...] = ()) -> "Rehearsed":
        """Deals the cards, and returns the story after the player did this in the lessons."""
        dealer = Dealer(_SETUP, _Arranged())
        told = dealer.start()
        for lesson, wish in zip(LESSONS, done, strict=False):
            told = dealer.submit(wish) if isinstance(wish, LoadBag | Move) else []
            for part in _PARTS.get(lesson.key, ()):
                told += dealer.submit(part if isinstance(part, Move) else part(dealer))
        return cls(done, dealer, tuple(told))

    def after(self, wish: Wish | None) -> "Rehearsed":
        """Returns the story after the player did this in the next lesson."""
        return Rehearsed.of((*self.done, wish))

    def view(self) -> View:
        """Returns what the player sees."""
        return self.dealer.view(YOU)

    def asked(self) -> dict[Seat, Choice]:
        """Returns who has to choose what."""
        return {one.seat: one.choice for one in self.dealer.choices()}


def begin_tutorial(words: Words, name: str) -> Tutorial:
    """Returns the screen of the tutorial at its beginning."""
    begin = Model((name, "Marian", "Tuck"), words, told=new_game(_SETUP))
    return Tutorial.of(Rehearsed.of(), words, begin)
