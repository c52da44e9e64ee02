"""No deal of several parties is closed that one of them has not accepted, altered behind a word, or left unpaid."""

import pytest

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.moves import Accept, Condition, Gift, Inspect, Move, Offer, Pass, Refuse, Things, Verb, Withdraw
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import Act, Heeds, Moves, Negotiates, Takes
from protocol.faults import FaultCode
from tests.table.bargains import waits
from tests.table.tables import (
    FOUR,
    MERCHANT,
    OTHER,
    SHERIFF,
    Net,
    Script,
    assert_caught,
    assert_nobody_is_blamed,
    played,
)
from tests.table.test_several_parties import assert_audited

FOURTH = Seat(3)
OPEN_IT = (Bargain(FOURTH, Verb.INSPECT),)
FIVE, THREE = Gift(MERCHANT, SHERIFF, Things(gold=5)), Gift(OTHER, SHERIFF, Things(gold=3))

FIVE_MORE = Gift(OTHER, SHERIFF, Things(gold=5))


def offer_of(author: Seat, *gifts: Gift, acts: tuple[Bargain, ...] = OPEN_IT, number: int = 0) -> Offer:
    return Offer(author, number, (SHERIFF,), gifts, acts)


def at_the_bags(seed: str, cheat: Seat = SHERIFF, *, is_slow: bool = False) -> Net:
    """Four players, and everything waits for the sheriff; one who is slow leaves undone what the node should do."""
    return played(
        seed,
        cheat,
        scripts=lambda: {SHERIFF: Script(acts=waits)},
        setup=FOUR,
        waits=lambda session: is_slow and bool(session.play.state.closed_bags),
    )


def say(net: Net, *moves: Move) -> Net:
    """Has everybody hear these words, one after the other."""
    for move in moves:
        net.sessions[move.seat].submit(move)
        net.run()
    return net


def gold(net: Net) -> list[int]:
    return [player.gold for player in net.honest[0].play.state.players]


# -- who has not accepted


@pytest.mark.parametrize("forged", [Takes(MERCHANT, 0), Takes(OTHER, 0)])
def test_the_acceptance_of_one_of_two_is_not_passed_off_as_both(forged: Act) -> None:
    net = say(at_the_bags("one of two"), offer_of(SHERIFF, FIVE, THREE), Accept(MERCHANT, SHERIFF, 0))
    net.sessions[OTHER].say("I am thinking.")
    net.run()
    net.cheat.push(forged)
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "accepted offer 0")
    assert gold(net) == [50] * 4


def test_a_deal_that_one_party_has_not_accepted_is_not_closed_by_the_sheriffs_acceptance() -> None:
    net = say(at_the_bags("one missing"), offer_of(MERCHANT, FIVE, THREE), Accept(SHERIFF, MERCHANT, 0))
    assert_nobody_is_blamed(net)
    assert gold(net) == [50] * 4
    net.cheat.push(Heeds(Accept(OTHER, MERCHANT, 0)))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "seat 2 has not said that")


def test_a_bag_is_not_passed_for_what_others_would_have_to_pay() -> None:
    """Letting it pass accepts no offer in which somebody else has a word."""
    passing = (Bargain(MERCHANT, Verb.PASS),)
    net = say(at_the_bags("pass", FOURTH), offer_of(MERCHANT, FIVE, THREE, acts=passing), Pass(SHERIFF, MERCHANT))
    assert_nobody_is_blamed(net)
    assert gold(net) == [50] * 4


# -- what was accepted is that very offer


def test_an_acceptance_of_an_offer_that_never_counted_is_not_one_of_another_with_its_number() -> None:
    """The author spends the gold first, so that the offer is void, and then says another one with the same number."""
    net = at_the_bags("same number", MERCHANT)
    fair = offer_of(MERCHANT, Gift(MERCHANT, SHERIFF, Things(gold=40)), THREE)
    spent = offer_of(MERCHANT, Gift(MERCHANT, SHERIFF, Things(gold=20)), acts=(Bargain(OTHER, Verb.PASS),), number=1)
    say(net, spent)
    net.cheat.whisper(fair)
    offered = net.cheat.outbox.pop()
    net.sessions[OTHER].receive(offered)
    net.sessions[OTHER].submit(Accept(OTHER, MERCHANT, 0))
    accepted = net.sessions[OTHER].outbox.pop()
    say(net, Accept(SHERIFF, MERCHANT, 1))
    net.tell(MERCHANT, offered)
    net.tell(OTHER, accepted)
    unfair = offer_of(MERCHANT, FIVE, Gift(OTHER, SHERIFF, Things(gold=50)))
    net.cheat.whisper(unfair)
    net._flush(MERCHANT)
    net.run()
    (standing,) = net.sessions[SHERIFF].view().state.offers
    assert (standing.offer, standing.accepted) == (unfair, ())
    say(net, Accept(SHERIFF, MERCHANT, 0))
    assert_nobody_is_blamed(net)
    assert gold(net) == [70, 30, 50, 50]
    assert FOURTH in net.honest[0].play.state.closed_bags


