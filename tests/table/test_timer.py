"""The time for the bags (rule 12.2): more than half end it, nobody alone, and no sheriff goes on after it."""

from collections.abc import Callable
from random import Random

import pytest

from p2p_sheriff.audit import audit
from p2p_sheriff.lab.simnet import Simnet, Weather, open_table
from p2p_sheriff.rules import Move, NotAllowed, Pack, Phase, Seat, Setup, View
from p2p_sheriff.rules.facts import Opened, TimeUp
from p2p_sheriff.rules.moves import Accept, Inspect, Offer, Pass, Things, UseMan, Verb
from p2p_sheriff.rules.moves import Act as Bargain
from p2p_sheriff.session.acts import FREE, Act, CallsTime, EndsTime, Moves, Payload, Takes
from p2p_sheriff.session.happenings import Happened, TimeCalled
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.replay import replay
from protocol.codec import Value
from protocol.faults import FaultCode
from tests.cases import some
from tests.drbg import Drbg
from tests.table.bands import MEN, Member, gathered, with_man, with_modules
from tests.table.bargains import bribe, waits
from tests.table.cheats import Cheat, honest, never
from tests.table.tables import (
    GROUP,
    MERCHANT,
    OTHER,
    SHERIFF,
    SHORT,
    Net,
    Script,
    assert_blames,
    assert_caught,
    assert_nobody_is_blamed,
    played,
    smuggled,
)
from tests.table.test_resume import assert_same, come_back, written_down
from tests.table.test_several_parties import assert_audited

TIMED = Setup(3, options=frozenset({"timer"}), short=SHORT, candidates=(SHERIFF,))
LAST = Seat(3)
FOUR = Setup(4, options=frozenset({"timer"}), short=(*SHORT, ("mead", 8)), candidates=(SHERIFF,))


def sits_still(cheat: Cheat) -> bool:
    """A sheriff's node that does no duty while there are bags."""
    return bool(cheat.play.state.closed_bags)


def inspecting(seed: str, cheat: Seat = OTHER, *, setup: Setup = TIMED, still: bool = False) -> Net:
    """Everybody has declared, and the sheriff thinks; if it is the cheat, its node too, for ever."""
    scripts = {SHERIFF: Script(acts=waits), MERCHANT: Script(bag=smuggled, says=[bribe(Things(gold=9))])}
    return played(seed, cheat, scripts=lambda: scripts, setup=setup, waits=sits_still if still else never)


def call(net: Net, *seats: Seat) -> None:
    """By the clocks of these the time is up, in this order, and all hear of it."""
    for seat in seats:
        net.sessions[seat].call_time(net.sessions[seat].play.state.round)
        net._flush(seat)
    net.run()


def inputs(net: Simnet, seat: Seat = SHERIFF) -> list[object]:
    """Returns what a node has put into the rules."""
    return [item for at, event in net.events if at == seat and isinstance(event, Happened) for item in event.inputs]


def gold(net: Net) -> list[int]:
    return [player.gold for player in net.sessions[SHERIFF].play.state.players]


def put_out(net: Net, seat: Seat) -> None:
    """All others go on without somebody."""
    for session in net.honest:
        session.vote((seat,))
        net._flush(session.seat)
    net.run()


