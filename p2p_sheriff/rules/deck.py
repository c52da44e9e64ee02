"""Shuffling, dealing and rearranging (rules 2.3, 2.4, 9 and 12.3; section 17)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from p2p_sheriff.rules.cards import Card, Handle, Seat, Zone
from p2p_sheriff.rules.demands import Demand, Draw, Reshuffle
from p2p_sheriff.rules.facts import Drawn, Rearranged, Redealt, Reshuffled, Shown, Shuffled
from p2p_sheriff.rules.law import full_hand
from p2p_sheriff.rules.refusals import NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import AskReorder, DealAround, DealHands, Peek, RearrangeZone, ShuffleAll, TurnUp

TURNED_UP = 5
"""Cards that begin each discard pile of the first edition (rule 2.4), and that a reshuffle leaves on it (rule 9.1)."""


def with_fresh(state: State, handles: Sequence[Handle]) -> State:
    """Take note of new handles. Raises NotDemanded if one of them is not new."""
    if len(set(handles)) != len(handles) or any(handle < state.next_handle for handle in handles):
        raise NotDemanded("A card that moves unseen gets a new handle, never one that was in use before.")
    return state.but(next_handle=max(handles) + 1) if handles else state


def on_shuffled(state: State, fact: Shuffled) -> State:
    if not isinstance(state.todo[0], ShuffleAll) or fact.cards != state.setup.cards:
        raise NotDemanded("This is not the time to shuffle all goods, or not all of them were shuffled.")
    return state.done().but(deck=fact.cards - state.setup.missing)


def on_redealt(state: State, fact: Redealt) -> State:
    if not isinstance(state.todo[0], DealAround) or fact.cards != state.deck:
        raise NotDemanded(f"The deck is not to be dealt anew, or not with {fact.cards} cards.")
    return state.done()


# -- hands


def dealing(state: State, step: DealHands) -> tuple[Demand, ...]:
    """Say what a deal needs next: draws in this order as far as the deck goes, or a reshuffle."""
    draws = []
    deck = state.deck
    for seat in step.seats:
        need = _size(state, step) - len(state[seat].hand)
        count = min(need, deck)
        if count > 0:
            draws.append(Draw(seat, count))
            deck -= count
        if count < need:
            break
    return tuple(draws) or (Reshuffle(reshuffled_handles(state)),)


def _size(state: State, step: DealHands) -> int:
    return full_hand(state) if step.size is None else step.size


def deal_hands(state: State, step: DealHands) -> State | None:
    """Go on to the next hand that is not full; when none is left, or no card, have the hands rearranged (rule 9.2)."""
    seats = step.seats
    while seats and len(state[seats[0]].hand) >= _size(state, step):
        seats = seats[1:]
    if seats and (state.deck or reshuffled_handles(state)):
        return None if seats == step.seats else state.done(replace(step, seats=seats))
    return state.done(*(RearrangeZone(seat, Zone.HAND) for seat in step.changed))


def on_drawn(state: State, fact: Drawn) -> State:
    match state.todo[0]:
        case DealHands() as step:
            if dealing(state, step)[0] != Draw(fact.seat, len(fact.handles)):
                raise NotDemanded(f"Seat {fact.seat} does not draw {len(fact.handles)} cards now.")
            changed = step.changed if fact.seat in step.changed else (*step.changed, fact.seat)
            state = with_fresh(state, fact.handles).done(replace(step, changed=changed))
            hand = state[fact.seat].hand + fact.handles
            return state.with_player(fact.seat, hand=hand).but(deck=state.deck - len(fact.handles))
        case Peek(seat, count):
            if fact != Drawn(seat, fact.handles) or len(fact.handles) != count:
                raise NotDemanded(f"Seat {seat} looks at {count} cards of the deck now.")
            state = with_fresh(state, fact.handles).but(deck=state.deck - count)
            return state.done(RearrangeZone(seat, Zone.PEEKED), AskReorder(seat)).with_player(seat, peeked=fact.handles)
        case TurnUp(handles=()):
            if (fact.seat, len(fact.handles)) != (turner(state), 2 * TURNED_UP):
                raise NotDemanded("The first sheriff turns up ten cards for the discard piles.")
            state = with_fresh(state, fact.handles).done(TurnUp(fact.handles))
            return state.but(deck=state.deck - len(fact.handles))
        case _:
            raise NotDemanded("Nobody draws now.")


def reshuffled_handles(state: State) -> tuple[Handle, ...]:
    """Return the discards that become the new deck when the old one is empty (rule 9.1)."""
    if state.setup.two_piles:
        return tuple(card.handle for pile in state.piles for card in pile[:-TURNED_UP])
    return tuple(card.handle for card in state.piles[0])


def on_reshuffled(state: State, fact: Reshuffled) -> State:
    match state.todo[0]:
        case DealHands() if not state.deck and fact.cards == len(reshuffled_handles(state)):
            left = tuple(pile[-TURNED_UP:] for pile in state.piles) if state.setup.two_piles else ((),)
            return state.but(deck=fact.cards, piles=left)
        case _:
            raise NotDemanded("The discards are not to be reshuffled now, or not so many.")


# -- the first discard piles


def turner(state: State) -> Seat:
    """Return who turns up the first discards, and counts as their discarder: the first sheriff, or who follows."""
    return state.lead if not state[state.lead].out else state.clockwise_after(state.lead)[0]


def on_turned_up(state: State, step: TurnUp, fact: Shown) -> State:
    if fact.seat != turner(state) or sorted(handle for handle, _ in fact.cards) != sorted(step.handles):
        raise NotDemanded("The first sheriff shows the ten cards that were turned up.")
    kinds = dict(fact.cards)
    cards = [Card(handle, kinds[handle], fact.seat) for handle in step.handles]
    return state.done().but(piles=(tuple(cards[:TURNED_UP]), tuple(cards[TURNED_UP:])))


# -- hidden zones


def rearrange_zone(state: State, step: RearrangeZone) -> State | None:
    """Skip it if nothing lies there: the only card was to come from somebody who has left (rule 19.4)."""
    return None if state.hidden_in(step.seat, step.zone) else state.done()


def on_rearranged(state: State, fact: Rearranged) -> State:
    step = RearrangeZone(fact.seat, fact.zone)
    if step not in state.front() or len(fact.handles) != len(state.hidden_in(fact.seat, fact.zone)):
        raise NotDemanded(f"Seat {fact.seat} does not rearrange {len(fact.handles)} cards there now.")
    state = with_fresh(state, fact.handles).without(step)
    return state.with_player(fact.seat, **{_REARRANGED[fact.zone]: fact.handles})


_REARRANGED: Final = {Zone.HAND: "hand", Zone.STACK: "stack", Zone.MEN: "men", Zone.PEEKED: "peeked"}
"""Where a player keeps the hidden cards of a zone."""
