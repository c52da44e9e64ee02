"""Bags that are passed or inspected (rules 7.10 to 7.13 and 10.3)."""

from p2p_sheriff.rules import steps
from p2p_sheriff.rules.cards import Card, Goods, Handle, Seat, Zone, receiver_of
from p2p_sheriff.rules.demands import ShowKinds
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.gifts import checked_handles, from_bank, pay_gold, still_missing, take_along
from p2p_sheriff.rules.law import banned, contraband_kinds, fine_of, heavier, is_legal_good, lie_fine, reward
from p2p_sheriff.rules.market import onto_pile
from p2p_sheriff.rules.modules.merry_men import caught, man_of
from p2p_sheriff.rules.moves import Condition, Verb
from p2p_sheriff.rules.refusals import NotDemanded
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import Step


def decided(state: State, bag: Seat, verb: Verb) -> State:
    """Settle what is done with a bag: offers about it are off, and nothing takes it back (rule 7.2)."""
    offers = tuple(standing for standing in state.offers if bag not in standing.offer.bags)
    return state.with_bag(bag, fate=verb, stances=()).but(acts=(*state.acts, verb)).with_offers(offers)


def passing(bag: Seat, receiver: Seat | None = None, owed: Goods = (), blind: int = 0) -> tuple[Step, ...]:
    """Say what has to be done for a bag to pass, goods promised out of it included: in the order of rule 14.3."""
    shown = steps.OpenBag(bag), steps.UnveilMan(bag), steps.ShowPassing(bag, receiver, owed, blind)
    settled = steps.Unpack(bag), steps.PayToll(bag), steps.ManArrives(bag), steps.AskTrade(bag)
    return *shown, steps.AskOrders(bag), *settled


def inspecting(bag: Seat, officers: tuple[Seat, ...], *sureties: steps.PaySurety) -> tuple[Step, ...]:
    """Say what has to be done for a bag to be inspected by these officers; a surety is due before the fine (7.5)."""
    shown = steps.OpenBag(bag), steps.UnveilMan(bag), steps.ShowBag(bag)
    return *shown, *sureties, steps.Judge(bag, officers), steps.AskTrade(bag)


def pass_all(state: State) -> tuple[State, tuple[Step, ...]]:
    """Let every bag not yet dealt with pass, from the sheriff's left on; no bribe is due for it (12.2 and 19.4)."""
    due: tuple[Step, ...] = ()
    for bag in state.closed_bags:
        state = decided(state, bag, Verb.PASS)
        due += passing(bag)
    return state, due


# -- a bag passes


def unpacking(state: State, step: steps.ShowPassing) -> ShowKinds:
    hidden = contraband_kinds(state)
    legal = tuple(good.kind for good in state.setup.goods if good.kind not in hidden)
    owed = tuple((kind, count) for kind, count in step.owed if kind in hidden)
    return ShowKinds(step.seat, state.bag_of(step.seat).handles, legal, owed)


def on_passing_shown(state: State, step: steps.ShowPassing, fact: Shown) -> State:
    """Take the legal goods and what exists of the goods promised by kind; the rest must be proved (7.8 and 7.10)."""
    bag = state.bag_of(step.seat)
    handles = checked_handles(fact, step.seat, bag.handles)
    demand = unpacking(state, step)
    contraband = Shown(fact.seat, tuple(claim for claim in fact.cards if claim[1] not in demand.all_of))
    denied = [kind for kind, _ in still_missing(demand.owed, contraband)]
    rest = tuple(handle for handle in bag.handles if handle not in handles)
    shown = tuple(Card(handle, kind, step.seat) for handle, kind in fact.cards)
    smuggled = len(bag.handles) - sum(card.kind in demand.all_of for card in shown)
    state = state.with_bag(step.seat, handles=rest, shown=shown, smuggled=smuggled)
    due: tuple[Step, ...] = ()
    if rest:
        kinds = tuple(kind for kind in contraband_kinds(state) if kind not in denied)
        due = (steps.ProveRest(step.seat, rest, kinds),)
    if step.receiver is not None:
        owed = _first_of_each(shown, step.owed)
        due += (steps.AskHandOver(step.seat, step.receiver, Zone.BAG, rest, min(step.blind, len(rest)), owed),)
    return state.done(*due)


