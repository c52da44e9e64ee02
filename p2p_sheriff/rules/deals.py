"""Offers and deals (rules 7.3 to 7.9 and 10.4)."""

from collections import Counter
from collections.abc import Iterator, Sequence

from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules.cards import Handle, Kind, Seat, Zone, receiver_of
from p2p_sheriff.rules.gifts import give_prizes, pay_gold
from p2p_sheriff.rules.law import breaks_duty, in_force, stack_kinds
from p2p_sheriff.rules.modules.law_cards import NoCoin
from p2p_sheriff.rules.moves import NOTHING, Accept, Act, Gift, Offer, OfferName, Refuse, Things, Verb, Withdraw
from p2p_sheriff.rules.phases import Phase
from p2p_sheriff.rules.refusals import NotAllowed, NotAMove
from p2p_sheriff.rules.stalls import cards_of, check_goods, open_goods
from p2p_sheriff.rules.state import DeputyStance, Standing, State
from p2p_sheriff.rules.steps import GiveCards, Negotiate, PaySurety, ShowOwed, Step
from p2p_sheriff.rules.turns import check_phase
from p2p_sheriff.rules.verdicts import decided, inspecting, passing

MAX_PROMISE_CHARACTERS = 200
"""Room for a sentence or two: words are kept by every node."""
MAX_OFFER_NUMBER = 2**53
"""Numbers only have to differ; this keeps them exact in every language that may read a transcript."""


# -- making and taking back


def on_offer(state: State, move: Offer) -> State:
    check_form(state, move)
    check_phase(state, Phase.INSPECT, move.seat)
    if not state.closed_bags:
        raise NotAllowed("7.2", "refusals.offer_no_bags", move.seat)
    if (move.seat, move.number) in state.offered:
        raise NotAllowed("7.4", "refusals.offer_number", move.seat)
    check_offer(state, move, move.seat)
    numbers = list(state.offer_numbers)
    numbers[move.seat] = max(move.number, numbers[move.seat])
    others = tuple(standing for standing in state.offers if subject_of(standing.offer) != subject_of(move))
    offered = state.offered | {(move.seat, move.number)}
    state = state.but(offer_numbers=tuple(numbers), offered=offered)
    return state.with_offers((*others, Standing(move)))


def subject_of(offer: Offer) -> tuple[Seat, frozenset[Seat], frozenset[Seat]]:
    """Return what two offers must have in common for the new one to replace the old one (rule 7.4)."""
    return offer.seat, frozenset(offer.parties), offer.bags


def on_withdraw(state: State, move: Withdraw) -> State:
    standing = find_offer(state, move.seat, move.number)
    if standing is None:
        raise NotAllowed("7.4", "refusals.offer_own_gone", move.seat)
    return state.with_offers(other for other in state.offers if other is not standing)


def may_refuse(seat: Seat, offer: Offer) -> bool:
    """Whether this seat is one of those whose refusal ends the offer: its author withdraws it (rule 7.4)."""
    return seat != offer.seat and seat in offer.parties


def on_refuse(state: State, move: Refuse) -> State:
    standing = find_offer(state, move.author, move.number)
    if standing is None:
        raise NotAllowed("7.4", "refusals.accept_gone", move.seat)
    if not may_refuse(move.seat, standing.offer):
        raise NotAllowed("7.4", "refusals.refuse_other_side", move.seat)
    return state.with_offers(other for other in state.offers if other is not standing)


def find_offer(state: State, author: Seat, number: int) -> Standing | None:
    """Return the standing offer that its author has numbered so."""
    return next((it for it in state.offers if it.offer.name == (author, number)), None)


# -- what may be offered


