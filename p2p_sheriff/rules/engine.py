"""The engine: inputs in, public states and demands out. The rules are in modules of their own; this one calls them."""

from dataclasses import dataclass
from typing import assert_never

from p2p_sheriff.rules import (
    bags,
    black_market,
    deals,
    debts,
    deck,
    gifts,
    inspection,
    leaving,
    loot,
    market,
    rounds,
    verdicts,
)
from p2p_sheriff.rules.cards import Zone
from p2p_sheriff.rules.demands import Choice, Choose, Demand, Draw, Open, Prove, Redeal, Show, Shuffle
from p2p_sheriff.rules.facts import (
    Coin,
    Drawn,
    Fact,
    Given,
    Input,
    Left,
    Opened,
    Proved,
    Rearranged,
    Redealt,
    Reshuffled,
    Shown,
    Shuffled,
    TimeUp,
)
from p2p_sheriff.rules.moves import (
    Accept,
    Alone,
    Confirm,
    Declare,
    HandOver,
    Inspect,
    LayDown,
    Load,
    Move,
    NameFirst,
    Offer,
    Pass,
    PayInKind,
    PickLoot,
    SetAside,
    ShareLoot,
    Stance,
    TakeDiscards,
    Trade,
    Withdraw,
)
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import (
    AskDeclare,
    AskFirst,
    AskHandOver,
    AskLayDown,
    AskLoad,
    AskTake,
    AskTrade,
    Begin,
    CheckEnd,
    DealAround,
    DealHands,
    Debt,
    DiscardLast,
    Finish,
    Gather,
    GiveCards,
    Judge,
    MarketTurn,
    MixLoot,
    Negotiate,
    OpenBag,
    PickTurn,
    ProveRest,
    RearrangeZone,
    RevealStack,
    ShareOut,
    ShowAside,
    ShowBag,
    ShowOwed,
    ShowPassing,
    ShuffleAll,
    Step,
    TakeOffice,
    TurnUp,
    Unpack,
)


@dataclass(frozen=True, slots=True)
class Transition:
    """One input, with the states before and after it: who tells or shows it needs no engine."""

    before: State
    item: Input
    after: State

    @classmethod
    def of(cls, state: State, item: Input) -> "Transition":
        """Apply an input. Raises as `apply` does."""
        return cls(state, item, apply(state, item))


def apply(state: State, item: Input) -> State:
    """Return the state after a move or a fact. The old state stays as it was.

    Raises NotAMove if the input means nothing here, NotAllowed if the rules forbid it now.
    """
    if isinstance(item, Fact):
        if state.phase is Phase.OVER:
            raise NotDemanded("The game is over.")
        return _run(_take_fact(state, item))
    if item.seat not in state.setup.seats:
        raise NotAMove("refusals.no_seat", seat=item.seat)
    if state.phase is Phase.OVER:
        raise NotAllowed("3.3", "refusals.over", item.seat)
    if state[item.seat].out:
        raise NotAllowed("19.2", "refusals.left", item.seat)
    return _run(_take_move(state, item))


def _run(state: State) -> State:
    """Carry out what needs no input, until something does."""
    while state.todo and (after := _carry_out(state, state.todo[0])) is not None:
        state = after
    return state


def _take_move(state: State, move: Move) -> State:
    match move:
        case NameFirst():
            return market.on_name_first(state, move)
        case SetAside():
            return market.on_set_aside(state, move)
        case TakeDiscards():
            return market.on_take_discards(state, move)
        case LayDown():
            return market.on_lay_down(state, move)
        case Load():
            return bags.on_load(state, move)
        case Declare():
            return bags.on_declare(state, move)
        case Offer():
            return deals.on_offer(state, move)
        case Withdraw():
            return deals.on_withdraw(state, move)
        case Accept():
            return deals.on_accept(state, move)
        case Pass():
            return inspection.on_pass(state, move)
        case Inspect():
            return inspection.on_inspect(state, move)
        case Stance():
            return inspection.on_stance(state, move)
        case Confirm():
            return inspection.on_confirm(state, move)
        case Alone():
            return inspection.on_alone(state, move)
        case HandOver():
            return gifts.on_hand_over(state, move)
        case PayInKind():
            return debts.on_pay_in_kind(state, move)
        case Trade():
            return black_market.on_trade(state, move)
        case ShareLoot():
            return loot.on_share_loot(state, move)
        case PickLoot():
            return loot.on_pick_loot(state, move)
        case _:
            assert_never(move)


