"""Frames in a stream of bytes: a length, then that many bytes (docs/protocol.md, Framing).

A reader holds no more than one frame and what it was last fed. What a frame may weigh depends on how far its sender is
trusted, so each phase of a connection has a reader with a limit of its own.
"""

from typing import Final

from protocol.errors import LocalError, MalformedError

HEADER_BYTES: Final = 4
LARGEST_FRAME_BYTES: Final = (1 << 8 * HEADER_BYTES) - 1
"""What the header can say; every reader sets a limit far below."""


def frame(data: bytes) -> bytes:
    """Returns the frame of these bytes.

    Raises:
        LocalError: There are none, or more than a header can say.
    """
    if not 1 <= len(data) <= LARGEST_FRAME_BYTES:
        raise LocalError(f"a frame has 1 to {LARGEST_FRAME_BYTES} bytes, not {len(data)}")
    return len(data).to_bytes(HEADER_BYTES) + data


class FrameReader:
    """Cuts a stream into frames, however its bytes are dealt out."""

    __slots__ = ("_broken", "_buffer", "_max_frame_bytes")

    def __init__(self, max_frame_bytes: int) -> None:
        """Takes the most bytes that a frame may have, its header aside."""
        if not 1 <= max_frame_bytes <= LARGEST_FRAME_BYTES:
            raise LocalError(f"a limit of 1 to {LARGEST_FRAME_BYTES} bytes is needed, not {max_frame_bytes}")
        self._max_frame_bytes = max_frame_bytes
        self._buffer = bytearray()
        self._broken = False

    @property
    def missing(self) -> int:
        """How many bytes the header or the frame that has begun still needs.

        Who reads no more than this from a stream leaves all of the next frame in it, for a reader with another limit.
        """
        if len(self._buffer) < HEADER_BYTES:
            return HEADER_BYTES - len(self._buffer)
        return HEADER_BYTES + self._length(0) - len(self._buffer)

    def feed(self, data: bytes) -> list[bytes]:
        """Takes the next bytes of the stream and returns the frames that they complete.

        Raises:
            MalformedError: A header announces nothing, or more than the limit. It is raised as soon as the header is
                there, and again for whatever follows: in a broken stream nobody knows where the next frame begins.
        """
        if self._broken:
            raise MalformedError("the stream of frames broke before")
        self._buffer += data
        frames, start = [], 0
        while len(self._buffer) - start >= HEADER_BYTES:
            end = start + HEADER_BYTES + self._length(start)
            if end > len(self._buffer):
                break
            frames.append(bytes(memoryview(self._buffer)[start + HEADER_BYTES : end]))
            start = end
        del self._buffer[:start]
        return frames

    def _length(self, start: int) -> int:
        length = int.from_bytes(memoryview(self._buffer)[start : start + HEADER_BYTES])
        if not 1 <= length <= self._max_frame_bytes:
            self._broken = True
            self._buffer.clear()
            raise MalformedError(f"a frame of {length} bytes, 1 to {self._max_frame_bytes} are allowed")
        return length