def check_form(state: State, offer: Offer) -> None:
    """Raise NotAMove if the offer means nothing: unknown seats or goods, numbers below nothing, things said twice."""
    for gift in offer.gifts:
        things = gift.things
        for goods in (things.stall, things.stack, things.bag):
            check_goods(state, goods)
        if min(things.gold, things.stack_blind, things.bag_blind) < 0:
            raise NotAMove("refusals.offer_below_nothing")
    if len(offer.promise) > MAX_PROMISE_CHARACTERS:
        raise NotAMove("refusals.offer_promise", n=MAX_PROMISE_CHARACTERS)
    if not 0 <= offer.number <= MAX_OFFER_NUMBER:
        raise NotAMove("refusals.offer_whole_number")
    if len(offer.bags) != len(offer.acts):
        raise NotAMove("refusals.offer_bags")
    given = [(gift.giver, gift.receiver) for gift in offer.gifts if gift.condition is None]
    if len(set(given)) != len(given):
        raise NotAMove("refusals.offer_twice")
    if not {*offer.parties, *(gift.giver for gift in offer.gifts), *offer.bags} <= set(state.setup.seats):
        raise NotAMove("refusals.offer_seat")


def check_offer(state: State, offer: Offer, seat: Seat) -> None:
    """Check that the deal could be closed now: refused when made and again when closed (rule 7.5).

    Raises NotAllowed, addressed to `seat`.
    """
    if problem := problem_with(state, offer):
        raise NotAllowed(*problem, seat)


def problem_with(state: State, offer: Offer) -> tuple[str, Phrase] | None:
    """Return the rule and the phrase that stand against closing this deal now, or None."""
    if offer.officers not in addressees(state):
        return "7.4", Phrase("refusals.offer_to")
    if problem := _problem_with_gifts(state, offer):
        return problem
    if offer.seat not in offer.parties:
        return "7.4", Phrase("refusals.offer_sides")
    for act in offer.acts:
        if act.bag not in state.closed_bags:
            return "7.5", Phrase("refusals.act_done")
        if offer.officers != deciding(state, act.bag):
            return "10.4", Phrase("refusals.offer_alone")
    if not offer.acts and offer.officers != state.officers:
        return "10.4", Phrase("refusals.offer_trade")
    return _problem_with_things(state, offer)


def problem_with_closing(state: State, offer: Offer) -> tuple[str, Phrase] | None:
    """Return the same, and what stands against it only when it is closed: the duty to inspect or to let pass (15.6)."""
    if problem := problem_with(state, offer):
        return problem
    return ("15.6", Phrase("refusals.duty")) if breaks_duty(state, offer.acts) else None


def _problem_with_gifts(state: State, offer: Offer) -> tuple[str, Phrase] | None:
    """Say what stands against who gives to whom, and on which condition (rule 7.4)."""
    if all(gift.things == NOTHING for gift in offer.gifts) and not (offer.gifts and offer.acts):
        return "7.4", Phrase("refusals.offer_nothing")
    for gift in offer.gifts:
        if gift.giver not in state.merchants:
            return "7.4", Phrase("refusals.offer_payer")
        if gift.receiver == gift.giver or gift.receiver not in (*state.merchants, receiver_of(offer.officers)):
            return "7.4", Phrase("refusals.offer_receiver")
    sureties = [gift for gift in offer.gifts if gift.condition is not None]
    if sureties and (len(sureties) > 1 or not _may_pledge(offer, sureties[0])):
        return "7.4", Phrase("refusals.offer_surety")
    return None


def _may_pledge(offer: Offer, surety: Gift) -> bool:
    """Whether it is gold for those who act, and the first thing that they do is to inspect a bag (rule 7.4)."""
    is_gold = surety.things.gold > 0 and surety.things == Things(surety.things.gold)
    looks = offer.acts != () and offer.acts[0].verb is Verb.INSPECT
    return is_gold and looks and surety.receiver == receiver_of(offer.officers)


def addressees(state: State) -> tuple[tuple[Seat, ...], ...]:
    """Return with whom deals can be made: the sheriff, or both deputies, or one about the bags of that one (10.4).

    With nobody, if all who were in office have left.
    """
    return tuple(dict.fromkeys(filter(None, (state.officers, *(deciding(state, bag) for bag in state.closed_bags)))))


