"""The inspect phase: the sheriff's acts, the deputies' words, the clock (rules 7.1, 7.6, 10.3, 10.4 and 12.2)."""

from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.deals import bribe_for_passing, close, say
from p2p_sheriff.rules.moves import Act, Alone, Confirm, Inspect, Pass, Stance, Verb
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed
from p2p_sheriff.rules.setup import Edition
from p2p_sheriff.rules.state import Bag, DeputyStance, State
from p2p_sheriff.rules.steps import AskTrade, Begin, MixLoot, Negotiate, ShareOut
from p2p_sheriff.rules.turns import check_phase, check_seat
from p2p_sheriff.rules.verdicts import decided, inspecting, pass_all, passing


def begin_inspect(state: State) -> State:
    """Begin the phase; in the first edition with trades at the black market, in seat order (rule 13.2)."""
    first = state.setup.edition is Edition.FIRST
    trades = tuple(AskTrade(seat) for seat in state.merchants) if first else ()
    return state.done(*trades, Negotiate()).but(phase=Phase.INSPECT)


def negotiate(state: State, _step: Negotiate) -> State | None:
    """Wait for the officers until no bag is left (rule 8.1); if none of them is, the bags pass (rule 19.4)."""
    if not state.closed_bags:
        return state.done(MixLoot(), ShareOut(), Begin(Phase.END_OF_ROUND)).but(offers=())
    if not state.officers:
        state, steps = pass_all(state)
        return state.push(*steps)
    return None


def time_is_up(state: State) -> State:
    """Let what is under way end, and every bag not yet dealt with pass (rule 12.2)."""
    state, steps = pass_all(state)
    where = state.todo.index(Negotiate())
    return state.but(todo=state.todo[:where] + steps + state.todo[where:])


# -- who may do what


def may_act(state: State, seat: Seat, bag: Seat) -> bool:
    """Whether this seat decides alone about the bag: the sheriff, or the deputy who acts alone (7.1 and 10.3)."""
    if bag not in state.closed_bags or seat not in state.officers:
        return False
    return len(state.officers) == 1 or state.bag_of(bag).alone == seat


def deciders(state: State) -> tuple[Seat, ...]:
    """Return the officers who still have a say about some bag."""
    alone = [state.bag_of(bag).alone for bag in state.closed_bags]
    return tuple(officer for officer in state.officers if any(one in (None, officer) for one in alone))


def is_bound_to(state: State, seat: Seat, bag: Seat) -> Verb | None:
    """Return what a deal has bound this officer to do with the bag (rule 7.6)."""
    stance = state.bag_of(bag).stance(seat)
    return stance.verb if stance and stance.fixed else None


def may_pass(state: State, seat: Seat, bag: Seat) -> bool:
    """Whether this seat may let the bag pass by itself."""
    return may_act(state, seat, bag) and is_bound_to(state, seat, bag) is not Verb.INSPECT


def may_inspect(state: State, seat: Seat, bag: Seat) -> bool:
    """Whether this seat may inspect the bag by itself."""
    return may_act(state, seat, bag) and is_bound_to(state, seat, bag) is not Verb.PASS


def _check_act(state: State, seat: Seat, bag: Seat, verb: Verb) -> None:
    _check_open_to_officers(state, seat, bag)
    if not may_act(state, seat, bag):
        raise NotAllowed("10.3", "refusals.act_both", seat)
    if is_bound_to(state, seat, bag) not in (None, verb):
        raise NotAllowed("7.6", "refusals.act_bribed", seat)


def _check_open_to_officers(state: State, seat: Seat, bag: Seat) -> None:
    check_phase(state, Phase.INSPECT, seat)
    check_seat(state, bag)
    if not isinstance(state.todo[0], Negotiate):
        raise NotAllowed("7.1", "refusals.act_wait", seat)
    if seat not in state.officers:
        raise NotAllowed("7.1", "refusals.act_sheriff", seat)
    if bag not in state.closed_bags:
        raise NotAllowed("7.1", "refusals.act_done", seat)


# -- the sheriff, or a deputy alone


def on_pass(state: State, move: Pass) -> State:
    _check_act(state, move.seat, move.bag, Verb.PASS)
    return _let_pass(state, move.bag, (move.seat,), for_nothing=move.for_nothing)


def _let_pass(state: State, bag: Seat, officers: tuple[Seat, ...], *, for_nothing: bool) -> State:
    offer = None if for_nothing else bribe_for_passing(state, bag, officers)
    if offer:
        return close(state, offer)
    return decided(state, bag, Verb.PASS).push(*passing(bag))


def on_inspect(state: State, move: Inspect) -> State:
    _check_act(state, move.seat, move.bag, Verb.INSPECT)
    return decided(state, move.bag, Verb.INSPECT).push(*inspecting(move.bag, (move.seat,)))


# -- two deputies


def _shared_bag(state: State, seat: Seat, bag: Seat) -> Bag:
    """Return a bag about which both deputies still have a say."""
    _check_open_to_officers(state, seat, bag)
    if len(state.officers) != 2:
        raise NotAllowed("10.4", "refusals.deputies_one", seat)
    shared = state.bag_of(bag)
    if shared.alone is not None:
        raise NotAllowed("10.4", "refusals.deputies_alone", seat)
    return shared


def on_stance(state: State, move: Stance) -> State:
    _shared_bag(state, move.seat, move.bag)
    if is_bound_to(state, move.seat, move.bag):
        raise NotAllowed("10.4", "refusals.deputies_fixed", move.seat)
    return say(state, move.seat, Act(move.bag, move.verb))


def on_confirm(state: State, move: Confirm) -> State:
    bag = _shared_bag(state, move.seat, move.bag)
    own, other = _both_stances(state, bag, move.seat)
    if own is None or other is None or own.verb is not other.verb:
        raise NotAllowed("10.4", "refusals.deputies_nothing", move.seat)
    if own.confirmed:
        raise NotAllowed("10.4", "refusals.deputies_again", move.seat)
    own = DeputyStance(own.seat, own.verb, own.fixed, confirmed=True, for_nothing=move.for_nothing)
    if not other.confirmed:
        return state.with_bag(move.bag, stances=(other, own))
    if own.verb is Verb.INSPECT:
        return decided(state, move.bag, Verb.INSPECT).push(*inspecting(move.bag, state.officers))
    return _let_pass(state, move.bag, state.officers, for_nothing=own.for_nothing or other.for_nothing)


def _both_stances(state: State, bag: Bag, seat: Seat) -> tuple[DeputyStance | None, DeputyStance | None]:
    other = next(officer for officer in state.officers if officer != seat)
    return bag.stance(seat), bag.stance(other)


def may_go_alone(state: State, seat: Seat, bag: Seat) -> bool:
    """Whether the deputies differ about the bag, and this is the one who wants to open it (rule 10.3)."""
    own, other = _both_stances(state, state.bag_of(bag), seat)
    return own is not None and other is not None and (own.verb, other.verb) == (Verb.INSPECT, Verb.PASS)


def on_alone(state: State, move: Alone) -> State:
    _shared_bag(state, move.seat, move.bag)
    if not may_go_alone(state, move.seat, move.bag):
        raise NotAllowed("10.3", "refusals.deputies_opener", move.seat)
    return state.with_bag(move.bag, alone=move.seat)
