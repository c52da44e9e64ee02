"""Tables at which somebody signs two entries with one number, is put out, and the others go on from one branch."""

from collections.abc import Sequence
from random import Random

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.rules import LoadBag, Phase, Seat
from p2p_sheriff.session.resume import resume
from p2p_sheriff.session.session import Session
from protocol.faults import FaultCode
from tests.drbg import Drbg
from tests.table.departures import GROUP, GapNet
from tests.table.test_gap import FIVE


def loading(net: GapNet) -> GapNet:
    """Everybody has a hand, and nobody has loaded a bag."""
    for seat in range(len(net.sessions)):
        net.quits[Seat(seat)] = 1 << 20
    net.goes_on(lambda play: play.state.phase is Phase.LOAD)
    return net


def twin_of(session: Session) -> Session:
    """The same seat once more, as who lies can have it: with all that it has written and knows."""
    identity = session.table._identity
    assert identity is not None
    entries = [signed.to_bytes() for signed in session.table.transcript.in_order()]
    return resume(session.table.charter, identity, GROUP, Drbg("twin"), entries, session.secrets.to_value())


def tell(author: Session, *receivers: Session) -> list[bytes]:
    written, author.outbox = author.outbox, []
    for session in receivers:
        for data in written:
            session.receive(data)
    return written


def share(sessions: Sequence[Session]) -> None:
    """Everybody here gets all that somebody here has, as often as it takes to have a name for other branches."""
    entries = [signed.to_bytes() for session in sessions for signed in session.table.transcript.in_order()]
    for _ in range(3):
        for session in sessions:
            for data in entries:
                session.receive(data)


def settle(sessions: Sequence[Session]) -> None:
    """All do their duties, and hear of each other's, until there are none."""
    while sum(session.advance() for session in sessions):
        share(sessions)
        for session in sessions:
            session.outbox.clear()


def voted_twice() -> list[Session]:
    """Returns who plays on after a voter has voted twice with one number, and was put out with whom it was about."""
    net = loading(GapNet(FIVE, 6))
    liar, honest = net.sessions[0], net.sessions[1:4]
    gone = net.sessions[4].seat
    twin = twin_of(liar)
    liar.vote((gone,))
    twin.vote(())
    tell(liar, *honest[:2])
    tell(twin, honest[2])
    for session in honest:
        session.vote((gone,))
    share([*honest, liar, twin])
    assert all(session.table.faults[liar.seat].code is FaultCode.EQUIVOCATION for session in honest)
    for session in honest:
        session.vote((liar.seat, gone))
    share(honest)
    settle(honest)
    return honest


def half_on_each_branch() -> tuple[Session, list[Session]]:
    """Returns an equivocator, and the others, who stood on both branches when they heard of it."""
    net = loading(GapNet(FIVE, 7))
    liar = next(session for session in net.sessions[::-1] if session.seat != net.play.state.lead)
    honest = [session for session in net.sessions if session is not liar]
    twin = twin_of(liar)
    for version, bag, half in ((liar, 1, honest[:2]), (twin, 2, honest[2:])):
        version.submit(LoadBag(liar.seat, version.view().me.hand[:bag]))
        tell(version, *half)
    for session in honest:  # Each on one of the two branches.
        if session.seat != session.play.state.lead:
            session.submit(LoadBag(session.seat, session.view().me.hand[:1]))
    share([*honest, liar, twin])
    return liar, honest


def all_vote_out(liar: Session, honest: Sequence[Session]) -> None:
    for session in honest:
        session.vote((liar.seat,))
    share(honest)
    settle(honest)


def play_on(sessions: Sequence[Session], rounds: int) -> None:
    """Bots play on at these nodes, which hear each other at once, until so many rounds are over, or the game is."""
    bots = {one.seat: make_bot(STYLES[one.seat % len(STYLES)], one.seat, Random(one.seat)) for one in sessions}
    last, moved = sessions[0].play.state.round + rounds, True
    while moved and sessions[0].play.state.round < last:
        moved = False
        for session in sessions:
            while session.advance():
                moved = True
            choice = session.choice()
            if not moved and choice is not None:
                move = bots[session.seat].choose(session.view(), choice)
                assert move is not None
                session.submit(move)
                moved = True
            tell(session, *(one for one in sessions if one is not session))
