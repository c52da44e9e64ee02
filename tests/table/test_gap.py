"""Somebody leaves, and the others deal around the gap: their cards stay as they are, and every other card is dealt."""

import pytest

from p2p_sheriff.rules import Ending, Phase, Seat, Setup, new_game, outcome
from p2p_sheriff.rules.facts import Left, Redealt
from p2p_sheriff.rules.moves import Accept, Offer, Pass, Refuse, Things, Verb, Withdraw
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.negotiation import Acceptance, Negotiation, Word
from p2p_sheriff.session.passes import Collecting, Dealing, Giving, Matching, Mixing, Redealing, Remixing, Tossing
from p2p_sheriff.session.passes.passing import Passing
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.replay import replay
from protocol.coin import commit_share
from tests.cases import some
from tests.drbg import Drbg
from tests.secrecy import twins
from tests.secrecy.twins import ANN, BEN, CAT, deck_of, hand_of, setup_for
from tests.table.departures import GROUP, SHORT, SMUGGLED, GapNet, is_redealt, put_out
from tests.table.games import assert_agreed

DAN = Seat(3)
FOUR, FIVE = Setup(4, short=SHORT), Setup(5, short=SHORT)
EVERY_SLOT = [
    (players, Seat(seat), turns) for players in (3, 4, 5, 6) for seat in range(players) for turns in range(12 + players)
]
"""As many turns as a round takes of each seat, and of the next one's beginning."""


def now(net: GapNet, kind: type[Passing]) -> Passing:
    passing = net.play.passing
    assert isinstance(passing, kind)
    return passing


# -- at any moment


@pytest.mark.parametrize("slot", some(EVERY_SLOT, few=10), ids=str)
def test_whenever_somebody_falls_silent_the_others_go_on_with_the_cards_that_they_have(
    slot: tuple[int, Seat, int],
) -> None:
    players, seat, turns = slot
    net = GapNet(Setup(players, short=SHORT), turns, {seat: turns}).goes_on()
    assert net.turns_of(seat) == turns
    before = net.play
    net.leaves(seat)
    if players == 3:
        assert_abandoned(net)
        return
    net.goes_on(is_redealt)
    assert seat not in net.seats
    for handle, card in net.play.cards.items():
        assert before.cards.get(handle, card) == card, "a card has changed by dealing around it"
    assert_nothing_but_the_deck_was_dealt(net)
    net.assert_complete()
    number = net.play.state.round
    net.goes_on(lambda play: play.state.round > number or play.is_decided)
    net.assert_complete()
    assert_proved(net)


def assert_proved(net: GapNet) -> None:
    """Asserts that an audit of the record, without any secret, comes to where the players are."""
    table = next(session.table for session in net.sessions if session.seat in net.seats)
    assert [*replay(record_of(table), GROUP, Drbg("auditor"))][-1].play == net.play


def assert_abandoned(net: GapNet) -> None:
    net.goes_on()
    assert_agreed(net.sessions)
    result = outcome(net.play.state)
    assert (result.ending, result.winners) == (Ending.ABANDONED, ())
    assert [score.seat for score in result.scores] == list(net.seats)
    assert_proved(net)


def assert_nothing_but_the_deck_was_dealt(net: GapNet) -> None:
    told = [change for _, event in net.events if isinstance(event, Happened) for change in event.changes]
    redealt = [change for change in told if isinstance(change.item, Redealt)]
    assert redealt or net.play.goods.generation == 1
    for change in redealt:
        before, after = change.before, change.after
        assert (after.handles(), after.deck) == (before.handles(), before.deck)
        assert [player.hand for player in after.players] == [player.hand for player in before.players]


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(6), few=2))
def test_a_game_goes_on_to_its_end_and_is_scored_without_who_left(seed: int) -> None:
    setup = Setup(4, short=SMUGGLED, options=frozenset({"black-market"}))
    net = GapNet(setup, seed, {Seat(seed % 4): 9 + 4 * seed}).goes_on().leaves(Seat(seed % 4)).goes_on()
    assert_agreed(net.sessions)
    net.assert_complete()
    result = outcome(net.play.state)
    assert result.ending is Ending.FINISHED
    assert [score.seat for score in result.scores] == list(net.seats)
    assert result.winners
    assert_proved(net)


