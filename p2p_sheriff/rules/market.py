"""The market (section 4)."""

from p2p_sheriff.rules import steps
from p2p_sheriff.rules.cards import Card, Handle, Pack, Seat, Zone
from p2p_sheriff.rules.deck import TURNED_UP
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.law import full_hand, market_limit
from p2p_sheriff.rules.moves import LayDown, NameFirst, SetAside, TakeDiscards
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.turns import check_merchant, check_phase, check_seat


def begin_market(state: State) -> State:
    """Begin the phase: the sheriff names who begins, or, in the first edition, the merchant to the left does (4.1).

    Laws come first (15.1).
    """
    state = state.done().but(phase=Phase.MARKET)
    state = _in_turn(state, state.merchants[0]) if state.setup.two_piles else state.push(steps.AskFirst())
    return state.push(steps.DrawLaws()) if Pack.LAWS in state.setup.packs else state


def _in_turn(state: State, first: Seat) -> State:
    merchants = state.merchants
    start = merchants.index(first)
    turns = tuple(steps.MarketTurn(seat) for seat in merchants[start:] + merchants[:start])
    return state.push(*turns, steps.Gather(), steps.Begin(Phase.LOAD))


def ask_first(state: State, _step: steps.AskFirst) -> State | None:
    """Let the merchant on the left begin if nobody is there to name the first one (rule 19.4)."""
    return None if state.officers else _in_turn(state.done(), state.merchants[0])


def on_name_first(state: State, move: NameFirst) -> State:
    check_phase(state, Phase.MARKET, move.seat)
    check_seat(state, move.merchant)
    if not isinstance(state.todo[0], steps.AskFirst):
        raise NotAllowed("4.1", "refusals.first_not_now", move.seat)
    if move.seat not in state.officers[:1]:
        raise NotAllowed("4.1", "refusals.first_by_sheriff", move.seat)
    if move.merchant not in state.merchants:
        raise NotAllowed("4.1", "refusals.first_is_merchant", move.seat)
    return _in_turn(state.done(), move.merchant)


def on_set_aside(state: State, move: SetAside) -> State:
    check_phase(state, Phase.MARKET, move.seat)
    check_merchant(state, move.seat)
    if state.todo[0] != steps.MarketTurn(move.seat):
        raise NotAllowed("4.1", "refusals.market_turn", move.seat)
    player = state[move.seat]
    if len(set(move.handles)) != len(move.handles) or not set(move.handles) <= set(player.hand):
        raise NotAMove("refusals.aside_cards")
    if len(move.handles) > market_limit(state, move.seat):
        rule = "4.3" if state.setup.two_piles else "4.2"
        raise NotAllowed(rule, "refusals.aside_most", move.seat, n=market_limit(state, move.seat))
    hand = tuple(handle for handle in player.hand if handle not in move.handles)
    state = state.with_player(move.seat, hand=hand, aside=move.handles)
    deal = steps.DealHands((move.seat,))
    if state.setup.two_piles:
        lay_down = [steps.AskLayDown(move.seat, move.seat)] if move.handles else []
        return state.done(steps.AskTake(move.seat), deal, *lay_down)
    return state.done(*([steps.ShowAside(move.seat)] if move.handles else []), deal)


def on_aside_shown(state: State, step: steps.ShowAside, fact: Shown) -> State:
    player = state[step.seat]
    if fact.seat != step.seat or sorted(handle for handle, _ in fact.cards) != sorted(player.aside):
        raise NotDemanded("The cards that were set aside are shown, all of them and no others.")
    kinds = dict(fact.cards)
    cards = tuple(Card(handle, kinds[handle], step.seat) for handle in player.aside)
    if step.pile is None:
        return state.done().with_player(step.seat, aside=(), aside_shown=cards)
    return onto_pile(state.done().with_player(step.seat, aside=()), step.pile, cards)


def gather(state: State, _step: steps.Gather) -> State:
    """Put all cards set aside onto the discard pile: they are there only now (rule 4.2)."""
    state = state.done()
    for seat in state.merchants:
        if cards := state[seat].aside_shown:
            state = onto_pile(state.with_player(seat, aside_shown=()), 0, cards)
    return state


def onto_pile(state: State, pile: int, cards: tuple[Card, ...]) -> State:
    """Lay cards onto a discard pile, the last on top."""
    piles = list(state.piles)
    piles[pile] += cards
    return state.but(piles=tuple(piles))


# -- first edition


