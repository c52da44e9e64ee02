"""Fines that gold does not cover (rules 7.14 and 7.15)."""

from p2p_sheriff.rules.bounds import PayInKindBounds
from p2p_sheriff.rules.cards import Zone, kinds_of
from p2p_sheriff.rules.gifts import give_prizes, pay_gold
from p2p_sheriff.rules.law import stack_kinds, value_of
from p2p_sheriff.rules.moves import PayInKind
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.stalls import cards_of, count_goods, is_part_of
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Debt, GiveCards


def settle_debt(state: State, step: Debt) -> State | None:
    """Pay what can be paid without a choice: gold, then all legal goods if they don't cover more than is due."""
    debtor = state[step.debtor]
    if gold := min(debtor.gold, step.amount):
        state = pay_gold(state, step.debtor, step.creditor, gold)
        return state.done(*_rest(step, step.amount - gold))
    if not step.amount:
        return state.done()
    if debtor.stall:
        return _give_all_legal(state, step)
    if debtor.stack or debtor.prizes:
        return None
    return state.done()


def _rest(step: Debt, amount: int) -> tuple[Debt, ...]:
    return (Debt(step.debtor, step.creditor, amount),) if amount > 0 else ()


def _give_all_legal(state: State, step: Debt) -> State | None:
    stall = state[step.debtor].stall
    values = [value_of(state.setup, card.kind) for card in stall]
    if sum(values) - min(values) >= step.amount:
        return None
    gift = GiveCards(step.debtor, step.creditor, Zone.STALL, tuple(card.handle for card in stall))
    return state.done(gift, *_rest(step, step.amount - sum(values)))


def payable_in_kind(state: State, step: Debt) -> PayInKindBounds:
    """Return from what the debtor chooses: legal goods; once there are none, black-market and face-down cards."""
    debtor = state[step.debtor]
    if debtor.stall:
        return PayInKindBounds(step.debtor, step.amount, count_goods(state.setup, kinds_of(debtor.stall)), ())
    return PayInKindBounds(step.debtor, step.amount, count_goods(state.setup, debtor.prizes), debtor.stack)


def on_pay_in_kind(state: State, move: PayInKind) -> State:
    step = state.todo[0]
    if not isinstance(step, Debt) or step.debtor != move.seat:
        raise NotAllowed("7.14", "refusals.debt_none", move.seat)
    bounds = payable_in_kind(state, step)
    _check_goods(state, move, bounds)
    values = [value_of(state.setup, kind) for kind, count in move.goods for _ in range(count)]
    values += [value_of(state.setup, kind) for _, kind in move.cards]
    everything = move.goods == bounds.goods and len(move.cards) == len(bounds.handles)
    if sum(values) < step.amount and not everything:
        raise NotAllowed("7.14", "refusals.debt_too_little", move.seat, n=step.amount)
    if sum(values) - min(values) >= step.amount:
        raise NotAllowed("7.15", "refusals.debt_too_much", move.seat)
    return _give(state, step, move)


def _check_goods(state: State, move: PayInKind, bounds: PayInKindBounds) -> None:
    if not is_part_of(state, move.goods, bounds.goods):
        raise NotAllowed("7.14", "refusals.debt_stall", move.seat)
    handles = [handle for handle, _ in move.cards]
    if handles and not bounds.handles:
        raise NotAllowed("7.15", "refusals.debt_legal", move.seat)
    if len(set(handles)) != len(handles) or not set(handles) <= set(bounds.handles):
        raise NotAMove("refusals.debt_cards")
    if any(kind not in stack_kinds(state, move.seat) for _, kind in move.cards):
        raise NotAMove("refusals.offer_stack_kind")
    if not move.goods and not move.cards:
        raise NotAllowed("7.14", "refusals.debt_goods", move.seat)


def _give(state: State, step: Debt, move: PayInKind) -> State:
    handles, names = cards_of(state, move.seat, move.goods)
    hidden = tuple(handle for handle, _ in move.cards)
    gifts = []
    if handles:
        gifts.append(GiveCards(move.seat, step.creditor, Zone.STALL, handles))
    if hidden:
        gifts.append(GiveCards(move.seat, step.creditor, Zone.STACK, hidden))
    return give_prizes(state, move.seat, step.creditor, names).done(*gifts)
