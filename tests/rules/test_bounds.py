"""`legal_moves` is exact: whatever it allows applies, and one step outside each bound is refused by its rule."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from p2p_sheriff.rules import (
    LOOT,
    Bounds,
    Edition,
    Goods,
    Handle,
    LegalMove,
    Move,
    NotAllowed,
    NotAMove,
    Refusal,
    Seat,
    Setup,
    State,
    View,
    apply,
    check_load,
    check_move,
    legal_moves,
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
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Condition,
    Declare,
    Discard,
    FillOrders,
    HandOver,
    Inspect,
    KeepMan,
    LayDown,
    LayLaws,
    LayOut,
    Load,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    PickLoot,
    Refuse,
    Reorder,
    SetAside,
    ShareLoot,
    Split,
    Stance,
    TakeDiscards,
    Trade,
    UseMan,
    Verb,
    Withdraw,
)
from tests.rules.driver import Driver, within

NO_MOVE = "no move"
"""In place of a rule: the step outside makes no sense at all."""

NOBODY = Handle(10**9)

GAMES = [
    (Setup(3, Edition.SECOND, frozenset({"royal", "black-market"})), 1),
    (Setup(3, Edition.FIRST, frozenset({"black-market", "seven"})), 2),
    (Setup(4, Edition.FIRST, frozenset({"royal", "black-market"})), 3),
    (Setup(4, Edition.SECOND, frozenset({"timer", "missing"})), 4),
    (Setup(5, Edition.SECOND, frozenset({"royal"})), 5),
    (Setup(5, Edition.FIRST), 6),
    (Setup(6, Edition.SECOND, frozenset({"royal", "black-market"})), 7),
    (Setup(6, Edition.FIRST, frozenset({"seven"})), 8),
    (Setup(4, Edition.FIRST, frozenset({"orders", "black-market", "laws"})), 9),
    (Setup(6, Edition.SECOND, frozenset({"orders", "laws"})), 10),
    (Setup(5, Edition.SECOND, frozenset({"merry-men", "laws"})), 11),
    (Setup(6, Edition.FIRST, frozenset({"merry-men", "black-market"})), 12),
]


def decisions(setup: Setup, seed: int) -> Iterator[Driver]:
    """Yield the table whenever players have to choose."""
    driver = Driver(setup, seed)
    thinning = Random(seed)
    for _ in driver.play():
        choices = driver.dealer.choices()
        # Deputies talk a lot: a part of that is enough.
        if choices and (len(choices) == 1 or thinning.random() < 0.3):
            yield driver


def a_few(moves: tuple[LegalMove, ...], rng: Random) -> list[LegalMove]:
    """Return all bounds but offers, which there are for every payer, and a few of those and of what is listed."""
    rare = [move for move in moves if isinstance(move, Bounds) and not isinstance(move, OfferBounds)]
    others = [move for move in moves if move not in rare]
    return rare + rng.sample(others, min(3, len(others)))


def try_move(view: View, move: Move) -> None:
    """Apply a move as the node of its seat would."""
    check_move(view, move)
    apply(view.state, move)


@pytest.mark.parametrize(("setup", "seed"), GAMES)
def test_every_move_within_the_bounds_applies(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    tried: Counter[str] = Counter()
    for driver in decisions(setup, seed):
        for seat in driver.state.seats:
            view = driver.dealer.view(seat)
            for bounds in a_few(legal_moves(driver.state, seat), rng):
                tried[type(bounds).__name__] += 1
                if isinstance(bounds, LoadBounds):
                    for count in range(bounds.least, bounds.most + 1):
                        check_load(view, tuple(rng.sample(bounds.handles, count)))
                    apply(driver.state, Load(seat, b"bag"))
                elif isinstance(bounds, TradeBounds | OrderBounds | LayOutBounds | DiscardBounds | Declare):
                    try_move(view, within(bounds, view, rng))
                else:
                    apply(driver.state, within(bounds, view, rng))
    assert {"SetAsideBounds", "LoadBounds", "OfferBounds", "Declare"} <= tried.keys()


@pytest.mark.parametrize(("setup", "seed"), GAMES)
def test_one_step_outside_each_bound_is_refused_by_its_rule(setup: Setup, seed: int) -> None:
    rng = Random(seed)
    for driver in decisions(setup, seed + 100):
        for seat in driver.state.seats:
            view = driver.dealer.view(seat)
            for bounds in a_few(legal_moves(driver.state, seat), rng):
                for move, rule in outside(bounds, view, rng):
                    assert refusal(view, move) == rule, f"{move} is outside {bounds}"


def refusal(view: View, move: Move | tuple[Handle, ...]) -> str | None:
    """Return the rule that refuses a move, or a bag given as its cards."""
    try:
        if isinstance(move, tuple):
            check_load(view, move)
        else:
            apply(view.state, move)
    except NotAllowed as refused:
        return refused.rule
    except NotAMove:
        return NO_MOVE
    return None


Step = tuple[Move | tuple[Handle, ...], str]


def outside(bounds: LegalMove, view: View, rng: Random) -> Iterator[Step]:
    """Yield moves that are one step outside these bounds, each with the rule that it breaks."""
    state = view.state
    match bounds:
        case SetAsideBounds(seat, handles, most):
            if len(handles) > most:
                yield SetAside(seat, handles[: most + 1]), "4.3" if state.setup.two_piles else "4.2"
            yield SetAside(seat, (NOBODY,)), NO_MOVE
        case LayDownBounds(seat, piles, handles):
            yield LayDown(seat, piles, handles), NO_MOVE
            yield LayDown(seat, 0, handles[1:]), NO_MOVE
            yield LayDown(seat, 0, (*handles, NOBODY)), NO_MOVE
        case LoadBounds(_, handles, least, most):
            yield handles[: least - 1], "5.1"
            if len(handles) > most:
                yield handles[: most + 1], "5.1"
            yield (NOBODY,), NO_MOVE
        case OfferBounds():
            yield from outside_offer(bounds, state, rng)
        case HandOverBounds(seat, handles, count):
            yield HandOver(seat, handles[: count - 1]), "7.7"
            yield HandOver(seat, handles[: count + 1]), "7.7"
            yield HandOver(seat, (*handles[: count - 1], NOBODY)), NO_MOVE
        case PayInKindBounds():
            yield from outside_payment(bounds, view, rng)
        case TradeBounds(seat, handles, _):
            yield Trade(seat, tuple((handle, "crossbow") for handle in handles[:3])), "13.2"
            yield Trade(seat, ((handles[0], "silk"), (handles[1], "silk"))), "13.2"
            yield Trade(seat, tuple((handle, "silk") for handle in (*handles[:2], NOBODY))), NO_MOVE
        case DiscardBounds() | LayOutBounds() | OrderBounds():
            yield from outside_modules(bounds)
        case SplitBounds(seat, gold, _, _):
            yield ShareLoot(seat, Split(gold + 1)), "10.5"
            yield ShareLoot(seat, Split(-1)), "10.5"
            yield ShareLoot(seat, Split(0, (NOBODY,))), NO_MOVE
            yield ShareLoot(seat, Split(0, (), ("silk",))), NO_MOVE
        case _:
            yield from outside_listed(bounds, state)


def outside_modules(bounds: DiscardBounds | LayOutBounds | OrderBounds) -> Iterator[Step]:
    """Yield the same for choices that only modules ask for."""
    match bounds:
        case DiscardBounds(seat, handles, count, taken):
            claims = tuple((handle, "apples") for handle in handles[: count + 1])
            if len(claims) > count:
                yield Discard(seat, claims, (taken or ())[: count + 1]), "16.3"
            if count > 1 or taken is None:  # None at all is a way not to swap.
                yield Discard(seat, claims[1:count], (taken or ())[1:count]), "16.3"
            yield Discard(seat, ((NOBODY, "apples"),)), NO_MOVE
        case LayOutBounds(seat, handles, _):
            yield LayOut(seat, ((handles[0], "silk"),)), "15.4"
            yield LayOut(seat, ((NOBODY, "apples"),)), NO_MOVE
        case OrderBounds(seat, orders, shown, handles):
            yield FillOrders(seat, ("apples+bread",)), NO_MOVE
            yield FillOrders(seat, (), ((NOBODY, "silk"),)), NO_MOVE
            if handles:
                yield FillOrders(seat, (), ((handles[0], "silk"),)), NO_MOVE
            if "apples" not in shown and "apples+silk" in orders:
                yield FillOrders(seat, ("apples+silk",)), "14.3"


def outside_listed(move: Move, state: State) -> Iterator[Step]:
    """Yield what is next to a move that was listed, but not listed itself."""
    seat = move.seat
    listed = legal_moves(state, seat)
    match move:
        case NameFirst():
            yield NameFirst(seat, seat), "4.1"
        case TakeDiscards(_, (left, right)):
            more = TakeDiscards(seat, (left + 1, right))
            if more not in listed:
                yield more, "4.3"
            yield TakeDiscards(seat, (-1, right)), NO_MOVE
        case Declare(_, count, kind):
            if Declare(seat, count + 1, kind) not in listed:
                yield Declare(seat, count + 1, kind), "6.2"
            yield Declare(seat, 0, kind), "6.2"
            yield Declare(seat, count, "silk"), "6.2"
        case Pass() | Inspect() | Stance() | Apart():
            yield replace(move, bag=seat), "7.1"
        case Accept():
            yield replace(move, number=move.number + 1000), "7.4"
        case Withdraw() | Refuse():
            yield replace(move, number=move.number + 1000), "7.4"
        case KeepMan():
            yield KeepMan(seat, NOBODY), NO_MOVE
        case UseMan():
            yield replace(move, cards=(NOBODY,)), "16.3"
        case Reorder():
            yield replace(move, handles=(*move.handles, NOBODY)), NO_MOVE
        case LayLaws():
            yield replace(move, laid=move.laid[1:]), "15.1"
            yield replace(move, laid=(NOBODY,)), NO_MOVE
        case PickLoot():
            yield PickLoot(seat, NOBODY), NO_MOVE
        case _:
            return


def outside_offer(bounds: OfferBounds, state: State, rng: Random) -> Iterator[Step]:
    """Step over each side of an offer's bounds, from a random offer that is otherwise within."""
    inside = plain_offer(bounds)
    yield giving(inside, gold=bounds.gold + 1), "15.2" if "no coin" in state.laws else "7.3"
    yield giving(inside, gold=-1), NO_MOVE
    yield replace(inside, number=bounds.number - 1), "7.4" if bounds.number else NO_MOVE
    yield giving(inside, stack_blind=bounds.stack + 1), "7.5"
    if "apples" not in bounds.stack_kinds:
        yield giving(inside, stack=(("apples", 1),)), "7.5"
    there = dict(bounds.stall)
    kind = rng.choice(list(state.setup.table))
    yield giving(inside, stall=((kind, there.get(kind, 0) + 1),)), "7.5"
    yield replace(inside, acts=()), "7.4"
    yield replace(inside, gifts=()), "7.4"
    yield replace(inside, gifts=inside.gifts * 2), NO_MOVE
    yield replace(inside, gifts=(replace(inside.gift, receiver=bounds.giver),)), "7.4"
    yield replace(inside, gifts=(replace(inside.gift, condition=rng.choice(list(Condition))),)), "7.4"
    yield replace(inside, gifts=(replace(inside.gift, receiver=Seat(NOBODY)),)), NO_MOVE
    yield replace(inside, gifts=(replace(inside.gift, giver=LOOT),)), NO_MOVE
    yield replace(inside, acts=inside.acts * 2), NO_MOVE
    yield replace(inside, acts=(Act(bounds.officers[0], Verb.PASS),)), "7.5"
    yield replace(inside, officers=(bounds.giver,)), "7.4"
    yield replace(inside, gifts=(replace(inside.gift, giver=bounds.officers[0]),)), "7.4"
    yield from outside_promise(bounds, inside)


