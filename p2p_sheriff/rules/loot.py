"""The Loot of the deputies (rules 10.3, 10.5 and 10.6)."""

from p2p_sheriff.rules.cards import LOOT, Card, Handle, Kind, Seat, Zone
from p2p_sheriff.rules.deck import with_fresh
from p2p_sheriff.rules.demands import Demand, Give, Show
from p2p_sheriff.rules.facts import Given, Rearranged, Shown
from p2p_sheriff.rules.gifts import check_given
from p2p_sheriff.rules.market import onto_pile
from p2p_sheriff.rules.moves import PickLoot, ShareLoot, Split
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove, NotDemanded
from p2p_sheriff.rules.state import Loot, LootCard, State
from p2p_sheriff.rules.steps import DiscardLast, GiveCards, MixLoot, PickTurn, ShareOut

# -- before anybody chooses from it


def mix_loot(state: State, _step: MixLoot) -> State | None:
    """Wait until both deputies have mixed what lies face down; a single card can't be taken for another one."""
    return None if len(state.officers) == 2 and len(state.loot.face_down) > 1 else state.done()


def on_mixed(state: State, fact: Rearranged) -> State:
    """Lay the cards anew: neither deputy alone knows where one has gone, nor does who gave it (rule 10.6)."""
    loot = state.loot
    is_due = isinstance(state.todo[0], MixLoot) and fact.seat == state.officers[0]
    if not is_due or len(fact.handles) != len(loot.face_down):
        raise NotDemanded(f"Seat {fact.seat} does not mix {len(fact.handles)} cards of the Loot now.")
    face_up = tuple(card for card in loot.cards if card.kind is not None)
    face_down = tuple(LootCard(handle, None) for handle in fact.handles)
    state = with_fresh(state, fact.handles).done()
    return state.but(loot=Loot(loot.gold, face_up + face_down, loot.prizes))


# -- sharing


def share_out(state: State, _step: ShareOut) -> State | None:
    """Share the Loot at the end of the inspect phase, if there is any (rule 10.5)."""
    if not state.loot:
        return state.done()
    return leave_to_the_last(state.done()) if len(state.officers) < 2 else None


def sharer(state: State, step: ShareOut) -> Seat:
    """Return who has to speak: the first-drawn deputy proposes, the other one answers."""
    return state.officers[0 if step.proposal is None else 1]


def leave_to_the_last(state: State) -> State:
    """Give what is left to the deputy who finishes alone, or to the bank (rule 19.4)."""
    loot = state.loot
    state = state.but(loot=Loot())
    if not state.officers:
        return state.but(bank=state.bank + loot.gold)
    deputy = state[state.officers[0]]
    return state.with_player(state.officers[0], gold=deputy.gold + loot.gold, prizes=deputy.prizes + loot.prizes)


def on_share_loot(state: State, move: ShareLoot) -> State:
    step = state.todo[0]
    if not isinstance(step, ShareOut) or move.seat != sharer(state, step):
        raise NotAllowed("10.5", "refusals.loot_share", move.seat)
    if move.split is None:
        return _evenly(state.done())
    split = Split(move.split.gold, tuple(sorted(move.split.cards)), tuple(sorted(move.split.prizes)))
    handles = {card.handle for card in state.loot.cards}
    if len(set(split.cards)) != len(split.cards) or not set(split.cards) <= handles:
        raise NotAMove("refusals.loot_cards")
    if len(set(split.prizes)) != len(split.prizes) or not set(split.prizes) <= set(state.loot.prizes):
        raise NotAMove("refusals.loot_prizes")
    if not 0 <= split.gold <= state.loot.gold:
        raise NotAllowed("10.5", "refusals.loot_gold", move.seat, n=state.loot.gold)
    if step.proposal is None:
        return state.done(ShareOut(split))
    if split != step.proposal:
        raise NotAllowed("10.5", "refusals.loot_answer", move.seat)
    return _as_agreed(state.done(), split)


