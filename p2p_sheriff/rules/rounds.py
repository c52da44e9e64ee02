"""Rounds: who is in office, how a round ends, when the game is over (sections 3, 8, 10.1, 11.1 and 19.5)."""

from p2p_sheriff.rules.cards import Card, Seat
from p2p_sheriff.rules.demands import Toss
from p2p_sheriff.rules.facts import Coin, Shown
from p2p_sheriff.rules.phases import Ending, Phase, Purpose
from p2p_sheriff.rules.refusals import NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import (
    Begin,
    CheckEnd,
    DealHands,
    Finish,
    RefillOrders,
    RevealStack,
    SellByLaw,
    Step,
    TakeOffice,
)

# -- taking office


def two_deputies(state: State) -> bool:
    """Whether two deputies are drawn for the next round: six began, and six are still in (rules 10.1 and 19.5)."""
    return state.setup.with_deputies and len(state.seats) == 6


def rounds_in_all(state: State) -> int:
    """Return how many rounds the game has if nobody else leaves: those begun, and what turns are left make (19.5)."""
    if state.ending is not None:
        return state.round
    turns = sum(max(0, state.setup.terms - state[seat].served) for seat in state.seats)
    return state.round + turns // (2 if two_deputies(state) else 1)


def candidates(state: State) -> tuple[Seat, ...]:
    """Return among whom the next sheriff is drawn: several only for the first round (rules 2.5, 3.3 and 19.5)."""
    if state.round:
        return tuple(seat for seat in state.clockwise_after(state.lead) if state[seat].served < state.setup.terms)[:1]
    return tuple(seat for seat in state.seats if seat in state.setup.candidates) or state.seats


def deputy_cards(state: State) -> tuple[Seat, ...]:
    """Return the deputy cards that lie face down; when none is left, all six are shuffled again (rule 10.1)."""
    return state.deputy_deck or state.seats


def electing(state: State) -> Toss:
    if two_deputies(state):
        cards = len(deputy_cards(state))
        return Toss(Purpose.DEPUTIES, cards * (cards - 1))
    return Toss(Purpose.FIRST_SHERIFF, len(candidates(state)))


def take_office(state: State, _step: TakeOffice) -> State | None:
    """Move the badge if nothing has to be drawn. Nobody may be left to take it: someone left just now (rule 19.5)."""
    if two_deputies(state):
        return None
    chosen = candidates(state)
    if not chosen:
        return reveal(state, Ending.FINISHED)
    return _in_office(state, chosen) if len(chosen) == 1 else None


def on_coin(state: State, fact: Coin) -> State:
    if not isinstance(state.todo[0], TakeOffice):
        raise NotDemanded("No coin is tossed now.")
    toss = electing(state)
    if fact.purpose != toss.purpose or not 0 <= fact.value < toss.sides:
        raise NotDemanded(f"The coin is tossed for {toss.purpose.value}, with {toss.sides} sides.")
    if not two_deputies(state):
        return _in_office(state, (candidates(state)[fact.value],))
    cards = list(deputy_cards(state))
    first, second = divmod(fact.value, len(cards) - 1)
    deputies = (cards.pop(first), cards.pop(second))
    return _in_office(state, deputies).but(deputy_deck=tuple(cards))


def _in_office(state: State, officers: tuple[Seat, ...]) -> State:
    players = tuple(
        player.but(bag=None, served=player.served + (seat in officers)) if not player.out else player
        for seat, player in enumerate(state.players)
    )
    return state.done().but(players=players, officers=officers, lead=officers[0], round=state.round + 1)


# -- the end of a round


def begin_end_of_round(state: State) -> State:
    """Say what ends a round, in order (rule 8.1). The hands are filled from the old sheriff's left, officers last."""
    order = state.merchants + state.officers
    end: tuple[Step, ...] = (CheckEnd(), TakeOffice(), DealHands(order), Begin(Phase.MARKET))
    return state.done(SellByLaw(), RefillOrders(), *end).but(phase=Phase.END_OF_ROUND)


def check_end(state: State, _step: CheckEnd) -> State:
    """End the game when everyone who remains has been in office often enough (rules 3.3, 10.1 and 19.5)."""
    if any(state[seat].served < state.setup.terms for seat in state.seats):
        return state.done()
    return reveal(state, Ending.FINISHED)


def reveal(state: State, ending: Ending) -> State:
    """Have all face-down contraband shown: nothing else happens any more (rules 11.1 and 19.6)."""
    steps = tuple(RevealStack(seat) for seat in state.seats if state[seat].stack)
    return state.but(phase=Phase.REVEAL, ending=ending, offers=(), todo=(*steps, Finish()))


def on_stack_shown(state: State, fact: Shown) -> State:
    step = RevealStack(fact.seat)
    stack = state[fact.seat].stack if step in state.todo else ()
    if not stack or sorted(handle for handle, _ in fact.cards) != sorted(stack):
        raise NotDemanded("At the end of the game everyone shows all face-down cards.")
    kinds = dict(fact.cards)
    cards = tuple(Card(handle, kinds[handle], fact.seat) for handle in stack)
    return state.without(step).with_player(fact.seat, stack=(), revealed=cards)


def finish(state: State, _step: Finish) -> State:
    return state.but(phase=Phase.OVER, todo=())
