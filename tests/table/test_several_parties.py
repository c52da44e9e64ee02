"""Deals of several givers, gifts between merchants, trades and sureties, with real proofs (rules 7.4, 7.5 and 10.4)."""

from typing import Any

import pytest

from p2p_sheriff.rules import Choice, Handle, Move, Seat, State
from p2p_sheriff.rules.cards import LOOT
from p2p_sheriff.rules.moves import (
    Accept,
    Act,
    Apart,
    Condition,
    Gift,
    HandOver,
    Inspect,
    Offer,
    Pass,
    Stance,
    Things,
    Verb,
)
from p2p_sheriff.rules.steps import OpenBag
from p2p_sheriff.session.acts import Heeds, Negotiates, Payload, Takes
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.replay import replay
from protocol.group import Edwards25519
from protocol.hashing import digest
from tests.drbg import Drbg
from tests.public_state import public_state
from tests.secrecy.twins import ANN, BEN, CAT, Table, deck_of, hand_of, setup_for
from tests.table.departures import assert_complete, put_out
from tests.table.tables import Net, assert_nobody_is_blamed
from tests.table.test_deputies import deputies, game, say, waits
from tests.table.test_second_verifier import SECOND

DAN = Seat(3)
B, C = list(hand_of(BEN)), list(hand_of(CAT))
GROUP = Edwards25519()


def smugglers() -> Table:
    """Four players; what BEN and CAT have smuggled lies face down, and the bag of DAN, a lie, is closed."""
    setup = setup_for(players=4)
    table = Table(setup, deck_of(setup, "", "silk, mead, pepper", "crossbow, silk", "pepper"))
    table.until_inspection({BEN: B[:3], CAT: C[:2], DAN: list(hand_of(DAN))[:2]})
    return table.passes(BEN, CAT)


def an_offer(table: Table, seat: Seat, *gifts: Gift, acts: tuple[Act, ...] = ()) -> Offer:
    """Returns an offer to the sheriff."""
    return Offer(seat, table.state.offer_numbers[seat] + 1, table.state.officers, gifts, acts)


def assert_audited(table: Table | Net) -> None:
    """Asserts that every card is there once, and that both our programs come to the same from the transcript alone."""
    play = table.sessions[0].play
    assert_complete(table.sessions, play)
    record, states = record_of(table.sessions[0].table), list[bytes]()
    steps = [*replay(record, GROUP, Drbg("auditor"))]
    assert steps[-1].play == play

    def watch(other: Any, _entry: Any) -> None:
        states.append(SECOND.digest("state", *other.folder.game.public_state(())[1:]))

    assert SECOND.audit(record.to_bytes(), watch)["fault"] is None
    assert states == [digest("state", *public_state(step.play, ())[1:]) for step in steps]


def kinds(table: Table, seat: Seat) -> list[str]:
    """What really lies face down above a stall."""
    return sorted(table.kind(handle) for handle in table.state[seat].stack)


def said(table: Table, seat: Seat, kind: type[Takes | Heeds]) -> int:
    """Returns how many acts of this kind a seat has written."""
    steps = (one.entry for one in table.entries() if one.entry.step is not None and one.entry.author == seat)
    return sum(isinstance(act, kind) for entry in steps for act in Payload.from_value(entry.payload).acts)


INSPECT_DAN = (Act(DAN, Verb.INSPECT),)