def outside_promise(bounds: OfferBounds, inside: Offer) -> Iterator[Step]:
    """Promise goods of a bag where they can't be."""
    own = Act(bounds.giver, Verb.PASS)
    others = [bag for bag in bounds.bags if bag != bounds.giver]
    if others:
        yield replace(giving(inside, bag_blind=1), acts=(Act(others[0], Verb.PASS),)), "7.5"
    if bounds.giver in bounds.bags:
        yield replace(giving(inside, bag_blind=bounds.bag + 1), acts=(own,)), "7.5"


def giving(offer: Offer, **things: int | Goods) -> Offer:
    """Return the offer with other things given."""
    return replace(offer, gifts=(replace(offer.gift, things=replace(offer.gift.things, **things)),))  # type: ignore[arg-type] # fields by name.


def plain_offer(bounds: OfferBounds) -> Offer:
    """Return the least offer within the bounds."""
    acts = (Act(bounds.bags[0], Verb.PASS),)
    return Offer.bribe(bounds.seat, bounds.number, bounds.giver, bounds.officers, acts)


def outside_payment(bounds: PayInKindBounds, view: View, rng: Random) -> Iterator[Step]:
    """Give one card too few, or one too many."""
    seat = bounds.seat
    yield PayInKind(seat, ()), "7.14"
    exact = within(bounds, view, rng)
    assert isinstance(exact, PayInKind)
    if len(exact.cards) > 1:
        yield replace(exact, cards=exact.cards[1:]), "7.14"
    unused = [(handle, view.knowledge.kinds[handle]) for handle in bounds.handles]
    unused = [claim for claim in unused if claim not in exact.cards]
    if unused:
        yield replace(exact, cards=(*exact.cards, unused[0])), "7.15"
    for kind, count in bounds.goods:
        given = dict(exact.goods).get(kind, 0)
        if given < count:
            more = tuple((name, dict(exact.goods).get(name, 0) + (name == kind)) for name, _ in bounds.goods)
            yield replace(exact, goods=tuple(pair for pair in more if pair[1])), "7.15"
        if given == count:
            more = tuple((name, dict(exact.goods).get(name, 0) + (name == kind)) for name, _ in bounds.goods)
            yield replace(exact, goods=tuple(pair for pair in more if pair[1])), "7.14"
    if not bounds.handles and view.me.stack:
        hidden = view.me.stack[0]
        yield replace(exact, cards=((hidden, view.knowledge.kinds[hidden]),)), "7.15"


@pytest.mark.parametrize(("setup", "seed"), GAMES)
def test_a_seat_that_is_not_asked_has_no_moves(setup: Setup, seed: int) -> None:
    for driver in decisions(setup, seed + 200):
        asked = {choose.seat for choose in driver.dealer.choices()}
        for seat in driver.state.seats:
            if seat not in asked:
                # A deputy who has named a merchant may name another one.
                free = OfferBounds | Accept | Withdraw | Refuse | NameFirst
                assert all(isinstance(move, free) for move in legal_moves(driver.state, seat))


def test_a_refusal_is_of_one_of_two_kinds() -> None:
    assert {kind.__name__ for kind in Refusal.__subclasses__()} == {"NotAMove", "NotAllowed"}
