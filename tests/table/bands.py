"""Tables with the decks of modules, stacked through real shuffles; and who plays at them by a script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from p2p_sheriff.rules import Choice, Handle, LoadBag, Move, Pack, Seat, Setup, View
from p2p_sheriff.rules.bounds import DiscardBounds
from p2p_sheriff.rules.legal import legal_moves
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import Discard, FillOrders, KeepMan, LayLaws, LayOut, Reorder, UseMan
from p2p_sheriff.session.acts import Locks, Payload, Strips
from p2p_sheriff.session.passes.passing import CardPassing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from protocol.deck import Card, Change, lock_cards, strip_cards
from protocol.proofs.shuffle import prepare
from tests.table.cheats import Cheat, Lie
from tests.table.tables import GROUP, SHERIFF, BadHandError, Net, Script, of_kind, seated

SHORT = (("apples", 10), ("cheese", 5), ("chicken", 4), ("pepper", 4), ("silk", 9))
SIX = (("apples", 24), ("cheese", 8), ("chicken", 8), ("pepper", 8), ("silk", 12))
MEN = ("Robin Hood", "Little John", "Alan-a-Dale", "Roger the cook", "Will Scarlet", "Gandelyn")
"""The first merry men of the deck: two for each of three seats."""

P = TypeVar("P", bound=CardPassing)


def with_modules(*options: str, players: int = 3) -> Setup:
    """Returns a table with these modules and a short deck, at which seat 0 is the first sheriff."""
    short, candidates = (SHORT, (SHERIFF,)) if players < 6 else (SIX, ())
    return Setup(players, options=frozenset(options), short=short, candidates=candidates)


def stack(sessions: Sequence[Session], pack: Pack, *top: str) -> None:
    """Prepares everybody's first shuffle of the deck of a module, so that these cards come to lie on top."""
    names = cards_of(sessions[0].play.state.setup, pack)
    first = [names.index(name) for name in top]
    wanted = (*first, *(place for place in range(len(names)) if place not in first))
    for session in sessions:
        order = wanted if session is sessions[-1] else range(len(names))
        session.secrets._prepared[len(names)] = [prepare(GROUP, len(names), session.secrets.rng, order)]


def smuggling(view: View) -> tuple[Handle, ...]:
    """A bag with something legal and something that is not."""
    return of_kind(view, "apples") + of_kind(view, "silk")


def with_man(view: View) -> tuple[Handle, ...]:
    """A bag with something legal and the own merry man."""
    return of_kind(view, "apples") + view.me.men


@dataclass
class Member(Script):
    """Plays by a script, and answers the questions of all modules."""

    bag: Callable[[View], tuple[Handle, ...]] = smuggling
    keeps: str = ""
    """Which merry man stays, if he was dealt."""
    shows: bool = False
    """Whether to show the law that is put back, too."""
    fills: Callable[[View], FillOrders] = lambda view: FillOrders(view.seat)

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        state, seat = view.state, view.seat
        if state.round > self.rounds:
            return None
        match choice:
            case Choice.LAY_LAWS:
                return LayLaws(seat, state.drawn_laws[: max(1, len(state.drawn_laws) - 1)], self.shows)
            case Choice.LAY_OUT:
                return LayOut(seat)
            case Choice.KEEP_MAN:
                men = sorted(view.me.men, key=lambda man: view.knowledge.kinds[man] != self.keeps)
                return KeepMan(seat, men[0])
            case Choice.SEND:
                return next(move for move in legal_moves(state, seat) if isinstance(move, UseMan))
            case Choice.DISCARD:
                (bounds,) = (one for one in legal_moves(state, seat) if isinstance(one, DiscardBounds))
                cards = tuple((card.handle, card.kind) for card in view.hand[: bounds.count])
                return Discard(seat, cards, (bounds.taken or ())[: bounds.count])
            case Choice.REORDER:
                return Reorder(seat, view.me.peeked[::-1])
            case Choice.FILL_ORDERS:
                return self.fills(view)
            case _:
                return super().choose(view, choice)


Members: TypeAlias = Callable[[], Mapping[Seat, Script]]


def gathered(
    seed: str,
    setup: Setup,
    cheat: Seat,
    lie: Lie,
    members: Members = dict,
    decks: Mapping[Pack, Sequence[str]] | None = None,
    until: Callable[[Play], bool] = lambda _: False,
) -> Net:
    """Plays until it is so, or all waits, with these cards on top of the decks; anew if somebody lacks a card."""
    for attempt in range(20):
        scripts = {seat: Member() for seat in setup.seats} | dict(members())
        net = seated(f"{seed}/{attempt}", cheat, lie, scripts=scripts, setup=setup, hasty=False)
        for pack, top in (decks or {}).items():
            stack(net.sessions, pack, *top)
        try:
            net.run(until)
        except BadHandError:
            continue
        return net
    raise AssertionError("nobody is ever dealt such a hand")


# -- lies about cards that go around

Forgery: TypeAlias = Callable[[Cheat, P, Change], Change]
"""What to write in place of the own part of a pass."""


def in_pass(kind: type[P], deck: str, forge: Forgery[P]) -> Lie:
    """Returns the lie in the own part of the first pass of that kind with cards of that deck."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        passing = cheat.play.passing
        if cheat.has_lied or not isinstance(passing, kind) or passing.deck.name != deck:
            return None
        match payload.acts[0]:
            case Locks(made):
                return Payload((Locks(forge(cheat, passing, made)),))
            case Strips(made):
                return Payload((Strips(forge(cheat, passing, made)),))
            case _:
                return None

    return lie


def with_other(card: Callable[[Cheat], Card], place: int = 0) -> Forgery[CardPassing]:
    """Works at another card in place of one that goes around, with a true proof of that work."""

    def forge(cheat: Cheat, passing: CardPassing, _made: Change) -> Change:
        cards = [passing.cards[mine] for mine in passing.places(cheat.seat)]
        cards[place] = _passed_off(cheat, card(cheat), cards[place])
        work = lock_cards if passing.way[0] is Locks else strip_cards
        context = passing._context(cheat.table.turn(), 0)
        return work(GROUP, context, cheat.seat, cards, cheat.secrets.keys, cheat.rng)

    return forge


def _passed_off(cheat: Cheat, card: Card, true: Card) -> Card:
    """Returns a card under the very key of the cheat's that the true one is under."""
    points, keys = [card.point], cheat.secrets.keys
    if own := card.key_of(cheat.seat):
        points = keys[own].open(GROUP, points)
    if wanted := true.key_of(cheat.seat):
        points = keys[wanted].close(GROUP, points)
    return Card(points[0], true.locks)


def of_the_deck(name: str) -> Callable[[Cheat], Card]:
    """Returns the next card of a deck, as one that would be liked better."""
    return lambda cheat: cheat.play.decks[name].undrawn[0]
