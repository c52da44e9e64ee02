"""Merry men (section 16): dealt, kept, put into a bag, shown, sent on their errands, and put back."""

from collections.abc import Sequence

from p2p_sheriff.rules.cards import Card, Handle, Pack, Seat, Zone
from p2p_sheriff.rules.deck import with_fresh
from p2p_sheriff.rules.demands import DealOut, Demand, LetLook, PutOnTop, PutUnder, Unveil
from p2p_sheriff.rules.facts import DealtOut, Looked, Unveiled, WentOnTop, WentUnder
from p2p_sheriff.rules.gifts import from_bank
from p2p_sheriff.rules.market import onto_pile
from p2p_sheriff.rules.modules.errands import take_from_piles
from p2p_sheriff.rules.modules.merry_cards import MEN, MerryMan
from p2p_sheriff.rules.moves import Discard, KeepMan, Reorder, UseMan
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import (
    AskDiscard,
    AskErrand,
    AskKeep,
    AskReorder,
    DealMen,
    LookAt,
    ManArrives,
    PutTop,
    RearrangeZone,
    ReturnMan,
    ReturnSpare,
    Step,
    UnveilMan,
)

# -- in front of their owners


def deal_men(state: State, step: DealMen) -> State | None:
    """Wait for the cards, as far as there are any."""
    return None if drawing(state, step).count else state.done()


def drawing(state: State, step: DealMen) -> DealOut:
    return DealOut(Pack.MERRY_MEN, (step.seat,), min(step.count, state.left_in(Pack.MERRY_MEN)))


def on_dealt(state: State, step: DealMen, fact: DealtOut) -> State:
    if drawing(state, step) != DealOut(fact.pack, fact.seats, len(fact.handles)):
        raise NotDemanded("These are not the merry men that are dealt now.")
    left = state.left_in(Pack.MERRY_MEN) - len(fact.handles)
    state = with_fresh(state, fact.handles).with_pack(Pack.MERRY_MEN, left)
    state = state.with_player(step.seat, men=state[step.seat].men + fact.handles, lost_man=0)
    # Whoever has put a card under the deck may know when it comes: after this nobody can tell which one it is.
    return state.done(RearrangeZone(step.seat, Zone.MEN))


def ask_keep(state: State, step: AskKeep) -> State | None:
    """Skip the question if there is no choice."""
    return None if len(state[step.seat].men) > 1 else state.done()


def on_keep_man(state: State, move: KeepMan) -> State:
    step, men = AskKeep(move.seat), state[move.seat].men
    if step not in state.front():
        raise NotAllowed("16.1", "refusals.keep_not_now", move.seat)
    if move.handle not in men:
        raise NotAMove("refusals.keep_card")
    spare = tuple(handle for handle in men if handle != move.handle)
    return state.without(step).with_player(move.seat, men=(move.handle, *spare))


def return_spare(state: State, step: ReturnSpare) -> State | None:
    """Wait until the card that is not kept is under the deck."""
    return None if len(state[step.seat].men) > 1 else state.done()


def returning(state: State, step: ReturnSpare | ReturnMan) -> PutUnder:
    if isinstance(step, ReturnSpare):
        return PutUnder(Pack.MERRY_MEN, (step.seat,), state[step.seat].men[1:])
    man = state.bag_of(step.seat).man
    return PutUnder(Pack.MERRY_MEN, (step.seat,), () if man is None else (man,))


def on_went_under(state: State, step: ReturnSpare | ReturnMan, fact: WentUnder) -> State:
    if returning(state, step) != PutUnder(fact.pack, fact.seats, fact.handles):
        raise NotDemanded("This is not the merry man who goes under the deck now.")
    state = state.done().with_pack(Pack.MERRY_MEN, state.left_in(Pack.MERRY_MEN) + len(fact.handles))
    if isinstance(step, ReturnSpare):
        return state.with_player(step.seat, men=state[step.seat].men[:1])
    return state.with_bag(step.seat, man=None)


# -- in a bag


def unveil_man(state: State, step: UnveilMan) -> State | None:
    """Wait for the merry man in a bag to be shown, if there is one."""
    return state.done() if state.bag_of(step.seat).man is None else None


def unveiling(state: State, step: UnveilMan) -> Unveil:
    man = state.bag_of(step.seat).man
    return Unveil(Pack.MERRY_MEN, (step.seat,), () if man is None else (man,))


def on_unveiled(state: State, step: UnveilMan, fact: Unveiled) -> State:
    handles = tuple(handle for handle, _ in fact.cards)
    if unveiling(state, step) != Unveil(fact.pack, fact.seats, handles) or not {n for _, n in fact.cards} <= MEN.keys():
        raise NotDemanded("The merry man in the bag is shown.")
    return state.done().with_bag(step.seat, man_name=fact.cards[0][1])


