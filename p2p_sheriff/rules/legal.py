"""What a seat may do now: moves where they can be listed, bounds where there are too many."""

from collections.abc import Iterable, Iterator
from itertools import permutations, product
from typing import Final

from p2p_sheriff.rules import bounds, moves, steps
from p2p_sheriff.rules.bags import check_declare
from p2p_sheriff.rules.black_market import wanted_kinds
from p2p_sheriff.rules.bounds import LegalMove
from p2p_sheriff.rules.cards import Seat, kinds_of
from p2p_sheriff.rules.deals import (
    addressees,
    bag_goods,
    bribe_for_passing,
    deciding,
    may_accept,
    may_refuse,
    own_bribe,
)
from p2p_sheriff.rules.debts import payable_in_kind
from p2p_sheriff.rules.facts import claims
from p2p_sheriff.rules.inspection import may_act, may_do, opener_of
from p2p_sheriff.rules.law import bag_limits, coin, declarable_kinds, market_limit, stack_kinds
from p2p_sheriff.rules.loot import loot_items, sharer
from p2p_sheriff.rules.market import cards_needed, to_lay_down
from p2p_sheriff.rules.modules.laws import to_lay
from p2p_sheriff.rules.modules.merry_men import errands, to_discard
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
            raise NotAllowed(_CLAIMED_BY[type(move)], "refusals.card_is_other", view.seat, good=kind)


_CLAIMED_BY: Final = {
    moves.PayInKind: "7.15",
    moves.Trade: "13.2",
    moves.FillOrders: "14.3",
    moves.LayOut: "15.4",
    moves.Discard: "16.3",
}
"""The rule by which hidden cards are shown along with a move."""


def _answers(state: State, step: Step, seat: Seat) -> Iterable[LegalMove]:
    match step:
        case steps.SeatStep(other) if other != seat:
            return ()
        case steps.AskFirst() if seat in state.officers[:1]:
            return [moves.NameFirst(seat, merchant) for merchant in state.merchants]
        case steps.MarketTurn():
            return [bounds.SetAsideBounds(seat, state[seat].hand, market_limit(state, seat))]
        case steps.AskTake():
            return _takes(state, seat)
        case steps.AskLayDown():
            return [bounds.LayDownBounds(seat, len(state.piles), to_lay_down(state, step))]
        case steps.AskLoad():
            least, most = bag_limits(state, seat)
            player = state[seat]
            man = player.men[0] if player.men else None
            return [bounds.LoadBounds(seat, player.hand, least, min(most, len(player.hand)), man)]
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
        case steps.AskLaws():
            laid = permutations(state.drawn_laws, to_lay(state))
            return [moves.LayLaws(seat, some, shown) for some in laid for shown in (False, True)]
        case steps.AskLayOut():
            return [moves.LayOut(seat), bounds.LayOutBounds(seat, state[seat].hand, declarable_kinds(state))]
        case steps.AskKeep():
            return [moves.KeepMan(seat, handle) for handle in state[seat].men]
        case steps.AskErrand():
            return errands(state, seat)
        case steps.AskReorder():
            return [moves.Reorder(seat, handles) for handles in permutations(state[seat].peeked)]
        case steps.AskDiscard():
            piles = tuple(card.handle for pile in state.piles for card in pile) if step.swap else None
            return [bounds.DiscardBounds(seat, state[seat].hand, to_discard(state, step), piles)]
        case steps.AskOrders():
            bag = state.bag_of(seat)
            return [
                moves.FillOrders(seat),
                bounds.OrderBounds(seat, state.orders, kinds_of(bag.shown), bag.handles),
            ]
        case steps.ShareOut(proposal) if seat == sharer(state, step):
            if proposal is not None:
                return [moves.ShareLoot(seat), moves.ShareLoot(seat, proposal)]
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
        if may_act(state, seat, bag):
            if may_do(state, bag, Verb.PASS):
                if own_bribe(state, bag) is None or bribe_for_passing(state, bag):
                    yield moves.Pass(seat, bag)
                yield moves.Pass(seat, bag, for_nothing=True)
            if may_do(state, bag, Verb.INSPECT):
                yield moves.Inspect(seat, bag)
        elif state.bag_of(bag).alone is None:
            yield from (moves.Stance(seat, bag, verb) for verb in Verb if may_do(state, bag, verb))
            if opener_of(state, bag) is not None:
                yield moves.Apart(seat, bag)


def _haggling(state: State, seat: Seat) -> Iterator[LegalMove]:
    """Give what everybody may do while bags wait: withdraw, refuse, accept, offer (rules 7.2 and 7.4)."""
    idle = isinstance(state.todo[0], steps.Negotiate)
    for standing in state.offers:
        offer = standing.offer
        if offer.seat == seat:
            yield moves.Withdraw(seat, offer.number)
        elif may_refuse(seat, offer):
            yield moves.Refuse(seat, offer.seat, offer.number)
        if idle and may_accept(state, seat, standing):
            yield moves.Accept(seat, offer.seat, offer.number)
    for officers in addressees(state):
        givers = state.merchants if seat in officers else (seat,) if seat in state.merchants else ()
        is_about = any(deciding(state, bag) == officers for bag in state.closed_bags)
        yield from (offer_bounds(state, seat, giver, officers) for giver in givers if is_about)


def offer_bounds(state: State, seat: Seat, giver: Seat, officers: tuple[Seat, ...]) -> bounds.OfferBounds:
    """Return what this giver could give those in office, if this seat offers it: a bribe, or one gift of several."""
    player = state[giver]
    most_from_bag = bag_goods(state, giver, officers)
    return bounds.OfferBounds(
        seat=seat,
        number=state.offer_numbers[seat] + 1,
        giver=giver,
        officers=officers,
        bags=tuple(bag for bag in state.closed_bags if deciding(state, bag) == officers),
        gold=coin(state, giver),
        stall=open_goods(state, giver),
        stack=len(player.stack),
        stack_kinds=stack_kinds(state, giver),
        bag=most_from_bag,
        bag_kinds=tuple(good.kind for good in state.setup.goods) if most_from_bag else (),
    )
