"""Richer deals than a bribe: a trade, a surety for a look at a bag, a look that two merchants pay for.

What is offered follows from the stalls and from what the author thinks of other people's bags. The own bag never
matters, so that nobody can tell from an offer what is in it.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final, TypeAlias

from p2p_sheriff.bots.crowns import Crowns
from p2p_sheriff.rules.cards import Kind, Seat, kinds_of, receiver_of
from p2p_sheriff.rules.deals import deciding, problem_with
from p2p_sheriff.rules.law import fine_of, value_of
from p2p_sheriff.rules.moves import Act, Condition, Gift, Offer, Things, Verb
from p2p_sheriff.rules.setup import Edition, Setup
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.view import View

Interest: TypeAlias = Callable[[Act], float]
"""What it is worth to the author that something is done with a bag."""

_SHARE = 1
"""What the sheriff gets for a trade: there is no trade without the sheriff's word."""
_SURPLUS = 5.0
"""How much more goods must be worth to the buyer than to the seller: both want to gain, and the sheriff has a share."""
_MOST_CARDS = 3


def are_made(setup: Setup, people: frozenset[Seat]) -> bool:
    """Whether bots think of such deals: not among themselves in the plain game, where their strength is measured."""
    is_plain = setup.edition is Edition.SECOND and not setup.options and not setup.with_deputies
    return bool(people) or not is_plain


def venture(view: View, rng: Random, interest: Interest, gain: Callable[[Offer], float]) -> Offer | None:
    """Return an offer of any sort that brings its author something, the best of that sort; None if there is none."""
    for sort in rng.sample(_SORTS, len(_SORTS)):
        possible = [(gain(offer), -place, offer) for place, offer in enumerate(sort(view, interest))]
        if possible and (best := max(possible))[0] > 0:
            return best[2]
    return None


def _trades(view: View, _interest: Interest) -> Iterator[Offer]:
    """Goods that lie open, for gold: where they do more for the buyer's crowns than for the seller's."""
    state, me = view.state, view.seat
    crowns = {seat: Crowns(view, seat) for seat in state.merchants}
    for other in state.merchants:
        for seller, buyer in ((me, other), (other, me)) if other != me else ():
            for kind, there in count_goods(state.setup, kinds_of(state[seller].stall)):
                for count in range(1, min(there, _MOST_CARDS) + 1):
                    least = value_of(state.setup, kind) * count - count * _crowned(view, crowns[seller], kind, -1)
                    most = value_of(state.setup, kind) * count + _crowned(view, crowns[buyer], kind, count)
                    if most - least >= _SURPLUS:
                        goods = Gift(seller, buyer, Things(stall=((kind, count),)))
                        price = Gift(buyer, seller, Things(round((least + most) / 2)))
                        yield from _made(view, (goods, price, _to_officers(view, me, _SHARE)))


def _crowned(view: View, crowns: Crowns, kind: Kind, count: int) -> float:
    """Return what so many cards more do for somebody's crowns."""
    counts_for = view.state.setup.table[kind].counts_for
    return crowns.gain(counts_for[0], counts_for[1] * count) if counts_for else 0.0


def _sureties(view: View, _interest: Interest) -> Iterator[Offer]:
    """Look at that bag, and if it is true, I pay you the fine."""
    for look in _looks(view):
        bag = view.state.bag_of(look.bag)
        fine = fine_of(view.state, bag.kind or "") * (bag.count or 0)
        yield from _made(view, (_to_officers(view, view.seat, fine, look, Condition.IF_TRUE),), look)


def _joint_looks(view: View, interest: Interest) -> Iterator[Offer]:
    """Look at that bag: somebody else and I pay for it, each alike."""
    for look in _looks(view):
        gold = int(interest(look) / 2)
        for other in view.state.merchants:
            if gold > 0 and other not in (view.seat, look.bag):
                gifts = tuple(_to_officers(view, giver, gold, look) for giver in (other, view.seat))
                yield from _made(view, gifts, look)


_SORTS: Final = (_trades, _sureties, _joint_looks)


def _looks(view: View) -> Iterator[Act]:
    return (Act(bag, Verb.INSPECT) for bag in view.state.closed_bags if bag != view.seat)


def _to_officers(
    view: View, giver: Seat, gold: int, act: Act | None = None, condition: Condition | None = None
) -> Gift:
    officers = deciding(view.state, act.bag) if act else view.state.officers
    return Gift(giver, receiver_of(officers), Things(gold), condition)


def _made(view: View, gifts: tuple[Gift, ...], *acts: Act) -> Iterator[Offer]:
    """Give the offer to whoever decides, unless the rules refuse it."""
    state = view.state
    officers = deciding(state, acts[0].bag) if acts else state.officers
    offer = Offer(view.seat, state.offer_numbers[view.seat] + 1, officers, gifts, acts)
    if problem_with(state, offer) is None:
        yield offer
