"""Seeded players who choose at random, but like people at a table: they haggle a little, and then they decide.

The same seed gives the same game everywhere. The driver knows the rules only through `legal_moves`.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import TypeVar

from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import (
    Choice,
    Choose,
    Goods,
    Handle,
    Input,
    Kind,
    LegalMove,
    LoadBag,
    Move,
    Phase,
    Seat,
    Setup,
    State,
    Transition,
    View,
    apply,
    legal_moves,
    new_game,
)
from p2p_sheriff.rules.bounds import (
    DiscardBounds,
    HandOverBounds,
    LayDownBounds,
    LayOutBounds,
    LoadBounds,
    OfferBounds,
    OrderBounds,
    PayInKindBounds,
    SetAsideBounds,
    SplitBounds,
    TradeBounds,
)
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Declare,
    HandOver,
    Inspect,
    LayDown,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    Refuse,
    SetAside,
    ShareLoot,
    Split,
    Stance,
    Things,
    Trade,
    Verb,
    Withdraw,
)
from tests.rules.some_cards import discarded, laid_out, some_orders

MOST_WORDS = 6
"""How many offers a phase may bring: enough to see deals, few enough to end."""

Found = TypeVar("Found")


def of_type(moves: Sequence[LegalMove], kind: type[Found]) -> list[Found]:
    """Return the moves or bounds of one type."""
    return [move for move in moves if isinstance(move, kind)]


class Driver:
    """Plays one game with a dealer; `play` yields every state with the input that led to it."""

    def __init__(self, setup: Setup, seed: int) -> None:
        self.dealer = Dealer(setup, Random(seed))
        self.rng = Random(seed + 1)
        self.words = 0

    @property
    def state(self) -> State:
        return self.dealer.state

    def play(self) -> Iterator[tuple[Input, State]]:
        """Play to the end, one input at a time. Every state is folded once more from the inputs alone."""
        state = new_game(self.state.setup)
        while self.state.phase is not Phase.OVER:
            change = self.dealer.answer() or self.step()
            item, state = change.item, apply(state, change.item)
            assert state == self.state, "The dealer has seen another game than everybody else."
            yield item, state

    def step(self) -> Transition:
        """Let one player do one thing."""
        choose = self.rng.choice(self.dealer.choices())
        seat = choose.seat
        if choose.choice is not Choice.ACT:
            self.words = 0
        match choose.choice:
            case Choice.LOAD:
                return self.dealer.take(LoadBag(seat, self.bag_for(self.dealer.view(seat))))
            case Choice.ACT:
                move = self.negotiate(choose)
            case _:
                bounds = self.rng.choice(self.sensible(legal_moves(self.state, seat)))
                move = within(bounds, self.dealer.view(seat), self.rng)
        return self.dealer.take(move)

    def sensible(self, moves: tuple[LegalMove, ...]) -> Sequence[LegalMove]:
        """Leave out haggling where something else is asked, and let deputies agree in the end."""
        rest = [move for move in moves if not isinstance(move, OfferBounds | Accept | Withdraw | Refuse)]
        if names := of_type(rest, NameFirst):
            return names[:1] if self.rng.random() < 0.6 else names
        return rest

    def bag_for(self, view: View) -> tuple[Handle, ...]:
        """Take all of one kind, and perhaps something else."""
        hand = view.hand
        kind = self.rng.choice(hand).kind
        least, most = bag_limits(view.state, view.seat)
        same = [card.handle for card in hand if card.kind == kind]
        others = [card.handle for card in hand if card.kind != kind]
        extra = self.rng.sample(others, self.rng.choice((0, 0, 1, 2)) if len(others) > 1 else 0)
        rest = [handle for handle in others if handle not in extra]
        goods = (same + extra + rest)[: max(least, min(most, len(same) + len(extra)))]
        men = view.me.men if len(goods) < most and self.rng.random() < 0.5 else ()
        return (*goods, *men)

    def negotiate(self, choose: Choose) -> Move:
        """Offer, withdraw, refuse or accept something, or let an officer decide."""
        rng = self.rng
        mood = rng.random()
        if mood < 0.5 and self.words < MOST_WORDS:
            self.words += 1
            seat = rng.choice(self.state.seats)
            talk = [move for move in legal_moves(self.state, seat) if isinstance(move, OfferBounds | Withdraw | Refuse)]
            if talk:
                return within(rng.choice(talk), self.dealer.view(seat), rng)
        if mood > 0.8:
            accepts = [move for seat in self.state.seats for move in of_type(legal_moves(self.state, seat), Accept)]
            if accepts:
                return rng.choice(accepts)
        return self.decide(choose.seat)

    def decide(self, seat: Seat) -> Move:
        moves = [
            move
            for officer in (seat, *self.state.officers)
            for move in legal_moves(self.state, officer)
            if isinstance(move, Pass | Inspect | Stance | Apart)
        ]
        final = [move for move in moves if not isinstance(move, Stance)]
        return self.rng.choice(final if final and self.rng.random() < 0.8 else moves)


# -- moves within bounds


def within(bounds: LegalMove, view: View, rng: Random) -> Move:
    """Return a move within these bounds that is also true to the hidden cards of the seat."""
    match bounds:
        case SetAsideBounds():
            return SetAside(bounds.seat, some(bounds.handles, rng.randint(0, bounds.most), rng))
        case LayDownBounds():
            return LayDown(bounds.seat, rng.randrange(bounds.piles), some(bounds.handles, len(bounds.handles), rng))
        case LoadBounds():
            raise AssertionError("A bag is loaded through the dealer.")
        case OfferBounds():
            return an_offer(bounds, rng)
        case HandOverBounds():
            return HandOver(bounds.seat, some(bounds.handles, bounds.count, rng))
        case PayInKindBounds():
            return a_payment(bounds, view, rng)
        case TradeBounds():
            return Trade(bounds.seat, three_equal(bounds, view))
        case DiscardBounds():
            return discarded(bounds, view, rng)
        case LayOutBounds():
            return laid_out(bounds, view)
        case OrderBounds():
            return some_orders(bounds, view, rng)
        case SplitBounds():
            cards = some(bounds.cards, rng.randint(0, len(bounds.cards)), rng)
            prizes = some(bounds.prizes, rng.randint(0, len(bounds.prizes)), rng)
            return ShareLoot(bounds.seat, Split(rng.randint(0, bounds.gold), cards, prizes))
        case Declare():
            return Declare(bounds.seat, len(view.knowledge.bag), bounds.kind)
        case _:
            return bounds


def some(items: tuple[Found, ...], count: int, rng: Random) -> tuple[Found, ...]:
    """Return so many different ones, in any order."""
    return tuple(rng.sample(items, count))


def an_offer(bounds: OfferBounds, rng: Random) -> Offer:
    """Return an offer anywhere within the bounds, its corners included."""
    bags = some(bounds.bags, rng.randint(1, min(2, len(bounds.bags))), rng)
    acts = [Act(bag, rng.choice(list(Verb))) for bag in bags]
    stall = tuple((kind, rng.randint(1, count)) for kind, count in bounds.stall if rng.random() < 0.3)
    passed = Act(bounds.giver, Verb.PASS) in acts and bounds.bag > 0
    return Offer.bribe(
        bounds.seat,
        bounds.number,
        bounds.giver,
        bounds.officers,
        tuple(acts),
        Things(
            gold=rng.choice((0, bounds.gold // 10, rng.randint(0, bounds.gold))),
            stall=stall,
            # Promises by kind have no limit: now and then more than can be there.
            stack=by_kind(bounds.stack_kinds, rng.randint(0, bounds.stack + 1) if bounds.stack else 0, rng),
            stack_blind=rng.choice((0, rng.randint(0, bounds.stack))),
            bag=by_kind(bounds.bag_kinds, rng.randint(0, bounds.bag + 1) if passed else 0, rng),
            bag_blind=rng.choice((0, rng.randint(0, bounds.bag))) if passed else 0,
        ),
        promise=rng.choice(("", "", "next time I let yours pass")),
    )


def by_kind(kinds: tuple[Kind, ...], count: int, rng: Random) -> Goods:
    chosen = [rng.choice(kinds) for _ in range(count)]
    return tuple((kind, chosen.count(kind)) for kind in kinds if kind in chosen)


def a_payment(bounds: PayInKindBounds, view: View, rng: Random) -> PayInKind:
    """Return goods that cover the debt, none superfluous; all of them if they don't cover it."""
    value = {kind: good.value for kind, good in view.state.setup.table.items()}
    items: list[tuple[Kind, Handle | None]] = [(kind, None) for kind, count in bounds.goods for _ in range(count)]
    items += [(card.kind, card.handle) for card in view.stack if card.handle in bounds.handles]
    rng.shuffle(items)
    given = items
    for item in items:
        rest = list(given)
        rest.remove(item)
        if sum(value[kind] for kind, _ in rest) >= bounds.amount:
            given = rest
    kinds = [kind for kind, handle in given if handle is None]
    return PayInKind(
        bounds.seat,
        tuple((kind, kinds.count(kind)) for kind in value if kind in kinds),
        tuple((handle, kind) for kind, handle in given if handle is not None),
    )


def three_equal(bounds: TradeBounds, view: View) -> tuple[tuple[Handle, Kind], ...]:
    """Return three cards of one kind that buy something, or none."""
    for wanted in bounds.kinds:
        equal = [(card.handle, card.kind) for card in view.stack if card.kind == wanted]
        if len(equal) >= 3:
            return tuple(equal[:3])
    return ()
