"""Encrypted connections on which both sides have proved who they are (docs/protocol.md, Handshake).

``connect`` dials, a ``Listener`` is dialled; both end with a ``Connection``, or a ``TransportError`` that says why not.
"""

import asyncio
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from secrets import token_bytes
from typing import Final

from p2p_sheriff.node import handshake
from p2p_sheriff.node.certificate import client_context, key_in, server_context
from p2p_sheriff.node.connection import CHUNK_BYTES, Connection, Limits, Link
from p2p_sheriff.node.farewell import Farewell, TransportError, Why, refusal
from p2p_sheriff.node.handshake import Admit, OtherEnd, TableKey, anyone
from p2p_sheriff.node.timing import Timing
from protocol.errors import LocalError
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity

__all__ = ["Connection", "Farewell", "Limits", "Listener", "TransportError", "Why", "connect"]

_log = logging.getLogger(__name__)

_DEFAULT_LIMITS: Final = Limits()
_ACCEPT_PAUSE_SECONDS: Final = 0.1
"""When the system has no more sockets to give, they are asked for again after this."""


async def connect(
    identity: Identity,
    name: str,
    timing: Timing,
    host: str,
    port: int,
    expected: PublicIdentity | None = None,
    *,
    passphrase: str | None = None,
    admit: Admit = anyone,
) -> Connection:
    """Dials a node, where whoever is expected must be, or anybody.

    If there is a passphrase, the node must ask for it, and know it itself: it is that of a private table.

    Raises:
        TransportError: Nobody is there, or somebody else, or they refuse us, or don't know the passphrase.
    """

    async def dial() -> Link:
        try:
            streams = await asyncio.open_connection(
                host, port, limit=CHUNK_BYTES, ssl=client_context(), server_hostname=""
            )
        except OSError:
            raise
        except ValueError as error:  # Where a node is may be other people's text, and no host at all.
            raise refusal(Why.UNREACHABLE, "that is no address") from error
        return Link(*streams, timing.goodbye_seconds)

    async def introduce(link: Link) -> OtherEnd:
        server = key_in(Edwards25519(), link.certificate)
        if expected not in (None, server):
            raise refusal(Why.IDENTITY)
        hello = await link.read_hello()
        table = await _table_key(passphrase, server)
        asked, message = handshake.answer(identity, name, server, hello, table, token_bytes)
        link.write(message)
        return handshake.accept(asked, await link.read_hello(), admit)

    link, peer = await _shake_hands(dial, introduce, timing)
    return Connection(link, peer, host, _DEFAULT_LIMITS, lambda: None, dialled=True)


