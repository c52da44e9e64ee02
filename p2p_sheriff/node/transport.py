"""Encrypted connections on which both sides have proved who they are (docs/protocol.md, Handshake).

``connect`` dials, a ``Listener`` is dialled; both end with a ``Connection``, or a ``TransportError`` that says why not.
"""

import asyncio
import logging
import socket
import ssl
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from secrets import token_bytes
from typing import Any, Final

from p2p_sheriff.node import handshake
from p2p_sheriff.node.allowance import Bucket
from p2p_sheriff.node.certificate import client_context, key_in, server_context
from p2p_sheriff.node.connection import CHUNK_BYTES, Connection, Link
from p2p_sheriff.node.cpace import Passphrase
from p2p_sheriff.node.farewell import Farewell, TransportError, Why, refusal
from p2p_sheriff.node.handshake import Admit, Caller, Challenge, Greeting, OtherEnd, anyone
from p2p_sheriff.node.limits import DEFAULT, Limits
from p2p_sheriff.node.timing import Timing
from p2p_sheriff.node.tries import Tries
from protocol.errors import LocalError
from protocol.group import Edwards25519
from protocol.identity import Identity, PublicIdentity

__all__ = ["Companions", "Connection", "Farewell", "Limits", "Listener", "TransportError", "Why", "connect"]

_log = logging.getLogger(__name__)

_ACCEPT_PAUSE_SECONDS: Final = 0.1
"""When the system has no more sockets to give, they are asked for again after this."""


