"""The inspect phase: the sheriff's acts, the deputies' words, the clock (rules 7.1, 7.6, 10.3, 10.4 and 12.2)."""

from p2p_sheriff.rules.cards import Seat
from p2p_sheriff.rules.deals import close, deciding, own_bribe, problem_with_closing, say
from p2p_sheriff.rules.law import required_verb
from p2p_sheriff.rules.moves import Act, Apart, Inspect, Pass, Stance, Verb
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed
from p2p_sheriff.rules.setup import Edition
from p2p_sheriff.rules.state import State
from p2p_sheriff.rules.steps import AskTrade, Begin, EndInspection, MixLoot, Negotiate, ShareOut
from p2p_sheriff.rules.turns import check_phase, check_seat
from p2p_sheriff.rules.verdicts import decided, inspecting, pass_all, passing


def begin_inspect(state: State) -> State:
    """Begin the phase; in the first edition with trades at the black market, from the sheriff's left (rule 13.2)."""
    first = state.setup.edition is Edition.FIRST
    trades = tuple(AskTrade(seat) for seat in state.merchants) if first else ()
    return state.done(*trades, Negotiate()).but(phase=Phase.INSPECT, acts=(), confiscated=(), loot_unlawful=())


def negotiate(state: State, _step: Negotiate) -> State | None:
    """Wait for the officers until no bag is left (rule 8.1); if none of them is, the bags pass (rule 19.4)."""
    if not state.closed_bags:
        return state.done(MixLoot(), ShareOut(), EndInspection(), Begin(Phase.END_OF_ROUND)).with_offers(())
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


def owing(state: State) -> tuple[Seat, ...]:
    """Return the officers whose word about some bag is missing; both of two who differ (rule 10.4)."""
    return tuple(officer for officer in state.officers if any(_owes(state, officer, bag) for bag in state.closed_bags))


def _owes(state: State, officer: Seat, bag: Seat) -> bool:
    alone, words = state.bag_of(bag).alone, {word.seat for word in state.bag_of(bag).stances}
    return alone == officer or (alone is None and (officer not in words or len(words) == 2))


def may_do(state: State, bag: Seat, verb: Verb) -> bool:
    """Whether no law demands that something else is done with this bag (rule 15.6)."""
    return required_verb(state, bag) in (None, verb)


def _check_duty(state: State, seat: Seat, bag: Seat, verb: Verb) -> None:
    if not may_do(state, bag, verb):
        raise NotAllowed("15.6", "refusals.duty", seat)


def _check_act(state: State, seat: Seat, bag: Seat, verb: Verb) -> None:
    _check_open_to_officers(state, seat, bag)
    if not may_act(state, seat, bag):
        raise NotAllowed("10.3", "refusals.act_both", seat)
    _check_duty(state, seat, bag, verb)


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
    if move.for_nothing or (offer := own_bribe(state, move.bag)) is None:
        return _done(state, Act(move.bag, Verb.PASS))
    if problem_with_closing(state, offer):
        raise NotAllowed("7.6", "refusals.act_unpaid", move.seat)
    return close(state, offer)


def on_inspect(state: State, move: Inspect) -> State:
    _check_act(state, move.seat, move.bag, Verb.INSPECT)
    return _done(state, Act(move.bag, Verb.INSPECT))


def _done(state: State, act: Act) -> State:
    """Do it for nothing."""
    due = passing(act.bag) if act.verb is Verb.PASS else inspecting(act.bag, deciding(state, act.bag))
    return decided(state, act.bag, act.verb).push(*due)


# -- two deputies


def _check_shared(state: State, seat: Seat, bag: Seat) -> None:
    """Check that both deputies still have a say about the bag."""
    _check_open_to_officers(state, seat, bag)
    if len(state.officers) != 2:
        raise NotAllowed("10.4", "refusals.deputies_one", seat)
    if state.bag_of(bag).alone is not None:
        raise NotAllowed("10.4", "refusals.deputies_alone", seat)


def on_stance(state: State, move: Stance) -> State:
    """Take a deputy's word for nothing; as soon as both say the same, it is done (rule 10.4)."""
    _check_shared(state, move.seat, move.bag)
    _check_duty(state, move.seat, move.bag, move.verb)
    act = Act(move.bag, move.verb)
    state = say(state, move.seat, act)
    words = {(word.verb, word.price) for word in state.bag_of(move.bag).stances}
    both = len(state.bag_of(move.bag).stances) == 2
    return _done(state, act) if both and words == {(move.verb, None)} else state


def opener_of(state: State, bag: Seat) -> Seat | None:
    """Return which deputy wants to open the bag while the other one would let it pass, if it is so (rule 10.4)."""
    by_verb = {word.verb: word.seat for word in state.bag_of(bag).stances}
    return by_verb.get(Verb.INSPECT) if len(by_verb) == 2 else None


def on_apart(state: State, move: Apart) -> State:
    _check_shared(state, move.seat, move.bag)
    opener = opener_of(state, move.bag)
    if opener is None:
        raise NotAllowed("10.4", "refusals.deputies_opener", move.seat)
    offers = (it for it in state.offers if move.bag not in it.offer.bags)
    return state.with_bag(move.bag, alone=opener, stances=()).with_offers(offers)
