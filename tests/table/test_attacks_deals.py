"""No deal can be broken, altered, paid with what is not there, or used to pry a card out of its owner."""

from collections.abc import Mapping

import pytest

from p2p_sheriff.rules import Claim, Handle, Kind, Phase, Seat
from p2p_sheriff.rules.moves import (
    Accept,
    HandOver,
    Inspect,
    Move,
    Offer,
    Pass,
    Refuse,
    Talk,
    Things,
    Verb,
    Withdraw,
)
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import FREE, Act, Locks, Moves, Negotiates, Opens, Payload, Proves, Shows, Strips, Takes
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.passes import Giving
from protocol.codec import Value
from protocol.faults import FaultCode
from protocol.group import GENERATOR
from protocol.zones import Statement
from tests.table.bargains import LOYAL, bribe, in_the_second_round, takes_bribes, two_silk, waits
from tests.table.cheats import Cheat, Lie, moves_instead, points_of, with_points
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    Net,
    Script,
    assert_blames,
    assert_caught,
    assert_nobody_is_blamed,
    played,
    seated,
    smuggled,
)

PASS_IT = (Bargain(MERCHANT, Verb.PASS),)
# -- promised goods


def denied(cheat: Cheat, kept: tuple[Act, ...], shown: tuple[Claim, ...], rest: tuple[Handle, ...]) -> Payload:
    """Shows these cards, and says of the others that there is no silk among them."""
    labels = labels_of(GROUP, cheat.play.state.setup)
    no_silk: tuple[Kind, ...] = tuple(kind for kind in cheat.play.state.setup.contraband if kind != "silk")
    acts = (*kept, Shows(shown), Proves())
    statements = [Statement(cheat.play.cards[handle], labels.among((kind,))) for handle, kind in shown]
    statements += [Statement(cheat.play.cards[handle], labels.among(no_silk)) for handle in rest]
    return Payload(acts, cheat.prove(len(acts), statements))


class TestPromisedGoods:
    def test_silk_promised_from_the_bag_cannot_be_denied(self) -> None:
        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Opens(handles) as opens, Shows(cards), *_):
                    shown = tuple((handle, kind) for handle, kind in cards if kind != "silk")
                    return denied(cheat, (opens,), shown, tuple(one for one in handles if one not in dict(shown)))
                case _:
                    return None

        def scripts() -> Mapping[Seat, Script]:
            silk = bribe(Things(bag=(("silk", 1),)))
            return {SHERIFF: Script(acts=takes_bribes), MERCHANT: Script(bag=smuggled, says=[silk])}

        net = played("denied silk", MERCHANT, lie, scripts=scripts)
        assert_caught(net, FaultCode.FALSE_PROOF)
        for session in net.honest:
            assert session.play.state.bag_of(MERCHANT).fate is Verb.PASS
            assert session.play.state.bag_of(MERCHANT).handles == ()

    def test_silk_promised_from_the_stack_cannot_be_denied(self) -> None:
        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts:
                case (Shows(),) if cheat.play.state.phase is Phase.INSPECT:
                    return denied(cheat, (), (), cheat.play.state[LOYAL].stack)
                case _:
                    return None

        net = played("denied stack", LOYAL, lie, scripts=lambda: in_the_second_round(Things(stack=(("silk", 1),))))
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(len(session.play.state[LOYAL].stack) == 2 for session in net.honest)

    def test_cards_of_the_hand_cannot_be_handed_over_in_place_of_those_in_the_bag(self) -> None:
        def of_the_hand(cheat: Cheat, move: Move) -> Move:
            return HandOver(move.seat, cheat.play.state[MERCHANT].hand[:1])

        def scripts() -> Mapping[Seat, Script]:
            blind = bribe(Things(bag_blind=1))
            return {SHERIFF: Script(acts=takes_bribes), MERCHANT: Script(bag=two_silk, says=[blind])}

        net = played("hand card", MERCHANT, moves_instead(HandOver, of_the_hand), scripts=scripts)
        assert_caught(net, FaultCode.FORBIDDEN, "of those that can be given")
        assert all(session.play.state[SHERIFF].stack == () for session in net.honest)

    def test_fewer_cards_than_promised_cannot_be_handed_over(self) -> None:
        def none_at_all(_cheat: Cheat, move: Move) -> Move:
            return HandOver(move.seat, ())

        def scripts() -> Mapping[Seat, Script]:
            blind = bribe(Things(bag_blind=1))
            return {SHERIFF: Script(acts=takes_bribes), MERCHANT: Script(bag=two_silk, says=[blind])}

        net = played("too few", MERCHANT, moves_instead(HandOver, none_at_all), scripts=scripts)
        assert_caught(net, FaultCode.FORBIDDEN, "promised 1")


