"""Who comes back waits for nobody who is out, and not for ever for somebody who is gone."""

from p2p_sheriff.rules import Phase, Seat, Setup
from p2p_sheriff.session.homecoming import Homecoming
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from tests.drbg import Drbg
from tests.table.departures import GROUP, SHORT, GapNet

ANN, BEN, CAT, DAN = map(Seat, range(4))


def loading() -> GapNet:
    return GapNet(Setup(4, short=SHORT), 1).goes_on(lambda play: play.state.phase is Phase.LOAD)


def kept(session: Session) -> list[bytes]:
    return [signed.to_bytes() for signed in session.table.transcript.in_order()]


def returned(session: Session, entries: list[bytes]) -> Homecoming:
    identity = session.table._identity
    assert identity is not None
    secrets = session.secrets.to_value()
    return Homecoming(resume(session.table.charter, identity, GROUP, Drbg("another life"), entries, secrets))


def hear(home: Homecoming, *others: Session) -> None:
    for other in others:
        for data in kept(other):
            home.receive(data)
        home.hear(other.seat, other.table.transcript.heads)


def test_who_was_voted_out_meanwhile_is_not_waited_for() -> None:
    net = loading()
    entries = kept(net.sessions[BEN])
    net.leaves(DAN)
    home = returned(net.sessions[BEN], entries)
    assert home.waits_for == {ANN, CAT, DAN}
    hear(home, net.sessions[ANN], net.sessions[CAT])
    assert home.waits_for == frozenset()
    assert home.is_over


def test_whom_the_player_goes_on_without_is_not_waited_for_and_all_others_are() -> None:
    net = loading()
    home = returned(net.sessions[BEN], kept(net.sessions[BEN]))
    hear(home, net.sessions[ANN])
    assert home.waits_for == {CAT, DAN}
    home.excuse((DAN,))
    assert home.waits_for == {CAT}
    assert not home.is_over
    hear(home, net.sessions[CAT])
    assert home.is_over
