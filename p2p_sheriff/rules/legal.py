"""What a seat may do now: moves where they can be listed, bounds where there are too many."""

from collections.abc import Iterable, Iterator
from itertools import product

from p2p_sheriff.rules import bounds, moves, steps
from p2p_sheriff.rules.bags import check_declare
from p2p_sheriff.rules.black_market import wanted_kinds
from p2p_sheriff.rules.bounds import LegalMove
from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.deals import addressees, bag_goods, may_accept
from p2p_sheriff.rules.debts import payable_in_kind
from p2p_sheriff.rules.facts import claims
from p2p_sheriff.rules.inspection import is_bound_to, may_act, may_go_alone, may_inspect, may_pass
from p2p_sheriff.rules.law import bag_limits, declarable_kinds, market_limit, stack_kinds
from p2p_sheriff.rules.loot import loot_items
from p2p_sheriff.rules.market import cards_needed, to_lay_down
from p2p_sheriff.rules.moves import Move, Verb
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.stalls import open_goods
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Step
from p2p_sheriff.rules.view import View


def legal_moves(state: State, seat: Seat) -> tuple[LegalMove, ...]:
    """Return what this seat may do now, as all can see it: it depends on nothing hidden."""
    if seat not in state.seats:
        return ()
    answers = tuple(move for step in state.front() for move in _answers(state, step, seat))
    haggling = state.phase is Phase.INSPECT and state.closed_bags
    return (*answers, *_haggling(state, seat)) if haggling else answers


def check_move(view: View, move: Move) -> None:
    """Check what only the own node can: that the move is true to the hidden cards of its seat (rules 6.2, 7.15, 13.2).

    Raises NotAMove or NotAllowed.
    """
    if move.seat != view.seat:
        raise NotAMove("refusals.own_moves")
    if isinstance(move, moves.Declare):
        check_declare(view, move)
    for handle, kind in claims(move):
        if view.knowledge.kinds.get(handle) != kind:
            rule = "13.2" if isinstance(move, moves.Trade) else "7.15"
            raise NotAllowed(rule, "refusals.card_is_other", view.seat, good=kind)


def _answers(state: State, step: Step, seat: Seat) -> Iterable[LegalMove]:
    match step:
        case steps.SeatStep(other) if other != seat:
            return ()
        case steps.AskFirst() if seat in state.officers:
            return [moves.NameFirst(seat, merchant) for merchant in state.merchants]
        case steps.MarketTurn():
            return [bounds.SetAsideBounds(seat, state[seat].hand, market_limit(state, seat))]
        case steps.AskTake():
            return _takes(state, seat)
        case steps.AskLayDown():
            return [bounds.LayDownBounds(seat, len(state.piles), to_lay_down(state, step))]
        case steps.AskLoad():
            return [bounds.LoadBounds(seat, state[seat].hand, *bag_limits(state, seat))]
        case steps.AskDeclare():
            least, most = bag_limits(state, seat)
            kinds = declarable_kinds(state)
            return [moves.Declare(seat, count, kind) for count, kind in product(range(least, most + 1), kinds)]
        case steps.Negotiate() if seat in state.officers:
            return _acts(state, seat)
        case steps.AskHandOver():
            return [bounds.HandOverBounds(seat, step.among, step.count)]
        case steps.Debt(debtor) if debtor == seat:
            return [payable_in_kind(state, step)]
        case steps.AskTrade():
            return [moves.Trade(seat), bounds.TradeBounds(seat, state[seat].stack, wanted_kinds(state))]
        case steps.ShareOut() if seat in state.officers:
            loot = state.loot
            handles = tuple(card.handle for card in loot.cards)
            return [moves.ShareLoot(seat), bounds.SplitBounds(seat, loot.gold, handles, loot.prizes)]
        case steps.PickTurn():
            return [moves.PickLoot(seat, item) for item in loot_items(state)]
        case _:
            return ()


def _takes(state: State, seat: Seat) -> list[LegalMove]:
    need = cards_needed(state, seat)
    left, right = (range(min(need, len(pile)) + 1) for pile in state.piles)
    return [moves.TakeDiscards(seat, counts) for counts in product(left, right) if sum(counts) <= need]


def _acts(state: State, seat: Seat) -> Iterator[LegalMove]:
    """Give what an officer may do about the bags (rules 7.1 and 10.4)."""
    for bag in state.closed_bags:
        if may_pass(state, seat, bag):
            yield moves.Pass(seat, bag)
            yield moves.Pass(seat, bag, for_nothing=True)
        if may_inspect(state, seat, bag):
            yield moves.Inspect(seat, bag)
        if not may_act(state, seat, bag) and state.bag_of(bag).alone is None:
            yield from _words(state, seat, bag)


def _words(state: State, seat: Seat, bag: Seat) -> Iterator[LegalMove]:
    stances = state.bag_of(bag).stances
    if not is_bound_to(state, seat, bag):
        yield from (moves.Stance(seat, bag, verb) for verb in Verb)
    if len(stances) == 2 and stances[0].verb is stances[1].verb:
        own = next(stance for stance in stances if stance.seat == seat)
        if not own.confirmed:
            yield moves.Confirm(seat, bag)
            yield moves.Confirm(seat, bag, for_nothing=True)
    if may_go_alone(state, seat, bag):
        yield moves.Alone(seat, bag)


def _haggling(state: State, seat: Seat) -> Iterator[LegalMove]:
    """Give what everybody may do while bags wait: withdraw, accept, offer (rules 7.2 and 7.4)."""
    idle = isinstance(state.todo[0], steps.Negotiate)
    for standing in state.offers:
        offer = standing.offer
        if offer.seat == seat:
            yield moves.Withdraw(seat, offer.number)
        elif idle and may_accept(state, seat, standing):
            yield moves.Accept(seat, offer.seat, offer.number)
    for officers in addressees(state):
        givers = state.merchants if seat in officers else (seat,) if seat in state.merchants else ()
        if givers and (verbs := possible_verbs(state, officers)):
            yield from (_offers(state, seat, giver, officers, verbs) for giver in givers)


def possible_verbs(state: State, officers: tuple[Seat, ...]) -> dict[Seat, frozenset[Verb]]:
    """Return what can be agreed on with these officers about each bag: a deal may have bound them (rule 10.4)."""
    verbs = {}
    for seat in state.closed_bags:
        bag = state.bag_of(seat)
        if bag.alone is None or officers == (bag.alone,):
            bound = {stance.verb for stance in bag.stances if stance.fixed and stance.seat in officers}
            verbs[seat] = frozenset(verb for verb in Verb if bound <= {verb})
    return {seat: possible for seat, possible in verbs.items() if possible}


def _offers(
    state: State, seat: Seat, giver: Seat, officers: tuple[Seat, ...], verbs: dict[Seat, frozenset[Verb]]
) -> bounds.OfferBounds:
    player = state[giver]
    most_from_bag = bag_goods(state, giver, officers) if Verb.PASS in verbs.get(giver, ()) else 0
    return bounds.OfferBounds(
        seat=seat,
        number=state.offer_numbers[seat] + 1,
        giver=giver,
        officers=officers,
        bags=tuple(verbs),
        passes=tuple(bag for bag, possible in verbs.items() if possible == {Verb.PASS}),
        inspects=tuple(bag for bag, possible in verbs.items() if possible == {Verb.INSPECT}),
        gold=player.gold,
        stall=open_goods(state, giver),
        stack=len(player.stack),
        stack_kinds=stack_kinds(state),
        bag=most_from_bag,
        bag_kinds=tuple(good.kind for good in state.setup.goods) if most_from_bag else (),
    )
