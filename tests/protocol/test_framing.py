import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError, MalformedError
from protocol.framing import HEADER_BYTES, LARGEST_FRAME_BYTES, FrameReader, frame

LIMIT = 64


def test_a_frame_is_its_length_in_four_bytes_and_its_bytes() -> None:
    assert frame(b"card") == b"\x00\x00\x00\x04card"


@given(st.lists(st.binary(min_size=1, max_size=LIMIT)), st.data())
def test_frames_come_back_however_the_stream_is_cut(bodies: list[bytes], data: st.DataObject) -> None:
    stream = b"".join(map(frame, bodies))
    reader, received = FrameReader(LIMIT), []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        received += reader.feed(stream[:size])
        stream = stream[size:]
    assert received == bodies
    assert reader.missing == HEADER_BYTES


@given(st.lists(st.binary(min_size=1, max_size=LIMIT), min_size=1))
def test_who_reads_what_is_missing_never_reads_into_the_next_frame(bodies: list[bytes]) -> None:
    stream = b"".join(map(frame, bodies))
    for body in bodies:
        reader, received = FrameReader(LIMIT), list[bytes]()
        while not received:
            size = reader.missing
            received = reader.feed(stream[:size])
            stream = stream[size:]
        assert received == [body]
    assert stream == b""


@pytest.mark.parametrize("length", [0, LIMIT + 1, LARGEST_FRAME_BYTES])
def test_a_length_of_zero_or_over_the_limit_is_refused_with_its_header(length: int) -> None:
    header = length.to_bytes(HEADER_BYTES)
    reader = FrameReader(LIMIT)
    assert reader.feed(header[:-1]) == []
    with pytest.raises(MalformedError, match=f"a frame of {length} bytes"):
        reader.feed(header[-1:])


def test_the_largest_frame_that_is_allowed_is_read() -> None:
    assert FrameReader(LIMIT).feed(frame(bytes(LIMIT))) == [bytes(LIMIT)]


def test_a_broken_stream_stays_broken() -> None:
    reader = FrameReader(LIMIT)
    with pytest.raises(MalformedError):
        reader.feed(bytes(HEADER_BYTES))
    with pytest.raises(MalformedError, match="broke before"):
        reader.feed(frame(b"good"))


def test_a_bad_header_behind_a_good_frame_breaks_the_stream() -> None:
    with pytest.raises(MalformedError):
        FrameReader(LIMIT).feed(frame(b"good") + bytes(HEADER_BYTES))


@given(st.binary(max_size=4 * LIMIT))
def test_garbage_is_refused_or_cut_into_frames_within_the_limit(garbage: bytes) -> None:
    reader = FrameReader(LIMIT)
    try:
        frames = reader.feed(garbage)
    except MalformedError:
        return
    assert all(1 <= len(body) <= LIMIT for body in frames)
    assert garbage.startswith(b"".join(map(frame, frames)))
    assert 1 <= reader.missing <= HEADER_BYTES + LIMIT


def test_a_frame_that_was_cut_short_is_never_returned() -> None:
    reader = FrameReader(LIMIT)
    assert reader.feed(frame(b"only a part of it")[:-1]) == []
    assert reader.missing == 1


def test_an_empty_frame_can_not_be_made() -> None:
    with pytest.raises(LocalError):
        frame(b"")


@pytest.mark.parametrize("limit", [0, -1, LARGEST_FRAME_BYTES + 1])
def test_a_limit_that_limits_nothing_is_refused(limit: int) -> None:
    with pytest.raises(LocalError):
        FrameReader(limit)
