"""One history: nobody can tell it in two ways, out of turn, in another's name, or with words from elsewhere."""

from dataclasses import replace

import pytest

from p2p_sheriff.rules import Move, Phase, Seat, Setup
from p2p_sheriff.rules.moves import Accept, Declare, Inspect, Load, NameFirst, Offer, Pass, Things, Verb
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import Act, Commits, Moves, Opens, Payload, Seals, Shuffles
from p2p_sheriff.session.passes import Mixing, Tossing
from p2p_sheriff.session.session import Session
from protocol.entry import Entry, Head
from protocol.errors import InvalidSignatureError, MalformedError
from protocol.faults import FaultCode
from protocol.table import Turn
from protocol.transcript import Missing
from tests.table.bargains import waits
from tests.table.cheats import Cheat, Lie, Version, lies, moves_instead, tells_differently
from tests.table.tables import (
    MERCHANT,
    OTHER,
    SHERIFF,
    SHORT,
    Net,
    Script,
    assert_blames,
    assert_caught,
    assert_named,
    assert_nobody_is_blamed,
    played,
    seated,
    smuggled,
)


def at_the_inspection(seed: str, cheat: Seat) -> Net:
    """Everything waits for the sheriff to deal with the bags."""
    net = played(seed, cheat, scripts=lambda: {SHERIFF: Script(acts=waits), MERCHANT: Script()})
    assert all(session.play.state.phase is Phase.INSPECT for session in net.sessions)
    return net


# -- two entries with one number


class TestEquivocation:
    def test_two_entries_with_one_number_are_found_and_the_game_goes_on(self) -> None:
        net = at_the_inspection("two numbers", MERCHANT)
        one, two = (net.cheat.sign(("say", text)) for text in ("yes", "no"))
        net.tell(MERCHANT, one, SHERIFF)
        net.tell(MERCHANT, two, OTHER)
        net.run()
        # Nobody has built on either, so nothing is in dispute; the other entry arrives some day.
        net.tell(MERCHANT, two, SHERIFF)
        net.run()
        for session in net.honest:
            assert_blames(session, MERCHANT, FaultCode.EQUIVOCATION, "one number")
            assert {signed.to_bytes() for signed in session.table.faults[MERCHANT].evidence} == {one, two}
            assert session.play == net.honest[0].play

    @staticmethod
    def told_differently(other: Version, seat: Seat, setup: Setup | None = None) -> Net:
        """The next seat gets another version of an entry, and the cheat writes nothing more."""
        tamper = tells_differently((seat + 1) % 3, other)
        net = played("differently", seat, setup=setup, tamper=tamper, waits=lambda cheat: cheat.has_lied)
        assert net.cheat.has_lied
        for session in net.honest:
            assert_blames(session, seat, FaultCode.EQUIVOCATION, "one number")
        return net

    def test_different_commitments_to_a_bag_for_different_peers_are_found_before_a_bag_opens(self) -> None:
        def another(cheat: Cheat, _entry: Entry, act: Act) -> Act | None:
            match act:
                case Moves(Load(seat, _)):
                    return Moves(Load(seat, cheat.rng(32)))
                case _:
                    return None

        net = self.told_differently(another, MERCHANT)
        for session in net.honest:
            assert session.play.state.phase in (Phase.LOAD, Phase.DECLARE)
            assert not any(isinstance(act, Opens) for seat in (MERCHANT, OTHER) for act in acts_of(session, seat))

    def test_different_commitments_to_a_coin_for_different_peers_are_found_before_it_falls(self) -> None:
        def another(cheat: Cheat, _entry: Entry, act: Act) -> Act | None:
            return Commits(cheat.rng(32)) if isinstance(act, Commits) else None

        net = self.told_differently(another, OTHER, Setup(3, short=SHORT))
        assert all(session.play.state.officers == () for session in net.honest)

    def test_different_shuffles_for_different_peers_are_found_before_a_card_is_dealt(self) -> None:
        """Both are sound, and proved."""

        def another(cheat: Cheat, entry: Entry, _act: Act) -> Act | None:
            return cheat.secrets.answer(cheat.before, Turn(cheat.table.charter, entry, (), ()), 0)

        net = self.told_differently(another, SHERIFF)
        assert all(session.play.cards == {} for session in net.honest)

    def test_who_goes_on_after_two_entries_with_one_number_breaks_the_chain_for_one_of_the_peers(self) -> None:
        net = at_the_inspection("goes on", SHERIFF)
        let, step = Moves(Pass(SHERIFF, MERCHANT, for_nothing=True)), net.cheat.table.step
        net.tell(SHERIFF, net.cheat.sign(Payload((let,)).to_value(), step=step), OTHER)
        net.cheat.submit(Inspect(SHERIFF, MERCHANT))
        net.cheat.say("and now?")
        decision, question = net.cheat.outbox
        net.cheat.outbox.clear()
        net.tell(SHERIFF, decision, MERCHANT)
        net.tell(SHERIFF, question, MERCHANT, OTHER)
        net.run()
        assert_blames(net.sessions[OTHER], SHERIFF, FaultCode.BROKEN_CHAIN)
        assert_blames(net.sessions[MERCHANT], SHERIFF, FaultCode.EQUIVOCATION)
        assert not any(isinstance(act, Opens) for session in net.honest for act in acts_of(session, MERCHANT))


