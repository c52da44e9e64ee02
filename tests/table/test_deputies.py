"""Six players: two deputies decide together, one chain writes it down, and their Loot lies under both their locks."""

from collections.abc import Callable, Mapping
from functools import cache

import pytest

from p2p_sheriff.node.copy import GameCopy
from p2p_sheriff.rules import Choice, Handle, LoadBag, Move, Phase, Seat, Setup, View
from p2p_sheriff.rules.deals import own_bribe
from p2p_sheriff.rules.moves import (
    Accept,
    Apart,
    Offer,
    Pass,
    PickLoot,
    ShareLoot,
    Split,
    Stance,
    Things,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.seat.waiting import sentence
from p2p_sheriff.session.acts import Act, Heeds, Moves, Payload, Strips, Takes
from p2p_sheriff.session.passes import Giving
from protocol.faults import FaultCode
from tests.table.cheats import Cheat, Lie, Waits, honest, never, points_of, with_points
from tests.table.departures import put_out
from tests.table.tables import (
    SHERIFF,
    Net,
    Script,
    assert_caught,
    assert_nobody_is_blamed,
    of_kind,
    played,
    waved_through,
)
from tests.table.test_whole_games import assert_every_card_is_there_once
from tests.table.transcripts import GROUP

SHORT = (("apples", 24), ("pepper", 22), ("cheese", 2))
SIX = Setup(6, short=SHORT)
PASS, INSPECT = Verb.PASS, Verb.INSPECT
SEED = "six"


def peppered(view: View) -> tuple[Handle, ...]:
    """A bag with something legal and something that is not."""
    return of_kind(view, "apples") + of_kind(view, "pepper")


def waits(_view: View) -> Move | None:
    """Says nothing."""
    return None


def say(net: Net, *moves: Move) -> None:
    """Has everybody hear these words, one after the other."""
    for move in moves:
        net.sessions[move.seat].submit(move)
        net.run()


def lets_pass(view: View) -> Move | None:
    """Says of the next bag that it may pass: for what its owner offers, or for nothing."""
    if len(view.state.officers) == 1:
        return waved_through(view)
    for bag in view.state.closed_bags:
        if view.state.bag_of(bag).stance(view.seat) is None:
            offer = own_bribe(view.state, bag)
            return Accept(view.seat, *offer.name) if offer else Stance(view.seat, bag, PASS)
    return None


def offers(things: Things, number: int = 0) -> Callable[[View], Move | None]:
    """A merchant's offer to both deputies for letting the own bag pass."""

    def say(view: View) -> Move | None:
        if view.seat not in view.state.closed_bags:
            return None
        acts = (Bargain(view.seat, PASS),)
        return Offer.bribe(view.seat, number, view.seat, view.state.officers, acts, things)

    return say


class Player(Script):
    """Plays by a script that is told apart by the office, and shares the Loot."""

    split: Callable[[View], Split | None] = staticmethod(lambda _: None)

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        if view.state.round > self.rounds:
            return None
        match choice:
            case Choice.SHARE_LOOT:
                return ShareLoot(view.seat, self.split(view))
            case Choice.PICK_LOOT:
                loot = view.state.loot
                return PickLoot(view.seat, loot.face_down[0] if loot.face_down else loot.cards[0].handle)
            case _:
                return super().choose(view, choice)


@cache
def deputies(seed: str = SEED) -> tuple[Seat, Seat]:
    """Returns who is drawn first and second by the coin of a game that begins from this seed."""
    first, second = game(seed=seed, acts=waits).sessions[0].play.state.officers
    return first, second


def game(
    *,
    seed: str = SEED,
    cheat: Seat = SHERIFF,
    lie: Lie = honest,
    things: Things | None = None,
    acts: Callable[[View], Move | None] = lets_pass,
    scripts: Callable[[], Mapping[Seat, Script]] = dict,
    split: Callable[[View], Split | None] | None = None,
    leaves_undone: Waits = never,
) -> Net:
    """Plays the first round: merchants offer these things, deputies do this."""

    def all_scripts() -> Mapping[Seat, Script]:
        players: dict[Seat, Script] = {}
        for seat in SIX.seats:
            player = Player(bag=peppered, acts=acts, says=[offers(things)] if things else [])
            player.split = split or player.split
            players[seat] = player
        return {**players, **scripts()}

    return played(seed, cheat, lie, scripts=all_scripts, setup=SIX, hasty=False, waits=leaves_undone)


# -- together


def test_what_both_let_pass_for_pays_the_loot_and_all_nodes_share_it_alike() -> None:
    net = game(things=Things(gold=3, bag=(("apples", 1),), bag_blind=1))
    assert_nobody_is_blamed(net)
    play = net.sessions[0].play
    assert play.state.round == 2
    assert not play.state.loot
    assert [play.state[seat].gold for seat in deputies()] == [56, 56]
    taken = [(len(play.state[seat].stall), len(play.state[seat].stack)) for seat in deputies()]
    assert taken == [(2, 2), (2, 2)]
    assert_every_card_is_there_once(GROUP, net)


def test_which_card_a_deputy_picks_only_that_deputy_knows() -> None:
    net = game(things=Things(bag_blind=1))
    first, _ = deputies()
    (one, two) = net.sessions[0].play.state[first].stack
    for session in net.sessions:
        known = session.secrets.knowledge(session.play).kinds
        assert ({one, two} <= set(known)) is (session.seat == first)
        assert session.seat == first or {one, two}.isdisjoint(known)


def test_an_odd_last_card_of_the_loot_is_shown_and_discarded() -> None:
    merchants = [seat for seat in SIX.seats if seat not in deputies()]
    quiet = {seat: Player(bag=peppered) for seat in merchants[1:]}
    net = game(things=Things(bag_blind=1), scripts=lambda: quiet)
    assert_nobody_is_blamed(net)
    state = net.sessions[0].play.state
    assert state.round == 2
    assert "pepper" in [card.kind for card in state.piles[0]]
    assert [state[seat].stack for seat in deputies()] == [(), ()]


def test_a_split_that_the_first_drawn_proposes_and_the_other_accepts_is_done() -> None:
    net = game(things=Things(gold=3, bag_blind=1), split=lambda view: Split(11, view.state.loot.face_down[:1]))
    assert_nobody_is_blamed(net)
    state = net.sessions[0].play.state
    first, second = deputies()
    assert [state[seat].gold for seat in (first, second)] == [61, 51]
    assert [len(state[seat].stack) for seat in (first, second)] == [1, 3]
    assert_every_card_is_there_once(GROUP, net)


def test_they_differ_and_the_one_who_wants_to_open_acts_alone_whoever_writes_it_down() -> None:
    for opener in deputies():

        def acts(view: View, opener: Seat = opener) -> Move | None:
            for bag in view.state.closed_bags:
                alone, own = view.state.bag_of(bag).alone, view.state.bag_of(bag).stance(view.seat)
                if alone is not None:
                    return Pass(view.seat, bag, for_nothing=True) if alone == view.seat else None
                if own is None:
                    return Stance(view.seat, bag, INSPECT if view.seat == opener else PASS)
                if len(view.state.bag_of(bag).stances) == 2:
                    return Apart(view.seat, bag) if view.seat == opener else None
            return None

        net = game(acts=acts)
        assert_nobody_is_blamed(net)
        assert net.sessions[0].play.state.round == 2


# -- who is waited for


def test_bags_wait_for_the_deputy_whose_word_is_missing_and_for_the_first_only_to_write_it_down() -> None:
    """Else the others would put out the first, who has nothing to say about what the second decides alone."""
    first, second = deputies()
    speaks = {first}

    def acts(view: View) -> Move | None:
        for owner in view.state.closed_bags:
            bag = view.state.bag_of(owner)
            if bag.alone is None and view.seat in speaks and bag.stance(view.seat) is None:
                return Stance(view.seat, owner, INSPECT if view.seat == second else PASS)
            if bag.alone is None and len(bag.stances) == 2:
                return Apart(view.seat, owner)
        return None

    net = game(acts=waits)
    assert {session.waits_for for session in net.sessions} == {(first, second)}
    net = game(acts=acts)
    assert {session.waits_for for session in net.sessions} == {(second,)}
    speaks.add(second)
    net.run()
    state = net.sessions[0].view().state
    bags = state.closed_bags
    assert [state.bag_of(bag).alone for bag in bags] == [second] * 4
    assert {GameCopy(session).awaited for session in net.sessions} == {(second,)}
    names = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
    told = sentence(net.sessions[bags[0]].play, (second,), names, {})
    assert told == f"Waiting for {names[second]}: dealing with the bags."
    net.sessions[second].submit(Pass(second, bags[0], for_nothing=True))
    (word,) = net.sessions[second].outbox
    net.sessions[bags[0]].receive(word)
    assert (net.sessions[bags[0]].waits_for, net.sessions[bags[1]].waits_for) == ((first,), (second,))


# -- what waits to be written down


def test_what_is_offered_to_the_one_who_acts_alone_counts_at_once_whichever_deputy_that_is() -> None:
    for opener in deputies():
        net = game(acts=waits)
        bag = net.sessions[0].play.state.closed_bags[0]
        (other,) = {*deputies()} - {opener}
        say(net, Stance(other, bag, PASS), Stance(opener, bag, INSPECT), Apart(opener, bag))
        say(net, Offer.bribe(bag, 0, bag, (opener,), (Bargain(bag, PASS),), Things(gold=9)))
        assert all(own_bribe(session.view().state, bag) for session in net.sessions)
        say(net, Pass(opener, bag))
        assert_nobody_is_blamed(net)
        state = net.sessions[0].play.state
        assert (state.bag_of(bag).fate, state[bag].gold, state[opener].gold) == (PASS, 41, 59)


@pytest.mark.parametrize("better_or_worse", [None, Things(gold=1)], ids=["withdrawn", "replaced"])
def test_who_acts_alone_and_lets_a_bag_pass_takes_the_bribe_that_stood_then_or_is_asked_again(
    better_or_worse: Things | None,
) -> None:
    """Its owner takes it back, or offers less, before the first deputy has written the word down: it counts no more."""
    first, second = deputies()
    net = game(acts=waits)
    bag = net.sessions[0].play.state.closed_bags[0]
    say(net, Stance(first, bag, PASS), Stance(second, bag, INSPECT), Apart(second, bag))
    say(net, Offer.bribe(bag, 0, bag, (second,), (Bargain(bag, PASS),), Things(gold=9)))
    net.sessions[second].submit(Pass(second, bag))
    (word,) = net.sessions[second].outbox
    net.sessions[second].outbox.clear()
    if better_or_worse is None:
        say(net, Withdraw(bag, 0))
    else:
        say(net, Offer.bribe(bag, 1, bag, (second,), (Bargain(bag, PASS),), better_or_worse))
    net.tell(second, word)
    net.run()
    assert_nobody_is_blamed(net)
    state = net.sessions[0].play.state
    assert (state.bag_of(bag).fate, state[bag].gold) == (None, 50)
    assert net.sessions[second].choice() is Choice.ACT


# -- attacks


def one_after_the_other(view: View) -> Move | None:
    """The first-drawn deputy would let the first bag pass, then the other one says the same; nothing else is done."""
    closed, (first, *others) = view.state.closed_bags, view.state.officers
    if not others:
        return waved_through(view)
    if len(closed) < 4:
        return None
    words = [word.seat for word in view.state.bag_of(closed[0]).stances]
    return Stance(view.seat, closed[0], PASS) if words == ([] if view.seat == first else [first]) else None


def instead_of(kind: type[Act], *acts: Act) -> Lie:
    """Writes these acts in place of an entry of the inspect phase that begins with this one."""

    def lie(cheat: Cheat, payload: Payload) -> Payload | None:
        is_it = isinstance(payload.acts[0], kind) and cheat.play.state.phase is Phase.INSPECT
        return Payload(acts) if is_it else None

    return lie


def test_the_sequencer_who_says_something_else_about_a_bag_that_both_agree_on_is_caught() -> None:
    first, _ = deputies()
    bag = game(acts=waits).sessions[0].play.state.closed_bags[0]
    net = game(cheat=first, lie=instead_of(Heeds, Moves(Stance(first, bag, INSPECT))), acts=one_after_the_other)
    assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")


def test_a_word_that_nobody_has_said_is_not_heeded() -> None:
    first, second = deputies()
    bags = game(acts=waits).sessions[0].play.state.closed_bags
    forged = Heeds(Stance(second, bags[1], PASS))
    net = game(cheat=first, lie=instead_of(Heeds, forged), acts=one_after_the_other)
    assert_caught(net, FaultCode.FORBIDDEN, "has not said that")


def test_an_acceptance_by_one_deputy_is_not_passed_off_as_that_of_both() -> None:
    first, second = deputies()
    owner = game(acts=waits).sessions[0].play.state.closed_bags[0]
    for forged in (Heeds(Accept(second, owner, 0)), Takes(second, 0)):
        net = game(
            cheat=first,
            lie=instead_of(Moves, forged),
            acts=lambda view: lets_pass(view) if view.seat == first else None,
            things=Things(gold=3),
        )
        assert_caught(net, FaultCode.FORBIDDEN, "has not")


def test_a_deputy_who_changes_the_mind_after_both_agreed_changes_nothing() -> None:
    first, second = deputies()
    net = game(cheat=second, acts=lambda view: one_after_the_other(view) if view.seat == first else None)
    bag = net.sessions[0].play.state.closed_bags[0]
    net.cheat.whisper(Stance(second, bag, PASS))
    net.cheat.whisper(Stance(second, bag, INSPECT))
    net._flush(second)
    net.run()
    assert_nobody_is_blamed(net)
    assert net.sessions[0].play.state.bag_of(bag).fate is PASS


def test_the_second_deputy_takes_no_step_while_bags_wait() -> None:
    _, second = deputies()
    net = game(cheat=second, acts=waits)
    bag = net.sessions[0].play.state.closed_bags[0]
    net.cheat.push(Moves(Stance(second, bag, PASS)))
    net._flush(second)
    net.run()
    assert_caught(net, FaultCode.OUT_OF_TURN)


def test_an_offer_that_was_replaced_between_the_words_of_two_deputies_is_not_closed() -> None:
    first, _ = deputies()
    owner = game(acts=waits).sessions[0].play.state.closed_bags[0]
    raised = Player(bag=peppered, says=[offers(Things(gold=9)), replaces(first, Things(gold=1), number=1)])

    def acts(view: View) -> Move | None:
        offer = own_bribe(view.state, owner)
        if offer is None or view.state.bag_of(owner).stance(view.seat) is not None:
            return None
        wanted = 0 if view.seat == first else 1
        return Accept(view.seat, *offer.name) if offer.number == wanted else None

    net = game(acts=acts, scripts=lambda: {owner: raised})
    assert_nobody_is_blamed(net)
    state = net.sessions[0].play.state
    assert state.loot.gold == 0
    assert state.bag_of(owner).fate is None


def replaces(deputy: Seat, things: Things, number: int) -> Callable[[View], Move | None]:
    """A merchant's next offer, once that deputy has said something for the last one."""

    def say(view: View) -> Move | None:
        own = view.state.bag_of(view.seat) if view.seat in view.state.closed_bags else None
        return offers(things, number)(view) if own is not None and own.stance(deputy) is not None else None

    return say


def swaps_the_picked_card(cheat: Cheat, payload: Payload) -> Payload | None:
    """Strips another card of the Loot than the one that was picked."""
    passing = cheat.play.passing
    if not isinstance(passing, Giving) or passing.give.giver != cheat.seat or not isinstance(payload.acts[0], Strips):
        return None
    other = next(card for card in cheat.play.state.loot.cards if card.handle not in passing.give.handles)
    change, point = payload.acts[0].change, cheat.play.cards[other.handle].point
    return Payload((Strips(with_points(change, [point, *points_of(change)[1:]])),))


def test_a_deputy_who_hands_over_another_card_of_the_loot_is_caught() -> None:
    _, second = deputies()
    net = game(cheat=second, lie=swaps_the_picked_card, things=Things(bag_blind=1))
    assert_caught(net, FaultCode.FALSE_PROOF)


# -- who leaves


@pytest.mark.parametrize("who", ["the first-drawn", "the second", "the giver", "another"])
def test_whoever_leaves_while_goods_lie_on_the_loot_every_card_is_there_once_and_five_go_on(who: str) -> None:
    first, second = deputies()
    merchants = game(acts=waits).sessions[0].play.state.merchants
    gone = {"the first-drawn": first, "the second": second, "the giver": merchants[0], "another": merchants[3]}[who]
    left: list[Seat] = []

    def acts(view: View) -> Move | None:
        bags = view.state.closed_bags
        return lets_pass(view) if left or (bags and bags[0] in merchants[:2]) else None

    net = game(things=Things(gold=2, bag=(("apples", 1),), bag_blind=1), acts=acts)
    assert len(net.sessions[0].play.state.loot.cards) == 4
    left.append(gone)
    put_out(net.sessions, gone)
    for seat in SIX.seats:
        net._flush(seat)
    net.run()
    assert_nobody_is_blamed(net)
    state = net.sessions[0].play.state
    assert (state.round, gone in state.seats, len(state.officers)) == (2, False, 1)
    assert not state.loot
    assert_every_card_is_there_once(GROUP, net)
