"""Nodes on loopback in one loop: real connections, real disks, and bots for players."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from secrets import token_bytes
from types import TracebackType
from typing import Self

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.fronts.botfront import BotFront
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.disk import Disk
from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.node.handshake import known_names
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.helm import Front
from p2p_sheriff.seat.picture import News, Picture
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.session import Session
from protocol.group import Edwards25519
from protocol.transcript import Transcript
from tests.node.running import SECONDS
from tests.table.games import SHORT_DECK

HOST = "127.0.0.1"
# What a node does by itself, it does often; what it does because others are too slow, it does late: here they only seem
# so, on a machine that is busy.
QUICK = Timing(
    heartbeat_seconds=0.3,
    dead_after_seconds=60,
    handshake_seconds=60,
    goodbye_seconds=2,
    rescan_seconds=2,
    reconnect_seconds=0.1,
    most_reconnect_seconds=0.5,
    courtesy_seconds=0.05,
    seat_seconds=60,
)
SETUP = Setup(3, short=SHORT_DECK)
TITLE = "by the fire"
NAMES = ("Anna", "Ben", "Cleo", "Dan", "Eve", "Finn")


@dataclass
class Place:
    """A node with its profile, and all that it has told so far."""

    node: Node
    profile: Profile
    told: list[NodeEvent] = field(default_factory=list)

    def drain(self) -> list[NodeEvent]:
        while not self.node.events.empty():
            self.told.append(self.node.events.get_nowait())
        return self.told

    def table(self) -> TableInfo | None:
        return next(iter(self.node.tables.values()), None)


class Party:
    """Several nodes, and what they do together."""

    def __init__(self, folder: Path, timing: Timing = QUICK, disks: Mapping[str, Disk] | None = None) -> None:
        """Takes where profiles are, and the disks of those names that have no usual one."""
        self._folder, self._timing, self._disks = folder, timing, disks or {}
        self._stack = AsyncExitStack()
        self.places: list[Place] = []

    async def __aenter__(self) -> Self:
        await self._stack.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.__aexit__(kind, error, trace)

    @asynccontextmanager
    async def place(
        self, name: str, *, discover: bool = False, profile: str = "", passphrase: str | None = None
    ) -> AsyncIterator[Place]:
        """Starts a node; it has the profile of its name, if no other is given."""
        group = Edwards25519()
        with Profile.open(profile or name, self._folder, self._disks.get(name)) as opened:
            node = Node(
                opened.identity(),
                name,
                group,
                token_bytes,
                lambda charter: Keeper.begin(opened, charter, group, token_bytes),
                self._timing,
                HOST,
                interfaces=(HOST,),
                discover=discover,
                passphrase=passphrase,
                admit=known_names(opened.pins()),
            )
            async with node:
                yield Place(node, opened)

    async def add(
        self, name: str, *, discover: bool = False, profile: str = "", passphrase: str | None = None
    ) -> Place:
        starting = self.place(name, discover=discover, profile=profile, passphrase=passphrase)
        place = await self._stack.enter_async_context(starting)
        self.places.append(place)
        return place

    async def meet(self, count: int) -> None:
        """Adds nodes that are all connected to the first one, by its address."""
        for name in NAMES[:count]:
            place = await self.add(name)
            if place is not self.places[0]:
                await place.node.dial(HOST, self.places[0].node.port)
        await until(lambda: len(self.places[0].node.connected()) == count - 1)

    async def gather(self, setup: Setup = SETUP) -> None:
        """Lets the first open a table and the others join it, until all seats are taken."""
        opener, *others = self.places
        await opener.node.open_table(TITLE, setup)
        assert opener.node.gathering is not None
        table = opener.node.gathering.info.id  # Nodes of other tests, which are found too, may have tables as well.
        for place in others:
            await until(partial(lambda place: table in place.node.tables, place))
            await place.node.join_table(place.node.tables[table])
            await until(partial(seated, place))

    async def begin(self, setup: Setup = SETUP) -> list[Session]:
        """Gathers a table, and starts its game."""
        await self.gather(setup)
        return await self.start()

    async def start(self) -> list[Session]:
        """Starts the game of a table whose seats are taken."""
        for place in self.places:
            await place.node.at_table(lambda gathering: gathering.set_ready(True))
        opener = self.places[0].node
        await until(lambda: opener.gathering is not None and opener.gathering.info.is_complete)
        await opener.at_table(lambda gathering: gathering.begin())
        return await self.sessions()

    async def sessions(self) -> list[Session]:
        await until(lambda: all(place.node.keeper is not None for place in self.places))
        return [place.node.keeper.session for place in self.places if place.node.keeper is not None]

    async def play(self) -> None:
        """Lets bots play the game to its end."""
        await asyncio.gather(*(seat(place).play() for place in self.places))


class Recorder(Driver):
    """Runs a player, and keeps all that the node tells."""

    def __init__(self, place: Place, front: Front) -> None:
        super().__init__(place.node, place.profile, front, Words(), keeps=False)
        self._told = place.told

    def take(self, event: NodeEvent) -> None:
        self._told.append(event)
        super().take(event)


class Sitter:
    """A bot at a node."""

    def __init__(self, place: Place) -> None:
        self._ended = asyncio.Event()
        front = BotFront(
            lambda seat: make_bot(STYLES[seat % len(STYLES)], seat, Random(seat)), Tempo(0.02, 0), self._see
        )
        self._driver = Recorder(place, front)

    def _see(self, scene: Scene, _news: Sequence[News]) -> None:
        session = self._driver.session
        if isinstance(scene, Picture) and scene.is_ended and session is not None and session.play.is_over:
            self._ended.set()

    async def play(self) -> None:
        """Plays until the result is signed by all; what is done with it then is the test's business."""
        tasks = [asyncio.ensure_future(self._driver.run()), asyncio.ensure_future(self._ended.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if tasks[0].done():
                tasks[0].result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def seat(place: Place) -> Sitter:
    """Puts a bot at a node whose game has begun."""
    return Sitter(place)


def seated(place: Place) -> bool:
    gathering = place.node.gathering
    return gathering is not None and gathering.info.member(place.node.identity.public) is not None


async def goes_on(playing: asyncio.Task[None], transcript: Transcript) -> bool:
    """Waits until some more of a game has come here, or it is over; returns whether it goes on."""
    length = sum(map(len, transcript.chains)) + 15
    await until(lambda: playing.done() or sum(map(len, transcript.chains)) >= length)
    return not playing.done()


async def found(place: Place) -> TableInfo:
    await until(lambda: place.table() is not None)
    info = place.table()
    assert info is not None
    return info


async def until(holds: Callable[[], bool]) -> None:
    """Waits until something is the case."""
    async with asyncio.timeout(SECONDS):
        while not holds():  # noqa: ASYNC110 - nobody tells when it becomes true: that is what the test asks.
            await asyncio.sleep(0.01)