def test_an_offer_that_is_replaced_between_two_acceptances_is_not_closed() -> None:
    net = at_the_bags("replaced", MERCHANT)
    say(net, offer_of(MERCHANT, FIVE, THREE), Accept(OTHER, MERCHANT, 0))
    net.cheat.whisper(offer_of(MERCHANT, FIVE, Gift(OTHER, SHERIFF, Things(gold=50)), number=1))
    net._flush(MERCHANT)
    net.run()
    say(net, Accept(SHERIFF, MERCHANT, 1))
    assert_nobody_is_blamed(net)
    assert gold(net) == [50] * 4
    assert FOURTH in net.honest[0].play.state.closed_bags


# -- what all have accepted is done


@pytest.mark.parametrize("move", [Inspect(SHERIFF, FOURTH), Pass(SHERIFF, FOURTH, for_nothing=True)])
def test_the_last_acceptance_of_a_merchants_offer_that_the_sheriff_has_accepted_is_not_ignored(move: Move) -> None:
    net = say(at_the_bags("ignored"), offer_of(MERCHANT, FIVE, THREE), Accept(SHERIFF, MERCHANT, 0))
    net.cheat._waits = lambda _: True
    say(net, Accept(OTHER, MERCHANT, 0))
    net.cheat.push(Moves(move))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")


def test_a_trade_that_all_have_accepted_is_closed_before_anything_else() -> None:
    trade = offer_of(SHERIFF, Gift(MERCHANT, OTHER, Things(gold=5)), acts=())
    net = say(at_the_bags("trade", is_slow=True), trade, Accept(MERCHANT, SHERIFF, 0), Accept(OTHER, SHERIFF, 0))
    net.cheat.push(Moves(Pass(SHERIFF, FOURTH, for_nothing=True)))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")


@pytest.mark.parametrize(
    "word", [Withdraw(SHERIFF, 0), offer_of(SHERIFF, Gift(MERCHANT, OTHER, Things(gold=30)), acts=(), number=1)]
)
def test_a_trade_is_not_taken_back_or_altered_once_all_have_accepted_it(word: Withdraw | Offer) -> None:
    trade = offer_of(SHERIFF, Gift(MERCHANT, OTHER, Things(gold=5)), acts=())
    net = say(at_the_bags("back", is_slow=True), trade, Accept(MERCHANT, SHERIFF, 0), Accept(OTHER, SHERIFF, 0))
    net.cheat.whisper(word)
    net._flush(SHERIFF)
    net.run()
    net.sessions[MERCHANT].say("What?")
    net.sessions[OTHER].say("What?")
    net.run()
    net.cheat.push(Takes(OTHER, 0))
    net.run()
    assert_nobody_is_blamed(net)
    assert gold(net) == [50, 45, 55, 50]


@pytest.mark.parametrize("word", [Withdraw(SHERIFF, 0), offer_of(SHERIFF, FIVE, FIVE_MORE, number=1)])
def test_what_one_of_two_has_accepted_may_still_be_withdrawn_or_replaced(word: Withdraw | Offer) -> None:
    """The other one accepts even so, knowing better, before the first one has named what came after."""
    net = say(at_the_bags("in time"), offer_of(SHERIFF, FIVE, THREE), Accept(MERCHANT, SHERIFF, 0))
    say(net, word)
    assert all(find_offer(session.view().state, SHERIFF, 0) is None for session in net.sessions)
    net.sessions[OTHER]._speak(Negotiates(Accept(OTHER, SHERIFF, 0)))
    net.run()
    say(net, Pass(SHERIFF, FOURTH, for_nothing=True))
    assert_nobody_is_blamed(net)
    assert gold(net) == [50] * 4


# -- who is not asked