def _take_fact(state: State, fact: Fact) -> State:
    match fact:
        case Shuffled():
            return deck.on_shuffled(state, fact)
        case Reshuffled():
            return deck.on_reshuffled(state, fact)
        case Redealt():
            return deck.on_redealt(state, fact)
        case Coin():
            return rounds.on_coin(state, fact)
        case Drawn():
            return deck.on_drawn(state, fact)
        case Rearranged(zone=Zone.LOOT):
            return loot.on_mixed(state, fact)
        case Rearranged():
            return deck.on_rearranged(state, fact)
        case Shown():
            return _take_shown(state, fact)
        case Proved():
            return gifts.on_proved(state, fact)
        case Opened():
            return bags.on_opened(state, fact)
        case Given():
            return _take_given(state, fact)
        case TimeUp():
            return _take_time_up(state, fact)
        case Left():
            return leaving.on_left(state, fact)
        case _:
            assert_never(fact)


def _take_shown(state: State, fact: Shown) -> State:
    if any(kind not in state.setup.table for _, kind in fact.cards):
        raise NotAMove("refusals.shown_good")
    match state.todo[0]:
        case TurnUp(handles) as step if handles:
            return deck.on_turned_up(state, step, fact)
        case ShowAside() as step:
            return market.on_aside_shown(state, step, fact)
        case ShowPassing() as step:
            return verdicts.on_passing_shown(state, step, fact)
        case ShowBag() as step:
            return verdicts.on_bag_shown(state, step, fact)
        case ShowOwed() as step:
            return gifts.on_owed_shown(state, step, fact)
        case DiscardLast(handle=handle) as step if handle is not None:
            return loot.on_last_shown(state, step, fact)
        case RevealStack():
            return rounds.on_stack_shown(state, fact)
        case _:
            raise NotDemanded(f"Seat {fact.seat} is not asked to show anything now.")


def _take_given(state: State, fact: Given) -> State:
    match state.todo[0]:
        case GiveCards() as step:
            return gifts.on_cards_given(state, step, fact)
        case DiscardLast(handle=None) as step:
            return loot.on_last_given(state, step, fact)
        case _:
            raise NotDemanded("No cards change hands now.")


def may_time_out(state: State) -> bool:
    """Whether the agreed time can run out now: deputies who don't agree (10.2), or the inspection timer (12.2)."""
    if state.phase is Phase.MARKET:
        return isinstance(state.todo[0], AskFirst) and len(state.officers) == 2
    return state.phase is Phase.INSPECT and state.setup.timed and bool(state.closed_bags)


def _take_time_up(state: State, fact: TimeUp) -> State:
    if (fact.round, fact.phase) != (state.round, state.phase) or not may_time_out(state):
        raise NotDemanded("No time that was agreed on runs out now.")
    return market.begin_to_the_left(state) if state.phase is Phase.MARKET else inspection.time_is_up(state)


def _carry_out(state: State, step: Step) -> State | None:
    """Carry a step out, or return None if it waits for an input."""
    match step:
        case TakeOffice():
            return rounds.take_office(state)
        case DealHands():
            return deck.deal_hands(state, step)
        case Begin(phase):
            return _begin(state, phase)
        case AskFirst():
            return market.ask_first(state, step)
        case AskTake():
            return market.ask_take(state, step)
        case AskLayDown():
            return market.ask_lay_down(state, step)
        case Gather():
            return market.gather(state)
        case Negotiate():
            return inspection.negotiate(state)
        case ShowOwed():
            return gifts.show_owed(state, step)
        case AskHandOver():
            return gifts.ask_hand_over(state, step)
        case Unpack():
            return verdicts.unpack(state, step)
        case Judge():
            return verdicts.judge(state, step)
        case Debt():
            return debts.settle_debt(state, step)
        case AskTrade():
            return black_market.ask_trade(state, step)
        case MixLoot():
            return loot.mix_loot(state, step)
        case ShareOut():
            return loot.share_out(state, step)
        case PickTurn():
            return loot.pick_turn(state, step)
        case CheckEnd():
            return rounds.check_end(state)
        case Finish():
            return rounds.finish(state)
        case _:
            return None


