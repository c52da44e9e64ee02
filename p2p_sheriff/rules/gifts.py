"""Cards, black-market cards and gold that change hands (rules 7.7, 7.8, 10.3 and 10.6)."""

from itertools import takewhile

from p2p_sheriff.rules.cards import LOOT, Card, Goods, Handle, Kind, Seat, Zone
from p2p_sheriff.rules.deck import with_fresh
from p2p_sheriff.rules.demands import Give, ShowKinds
from p2p_sheriff.rules.facts import Given, Proved, Shown
from p2p_sheriff.rules.law import banned, is_legal_good, stack_kinds
from p2p_sheriff.rules.market import remove_from_piles
from p2p_sheriff.rules.moves import HandOver
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import Loot, LootCard, State
from p2p_sheriff.rules.steps import AskHandOver, GiveCards, ProveRest, RearrangeZone, ShowOwed

# -- gold and black-market cards: nothing hidden, so they move at once


def pay_gold(state: State, payer: Seat, receiver: Seat, amount: int) -> State:
    """Move gold from a player to another one, or onto the Loot."""
    if not amount:
        return state
    state = state.with_player(payer, gold=state[payer].gold - amount)
    if receiver == LOOT:
        return state.but(loot=Loot(state.loot.gold + amount, state.loot.cards, state.loot.prizes))
    return state.with_player(receiver, gold=state[receiver].gold + amount)


def from_bank(state: State, seat: Seat, gold: int) -> State:
    """Have the bank pay a player, or a player the bank."""
    return state.with_player(seat, gold=state[seat].gold + gold).but(bank=state.bank - gold) if gold else state


def take_along(state: State, seat: Seat, unlawful: tuple[Kind, ...]) -> State:
    """Note that these legal goods may be among what came onto a stack, or onto the Loot, face down (rule 15.4)."""
    if not unlawful:
        return state
    before = state.loot_unlawful if seat == LOOT else state[seat].unlawful
    both = tuple(good.kind for good in state.setup.goods if good.kind in (*before, *unlawful))
    return state.but(loot_unlawful=both) if seat == LOOT else state.with_player(seat, unlawful=both)


def give_prizes(state: State, giver: Seat, receiver: Seat, names: tuple[Kind, ...]) -> State:
    """Move black-market cards from a player to another one, or onto the Loot."""
    if not names:
        return state
    state = state.with_player(giver, prizes=tuple(name for name in state[giver].prizes if name not in names))
    if receiver == LOOT:
        return state.but(loot=Loot(state.loot.gold, state.loot.cards, state.loot.prizes + names))
    return state.with_player(receiver, prizes=state[receiver].prizes + names)


# -- face-down goods promised by kind or blind


def owing(state: State, step: ShowOwed) -> ShowKinds:
    return ShowKinds(step.seat, _left(state, step), (), step.owed)


def _left(state: State, step: ShowOwed) -> tuple[Handle, ...]:
    """Return what the giver can still give of the cards that lay there when the deal was closed (rule 7.5)."""
    return tuple(handle for handle in state[step.seat].stack if handle in step.among)


def show_owed(state: State, step: ShowOwed) -> State | None:
    """Skip the showing if nothing was promised by kind, or nothing is there."""
    stack = _left(state, step)
    if step.owed and stack:
        return None
    blind = min(step.blind, len(stack))
    return state.done(AskHandOver(step.seat, step.receiver, Zone.STACK, stack, blind, ()))


def on_owed_shown(state: State, step: ShowOwed, fact: Shown) -> State:
    """Take what exists of the goods promised by kind; that no more is there must be proved (rule 7.8)."""
    stack = _left(state, step)
    handles = checked_handles(fact, step.seat, stack)
    missing = still_missing(step.owed, fact)
    rest = tuple(handle for handle in stack if handle not in handles)
    denied = tuple(kind for kind, _ in missing)
    kinds = tuple(kind for kind in stack_kinds(state, step.seat) if kind not in denied)
    proof = (ProveRest(step.seat, rest, kinds),) if rest and denied else ()
    blind = min(step.blind, len(rest))
    return state.done(*proof, AskHandOver(step.seat, step.receiver, Zone.STACK, rest, blind, handles))


def checked_handles(fact: Shown, seat: Seat, among: tuple[Handle, ...]) -> tuple[Handle, ...]:
    """Return the handles of cards shown. Raises NotDemanded unless they are different ones of these, of this seat."""
    handles = tuple(handle for handle, _ in fact.cards)
    if fact.seat != seat or len(set(handles)) != len(handles) or not set(handles) <= set(among):
        raise NotDemanded(f"Seat {seat} shows different cards of those that are asked for.")
    return handles


def still_missing(owed: Goods, fact: Shown) -> Goods:
    """Return what is owed and was not shown. Raises NotDemanded if something was shown that is not owed."""
    counts = dict(owed)
    for _, kind in fact.cards:
        counts[kind] = counts.get(kind, 0) - 1
        if counts[kind] < 0:
            raise NotDemanded(f"More {kind} was shown than was promised.")
    return tuple((kind, count) for kind, count in counts.items() if count)


def on_proved(state: State, fact: Proved) -> State:
    step = state.todo[0]
    if not isinstance(step, ProveRest) or fact != Proved(step.seat, step.handles, step.kinds):
        raise NotDemanded(f"This is not what seat {fact.seat} has to prove now.")
    return state.done()


