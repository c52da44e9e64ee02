import asyncio
import socket
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256

from p2p_sheriff.node.certificate import certificate, client_context, server_context
from p2p_sheriff.node.farewell import Farewell
from p2p_sheriff.node.handshake import known_names
from p2p_sheriff.node.transport import Connection, Listener, Why, connect
from p2p_sheriff.texts import translated
from protocol.codec import encode
from protocol.errors import LocalError
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.certificates import certified
from tests.node.nodes import until
from tests.node.running import awaited
from tests.node.stage import HASTY, HOST, PATIENT, frames_of, refused, stage
from tests.node.strangers import Stranger, dialling, serving, tls_with

PHRASE = "the miller's blue door"


# -- what honest nodes get


@awaited
async def test_both_ends_know_each_other_and_frames_arrive_in_order(rng: Drbg) -> None:
    async with stage(rng) as at:
        me = Identity.generate(rng)
        client = await at.dial(me)
        server = await at.arrived.get()
        assert (client.peer, client.name, client.dialled) == (at.identity.public, "Rob", True)
        assert (server.peer, server.name, server.dialled) == (me.public, "Ann", False)
        assert (client.address, server.address) == (HOST, HOST)
        assert client.words == server.words
        sent = [rng(1 + size) for size in range(0, 1000, 37)] + [b"", bytes(1000)]
        for data in sent:
            await client.send(data)
            await server.send(data)
        assert [await anext(client) for _ in sent] == sent
        assert [await anext(server) for _ in sent] == sent


@awaited
async def test_the_server_may_speak_first_and_much_right_behind_its_welcome(rng: Drbg) -> None:
    # Its frames are larger than a handshake allows, and may arrive in one piece with the welcome.
    async with stage(rng) as at:

        async def greet() -> Connection:
            server = await at.arrived.get()
            for _ in range(3):
                await server.send(bytes(1000))
            return server

        client, _ = await asyncio.gather(at.dial(), greet())
        assert [await anext(client) for _ in range(3)] == 3 * [bytes(1000)]


@awaited
async def test_a_reason_reaches_the_other_side_behind_all_that_was_sent(rng: Drbg) -> None:
    async with stage(rng) as at:
        for swap in (False, True):
            ends = await at.pair()
            one, other = reversed(ends) if swap else ends
            await one.send(b"last words")
            left, _ = await asyncio.gather(frames_of(other), one.close("off to bed"))
            assert left == [b"last words"]
            assert one.ended == Farewell(Why.CLOSED, "off to bed")
            assert other.ended == Farewell(Why.CLOSED, "off to bed", by_peer=True)
            assert translated(other.ended.phrase) == "the other side says: The connection was closed: off to bed."


@awaited
async def test_a_reason_reaches_a_side_whose_own_frames_were_never_read(rng: Drbg) -> None:
    async with stage(rng) as at:
        client, server = await at.pair()
        for _ in range(100):
            await client.send(bytes(1000))
        await asyncio.gather(frames_of(client), server.close("enough"))
        assert client.ended == Farewell(Why.CLOSED, "enough", by_peer=True)


@awaited
async def test_closing_ends_the_own_iteration_and_sending(rng: Drbg) -> None:
    async with stage(rng) as at:
        client, server = await at.pair()
        reading = asyncio.create_task(frames_of(client))
        await asyncio.sleep(0)
        await asyncio.gather(client.close("done"), frames_of(server))
        assert await reading == []
        assert await frames_of(client) == []
        with refused(Why.CLOSED):
            await client.send(b"too late")
        await client.close("again")
        assert client.ended == Farewell(Why.CLOSED, "done")


@awaited
async def test_both_sides_may_close_at_once(rng: Drbg) -> None:
    async with stage(rng) as at:
        client, server = await at.pair()
        await asyncio.gather(client.close("mine"), server.close("yours"))
        assert client.ended == Farewell(Why.CLOSED, "mine")
        assert server.ended == Farewell(Why.CLOSED, "yours")


