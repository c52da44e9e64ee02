"""The clock of the lab: real nodes, one after the other, in a time in which they work side by side."""

from collections import defaultdict
from functools import partial
from itertools import count
from random import Random

import pytest

from p2p_sheriff.bots import Bot, make_bot
from p2p_sheriff.lab.bench.waits import Played
from p2p_sheriff.lab.clock import HOP_SECONDS, SYNC_SECONDS, Chosen, Clock, Inquiry, Moment, open_table
from p2p_sheriff.lab.meter import HANDING_OVER_SECONDS, Cause, MeteredGroup, Metering, Spending
from p2p_sheriff.rules import Choice, Seat, Setup
from p2p_sheriff.rules.facts import Shuffled
from p2p_sheriff.rules.moves import Pass
from p2p_sheriff.session.play import Play
from protocol.group import GENERATOR
from tests.table.games import SHORT_DECK

SETUP = Setup(3, short=SHORT_DECK)


def bot(seat: Seat) -> Bot:
    return make_bot("honest", seat, Random(seat))


def group(cores: int) -> MeteredGroup:
    """A group for which every operation takes a second, as does whatever else is between two looks at the clock."""
    return MeteredGroup(0, cores, count().__next__)


def spending() -> Spending:
    return defaultdict(float)


@pytest.fixture(scope="module")
def begun() -> Clock:
    """A game up to somebody's second choice; the clock can still be looked at when the table is closed."""
    fold = Play.fold
    with open_table(SETUP, bot, cores=1) as clock:
        clock.run(lambda clock: len(clock.chosen) >= 2)
    assert Play.fold is fold
    return clock


@pytest.mark.parametrize("cores", [1, 2])
def test_what_the_meter_itself_takes_is_nobodys_time(cores: int) -> None:
    own, spent = Metering(within=0.5, beside=0.25), spending()
    metered = MeteredGroup(0, cores, count().__next__, own)
    _, proofs = metered.measured(Cause.PROVE, lambda: metered.mul_each(2, [GENERATOR] * 8), spent)
    # A second between two looks at the clock: eight operations, of which each is half the meter's.
    assert proofs == 4
    if cores == 1:
        assert spent == {Cause.PROVE: 4, Cause.PYTHON: 17 - 8 * 0.75 - 4}
    else:  # Four chunks, two on each core: two operations and a second before each and at its end, less the meter's.
        side_by_side = 2 * (5 - 2 * 0.75 + HANDING_OVER_SECONDS)
        assert sum(spent.values()) == pytest.approx(5 + side_by_side)


def test_operations_are_booked_to_the_cause_of_the_moment_and_the_rest_to_python() -> None:
    metered, spent = group(1), spending()

    def call() -> None:
        P = metered.mul_base(2)
        with metered.under(Cause.VERIFY_OWN):
            metered.mul(3, P)
        metered.hash_to_group("test")

    _, proofs = metered.measured(Cause.PROVE, call, spent)
    # Eight looks at the clock, a second apart: one for each operation, and what is between them.
    assert spent == {Cause.PROVE: 1, Cause.VERIFY_OWN: 1, Cause.HASH: 1, Cause.PYTHON: 4}
    assert proofs == 1
    assert metered.counts == {"mul_base": 1, "mul": 1, "hash_to_group": 1}


def test_what_is_prepared_ahead_counts_for_the_floor_when_it_is_used() -> None:
    metered, spent = group(1), spending()
    _, ahead = metered.measured(Cause.AHEAD, lambda: metered.preparing(7, lambda: metered.mul_base(2)), spent)
    assert (ahead, spent[Cause.AHEAD]) == (0, 1)
    _, used = metered.measured(Cause.PROVE, lambda: metered.used(7), spent)
    assert (used, spent[Cause.PROVE]) == (1, 0)


def test_long_lists_are_laid_on_the_cores_and_cost_what_the_busiest_core_does() -> None:
    spent = {cores: spending() for cores in (1, 2, 4)}
    for cores, one in spent.items():
        metered = group(cores)
        cards = [metered.mul_base(3)] * 64
        metered.measured(Cause.PROVE, partial(metered.mul_each, 5, cards), one)
        assert metered.counts["mul"] == 64
        assert one[Cause.PROVE] == pytest.approx(64 / cores, rel=1e-3)
    assert spent[1][Cause.PROVE] == 64
    assert spent[4][Cause.PROVE] > 16  # To hand a chunk over takes something, too.


def test_a_moment_is_the_longest_way_to_it() -> None:
    early, late = (
        Moment(defaultdict(float, {Cause.PROVE: 1.0}), 0.9),
        Moment(defaultdict(float, {Cause.DISK: 2.0}), 0.1),
    )
    early.wait_for(late)
    assert (early.spent, early.floor) == ({Cause.DISK: 2.0}, 0.9)
    early.spent[Cause.DISK] += 1
    assert late.seconds == 2


def test_nodes_work_side_by_side(begun: Clock) -> None:
    cpu = [sum(one.seconds.values()) for one in begun.groups]
    assert max(cpu) < begun.now.seconds < sum(cpu)


def test_a_deck_is_shuffled_by_one_after_the_other(begun: Clock) -> None:
    ready = [(at, seat) for at, seat, item in begun.happened if isinstance(item, Shuffled)]
    assert {seat for _, seat in ready} == {0, 1, 2}
    last = max((at for at, _ in ready), key=lambda at: at.seconds)
    assert last.spent[Cause.NETWORK] >= HOP_SECONDS * 0.999
    assert last.spent[Cause.DISK] >= SYNC_SECONDS * 0.999
    assert 0 < last.floor < last.seconds


def test_who_is_asked_answers_afterwards_and_time_never_goes_back(begun: Clock) -> None:
    assert begun.asked[0].choice is Choice.NAME_FIRST
    assert begun.chosen[0].seat == begun.asked[0].seat
    assert begun.chosen[0].at.seconds >= begun.asked[0].at.seconds
    for node in range(3):
        moments = [at.seconds for at, seat, _ in begun.happened if seat == node]
        assert moments == sorted(moments)


def test_six_can_sit_down_to_be_measured_until_they_are_asked() -> None:
    with open_table(
        Setup(6, short=(("apples", 16), ("cheese", 10), ("chicken", 8), ("silk", 6))), bot, cores=4
    ) as clock:
        clock.run(lambda clock: bool(clock.asked))
    assert clock.asked[0].choice is Choice.NAME_FIRST
    assert len(clock.plays) == 6


def test_a_wait_lasts_from_a_choice_until_somebody_is_asked_for_the_next() -> None:
    def at(seconds: float) -> Moment:
        return Moment(defaultdict(float, {Cause.PYTHON: seconds}))

    move = Pass(Seat(0), Seat(1))
    asked = [Inquiry(at(seconds), Seat(0), Choice.ACT) for seconds in (1, 5, 4)]
    chosen = [Chosen(at(seconds), Seat(0), Choice.ACT, move) for seconds in (1, 4)]
    game = Played(at(0), at(6), tuple(asked), tuple(chosen), {})
    waits = [(begin.seconds, end.seconds) for begin, end in game.waits(lambda _: True)]
    assert waits == [(1, 4), (4, 5)]
