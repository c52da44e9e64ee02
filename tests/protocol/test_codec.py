import tracemalloc

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import MAX_DEPTH, MAX_ITEMS, Value, decode, encode
from protocol.errors import LocalError, MalformedError

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.binary(max_size=80) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=20).map(tuple),
    max_leaves=60,
)


@given(values)
def test_every_value_comes_back_from_its_encoding(value: Value) -> None:
    assert decode(encode(value)) == value


@given(values, values)
def test_different_values_have_different_encodings(a: Value, b: Value) -> None:
    # repr tells True from 1, which == does not.
    assert (encode(a) == encode(b)) == (repr(a) == repr(b))


@given(st.binary(max_size=200))
def test_any_bytes_are_the_one_encoding_of_their_value_or_refused(data: bytes) -> None:
    try:
        value = decode(data)
    except MalformedError:
        return
    assert encode(value) == data


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xcc\x01",  # 1 in two bytes
        b"\xcd\x00\xff",
        b"\xd9\x01a",  # a short string with a long header
        b"\xc5\x00\x01a",
        b"\xdc\x00\x01\x01",
        b"\x91",  # an array that ends early
        b"\x01\x01",  # something behind the value
        b"\x80",  # an empty map
        b"\x81\x01\x01",
        b"\xca\x00\x00\x00\x00",  # a float
        b"\xd4\x01\x00",  # an extension
        b"\xc1",
        b"\xa1\xff",  # no UTF-8
        b"\xc7\x0c\xff" + bytes(12),  # a timestamp
    ],
    ids=bytes.hex,
)
def test_other_encodings_and_other_types_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        decode(data)


def nested(levels: int) -> Value:
    value: Value = ()
    for _ in range(levels - 1):
        value = (value,)
    return value


def test_nesting_has_a_limit_in_both_directions() -> None:
    assert decode(encode(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(LocalError):
        encode(nested(MAX_DEPTH + 1))
    for levels in (MAX_DEPTH + 1, 500, 100_000):
        with pytest.raises(MalformedError):
            decode(b"\x91" * (levels - 1) + b"\x90")


def test_more_bytes_than_allowed_are_refused_before_they_are_read() -> None:
    with pytest.raises(MalformedError, match="at most 10"):
        decode(bytes(11), max_bytes=10)


def test_the_items_of_all_arrays_have_a_limit_in_both_directions() -> None:
    most: Value = (tuple(range(MAX_ITEMS // 2 - 1)), tuple(range(MAX_ITEMS // 2 - 1)))
    assert decode(encode(most)) == most
    with pytest.raises(LocalError, match="more than 16384 items"):
        encode((most, 1))
    with pytest.raises(MalformedError, match="more than 16384 items"):
        decode(b"\xdd" + (MAX_ITEMS + 1).to_bytes(4) + bytes(MAX_ITEMS + 1))


def test_a_bomb_of_nested_promises_is_refused_before_room_is_made_for_it() -> None:
    # 5 kB, and every level announces as many items as a header can: 1.3 GB with a reader that believes it.
    bomb = (b"\xdd" + (160 * 1024).to_bytes(4)) * 1000
    tracemalloc.start()
    try:
        with pytest.raises(MalformedError):
            decode(bomb)
        assert tracemalloc.get_traced_memory()[1] < 1 << 16
    finally:
        tracemalloc.stop()


def test_an_array_header_that_promises_more_than_there_is_is_refused() -> None:
    with pytest.raises(MalformedError):
        decode(b"\xdd\xff\xff\xff\xff\x00")


@pytest.mark.parametrize(
    "value", [1.0, [1], {}, {1: 2}, 2**64, -(2**63) - 1, (1, (2.0,)), "\ud800", msgpack.Timestamp(1)], ids=repr
)
def test_values_that_have_no_encoding_are_the_callers_mistake(value: Value) -> None:
    with pytest.raises(LocalError):
        encode(value)
