"""A crowd: many nodes on this machine, each in a process of its own, that find each other and then do nothing."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from secrets import token_bytes, token_hex
from tempfile import TemporaryDirectory
from threading import BrokenBarrierError
from time import monotonic, process_time
from typing import Final

from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import Choose, Setup, demands
from p2p_sheriff.seat.settings import LOOPBACK
from p2p_sheriff.usage import UsageError
from protocol.group import Edwards25519

_LIMIT_SECONDS: Final = 120
_LOOK_SECONDS: Final = 0.02
_QUIET_SECONDS: Final = 1
_QUIET_SHARE: Final = 0.05

_barrier: Barrier
"""Of this process: where all nodes of its crowd wait for each other."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What a crowd does: all start at once, the first ones open tables, and then nobody does anything."""

    nodes: int
    tables: int = 0
    players: int = 0
    """How many begin a game; then there is one table, and it is theirs."""
    idle_seconds: float = 0


@dataclass(frozen=True, slots=True)
class Stay:
    """What one node has measured of itself."""

    discovery_seconds: float
    """From the moment when all nodes start until this one knows all others and all their tables."""
    idle_cpu_percent: float
    bare_megabytes: float
    """With the program in memory, before there was a node."""
    megabytes: float


def gather(plan: Meeting) -> list[Stay]:
    """Lets a crowd meet, and returns what its nodes have measured; those who play come first.

    Raises:
        UsageError: They did not find each other.
    """
    context = get_context("spawn")  # Fresh processes: forked ones would share the memory of this one.
    crowd = token_hex(4)
    with (
        TemporaryDirectory(prefix="p2p-sheriff-bench-") as folder,
        ProcessPoolExecutor(plan.nodes, context, _enter, (context.Barrier(plan.nodes),)) as pool,
    ):
        stays = [pool.submit(_stay, plan, Path(folder), crowd, number) for number in range(plan.nodes)]
    errors = [error for stay in stays if (error := stay.exception()) is not None]
    for error in errors:
        if not isinstance(error, TimeoutError | BrokenBarrierError):
            raise error
    if errors:
        raise UsageError(
            f"{plan.nodes} nodes on this machine did not find each other in time; `p2p-sheriff doctor` may say why."
        ) from errors[0]
    return [stay.result() for stay in stays]


def peak_megabytes(process: int | None = None) -> float:
    """Returns the most resident memory that a process has had so far: this one, or the one with that id.

    It is 0 if the process has ended, or if this system does not tell: only Linux tells it of others.
    """
    try:
        status = Path(f"/proc/{process or 'self'}/status").read_text()
    except OSError:
        return 0
    # The system's other answer, getrusage, includes what the parent had when it started the process.
    return max((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")), default=0) / 1024


def _enter(barrier: Barrier) -> None:
    global _barrier  # noqa: PLW0603 - a barrier can be handed to a process only when that starts.
    _barrier = barrier


def _stay(plan: Meeting, folder: Path, crowd: str, number: int) -> Stay:
    bare = peak_megabytes()
    with Profile.open(f"{crowd}-{number}", folder) as profile:
        identity, group = profile.identity(), Edwards25519()
        _barrier.wait(_LIMIT_SECONDS)
        start = monotonic()
        node = Node(
            identity,
            profile.name,
            group,
            token_bytes,
            lambda charter: Keeper.begin(profile, charter, group, token_bytes),
            host=LOOPBACK,
            interfaces=(LOOPBACK,),
        )
        try:
            return asyncio.run(_Lodger(plan, crowd, number, node).stay(start, bare))
        except BaseException:
            _barrier.abort()  # The others need not wait.
            raise


class _Lodger:
    """One node of a crowd. Others may be on this network: only those of the own crowd are waited for."""

    def __init__(self, plan: Meeting, crowd: str, number: int, node: Node) -> None:
        self._plan, self._number, self._node = plan, number, node
        self._others = {f"{crowd}-{other}" for other in range(plan.nodes) if other != number}
        self._titles = [f"{crowd} table {table}" for table in range(plan.tables)]

    async def stay(self, start: float, bare_megabytes: float) -> Stay:
        async with asyncio.timeout(_LIMIT_SECONDS), self._node as node:
            if self._number < self._plan.tables:
                await node.open_table(self._titles[self._number], Setup(self._plan.players or 4))
            await _until(self._knows_all)
            discovery = monotonic() - start
            if self._number < self._plan.players:
                await self._sit_down()
            await asyncio.to_thread(_barrier.wait, _LIMIT_SECONDS)
            share = await _cpu_share(self._plan.idle_seconds) if self._plan.idle_seconds else 0
            await asyncio.to_thread(_barrier.wait, _LIMIT_SECONDS)
            megabytes = peak_megabytes()
        return Stay(discovery, 100 * share, bare_megabytes, megabytes)

    def _knows_all(self) -> bool:
        listed = {info.title for info in self._node.tables.values()}
        theirs = {title for table, title in enumerate(self._titles) if table != self._number}
        return self._others <= set(self._node.connected().values()) and theirs <= listed

    async def _sit_down(self) -> None:
        """Begins a game with the others at the first table, and waits until somebody would have to move."""
        if self._number > 0:
            tables = self._node.tables.values()
            await self._node.join_table(next(info for info in tables if info.title == self._titles[0]))
        await self._node.at_table(lambda gathering: gathering.set_ready(True))
        if self._number == 0:
            await _until(self._all_are_ready)
            await self._node.at_table(lambda gathering: gathering.begin())
        await _until(self._waits_for_a_move)
        while await _cpu_share(_QUIET_SECONDS) > _QUIET_SHARE:
            pass  # Nodes work ahead while they wait.

    def _all_are_ready(self) -> bool:
        return self._node.gathering is not None and self._node.gathering.info.is_complete

    def _waits_for_a_move(self) -> bool:
        if self._node.keeper is None:
            return False
        play = self._node.keeper.session.play
        return play.passing is None and any(isinstance(demand, Choose) for demand in demands(play.state))


async def _until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110 - asked rarely enough to cost nothing, and simpler than following events.
        await asyncio.sleep(_LOOK_SECONDS)


async def _cpu_share(seconds: float) -> float:
    start = process_time()
    await asyncio.sleep(seconds)
    return (process_time() - start) / seconds