def _first_of_each(cards: tuple[Card, ...], owed: Goods) -> tuple[Handle, ...]:
    handles: list[Handle] = []
    for kind, count in owed:
        handles += [card.handle for card in cards if card.kind == kind][:count]
    return tuple(handles)


def unpack(state: State, step: steps.Unpack) -> State:
    """Put what is left in a bag that has passed onto its owner's stall: legal goods face up, others not (rule 7.10)."""
    bag, player = state.bag_of(step.seat), state[step.seat]
    legal = tuple(card for card in bag.shown if is_legal_good(state, card.kind))
    hidden = bag.handles + tuple(card.handle for card in bag.shown if card not in legal)
    state = state.done(*([steps.RearrangeZone(step.seat, Zone.STACK)] if hidden else []))
    state = state.with_player(step.seat, stall=player.stall + legal, stack=player.stack + hidden)
    state = take_along(state, step.seat, banned(state)) if hidden else state
    return state.with_bag(step.seat, handles=(), shown=())


# -- a bag is inspected


def on_bag_shown(state: State, step: steps.ShowBag, fact: Shown) -> State:
    handles = state.bag_of(step.seat).handles
    if sorted(checked_handles(fact, step.seat, handles)) != list(handles):
        raise NotDemanded("Everything in an inspected bag is shown (rule 7.11).")
    kinds = dict(fact.cards)
    shown = tuple(Card(handle, kinds[handle], step.seat) for handle in handles)
    return state.done().with_bag(step.seat, handles=(), shown=shown)


def pay_surety(state: State, step: steps.PaySurety) -> State:
    """Have a surety paid if the bag, which lies open, is found as it was pledged (rule 7.5)."""
    bag = state.bag_of(step.seat)
    is_true = bag.man is None and all(card.kind == bag.kind for card in bag.shown)
    if is_true is (step.condition is Condition.IF_TRUE):
        state = pay_gold(state, step.giver, step.receiver, step.gold)
    return state.done()


def judge(state: State, step: steps.Judge) -> State:
    """Find an inspected bag true or a lie, and have the fines paid."""
    bag, player = state.bag_of(step.seat), state[step.seat]
    declared = tuple(card for card in bag.shown if card.kind == bag.kind)
    confiscated = tuple(card for card in bag.shown if card.kind != bag.kind)
    state = state.done().with_player(step.seat, stall=player.stall + declared).with_bag(step.seat, shown=confiscated)
    if not confiscated and bag.man is None:
        state = from_bank(state, step.seat, reward(state) * len(declared))
        return _fine_officers(state, step, sum(fine_of(state, card.kind) for card in declared))
    fine = sum(lie_fine(state, card.kind) for card in confiscated)
    fine += man_of(state, step.seat).fine + heavier(state) if bag.man is not None else 0
    state = state.but(confiscated=state.confiscated + tuple(card.handle for card in confiscated))
    state, due = caught(state, step.seat)
    if step.officers:
        state, fine = halved(state, step.seat, fine)
        due = (steps.Debt(step.seat, receiver_of(step.officers), fine), *due)
    if state.setup.two_piles and step.officers and confiscated:
        return state.push(steps.AskLayDown(step.officers[0], step.seat), *due)
    return onto_pile(state.with_bag(step.seat, shown=()), 0, confiscated).push(*due)


def _fine_officers(state: State, step: steps.Judge, amount: int) -> State:
    """Have a true bag paid for: by the one who opened it, or half by each deputy, an odd coin by the first (10.3)."""
    share, odd = divmod(amount, max(1, len(step.officers)))
    due = []
    for index, officer in enumerate(step.officers):
        state, fine = halved(state, officer, share + (odd if index == 0 else 0))
        due.append(steps.Debt(officer, step.seat, fine))
    return state.push(*due)


def halved(state: State, seat: Seat, fine: int) -> tuple[State, int]:
    """Halve a fine, rounded up, if the widow's son stands for it: once (rules 15.5 and 16.7)."""
    if not fine or not state[seat].halves:
        return state, fine
    return state.with_player(seat, halves=False), (fine + 1) // 2
