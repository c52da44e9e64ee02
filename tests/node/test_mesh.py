"""What strangers may take of a node's connections: real sockets, and a consumer that takes out what the test wants."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from p2p_sheriff.node.discovery import Found
from p2p_sheriff.node.farewell import TransportError
from p2p_sheriff.node.handshake import anyone
from p2p_sheriff.node.limits import DEFAULT, Limits
from p2p_sheriff.node.mesh import Frame, Mesh, Signal, Up
from p2p_sheriff.node.transport import Connection, Listener, connect
from p2p_sheriff.node.wire import Address, Ping, Where, to_bytes
from protocol.identity import Identity, PublicIdentity
from tests.drbg import Drbg
from tests.node.nodes import HOST, QUICK, until
from tests.node.running import awaited
from tests.node.stage import frames_of

PING = to_bytes(Ping())
PHRASE = "the miller's blue door"
WRONG = "the miller's green door"


def person(name: str) -> Identity:
    return Identity.generate(Drbg(f"mesh {name}"))


@dataclass
class Victim:
    """A mesh whose inbox nobody empties but the test."""

    mesh: Mesh
    inbox: list[Signal] = field(default_factory=list)

    def take_up(self) -> None:
        """Takes note of all connections that have come up."""
        for signal in list(self.inbox):
            if isinstance(signal, Up):
                self.inbox.remove(signal)
                self.mesh.up(signal.connection)

    def frames(self, sender: Identity) -> list[Frame]:
        return [one for one in self.inbox if isinstance(one, Frame) and one.connection.peer == sender.public]

    async def is_called_by(self, who: Identity) -> Connection:
        connection = await connect(who, "Caller", QUICK, HOST, self.mesh.port)
        await until(lambda: self._has(who.public))
        return connection

    def connected(self) -> int:
        """Takes note of what has come up; returns how many are connected."""
        self.take_up()
        return len(self.mesh.connected())

    def _has(self, who: PublicIdentity) -> bool:
        self.take_up()
        return who in self.mesh.connected()

    def end_of(self, who: Identity) -> Connection:
        connection = self.mesh.peers[who.public].connection
        assert connection is not None
        return connection


@asynccontextmanager
async def victim(
    limits: Limits = DEFAULT, *companions: Identity, passphrase: str | None = None
) -> AsyncIterator[Victim]:
    failures: list[BaseException] = []
    inbox: list[Signal] = []
    known = {one.public for one in companions}
    mesh = Mesh(
        person("victim"), "Victim", QUICK, HOST, (), passphrase, anyone, inbox.append, lambda _: None, failures.append,
        is_companion=known.__contains__, is_player=known.__contains__, discover=False, limits=limits,
    )  # fmt: skip
    await mesh.start()
    try:
        yield Victim(mesh, inbox)
    finally:
        await mesh.stop()
    assert failures == []


@asynccontextmanager
async def answering(count: int) -> AsyncIterator[list[Found]]:
    """Nodes that are there and answer: all of them are a stranger's, who only announces many."""
    people = [person(f"answers {number}") for number in range(count)]
    served = list[Connection]()

    async def keep(connection: Connection) -> None:
        served.append(connection)

    listeners = [Listener(one, "Fake", QUICK, HOST, keep) for one in people]
    for listener in listeners:
        await listener.start()
    found = zip(people, listeners, strict=True)
    yield [Found(one.public, "Fake", (HOST,), listener.port) for one, listener in found]
    for connection in served:
        connection.cut()
    for listener in listeners:
        await listener.stop()


async def look_after(here: Victim, times: int) -> None:
    for _ in range(times):
        here.take_up()
        await here.mesh.look_after()
        await asyncio.sleep(QUICK.most_reconnect_seconds / 4)


@awaited
async def test_strangers_who_announce_many_nodes_that_answer_get_only_so_many_connections_of_ours() -> None:
    async with victim(replace(DEFAULT, dialled=2, dials=1)) as here, answering(6) as announced:
        for found in announced:
            here.mesh.find(found)
        while here.connected() < 2:
            await look_after(here, 1)
        await look_after(here, 12)
        assert here.connected() == 2


@awaited
async def test_a_companion_and_whose_address_was_typed_are_dialled_though_strangers_have_all_places() -> None:
    async with answering(3) as announced, victim(replace(DEFAULT, dialled=1), person("answers 2")) as here:
        here.mesh.find(announced[0])
        await until(lambda: here.connected() == 1)
        await here.mesh.dial(announced[1].hosts[0], announced[1].port)
        await until(lambda: here.connected() == 2)
        here.mesh.find(announced[2])
        await until(lambda: here.connected() == 3)


@awaited
async def test_announced_strangers_who_never_answer_are_dialled_only_so_many_at_once() -> None:
    open_now = 0

    async def stay_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal open_now
        open_now += 1
        await reader.read()
        writer.close()

    server = await asyncio.start_server(stay_silent, HOST)
    port = server.sockets[0].getsockname()[1]
    async with victim(replace(DEFAULT, dials=2)) as here:
        for number in range(6):
            here.mesh.find(Found(person(f"silent {number}").public, "Silent", (HOST,), port))
        await until(lambda: open_now >= 2)
        await look_after(here, 4)
        assert open_now == 2
    server.close()
    await server.wait_closed()