def deciding(state: State, bag: Seat) -> tuple[Seat, ...]:
    """Return who decides about a bag: the sheriff, both deputies, or the one of them who acts alone (rule 10.4)."""
    alone = state.bag_of(bag).alone
    return state.officers if alone is None else (alone,)


def _problem_with_things(state: State, offer: Offer) -> tuple[str, Phrase] | None:
    """Say what stands against all that each giver gives: it must be there before the deal, surety included (7.5)."""
    if any(gift.things.gold for gift in offer.gifts) and in_force(state, NoCoin):
        return "15.2", Phrase("refusals.offer_no_coin")
    for giver in dict.fromkeys(gift.giver for gift in offer.gifts):
        gifts = [gift.things for gift in offer.gifts if gift.giver == giver]
        if problem := _problem_with_giver(state, giver, gifts):
            return problem
    for gift in offer.gifts:
        if problem := _problem_with_bag_goods(state, offer, gift):
            return problem
    return None


def _problem_with_giver(state: State, giver: Seat, gifts: Sequence[Things]) -> tuple[str, Phrase] | None:
    player, there, stall = state[giver], dict(open_goods(state, giver)), Counter[Kind]()
    for things in gifts:
        stall.update(dict(things.stall))
    if sum(things.gold for things in gifts) > player.gold:
        return "7.3", Phrase("refusals.offer_gold", n=player.gold)
    if any(count > there.get(kind, 0) for kind, count in stall.items()):
        return "7.5", Phrase("refusals.offer_stall")
    if any(kind not in stack_kinds(state, giver) for things in gifts for kind, _ in things.stack):
        return "7.5", Phrase("refusals.offer_stack_kind")
    if sum(things.stack_blind for things in gifts) > len(player.stack):
        return "7.5", Phrase("refusals.offer_stack_blind")
    return None


def bag_goods(state: State, giver: Seat, officers: tuple[Seat, ...]) -> int:
    """Return how many cards of the giver's bag can be promised blind in a deal that passes it (rules 7.5 and 10.4)."""
    bag = state[giver].bag
    if bag is None or giver not in state.closed_bags:
        return 0
    return (bag.count or 0) if officers == deciding(state, giver) else 0


def _problem_with_bag_goods(state: State, offer: Offer, gift: Gift) -> tuple[str, Phrase] | None:
    things = gift.things
    if not things.bag and not things.bag_blind:
        return None
    if Act(gift.giver, Verb.PASS) not in offer.acts:
        return "7.5", Phrase("refusals.offer_bag_pass")
    if gift.receiver != receiver_of(offer.officers):
        return "7.5", Phrase("refusals.offer_bag_to")
    if any(kind in pair for pair in state.setup.black_market for kind, _ in things.bag):
        return "7.5", Phrase("refusals.offer_bag_kind")
    if things.bag_blind > bag_goods(state, gift.giver, offer.officers):
        return "7.5", Phrase("refusals.offer_bag_blind")
    return None


# -- closing


def is_asked(seat: Seat, standing: Standing) -> bool:
    """Whether this seat is one of those whose word the offer still needs."""
    return seat != standing.offer.seat and seat in standing.offer.parties and seat not in standing.accepted


def may_accept(state: State, seat: Seat, standing: Standing) -> bool:
    """Whether the offer still needs this seat's word, and could be closed now."""
    return is_asked(seat, standing) and problem_with_closing(state, standing.offer) is None


def on_accept(state: State, move: Accept) -> State:
    standing = find_offer(state, move.author, move.number)
    if standing is None:
        raise NotAllowed("7.4", "refusals.accept_gone", move.seat)
    offer = standing.offer
    if move.seat == offer.seat or move.seat not in offer.parties:
        raise NotAllowed("7.4", "refusals.accept_other_side", move.seat)
    if move.seat in standing.accepted:
        raise NotAllowed("7.4", "refusals.accept_again", move.seat)
    if not isinstance(state.todo[0], Negotiate):
        raise NotAllowed("7.1", "refusals.act_wait", move.seat)
    if problem := problem_with_closing(state, offer):
        raise NotAllowed(*problem, move.seat)
    accepted = (*standing.accepted, move.seat)
    if {offer.seat, *accepted} >= set(offer.parties):
        return close(state, offer)
    if move.seat in offer.officers and len(offer.officers) == 2 and len(offer.acts) == 1:
        state = say(state, move.seat, offer.acts[0], offer.name)
    return state.but(offers=tuple(Standing(offer, accepted) if it is standing else it for it in state.offers))


