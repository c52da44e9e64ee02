import asyncio
import logging
import os
import resource
import socket
import ssl
from contextlib import AsyncExitStack, suppress

import pytest

from p2p_sheriff.node.certificate import client_context
from p2p_sheriff.node.handshake import HELLO_BYTES, answer, challenge, meet
from p2p_sheriff.node.transport import Companions, Limits, Why
from p2p_sheriff.texts import translated
from protocol.framing import frame
from protocol.group import Edwards25519
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.nodes import until
from tests.node.running import awaited
from tests.node.stage import HASTY, HOST, frames_of, refused, stage
from tests.node.strangers import DATA, GOODBYE, any_tls, dialling

# -- whom a server meets before it knows who it is


BROKEN_STREAMS = {
    "an empty frame": bytes(4),
    "the header of a frame over the limit of strangers": (len(DATA) + HELLO_BYTES + 1).to_bytes(4),
    "a frame of four gigabytes": b"\xff\xff\xff\xff" + bytes(100),
    "garbage": bytes(range(255, 0, -1)),
    "a frame of an unknown kind": frame(b"\2" + bytes(10)),
    "a goodbye that says nothing": frame(GOODBYE + bytes(10)),
    "a frame that is no answer": frame(DATA + bytes(100)),
    "a frame without content": frame(DATA),
}


@pytest.mark.parametrize("broken", BROKEN_STREAMS.values(), ids=BROKEN_STREAMS)
@awaited
async def test_a_stranger_who_sends_nonsense_is_told_so_and_dropped(rng: Drbg, broken: bytes) -> None:
    async with stage(rng) as at:
        async with dialling(at.listener.port, client_context()) as stranger:
            await stranger.receive()
            stranger.writer.write(broken)
            assert (await stranger.goodbye()).why is Why.MALFORMED
        await at.has_refused(Why.MALFORMED)
        await at.serves_others()


@awaited
async def test_what_a_stranger_sends_after_the_goodbye_is_not_read_for_ever(rng: Drbg) -> None:
    """Eight who did so, again and again, kept a node busy more than half of the time."""
    async with stage(rng) as at, dialling(at.listener.port, client_context()) as stranger:
        await stranger.receive()
        stranger.writer.write(BROKEN_STREAMS["a frame without content"])
        assert (await stranger.goodbye()).why is Why.MALFORMED
        more, sent = frame(DATA) * 20_000, 0
        with suppress(ConnectionError):
            while not stranger.writer.is_closing():
                stranger.writer.write(more)
                await stranger.writer.drain()
                sent += len(more)
        assert sent < 1 << 24  # As much as the system keeps on both sides, and some more.


@pytest.mark.parametrize("part", [b"", b"\0\0", frame(DATA + bytes(100))[:-1]])
@awaited
async def test_a_stranger_who_stops_in_the_middle_of_a_frame_is_forgotten(rng: Drbg, part: bytes) -> None:
    async with stage(rng) as at:
        async with dialling(at.listener.port, client_context()) as stranger:
            await stranger.receive()
            stranger.writer.write(part)
            await stranger.writer.drain()
        await at.has_refused(Why.LOST)
        await at.serves_others()


@awaited
async def test_a_replayed_answer_is_refused(rng: Drbg) -> None:
    victim, group = Identity.generate(rng), Edwards25519()
    async with stage(rng) as at:
        earlier = challenge(at.identity.public, None, rng)
        _, recorded = answer(victim, "Ann", at.identity.public, earlier.hello, None, rng)
        meet(group, earlier, recorded)
        async with dialling(at.listener.port, client_context()) as stranger:
            await stranger.receive()
            stranger.send(recorded)
            assert (await stranger.goodbye()).why is Why.PROOF
        await at.has_refused(Why.PROOF)
        await at.serves_others()


@awaited
async def test_a_client_that_does_not_finish_the_handshake_is_dropped(rng: Drbg) -> None:
    async with stage(rng, HASTY) as at:
        async with dialling(at.listener.port, None) as silent:
            await silent.was_hung_up_on()
        async with dialling(at.listener.port, client_context()) as mute:
            await mute.receive()
            assert (await mute.goodbye()).why is Why.LATE
        async with dialling(at.listener.port, client_context()) as slow:
            await slow.receive()
            with suppress(ConnectionError):
                for byte in frame(DATA + bytes(500)):
                    slow.writer.write(bytes([byte]))
                    await slow.writer.drain()
                    if slow.reader.at_eof():
                        break
                    await asyncio.sleep(0.02)
        await at.has_refused(Why.LATE, 3)
    async with stage(rng) as at:
        await at.serves_others()