class TestTheTimeIsUp:
    def test_when_more_than_half_call_time_all_bags_pass_from_the_sheriffs_left_and_no_bribe_is_due(self) -> None:
        net = inspecting("majority")
        call(net, MERCHANT, OTHER)
        items = inputs(net)
        assert [item.seat for item in items if isinstance(item, Opened)] == [MERCHANT, OTHER]
        assert items.count(TimeUp(1, Phase.INSPECT)) == 1
        assert gold(net) == [50, 50, 50]
        assert [session.play.state.round for session in net.sessions] == [2, 2, 2]
        assert all(session.play.negotiation.times == frozenset() for session in net.sessions)
        assert_nobody_is_blamed(net)

    def test_the_sheriffs_own_word_counts_like_any_other(self) -> None:
        net = inspecting("sheriff too")
        call(net, SHERIFF, OTHER)
        assert all(session.play.state.round == 2 for session in net.sessions)

    @pytest.mark.parametrize("seat", [SHERIFF, MERCHANT, OTHER])
    def test_one_clock_alone_ends_nothing(self, seat: Seat) -> None:
        net = inspecting("alone")
        call(net, seat, seat, seat)
        assert all(session.play.state.closed_bags == (MERCHANT, OTHER) for session in net.sessions)
        assert {(event.seat, event.round) for _, event in net.events if isinstance(event, TimeCalled)} == {(seat, 1)}
        net.sessions[SHERIFF].submit(Inspect(SHERIFF, MERCHANT))
        net.run()
        assert_nobody_is_blamed(net)

    def test_exactly_half_is_not_enough(self) -> None:
        net = inspecting("half", setup=FOUR)
        call(net, MERCHANT, OTHER)
        assert all(len(session.play.state.closed_bags) == 3 for session in net.sessions)
        call(net, LAST)
        assert all(session.play.state.round == 2 for session in net.sessions)

    def test_what_the_sheriff_did_before_counts(self) -> None:
        net = inspecting("before")
        net.sessions[SHERIFF].submit(Accept(SHERIFF, MERCHANT, 0))
        net.run()
        call(net, MERCHANT, OTHER)
        assert gold(net) == [59, 41, 50]
        assert [item.seat for item in inputs(net) if isinstance(item, Opened)] == [MERCHANT, OTHER]
        assert_nobody_is_blamed(net)

    def test_an_act_that_crosses_the_words_on_the_way_counts_too(self) -> None:
        """The sheriff had not seen them: nobody is judged by what others know."""
        net = inspecting("crossing")
        for seat in (MERCHANT, OTHER):
            net.sessions[seat].call_time(1)
        net.sessions[SHERIFF].submit(Accept(SHERIFF, MERCHANT, 0))
        for seat in (SHERIFF, MERCHANT, OTHER):
            net._flush(seat)
        net.run()
        assert gold(net) == [59, 41, 50]
        assert inputs(net).count(TimeUp(1, Phase.INSPECT)) == 1
        assert_nobody_is_blamed(net)

    def test_a_bag_that_passes_with_others_has_passed_when_it_is_open_and_both_programs_say_so(self) -> None:
        """Alan-a-Dale, in the first of them, finds nobody to pay him."""
        members = {SHERIFF: Member(acts=waits), MERCHANT: Member(bag=with_man, keeps="Alan-a-Dale")}
        setup = with_modules("merry-men", "timer")
        net = gathered("all at once", setup, SHERIFF, honest, lambda: members, {Pack.MERRY_MEN: MEN})
        call(net, MERCHANT, OTHER)
        assert gold(net) == [50, 56, 50]
        assert not any(isinstance(item, UseMan) for item in inputs(net))
        assert_audited(net)

    def test_the_bags_wait_until_all_have_seen_that_the_time_is_up(self) -> None:
        net = played("seen", OTHER, scripts=lambda: {SHERIFF: Script(acts=waits)}, setup=TIMED)
        for seat in (MERCHANT, OTHER):
            net.sessions[seat].call_time(1)
            for other in net.sessions:
                if other.seat != seat:
                    other.receive(net.sessions[seat].outbox[-1])
        assert net.sessions[SHERIFF].advance()
        net.sessions[MERCHANT].receive(net.sessions[SHERIFF].outbox[-1])
        before = net.sessions[MERCHANT].play
        while net.sessions[MERCHANT].advance():
            pass
        assert net.sessions[MERCHANT].play == before
        net.sessions[OTHER].receive(net.sessions[SHERIFF].outbox[-1])
        assert net.sessions[OTHER].advance()
        net.sessions[MERCHANT].receive(net.sessions[OTHER].outbox[-1])
        assert net.sessions[MERCHANT].advance()
        assert any(isinstance(change.item, Opened) for change in net.sessions[MERCHANT].play.changes)

    def test_a_player_who_acts_when_it_is_too_late_is_told_so(self) -> None:
        net = inspecting("too late", SHERIFF, still=True)
        call(net, MERCHANT, OTHER)
        with pytest.raises(NotAllowed, match=r"rule 12\.2"):
            net.cheat.submit(Pass(SHERIFF, MERCHANT))

    def test_time_cannot_be_called_by_a_player_when_no_bag_is_left(self) -> None:
        net = inspecting("no bag left")
        call(net, MERCHANT, OTHER)
        written = len(net.sessions[MERCHANT].table.transcript.chains[MERCHANT])
        call(net, MERCHANT)
        assert len(net.sessions[MERCHANT].table.transcript.chains[MERCHANT]) == written

    def test_a_sheriff_who_stalls_is_put_out_like_anybody_and_the_bags_pass(self) -> None:
        net = inspecting("stalls", SHERIFF, setup=FOUR, still=True)
        call(net, MERCHANT, OTHER, LAST)
        put_out(net, SHERIFF)
        assert all(session.play.state.round == 2 for session in net.honest)
        assert_nobody_is_blamed(net)

    @pytest.mark.parametrize("gone", [LAST, OTHER])
    def test_who_is_out_is_not_counted_and_takes_the_own_word_along(self, gone: Seat) -> None:
        """Two of four are not enough; without a third one they are, without one of the two they are not."""
        net = inspecting("leaves", gone, setup=FOUR)
        call(net, MERCHANT, OTHER)
        put_out(net, gone)
        assert {session.play.state.round for session in net.honest} == {2 if gone == LAST else 1}
        assert_nobody_is_blamed(net)

    def test_who_comes_back_after_time_was_called_knows_it_and_a_sheriff_then_ends_the_time(self) -> None:
        net = inspecting("comes back", SHERIFF, still=True)
        call(net, MERCHANT, OTHER)
        merchant, sheriff = (come_back(one, written_down(one)) for one in (net.sessions[OTHER], net.cheat))
        assert_same(merchant, net.sessions[OTHER])
        assert sheriff.advance()
        assert any(TimeUp(1, Phase.INSPECT) in event.inputs for event in sheriff.events if isinstance(event, Happened))

    def test_the_audit_accepts_it_and_a_replay_tells_it(self) -> None:
        net = inspecting("audit")
        call(net, MERCHANT, OTHER)
        record = record_of(net.sessions[OTHER].table)
        moments = [*replay(record, GROUP, Drbg("auditor"))]
        assert moments[-1].play == net.sessions[OTHER].play
        assert "unfinished" in str(audit(record.to_bytes(), GROUP)).lower()