@pytest.mark.slow
@pytest.mark.parametrize("turns", some([3, 8, 13], few=1))
def test_two_of_five_leave_at_once_and_three_play_to_the_end(turns: int) -> None:
    gone = (Seat(1), Seat(3))
    net = GapNet(FIVE, turns, dict.fromkeys(gone, turns)).goes_on().leaves(*gone).goes_on(is_redealt)
    net.assert_complete()
    assert_agreed(net.goes_on().sessions)
    net.assert_complete()
    assert [score.seat for score in outcome(net.play.state).scores] == [0, 2, 4]
    assert_proved(net)


# -- whatever was going on


@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize("seat", [Seat(0), Seat(3)])
def test_who_leaves_while_the_deck_is_dealt_around_another_is_dealt_around_with_fresh_keys(
    seat: Seat, turns: int
) -> None:
    net = GapNet(FIVE, 5, {Seat(4): 8}).goes_on().leaves(Seat(4)).waits_for(seat, turns)
    passing = now(net, Redealing if turns < 2 else Matching)
    keys = {key for card in passing.held for _, key in card.locks}
    cards, generation = net.play.cards, net.play.goods.generation
    net.leaves(seat)
    assert now(net, Redealing).done == 0
    assert net.play.goods.generation == generation + 1
    net.goes_on(is_redealt)
    assert {handle: card for handle, card in cards.items() if handle in net.play.cards} == net.play.cards
    fresh = {key for card in net.play.goods.undrawn for _, key in card.locks}
    assert len(fresh) == 3
    assert fresh.isdisjoint(keys)
    net.assert_complete()
    assert_proved(net)


@pytest.mark.parametrize("turns", range(2))
@pytest.mark.parametrize("seat", [Seat(0), Seat(3)])
def test_who_leaves_the_first_shuffle_lets_it_begin_anew(seat: Seat, turns: int) -> None:
    net = GapNet(FOUR, 6).waits_for(seat, turns).leaves(seat)
    mixing = now(net, Mixing)
    assert (type(mixing), mixing.done, mixing.waiting) == (Mixing, 0, net.seats)
    assert net.play.goods.generation == 1
    net.goes_on(lambda play: play.state.round == 1 and play.passing is None)
    net.assert_complete()


def test_an_unfinished_deal_goes_back_whoever_has_stripped() -> None:
    net = GapNet(FIVE, 7, {Seat(3): 4}).goes_on()
    dealing = now(net, Dealing)
    assert dealing.done > 0
    dealt = net.play.state.deck
    net.leaves(Seat(3))
    assert net.play.state.deck == dealt
    net.goes_on(is_redealt)
    net.assert_complete()
    net.goes_on(lambda play: play.passing is None)
    assert all(len(net.play.state[seat].hand) == 6 for seat in net.seats)


def test_a_coin_is_tossed_anew_in_another_place() -> None:
    net = GapNet(FOUR, 8, {Seat(2): 3}).goes_on()
    first = now(net, Tossing)
    assert isinstance(first, Tossing)
    assert first.is_committed
    shares = {session.secrets.share for session in net.sessions}
    net.leaves(Seat(2)).goes_on(lambda play: isinstance(play.passing, Tossing) and play.passing.is_committed)
    again = now(net, Tossing)
    assert isinstance(again, Tossing)
    assert first.context != again.context
    for seat in net.seats:
        share = net.sessions[seat].secrets.share
        assert share not in shares
        assert dict(again.commitments)[seat] == commit_share(again.context, seat, share)
    net.goes_on(lambda play: play.state.round == 1 and play.passing is None)
    assert net.play.state.lead in net.seats


REMADE = (("apples", 12), ("cheese", 5), ("chicken", 4), ("pepper", 3), ("silk", 2))
"""26 cards, of which four hands take 24: soon the discards are reshuffled."""


