"""Laws (section 15): how they are laid, and what they do by themselves; `rules/law.py` says what they change."""

from p2p_sheriff.rules.cards import Card, Pack, Seat
from p2p_sheriff.rules.deck import with_fresh
from p2p_sheriff.rules.demands import DealOut, Demand, PutUnder, Unveil
from p2p_sheriff.rules.facts import DealtOut, Unveiled, WentUnder
from p2p_sheriff.rules.gifts import from_bank, pay_gold
from p2p_sheriff.rules.law import in_force, is_legal_good, premium, value_of
from p2p_sheriff.rules.loot import heir
from p2p_sheriff.rules.market import onto_pile
from p2p_sheriff.rules.modules.law_cards import LAWS, ForcedSale, PrivateStash, Toll
from p2p_sheriff.rules.moves import LayLaws, LayOut
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import (
    AskLaws,
    AskLayOut,
    DrawLaws,
    EndInspection,
    PayToll,
    ReturnLaws,
    RevealLaws,
    SellByLaw,
    Step,
)

SLOTS = 2
"""So many laws are in force at a time."""


# -- laying laws (rule 15.1)


def to_draw(state: State) -> int:
    """Return how many laws the sheriff draws: three in the first round, two later."""
    return min(3 if state.round == 1 else 2, state.left_in(Pack.LAWS))


def draw_laws(state: State, _step: DrawLaws) -> State | None:
    """Wait for the draw, if somebody is in office to make it."""
    return None if state.officers and to_draw(state) else state.done()


def on_dealt(state: State, fact: DealtOut) -> State:
    if not isinstance(state.todo[0], DrawLaws) or drawing(state) != DealOut(fact.pack, fact.seats, len(fact.handles)):
        raise NotDemanded("These are not the laws that are drawn now.")
    state = with_fresh(state, fact.handles).with_pack(Pack.LAWS, state.left_in(Pack.LAWS) - len(fact.handles))
    return state.done(AskLaws(state.officers[0])).but(drawn_laws=fact.handles)


def drawing(state: State) -> DealOut:
    return DealOut(Pack.LAWS, state.officers, to_draw(state))


def to_lay(state: State) -> int:
    """Return how many of the drawn laws are laid: all but one."""
    return max(1, len(state.drawn_laws) - 1)


def on_lay_laws(state: State, move: LayLaws) -> State:
    """Lay laws, the first of them into slot 1. Both deputies see them; the first-drawn decides (rule 10.7)."""
    if state.todo[0] != AskLaws(move.seat):
        raise NotAllowed("15.1", "refusals.laws_not_now", move.seat)
    if len(set(move.laid)) != len(move.laid) or not set(move.laid) <= set(state.drawn_laws):
        raise NotAMove("refusals.laws_cards")
    if len(move.laid) != to_lay(state):
        raise NotAllowed("15.1", "refusals.laws_number", move.seat, n=to_lay(state))
    rest = tuple(handle for handle in state.drawn_laws if handle not in move.laid)
    return state.done(RevealLaws(move.laid, rest if move.shown else ()), *([ReturnLaws(rest)] if rest else []))


def handling(state: State, step: RevealLaws | ReturnLaws) -> Demand:
    if isinstance(step, RevealLaws):
        return Unveil(Pack.LAWS, state.officers, step.laid + step.others)
    return PutUnder(Pack.LAWS, state.officers, step.handles)


def on_revealed(state: State, step: RevealLaws, fact: Unveiled) -> State:
    handles = tuple(handle for handle, _ in fact.cards)
    if handling(state, step) != Unveil(fact.pack, fact.seats, handles) or not {n for _, n in fact.cards} <= LAWS.keys():
        raise NotDemanded("The laws that are laid are shown.")
    names = dict(fact.cards)
    laid = tuple(names[handle] for handle in step.laid)
    drawn = tuple(handle for handle in state.drawn_laws if handle not in step.laid)
    return state.done().but(laws=(*laid, *state.laws)[:SLOTS], drawn_laws=drawn)