class TestSheriffs:
    """The sheriff cheats, and knows that more than half have called time."""

    @pytest.mark.parametrize(
        "act",
        [
            Moves(Pass(SHERIFF, MERCHANT)),
            Moves(Pass(SHERIFF, OTHER, for_nothing=True)),
            Moves(Inspect(SHERIFF, OTHER)),
            Moves(Accept(SHERIFF, MERCHANT, 0)),
        ],
    )
    def test_nobody_acts_on_a_bag_when_the_time_is_up(self, act: Act) -> None:
        net = inspecting("acts on", SHERIFF, still=True)
        call(net, MERCHANT, OTHER)
        net.cheat.push(act)
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "the time for the bags is up")

    def test_no_acceptance_is_taken_up_when_the_time_is_up(self) -> None:
        offer = Offer.bribe(SHERIFF, 0, OTHER, (SHERIFF,), (Bargain(OTHER, Verb.PASS),), Things(gold=9))
        net = inspecting("takes", SHERIFF, still=True)
        net.cheat.whisper(offer)
        net.run()
        net.sessions[OTHER].submit(Accept(OTHER, SHERIFF, 0))
        call(net, MERCHANT, OTHER)
        net.cheat.push(Takes(OTHER, 0))
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "the time for the bags is up")

    @pytest.mark.parametrize("callers", [(), (MERCHANT,), (SHERIFF,)], ids=["nobody", "one merchant", "the sheriff"])
    def test_no_sheriff_ends_the_time_before_more_than_half_have_called_it(self, callers: tuple[Seat, ...]) -> None:
        net = inspecting("too early", SHERIFF, still=True)
        call(net, *callers)
        net.cheat.push(EndsTime())
        net.run()
        assert_caught(net, FaultCode.FORBIDDEN, "not before")

    def test_a_sheriff_who_has_not_seen_the_words_cannot_end_the_time(self) -> None:
        """All others have them: but everybody is judged by the own heads."""
        net = inspecting("blind", SHERIFF, still=True)
        heads = net.cheat.table.transcript.heads
        call(net, MERCHANT, OTHER)
        step = net.cheat.table.step
        net.cheat.has_lied, net.cheat.before = True, net.cheat.play
        net.tell(SHERIFF, net.cheat.sign(Payload((EndsTime(),)).to_value(), step=step, heads=heads))
        net.run()
        for session in net.honest:
            assert_blames(session, SHERIFF, FaultCode.FORBIDDEN, "not before")

    def test_no_merchant_ends_the_time(self) -> None:
        net = inspecting("merchant ends", MERCHANT)
        call(net, OTHER)
        net.cheat.push(EndsTime())
        net.run()
        assert_caught(net, FaultCode.OUT_OF_TURN)


