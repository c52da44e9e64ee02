"""Strangers who attack one node of a game, in a network of the tests: ``python -m tests.node.raid RAID NAME COUNT``.

They find their victim as anybody does and say so, begin when they get a line, stop after COUNT of whatever they do, and
print how it ended for each of them.
"""

import asyncio
import os
import socket
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from secrets import token_bytes
from typing import Final

from zeroconf import ServiceInfo, const
from zeroconf._protocol.outgoing import DNSOutgoing

from p2p_sheriff.gathering.tables import Joins, Leaves, Lists, Member, TableInfo
from p2p_sheriff.node.discovery import SERVICE, Discovery, Found, local_addresses
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.transport import Connection, TransportError, connect
from p2p_sheriff.node.wire import EntryOf, GameInfo, Games, HeadsOf, Message, Tables, TableTalk, to_bytes
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.terms import propose
from protocol.charter import Charter, Player
from protocol.entry import Head
from protocol.identity import Identity

AT_ONCE: Final = 50
STRANGERS: Final = 4
SECONDS: Final = 60
"""After which they give up: a raid is bounded in count and time."""

MDNS: Final = ("224.0.0.251", 5353)

Raid = Callable[[Found, int], Awaitable[Counter[str]]]


async def victim(name: str) -> Found:
    """Finds the node of that name."""
    identity = Identity.generate(token_bytes).public
    async with Discovery(identity, "raider", 4711, rescan_seconds=2) as discovery:
        while (found := await discovery.found.get()).name != name:
            pass
        return found


async def many(count: int, one: Callable[[int], Awaitable[str]]) -> Counter[str]:
    """Does something many times, several of them at once, while the victim is there and it is time."""
    numbers, ends = iter(range(count)), Counter[str]()
    latest = asyncio.get_running_loop().time() + SECONDS

    async def worker() -> None:
        for number in numbers:
            # When the victim has gone nothing more is an attack.
            if "ConnectionRefusedError" in ends or asyncio.get_running_loop().time() > latest:
                return
            try:
                ends[await one(number)] += 1
            except (OSError, TransportError) as error:
                ending = error.ending.why if isinstance(error, TransportError) else type(error).__name__
                ends[str(ending).replace(" ", "-")] += 1

    await asyncio.gather(*(worker() for _ in range(AT_ONCE)))
    return ends


@asynccontextmanager
async def stream(at: Found) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(at.hosts[0], at.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def garbage(at: Found, count: int) -> Counter[str]:
    """Random bytes in place of TLS."""

    async def one(_: int) -> str:
        async with stream(at) as (reader, writer):
            writer.write(os.urandom(500))
            async with asyncio.timeout(SECONDS):
                return "hung-up" if not await reader.read(1) else "answered"

    return await many(count, one)


async def half_open(at: Found, count: int) -> Counter[str]:
    """Connections over which nothing comes, as many as there may be, for as long as they are let."""

    async def one(_: int) -> str:
        async with stream(at) as (reader, _writer), asyncio.timeout(SECONDS):
            return "hung-up" if not await reader.read(1) else "answered"

    return await many(count, one)


async def slow(at: Found, count: int) -> Counter[str]:
    """The first bytes of a handshake, one at a time."""

    async def one(_: int) -> str:
        async with stream(at) as (reader, writer), asyncio.timeout(SECONDS):
            for byte in b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + os.urandom(200):
                writer.write(bytes([byte]))
                await asyncio.sleep(0.2)
                if reader.at_eof():
                    break
            return "hung-up"

    return await many(count, one)


def _dial(at: Found) -> Awaitable[Connection]:
    timing = Timing(handshake_seconds=SECONDS, goodbye_seconds=0.1)
    return connect(Identity.generate(token_bytes), "Stranger", timing, at.hosts[0], at.port)


async def hellos(at: Found, count: int) -> Counter[str]:
    """Honest handshakes under keys that nobody knows."""

    async def one(_: int) -> str:
        connection = await _dial(at)
        connection.cut()
        return "accepted"

    return await many(count, one)


async def announce(at: Found, count: int) -> Counter[str]:
    """Nodes that are not there, announced once: half of them at the victim's own address, half at nobody's."""
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own = local_addresses()[0]
    udp.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(own))
    for number in range(count):
        key = Identity.generate(token_bytes).public.key.hex()
        name, server = f"fake-{key[:8]}.{SERVICE}", f"{key[:16]}.local."
        host = at.hosts[0] if number % 2 else own.rpartition(".")[0] + f".{200 + number % 50}"
        info = ServiceInfo(
            SERVICE,
            name,
            port=1024 + number,
            addresses=[socket.inet_aton(host)],
            properties={"key": key, "name": "Fake"},
            server=server,
        )
        out = DNSOutgoing(const._FLAGS_QR_RESPONSE | const._FLAGS_AA)
        for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
            out.add_answer_at_time(record, 0)
        for packet in out.packets():
            udp.sendto(packet, MDNS)
        await asyncio.sleep(0.001)
    udp.close()
    return Counter({"announced": count})


