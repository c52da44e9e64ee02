"""Who tells different peers different things gets no secret out of anybody."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from p2p_sheriff.rules import Choice, Choose, Move, Phase, Seat, Setup, View
from p2p_sheriff.rules.moves import Accept, Declare, Inspect, Pass, PayInKind, Things
from p2p_sheriff.session.acts import Act, Moves, Opens, Payload, Shows, Strips
from protocol.entry import Entry
from protocol.faults import FaultCode
from tests.table.bargains import (
    LOYAL,
    SECOND_SHERIFF,
    bribe,
    in_the_second_round,
    takes_bribes,
    two_silk,
    waits,
    written,
)
from tests.table.cheats import Cheat, tells_differently
from tests.table.departures import put_out
from tests.table.tables import MERCHANT, OTHER, SHERIFF, Net, Script, assert_blames, of_kind, played


def tell_differently(net: Net, one: Move, to_one: Seat, other: Move, to_other: Seat) -> None:
    """The cheat signs two decisions with one number, and carries on with the first."""
    cheat = net.cheat
    two = cheat.sign(Payload((Moves(other),)).to_value(), step=cheat.table.step)
    net.tell(cheat.seat, two, to_other)
    data, _ = cheat.table.write(Payload((Moves(one),)).to_value())
    net.tell(cheat.seat, data, to_one)
    net.run()


def assert_equivocation(net: Net) -> None:
    for session in net.honest:
        assert_blames(session, net.cheat.seat, FaultCode.EQUIVOCATION)
        assert len(session.table.faults[net.cheat.seat].evidence) == 2


class TestDecisions:
    @pytest.mark.parametrize("swapped", [False, True])
    def test_no_bag_opens_after_two_different_decisions(self, swapped: bool) -> None:
        net = played("two decisions", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        look, let = Inspect(SHERIFF, MERCHANT), Pass(SHERIFF, MERCHANT, for_nothing=True)
        tell_differently(net, let if swapped else look, MERCHANT, look if swapped else let, OTHER)
        assert_equivocation(net)
        assert written(net, MERCHANT, Opens) == []
        assert written(net, OTHER, Opens) == []

    def test_no_bag_opens_if_each_merchant_is_told_that_it_is_the_own_turn(self) -> None:
        net = played("both bags", SHERIFF, scripts=lambda: {SHERIFF: Script(acts=waits)})
        tell_differently(net, Inspect(SHERIFF, MERCHANT), MERCHANT, Inspect(SHERIFF, OTHER), OTHER)
        assert_equivocation(net)
        assert written(net, MERCHANT, Opens) == []
        assert written(net, OTHER, Opens) == []

    def second_round(self, seed: str, payment: Things) -> Net:
        """The loyal merchant has two cards face down, and has offered some of them to the second sheriff."""
        net = played(
            seed,
            SECOND_SHERIFF,
            scripts=lambda: {**in_the_second_round(payment), SECOND_SHERIFF: Script(rounds=2, acts=waits)},
        )
        assert net.cheat.view().state.offers
        return net

    @pytest.mark.parametrize(
        ("payment", "elsewhere"),
        [
            (Things(stack=(("silk", 1),)), FaultCode.EQUIVOCATION),
            # The sheriff puts a lock on the cards: for who got the other decision, that follows nothing.
            (Things(stack_blind=2), FaultCode.BROKEN_CHAIN),
        ],
        ids=["by kind", "blind"],
    )
    def test_no_face_down_card_is_shown_or_given_after_two_different_decisions(
        self, payment: Things, elsewhere: FaultCode
    ) -> None:
        """To its owner the sheriff closes the deal; to the other one nothing of it is known."""
        net = self.second_round("two deals", payment)
        before = [written(net, LOYAL, kind) for kind in (Shows, Strips)]
        tell_differently(net, Accept(SECOND_SHERIFF, LOYAL, 0), LOYAL, Inspect(SECOND_SHERIFF, SHERIFF), SHERIFF)
        assert [written(net, LOYAL, kind) for kind in (Shows, Strips)] == before
        assert_blames(net.sessions[LOYAL], SECOND_SHERIFF, FaultCode.EQUIVOCATION)
        assert_blames(net.sessions[SHERIFF], SECOND_SHERIFF, elsewhere)

    def test_no_bag_opens_if_one_of_four_has_heard_another_decision(self) -> None:
        def let(_cheat: Cheat, _entry: Entry, act: Act) -> Act | None:
            match act:
                case Moves(Inspect(seat, bag)):
                    return Moves(Pass(seat, bag, for_nothing=True))
                case _:
                    return None

        def look(view: View) -> Move | None:
            return Inspect(view.seat, view.state.closed_bags[0])

        setup = Setup(4, short=(("apples", 12), ("silk", 12)), candidates=(SHERIFF,))
        net = played(
            "one of four",
            SHERIFF,
            setup=setup,
            scripts=lambda: {SHERIFF: Script(acts=look)},
            tamper=tells_differently(3, let),
        )
        assert len(net.honest) == 3
        assert_equivocation(net)
        assert written(net, MERCHANT, Opens) == []
        put_out(net.honest, SHERIFF)
        net.run(lambda play: play.state.phase is Phase.LOAD)
        for session in net.honest:
            assert session.play == net.honest[0].play
            assert session.secrets.lost(session.play) == ()
            # Who had heard the void decision waits for nobody to have seen it: it would keep all keys from then on.
            assert len(session._replaced) < 10

    def test_no_face_down_card_pays_a_fine_after_two_different_declarations(self) -> None:
        """The second sheriff has spent all gold, and finds a bag true that was declared otherwise to the third one."""

        def cheese(_cheat: Cheat, _entry: Entry, act: Act) -> Act | None:
            match act:
                case Moves(Declare() as declared):
                    return Moves(replace(declared, kind="cheese"))
                case _:
                    return None

        def look(view: View) -> Move | None:
            return Inspect(view.seat, SHERIFF)

        def scripts() -> Mapping[Seat, Script]:
            return {
                SHERIFF: Script(rounds=2, acts=takes_bribes, bag=lambda view: of_kind(view, "apples")),
                SECOND_SHERIFF: Script(rounds=2, bag=two_silk, says=[bribe(Things(gold=50))], acts=look),
                LOYAL: Script(rounds=2),
            }

        net = played("two declarations", SHERIFF, scripts=scripts, tamper=tells_differently(LOYAL, cheese))
        assert written(net, SHERIFF, Opens)
        sheriff, loyal = net.sessions[SECOND_SHERIFF], net.sessions[LOYAL]
        assert sheriff.play.demand_to(SECOND_SHERIFF) == Choose(SECOND_SHERIFF, Choice.PAY_IN_KIND)
        assert not any(
            isinstance(act.move, PayInKind) for act in written(net, SECOND_SHERIFF, Moves) if isinstance(act, Moves)
        )
        assert_blames(sheriff, SHERIFF, FaultCode.EQUIVOCATION)
        assert_blames(loyal, SHERIFF, FaultCode.BROKEN_CHAIN)