class TestGiving:
    @staticmethod
    def gives() -> Mapping[Seat, Script]:
        silk = bribe(Things(bag=(("silk", 1),)))
        return {SHERIFF: Script(acts=takes_bribes), MERCHANT: Script(bag=smuggled, says=[silk])}

    @staticmethod
    def garbled(kind: "type[Locks] | type[Strips]") -> Lie:
        def lie(cheat: Cheat, payload: Payload) -> Payload | None:
            match payload.acts[0]:
                case (Locks(change) | Strips(change)) as act if isinstance(cheat.play.passing, Giving):
                    assert isinstance(act, kind)
                    points = points_of(change)
                    return Payload((kind(with_points(change, [GROUP.add(points[0], GENERATOR), *points[1:]])),))
                case _:
                    return None

        return lie

    def test_a_lock_of_the_receiver_that_makes_garbage_is_refused_before_the_giver_strips(self) -> None:
        net = played("garbage lock", SHERIFF, self.garbled(Locks), scripts=self.gives)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(isinstance(session.play.passing, Giving) for session in net.honest)

    def test_a_strip_of_the_giver_that_makes_garbage_is_refused(self) -> None:
        net = played("garbage strip", MERCHANT, self.garbled(Strips), scripts=self.gives)
        assert_caught(net, FaultCode.FALSE_PROOF)
        assert all(session.play.state[SHERIFF].stack == () for session in net.honest)


# -- offers


class TestOffers:
    def test_an_offer_of_gold_that_is_not_there_is_void(self) -> None:
        """Nobody is blamed for words; they have no effect."""

        def scripts() -> Mapping[Seat, Script]:
            return {SHERIFF: Script(acts=waits)}

        net = played("gold", MERCHANT, scripts=scripts)
        gold = Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=51))
        net.cheat.whisper(gold)
        net.run()
        net.sessions[SHERIFF].submit(Pass(SHERIFF, MERCHANT))
        net.run()
        assert_nobody_is_blamed(net)
        for session in net.honest:
            assert session.play.state.bag_of(MERCHANT).fate is Verb.PASS
            assert [player.gold for player in session.play.state.players] == [50, 50, 50]

    @pytest.mark.parametrize(
        "payment",
        [Things(gold=51), Things(stall=(("apples", 1),)), Things(stack_blind=1), Things(bag_blind=3)],
        ids=["gold", "stall", "stack", "bag"],
    )
    def test_a_sheriff_cannot_close_a_deal_about_what_is_not_there(self, payment: Things) -> None:
        """The merchant is in league with the sheriff, and offers it."""
        net = played("close gold", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT]._speak(negotiates(bribe(payment)(net.sessions[MERCHANT].view())))
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, MERCHANT, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "does not stand")

    def test_gold_cannot_be_spent_twice(self) -> None:
        """Two offers of all the gold stand side by side; once one is closed, the other can't be."""
        net = played("twice", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        merchant, everything = net.sessions[MERCHANT], Things(gold=50)
        merchant.submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, everything))
        merchant.submit(Offer.bribe(MERCHANT, 1, MERCHANT, (SHERIFF,), (Bargain(OTHER, Verb.INSPECT),), everything))
        net.run()
        net.cheat.submit(Accept(SHERIFF, MERCHANT, 0))
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, MERCHANT, 1)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "only 0 gold")
        assert net.honest[0].play.state[SHERIFF].gold == 100

    def test_a_withdrawn_offer_cannot_be_closed(self) -> None:
        net = played("withdrawn", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9)))
        net.sessions[MERCHANT].submit(Withdraw(MERCHANT, 0))
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, MERCHANT, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "does not stand")

    def test_an_offer_that_was_altered_cannot_be_closed_as_it_was(self) -> None:
        net = played("altered", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9)))
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 1, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=2)))
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, MERCHANT, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "does not stand")

    def test_a_refused_offer_cannot_be_closed_by_who_has_refused_it(self) -> None:
        net = played("refused", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9)))
        net.run()
        net.cheat.submit(Refuse(SHERIFF, MERCHANT, 0))
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, MERCHANT, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "does not stand")

    @pytest.mark.parametrize("name", [MERCHANT, OTHER, SHERIFF])
    def test_nobody_refuses_an_offer_who_is_no_party_nor_in_the_name_of_one(self, name: Seat) -> None:
        """Somebody who would like the bag to be inspected refuses its owner's bribe: void, or a fault at once."""
        net = played("stranger refuses", OTHER, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9)))
        net.run()
        net.tell(OTHER, net.cheat.sign(FREE.write(Negotiates(Refuse(name, MERCHANT, 0)))))
        net.run()
        net.sessions[SHERIFF].submit(Pass(SHERIFF, MERCHANT))
        net.run()
        for session in net.honest:
            assert set(session.table.faults) == (set() if name == OTHER else {OTHER})
            assert [player.gold for player in session.play.state.players] == [59, 41, 50]

    def test_nobody_offers_in_the_name_of_somebody_else(self) -> None:
        """The words of one seat with the name of another are a fault at once, and can't be closed."""
        net = played("ghost offer", OTHER, scripts=lambda: {SHERIFF: Script(acts=waits)})
        ghost = Negotiates(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=50)))
        net.tell(OTHER, net.cheat.sign(FREE.write(ghost)))
        net.run()
        net.sessions[SHERIFF].submit(Pass(SHERIFF, MERCHANT))
        net.run()
        for session in net.honest:
            assert_blames(session, OTHER, FaultCode.FORBIDDEN, "own offers only")
            assert session.play.state[MERCHANT].gold == 50

    @pytest.mark.parametrize(
        "payload", [("shout", "hello"), ("say", 5), ("see",), (), "hello", ("negotiate", ("Declare", 2, 1, "apples"))]
    )
    def test_words_of_an_unknown_kind_are_a_fault_at_once(self, payload: Value) -> None:
        net = seated("unknown words", OTHER)
        net.tell(OTHER, net.cheat.sign(payload))
        while net._deliver():
            pass
        for session in net.honest:
            assert_blames(session, OTHER, FaultCode.MALFORMED)
            assert session.table.transcript.chains[OTHER] == []