@dataclass(frozen=True, slots=True)
class Companions:
    """Who shares our game or table: strangers never take their places."""

    has: Callable[[PublicIdentity], bool] = lambda _: False
    """Whether somebody is one."""
    at: Callable[[str], bool] = lambda _: False
    """Whether one may be at an address: before a handshake, nothing else is known of who calls."""


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
    tries: Tries | None = None,
) -> Connection:
    """Dials a node, where whoever is expected must be, or anybody.

    If there is a passphrase, the node must ask for it, and know it itself: it is that of a private table. ``tries``
    bounds how often those who don't are listened to.

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
        server = key_in(group, link.certificate)
        if expected not in (None, server):
            raise refusal(Why.IDENTITY)
        hello = await link.read_hello()
        asked, message = handshake.answer(identity, name, server, hello, secret, token_bytes)
        link.write(message)
        reply = await link.read_hello()
        async with tries.one(server) if tries is not None and secret is not None else nullcontext():
            peer, last = handshake.accept(asked, reply, admit)
        if last is not None:
            link.write(last)
        return peer

    group = Edwards25519()
    secret = Passphrase.typed(group, passphrase) if passphrase is not None else None
    link, peer = await _shake_hands(dial, introduce, timing)
    return Connection(link, peer, host, DEFAULT, lambda: None, dialled=True)


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
        limits: Limits = DEFAULT,
        companions: Companions | None = None,
        tries: Tries | None = None,
    ) -> None:
        """Takes who we are and where to listen, on any free port; nothing happens before ``start``.

        ``on_connection`` takes over each connection, once the client has proved who it is and that it knows the
        passphrase, if there is one: that of a private table. ``companions`` have places of their own, and may always
        try the passphrase; ``tries`` may count others among them.

        Raises:
            LocalError: The name is impossible, or the passphrase empty.
        """
        handshake.require_name(name)
        self.refused: Counter[Why] = Counter()
        """How many were refused, by reason."""
        self._identity, self._name, self._timing = identity, name, timing
        self._group, self._host = Edwards25519(), host
        self._passphrase = Passphrase.typed(self._group, passphrase) if passphrase is not None else None
        self._on_connection, self._admit, self._limits = on_connection, admit, limits
        self._companions = companions or Companions()
        self._tries = tries or Tries(limits, self._companions.has)
        self._rate = self._new_rate()
        self._rates: dict[str, Bucket] = {}
        """Of the addresses of companions."""
        self._socket: _Door | None = None
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
        context = await asyncio.to_thread(server_context, self._identity)
        self._socket = _Door(self._host)
        self._spawn(self._accept(self._socket, context))

    async def stop(self) -> None:
        """Stops to listen, and closes every connection that came in and is still open."""
        if self._socket is not None:
            self._socket.is_shut = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for stranger in self._strangers:  # Those whose turn had not come yet.
            stranger.close()
        if self._socket is not None:
            for stranger in self._socket.let_in:
                stranger.close()
            self._socket.close()
        await asyncio.gather(*(connection.leave() for connection in list(self._connections)))

    async def _accept(self, listening: "_Door", context: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                stranger, (host, *_) = await loop.sock_accept(listening)
            except OSError as error:
                _log.warning("no connection can be accepted: %s", error)
                await asyncio.sleep(_ACCEPT_PAUSE_SECONDS)
                continue
            listening.let_in.discard(stranger)
            if not self._has_room(host, loop.time()):
                stranger.close()
                self._note_refusal(host, Farewell(Why.CROWDED))
                continue
            self._strangers[stranger] = host
            self._spawn(self._serve(stranger, host, context))

    def _has_room(self, host: str, now: float) -> bool:
        """Whether one more may prove who they are. Each address of companions has a rate and places of its own."""
        at_once, limits = Counter(self._strangers.values()), self._limits
        if at_once[host] >= limits.handshakes_per_address:
            return False
        is_companion = self._companions.at(host)
        if (
            not is_companion
            and sum(at_once[other] for other in at_once if other not in self._rates) >= limits.handshakes
        ):
            return False
        if is_companion and host not in self._rates:
            self._rates = {other: rate for other, rate in self._rates.items() if self._companions.at(other)}
            self._rates[host] = self._new_rate()
        return (self._rates[host] if is_companion else self._rate).take(now)

    def _new_rate(self) -> Bucket:
        return Bucket(self._limits.handshakes_per_second, self._limits.handshakes_in_a_row)

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, stranger: socket.socket, host: str, context: ssl.SSLContext) -> None:
        async def answer_call() -> Link:
            return await _accepted(stranger, context, self._timing)

        async def introduce(link: Link) -> OtherEnd:
            asked = handshake.challenge(self._identity.public, self._passphrase, token_bytes)
            link.write(asked.hello)
            caller = handshake.meet(self._group, asked, await link.read_hello(), self._admit)
            self._refuse_crowd(host, caller.identity)
            if self._passphrase is None:
                return self._welcome(link, asked, caller).peer
            async with self._tries.one(caller.identity):
                welcomed = self._welcome(link, asked, caller)
                handshake.confirm(welcomed, await link.read_hello())
            return welcomed.peer

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

    def _welcome(self, link: Link, asked: Challenge, caller: Caller) -> Greeting:
        welcomed = handshake.welcome(asked, caller, self._name, token_bytes)
        link.write(welcomed.message)
        return welcomed

    def _refuse_crowd(self, host: str, client: PublicIdentity) -> None:
        if self._companions.has(client):
            return
        strangers = [other.address for other in self._connections if not self._companions.has(other.peer)]
        limits = self._limits
        if len(strangers) >= limits.connections or strangers.count(host) >= limits.connections_per_address:
            raise refusal(Why.CROWDED)

    def _note_refusal(self, host: str, ending: Farewell) -> None:
        """Counts who was refused, and notes the first of each kind, the tenth, the hundredth and so on.

        Strangers may come by thousands: what else is in the log must not be rotated away by them.
        """
        self.refused[ending.why] += 1
        times = self.refused[ending.why]
        if times == 10 ** (len(str(times)) - 1):
            _log.info("%s got no connection, the %d. for this reason: %s", host, times, ending.phrase)


class _Door(socket.socket):
    """Listens on any free port, and knows whom it has let in: who stops meanwhile has not heard of the last one."""

    def __init__(self, host: str) -> None:
        super().__init__(socket.AF_INET, socket.SOCK_STREAM)
        self.let_in: set[socket.socket] = set()
        self.is_shut = False
        """Whether nobody more is let in: the loop may ask once more for who is not waited for any longer."""
        try:
            self.bind((host, 0))
            self.listen()
            self.setblocking(False)
        except OSError:
            self.close()
            raise

    def accept(self) -> tuple[socket.socket, Any]:
        if self.is_shut:
            raise BlockingIOError
        stranger, address = super().accept()
        self.let_in.add(stranger)
        return stranger, address


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