@awaited
async def test_a_client_that_speaks_only_tls_1_2_is_refused(rng: Drbg) -> None:
    old = any_tls()
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    async with stage(rng) as at:
        with pytest.raises((ssl.SSLError, ConnectionError)):
            async with dialling(at.listener.port, old):
                pass
        await at.has_refused(Why.TLS)
        await at.serves_others()


@awaited
async def test_a_client_that_speaks_plain_text_is_refused(rng: Drbg) -> None:
    async with stage(rng) as at:
        async with dialling(at.listener.port, None) as stranger:
            stranger.writer.write(b"GET / HTTP/1.0\r\n\r\n")
            with suppress(ConnectionError):
                await stranger.reader.read()
        await at.has_refused(Why.TLS)
        await at.serves_others()


@awaited
async def test_too_many_strangers_from_one_address_are_hung_up_on_until_their_time_is_over(rng: Drbg) -> None:
    limits = Limits(handshakes_per_address=2)
    async with stage(rng, HASTY, limits) as at, AsyncExitStack() as strangers:
        for _ in range(2):
            await strangers.enter_async_context(dialling(at.listener.port, None))
        async with dialling(at.listener.port, None) as third:
            await third.was_hung_up_on()
        await at.has_refused(Why.CROWDED)
        await until(lambda: at.listener.refused[Why.LATE] == 2)
        await strangers.enter_async_context(dialling(at.listener.port, client_context()))


@awaited
async def test_too_many_strangers_at_all_are_hung_up_on(rng: Drbg) -> None:
    async with stage(rng, limits=Limits(handshakes=1)) as at:
        async with dialling(at.listener.port, client_context()) as first:
            await first.receive()
            async with dialling(at.listener.port, None) as second:
                await second.was_hung_up_on()
        await until(lambda: at.listener.refused[Why.LOST] == 1)
        await at.serves_others()


@pytest.mark.parametrize("limits", [Limits(connections_per_address=2), Limits(connections=2)])
@awaited
async def test_too_many_connections_are_refused_until_one_is_closed(rng: Drbg, limits: Limits) -> None:
    async with stage(rng, limits=limits) as at:
        _, (client, server) = await at.pair(), await at.pair()
        with refused(Why.CROWDED, by_peer=True):
            await at.dial()
        await at.has_refused(Why.CROWDED)
        await asyncio.gather(client.close("making room"), frames_of(server))
        await at.serves_others()


@pytest.mark.parametrize("limits", [Limits(connections_per_address=2), Limits(connections=2)])
@awaited
async def test_a_companion_is_let_in_although_strangers_have_taken_all_places(rng: Drbg, limits: Limits) -> None:
    friend = Identity.generate(rng)
    async with stage(rng, limits=limits, companions=Companions(has=lambda who: who == friend.public)) as at:
        await at.pair()
        await at.pair()
        with refused(Why.CROWDED, by_peer=True):
            await at.dial()
        await at.dial(friend)


@awaited
async def test_companions_take_no_places_from_strangers(rng: Drbg) -> None:
    friend = Identity.generate(rng)
    companions = Companions(has=lambda who: who == friend.public)
    async with stage(rng, limits=Limits(connections=1, connections_per_address=1), companions=companions) as at:
        await at.dial(friend)
        await at.arrived.get()
        await at.serves_others()


@awaited
async def test_strangers_who_come_faster_than_they_may_are_hung_up_on_before_tls(rng: Drbg) -> None:
    limits = Limits(handshakes_per_second=0.001, handshakes_in_a_row=1)
    async with stage(rng, limits=limits) as at:
        await at.pair()
        async with dialling(at.listener.port, None) as second:
            await second.was_hung_up_on()
        await at.has_refused(Why.CROWDED)


@awaited
async def test_the_address_of_a_companion_has_handshakes_of_its_own(rng: Drbg) -> None:
    """When strangers have used up all others: until a companion was met there, it is a stranger's too."""
    limits, met = Limits(handshakes_per_second=0.001, handshakes_in_a_row=1), set[str]()
    async with stage(rng, limits=limits, companions=Companions(at=met.__contains__)) as at:
        await at.pair()
        met.add(HOST)
        await at.pair()
        async with dialling(at.listener.port, None) as second:
            await second.was_hung_up_on()
        await at.has_refused(Why.CROWDED)