def negotiates(move: Move | None) -> Negotiates:
    assert isinstance(move, Talk | Accept)
    return Negotiates(move)


class TestAcceptances:
    """The sheriff has offered to let a bag pass for 9 gold, and its owner has accepted."""

    OFFER = Offer.bribe(SHERIFF, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9))

    def accepted(self, seed: str) -> Net:
        """Everything waits for the sheriff, who knows of the acceptance."""
        scripts = {SHERIFF: Script(acts=waits, says=[lambda _view: self.OFFER])}
        net = played(seed, SHERIFF, scripts=lambda: scripts, waits=lambda cheat: bool(cheat.play.state.closed_bags))
        net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
        net.run()
        return net

    @pytest.mark.parametrize("move", [Inspect(SHERIFF, MERCHANT), Pass(SHERIFF, MERCHANT, for_nothing=True)])
    def test_an_acceptance_cannot_be_ignored(self, move: Move) -> None:
        net = self.accepted("ignored")
        net.cheat.push(Moves(move))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")

    def test_another_offer_about_the_same_bag_cannot_be_preferred(self) -> None:
        net = self.accepted("preferred")
        better = Offer.bribe(OTHER, 0, OTHER, (SHERIFF,), (Bargain(MERCHANT, Verb.INSPECT),), Things(gold=40))
        net.sessions[OTHER].submit(better)
        net.run()
        net.cheat.push(Moves(Accept(SHERIFF, OTHER, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")

    def test_an_offer_cannot_be_withdrawn_once_it_was_accepted(self) -> None:
        """The merchant sees the withdrawal, and says so: but it came too late."""
        net = self.accepted("too late")
        net.cheat.whisper(Withdraw(SHERIFF, 0))
        net.run()
        net.sessions[MERCHANT].say("What?")
        net.run()
        net.cheat.push(Moves(Inspect(SHERIFF, MERCHANT)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")

    def test_an_offer_cannot_be_altered_once_it_was_accepted(self) -> None:
        net = self.accepted("raised")
        net.cheat.whisper(Offer.bribe(SHERIFF, 1, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=30)))
        net.run()
        net.sessions[MERCHANT].say("What?")
        net.run()
        net.cheat.push(Moves(Inspect(SHERIFF, MERCHANT)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "must be taken up")

    @pytest.mark.parametrize(
        "move", [Withdraw(SHERIFF, 0), Offer.bribe(SHERIFF, 1, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=30))]
    )
    def test_an_offer_cannot_be_taken_back_by_an_entry_that_takes_a_step(self, move: Move) -> None:
        net = self.accepted("step back")
        net.cheat.push(Moves(move))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN)

    def test_the_acceptance_of_one_offer_does_not_close_another(self) -> None:
        net = self.accepted("another")
        net.cheat.whisper(Offer.bribe(SHERIFF, 1, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=30)))
        net.run()
        net.cheat.push(Takes(MERCHANT, 1))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "has not accepted offer 1")

    def test_an_acceptance_that_was_never_given_closes_nothing(self) -> None:
        net = self.accepted("never given")
        net.cheat.whisper(Offer.bribe(SHERIFF, 1, OTHER, (SHERIFF,), (Bargain(OTHER, Verb.PASS),), Things(gold=9)))
        net.run()
        net.cheat.push(Takes(OTHER, 1))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "seat 2 has not accepted")

    def test_an_offer_that_was_withdrawn_in_time_binds_nobody(self) -> None:
        """The merchant had seen the withdrawal before accepting: the sheriff is free, and nobody is blamed."""
        scripts = {SHERIFF: Script(acts=waits, says=[lambda _view: self.OFFER])}
        net = played("in time", SHERIFF, scripts=lambda: scripts)
        net.cheat.submit(Withdraw(SHERIFF, 0))
        net.run()
        net.sessions[MERCHANT]._speak(Negotiates(Accept(MERCHANT, SHERIFF, 0)))
        net.run()
        net.cheat.submit(Inspect(SHERIFF, MERCHANT))
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state.bag_of(MERCHANT).fate is Verb.INSPECT