class Listener:
    """Waits to be dialled. Whatever strangers do, it goes on to serve others."""

    def __init__(
        self,
        identity: Identity,
        name: str,
        timing: Timing,
        host: str,
        on_connection: Callable[[Connection], Awaitable[None]],
        *,
        passphrase: str | None = None,
        admit: Admit = anyone,
        limits: Limits = _DEFAULT_LIMITS,
    ) -> None:
        """Takes who we are and where to listen, on any free port; nothing happens before ``start``.

        ``on_connection`` takes over each connection, once the client has proved who it is and that it knows the
        passphrase, if there is one: that of a private table.

        Raises:
            LocalError: The name is impossible.
        """
        handshake.require_name(name)
        self.refused: Counter[Why] = Counter()
        """How many were refused, by reason."""
        self._identity, self._name, self._timing = identity, name, timing
        self._group, self._host, self._passphrase = Edwards25519(), host, passphrase
        self._on_connection, self._admit, self._limits = on_connection, admit, limits
        self._table: TableKey | None = None
        self._socket: socket.socket | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._strangers: dict[socket.socket, str] = {}
        self._connections: set[Connection] = set()

    @property
    def port(self) -> int:
        """Where it listens."""
        if self._socket is None:
            raise LocalError("the listener has not been started")
        port: int = self._socket.getsockname()[1]
        return port

    async def start(self) -> None:
        """Begins to listen.

        Raises:
            OSError: The address can't be had, or no port.
        """
        self._table = await _table_key(self._passphrase, self._identity.public)
        context = await asyncio.to_thread(server_context, self._identity)
        self._socket = socket.create_server((self._host, 0))
        self._socket.setblocking(False)
        self._spawn(self._accept(self._socket, context))

    async def stop(self) -> None:
        """Stops to listen, and closes every connection that came in and is still open."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for stranger in self._strangers:  # Those whose turn had not come yet.
            stranger.close()
        if self._socket is not None:
            self._socket.close()
        await asyncio.gather(*(connection.leave() for connection in list(self._connections)))

    async def _accept(self, listening: socket.socket, context: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                stranger, (host, *_) = await loop.sock_accept(listening)
            except OSError as error:
                _log.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(_ACCEPT_PAUSE_SECONDS)
                continue
            at_once = list(self._strangers.values())
            if len(at_once) >= self._limits.handshakes or at_once.count(host) >= self._limits.handshakes_per_address:
                stranger.close()
                self._note_refusal(host, Farewell(Why.CROWDED))
                continue
            self._strangers[stranger] = host
            self._spawn(self._serve(stranger, host, context))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, stranger: socket.socket, host: str, context: ssl.SSLContext) -> None:
        async def answer_call() -> Link:
            return await _accepted(stranger, context, self._timing)

        async def introduce(link: Link) -> OtherEnd:
            asked = handshake.challenge(self._identity.public, self._table, token_bytes)
            link.write(asked.hello)
            answer = await link.read_hello()
            peer, message = handshake.welcome(self._group, asked, self._name, answer, self._admit)
            self._refuse_crowd(host)
            link.write(message)
            return peer

        try:
            link, peer = await _shake_hands(answer_call, introduce, self._timing)
        except TransportError as error:
            self._note_refusal(host, error.ending)
            return
        finally:
            del self._strangers[stranger]
        connection = Connection(
            link, peer, host, self._limits, lambda: self._connections.discard(connection), dialled=False
        )
        self._connections.add(connection)
        await self._on_connection(connection)

    def _refuse_crowd(self, host: str) -> None:
        from_there = sum(connection.address == host for connection in self._connections)
        if len(self._connections) >= self._limits.connections or from_there >= self._limits.connections_per_address:
            raise refusal(Why.CROWDED)

    def _note_refusal(self, host: str, ending: Farewell) -> None:
        self.refused[ending.why] += 1
        _log.info("%s got no connection: %s", host, ending.phrase)


async def _table_key(passphrase: str | None, server: PublicIdentity) -> TableKey | None:
    return await asyncio.to_thread(handshake.table_key, passphrase, server) if passphrase is not None else None


async def _accepted(stranger: socket.socket, context: ssl.SSLContext, timing: Timing) -> Link:
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=CHUNK_BYTES, loop=loop)
    protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
    try:
        transport, _ = await loop.connect_accepted_socket(lambda: protocol, stranger, ssl=context)
    except BaseException:
        with suppress(OSError):  # A handshake that is cancelled before its first packet would go on without us.
            stranger.shutdown(socket.SHUT_RDWR)
        raise
    return Link(reader, asyncio.StreamWriter(transport, protocol, reader, loop), timing.goodbye_seconds)


async def _shake_hands(
    open_link: Callable[[], Awaitable[Link]], introduce: Callable[[Link], Awaitable[OtherEnd]], timing: Timing
) -> tuple[Link, OtherEnd]:
    """Opens a link and lets both sides introduce themselves, within the time limit for both.

    Raises:
        TransportError: Why it came to nothing; the other side has been told, and the link is closed.
    """
    link: Link | None = None
    try:
        async with asyncio.timeout(timing.handshake_seconds):
            link = await open_link()
            return link, await introduce(link)
    except TransportError as error:
        failure = error
    except TimeoutError:
        failure = refusal(Why.LATE)
    except ssl.SSLError as error:
        failure = refusal(Why.TLS, str(error.reason or error))
    except OSError as error:
        failure = refusal(Why.UNREACHABLE, str(error.strerror or error))
    except BaseException:
        if link is not None:
            link.abort()
        raise
    if link is not None:
        await link.part(failure.ending)
    raise failure