@awaited
async def test_thousands_who_are_refused_leave_a_few_lines_in_the_log(
    rng: Drbg, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with stage(rng, limits=Limits(handshakes=0)) as at:
        for _ in range(120):
            async with dialling(at.listener.port, None) as stranger:
                await stranger.was_hung_up_on()
        await at.has_refused(Why.CROWDED, 120)
    assert [record.args[1] for record in caplog.records if isinstance(record.args, tuple)] == [1, 10, 100]


@awaited
async def test_stopping_does_not_wait_for_strangers(rng: Drbg) -> None:
    async with AsyncExitStack() as strangers, stage(rng) as at:
        await strangers.enter_async_context(dialling(at.listener.port, None))
        await (await strangers.enter_async_context(dialling(at.listener.port, client_context()))).receive()
        await strangers.enter_async_context(dialling(at.listener.port, None))


@awaited
async def test_a_listener_for_whom_the_system_has_no_socket_left_goes_on_when_it_has(
    rng: Drbg, caplog: pytest.LogCaptureFixture
) -> None:
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    async with stage(rng) as at:
        with socket.socket() as stranger:
            stranger.setblocking(False)
            lowest_free = os.dup(stranger.fileno())
            os.close(lowest_free)
            resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free, limits[1]))
            try:
                await asyncio.get_running_loop().sock_connect(stranger, (HOST, at.listener.port))
                await until(lambda: "no connection can be accepted" in caplog.text)
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        await at.serves_others()


# -- whom a server meets afterwards


@pytest.mark.parametrize(
    "broken",
    [bytes(4), frame(DATA + bytes(1001)), b"\xff\xff\xff\xff", frame(b"\2"), frame(GOODBYE), b"\x7f" + bytes(255)],
    ids=["empty", "oversized", "gigantic", "of unknown kind", "empty goodbye", "garbage"],
)
@awaited
async def test_a_peer_who_sends_nonsense_is_told_so_and_dropped(rng: Drbg, broken: bytes) -> None:
    async with stage(rng) as at:

        async def misbehave() -> None:
            async with dialling(at.listener.port, client_context()) as peer:
                await peer.introduce(Identity.generate(rng), at.identity.public, rng)
                peer.send(b"sense")
                peer.writer.write(broken)
                assert (await peer.goodbye()).why is Why.MALFORMED

        misbehaving = asyncio.create_task(misbehave())
        connection = await at.arrived.get()
        with refused(Why.MALFORMED):
            async for data in connection:
                assert data == b"sense"
        await misbehaving
        with refused(Why.MALFORMED):
            await connection.send(b"anything")
        await at.serves_others()


@awaited
async def test_a_peer_who_stops_in_the_middle_of_a_frame_is_lost(rng: Drbg) -> None:
    async with stage(rng) as at:
        async with dialling(at.listener.port, client_context()) as peer:
            await peer.introduce(Identity.generate(rng), at.identity.public, rng)
            peer.send(b"whole")
            peer.writer.write(frame(DATA + bytes(100))[:-1])
            await peer.writer.drain()
        connection = await at.arrived.get()
        assert await anext(connection) == b"whole"
        with refused(Why.LOST):
            await anext(connection)
        with refused(Why.LOST):
            await connection.send(b"anybody?")
        await at.serves_others()


@awaited
async def test_sending_to_a_peer_who_is_gone_says_so(rng: Drbg) -> None:
    async with stage(rng) as at:
        async with dialling(at.listener.port, client_context()) as peer:
            await peer.introduce(Identity.generate(rng), at.identity.public, rng)
            connection = await at.arrived.get()
        with refused(Why.LOST):
            while True:
                await connection.send(b"anybody?")
                await asyncio.sleep(0.01)


@awaited
async def test_a_peer_who_does_not_read_is_dropped_and_takes_bounded_memory(rng: Drbg) -> None:
    limits = Limits(frame_bytes=1 << 16, queue_bytes=1 << 18)
    async with stage(rng, limits=limits) as at:
        async with dialling(at.listener.port, client_context()) as peer:
            await peer.introduce(Identity.generate(rng), at.identity.public, rng)
            connection, sent = await at.arrived.get(), 0
            with refused(Why.SLOW):
                while sent < 1 << 30:
                    await connection.send(bytes(1 << 16))
                    sent += 1 << 16
            assert sent >= limits.queue_bytes
            assert connection.ended is not None
            assert "Stranger reads too slowly" in translated(connection.ended.phrase)
            with refused(Why.SLOW):
                await anext(connection)
        await at.serves_others()


@awaited
async def test_what_fits_into_the_queue_waits_for_a_peer_who_reads_later_and_nobody_waits_for_it(rng: Drbg) -> None:
    frames = 256  # 16 MiB: more than the system itself buffers.
    async with stage(rng, limits=Limits(frame_bytes=1 << 16, queue_bytes=(frames + 1) << 16)) as at:
        client, server = await at.pair()
        turns = 0

        async def work() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        working = asyncio.create_task(work())
        for _ in range(frames):
            await server.send(bytes(1 << 16))
        working.cancel()
        assert turns > frames / 4
        assert server.is_behind
        assert [len(await anext(client)) for _ in range(frames)] == frames * [1 << 16]
        assert not server.is_behind