@pytest.mark.parametrize("turns", range(3))
def test_an_unfinished_reshuffle_is_still_the_discards_that_it_was(turns: int) -> None:
    seat = Seat(3)
    net = GapNet(Setup(4, short=REMADE), 9).goes_on(lambda play: isinstance(play.passing, Collecting))
    net.waits_for(seat, turns)
    now(net, Remixing if turns else Collecting)
    before = net.play
    net.leaves(seat)
    piles = [card.handle for pile in before.state.piles for card in pile if card.keeper != seat]
    assert [card.handle for pile in net.play.state.piles for card in pile] == piles
    assert all(net.play.cards[handle] == before.cards[handle] for handle in piles)
    net.goes_on(is_redealt)
    net.assert_complete()


def test_an_unfinished_gift_is_still_the_givers() -> None:
    setup = setup_for(players=4, short=(("apples", 24), ("mead", 3), ("silk", 4)))
    table = twins.Table(setup, deck_of(setup, "", "silk, mead")).until_inspection({BEN: hand_of(BEN)[:2]})
    table.offers(BEN, bag_blind=2).sessions[ANN].submit(Pass(ANN, BEN))
    play = table.settle_until(BEN, lambda play: isinstance(play.passing, Giving) and play.passing.done == 1).play
    assert isinstance(play.passing, Giving)
    put_out(table.sessions, Seat(3))
    assert all(table.cards()[handle] == [BEN] for handle in play.passing.give.handles)
    table.settle()
    assert [table.kind(handle) for handle in sorted(table.state[ANN].stack)] in (["silk", "mead"], ["mead", "silk"])


def test_missing_cards_are_set_aside_again_unseen() -> None:
    net = GapNet(Setup(4, short=SHORT, options=frozenset({"missing"})), 3, {Seat(0): 9}).goes_on()
    old = net.play.goods.missing
    net.leaves(Seat(0)).goes_on(is_redealt)
    assert len(net.play.goods.missing) == 10
    assert set(net.play.goods.missing).isdisjoint(old)
    net.assert_complete()


def test_cards_that_were_taken_out_of_the_game_stay_out_of_the_deck() -> None:
    setup = Setup(4, short=SMUGGLED, options=frozenset({"black-market"}))
    for seed in range(60):
        net = GapNet(setup, seed).goes_on(lambda play: play.state.round == 4 or bool(play.state.box))
        if net.play.state.box:
            break
    boxed = net.play.state.box
    seat = next(seat for seat in net.seats if seat != boxed[0].keeper)
    net.leaves(seat).goes_on(is_redealt)
    assert net.play.state.box == boxed
    net.assert_complete()


# -- what it changes, and what it does not


def test_a_game_that_is_decided_is_not_changed_by_who_leaves() -> None:
    net = GapNet(Setup(3, short=SHORT), 1, {Seat(1): 5}).goes_on().leaves(Seat(1))
    play = net.play
    assert play.is_decided
    left = play.left((0, 2))
    assert (left.state, left.sealed, left.changes) == (play.state, play.sealed, ())


def test_all_are_told_who_left() -> None:
    net = GapNet(FIVE, 2, {Seat(2): 6}).goes_on()
    before = net.play
    left = before.left((0, 2))
    assert [change.item for change in left.changes] == [Left((Seat(0), Seat(2)))]
    assert left.changes[0].before == before.state


# -- offers


def offered(number: int, payer: Seat, bag: Seat) -> Offer:
    """The sheriff's own offer to one merchant, about somebody's bag."""
    return Offer.bribe(ANN, number, payer, (ANN,), (Bargain(bag, Verb.PASS),), Things(gold=5))


def test_words_and_answers_of_who_left_and_about_their_bags_are_off() -> None:
    kept = Word(offered(1, BEN, BEN), (BEN,), 3)
    words = (kept, Word(offered(2, CAT, DAN), (CAT,), 4), Word(Withdraw(ANN, 3), (DAN,), 5))
    accepted = [Acceptance(Accept(seat, ANN, number), 9) for seat, number in ((BEN, 1), (DAN, 4))]
    refused = (Refuse(CAT, ANN, 1), Refuse(DAN, ANN, 1))
    negotiation = Negotiation(words, tuple(accepted), refused)
    state = new_game(Setup(4)).but(officers=(ANN,))
    assert negotiation.without([DAN], state) == Negotiation((kept,), (accepted[0],), (refused[0],))
    assert negotiation.without([ANN], state) == Negotiation()