def acts_of(session: Session, seat: Seat) -> list[Act]:
    return [
        act
        for signed in session.table.transcript.chains[seat]
        if signed.entry.step is not None
        for act in Payload.from_value(signed.entry.payload).acts
    ]


# -- out of turn


class TestTurns:
    def test_a_merchant_cannot_act_as_the_sheriff(self) -> None:
        net = at_the_inspection("usurper", MERCHANT)
        net.cheat.push(Moves(Inspect(MERCHANT, OTHER)))
        net.run()
        assert_caught(net, FaultCode.OUT_OF_TURN)

    def test_nobody_moves_in_the_name_of_somebody_else(self) -> None:
        def of_another(_cheat: Cheat, move: Move) -> Move:
            assert isinstance(move, Declare)
            return replace(move, seat=OTHER)

        net = played("in the name", MERCHANT, moves_instead(Declare, of_another))
        assert_caught(net, FaultCode.FORBIDDEN, "own moves only")

    def test_a_bag_cannot_be_loaded_twice(self) -> None:
        """The first commitment counts."""
        net = at_the_inspection("loaded twice", MERCHANT)
        loaded = net.honest[0].play.state.bag_of(MERCHANT).commitment
        net.cheat.push(Moves(Load(MERCHANT, bytes(32))))
        net.run()
        assert_caught(net, FaultCode.OUT_OF_TURN)
        assert all(session.play.state.bag_of(MERCHANT).commitment == loaded for session in net.honest)

    def test_a_second_entry_in_a_step_that_all_take_at_once_is_refused(self) -> None:
        """All commit to a share of the coin; the cheat does it again. The first commitment counts."""
        net = seated("committed twice", OTHER, setup=Setup(3, short=SHORT))
        net.run(until=lambda play: isinstance(play.passing, Tossing) and not play.passing.is_committed)
        assert net.cheat.advance()
        (first,) = (act.commitment for act in acts_of(net.cheat, OTHER) if isinstance(act, Commits))
        net.cheat.push(Commits(bytes(32)))
        net.run()
        assert_named(net, FaultCode.OUT_OF_TURN)
        for session in net.honest:
            assert isinstance(session.play.passing, Tossing)
            assert session.play.passing.is_committed
            assert dict(session.play.passing.commitments)[OTHER] == first

    @pytest.mark.parametrize("gap", [-1, 1, 7])
    def test_an_entry_for_another_step_is_refused(self, gap: int) -> None:
        net = at_the_inspection("another step", SHERIFF)
        net.cheat.push(Moves(Inspect(SHERIFF, MERCHANT)), step=net.cheat.table.step + gap)
        net.run()
        assert_caught(net, FaultCode.OUT_OF_TURN)

    def test_a_second_decision_before_the_first_is_carried_out_is_refused(self) -> None:
        """The first one counts, and its bag opens."""
        net = at_the_inspection("second decision", SHERIFF)
        net.cheat.submit(Pass(SHERIFF, MERCHANT, for_nothing=True))
        net.cheat.push(Moves(Inspect(SHERIFF, OTHER)))
        net.run()
        assert_named(net, FaultCode.OUT_OF_TURN)
        assert all(session.play.state.closed_bags == (OTHER,) for session in net.honest)

    def test_two_decisions_in_one_entry_are_refused(self) -> None:
        net = at_the_inspection("two in one", SHERIFF)
        net.cheat.push(Moves(Inspect(SHERIFF, MERCHANT)), Moves(Inspect(SHERIFF, OTHER)))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "goes on only while")