def cards_needed(state: State, seat: Seat) -> int:
    """Return how many cards a merchant draws to have a full hand again (rules 4.3 and 4.4)."""
    return full_hand(state) - len(state[seat].hand)


def drawable(state: State) -> int:
    """Return how many cards somebody can draw at most now, from the deck and the discards: a warning (rule 4.4)."""
    return state.deck + sum(map(len, state.piles))


def lacking(state: State, seat: Seat, counts: tuple[int, int]) -> int:
    """Return how many cards the hand will lack after taking so many of each pile: the deck has no more (rule 9.2)."""
    left = sum(max(0, len(pile) - count - TURNED_UP) for pile, count in zip(state.piles, counts, strict=True))
    return max(0, cards_needed(state, seat) - sum(counts) - state.deck - left)


def ask_take(state: State, step: steps.AskTake) -> State | None:
    """Skip the question if there is nothing to take."""
    if cards_needed(state, step.seat) and any(state.piles):
        return None
    return state.done()


def on_take_discards(state: State, move: TakeDiscards) -> State:
    check_phase(state, Phase.MARKET, move.seat)
    check_merchant(state, move.seat)
    if state.todo[0] != steps.AskTake(move.seat):
        raise NotAllowed("4.3", "refusals.take_not_now", move.seat)
    if len(move.counts) != len(state.piles) or min(move.counts) < 0:
        raise NotAMove("refusals.take_numbers")
    if any(count > len(pile) for count, pile in zip(move.counts, state.piles, strict=True)):
        raise NotAllowed("4.3", "refusals.take_too_many", move.seat)
    if sum(move.counts) > cards_needed(state, move.seat):
        raise NotAllowed("4.3", "refusals.take_as_needed", move.seat)
    taken = tuple(
        card for count, pile in zip(move.counts, state.piles, strict=True) for card in pile[len(pile) - count :]
    )
    state = state.done()
    if not taken:
        return state
    own = tuple(card.handle for card in taken if card.keeper == move.seat)
    state = remove_from_piles(state, own).with_player(move.seat, hand=state[move.seat].hand + own)
    keepers = dict.fromkeys(card.keeper for card in taken if card.keeper != move.seat)
    gifts = tuple(
        steps.GiveCards(keeper, move.seat, Zone.PILES, tuple(card.handle for card in taken if card.keeper == keeper))
        for keeper in keepers
    )
    # The next step deals the rest: it must have the hand rearranged even if the deck gives nothing.
    return state.done(*gifts, steps.DealHands((move.seat,), (move.seat,)))


def remove_from_piles(state: State, handles: tuple[Handle, ...]) -> State:
    """Take these cards off the discard piles."""
    if not handles:
        return state
    return state.but(piles=tuple(tuple(card for card in pile if card.handle not in handles) for pile in state.piles))


def on_lay_down(state: State, move: LayDown) -> State:
    step = state.todo[0]
    if not isinstance(step, steps.AskLayDown) or step.seat != move.seat:
        rule = "7.13" if state.phase is Phase.INSPECT else "4.3"
        raise NotAllowed(rule, "refusals.lay_not_now", move.seat)
    if not 0 <= move.pile < len(state.piles):
        raise NotAMove("refusals.lay_no_pile")
    if sorted(move.handles) != sorted(to_lay_down(state, step)):
        raise NotAMove("refusals.lay_all")
    if step.owner == step.seat:
        return state.with_player(step.seat, aside=move.handles).done(steps.ShowAside(step.seat, move.pile))
    return lay_confiscated(state, step, move.pile, move.handles)


def to_lay_down(state: State, step: steps.AskLayDown) -> tuple[Handle, ...]:
    """Return the cards that someone has to lay onto a pile: own set-aside ones, or those confiscated from a bag."""
    if step.owner == step.seat:
        return state[step.seat].aside
    return tuple(card.handle for card in state.bag_of(step.owner).shown)


def ask_lay_down(state: State, step: steps.AskLayDown) -> State | None:
    """Lay confiscated cards onto the first pile if the sheriff who had to choose has left (rule 19.4)."""
    if state[step.seat].out:
        return lay_confiscated(state, step, 0, to_lay_down(state, step))
    return None


def lay_confiscated(state: State, step: steps.AskLayDown, pile: int, handles: tuple[Handle, ...]) -> State:
    cards = {card.handle: card for card in state.bag_of(step.owner).shown}
    state = state.done().with_bag(step.owner, shown=())
    return onto_pile(state, pile, tuple(cards[handle] for handle in handles))