def on_went_under(state: State, step: ReturnLaws, fact: WentUnder) -> State:
    if handling(state, step) != PutUnder(fact.pack, fact.seats, fact.handles):
        raise NotDemanded("The law that is not laid goes under the deck.")
    return state.done().with_pack(Pack.LAWS, state.left_in(Pack.LAWS) + len(fact.handles)).but(drawn_laws=())


def without_officers(state: State, todo: tuple[Step, ...]) -> tuple[State, tuple[Step, ...]]:
    """Put drawn laws back into the deck: somebody left under whose lock they lie; who is left draws anew (19.4)."""
    again = any(isinstance(step, AskLaws | RevealLaws) for step in state.todo)
    rest = tuple(step for step in todo if not isinstance(step, AskLaws | RevealLaws | ReturnLaws))
    state = state.with_pack(Pack.LAWS, state.left_in(Pack.LAWS) + len(state.drawn_laws)).but(drawn_laws=())
    return state, ((DrawLaws(), *rest) if again and state.officers else rest)


# -- what laws do by themselves


def pay_toll(state: State, step: PayToll) -> State:
    """Have the toll paid for a bag that has passed: to the sheriff, or onto the Loot (rule 10.7)."""
    receiver, state = heir(state), state.done()
    for toll in in_force(state, Toll):
        if receiver is not None:
            state = pay_gold(state, step.seat, receiver, min(toll.gold, state[step.seat].gold))
    return state


def end_inspection(state: State, _step: EndInspection) -> State:
    """Pay the premium, and ask for the private stash (rule 8.1)."""
    for seat in state.merchants:
        bag = state[seat].bag
        state = from_bank(state, seat, premium(state) * bag.smuggled if bag else 0)
    stash = [AskLayOut(seat) for seat in state.officers for _ in in_force(state, PrivateStash)]
    return state.done(*stash)


def sell_by_law(state: State, _step: SellByLaw) -> State:
    """Have forced sales made: all who tie for most of the good on the stall sell one (rule 15.6)."""
    state = state.done()
    for sale in in_force(state, ForcedSale):
        counts = {seat: sum(card.kind == sale.good for card in state[seat].stall) for seat in state.merchants}
        most = max(counts.values(), default=0)
        for seat in (seat for seat, count in counts.items() if count == most and count):
            state = sell(state, seat, next(card for card in state[seat].stall if card.kind == sale.good), 1)
    return state


def sell(state: State, seat: Seat, card: Card, times: int) -> State:
    """Have a good of a stall sold to the bank for so many times its value: it is discarded."""
    state = from_bank(state, seat, times * value_of(state.setup, card.kind))
    stall = tuple(other for other in state[seat].stall if other != card)
    return onto_pile(state.with_player(seat, stall=stall), 0, (card,))


# -- a legal card of the hand onto the own stall: the private stash, and Friar Tuck


def ask_lay_out(state: State, step: AskLayOut) -> State | None:
    """Skip the question if there is no card: whether one is legal, only its holder knows."""
    return None if state[step.seat].hand else state.done()


def on_lay_out(state: State, move: LayOut) -> State:
    if state.todo[0] != AskLayOut(move.seat):
        raise NotAllowed("15.2", "refusals.lay_out_not_now", move.seat)
    player = state[move.seat]
    if len(move.cards) > 1 or not {handle for handle, _ in move.cards} <= set(player.hand):
        raise NotAMove("refusals.lay_out_card")
    if not all(is_legal_good(state, kind) for _, kind in move.cards):
        raise NotAllowed("15.4", "refusals.lay_out_legal", move.seat)
    laid = tuple(Card(handle, kind, move.seat) for handle, kind in move.cards)
    hand = tuple(handle for handle in player.hand if handle not in dict(move.cards))
    return state.done().with_player(move.seat, hand=hand, stall=player.stall + laid)