def man_arrives(state: State, step: ManArrives) -> State:
    """Send a merry man who got in (16.3); or have somebody draw who lost theirs in an earlier round (16.4)."""
    player, bag = state[step.seat], state.bag_of(step.seat)
    if bag.man is not None:
        man = MEN[bag.man_name]
        after: tuple[Step, ...] = (ReturnMan(step.seat), DealMen(step.seat, 2), AskKeep(step.seat))
        state = from_bank(state, step.seat, man.value)
        return state.done(man.errand.asks(step.seat), *after, ReturnSpare(step.seat))
    if 0 < player.lost_man < state.round and bag.smuggled:
        return state.done(DealMen(step.seat, 1))
    return state.done()


def caught(state: State, seat: Seat) -> tuple[State, tuple[Step, ...]]:
    """Have a merry man who was found put back: his owner has none for a while (rule 16.4)."""
    if state.bag_of(seat).man is None:
        return state, ()
    return state.with_player(seat, lost_man=state.round), (ReturnMan(seat),)


# -- on an errand


def man_of(state: State, seat: Seat) -> MerryMan:
    """Return the merry man who has got in with this seat's bag."""
    return MEN[state.bag_of(seat).man_name]


def errands(state: State, seat: Seat) -> tuple[UseMan, ...]:
    """Return all that his owner may do with him now."""
    errand = man_of(state, seat).errand
    return (*errand.options(state, seat), *errand.waivers(state, seat))


def ask_errand(state: State, step: AskErrand) -> State | None:
    """Skip the question if there is nothing to choose."""
    only = errands(state, step.seat)
    return None if len(only) > 1 else _sent(state, only[0])


def on_send(state: State, move: UseMan) -> State:
    if state.todo[0] != AskErrand(move.seat):
        raise NotAllowed("16.3", "refusals.send_not_now", move.seat)
    if move not in errands(state, move.seat):
        raise NotAllowed("16.3", "refusals.send_so", move.seat)
    return _sent(state, move)


def _sent(state: State, send: UseMan) -> State:
    man, state = man_of(state, send.seat), state.done()
    return man.errand.happen(state, send) if send.use or send.who else state


def on_looked(state: State, fact: Looked) -> State:
    step = state.todo[0]
    if step != LookAt(fact.seat, fact.owner, fact.handle):
        raise NotDemanded("Nobody looks at that card now.")
    return state.done()


def looking(step: LookAt) -> LetLook:
    return LetLook(step.seat, step.owner, step.handle)


# -- the top of the deck


def on_reorder(state: State, move: Reorder) -> State:
    if state.todo[0] != AskReorder(move.seat):
        raise NotAllowed("16.3", "refusals.reorder_not_now", move.seat)
    if sorted(move.handles) != sorted(state[move.seat].peeked):
        raise NotAMove("refusals.reorder_cards")
    return state.done(PutTop(move.seat)).with_player(move.seat, peeked=move.handles)


def putting_back(state: State, step: PutTop) -> Demand:
    return PutOnTop(step.seat, state[step.seat].peeked)


def on_went_on_top(state: State, fact: WentOnTop) -> State:
    step = state.todo[0]
    if step != PutTop(fact.seat) or state[fact.seat].peeked != fact.handles:
        raise NotDemanded("These cards do not go back onto the deck now.")
    return state.done().with_player(fact.seat, peeked=()).but(deck=state.deck + len(fact.handles))


# -- discarding cards of the hand, or swapping them for discards


def to_discard(state: State, step: AskDiscard) -> int:
    """Return how many cards are discarded: fewer if there are not as many to give, or to get."""
    most = min(step.count, len(state[step.seat].hand))
    return min(most, sum(map(len, state.piles))) if step.swap else most


def ask_discard(state: State, step: AskDiscard) -> State | None:
    """Skip the question if there is nothing to discard."""
    return None if to_discard(state, step) else state.done()


def on_discard(state: State, move: Discard) -> State:
    step = state.todo[0]
    if not isinstance(step, AskDiscard) or step.seat != move.seat:
        raise NotAllowed("16.3", "refusals.discard_not_now", move.seat)
    player = state[move.seat]
    handles = [handle for handle, _ in move.cards]
    open_cards = [card.handle for pile in state.piles for card in pile]
    if not (_some_of(handles, player.hand) and _some_of(move.taken, open_cards)):
        raise NotAMove("refusals.discard_cards")
    numbers = (len(handles), len(move.taken))
    due = to_discard(state, step)
    if numbers not in (((due, due), (0, 0)) if step.swap else ((due, 0),)):
        raise NotAllowed("16.3", "refusals.discard_number", move.seat, n=due)
    hand = tuple(handle for handle in player.hand if handle not in handles)
    laid = tuple(Card(handle, kind, move.seat) for handle, kind in move.cards)
    state = state.done().with_player(move.seat, hand=hand)
    steps: tuple[Step, ...] = ()
    if move.taken:
        state, steps = take_from_piles(state, move.seat, move.taken)
    return onto_pile(state, 0, laid).push(*steps)


def _some_of(some: Sequence[Handle], among: Sequence[Handle]) -> bool:
    return len(set(some)) == len(some) and set(some) <= set(among)