class TestWords:
    @pytest.mark.parametrize("number", [0, 2, 99])
    def test_time_of_another_round_is_void(self, number: int) -> None:
        net = inspecting("another round")
        for seat in (MERCHANT, OTHER):
            net.sessions[seat]._speak(CallsTime(number))
            net._flush(seat)
        net.run()
        net.sessions[SHERIFF].submit(Inspect(SHERIFF, MERCHANT))
        net.run()
        assert_nobody_is_blamed(net)
        assert net.honest[0].play.state.bag_of(MERCHANT).fate is Verb.INSPECT

    @pytest.mark.parametrize("payload", [("time",), ("time", -1), ("time", 100), ("time", "1"), ("time", 1, 1)])
    def test_words_of_another_form_are_a_fault_at_once(self, payload: Value) -> None:
        net = inspecting("another form")
        net.tell(OTHER, net.cheat.sign(payload))
        net.run()
        for session in net.honest:
            assert_blames(session, OTHER, FaultCode.MALFORMED)

    def test_where_no_time_is_agreed_on_the_word_is_not_known(self) -> None:
        net = inspecting("untimed", setup=Setup(3, short=SHORT, candidates=(SHERIFF,)))
        net.tell(OTHER, net.cheat.sign(FREE.write(CallsTime(1))))
        net.run()
        for session in net.honest:
            assert_blames(session, OTHER, FaultCode.MALFORMED, "no time runs out")


class Clocks(Simnet):
    """A table of thinkers whose clocks run out at any moment of the inspect phase, in any order."""

    def _deliver(self) -> bool:
        for session in self.sessions:
            if self._rng.random() < 0.02:
                session.call_time(session.play.state.round)
                self._flush(session.seat)
        return super()._deliver()


def decides(rng: Random) -> Callable[[View], Move | None]:
    """A sheriff who passes and inspects as chance will have it."""
    return lambda view: rng.choice((Pass, Inspect))(view.seat, view.state.closed_bags[0])


def offers_something(view: View) -> Move | None:
    """A merchant who offers a bribe as soon as the own node knows that all have declared."""
    is_open = view.state.phase is Phase.INSPECT and view.seat in view.state.closed_bags
    return bribe(Things(gold=2))(view) if is_open else None


@pytest.mark.parametrize("seed", some(range(100), few=12))
def test_whenever_clocks_run_out_and_words_arrive_all_nodes_have_the_same_game(seed: int) -> None:
    rng = Random(seed)
    weather = Weather(loss=0.3 * rng.random(), duplicates=0.3 * rng.random(), disorder=rng.random())
    scripts = [Script(acts=decides(rng)), *(Script(says=[offers_something]) for _ in TIMED.seats[1:])]
    net = Clocks(open_table(TIMED, GROUP, Drbg(f"clocks {seed}")), scripts, rng, weather)
    net.run()
    for session in net.sessions:
        assert session.table.faults == {}
        assert session.play == net.sessions[0].play
        assert session.play.state.round == 2
    assert [*replay(record_of(net.sessions[0].table), GROUP, Drbg("auditor"))][-1].play == net.sessions[0].play