# -- words from elsewhere


class TestReplays:
    def test_an_entry_of_another_game_is_no_entry_and_nobody_is_blamed_for_it(self) -> None:
        old, new = (seated(f"game {number}", MERCHANT) for number in (1, 2))
        old.run()
        entry = old.honest[0].table.transcript.chains[SHERIFF][0].to_bytes()
        new.tell(MERCHANT, entry)
        new.run()
        assert [(receiver, type(error)) for receiver, error in new.traffic.refused] == [
            (SHERIFF, MalformedError),
            (OTHER, MalformedError),
        ]
        assert "another game" in str(new.traffic.refused[0][1])
        assert_nobody_is_blamed(new)

    def test_what_was_proved_in_another_game_proves_nothing_in_this_one(self) -> None:
        """The cheat shuffles the deck as it did in a game that it knows: the same cards, key and proof."""
        old = seated("old game", SHERIFF)
        old.run()
        shuffled, attested, *_ = acts_of(old.cheat, SHERIFF)

        def has_nothing_to_prove(cheat: Cheat) -> bool:
            return not isinstance(cheat.play.passing, Mixing) or cheat.play.passing.is_listed

        lie = lies(Shuffles, lambda _cheat, _act: shuffled)
        net = played("new game", SHERIFF, lie, waits=has_nothing_to_prove)
        net.cheat.push(attested)
        net.run()
        assert_named(net, FaultCode.FALSE_PROOF)

    def test_what_was_proved_in_another_round_proves_nothing_in_this_one(self) -> None:
        """In both rounds the cheat brings an apple and a silk, and shows the apple."""

        def again(cheat: Cheat, payload: Payload) -> Payload | None:
            if cheat.play.state.round < 2 or not isinstance(payload.acts[0], Opens):
                return None
            return replace(payload, proof=next(one.proof for one in cheat.written_by(OTHER) if one.proof))

        scripts = {seat: Script(rounds=2) for seat in (SHERIFF, MERCHANT)}
        net = played("old proof", OTHER, again, scripts=lambda: {**scripts, OTHER: Script(rounds=2, bag=smuggled)})
        assert_caught(net, FaultCode.FALSE_PROOF)

    def test_an_entry_that_comes_again_changes_nothing(self) -> None:
        net = at_the_inspection("again", MERCHANT)
        before = net.honest[0].play
        for chain in net.cheat.table.transcript.chains:
            for signed in chain:
                net.tell(MERCHANT, signed.to_bytes())
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play == before

    def test_an_entry_with_a_forged_author_is_no_entry_and_nobody_is_blamed_for_it(self) -> None:
        net = at_the_inspection("forged", MERCHANT)
        before = net.honest[0].play
        forged = Payload((Moves(Pass(SHERIFF, MERCHANT, for_nothing=True)),)).to_value()
        net.tell(MERCHANT, net.cheat.sign(forged, step=net.cheat.table.step, author=SHERIFF))
        net.run()
        assert [type(error) for _, error in net.traffic.refused] == [InvalidSignatureError] * 2
        assert_nobody_is_blamed(net)
        assert net.honest[0].play == before

    def test_an_entry_that_was_changed_on_its_way_is_asked_for_again(self) -> None:
        """Whoever passes it on can change it, but not sign it: its author is not blamed."""
        changed: list[bytes] = []

        def tamper(_cheat: Cheat, sender: int, receiver: int, data: bytes) -> bytes:
            if (sender, receiver) != (SHERIFF, OTHER) or len(changed) == 3:
                return data
            changed.append(data)
            return data[:100] + bytes([data[100] ^ 1]) + data[101:]

        net = seated("changed", MERCHANT, tamper=tamper, scripts={MERCHANT: Script()})
        net.run()
        assert len(changed) == 3
        assert [receiver for receiver, _ in net.traffic.refused] == [OTHER] * 3
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state.round == 2


