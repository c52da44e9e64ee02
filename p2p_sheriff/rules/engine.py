"""The engine: inputs in, public states and demands out. The rules are in modules of their own; this one calls them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from p2p_sheriff.rules import (
    bags,
    black_market,
    deals,
    debts,
    deck,
    facts,
    gifts,
    inspection,
    leaving,
    loot,
    market,
    moves,
    rounds,
    steps,
    verdicts,
)
from p2p_sheriff.rules.cards import Zone
from p2p_sheriff.rules.demands import (
    Choice,
    Choose,
    Demand,
    Draw,
    Mix,
    Open,
    Prove,
    Rearrange,
    Redeal,
    RedealPack,
    Show,
    Shuffle,
)
from p2p_sheriff.rules.facts import Fact, Input
from p2p_sheriff.rules.modules import laws, merry_men, orders, packs
from p2p_sheriff.rules.moves import Move
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Step


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
        return _run(FACTS[type(item)](state, item))
    if item.seat not in state.setup.seats:
        raise NotAMove("refusals.no_seat", seat=item.seat)
    if state.phase is Phase.OVER:
        raise NotAllowed("3.3", "refusals.over", item.seat)
    if state[item.seat].out:
        raise NotAllowed("19.2", "refusals.left", item.seat)
    return _run(MOVES[type(item)](state, item))


def _run(state: State) -> State:
    """Carry out what needs no input, until something does."""
    while state.todo and (carry_out := CARRIED_OUT.get(type(state.todo[0]))):
        after = carry_out(state, state.todo[0])
        if after is None:
            break
        state = after
    return state


def _take_rearranged(state: State, fact: facts.Rearranged) -> State:
    return loot.on_mixed(state, fact) if fact.zone is Zone.LOOT else deck.on_rearranged(state, fact)


def _take_shown(state: State, fact: facts.Shown) -> State:
    if any(kind not in state.setup.table for _, kind in fact.cards):
        raise NotAMove("refusals.shown_good")
    match state.todo[0]:
        case steps.TurnUp(handles) as step if handles:
            return deck.on_turned_up(state, step, fact)
        case steps.ShowAside() as step:
            return market.on_aside_shown(state, step, fact)
        case steps.ShowPassing() as step:
            return verdicts.on_passing_shown(state, step, fact)
        case steps.ShowBag() as step:
            return verdicts.on_bag_shown(state, step, fact)
        case steps.ShowOwed() as step:
            return gifts.on_owed_shown(state, step, fact)
        case steps.DiscardLast(handle=handle) as step if handle is not None:
            return loot.on_last_shown(state, step, fact)
        case steps.RevealStack():
            return rounds.on_stack_shown(state, fact)
        case _:
            raise NotDemanded(f"Seat {fact.seat} is not asked to show anything now.")


def _take_given(state: State, fact: facts.Given) -> State:
    match state.todo[0]:
        case steps.GiveCards() as step:
            return gifts.on_cards_given(state, step, fact)
        case steps.DiscardLast(handle=None) as step:
            return loot.on_last_given(state, step, fact)
        case _:
            raise NotDemanded("No cards change hands now.")


def _take_dealt(state: State, fact: facts.DealtOut) -> State:
    match state.todo[0]:
        case steps.DealMen() as step:
            return merry_men.on_dealt(state, step, fact)
        case _:
            return laws.on_dealt(state, fact)


def _take_unveiled(state: State, fact: facts.Unveiled) -> State:
    match state.todo[0]:
        case steps.UnveilMan() as step:
            return merry_men.on_unveiled(state, step, fact)
        case steps.RevealLaws() as step:
            return laws.on_revealed(state, step, fact)
        case _:
            raise NotDemanded("No card of a module is turned up now.")


def _take_under(state: State, fact: facts.WentUnder) -> State:
    match state.todo[0]:
        case steps.ReturnLaws() as step:
            return laws.on_went_under(state, step, fact)
        case steps.ReturnSpare() | steps.ReturnMan() as step:
            return merry_men.on_went_under(state, step, fact)
        case _:
            raise NotDemanded("No card goes under a deck now.")


def may_time_out(state: State) -> bool:
    """Whether the inspection timer can run out now (rule 12.2)."""
    return state.phase is Phase.INSPECT and state.setup.timed and bool(state.closed_bags)


def _take_time_up(state: State, fact: facts.TimeUp) -> State:
    if (fact.round, fact.phase) != (state.round, state.phase) or not may_time_out(state):
        raise NotDemanded("No time that was agreed on runs out now.")
    return inspection.time_is_up(state)


def _begin(state: State, step: steps.Begin) -> State:
    match step.phase:
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
            raise LookupError(f"No round has a phase {step.phase.value}.")


def demands(state: State) -> tuple[Demand, ...]:
    """Return what must happen next; nothing only when the game is over. The same on every node."""
    known = vars(state)  # Kept there as its cached properties are: a state never changes, and is asked many times.
    if "demanded" not in known:
        known["demanded"] = tuple(demand for step in state.front() for demand in _demands_of(state, step))
    demanded: tuple[Demand, ...] = known["demanded"]
    return demanded


def _demands_of(state: State, step: Step) -> tuple[Demand, ...]:
    match step:
        case steps.ShuffleAll():
            return (Shuffle(state.setup.cards),)
        case steps.DealAround():
            return (Redeal(state.deck),)
        case steps.MakePack(pack):
            return (packs.shuffling(state, pack),)
        case steps.RemakePack(pack):
            return (RedealPack(pack, state.left_in(pack)),)
        case steps.DrawLaws():
            return (laws.drawing(state),)
        case steps.RevealLaws() | steps.ReturnLaws():
            return (laws.handling(state, step),)
        case steps.DealMen():
            return (merry_men.drawing(state, step),)
        case steps.ReturnSpare() | steps.ReturnMan():
            return (merry_men.returning(state, step),)
        case steps.UnveilMan():
            return (merry_men.unveiling(state, step),)
        case steps.LookAt():
            return (merry_men.looking(step),)
        case steps.Peek(seat, count):
            return (Draw(seat, count),)
        case steps.PutTop():
            return (merry_men.putting_back(state, step),)
        case steps.RefillOrders():
            return (orders.refilling(state),)
        case steps.TakeOffice():
            return (rounds.electing(state),)
        case steps.DealHands():
            return deck.dealing(state, step)
        case steps.TurnUp(handles):
            seat = deck.turner(state)
            return (Show(seat, handles) if handles else Draw(seat, 2 * deck.TURNED_UP),)
        case steps.RearrangeZone(seat, zone):
            return (Rearrange(seat, zone, len(state.hidden_in(seat, zone))),)
        case steps.AskFirst():
            return (Choose(state.officers[0], Choice.NAME_FIRST),)
        case steps.ShowAside(seat, _):
            return (Show(seat, state[seat].aside),)
        case steps.Negotiate():
            return tuple(Choose(seat, Choice.ACT) for seat in inspection.deciders(state))
        case steps.OpenBag(seat):
            return (Open(seat),)
        case steps.ShowPassing():
            return (verdicts.unpacking(state, step),)
        case steps.ShowBag(seat):
            return (Show(seat, state.bag_of(seat).handles),)
        case steps.ShowOwed():
            return (gifts.owing(state, step),)
        case steps.ProveRest(seat, handles, kinds):
            return (Prove(seat, handles, kinds),)
        case steps.GiveCards():
            return (gifts.giving(state, step),)
        case steps.Debt(debtor, _, _):
            return (Choose(debtor, Choice.PAY_IN_KIND),)
        case steps.MixLoot():
            return (Mix(state.officers, state.loot.face_down),)
        case steps.ShareOut():
            return (Choose(loot.sharer(state, step), Choice.SHARE_LOOT),)
        case steps.DiscardLast():
            return (loot.discarding_last(state, step),)
        case steps.RevealStack(seat):
            return (Show(seat, state[seat].stack),)
        case steps.SeatStep(seat) if choice := CHOICES.get(type(step)):
            return (Choose(seat, choice),)
        case _:
            raise LookupError(f"{step} waits for nothing.")


Rule: TypeAlias = Callable[[State, Any], State]
"""What carries out the word that it stands beside: it takes the state, and just that word."""

MOVES: Final[Mapping[type[Move], Rule]] = {
    moves.NameFirst: market.on_name_first,
    moves.SetAside: market.on_set_aside,
    moves.TakeDiscards: market.on_take_discards,
    moves.LayDown: market.on_lay_down,
    moves.Load: bags.on_load,
    moves.Declare: bags.on_declare,
    moves.Offer: deals.on_offer,
    moves.Withdraw: deals.on_withdraw,
    moves.Refuse: deals.on_refuse,
    moves.Accept: deals.on_accept,
    moves.Pass: inspection.on_pass,
    moves.Inspect: inspection.on_inspect,
    moves.Stance: inspection.on_stance,
    moves.Apart: inspection.on_apart,
    moves.HandOver: gifts.on_hand_over,
    moves.PayInKind: debts.on_pay_in_kind,
    moves.Trade: black_market.on_trade,
    moves.FillOrders: orders.on_fill_orders,
    moves.LayLaws: laws.on_lay_laws,
    moves.LayOut: laws.on_lay_out,
    moves.KeepMan: merry_men.on_keep_man,
    moves.UseMan: merry_men.on_send,
    moves.Discard: merry_men.on_discard,
    moves.Reorder: merry_men.on_reorder,
    moves.ShareLoot: loot.on_share_loot,
    moves.PickLoot: loot.on_pick_loot,
}

FACTS: Final[Mapping[type[Fact], Rule]] = {
    facts.Shuffled: deck.on_shuffled,
    facts.Reshuffled: deck.on_reshuffled,
    facts.Redealt: deck.on_redealt,
    facts.Coin: rounds.on_coin,
    facts.Drawn: deck.on_drawn,
    facts.Rearranged: _take_rearranged,
    facts.Shown: _take_shown,
    facts.Proved: gifts.on_proved,
    facts.Opened: bags.on_opened,
    facts.Given: _take_given,
    facts.TimeUp: _take_time_up,
    facts.Left: leaving.on_left,
    facts.PackShuffled: packs.on_shuffled,
    facts.PackRedealt: packs.on_redealt,
    facts.TurnedOver: orders.on_turned_over,
    facts.DealtOut: _take_dealt,
    facts.Looked: merry_men.on_looked,
    facts.WentOnTop: merry_men.on_went_on_top,
    facts.Unveiled: _take_unveiled,
    facts.WentUnder: _take_under,
}

CARRIED_OUT: Final[Mapping[type[Step], Callable[[State, Any], State | None]]] = {
    steps.TakeOffice: rounds.take_office,
    steps.DealHands: deck.deal_hands,
    steps.RearrangeZone: deck.rearrange_zone,
    steps.Begin: _begin,
    steps.AskFirst: market.ask_first,
    steps.AskTake: market.ask_take,
    steps.AskLayDown: market.ask_lay_down,
    steps.Gather: market.gather,
    steps.Negotiate: inspection.negotiate,
    steps.ShowOwed: gifts.show_owed,
    steps.AskHandOver: gifts.ask_hand_over,
    steps.Unpack: verdicts.unpack,
    steps.PaySurety: verdicts.pay_surety,
    steps.Judge: verdicts.judge,
    steps.Debt: debts.settle_debt,
    steps.DrawLaws: laws.draw_laws,
    steps.PayToll: laws.pay_toll,
    steps.EndInspection: laws.end_inspection,
    steps.SellByLaw: laws.sell_by_law,
    steps.AskLayOut: laws.ask_lay_out,
    steps.DealMen: merry_men.deal_men,
    steps.AskKeep: merry_men.ask_keep,
    steps.ReturnSpare: merry_men.return_spare,
    steps.UnveilMan: merry_men.unveil_man,
    steps.ManArrives: merry_men.man_arrives,
    steps.AskErrand: merry_men.ask_errand,
    steps.AskDiscard: merry_men.ask_discard,
    steps.AskOrders: orders.ask_orders,
    steps.AskTrade: black_market.ask_trade,
    steps.RefillOrders: orders.refill_orders,
    steps.MixLoot: loot.mix_loot,
    steps.ShareOut: loot.share_out,
    steps.PickTurn: loot.pick_turn,
    steps.CheckEnd: rounds.check_end,
    steps.Finish: rounds.finish,
}
"""What is done as soon as it comes first, or returns None: then it waits for an input, as all other steps do."""

CHOICES: Final[Mapping[type[Step], Choice]] = {
    steps.MarketTurn: Choice.SET_ASIDE,
    steps.AskTake: Choice.TAKE_DISCARDS,
    steps.AskLayDown: Choice.LAY_DOWN,
    steps.AskLoad: Choice.LOAD,
    steps.AskDeclare: Choice.DECLARE,
    steps.AskHandOver: Choice.HAND_OVER,
    steps.AskTrade: Choice.TRADE,
    steps.AskOrders: Choice.FILL_ORDERS,
    steps.AskLaws: Choice.LAY_LAWS,
    steps.AskLayOut: Choice.LAY_OUT,
    steps.AskKeep: Choice.KEEP_MAN,
    steps.AskErrand: Choice.SEND,
    steps.AskDiscard: Choice.DISCARD,
    steps.AskReorder: Choice.REORDER,
    steps.PickTurn: Choice.PICK_LOOT,
}