def ask_hand_over(state: State, step: AskHandOver) -> State | None:
    """Skip the question if there is no choice."""
    if 0 < step.count < len(step.among):
        return None
    handles = step.named + (step.among if step.count else ())
    return state.done(*([GiveCards(step.seat, step.receiver, step.zone, handles)] if handles else []))


def on_hand_over(state: State, move: HandOver) -> State:
    step = state.todo[0]
    if not isinstance(step, AskHandOver) or step.seat != move.seat:
        raise NotAllowed("7.7", "refusals.gift_none", move.seat)
    if len(set(move.handles)) != len(move.handles) or not set(move.handles) <= set(step.among):
        raise NotAMove("refusals.gift_cards")
    if len(move.handles) != step.count:
        raise NotAllowed("7.7", "refusals.gift_number", move.seat, n=step.count)
    return state.done(GiveCards(step.seat, step.receiver, step.zone, step.named + move.handles))


# -- the cards go over


def giving(state: State, step: GiveCards) -> Give:
    receivers = state.officers if step.receiver == LOOT else (step.receiver,)
    return Give(step.giver, step.receiver, receivers, step.handles)


def check_given(state: State, fact: Given, giver: Seat, receiver: Seat, handles: tuple[Handle, ...]) -> State:
    """Take note of the new handles. Raises NotDemanded if other cards moved, or to somebody else."""
    if (fact.giver, fact.receiver) != (giver, receiver) or tuple(old for old, _ in fact.handles) != handles:
        raise NotDemanded("These are not the cards that change hands now.")
    return with_fresh(state, [new for _, new in fact.handles])


def on_cards_given(state: State, step: GiveCards, fact: Given) -> State:
    state = check_given(state, fact, step.giver, step.receiver, step.handles).done()
    new = dict(fact.handles)
    kinds: dict[Handle, Kind | None]
    along: tuple[Kind, ...] = ()
    match step.zone:
        case Zone.PILES if step.onto_stall:
            open_cards = {card.handle: card.kind for pile in state.piles for card in pile if card.handle in new}
            kinds = {handle: kind if is_legal_good(state, kind) else None for handle, kind in open_cards.items()}
            state, along = remove_from_piles(state, step.handles), banned(state)
        case Zone.PILES:
            hand = state[step.receiver].hand + tuple(new[handle] for handle in step.handles)
            return remove_from_piles(state, step.handles).with_player(step.receiver, hand=hand)
        case Zone.STALL:
            stall = state[step.giver].stall
            kinds = {card.handle: card.kind for card in stall if card.handle in new}
            state = state.with_player(step.giver, stall=tuple(card for card in stall if card.handle not in new))
        case Zone.STACK:
            kinds, along = dict.fromkeys(step.handles), state[step.giver].unlawful
            stack = tuple(handle for handle in state[step.giver].stack if handle not in new)
            state = state.with_player(step.giver, stack=stack)
        case Zone.BAG:
            bag, along = state.bag_of(step.giver), banned(state)
            legal = {card.handle: card.kind for card in bag.shown if is_legal_good(state, card.kind)}
            kinds = {handle: legal.get(handle) for handle in step.handles}
            shown = tuple(card for card in bag.shown if card.handle not in new)
            state = state.with_bag(
                step.giver, shown=shown, handles=tuple(handle for handle in bag.handles if handle not in new)
            )
        case Zone.LOOT:
            loot, along = state.loot, state.loot_unlawful
            kinds = {card.handle: card.kind for card in loot.cards if card.handle in new}
            left = tuple(card for card in loot.cards if card.handle not in new)
            state = state.but(loot=Loot(loot.gold, left, loot.prizes))
        case Zone.HAND | Zone.MEN | Zone.PEEKED:
            raise NotDemanded("Cards of a hand are never given away.")
    if None in kinds.values():
        state = take_along(state, step.receiver, along)
    return _receive(state, step.receiver, tuple((new[handle], kinds[handle]) for handle in step.handles))


def _receive(state: State, receiver: Seat, cards: tuple[tuple[Handle, Kind | None], ...]) -> State:
    """Put goods where they belong: legal ones face up, hidden ones face down (rules 7.7 and 10.6)."""
    if receiver == LOOT:
        new = tuple(LootCard(handle, kind) for handle, kind in cards)
        return state.but(loot=Loot(state.loot.gold, state.loot.cards + new, state.loot.prizes))
    player = state[receiver]
    open_cards = tuple(Card(handle, kind, receiver) for handle, kind in cards if kind is not None)
    hidden = tuple(handle for handle, kind in cards if kind is None)
    state = state.with_player(receiver, stall=player.stall + open_cards, stack=player.stack + hidden)
    return _to_rearrange(state, receiver) if hidden else state


def _to_rearrange(state: State, receiver: Seat) -> State:
    """Have the receiver lay the stack anew, after all face-down gifts of a deal: till then own cards can be told."""
    step = RearrangeZone(receiver, Zone.STACK)
    later = len(tuple(takewhile(lambda due: isinstance(due, ShowOwed), state.todo)))
    if later and step in state.todo[later:]:
        return state
    return state.but(todo=(*state.todo[:later], step, *state.todo[later:]))