class TestRefusalsOfTheSheriffsOffers:
    """The sheriff has offered to let a bag pass for 9 gold, and its owner knows."""

    OFFER = TestAcceptances.OFFER

    def asked(self, seed: str, cheat: Seat = OTHER) -> Net:
        scripts = {SHERIFF: Script(acts=waits, says=[lambda _view: self.OFFER])}
        return played(seed, cheat, scripts=lambda: scripts)

    def test_what_was_refused_is_gone_for_everybody_and_binds_nobody(self) -> None:
        net = self.asked("no")
        net.sessions[MERCHANT].submit(Refuse(MERCHANT, SHERIFF, 0))
        net.run()
        assert all(session.view().state.offers == () for session in net.sessions)
        net.sessions[SHERIFF].submit(Inspect(SHERIFF, MERCHANT))
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state.bag_of(MERCHANT).fate is Verb.INSPECT

    def test_who_has_accepted_and_then_refused_is_not_bound_once_the_sheriff_knows_both(self) -> None:
        scripts = {SHERIFF: Script(acts=waits, says=[lambda _view: self.OFFER])}
        net = played(
            "yes, no", SHERIFF, scripts=lambda: scripts, waits=lambda cheat: bool(cheat.play.state.closed_bags)
        )
        net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
        net.sessions[MERCHANT]._speak(Negotiates(Refuse(MERCHANT, SHERIFF, 0)))
        net.run()
        net.cheat.push(Moves(Inspect(SHERIFF, MERCHANT)))
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state[SHERIFF].gold <= 50 + 4 * 5

    def test_a_third_one_cannot_refuse_what_the_sheriff_has_offered(self) -> None:
        net = self.asked("a third one")
        net.cheat.whisper(Refuse(OTHER, SHERIFF, 0))
        net.run()
        net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state[MERCHANT].gold == 41

    def test_a_refusal_is_no_step(self) -> None:
        net = played("step", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        net.sessions[MERCHANT].submit(Offer.bribe(MERCHANT, 0, MERCHANT, (SHERIFF,), PASS_IT, Things(gold=9)))
        net.run()
        net.cheat.push(Moves(Refuse(SHERIFF, MERCHANT, 0)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "take no step")

    def test_two_offers_of_the_sheriffs_both_count_whoever_has_seen_theirs_first(self) -> None:
        """Who is asked second answers first: the question to the other one stands all the same."""
        net = self.asked("both")
        net.sessions[SHERIFF].submit(
            Offer.bribe(SHERIFF, 1, OTHER, (SHERIFF,), (Bargain(OTHER, Verb.PASS),), Things(gold=3))
        )
        net.run()
        net.sessions[OTHER].submit(Accept(OTHER, SHERIFF, 1))
        net.run()
        net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
        net.run()
        assert_nobody_is_blamed(net)
        assert [player.gold for player in net.honest[0].play.state.players] == [62, 41, 47]
