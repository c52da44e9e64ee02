"""Whatever the network does while seats are voted out, all who stay have one state, and can prove it."""

from contextlib import suppress
from random import Random

import pytest

from p2p_sheriff.lab.simnet import Weather
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.replay import replay
from protocol.errors import LocalError
from tests.cases import some
from tests.drbg import Drbg
from tests.table.departures import GROUP, SHORT, GapNet

BAD = Weather(loss=0.2, duplicates=0.2, disorder=0.5)


@pytest.mark.slow
@pytest.mark.parametrize("seed", some(range(200), few=4))
def test_those_who_stay_have_one_state_whenever_they_vote_and_whatever_gets_lost(seed: int) -> None:
    rng = Random(seed)
    players = rng.choice((4, 5))
    leaving = sorted(map(Seat, rng.sample(range(players), rng.choice((1, players - 3)))))
    net = GapNet(Setup(players, short=SHORT), seed, {seat: rng.randrange(14) for seat in leaving}, BAD)
    staying = [session for session in net.sessions if session.seat not in leaving]
    for _ in range(4 * players):
        with suppress(LocalError):  # It goes on.
            net.run(limit=rng.randrange(20, 200))
        voter = rng.choice(staying)
        if not voter.play.is_decided and set(leaving).intersection(voter.table.seats):
            voter.vote(rng.choice((leaving, leaving, leaving[:1], ())))
            net._flush(voter.seat)
    for voter in staying:
        if not voter.play.is_decided and set(leaving).intersection(voter.table.seats):
            voter.vote(leaving)
            net._flush(voter.seat)
    net.run()
    for session in staying:
        assert session.play.is_over
        assert session.play == staying[0].play
        assert session.table.faults == {}
    assert [*replay(record_of(staying[0].table), GROUP, Drbg("auditor"))][-1].play == staying[0].play