@pytest.mark.parametrize("stranger", [SHERIFF, OTHER], ids=["its author", "no party"])
def test_who_is_not_asked_holds_up_no_deal_by_accepting_it(stranger: Seat) -> None:
    """The merchant's acceptance is taken up all the same, whoever has accepted besides, before or after."""
    net = say(at_the_bags("not asked", stranger), offer_of(SHERIFF, FIVE))
    net.cheat.whisper(Accept(stranger, SHERIFF, 0))
    net._flush(stranger)
    net.run()
    net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
    net.cheat.whisper(Accept(stranger, SHERIFF, 0))
    net._flush(stranger)
    net.run()
    assert_nobody_is_blamed(net)
    assert FOURTH not in net.honest[0].play.state.closed_bags
    assert gold(net)[MERCHANT] == 45
    assert_audited(net)


def test_a_sheriff_who_is_not_asked_either_does_not_get_rid_of_an_acceptance_by_another_one() -> None:
    net = say(at_the_bags("get rid", is_slow=True), offer_of(SHERIFF, FIVE), Accept(MERCHANT, SHERIFF, 0))
    net.cheat.whisper(Accept(SHERIFF, SHERIFF, 0))
    net._flush(SHERIFF)
    net.run()
    net.cheat.push(Moves(Pass(SHERIFF, FOURTH, for_nothing=True)))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")


@pytest.mark.parametrize("stranger", [SHERIFF, OTHER], ids=["its author", "no party"])
def test_an_acceptance_of_who_is_not_asked_is_not_taken_up(stranger: Seat) -> None:
    net = say(at_the_bags("taken", is_slow=True), offer_of(SHERIFF, FIVE), Accept(MERCHANT, SHERIFF, 0))
    net.sessions[stranger]._speak(Negotiates(Accept(stranger, SHERIFF, 0)))
    net.run()
    net.cheat.push(Takes(stranger, 0))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "rule 7.4")


# -- what is given


def test_gold_is_not_passed_on_within_a_deal() -> None:
    """The sheriff lets one merchant pay with what the other one gives: the offer counts nowhere, whoever accepts it."""
    passed_on = offer_of(SHERIFF, Gift(MERCHANT, OTHER, Things(gold=30)), Gift(OTHER, SHERIFF, Things(gold=80)))
    net = at_the_bags("passed on")
    net.cheat.whisper(passed_on)
    net._flush(SHERIFF)
    net.run()
    for seat in (MERCHANT, OTHER):
        net.sessions[seat]._speak(Negotiates(Accept(seat, SHERIFF, 0)))
    net.run()
    net.cheat.push(Takes(OTHER, 0))
    net.run()
    assert_caught(net, FaultCode.FORBIDDEN, "rule 7.4")
    assert gold(net) == [50] * 4


@pytest.mark.parametrize("word", [Withdraw(MERCHANT, 0), Refuse(MERCHANT, OTHER, 0)])
def test_a_surety_does_not_stay_unpaid(word: Withdraw | Refuse) -> None:
    """Its giver takes everything back, and offers the gold elsewhere, before the bag is shown: it is due even so."""
    author = word.seat if isinstance(word, Withdraw) else OTHER
    surety = Gift(MERCHANT, SHERIFF, Things(gold=50), Condition.IF_LIE)
    net = played(
        "unpaid",
        MERCHANT,
        scripts=lambda: {SHERIFF: Script(acts=waits), FOURTH: Script(bag=lambda view: view.me.hand[:5])},
        setup=FOUR,
    )
    bag = net.sessions[FOURTH].view().bag
    assert any(card.kind != "apples" for card in bag), "The bag is a lie."
    gifts = (surety,) if author == MERCHANT else (surety, Gift(OTHER, MERCHANT, Things(gold=1)))
    offer = offer_of(author, *gifts)
    net.sessions[author].submit(offer)
    net.run()
    if author == OTHER:
        net.cheat.whisper(Accept(MERCHANT, OTHER, 0))
        net._flush(MERCHANT)
        net.run()
    net.sessions[SHERIFF].submit(Accept(SHERIFF, *offer.name))
    net._flush(SHERIFF)
    net.cheat.whisper(word)
    net.cheat.whisper(offer_of(MERCHANT, Gift(MERCHANT, OTHER, Things(gold=50)), acts=(), number=7))
    net._flush(MERCHANT)
    net.run()
    assert_nobody_is_blamed(net)
    assert gold(net)[MERCHANT] == (0 if author == MERCHANT else 1)
    assert gold(net)[SHERIFF] >= 100