def test_two_givers_and_the_last_acceptance_is_a_merchants() -> None:
    """The sheriff has accepted before: that CAT has, too, closes the deal when the sheriff's chain takes it up."""
    table = smugglers()
    offer = an_offer(table, BEN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(offer, Accept(ANN, *offer.name))
    assert table.state.closed_bags == (DAN,)
    table.submit(Accept(CAT, *offer.name))
    assert said(table, ANN, Heeds) == 1
    assert [player.gold for player in table.state.players] == [50 + 8 + 4, 45, 47, 46]
    assert_audited(table)


def test_two_givers_and_the_last_acceptance_is_the_sheriffs() -> None:
    table = smugglers()
    offer = an_offer(table, BEN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(offer, Accept(CAT, *offer.name))
    assert table.view(DAN).state.offers[0].accepted == (CAT,), "All see who has accepted."
    table.submit(Accept(ANN, *offer.name))
    assert [player.gold for player in table.state.players] == [62, 45, 47, 46]
    assert_audited(table)


def test_the_sheriffs_own_offer_to_two_is_closed_when_both_have_accepted() -> None:
    table = smugglers()
    offer = an_offer(table, ANN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(offer, Accept(CAT, *offer.name))
    assert table.state.closed_bags == (DAN,)
    table.submit(Accept(BEN, *offer.name))
    assert said(table, ANN, Takes) == 1
    assert not table.state.closed_bags


def test_trades_of_gold_alone_are_closed_by_whoever_speaks_last() -> None:
    """Nothing is left to do then, at once: that it is done is to be seen all the same."""
    table = smugglers()
    by_ben = an_offer(table, BEN, Gift(BEN, CAT, Things(gold=5)))
    table.submit(by_ben, Accept(CAT, *by_ben.name), Accept(ANN, *by_ben.name))
    last_is_cat = an_offer(table, BEN, Gift(BEN, CAT, Things(gold=5)))
    table.submit(last_is_cat, Accept(ANN, *last_is_cat.name), Accept(CAT, *last_is_cat.name))
    by_ann = an_offer(table, ANN, Gift(BEN, CAT, Things(gold=5)), Gift(CAT, ANN, Things(gold=1)))
    table.submit(by_ann, Accept(CAT, *by_ann.name), Accept(BEN, *by_ann.name))
    assert [player.gold for player in table.state.players] == [51, 35, 64, 50]
    assert (said(table, ANN, Heeds), said(table, ANN, Takes)) == (1, 1)
    assert table.state.closed_bags == (DAN,)
    assert_audited(table)


def test_merchants_swap_face_down_cards_and_each_chooses_among_the_own_ones() -> None:
    table = smugglers()
    trade = an_offer(table, BEN, Gift(CAT, BEN, Things(stack_blind=1)), Gift(BEN, CAT, Things(stack_blind=1)))
    table.submit(trade, Accept(CAT, *trade.name), Accept(ANN, *trade.name))
    given: Handle = table.handles(CAT, C[0])[0]
    table.submit(HandOver(CAT, (given,)), HandOver(BEN, table.handles(BEN, B[0])))
    assert kinds(table, BEN) == ["crossbow", "mead", "pepper"]
    assert kinds(table, CAT) == ["silk", "silk"]
    assert {card.kind for card in table.view(BEN).stack} == {"crossbow", "mead", "pepper"}
    assert_audited(table)


def test_goods_by_kind_go_from_merchant_to_merchant_and_only_those_that_were_there_before() -> None:
    table = smugglers()
    gifts = Gift(BEN, CAT, Things(stack=(("silk", 1),))), Gift(CAT, BEN, Things(stack=(("silk", 2),)))
    trade = an_offer(table, BEN, *gifts)
    table.submit(trade, Accept(CAT, *trade.name), Accept(ANN, *trade.name))
    assert (kinds(table, BEN), kinds(table, CAT)) == (["mead", "pepper", "silk"], ["crossbow", "silk"])
    assert_audited(table)


def test_goods_of_a_stall_go_kind_by_kind_as_they_are_named_however_they_lie() -> None:
    setup = setup_for(players=4)
    table = Table(setup, deck_of(setup, "", "3 cheese", "silk, mead")).until_inspection({BEN: B[:5]}).passes(BEN)
    assert [card.kind for card in table.state[BEN].stall].index("cheese") < 2, "One lies before an apple."
    trade = an_offer(table, BEN, Gift(BEN, CAT, Things(stall=(("apples", 2), ("cheese", 1)))))
    table.submit(trade, Accept(CAT, *trade.name), Accept(ANN, *trade.name))
    assert [card.kind for card in table.state[CAT].stall] == ["apples", "apples", "cheese"]
    assert_audited(table)


def test_a_surety_is_paid_when_the_bag_was_shown() -> None:
    table = smugglers()
    gifts = [Gift(BEN, ANN, Things(gold=9), Condition.IF_LIE), Gift(CAT, BEN, Things(gold=2))]
    offer = an_offer(table, BEN, *gifts, acts=INSPECT_DAN)
    table.submit(offer, Accept(CAT, *offer.name), Accept(ANN, *offer.name))
    assert [player.gold for player in table.state.players] == [50 + 9 + 4, 50 - 9 + 2, 48, 46]
    assert_audited(table)


def test_a_surety_for_what_is_not_found_is_not_due() -> None:
    table = smugglers()
    offer = an_offer(table, DAN, Gift(DAN, ANN, Things(gold=46), Condition.IF_TRUE), acts=INSPECT_DAN)
    table.submit(offer, Accept(ANN, *offer.name))
    assert [player.gold for player in table.state.players] == [54, 50, 50, 46]


def test_deputies_get_a_surety_and_their_share_of_a_trade_onto_the_loot() -> None:
    net = game(acts=waits)
    officers = first, second = net.sessions[0].play.state.officers
    one, two, *_ = net.sessions[0].play.state.closed_bags

    def submit(*moves: Move) -> State:
        for move in moves:
            net.sessions[move.seat].submit(move)
            net.run()
        return net.sessions[0].play.state

    trade = Offer(one, 0, officers, (Gift(one, two, Things(gold=5)), Gift(two, LOOT, Things(gold=1))), ())
    state = submit(trade, Accept(second, *trade.name), Accept(first, *trade.name))
    assert state.loot.gold == 0, "One merchant has not accepted."
    state = submit(Accept(two, *trade.name))
    assert (state.loot.gold, state[one].gold, state[two].gold) == (1, 45, 54)
    pledge = Gift(one, LOOT, Things(gold=7), Condition.IF_LIE), Gift(one, LOOT, Things(gold=2))
    offer = Offer(one, 1, officers, pledge, (Act(two, Verb.INSPECT),))
    state = submit(offer, Accept(first, *offer.name), Accept(second, *offer.name))
    assert state.bag_of(two).fate is Verb.INSPECT
    assert (state[one].gold, state.loot.gold) == (45 - 2 - 7, 1 + 2 + 7 + 4)
    assert_audited(net)


def test_of_two_deals_for_the_same_gold_one_is_closed_and_the_words_about_the_other_go_on() -> None:
    """Both were agreed on before the first deputy's node knew: the one that can't be paid any more binds nobody."""
    net = game(acts=waits)
    first, second = net.sessions[0].play.state.officers
    giver, one, two, _ = net.sessions[0].play.state.closed_bags
    for number, bag in enumerate((one, two)):
        acts = (Act(bag, Verb.INSPECT),)
        say(net, Offer.bribe(giver, number, giver, (first, second), acts, Things(gold=40)))
        say(net, Accept(first, giver, number))
    for number in (0, 1):
        net.sessions[second].submit(Accept(second, giver, number))
    for word in net.sessions[second].outbox:
        net.sessions[first].receive(word)
    net.run()
    state = net.sessions[0].play.state
    assert (state[giver].gold, state.bag_of(one).fate, state.bag_of(two).fate) == (10, Verb.INSPECT, None)
    assert {session.waits_for for session in net.sessions} == {(first, second)}
    assert net.sessions[second].choice() is Choice.ACT
    say(net, Stance(second, two, Verb.PASS), Stance(first, two, Verb.PASS))
    assert net.sessions[0].play.state.bag_of(two).fate is Verb.PASS
    assert_nobody_is_blamed(net)
    assert_audited(net)


@pytest.mark.parametrize("where", ["stall", "stack", "bag"])
def test_an_offer_of_more_goods_of_a_kind_than_the_deck_has_counts_with_neither_of_our_programs(where: str) -> None:
    table = smugglers()
    cards = table.state.setup.cards
    goods: dict[str, Any] = {where: (("apples" if where == "stall" else "silk", cards + 1),)}
    acts = (Act(DAN, Verb.PASS),)
    table.sessions[DAN]._speak(Negotiates(an_offer(table, DAN, Gift(DAN, ANN, Things(**goods)), acts=acts)))
    table.settle()
    assert table.view(DAN).state.offers == ()
    trade = an_offer(table, BEN, Gift(BEN, CAT, Things(gold=5)))
    table.submit(trade, Accept(CAT, *trade.name), Accept(ANN, *trade.name))
    assert_audited(table)


def test_what_stands_no_more_binds_nobody() -> None:
    """The sheriff deals with the bag in another way: the acceptance of a deal about it comes to nothing."""
    table = smugglers()
    offer = an_offer(table, BEN, Gift(BEN, ANN, Things(gold=5)), Gift(CAT, ANN, Things(gold=3)), acts=INSPECT_DAN)
    table.submit(offer, Accept(CAT, *offer.name), Pass(ANN, DAN))
    assert [player.gold for player in table.state.players] == [50] * 4
    assert Inspect(ANN, DAN).bag not in table.state.closed_bags


@pytest.mark.parametrize("why", ["the gold is spent", "the giver leaves"])
def test_what_the_second_accepted_and_is_off_binds_nobody_and_waits_for_that_one_again(why: str) -> None:
    """Else the second could never say anything about a bag again, and all would wait for the first."""
    first, second = deputies()
    net = game(acts=waits)
    giver, owner, _, other = net.sessions[0].play.state.merchants
    assert other < second, "Else what the second accepts is taken up first."
    bribe = Offer(giver, 0, (first, second), (Gift(giver, LOOT, Things(gold=40)),), (Act(owner, Verb.PASS),))
    price = Things(gold=40 if why == "the gold is spent" else 1)
    trade = Offer(giver, 1, (first, second), (Gift(giver, other, price),), ())
    words = (Accept(first, *bribe.name), Accept(first, *trade.name), Accept(second, *trade.name))
    for move in (bribe, trade, *words):
        net.sessions[move.seat].submit(move)
        net.run()
    net.sessions[second].submit(Accept(second, *bribe.name))
    net.sessions[other].submit(Accept(other, *trade.name))
    hear(net)
    assert net.sessions[first].advance()
    hear(net)
    if why == "the giver leaves":
        put_out(net.sessions, giver)
    net.run()
    assert {session.waits_for for session in net.sessions} == {(first, second)}
    assert net.sessions[0].play.hagglers == (first, second), "Onlookers see it, too."
    net.sessions[second].submit(Stance(second, owner, Verb.INSPECT))
    net.run()
    net.sessions[first].submit(Stance(first, owner, Verb.INSPECT))
    net.run()
    assert_nobody_is_blamed(net)
    assert_audited(net)
    assert net.sessions[0].play.state.bag_of(owner).fate is Verb.INSPECT


def hear(net: Net) -> None:
    """Everybody hears what was said, and does nothing about it yet."""
    for session in net.sessions:
        net._flush(session.seat)
    while net._deliver():
        pass


# -- who leaves in the middle


@pytest.mark.parametrize(
    ("gone", "gold"),
    [
        pytest.param(ANN, [0, 45, 55, 50], id="the sheriff: nobody is fined, and no surety is due"),
        pytest.param(BEN, [54, 0, 55, 46], id="the author: no surety is due"),
        pytest.param(CAT, [50 + 7 + 4, 45 - 7, 0, 46], id="another giver: nothing of the rest changes"),
        pytest.param(DAN, [50, 45, 55, 0], id="whose bag it is: nothing is opened"),
    ],
)
@pytest.mark.parametrize(
    "when", ["one has accepted", "it is closed", "a card is on its way", "the bag is to be opened"]
)
def test_of_a_deal_of_several_what_is_due_to_or_from_who_leaves_lapses(when: str, gone: Seat, gold: list[int]) -> None:
    table = smugglers()
    gifts = (
        Gift(CAT, BEN, Things(stack_blind=1)),
        Gift(BEN, CAT, Things(gold=5, stack=(("silk", 1),))),
        Gift(BEN, ANN, Things(gold=7), Condition.IF_LIE),
    )
    offer = an_offer(table, BEN, *gifts, acts=INSPECT_DAN)
    table.submit(offer, Accept(CAT, *offer.name))
    chosen = HandOver(CAT, table.handles(CAT, C[1]))
    if when != "one has accepted":
        table.submit(Accept(ANN, *offer.name))
    if when in ("a card is on its way", "the bag is to be opened"):
        table.sessions[CAT].submit(chosen)
        table._send(table.sessions[CAT], table.sessions)
    if when == "the bag is to be opened":
        table.settle_until(DAN, lambda play: play.state.todo[0] == OpenBag(DAN))
    put_out(table.sessions, gone)
    table.settle()
    if when == "it is closed" and gone in (ANN, DAN):
        table.submit(chosen)
    assert_audited(table)
    is_closed = when != "one has accepted"
    assert [one.gold for one in table.state.players] == (
        gold if is_closed else [0 if s == gone else 50 for s in range(4)]
    )
    if is_closed and gone in (ANN, DAN):
        assert (kinds(table, BEN), kinds(table, CAT)) == (["mead", "pepper", "silk"], ["crossbow", "silk"])


def test_who_accepted_what_never_counted_has_not_accepted_another_offer_of_a_deputy_who_becomes_the_sequencer() -> None:
    """The deputy who was drawn first leaves before hearing of the acceptance; the other one's offers stay."""
    setup = setup_for(players=6, short=(("apples", 44), ("mead", 3), ("silk", 4)))
    table = Table(setup, deck_of(setup)).until_inspection({})
    first, second = table.state.officers
    bag, giver, other, last = table.state.merchants
    alone = Stance(first, bag, Verb.PASS), Stance(second, bag, Verb.INSPECT), Apart(second, bag)
    trade = Offer(giver, 0, (first, second), (Gift(giver, other, Things(gold=50)),), ())
    table.submit(*alone, trade, Accept(other, giver, 0), Accept(second, giver, 0))

    def tell(said: list[bytes], *to: Seat) -> list[bytes]:
        for seat in to:
            for data in said:
                table.sessions[seat].receive(data)
        return said

    def says(move: Move, *to: Seat) -> list[bytes]:
        session = table.sessions[move.seat]
        session.submit(move)
        said = session.outbox.copy()
        session.outbox.clear()
        return tell(said, *to)

    passes, share = (Act(bag, Verb.PASS),), Gift(giver, second, Things(gold=45))
    cheap = says(Offer(second, 0, (second,), (share, Gift(bag, second, Things(gold=1))), passes), bag)
    accepted = says(Accept(bag, second, 0))
    says(Accept(first, giver, 0), *setup.seats)  # After that trade nobody can pay the larger share.
    dear = says(Offer(second, 0, (second,), (Gift(bag, second, Things(gold=49)),), passes))
    tell([*cheap, *dear], *setup.seats)
    says(Stance(first, last, Verb.PASS), *setup.seats)
    assert [standing.offer.gift.things.gold for standing in table.state.offers] == [49]
    tell(accepted, *setup.seats)
    put_out(table.sessions, first)
    table.settle()
    assert table.state.officers == (second,)
    assert table.state[bag].gold == 50
    assert [standing.offer.gift.things.gold for standing in table.state.offers] == [49]
    assert_audited(table)