# -- heads


class TestHeads:
    @staticmethod
    def with_head(cheat: Cheat, seat: Seat, head: Head) -> tuple[Head, ...]:
        heads = list(cheat.table.transcript.heads)
        heads[seat] = head
        return tuple(heads)

    def test_heads_that_claim_entries_which_nobody_wrote_are_held_back_and_named_by_their_alleged_author(self) -> None:
        """The others can't know who lies: they wait, and know whom to ask."""
        net = at_the_inspection("claimed", MERCHANT)
        length = net.cheat.table.transcript.heads[OTHER].length
        heads = self.with_head(net.cheat, OTHER, Head(length + 1, bytes(32)))
        before = net.honest[0].play
        net.tell(MERCHANT, net.cheat.sign(("say", "as you said"), heads=heads))
        net.run()
        assert_blames(net.sessions[OTHER], MERCHANT, FaultCode.UNKNOWN_HEADS, "never wrote")
        assert net.sessions[SHERIFF].table.faults == {}
        assert net.sessions[SHERIFF].table.missing() == (Missing(OTHER, length, MERCHANT),)
        assert all(session.play == before for session in net.honest)

    def test_heads_with_another_hash_of_an_entry_that_exists_are_held_back_and_named_by_its_author(self) -> None:
        net = at_the_inspection("other hash", MERCHANT)
        length = net.cheat.table.transcript.heads[OTHER].length
        # The own last entry may have named it rightly: then the heads contradict themselves, and all can see it.
        net.sessions[OTHER].say("one more")
        net.run()
        heads = self.with_head(net.cheat, OTHER, Head(length + 1, bytes(32)))
        net.tell(MERCHANT, net.cheat.sign(("say", "not that one"), heads=heads))
        net.run()
        assert_blames(net.sessions[OTHER], MERCHANT, FaultCode.UNKNOWN_HEADS, "never wrote")
        assert net.sessions[SHERIFF].table.faults == {}
        assert net.sessions[SHERIFF].table.missing() == (Missing(OTHER, length, MERCHANT),)

    def test_heads_that_begin_with_another_game_are_refused_by_all(self) -> None:
        net = seated("other beginning", SHERIFF)
        heads = self.with_head(net.cheat, OTHER, Head(0, bytes(32)))
        net.tell(SHERIFF, net.cheat.sign(("say", "hello"), heads=heads))
        net._deliver()
        net._deliver()
        for session in net.honest:
            assert_blames(session, SHERIFF, FaultCode.UNKNOWN_HEADS, "another game")

    def test_heads_that_go_back_are_refused_by_all(self) -> None:
        net = at_the_inspection("back", MERCHANT)
        heads = self.with_head(net.cheat, SHERIFF, Head(0, net.cheat.table.charter.game))
        net.tell(MERCHANT, net.cheat.sign(("say", "I saw nothing"), heads=heads))
        net.run()
        for session in net.honest:
            assert_blames(session, MERCHANT, FaultCode.HEADS_WENT_BACK)

    def test_an_entry_that_does_not_follow_the_own_last_one_is_refused_by_all(self) -> None:
        net = at_the_inspection("broken", MERCHANT)
        length = net.cheat.table.transcript.heads[MERCHANT].length
        heads = self.with_head(net.cheat, MERCHANT, Head(length, bytes(32)))
        net.tell(MERCHANT, net.cheat.sign(("say", "I never said that"), heads=heads))
        net.run()
        for session in net.honest:
            assert_blames(session, MERCHANT, FaultCode.BROKEN_CHAIN)

    def test_a_sheriff_who_names_an_answer_to_an_acceptance_and_not_the_acceptance_is_refused_by_all(self) -> None:
        """Ann's question names Bob's acceptance: who has heard the one has heard the other, and must take it up."""
        net = at_the_inspection("deaf", SHERIFF)
        net.cheat.submit(Offer.bribe(SHERIFF, 0, MERCHANT, (SHERIFF,), (Bargain(MERCHANT, Verb.PASS),), Things(gold=9)))
        net.run()
        deaf = net.cheat.table.transcript.heads
        net.sessions[MERCHANT].submit(Accept(MERCHANT, SHERIFF, 0))
        data = net.sessions[MERCHANT].outbox.copy()
        net.sessions[MERCHANT].outbox.clear()
        for session in (net.sessions[OTHER], net.cheat):
            session.receive(data[0])
        net.sessions[OTHER].say("will you take it?")
        question = net.sessions[OTHER].table.transcript.head(OTHER)
        for entry in net.sessions[OTHER].outbox:
            net.sessions[MERCHANT].receive(entry)
            net.cheat.receive(entry)
        heads = (*deaf[:OTHER], question)
        lie = Payload((Moves(Inspect(SHERIFF, MERCHANT)),)).to_value()
        signed = net.cheat.sign(lie, step=net.cheat.table.step, heads=heads)
        before = net.honest[0].play
        for session in net.honest:
            session.receive(signed)
            assert {seat: fault.code for seat, fault in session.table.faults.items()} == {SHERIFF: FaultCode.OPEN_HEADS}
            assert session.play == before


