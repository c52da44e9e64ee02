"""Clients and servers that do not behave: they speak TLS and frames by hand, and use nothing of the transport."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from p2p_sheriff.node.farewell import Farewell
from p2p_sheriff.node.handshake import accept, answer
from protocol.framing import frame
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng

DATA, GOODBYE = b"\0", b"\1"


def any_tls() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


@dataclass
class Stranger:
    """One end of a stream, with nothing between the test and the bytes."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def send(self, data: bytes) -> None:
        self.writer.write(frame(DATA + data))

    async def receive(self) -> bytes:
        size = int.from_bytes(await self.reader.readexactly(4))
        wrapped = await self.reader.readexactly(size)
        assert wrapped[:1] == DATA, Farewell.from_bytes(wrapped[1:])
        return wrapped[1:]

    async def goodbye(self) -> Farewell:
        size = int.from_bytes(await self.reader.readexactly(4))
        wrapped = await self.reader.readexactly(size)
        assert wrapped[:1] == GOODBYE
        return Farewell.from_bytes(wrapped[1:])

    async def was_hung_up_on(self) -> None:
        """Returns when the other side has closed; fails if it sends anything first."""
        with suppress(ConnectionError):
            assert await self.reader.read() == b""

    async def introduce(self, identity: Identity, server: PublicIdentity, rng: Rng) -> None:
        """Goes through an honest handshake as the client of a public table."""
        asked, message = answer(identity, "Stranger", server, await self.receive(), None, rng)
        self.send(message)
        accept(asked, await self.receive())


@asynccontextmanager
async def dialling(port: int, context: ssl.SSLContext | None) -> AsyncIterator[Stranger]:
    """Opens a stream to a listener: TLS, or plain text without a context."""
    server_hostname = "" if context is not None else None
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname=server_hostname)
    try:
        yield Stranger(reader, writer)
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def serving(context: ssl.SSLContext | None, serve: Callable[[Stranger], Awaitable[None]]) -> AsyncIterator[int]:
    """Yields the port of a server that treats its clients as it likes."""
    clients: list[Stranger] = []
    gone = asyncio.Event()

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = Stranger(reader, writer)
        clients.append(client)
        with suppress(OSError, asyncio.IncompleteReadError):
            await serve(client)
        clients.remove(client)
        client.writer.transport.abort()
        gone.set()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        while clients:
            gone.clear()
            for client in clients:
                client.writer.transport.abort()
            await gone.wait()


def tls_with(folder: Path, key: CertificateIssuerPrivateKeyTypes, certificate: x509.Certificate) -> ssl.SSLContext:
    """Returns the settings of a TLS server that shows this certificate."""
    file = folder / "stranger.pem"
    file.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context