def _begin(state: State, phase: Phase) -> State:
    match phase:
        case Phase.MARKET:
            return market.begin_market(state)
        case Phase.LOAD:
            return bags.begin_load(state)
        case Phase.DECLARE:
            return bags.begin_declare(state)
        case Phase.INSPECT:
            return inspection.begin_inspect(state)
        case Phase.END_OF_ROUND:
            return rounds.begin_end_of_round(state)
        case Phase.SETUP | Phase.REVEAL | Phase.OVER:
            raise LookupError(f"No round has a phase {phase.value}.")


def demands(state: State) -> tuple[Demand, ...]:
    """Return what must happen next; nothing only when the game is over. The same on every node."""
    return tuple(demand for step in state.front() for demand in _demands_of(state, step))


def _demands_of(state: State, step: Step) -> tuple[Demand, ...]:
    match step:
        case ShuffleAll():
            return (Shuffle(state.setup.cards),)
        case DealAround():
            return (Redeal(state.deck),)
        case TakeOffice():
            return (rounds.electing(state),)
        case DealHands():
            return deck.dealing(state, step)
        case TurnUp(handles):
            seat = deck.turner(state)
            return (Show(seat, handles) if handles else Draw(seat, 2 * deck.TURNED_UP),)
        case RearrangeZone():
            return (deck.rearranging(state, step),)
        case AskFirst(named):
            # A deputy may change the name, but only the other one's can bring agreement.
            return tuple(
                Choose(seat, Choice.NAME_FIRST) for seat in state.officers if seat not in dict(named)
            ) or tuple(Choose(seat, Choice.NAME_FIRST) for seat in state.officers)
        case MarketTurn(seat):
            return (Choose(seat, Choice.SET_ASIDE),)
        case AskTake(seat):
            return (Choose(seat, Choice.TAKE_DISCARDS),)
        case AskLayDown(seat, _):
            return (Choose(seat, Choice.LAY_DOWN),)
        case ShowAside(seat, _):
            return (Show(seat, state[seat].aside),)
        case AskLoad(seat):
            return (Choose(seat, Choice.LOAD),)
        case AskDeclare(seat):
            return (Choose(seat, Choice.DECLARE),)
        case Negotiate():
            return tuple(Choose(seat, Choice.ACT) for seat in inspection.deciders(state))
        case OpenBag(seat):
            return (Open(seat),)
        case ShowPassing():
            return (verdicts.unpacking(state, step),)
        case ShowBag(seat):
            return (Show(seat, state.bag_of(seat).handles),)
        case ShowOwed():
            return (gifts.owing(state, step),)
        case ProveRest(seat, handles, kinds):
            return (Prove(seat, handles, kinds),)
        case AskHandOver():
            return (Choose(step.seat, Choice.HAND_OVER),)
        case GiveCards():
            return (gifts.giving(state, step),)
        case Debt(debtor, _, _):
            return (Choose(debtor, Choice.PAY_IN_KIND),)
        case AskTrade(seat):
            return (Choose(seat, Choice.TRADE),)
        case MixLoot():
            return (loot.mixing(state, step),)
        case ShareOut():
            return tuple(Choose(seat, Choice.SHARE_LOOT) for seat in state.officers)
        case PickTurn(seat):
            return (Choose(seat, Choice.PICK_LOOT),)
        case DiscardLast():
            return (loot.discarding_last(state, step),)
        case RevealStack(seat):
            return (Show(seat, state[seat].stack),)
        case Begin() | Gather() | Unpack() | Judge() | CheckEnd() | Finish():
            return ()
        case _:
            assert_never(step)
