"""A connection with a proved peer: frames in order both ways, bounded memory, and an end that gives its reason."""

import asyncio
import ssl
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Self

from p2p_sheriff.node.farewell import Farewell, TransportError, Why, refusal
from p2p_sheriff.node.handshake import HELLO_BYTES, OtherEnd
from p2p_sheriff.node.limits import Limits
from protocol.errors import LocalError, MalformedError
from protocol.framing import FrameReader, frame

CHUNK_BYTES: Final = 1 << 16
_DATA: Final = b"\0"
_GOODBYE: Final = b"\1"


class Link:
    """Frames of two kinds over one TLS stream: data, and the goodbye that ends it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, goodbye_seconds: float) -> None:
        """Takes an open stream to somebody who has proved nothing yet: only small frames are read from it."""
        self._reader, self._writer = reader, writer
        self.goodbye_seconds = goodbye_seconds
        self._frames = FrameReader(len(_DATA) + HELLO_BYTES)
        self._reading = asyncio.Lock()  # A stream has one reader: who listens, or else who waits for the end.

    @property
    def certificate(self) -> bytes | None:
        """What the server has shown; only the client sees one."""
        tls: ssl.SSLObject = self._writer.get_extra_info("ssl_object")
        return tls.getpeercert(binary_form=True)

    @property
    def waiting_bytes(self) -> int:
        """How much is waiting to be sent."""
        return self._writer.transport.get_write_buffer_size()

    @property
    def is_closing(self) -> bool:
        """Whether nothing more can be sent."""
        return self._writer.is_closing()

    def write(self, data: bytes) -> None:
        """Sends data, or keeps it until it can be sent."""
        self._writer.write(frame(_DATA + data))

    async def read_hello(self) -> bytes:
        """Returns the data of one frame, and leaves all that follows it in the stream.

        Raises:
            TransportError: The stream ended, or is no stream of small frames.
        """
        while True:
            for wrapped in await self.read(self._frames.missing):
                return unwrapped(wrapped)

    def trust(self, frame_bytes: int) -> None:
        """Reads larger frames from now on: the handshake is done."""
        self._frames = FrameReader(len(_DATA) + frame_bytes)

    async def read(self, most_bytes: int = CHUNK_BYTES) -> list[bytes]:
        """Waits for more and returns the frames that it completes, wrapped as they are.

        Raises:
            TransportError: The stream ended, or is no stream of frames within the limit.
        """
        try:
            async with self._reading:
                data = await self._reader.read(most_bytes)
        except OSError as error:
            raise refusal(Why.LOST, str(error.strerror or error)) from error
        if not data:
            raise refusal(Why.LOST)
        try:
            return self._frames.feed(data)
        except MalformedError as error:
            raise refusal(Why.MALFORMED, f"no stream of frames: {error}") from error

    async def part(self, ending: Farewell) -> None:
        """Closes, and tells the other side why unless it knows or can't be told.

        Closing at once could destroy the goodbye: a socket that is closed with unread bytes resets the connection. So
        who says goodbye reads on for a moment, until the other side has hung up or says goodbye as well.
        """
        try:
            if not ending.by_peer and ending.why is not Why.LOST:
                with suppress(OSError):  # Among them the time limit.
                    async with asyncio.timeout(self.goodbye_seconds):
                        await self._say(ending)
        finally:
            self.abort()
        with suppress(OSError):
            await self._writer.wait_closed()

    def abort(self) -> None:
        """Closes at once. The goodbye is the end that counts, so TLS need not say its own."""
        self._writer.transport.abort()

    def write_goodbye(self, ending: Farewell) -> None:
        """Tells the other side that this is the end, and why."""
        self._writer.write(frame(_GOODBYE + ending.to_bytes()))

    async def _say(self, ending: Farewell) -> None:
        self.write_goodbye(ending)
        await self._writer.drain()
        async with self._reading:
            left = CHUNK_BYTES
            while data := await self._reader.read(left):
                left -= len(data)
                with suppress(MalformedError):  # Whatever else they say, we have gone.
                    if any(wrapped.startswith(_GOODBYE) for wrapped in self._frames.feed(data)):
                        return
            if not left:  # Who goes on to send keeps nobody busy, and still has the time to read why.
                await asyncio.sleep(self.goodbye_seconds)


def unwrapped(wrapped: bytes) -> bytes:
    """Returns the data of a frame.

    Raises:
        TransportError: It is the goodbye, or of no known kind.
    """
    kind, body = wrapped[:1], wrapped[1:]
    if kind == _DATA:
        return body
    if kind != _GOODBYE:
        raise refusal(Why.MALFORMED, "a frame of an unknown kind")
    try:
        ending = Farewell.from_bytes(body)
    except MalformedError as error:
        raise refusal(Why.MALFORMED, f"a goodbye that can't be understood: {error}") from error
    raise TransportError(ending)


class Connection:
    """A connection with somebody who has proved who they are.

    Iterating gives the frames that arrive. It stops when either side has closed the connection on purpose, and raises a
    TransportError when it ends for any other reason; ``ended`` says why in both cases.
    """

    def __init__(
        self, link: Link, peer: OtherEnd, address: str, limits: Limits, on_end: Callable[[], None], *, dialled: bool
    ) -> None:
        """Takes a link whose handshake is done; ``on_end`` is called once, when it ends."""
        self.peer, self.name = peer.identity, peer.name
        self.words = peer.words
        """Six words that both people see alike, unless somebody is in between."""
        self.private = peer.private
        """Whether both sides have proved to know the passphrase of a private table."""
        self.address = address
        """The other side's host."""
        self.dialled = dialled
        """Whether we called them, or they us."""
        self.ended: Farewell | None = None
        self._link, self._limits, self._on_end = link, limits, on_end
        self._received: deque[bytes] = deque()
        link.trust(limits.frame_bytes)

    def __repr__(self) -> str:
        return f"Connection({self.name!r}, {self.peer.key.hex()[:8]}, {self.address}, ended={self.ended})"

    @property
    def is_behind(self) -> bool:
        """Whether the other side reads so slowly that something waits to be sent."""
        return self._link.waiting_bytes > 0

    async def send(self, data: bytes) -> None:
        """Sends a frame, or lets it wait to be sent.

        It never waits for the other side to read, who could stop the whole node that way. So what is sent in one go
        must fit into ``Limits.queue_bytes``: who has not read that much can't be told from who never will.

        Raises:
            TransportError: The connection has ended; or the other side reads so slowly that it is dropped now.
            LocalError: The frame is larger than the other side would accept.
        """
        if len(data) > self._limits.frame_bytes:
            raise LocalError(f"a frame has at most {self._limits.frame_bytes} bytes, not {len(data)}")
        if self._link.is_closing:
            self.cut()
        if self.ended is None and self._link.waiting_bytes + len(data) > self._limits.queue_bytes:
            self._drop(Farewell(Why.SLOW, self.name))
        if self.ended is not None:
            raise TransportError(self.ended)
        self._link.write(data)
        if self._link.waiting_bytes:
            await asyncio.sleep(0)  # Who sends much in one go lets it go out, and others work, in between.

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        try:
            while self.ended is None:
                if self._received:
                    return unwrapped(self._received.popleft())
                self._received += await self._link.read()
        except TransportError as error:
            await self._end(error.ending)
        if self.ended is not None and self.ended.why not in (Why.LEFT, Why.CLOSED):
            raise TransportError(self.ended)
        raise StopAsyncIteration

    async def close(self, detail: str) -> None:
        """Tells the other side why, in a word or two, and closes. Closing what has ended does nothing."""
        await self._end(Farewell(Why.CLOSED, detail))

    async def retire(self, detail: str) -> None:
        """Says goodbye because another connection is kept. What they have sent over this one before still comes.

        Both sides say what is to be said over the connection that they keep; for a moment these may be two. Who hung up
        at once would lose what was said meanwhile.
        """
        if self.ended is None and not self._link.is_closing:
            self._link.write_goodbye(Farewell(Why.CLOSED, detail))
            await asyncio.sleep(self._link.goodbye_seconds)
            self.cut()

    async def leave(self) -> None:
        """Closes because this node leaves the network: it is not to be waited for."""
        await self._end(Farewell(Why.LEFT))

    def cut(self) -> None:
        """Breaks off at once without a word, as a cut cable does."""
        if self.ended is None:
            self._drop(Farewell(Why.LOST))

    async def _end(self, ending: Farewell) -> None:
        if self.ended is not None:
            return
        self.ended = ending
        try:
            await self._link.part(ending)
        finally:
            self._on_end()

    def _drop(self, ending: Farewell) -> None:
        self.ended = ending
        self._link.abort()
        self._on_end()
