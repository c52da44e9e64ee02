"""A series of games, on as many cores as there are: the same result whatever the number of workers."""

import hashlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from random import Random

from p2p_sheriff.lab.dealer import Dealer
from p2p_sheriff.lab.simulate.entrants import seat_bot
from p2p_sheriff.lab.simulate.game import BotTable, GameRecord
from p2p_sheriff.rules import Setup

_CHUNK = 8
"""Games that a worker plays at a time: enough to hide the cost of handing them out, few enough to stop soon."""
_MOST_WORKERS = 61
"""As many as every system can wait for."""


@dataclass(frozen=True, slots=True)
class Series:
    """What is played: everything that the result depends on."""

    setup: Setup
    styles: tuple[str, ...]
    """Who sits around the table: repeated or cut to its size, and moved on by one seat with every game."""
    games: int
    seed: int
    first: int = 0
    """The number of the first game: series of one seed with other numbers have other deals."""

    def style_at(self, game: int, seat: int) -> str:
        """Return the style that plays at a seat in a game."""
        return self.styles[(seat + game) % len(self.styles)]

    def play(self, game: int) -> GameRecord:
        """Play one game of the series."""

        def rng(purpose: str) -> Random:
            # Its own for everyone, so that a bot that draws more numbers changes nobody's luck.
            digest = hashlib.sha256(f"{self.seed}/{game}/{purpose}".encode()).digest()
            return Random(int.from_bytes(digest))  # noqa: S311 - a simulation must be repeatable, and hides nothing.

        bots = [seat_bot(self.style_at(game, seat), seat, rng(f"bot {seat}")) for seat in self.setup.seats]
        return BotTable(Dealer(self.setup, rng("dealer")), bots, rng("pace")).play()

    def play_all(self, workers: int) -> Iterator[GameRecord]:
        """Play all games, in as many processes, and return the records in the order of the games."""
        games = range(self.first, self.first + self.games)
        chunks = [games[begin : begin + _CHUNK] for begin in range(0, self.games, _CHUNK)]
        workers = min(workers, len(chunks), _MOST_WORKERS)
        if workers == 1:
            yield from map(self.play, games)
            return
        shares = [chunks[worker::workers] for worker in range(workers)]
        with ExitStack() as stack:
            with _interrupts_wait():  # One that came meanwhile is raised at its end: the stack has the workers then.
                pipes = [self._start_worker(stack, share) for share in shares]
            for number in range(len(chunks)):
                yield from _received(pipes[number % workers])

    def _start_worker(self, stack: ExitStack, chunks: list[range]) -> "Connection[object, list[GameRecord]]":
        """Start a process that plays these chunks, one after the other; it ends with the stack at the latest."""
        # Spawned processes start alike on every system, and inherit nothing by accident.
        context = multiprocessing.get_context("spawn")
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(self, chunks, there), daemon=True)
        process.start()
        there.close()
        stack.callback(here.close)
        stack.callback(process.join)
        stack.callback(process.kill)
        return here


def _work(series: Series, chunks: list[range], pipe: "Connection[list[GameRecord], object]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # They are for the parent, who stops its workers.
    with suppress(BrokenPipeError):  # Nobody waits for the rest any more.
        for chunk in chunks:
            pipe.send([series.play(game) for game in chunk])


def _received(pipe: "Connection[object, list[GameRecord]]") -> list[GameRecord]:
    try:
        return pipe.recv()
    except EOFError:
        raise RuntimeError("a worker has died before it had played its games") from None


def cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _interrupts_wait() -> Iterator[None]:
    """Hold Ctrl-C back while workers start: they inherit that, and none dies noisily before it is set up."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # The tracker is a process of its own that every pool needs; while it starts, it lets interrupts through again.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
