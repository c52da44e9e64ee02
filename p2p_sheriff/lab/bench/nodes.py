"""Figures of nodes in processes of their own on this machine: what people wait for, and what a node takes of it.

Each is given for several sizes, so that one sees how it grows.
"""

import asyncio
import os
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from functools import cache
from secrets import token_hex
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

from p2p_sheriff.bots import STYLES
from p2p_sheriff.lab.bench.crowd import Meeting, Stay, gather, peak_megabytes
from p2p_sheriff.lab.bench.games import WITH, whole_game
from p2p_sheriff.lab.bench.measure import Bench, Benchmark, Figure, Measured, Result
from p2p_sheriff.seat.settings import LOOPBACK
from p2p_sheriff.usage import UsageError

_IDLE_SECONDS: Final = 21
"""Two rescans and many heartbeats."""

_PAIR: Final = Meeting(2, tables=1)
_ROOM: Final = Meeting(6, tables=1, players=4, idle_seconds=_IDLE_SECONDS)
"""Four sit at a table where nobody moves, and two are in the lobby."""
_HALL: Final = Meeting(30, tables=6, idle_seconds=_IDLE_SECONDS)
_LOBBIES: Final = {plan.nodes: plan for plan in (Meeting(10, tables=6), Meeting(20, tables=6), _HALL)}

_GAME_SECONDS: Final = 300


_crowd: Final = cache(gather)
"""One crowd serves several figures."""


def _discover(_bench: Bench, name: str) -> Iterator[Result]:
    """From the start of all nodes at once until every lobby lists all; the floor is what two nodes need."""
    lobby = _LOBBIES[int(name.rsplit(".", 1)[1])]
    slowest, floor = (max(stay.discovery_seconds for stay in _crowd(plan)) for plan in (lobby, _PAIR))
    yield Measured(name, slowest, floor)


def _idle(_bench: Bench, name: str) -> Iterator[Result]:
    """What a node takes of one core that has nothing to do: in a lobby of 6, in a game, in a lobby of 30."""
    players, lobby = _room()
    for suffix, stays in (("", lobby), (".game", players), (".lobby.30", _crowd(_HALL))):
        yield Figure(name + suffix, max(stay.idle_cpu_percent for stay in stays), "%", 0)


def _memory(_bench: Bench, name: str) -> Iterator[Result]:
    """The most resident memory that any node ever had; the floor is the program's without a node."""
    players, lobby = _room()
    floor = min(stay.bare_megabytes for stay in (*players, *lobby))
    if floor:  # The system tells.
        yield Figure(name, max(_loopback(4).megabytes), "MB", floor)
        for suffix, stays in ((".shuffled", players), (".lobby", lobby), (".lobby.30", _crowd(_HALL))):
            yield Figure(name + suffix, max(stay.megabytes for stay in stays), "MB", floor)


def _room() -> tuple[list[Stay], list[Stay]]:
    """Returns who sits at the table, and who is in the lobby."""
    stays = _crowd(_ROOM)
    return stays[: _ROOM.players], stays[_ROOM.players :]


def _game(bench: Bench, name: str) -> Iterator[Result]:
    """From the start of the processes to the last result; the floor is the cryptography, spread over the cores."""
    players = int(name.split(".")[1].removesuffix("p"))
    cores = min(players, os.cpu_count() or 1)
    yield Measured(name, _loopback(players).seconds, whole_game(bench, name, players).floor_seconds / cores)


@dataclass(frozen=True, slots=True)
class _Played:
    """A game of bots, each in a process of its own."""

    seconds: float
    megabytes: list[float]


@cache
def _loopback(players: int) -> _Played:
    try:
        return asyncio.run(_play(players))
    except TimeoutError as error:
        raise UsageError("Bots on this machine did not end their game; `p2p-sheriff doctor` may say why.") from error


async def _play(players: int) -> _Played:
    """Lets bots play a whole game, without time to think."""
    opener = f"bench-{token_hex(4)}"
    start = monotonic()
    async with asyncio.timeout(_GAME_SECONDS), AsyncExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix="p2p-sheriff-bench-"))
        bots = []
        for seat in range(players):
            table = ("--join", f"{opener}'s table") if seat else ("--open", str(players), "--with", ",".join(WITH))
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "p2p_sheriff", "bot", *table, "--phases", "--pace", "0", "--seed", str(seat)),
                *("--style", STYLES[seat % len(STYLES)], "--interface", LOOPBACK),
                *("--data", folder, "--profile", f"bot-{seat}", "--name", f"Bot {seat}" if seat else opener),
                stdout=asyncio.subprocess.PIPE,
            )
            stack.push_async_callback(_end, process)
            bots.append(process)
        results, megabytes = zip(*await asyncio.gather(*map(_follow, bots)), strict=True)
        seconds = monotonic() - start
    if len(set(results)) != 1:
        raise UsageError("The bots did not end their game with the same result.")
    return _Played(seconds, list(megabytes))


async def _follow(bot: asyncio.subprocess.Process) -> tuple[bytes, float]:
    """Reads a bot's lines, one for each phase, until it tells the result; returns that, and the memory it had."""
    megabytes = 0.0
    while bot.stdout is not None and (line := await bot.stdout.readline()):
        megabytes = max(megabytes, peak_megabytes(bot.pid))  # Now: a process that has ended can't be asked any more.
        if line.startswith(b"result "):
            return line, megabytes
    raise UsageError("A bot ended before its game did.")


async def _end(bot: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        bot.terminate()
    await bot.communicate()


BENCHMARKS: Final[dict[str, Benchmark]] = {
    **{f"lobby.discover.{nodes}": _discover for nodes in _LOBBIES},
    "node.idle.cpu": _idle,
    "node.memory": _memory,
    **{f"game.{players}p.loopback": _game for players in (3, 4)},
}
