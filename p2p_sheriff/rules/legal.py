"""What a seat may do now: moves where they can be listed, bounds where there are too many."""

from itertools import product

from p2p_sheriff.rules.bags import check_declare
from p2p_sheriff.rules.black_market import wanted_kinds
from p2p_sheriff.rules.bounds import (
    HandOverBounds,
    LayDownBounds,
    LegalMove,
    LoadBounds,
    OfferBounds,
    SetAsideBounds,
    SplitBounds,
    TradeBounds,
)
from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.deals import addressees, bag_goods, may_accept
from p2p_sheriff.rules.debts import payable_in_kind
from p2p_sheriff.rules.facts import claims
from p2p_sheriff.rules.inspection import is_bound_to, may_act, may_go_alone, may_inspect, may_pass
from p2p_sheriff.rules.law import bag_limits, declarable_kinds, market_limit, stack_kinds
from p2p_sheriff.rules.loot import loot_items
from p2p_sheriff.rules.market import cards_needed, to_lay_down
from p2p_sheriff.rules.moves import (
    Accept,
    Alone,
    Confirm,
    Declare,
    Inspect,
    Move,
    NameFirst,
    Pass,
    PickLoot,
    ShareLoot,
    Stance,
    TakeDiscards,
    Trade,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.stalls import open_goods
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import (
    AskDeclare,
    AskFirst,
    AskHandOver,
    AskLayDown,
    AskLoad,
    AskTake,
    AskTrade,
    Debt,
    MarketTurn,
    Negotiate,
    PickTurn,
    ShareOut,
    Step,
)
from p2p_sheriff.rules.view import View


def legal_moves(state: State, seat: Seat) -> tuple[LegalMove, ...]:
    """Return what this seat may do now, as all can see it: it depends on nothing hidden."""
    if seat not in state.seats:
        return ()
    moves = [move for step in state.front() for move in _answers(state, step, seat)]
    if state.phase is Phase.INSPECT and state.closed_bags:
        moves += _haggling(state, seat)
    return tuple(moves)


def check_move(view: View, move: Move) -> None:
    """Check what only the own node can: that the move is true to the hidden cards of its seat (rules 6.2, 7.15, 13.2).

    Raises NotAMove or NotAllowed.
    """
    if move.seat != view.seat:
        raise NotAMove("refusals.own_moves")
    if isinstance(move, Declare):
        check_declare(view, move)
    for handle, kind in claims(move):
        if view.knowledge.kinds.get(handle) != kind:
            rule = "13.2" if isinstance(move, Trade) else "7.15"
            raise NotAllowed(rule, "refusals.card_is_other", view.seat, good=kind)


def _answers(state: State, step: Step, seat: Seat) -> list[LegalMove]:
    match step:
        case AskFirst() if seat in state.officers:
            return [NameFirst(seat, merchant) for merchant in state.merchants]
        case MarketTurn(turn) if turn == seat:
            return [SetAsideBounds(seat, state[seat].hand, market_limit(state, seat))]
        case AskTake(turn) if turn == seat:
            return _takes(state, seat)
        case AskLayDown(turn, _) if turn == seat:
            return [LayDownBounds(seat, len(state.piles), to_lay_down(state, step))]
        case AskLoad(turn) if turn == seat:
            return [LoadBounds(seat, state[seat].hand, *bag_limits(state, seat))]
        case AskDeclare(turn) if turn == seat:
            least, most = bag_limits(state, seat)
            kinds = declarable_kinds(state)
            return [Declare(seat, count, kind) for count, kind in product(range(least, most + 1), kinds)]
        case Negotiate() if seat in state.officers:
            return _acts(state, seat)
        case AskHandOver() if step.seat == seat:
            return [HandOverBounds(seat, step.among, step.count)]
        case Debt(debtor, _, _) if debtor == seat:
            return [payable_in_kind(state, step)]
        case AskTrade(turn) if turn == seat:
            return [Trade(seat), TradeBounds(seat, state[seat].stack, wanted_kinds(state))]
        case ShareOut() if seat in state.officers:
            loot = state.loot
            handles = tuple(card.handle for card in loot.cards)
            return [ShareLoot(seat), SplitBounds(seat, loot.gold, handles, loot.prizes)]
        case PickTurn(turn) if turn == seat:
            return [PickLoot(seat, item) for item in loot_items(state)]
        case _:
            return []


def _takes(state: State, seat: Seat) -> list[LegalMove]:
    need = cards_needed(state, seat)
    left, right = (range(min(need, len(pile)) + 1) for pile in state.piles)
    return [TakeDiscards(seat, counts) for counts in product(left, right) if sum(counts) <= need]


def _acts(state: State, seat: Seat) -> list[LegalMove]:
    """Return what an officer may do about the bags (rules 7.1 and 10.4)."""
    moves: list[LegalMove] = []
    for bag in state.closed_bags:
        if may_pass(state, seat, bag):
            moves += [Pass(seat, bag), Pass(seat, bag, for_nothing=True)]
        if may_inspect(state, seat, bag):
            moves.append(Inspect(seat, bag))
        if not may_act(state, seat, bag) and state.bag_of(bag).alone is None:
            moves += _words(state, seat, bag)
    return moves


def _words(state: State, seat: Seat, bag: Seat) -> list[LegalMove]:
    stances = state.bag_of(bag).stances
    moves: list[LegalMove] = []
    if not is_bound_to(state, seat, bag):
        moves += [Stance(seat, bag, verb) for verb in Verb]
    if len(stances) == 2 and stances[0].verb is stances[1].verb:
        own = next(stance for stance in stances if stance.seat == seat)
        if not own.confirmed:
            moves += [Confirm(seat, bag), Confirm(seat, bag, for_nothing=True)]
    if may_go_alone(state, seat, bag):
        moves.append(Alone(seat, bag))
    return moves


def _haggling(state: State, seat: Seat) -> list[LegalMove]:
    """Return what everybody may do while bags wait: withdraw, accept, offer (rules 7.2 and 7.4)."""
    moves: list[LegalMove] = []
    idle = isinstance(state.todo[0], Negotiate)
    for standing in state.offers:
        offer = standing.offer
        if offer.seat == seat:
            moves.append(Withdraw(seat, offer.number))
        elif idle and may_accept(state, seat, standing):
            moves.append(Accept(seat, offer.seat, offer.number))
    for officers in addressees(state):
        givers = state.merchants if seat in officers else (seat,) if seat in state.merchants else ()
        if givers and (verbs := possible_verbs(state, officers)):
            moves += [_offers(state, seat, giver, officers, verbs) for giver in givers]
    return moves


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
) -> OfferBounds:
    player = state[giver]
    most_from_bag = bag_goods(state, giver, officers) if Verb.PASS in verbs.get(giver, ()) else 0
    return OfferBounds(
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