def _as_agreed(state: State, split: Split) -> State:
    first, second = state.officers
    loot = state.loot
    state = _take_gold(state, split.gold, loot.gold - split.gold)
    for name in loot.prizes:
        state = take_prize(state, first if name in split.prizes else second, name)
    rest = tuple(card.handle for card in loot.cards if card.handle not in split.cards)
    gifts = []
    if split.cards:
        gifts.append(GiveCards(second, first, Zone.LOOT, split.cards))
    if rest:
        gifts.append(GiveCards(first, second, Zone.LOOT, rest))
    return state.push(*gifts)


def _evenly(state: State) -> State:
    """Halve the gold, an odd coin to the bank; the cards are picked in turn (rule 10.5)."""
    half, odd = divmod(state.loot.gold, 2)
    state = _take_gold(state, half, half)
    return state.but(bank=state.bank + odd).push(PickTurn(state.officers[0]))


def _take_gold(state: State, to_first: int, to_second: int) -> State:
    first, second = state.officers
    state = state.with_player(first, gold=state[first].gold + to_first)
    state = state.with_player(second, gold=state[second].gold + to_second)
    return state.but(loot=Loot(0, state.loot.cards, state.loot.prizes))


def take_prize(state: State, seat: Seat, name: Kind) -> State:
    loot = state.loot
    state = state.but(loot=Loot(loot.gold, loot.cards, tuple(other for other in loot.prizes if other != name)))
    return state.with_player(seat, prizes=(*state[seat].prizes, name))


# -- picking in turn


def loot_items(state: State) -> tuple[Handle | Kind, ...]:
    """Return what can be picked: cards by handle, black-market cards by name."""
    return tuple(card.handle for card in state.loot.cards) + state.loot.prizes


def pick_turn(state: State, step: PickTurn) -> State | None:
    """End the picking when nothing is left, or one odd card (rule 10.5)."""
    items = loot_items(state)
    if not items:
        return state.done()
    if len(items) > 1:
        return None
    if step.seat != state.officers[0]:
        return _pick(state.done(), step.seat, items[0])
    if state.loot.cards:
        return state.done(DiscardLast(step.seat))
    # An odd black-market card is no part of the deck: it leaves the game.
    return state.done().but(loot=Loot())


def on_pick_loot(state: State, move: PickLoot) -> State:
    if state.todo[0] != PickTurn(move.seat):
        raise NotAllowed("10.5", "refusals.loot_turn", move.seat)
    if move.item not in loot_items(state):
        raise NotAMove("refusals.loot_item")
    return _pick(state.done(PickTurn(_other(state, move.seat))), move.seat, move.item)


def _other(state: State, seat: Seat) -> Seat:
    first, second = state.officers
    return second if seat == first else first


def _pick(state: State, seat: Seat, item: Handle | Kind) -> State:
    if isinstance(item, str):
        return take_prize(state, seat, item)
    return state.push(GiveCards(_other(state, seat), seat, Zone.LOOT, (item,)))


# -- the odd last card


def discarding_last(state: State, step: DiscardLast) -> Demand:
    if step.handle is None:
        return Give(_other(state, step.seat), step.seat, (step.seat,), (state.loot.cards[0].handle,))
    return Show(step.seat, (step.handle,))


def on_last_given(state: State, step: DiscardLast, fact: Given) -> State:
    card = state.loot.cards[0]
    state = check_given(state, fact, _other(state, step.seat), step.seat, (card.handle,)).but(loot=Loot())
    new = fact.handles[0][1]
    if card.kind is None:
        return state.done(DiscardLast(step.seat, new))
    return onto_pile(state.done(), 0, (Card(new, card.kind, step.seat),))


def on_last_shown(state: State, step: DiscardLast, fact: Shown) -> State:
    if fact.seat != step.seat or [handle for handle, _ in fact.cards] != [step.handle]:
        raise NotDemanded("The odd last card of the Loot is shown.")
    handle, kind = fact.cards[0]
    return onto_pile(state.done(), 0, (Card(handle, kind, step.seat),))


def heir(state: State) -> Seat | None:
    """Return who receives in place of the Loot: it itself while there are two deputies, then the one who is left."""
    if len(state.officers) == 2:
        return LOOT
    return state.officers[0] if state.officers else None