def close(state: State, offer: Offer) -> State:
    """Carry out a deal at once: gold, face-up goods, face-down goods, each as named; then the bags in order (7.5)."""
    state = state.with_offers(standing for standing in state.offers if standing.offer != offer)
    due, sureties = [one for one in offer.gifts if one.condition is None], tuple(_sureties(offer))
    for gift in due:
        state = pay_gold(state, gift.giver, gift.receiver, gift.things.gold)
    steps: list[Step] = []
    given: list[Handle] = []
    for gift in due:
        handles, names = cards_of(state, gift.giver, gift.things.stall, given)
        state = give_prizes(state, gift.giver, gift.receiver, names)
        steps += [GiveCards(gift.giver, gift.receiver, Zone.STALL, handles)] if handles else []
        given += handles
    for gift in due:
        if (things := gift.things).stack or things.stack_blind:
            among = state[gift.giver].stack
            steps.append(ShowOwed(gift.giver, gift.receiver, things.stack, things.stack_blind, among))
    from_bags = {gift.giver: gift for gift in due if gift.receiver == receiver_of(offer.officers)}
    for act in offer.acts:
        state = decided(state, act.bag, act.verb)
        if act.verb is Verb.INSPECT:
            steps += inspecting(act.bag, offer.officers, *(one for one in sureties if one.seat == act.bag))
        elif owed := from_bags.get(act.bag):
            steps += passing(act.bag, owed.receiver, owed.things.bag, owed.things.bag_blind)
        else:
            steps += passing(act.bag)
    return state.push(*steps)


def _sureties(offer: Offer) -> Iterator[PaySurety]:
    """Give what will be due when the bag of the first act has been shown (rule 7.4)."""
    for gift in offer.gifts:
        if gift.condition is not None:
            yield PaySurety(offer.acts[0].bag, gift.giver, gift.receiver, gift.things.gold, gift.condition)


def say(state: State, deputy: Seat, act: Act, price: OfferName | None = None) -> State:
    """Take note of what a deputy wants to do with a bag, and for which offer, in place of what was said before (10.4).

    Another offer about that bag alone that this deputy had accepted is not accepted any more.
    """
    bag = state.bag_of(act.bag)
    words = (*(word for word in bag.stances if word.seat != deputy), DeputyStance(deputy, act.verb, price))
    before = bag.stance(deputy)
    if before is not None and before.price is not None:
        state = state.but(offers=tuple(_not_accepted_by(deputy, it, before.price) for it in state.offers))
    return state.with_bag(act.bag, stances=words)


def _not_accepted_by(deputy: Seat, standing: Standing, name: OfferName) -> Standing:
    if standing.offer.name != name:
        return standing
    return Standing(standing.offer, tuple(seat for seat in standing.accepted if seat != deputy))


def own_bribe(state: State, bag: Seat) -> Offer | None:
    """Return the standing offer that letting this bag pass accepts: its owner's own, for this alone (rule 7.6)."""
    for offer in (standing.offer for standing in state.offers):
        is_own = offer.is_bribe and offer.seat == offer.gift.giver == bag and offer.acts == (Act(bag, Verb.PASS),)
        if is_own and offer.officers == deciding(state, bag):
            return offer
    return None


def bribe_for_passing(state: State, bag: Seat) -> Offer | None:
    """Return the own bribe for this bag, if it can be paid."""
    offer = own_bribe(state, bag)
    return None if offer is None or problem_with_closing(state, offer) else offer