@awaited
async def test_a_side_that_does_not_read_delays_closing_by_a_moment_only(rng: Drbg) -> None:
    async with stage(rng, HASTY) as at:
        client, server = await at.pair()
        await server.close("not listening?")
        assert await frames_of(client) == []
        assert client.ended == Farewell(Why.CLOSED, "not listening?", by_peer=True)


@awaited
async def test_who_calls_in_the_very_moment_when_the_listener_stops_is_not_let_in(rng: Drbg) -> None:
    async with stage(rng) as at:
        await asyncio.sleep(0.05)  # It waits for somebody now.
        with socket.create_connection((HOST, at.listener.port)):  # The loop hears of it when it was stopped already.
            stopping = asyncio.ensure_future(at.listener.stop())
            await stopping
            assert at.listener.refused.total() == 0


@awaited
async def test_stopping_the_listener_says_goodbye_to_all(rng: Drbg) -> None:
    async with stage(rng) as at:
        client, _ = await at.pair()
        port = at.listener.port
        await asyncio.gather(frames_of(client), at.listener.stop())
        assert client.ended == Farewell(Why.LEFT, by_peer=True)
        with refused(Why.UNREACHABLE):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)


@awaited
async def test_a_frame_that_the_other_side_would_refuse_is_not_sent(rng: Drbg) -> None:
    async with stage(rng) as at:
        _, server = await at.pair()
        with pytest.raises(LocalError):
            await server.send(bytes(1001))
        assert server.ended is None


# -- whom a client meets


@awaited
async def test_a_server_with_another_key_than_expected_is_not_answered(rng: Drbg) -> None:
    async with stage(rng) as at:
        with refused(Why.IDENTITY):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, at.listener.port, Identity.generate(rng).public)
        await at.has_refused(Why.IDENTITY)
        await at.serves_others()


@awaited
async def test_a_man_in_the_middle_who_relays_gets_no_connection(rng: Drbg) -> None:
    async with stage(rng) as at:

        async def relay(victim: Stranger) -> None:
            async with dialling(at.listener.port, client_context()) as onward:
                await asyncio.gather(pump(victim, onward), pump(onward, victim))

        async with serving(server_context(Identity.generate(rng)), relay) as port:
            with refused(Why.PROOF, by_peer=True):
                await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)
            await at.has_refused(Why.PROOF)
            with refused(Why.IDENTITY):
                await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port, at.identity.public)
        await at.serves_others()


async def pump(source: Stranger, sink: Stranger) -> None:
    while data := await source.reader.read(1 << 16):
        sink.writer.write(data)
    sink.writer.transport.abort()


@awaited
async def test_a_known_name_under_another_key_is_refused_by_both_sides(rng: Drbg) -> None:
    ann, mallory = Identity.generate(rng), Identity.generate(rng)
    async with stage(rng, admit=known_names({"Ann": ann.public})) as at:
        with refused(Why.NAME, by_peer=True):
            await at.dial(mallory, "Ann")
        await at.has_refused(Why.NAME)
        await at.dial(ann, "Ann")
        await at.arrived.get()

        async def told_why() -> None:
            server = await at.arrived.get()
            with refused(Why.NAME, by_peer=True):
                await anext(server)

        telling = asyncio.create_task(told_why())
        with refused(Why.NAME):
            await connect(mallory, "Eve", PATIENT, HOST, at.listener.port, admit=known_names({"Rob": ann.public}))
        await telling


@awaited
async def test_a_node_that_dials_itself_notices(rng: Drbg) -> None:
    async with stage(rng) as at:
        with refused(Why.SELF):
            await at.dial(at.identity)
        await at.has_refused(Why.SELF)


@awaited
async def test_a_server_with_another_type_of_key_is_no_node(rng: Drbg, tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    context = tls_with(tmp_path, key, certified(key.public_key(), key, SHA256()))
    async with serving(context, say_nothing) as port:
        with refused(Why.CERTIFICATE):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)


