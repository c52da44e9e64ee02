"""A second client, written from the specification alone, plays one seat of a whole game among our sessions."""

import ast
import sys
from pathlib import Path
from random import Random

import pytest

from examples import client
from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.rules import Choice, Edition, Seat, Setup
from p2p_sheriff.session.happenings import Happened
from p2p_sheriff.session.record import record_of
from tests.drbg import Drbg
from tests.recorded import GROUP, SHORT
from tests.table.games import SHORT_DECK, assert_agreed


class MixedTable:
    """Our sessions with bots, and one seat of the second client; what is sent arrives in any order."""

    def __init__(self, setup: Setup, seat: Seat, seed: int) -> None:
        sessions = open_table(setup, GROUP, Drbg(f"mixed {seed}"))
        keys, charter = Drbg(f"mixed {seed}"), sessions[seat].table.charter
        seeds = [keys(32) for _ in setup.seats]
        self.client = client.Client(charter.to_bytes(), seeds[seat], Drbg(f"client {seed}"))
        self.sessions = {other: session for other, session in zip(setup.seats, sessions, strict=True) if other != seat}
        self._bots = {
            other: make_bot(STYLES[other % len(STYLES)], other, Random(seed + other)) for other in self.sessions
        }
        self._rng, self._in_flight = Random(seed), list[tuple[Seat, bytes]]()

    def run(self) -> None:
        while self._work() or self._deliver() or self._choose():
            pass

    def _send(self, sender: Seat, outbox: list[bytes]) -> None:
        receivers = [seat for seat in (*self.sessions, Seat(self.client.seat)) if seat != sender]
        self._in_flight += [(receiver, data) for data in outbox for receiver in receivers]
        outbox.clear()

    def _flush(self, seat: Seat) -> None:
        session = self.sessions[seat]
        self._send(seat, session.outbox)
        for event in session.events:
            for item in event.inputs if isinstance(event, Happened) else ():
                self._bots[seat].observe(item)
        session.events.clear()

    def _work(self) -> bool:
        worked = False
        for seat, session in self.sessions.items():
            while session.advance():
                worked = True
            self._flush(seat)
        return worked

    def _deliver(self) -> bool:
        if not self._in_flight:
            return False
        receiver, data = self._in_flight.pop(self._rng.randrange(len(self._in_flight)))
        if receiver == self.client.seat:
            self.client.receive(data)
        else:
            self.sessions[receiver].receive(data)
            self._flush(receiver)
        return True

    def _choose(self) -> bool:
        """Lets the client write, or a bot choose; merchants speak before the sheriff does anything."""
        if self.client.is_sheriff and self._negotiate():
            return True
        if self.client.advance():
            self._send(Seat(self.client.seat), self.client.outbox)
            return True
        for seat, session in self.sessions.items():
            if (choice := session.choice()) is None:
                continue
            if choice is Choice.ACT and self._negotiate():
                return True
            if (move := self._bots[seat].choose(session.view(), choice)) is not None:
                session.submit(move)
                self._flush(seat)
                return True
        return False

    def _negotiate(self) -> bool:
        spoken = False
        for seat, session in self.sessions.items():
            if (move := self._bots[seat].negotiate(session.view())) is not None:
                session.submit(move)
                self._flush(seat)
                spoken = True
        return spoken


def test_it_imports_nothing_of_ours_but_the_second_verifier() -> None:
    imported, loaded = set[str](), list[str]()
    for node in ast.walk(ast.parse(Path(client.__file__).read_text("utf-8"))):
        match node:
            case ast.Import(names):
                imported.update(name.name.split(".")[0] for name in names)
            case ast.ImportFrom(module, _, level):
                assert level == 0
                imported.add((module or "").split(".")[0])
            case ast.Call(ast.Name("import_module"), [ast.Constant(str(name))]):
                loaded.append(name)
            case ast.Call(ast.Name("__import__" | "exec" | "eval" | "import_module")):
                pytest.fail("it loads something by another way")
            case _:
                pass
    assert loaded == ["examples.verify"]  # Which imports nothing of ours either: test_second_verifier.
    assert imported <= sys.stdlib_module_names - {"subprocess"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setup", "seat"),
    [
        (Setup(3, short=SHORT_DECK), 1),
        (Setup(3, Edition.FIRST, short=SHORT, options=frozenset({"black-market"})), 0),
    ],
    ids=["second edition", "first edition"],
)
def test_a_whole_game_ends_sealed_by_all(setup: Setup, seat: int) -> None:
    table = MixedTable(setup, Seat(seat), setup.players)
    table.run()
    assert_agreed(list(table.sessions.values()))
    assert sum(len(chain) for chain in table.client.transcript.chains) > 200
    for session in table.sessions.values():
        verdict = audit(record_of(session.table).to_bytes(), GROUP).verdict
        assert isinstance(verdict, Valid)
        assert verdict.unsigned == ()
        assert len(verdict.outcome.scores) == setup.players