def flooding(message: Callable[[Identity, int], Message]) -> Raid:
    """Returns a raid of strangers who say one thing as fast as they can."""

    async def raid(at: Found, count: int) -> Counter[str]:
        async def stranger(_: int) -> str:
            identity = Identity.generate(token_bytes)
            timing = Timing(handshake_seconds=SECONDS, goodbye_seconds=0.1)
            connection = await connect(identity, "Stranger", timing, at.hosts[0], at.port)
            reading = asyncio.ensure_future(_read(connection))
            try:
                async with asyncio.timeout(SECONDS):
                    for number in range(count // STRANGERS):
                        await connection.send(to_bytes(message(identity, number)))
            except TimeoutError:
                return "slowed-down"
            else:
                return "sent-all"
            finally:
                reading.cancel()
                connection.cut()

        return await many(STRANGERS, stranger)

    return raid


async def _read(connection: Connection) -> None:
    async for _ in connection:
        pass


def _table(identity: Identity, number: int) -> TableInfo:
    return TableInfo(
        token_bytes(16), f"table {number}", Setup(4), identity.public, (Member(identity.public, "Stranger", "", 1),)
    )


def _games(identity: Identity, number: int) -> Message:
    others = [Player(Identity.generate(token_bytes).public, "Nobody") for _ in range(4)]
    proposal = propose([Player(identity.public, "Stranger"), *others], Setup(5))
    charter = Charter(proposal, tuple(token_bytes(32) for _ in range(5)))
    return Games((GameInfo(f"game {number}", charter),))


def _lobby(identity: Identity, number: int) -> Message:
    table = _table(identity, number)
    said = (Joins(table.id, table.members[0]), Leaves(table.id), Lists(table.id, table))
    return TableTalk(said[number % 3])


RAIDS: Final[dict[str, Raid]] = {
    "garbage": garbage,
    "half-open": half_open,
    "slow": slow,
    "hellos": hellos,
    "announce": announce,
    "tables": flooding(lambda identity, number: Tables((_table(identity, number),) if number % 2 else ())),
    "games": flooding(_games),
    "lobby": flooding(_lobby),
    "heads": flooding(lambda _, number: HeadsOf(token_bytes(32), (Head(number, bytes(32)),) * 16)),
    "entries": flooding(lambda _, number: EntryOf(token_bytes(32), bytes(150_000 if number % 2 else 100))),
}


async def _raid(name: str, whom: str, count: int) -> None:
    async with asyncio.timeout(SECONDS):
        found = await victim(whom)
    sys.stdout.write("found\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)  # Whoever has started it says when.
    ends = await RAIDS[name](found, count)
    sys.stdout.write(" ".join(f"{end}={times}" for end, times in sorted(ends.items())) + "\n")


if __name__ == "__main__":
    asyncio.run(_raid(sys.argv[1], sys.argv[2], int(sys.argv[3])))