@awaited
async def test_a_server_whose_certificate_another_key_signed_is_no_node(rng: Drbg, tmp_path: Path) -> None:
    key = Ed25519PrivateKey.generate()
    shown = certified(key.public_key(), Ed25519PrivateKey.generate(), subject="p2p-sheriff", issuer="p2p-sheriff")
    async with serving(tls_with(tmp_path, key, shown), say_nothing) as port:
        with refused(Why.CERTIFICATE):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)


def test_a_server_can_not_show_the_certificate_of_somebody_else(rng: Drbg, tmp_path: Path) -> None:
    stolen = x509.load_der_x509_certificate(certificate(Identity.generate(rng)))
    with pytest.raises(ssl.SSLError):
        tls_with(tmp_path, Ed25519PrivateKey.generate(), stolen)


async def say_nothing(client: Stranger) -> None:
    await client.reader.read()


@awaited
async def test_a_server_that_only_listens_is_left_after_the_time_limit(rng: Drbg) -> None:
    for context in (None, server_context(Identity.generate(rng))):
        async with serving(context, say_nothing) as port:
            with refused(Why.LATE):
                await connect(Identity.generate(rng), "Ann", HASTY, HOST, port)


@awaited
async def test_a_server_that_speaks_no_tls_is_no_node(rng: Drbg) -> None:
    async def speak_http(client: Stranger) -> None:
        client.writer.write(b"HTTP/1.0 400 Bad Request\r\n\r\n")
        await client.reader.read()

    async with serving(None, speak_http) as port:
        with refused(Why.TLS):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)


@awaited
async def test_a_server_that_hangs_up_at_once_is_unreachable(rng: Drbg) -> None:
    async def hang_up(client: Stranger) -> None:
        client.writer.transport.abort()

    async with serving(None, hang_up) as port:
        with refused(Why.UNREACHABLE):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)


@awaited
async def test_a_server_of_another_version_is_told_why_it_is_left(rng: Drbg) -> None:
    heard: list[Farewell] = []

    async def speak_anew(client: Stranger) -> None:
        client.send(encode(("p2p-sheriff/99", "something new")))
        heard.append(await client.goodbye())

    async with serving(server_context(Identity.generate(rng)), speak_anew) as port:
        with refused(Why.VERSION):
            await connect(Identity.generate(rng), "Ann", PATIENT, HOST, port)
    assert [ending.why for ending in heard] == [Why.VERSION]


# -- private tables


@awaited
async def test_a_private_table_lets_in_who_knows_the_passphrase_and_nobody_else(rng: Drbg) -> None:
    async with stage(rng, passphrase=PHRASE) as at:
        client = await at.dial(passphrase=PHRASE)
        server = await at.arrived.get()
        assert client.private
        assert server.private
        await at.serves_others(PHRASE)
        with refused(Why.PRIVATE):
            await at.dial()
        with refused(Why.PASSPHRASE):
            await at.dial(passphrase=PHRASE.upper())
        await until(lambda: at.listener.refused == {Why.PASSPHRASE: 1, Why.PRIVATE: 1})


@awaited
async def test_a_table_that_is_not_private_is_open_to_all_but_who_insists_on_a_passphrase(rng: Drbg) -> None:
    async with stage(rng) as at:
        client, server = await at.pair()
        assert not client.private
        assert not server.private
        with refused(Why.PUBLIC):
            await at.dial(passphrase=PHRASE)


# -- secrets


def test_nothing_of_the_identity_stays_on_the_disk(rng: Drbg, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    server_context(Identity.generate(rng))
    assert list(tmp_path.iterdir()) == []


def test_a_listener_that_was_not_started_has_no_port_and_none_has_an_impossible_name(rng: Drbg) -> None:
    async def nobody(connection: Connection) -> None:
        raise AssertionError(connection)

    with pytest.raises(LocalError):
        _ = Listener(Identity.generate(rng), "Rob", PATIENT, HOST, nobody).port
    with pytest.raises(LocalError):
        Listener(Identity.generate(rng), "Rob\n", PATIENT, HOST, nobody)