def test_a_deal_about_the_bag_of_who_left_is_not_taken_up_although_it_was_accepted() -> None:
    setup = setup_for(players=4, short=(("apples", 28), ("mead", 3), ("silk", 4)))
    table = twins.Table(setup, deck_of(setup)).until_inspection({})
    gold = [table.state[seat].gold for seat in (ANN, BEN)]
    for seat, move in ((ANN, offered(1, BEN, DAN)), (BEN, Accept(BEN, ANN, 1))):
        table.sessions[seat].submit(move)
        table._send(table.sessions[seat], table.sessions)
    put_out(table.sessions, DAN)
    table.settle().passes(BEN)
    assert [table.state[seat].gold for seat in (ANN, BEN)] == gold


def test_who_accepted_what_is_off_has_not_accepted_another_offer_of_the_same_number() -> None:
    """The number of an offer that never came to count is free: the sheriff must not get an old acceptance for it."""
    setup = setup_for(players=4, short=(("apples", 28), ("mead", 3), ("silk", 4)))
    table = twins.Table(setup, deck_of(setup)).until_inspection({})
    for seat, move in ((ANN, offered(1, BEN, DAN)), (BEN, Accept(BEN, ANN, 1))):
        table.sessions[seat].submit(move)
        table._send(table.sessions[seat], table.sessions)
    put_out(table.sessions, DAN)
    table.settle()
    table.sessions[ANN].submit(Offer.bribe(ANN, 1, BEN, (ANN,), (Bargain(BEN, Verb.PASS),), Things(gold=50)))
    table._send(table.sessions[ANN], table.sessions)
    table.sessions[BEN].say("No, thank you.")
    table._send(table.sessions[BEN], table.sessions)
    assert [standing.offer.number for standing in table.settle().view(ANN).state.offers] == [1]
    table.passes(CAT)
    assert (table.state[ANN].gold, table.state[BEN].gold) == (50, 50)
    assert table.state.closed_bags == (BEN,)


# -- keys


def test_keys_of_what_was_broken_off_are_dropped_and_those_of_the_new_deck_kept_while_it_lasts() -> None:
    net = GapNet(FIVE, 5, {Seat(4): 8}).goes_on()
    old = {seat: set(net.sessions[seat].secrets.keys.secrets()) for seat in net.seats}
    net.leaves(Seat(4)).waits_for(Seat(3), 2)
    broken = {seat: set(net.sessions[seat].secrets.keys.secrets()) - old[seat] for seat in net.seats}
    assert all(len(keys) == 1 for keys in broken.values())
    assert net.sessions[4].secrets.keys.secrets() == ()
    net.leaves(Seat(3)).goes_on(is_redealt)
    net.goes_on(lambda play: play.state.phase is Phase.DECLARE)  # When all have seen what has replaced them.
    for seat in net.seats:
        secrets = net.sessions[seat].secrets
        assert broken[seat].isdisjoint(secrets.keys.secrets())
        assert secrets.lost(net.play) == ()
        assert net.play.goods.undrawn[0].key_of(seat) in {secrets.keys[key].public for key in secrets.keys._locks}


def test_the_order_of_a_list_that_was_broken_off_is_forgotten() -> None:
    net = GapNet(FIVE, 5, {Seat(4): 8}).goes_on().leaves(Seat(4)).waits_for(Seat(3))
    listed = [session.seat for session in net.sessions if session.secrets._listed is not None]
    assert listed == [0, 1, 2]
    net.leaves(Seat(3))
    assert all(session.secrets._listed is None for session in net.sessions)


@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize("seat", [Seat(0), Seat(2)])
def test_who_starts_again_while_the_deck_is_dealt_around_a_gap_goes_on_with_it(seat: Seat, turns: int) -> None:
    net = GapNet(FOUR, 5, {Seat(3): 8}).goes_on().leaves(Seat(3)).waits_for(seat, turns)
    now(net, Redealing if turns < 2 else Matching)
    for other in net.seats:
        net.comes_back(other)
    del net.quits[seat]
    net.goes_on(is_redealt)
    net.assert_complete()