class TestCoin:
    def test_a_share_that_is_revealed_before_all_have_seen_all_commitments_is_refused(self) -> None:
        """Who reveals at once may show a share to who has not committed: to another version of a commitment."""
        net = played("hasty", OTHER, setup=Setup(3, short=SHORT))
        for session in net.honest:
            assert_blames(session, OTHER, FaultCode.FORBIDDEN, "all have seen all commitments")
            assert isinstance(session.play.passing, Tossing)


# -- the end


def whole_game(lie: Lie) -> Net:
    scripts = {seat: Script(bag=lambda view: view.me.hand[:1], rounds=9) for seat in (SHERIFF, MERCHANT, OTHER)}
    return played("whole game", OTHER, lie, scripts=lambda: scripts)


def test_a_seal_under_another_score_is_refused() -> None:
    """Everybody signs the result; the game is not over for anyone while one signature is missing."""
    net = whole_game(lies(Seals, lambda _cheat, _act: Seals(bytes(32))))
    assert_named(net, FaultCode.FORBIDDEN, "not the result")
    for session in net.honest:
        assert session.play.state.phase is Phase.OVER
        assert not session.play.is_over
        assert session.play.sealed == (SHERIFF, MERCHANT)


def test_a_sheriff_who_names_no_merchant_begins_no_market() -> None:
    net = played("no merchant", SHERIFF, moves_instead(NameFirst, lambda _cheat, _move: NameFirst(SHERIFF, SHERIFF)))
    assert_caught(net, FaultCode.FORBIDDEN, "rule 4.1")
