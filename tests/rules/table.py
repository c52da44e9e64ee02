"""A table for tests: players who choose at random within the bounds of the rules, and what must always be true."""

from collections import Counter
from collections.abc import Callable
from random import Random

from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.rules import (
    Choice,
    Choose,
    Claim,
    Goods,
    Handle,
    Input,
    Kind,
    LegalMove,
    LoadBag,
    Move,
    Pack,
    Phase,
    Setup,
    State,
    View,
    demands,
    legal_moves,
    may_time_out,
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
from p2p_sheriff.rules.demands import Rearrange
from p2p_sheriff.rules.facts import Left, TimeUp
from p2p_sheriff.rules.goods import BOX_GOLD
from p2p_sheriff.rules.law import bag_limits
from p2p_sheriff.rules.modules.packs import cards_of
from p2p_sheriff.rules.moves import (
    Act,
    Declare,
    HandOver,
    LayDown,
    Offer,
    PayInKind,
    SetAside,
    ShareLoot,
    Split,
    Things,
    Trade,
    Verb,
)
from p2p_sheriff.rules.steps import DealAround, DiscardLast, RemakePack, TurnUp
from tests.rules.some_cards import discarded, laid_out, some_orders


def cards_on_the_table(state: State) -> list[Handle]:
    """Every handle in every zone, as often as it is there."""
    handles: list[Handle] = []
    for player in state.players:
        handles += [*player.hand, *player.aside, *player.stack, *player.peeked]
        for cards in (player.aside_shown, player.stall, player.revealed, *(order.cards for order in player.orders)):
            handles += [card.handle for card in cards]
        if player.bag:
            handles += [*player.bag.handles, *(card.handle for card in player.bag.shown)]
    for cards in (*state.piles, state.box):
        handles += [card.handle for card in cards]
    handles += [card.handle for card in state.loot.cards]
    for step in state.todo:
        if isinstance(step, TurnUp):
            handles += step.handles
        if isinstance(step, DiscardLast) and step.handle is not None:
            handles.append(step.handle)
    return handles


def check_state(state: State) -> None:
    """Assert what holds in every state of every game."""
    handles = cards_on_the_table(state)
    assert len(handles) == len(set(handles)), "a card lies in two places"
    assert set(handles) == state.handles()
    assert all(handle < state.next_handle for handle in handles)
    if state.deck or handles:
        assert len(handles) + state.deck + state.setup.missing == state.setup.cards, "a card was lost or appeared"
    assert sum(player.gold for player in state.players) + state.loot.gold + state.bank == BOX_GOLD
    assert all(player.gold >= 0 for player in state.players)
    assert state.deck >= 0
    assert len(set(state.laws)) == len(state.laws), "a law came back"
    for pack, left in state.packs:
        assert 0 <= left <= len(cards_of(state.setup, pack))
    if Pack.MERRY_MEN in state.setup.packs and state.left_in(Pack.MERRY_MEN):
        bags = [player.bag for player in state.players if player.bag and player.bag.man is not None]
        men = sum(len(player.men) for player in state.players) + len(bags)
        assert men + state.left_in(Pack.MERRY_MEN) == 18, "a merry man was lost or appeared"
    pending = demands(state)
    assert bool(pending) == (state.phase is not Phase.OVER), "nothing can happen, but the game is not over"
    anew = [isinstance(step, DealAround | RemakePack) for step in state.todo]
    assert anew == sorted(anew, reverse=True), "a deck that is to be dealt anew is used before that"
    for demand in pending:
        assert set(demand.by) <= set(state.seats)
        assert not isinstance(demand, Rearrange) or demand.count, "nobody can lay anew what is empty"
        if isinstance(demand, Choose):
            assert legal_moves(state, demand.seat), f"seat {demand.seat} has to choose, but nothing is allowed"


def sample(bounds: LegalMove, view: View, rng: Random) -> Move:
    """Return a random move within bounds that is also true to the hidden cards of the seat."""
    match bounds:
        case SetAsideBounds(seat, handles, most):
            return SetAside(seat, tuple(rng.sample(handles, rng.randint(0, most))))
        case LayDownBounds(seat, piles, handles):
            return LayDown(seat, rng.randrange(piles), tuple(rng.sample(handles, len(handles))))
        case OfferBounds():
            return sample_offer(bounds, rng)
        case HandOverBounds(seat, handles, count):
            return HandOver(seat, tuple(rng.sample(handles, count)))
        case PayInKindBounds():
            return sample_payment_in_kind(bounds, view, rng)
        case TradeBounds(seat, handles, kinds):
            return Trade(seat, three_equal(view, handles, kinds))
        case DiscardBounds():
            return discarded(bounds, view, rng)
        case LayOutBounds():
            return laid_out(bounds, view)
        case OrderBounds():
            return some_orders(bounds, view, rng)
        case SplitBounds(seat, gold, cards, prizes):
            some = tuple(rng.sample(cards, rng.randint(0, len(cards))))
            return ShareLoot(
                seat, Split(rng.randint(0, gold), some, tuple(rng.sample(prizes, rng.randint(0, len(prizes)))))
            )
        case Declare(seat, _, kind):
            return Declare(seat, len(view.knowledge.bag), kind)
        case LoadBounds():
            raise TypeError("A bag is loaded through the dealer.")
        case _:
            return bounds


def sample_offer(bounds: OfferBounds, rng: Random) -> Offer:
    bags = rng.sample(bounds.bags, rng.randint(1, min(2, len(bounds.bags))))
    acts = [Act(bag, rng.choice(list(Verb))) for bag in bags]
    stack = rng.randint(0, bounds.stack)
    stack_goods = _some_kinds(bounds.stack_kinds, rng.randint(0, stack), rng)
    stack_blind = rng.randint(0, stack - sum(count for _, count in stack_goods))
    in_bag = rng.randint(0, bounds.bag) if Act(bounds.giver, Verb.PASS) in acts else 0
    bag_goods = _some_kinds(bounds.bag_kinds, rng.randint(0, in_bag), rng)
    payment = Things(
        gold=rng.randint(0, bounds.gold) // rng.choice((1, 4)),
        stall=tuple((kind, rng.randint(1, count)) for kind, count in bounds.stall if rng.random() < 0.2),
        stack=stack_goods,
        stack_blind=stack_blind,
        bag=bag_goods,
        bag_blind=in_bag - sum(count for _, count in bag_goods),
    )
    promise = rng.choice(("", "and a song"))
    number = bounds.number + rng.randint(0, 2)
    return Offer.bribe(bounds.seat, number, bounds.giver, bounds.officers, tuple(acts), payment, promise)


def _some_kinds(kinds: tuple[Kind, ...], count: int, rng: Random) -> Goods:
    counts = Counter(rng.choices(kinds, k=count)) if count else Counter()
    return tuple((kind, counts[kind]) for kind in kinds if counts[kind])


def sample_payment_in_kind(bounds: PayInKindBounds, view: View, rng: Random) -> PayInKind:
    """Take goods in a random order until the debt is covered, then put back what is superfluous."""
    table = view.state.setup.table
    items: list[Claim | Kind] = [kind for kind, count in bounds.goods for _ in range(count)]
    items += [(handle, view.knowledge.kinds[handle]) for handle in bounds.handles]
    rng.shuffle(items)
    chosen: list[Claim | Kind] = []

    def worth(some: list[Claim | Kind]) -> int:
        return sum(table[item if isinstance(item, str) else item[1]].value for item in some)

    for item in items:
        if worth(chosen) < bounds.amount:
            chosen.append(item)
    for index in reversed(range(len(chosen))):
        rest = chosen[:index] + chosen[index + 1 :]
        if worth(rest) >= bounds.amount:
            chosen = rest
    counts = Counter(item for item in chosen if isinstance(item, str))
    goods = tuple((kind, counts[kind]) for kind, _ in bounds.goods if counts[kind])
    return PayInKind(bounds.seat, goods, tuple(item for item in chosen if not isinstance(item, str)))


def three_equal(view: View, handles: tuple[Handle, ...], kinds: tuple[Kind, ...]) -> tuple[Claim, ...]:
    for kind in kinds:
        equal = [(handle, kind) for handle in handles if view.knowledge.kinds[handle] == kind]
        if len(equal) >= 3:
            return tuple(equal[:3])
    return ()


class RandomTable:
    """Plays whole games with random choices; `check` is called with every state on the way."""

    def __init__(
        self, setup: Setup, rng: Random, *, leaving: float = 0.0, check: Callable[[State], None] = check_state
    ) -> None:
        self.dealer = Dealer(setup, rng)
        self.inputs: list[Input] = []
        self._rng = rng
        self._leaving = leaving
        self._check = check

    @property
    def state(self) -> State:
        return self.dealer.state

    def play(self) -> State:
        """Play to the end and return the last state."""
        while self.state.phase is not Phase.OVER:
            self.inputs.append(self.step())
            self._check(self.state)
            assert self.dealer.census() == Counter({good.kind: good.count for good in self.state.setup.goods})
        return self.state

    def step(self) -> Input:
        """Let one thing happen: somebody leaves, time runs out, the dealer answers, or a player chooses."""
        rng, dealer = self._rng, self.dealer
        if self.inputs and rng.random() < self._leaving:
            count = 2 if rng.random() < 0.2 else 1
            return self._take(Left(tuple(sorted(rng.sample(self.state.seats, count)))))
        if may_time_out(self.state) and rng.random() < 0.02:
            return self._take(TimeUp(self.state.round, self.state.phase))
        if (change := dealer.answer()) is not None:
            return change.item
        demand = rng.choice(dealer.choices())
        seat = demand.seat
        if demand.choice is Choice.ACT and rng.random() < 0.4:
            seat = rng.choice([other for other in self.state.seats if legal_moves(self.state, other)])
        if demand.choice is Choice.LOAD:
            handles = self.state[seat].hand
            least, most = bag_limits(self.state, seat)
            goods = tuple(rng.sample(handles, rng.randint(least, min(most, len(handles)))))
            men = self.state[seat].men if len(goods) < most and rng.random() < 0.5 else ()
            return self._take(LoadBag(seat, (*goods, *men)))
        moves = legal_moves(self.state, seat)
        return self._take(sample(rng.choice(moves), dealer.view(seat), rng))

    def _take(self, item: Input | LoadBag) -> Input:
        return self.dealer.take(item).item
