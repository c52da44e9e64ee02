"""What goods and payments are worth at face value, and the cheapest goods that cover a debt."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from p2p_sheriff.rules.cards import Goods, Kind, Seat
from p2p_sheriff.rules.law import coin, is_contraband, value_of
from p2p_sheriff.rules.moves import Things
from p2p_sheriff.rules.setup import Setup
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.view import View

UNSEEN_CONTRABAND = 7
"""About what a face-down card is worth: the mean value of the contraband in the deck."""


def face_value(setup: Setup, kinds: Iterable[Kind]) -> int:
    """Return the sum of the values of these goods."""
    return sum(value_of(setup, kind) for kind in kinds)


def goods_value(setup: Setup, goods: Goods) -> int:
    """Return the value of goods named by kind and number."""
    return sum(value_of(setup, kind) * count for kind, count in goods)


def things_value(setup: Setup, things: Things, trust: float) -> float:
    """Return what these things are worth at face value.

    Goods that lie open are certain; hidden goods count only as far as the giver is trusted: what is promised by kind
    and is not there is not owed (rule 7.8).
    """
    certain = things.gold + goods_value(setup, things.stall) + UNSEEN_CONTRABAND * things.stack_blind
    hidden = goods_value(setup, things.stack) + goods_value(setup, things.bag) + UNSEEN_CONTRABAND * things.bag_blind
    return certain + trust * hidden


def possible(state: State, giver: Seat, things: Things) -> Things:
    """Return of these things no more hidden goods than there are cards: who promises more owes what is there (7.8)."""
    player = state[giver]
    bag = player.bag.count or 0 if player.bag else 0
    stack = _at_most(things.stack, len(player.stack) - things.stack_blind)
    return replace(things, stack=stack, bag=_at_most(things.bag, bag - things.bag_blind))


def _at_most(goods: Goods, cards: int) -> Goods:
    kept = []
    for kind, count in goods:
        if some := min(count, max(0, cards)):
            kept.append((kind, some))
        cards -= some
    return tuple(kept)


def cheapest_bribe(view: View, worth: int, loss: Callable[[Kind], float]) -> Things:
    """Return own things of about this worth: gold first, then true contraband of the bag, then the stall."""
    gold = min(worth, coin(view.state, view.seat))
    setup, due = view.state.setup, worth - gold
    if not due:
        return Things(gold)
    bag = sorted(
        (card.kind for card in view.bag if is_contraband(view.state, card.kind)), key=lambda kind: (loss(kind), kind)
    )
    if bag:
        return Things(gold, bag=((bag[0], 1),))
    kinds = [card.kind for card in view.me.stall]
    given = cheapest_cover([value_of(setup, kind) for kind in kinds], [loss(kind) for kind in kinds], due)
    return Things(gold, stall=count_goods(setup, (kinds[index] for index in given)))


def cheapest_cover(values: Sequence[int], losses: Sequence[float], amount: int) -> tuple[int, ...]:
    """Return the indices of the items worth at least the amount together whose loss hurts least; all if they are not.

    The answer has no superfluous item as long as every loss is above zero.
    """
    if sum(values) <= amount:
        return tuple(range(len(values)))
    # best[due]: the least loss that covers `due` with the items so far, and which items these are.
    best: list[tuple[float, tuple[int, ...]] | None] = [(0.0, ())] + [None] * amount
    for index, (value, loss) in enumerate(zip(values, losses, strict=True)):
        for due in range(amount, 0, -1):
            before = best[max(0, due - value)]
            if before is None:
                continue
            candidate = (before[0] + loss, (*before[1], index))
            current = best[due]
            if current is None or candidate[0] < current[0]:
                best[due] = candidate
    covered = best[amount]
    return covered[1] if covered is not None else tuple(range(len(values)))
