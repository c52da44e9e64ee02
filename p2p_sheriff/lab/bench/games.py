"""Figures of the trustless table: the CPU time of all nodes together, against all group operations that they did."""

from collections.abc import Callable, Iterator
from random import Random
from secrets import token_bytes
from typing import Final

from p2p_sheriff.audit import audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.lab.bench.measure import Bench, Benchmark, Figure, Measured, Result
from p2p_sheriff.lab.bench.proofs import CONTEXT
from p2p_sheriff.lab.simnet import Simnet, open_table
from p2p_sheriff.rules import Choice, Choose, Phase, Setup, demands
from p2p_sheriff.session.labels import labels_of
from p2p_sheriff.session.passes import Dealing
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.record import record_of
from protocol.codec import Value
from protocol.deck import Card, Keyring
from protocol.zones import Statement, prove_statements, verify_statements

_REPETITIONS = 3
"""Fewer than for proofs: these take seconds, and so vary less."""

WITH = frozenset({"royal", "black-market"})


def _table(bench: Bench, players: int) -> Simnet:
    setup = Setup(players, options=WITH)
    # Seeded: the bots' choices and the order of delivery are no secrets.
    bots = [make_bot(STYLES[seat % len(STYLES)], seat, Random(seat)) for seat in setup.seats]  # noqa: S311 - a game to measure, not to play
    return Simnet(open_table(setup, bench.group, token_bytes), bots, Random(1))  # noqa: S311 - a game to measure, not to play


def _asks(play: Play, choice: Choice) -> bool:
    return play.passing is None and any(
        isinstance(demand, Choose) and demand.choice is choice for demand in demands(play.state)
    )


def _deals(play: Play, *, hands: int) -> bool:
    if not isinstance(play.passing, Dealing) or play.state.round == 0:
        return False
    return len({draw.seat for draw in play.passing.draws}) >= hands


_SPANS: Final[dict[str, tuple[int, Callable[[Play], bool], Callable[[Play], bool]]]] = {
    # A merchant draws at the market and rearranges the hand.
    "table.draw.4p": (
        4,
        lambda play: play.state.phase is Phase.MARKET and _deals(play, hands=1),
        lambda play: _asks(play, Choice.SET_ASIDE) or _asks(play, Choice.LOAD),
    ),
    # All hands are refilled after a round, in one pass, and rearranged.
    "table.refill.5p": (5, lambda play: _deals(play, hands=2), lambda play: _asks(play, Choice.NAME_FIRST)),
    # A whole round.
    "table.round.4p": (
        4,
        lambda play: _asks(play, Choice.NAME_FIRST),
        lambda play: play.state.round == 2 and _asks(play, Choice.NAME_FIRST),
    ),
}
"""Parts of a game: with how many players, from when, and until when."""


def _span(bench: Bench, name: str) -> Iterator[Result]:
    players, begin, end = _SPANS[name]

    def prepare() -> Callable[[], object]:
        net = _table(bench, players)
        net.run(begin)
        return lambda: net.run(end)

    yield bench.time(name, prepare, _REPETITIONS)


def _show(bench: Bench, name: str) -> Iterator[Result]:
    """A bag of five different goods is shown by one node and checked by another."""
    group, setup = bench.group, Setup(4)
    labels, keys = labels_of(group, setup), Keyring(group, token_bytes)
    lock = keys.fresh()
    sets = [labels.among((good.kind,)) for good in setup.goods[:5]]
    points = [among[0] for among in sets]
    cards = [Card(point, ((0, lock.public),)) for point in lock.close(group, points)]
    statements = [Statement(card, among) for card, among in zip(cards, sets, strict=True)]

    def show() -> None:
        proof = prove_statements(group, CONTEXT, 0, statements, points, keys, token_bytes)
        verify_statements(group, CONTEXT, 0, statements, proof, token_bytes)

    yield bench.time(name, lambda: show)


def whole_game(bench: Bench, name: str, players: int) -> Measured:
    """Measures a whole game, from the charter to the signed result."""
    return bench.time(name, lambda: _table(bench, players).run, 1)


def _game(bench: Bench, name: str) -> Iterator[Result]:
    yield whole_game(bench, name, 4)


def _audit(bench: Bench, name: str) -> Iterator[Result]:
    """The transcript of a whole game is checked, on one thread."""
    net = _table(bench, 4)
    net.run()
    data = record_of(net.sessions[0].table).to_bytes()
    yield bench.time(name, lambda: lambda: audit(data, bench.group), _REPETITIONS)


def _bytes(bench: Bench, name: str) -> Iterator[Result]:
    """The transcript of a whole game; its floor is what it can't do without: points, proofs and signatures."""
    net = _table(bench, 4)
    net.run()
    entries = list(net.sessions[0].table.transcript.in_order())
    needed = sum(len(signed.signature) + _byte_strings(signed.entry.payload) for signed in entries)
    yield Figure(name, sum(len(signed.to_bytes()) for signed in entries), "bytes", needed)


def _byte_strings(value: Value) -> int:
    if isinstance(value, tuple):
        return sum(map(_byte_strings, value))
    return len(value) if isinstance(value, bytes) else 0


BENCHMARKS: Final[dict[str, Benchmark]] = {
    **dict.fromkeys(_SPANS, _span),
    "table.show.5": _show,
    "game.4p.simnet": _game,
    "audit.4p": _audit,
    "transcript.bytes.4p": _bytes,
}
