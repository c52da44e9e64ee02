"""Tables at which one seat cheats: short decks, scripted players, and the verdict."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from random import Random

from p2p_sheriff.lab.simnet import Simnet, open_table
from p2p_sheriff.rules import Choice, Handle, Input, Kind, LoadBag, Move, Seat, Setup, View
from p2p_sheriff.rules.bounds import HandOverBounds, LayDownBounds, PayInKindBounds
from p2p_sheriff.rules.legal import legal_moves
from p2p_sheriff.rules.moves import Declare, HandOver, LayDown, NameFirst, Pass, SetAside, TakeDiscards, Trade
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.replay import replay
from p2p_sheriff.session.session import Session
from protocol.faults import Fault, FaultCode
from protocol.group import Edwards25519, Element
from tests.drbg import Drbg
from tests.rules.table import sample_payment_in_kind
from tests.table.cheats import Cheat, Lie, Tamper, Waits, honest, never
from tests.table.departures import assert_complete

GROUP = Edwards25519()
SHORT = (("apples", 8), ("cheese", 2), ("pepper", 2), ("silk", 8))
"""20 cards: nearly every hand has legal goods, and silk to smuggle."""
SHERIFF, MERCHANT, OTHER = Seat(0), Seat(1), Seat(2)
"""The seats of the first round, if seat 0 is the only candidate."""

FOUR = Setup(4, short=(("apples", 11), ("cheese", 3), ("pepper", 3), ("silk", 11)), candidates=(SHERIFF,))
"""With a fourth player, those who put a cheat out play on."""

Says = Callable[[View], Move | None]


def as_it_is(_cheat: Cheat, _sender: int, _receiver: int, data: bytes) -> bytes:
    """The network as it should be."""
    return data


class BadHandError(Exception):
    """A script needs cards that its player was not dealt."""


def of_kind(view: View, kind: Kind, count: int = 1) -> tuple[Handle, ...]:
    """Returns some cards of the own hand of one kind.

    Raises BadHandError if there are not so many.
    """
    handles = [card.handle for card in view.hand if card.kind == kind]
    if len(handles) < count:
        raise BadHandError(f"not {count} {kind} in the hand")
    return tuple(handles[:count])


def smuggled(view: View) -> tuple[Handle, ...]:
    """A bag with something legal and something that is not."""
    return of_kind(view, "apples") + of_kind(view, "silk")


def anything(view: View) -> tuple[Handle, ...]:
    """A bag with any two cards."""
    return view.me.hand[:2]


def waved_through(view: View) -> Move | None:
    """The sheriff lets the next bag pass for nothing."""
    return Pass(view.seat, view.state.closed_bags[0], for_nothing=True)


@dataclass
class Script:
    """A player who does the same in every round, as simply as the rules allow."""

    bag: Callable[[View], tuple[Handle, ...]] = anything
    acts: Says = waved_through
    says: list[Says] = field(default_factory=list)
    """What to say while bags are negotiated about, one after the other; who returns nothing is asked again."""
    aside: int = 0
    takes: tuple[int, int] = (0, 0)
    """How many cards of each discard pile, in the first edition; what is put back goes onto the left one."""
    rounds: int = 1

    def observe(self, item: Input) -> None:
        """Remembers nothing."""

    def negotiate(self, view: View) -> Move | None:
        if not self.says or (move := self.says[0](view)) is None:
            return None
        del self.says[0]
        return move

    def choose(self, view: View, choice: Choice) -> Move | LoadBag | None:
        state, seat = view.state, view.seat
        if state.round > self.rounds:
            return None
        match choice:
            case Choice.NAME_FIRST:
                return NameFirst(seat, state.merchants[0])
            case Choice.SET_ASIDE:
                return SetAside(seat, view.me.hand[: self.aside])
            case Choice.TAKE_DISCARDS:
                return TakeDiscards(seat, self.takes)
            case Choice.LAY_DOWN:
                (lying,) = (one for one in legal_moves(state, seat) if isinstance(one, LayDownBounds))
                return LayDown(seat, 0, lying.handles)
            case Choice.LOAD:
                return LoadBag(seat, self.bag(view))
            case Choice.DECLARE:
                return Declare(seat, len(view.knowledge.bag), "apples")
            case Choice.ACT:
                return self.negotiate(view) or self.acts(view)
            case Choice.TRADE:
                return Trade(seat)
            case Choice.HAND_OVER:
                (bounds,) = (one for one in legal_moves(state, seat) if isinstance(one, HandOverBounds))
                return HandOver(seat, bounds.handles[: bounds.count])
            case Choice.PAY_IN_KIND:
                (debt,) = (one for one in legal_moves(state, seat) if isinstance(one, PayInKindBounds))
                return sample_payment_in_kind(debt, view, Random(0))
            case _:
                raise AssertionError(f"nobody is asked to {choice.value} here")


class Net(Simnet):
    """A network whose nodes also ask for what they need to settle a dispute, and pass on what proves a fault."""

    def _flush(self, seat: int) -> None:
        evidence = [one for event in self.sessions[seat].events if isinstance(event, Fault) for one in event.evidence]
        super()._flush(seat)
        for signed in evidence:
            self._send(seat, signed.to_bytes())

    def _resend(self) -> bool:
        return super()._resend() or self._ask()

    def _ask(self) -> bool:
        for receiver, session in enumerate(self.sessions):
            for missing in session.table.missing():
                there = self.sessions[missing.claimed_by].table.transcript
                signed = there.get(missing.seat, missing.sequence)
                if signed is not None and signed != session.table.transcript.get(missing.seat, missing.sequence):
                    self._send(missing.claimed_by, signed.to_bytes(), [receiver])
        return bool(self._in_flight)

    def tell(self, sender: int, data: bytes, *receivers: int) -> None:
        """Sends bytes from a seat to all others, or to some."""
        self._send(sender, data, receivers)

    @property
    def cheat(self) -> Cheat:
        """The one who cheats."""
        (cheat,) = (session for session in self.sessions if isinstance(session, Cheat))
        return cheat

    @property
    def honest(self) -> list[Session]:
        """All others."""
        return [session for session in self.sessions if not isinstance(session, Cheat)]


def seated(
    seed: str,
    cheat: Seat = MERCHANT,
    lie: Lie = honest,
    *,
    scripts: Mapping[Seat, Script] | None = None,
    setup: Setup | None = None,
    tamper: Tamper = as_it_is,
    waits: Waits = never,
    hasty: bool = True,
) -> Net:
    """Seats honest players with scripts, and one who cheats, and smuggles if there is no script for that."""
    setup = setup or Setup(3, short=SHORT, candidates=(SHERIFF,))
    rng = Drbg(seed)
    sessions = open_table(setup, GROUP, rng)
    table = sessions[cheat].table
    assert table._identity is not None
    sessions[cheat] = Cheat(table.charter, table._identity, GROUP, rng, lie, waits, hasty=hasty)
    plans = {cheat: Script(bag=smuggled), **(scripts or {})}
    choosers = [plans.get(seat) or Script() for seat in setup.seats]
    net = Net(sessions, choosers, Random(seed), tamper=lambda *message: tamper(net.cheat, *message))
    return net


def played(
    seed: str,
    cheat: Seat = MERCHANT,
    lie: Lie = honest,
    *,
    scripts: Callable[[], Mapping[Seat, Script]] = dict,
    setup: Setup | None = None,
    tamper: Tamper = as_it_is,
    waits: Waits = never,
    hasty: bool = True,
) -> Net:
    """Plays until everything waits: for the second round, or because somebody was found out.

    A script may need cards that a player was not dealt: then all begin again, as often as it takes.
    """
    for attempt in range(20):
        net = seated(
            f"{seed}/{attempt}", cheat, lie, scripts=scripts(), setup=setup, tamper=tamper, waits=waits, hasty=hasty
        )
        try:
            net.run()
        except BadHandError:
            continue
        return net
    raise AssertionError("nobody is ever dealt such a hand")


among_four = partial(played, setup=FOUR)

CAUGHT: list[Net] = []
"""Tables at which a test has caught a cheat: when it is done with them, the others go on."""


def assert_caught(net: Net, code: FaultCode, reason: str = "") -> None:
    """Asserts that every honest node names the cheat for this, and stands where it stood before that entry."""
    assert_named(net, code, reason)
    for session in net.honest:
        refused = session.table.faults[net.cheat.seat].evidence[-1].entry.step
        assert session.play == net.cheat.before_step.get(refused, net.cheat.before)
    CAUGHT.append(net)


def assert_named(net: Net, code: FaultCode, reason: str = "") -> None:
    """Asserts that every honest node names the cheat for this, and nobody else, and that all have the same game."""
    assert net.cheat.has_lied, "the lie was never told"
    for session in net.honest:
        assert_blames(session, net.cheat.seat, code, reason)
        assert session.play == net.honest[0].play
    assert net.traffic.refused == []


def assert_goes_on_without_the_cheat(net: Net) -> None:
    """Asserts that the others put the cheat out, go on with one game, and can prove it to anyone."""
    cheat = net.cheat.seat
    staying = [session for session in net.honest if session.seat in session.table.seats]
    if cheat in staying[0].table.seats:
        for session in staying:
            session.vote((cheat,))
            net._flush(session.seat)
    net.run()
    for session in staying:
        assert session.table.seats == tuple(one.seat for one in staying)
        assert session.play == staying[0].play
        assert list(session.table.faults) == [cheat]
        assert len(staying) > 2 or session.play.is_over
        assert session.secrets.lost(session.play) == ()
    if len(staying) > 2:
        assert_complete(net.sessions, staying[0].play)
    assert [*replay(record_of(staying[0].table), GROUP, Drbg("auditor"))][-1].play == staying[0].play


def replaced_keys(session: Session) -> frozenset[Element]:
    """Returns the own keys of cards as they lay before entries that not all have seen yet."""
    plays = [session.secrets._live_keys(play, spoiled=True) for _, play in session._replaced]
    return frozenset[Element]().union(*plays)


def assert_blames(session: Session, seat: Seat, code: FaultCode, reason: str = "") -> None:
    """Asserts that a node blames that seat alone, for this, with entries that it has signed."""
    assert {blamed: fault.code for blamed, fault in session.table.faults.items()} == {seat: code}
    fault = session.table.faults[seat]
    assert reason in fault.reason
    assert fault.evidence
    assert all(signed.entry.author == seat for signed in fault.evidence)


def assert_nobody_is_blamed(net: Net) -> None:
    """Asserts that no honest node has found a fault, and that all have the same game."""
    first = net.honest[0]
    for session in net.honest:
        assert session.table.faults == {}
        assert session.play == first.play