@awaited
async def test_after_a_stranger_has_failed_with_the_passphrase_no_other_one_is_dialled_for_a_while() -> None:
    dialled = 0

    async def count(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal dialled
        dialled += 1
        writer.close()

    async def keep(connection: Connection) -> None:
        connection.cut()

    eve, server = person("Eve"), await asyncio.start_server(count, HOST)
    listener = Listener(eve, "Eve", QUICK, HOST, keep, passphrase=WRONG)
    await listener.start()
    async with victim(passphrase=PHRASE) as here:
        here.mesh.find(Found(eve.public, "Eve", (HOST,), listener.port))
        await until(lambda: listener.refused.total() == 1)
        here.mesh.find(Found(person("Mallory").public, "Mallory", (HOST,), server.sockets[0].getsockname()[1]))
        await look_after(here, 4)
        assert dialled == 0
    await listener.stop()
    server.close()
    await server.wait_closed()


@awaited
async def test_of_a_strangers_frames_few_wait_and_those_of_a_companion_are_not_held_up() -> None:
    ann, eve = person("Ann"), person("Eve")
    async with victim(replace(DEFAULT, stranger_frames=3), ann) as here:
        stranger, companion = await here.is_called_by(eve), await here.is_called_by(ann)
        for connection in (stranger, companion):
            for _ in range(40):
                await connection.send(PING)
        await until(lambda: len(here.frames(ann)) == 40)
        await until(lambda: len(here.frames(eve)) == 3)
        here.mesh.taken(here.frames(eve)[0])
        await until(lambda: len(here.frames(eve)) == 4)
        for connection in (stranger, companion):
            connection.cut()


@awaited
async def test_who_costs_more_time_than_a_stranger_may_is_told_so_and_closed_and_a_companion_is_not() -> None:
    ann, eve = person("Ann"), person("Eve")
    async with victim(DEFAULT, ann) as here:
        for who in (ann, eve):
            connection = await here.is_called_by(who)
            await connection.send(PING)
            await until(lambda who=who: len(here.frames(who)) == 1)  # type: ignore[misc]
            here.mesh.worked(here.frames(who)[0], 3600)
            await connection.send(PING)
            if who is ann:
                await until(lambda: len(here.frames(ann)) == 2)
                connection.cut()
            else:
                assert [data async for data in connection] == []
                assert connection.ended is not None
                assert connection.ended.detail == "more than a stranger may send"
                assert len(here.frames(eve)) == 1


@awaited
async def test_what_a_stranger_sends_beyond_the_bytes_of_a_stranger_waits() -> None:
    eve = person("Eve")
    async with victim(replace(DEFAULT, stranger_bytes=10, stranger_bytes_per_second=0.25)) as here:
        connection = await here.is_called_by(eve)
        for _ in range(3):
            await connection.send(PING)
        await until(lambda: len(here.frames(eve)) == 1)
        await asyncio.sleep(0.5)
        assert len(here.frames(eve)) == 1
        connection.cut()


@awaited
async def test_a_frame_that_says_nothing_has_a_price_too() -> None:
    """Four strangers who only said that they are there took half of a node's time: to read a frame costs most then."""
    eve = person("Eve")
    async with victim(replace(DEFAULT, frame_seconds=3600)) as here:
        connection = await here.is_called_by(eve)
        await connection.send(PING)
        await until(lambda: len(here.frames(eve)) == 1)
        here.mesh.worked(here.frames(eve)[0], 0)
        ending = asyncio.create_task(frames_of(connection))
        await connection.send(PING)
        await until(lambda: ending.done() or len(here.frames(eve)) > 1)
        assert connection.ended is not None
        assert connection.ended.detail == "more than a stranger may send"


@awaited
@pytest.mark.parametrize("reads", [True, False])
async def test_a_stranger_who_does_not_read_gives_no_sign_of_life_whatever_it_sends(
    monkeypatch: pytest.MonkeyPatch, reads: bool
) -> None:
    monkeypatch.setattr(Connection, "is_behind", not reads)
    eve = person("Eve")
    async with victim(DEFAULT) as here:
        connection = await here.is_called_by(eve)
        await until(lambda: here.mesh.is_there(eve.public))
        here.mesh.peers[eve.public].heard = heard = -1.0
        await connection.send(PING)
        await until(lambda: len(here.frames(eve)) == 1)
        assert (here.mesh.peers[eve.public].heard > heard) == reads


@awaited
async def test_hints_are_taken_from_companions_and_from_nobody_else() -> None:
    ann, ben, eve = person("Ann"), person("Ben"), person("Eve")
    async with victim(DEFAULT, ann, ben) as here:
        here.mesh.want(ben.public, "Ben", [])
        callers = [await here.is_called_by(eve), await here.is_called_by(ann)]
        told = []
        for who in (eve, ann):
            where = Where(4000, (Address(ben.public.key, "10.9.9.9", 4001),))
            here.mesh.learn(here.end_of(who), where)
            told.append(here.mesh.peers[ben.public].places)
        assert told == [[], [("10.9.9.9", 4001)]]
        for connection in callers:
            connection.cut()


@awaited
async def test_a_name_that_nobody_answers_for_holds_up_neither_proofs_nor_other_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, may_answer = threading.Event(), threading.Event()

    def stay_silent(_: str) -> str:
        asked.set()
        may_answer.wait()
        raise OSError("nobody")

    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    async with victim() as here:
        monkeypatch.setattr(socket, "gethostbyname", stay_silent)
        dialling = asyncio.ensure_future(here.mesh.dial("nobody.example", 4000))
        await until(asked.is_set)
        try:
            assert await asyncio.wait_for(asyncio.to_thread(lambda: "a proof"), 30) == "a proof"
        finally:
            may_answer.set()
        with pytest.raises(TransportError):
            await dialling
