import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl import bindings

from protocol.counting import CountingGroup
from protocol.errors import LocalError, MalformedError, UnsafeLibraryError
from protocol.group import (
    GENERATOR,
    IDENTITY,
    Edwards25519,
    Element,
    Group,
    decode_scalar,
    encode_scalar,
    hash_to_curve,
)
from protocol.hashing import ORDER
from tests.protocol import edwards

SMALL_ORDER = [
    bytes.fromhex(encoding)
    for encoding in (
        "0100000000000000000000000000000000000000000000000000000000000000",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    )
]

scalars = st.integers(0, ORDER - 1)


def point(s: int) -> Element:
    return Edwards25519().mul_base(s)


@given(scalars, scalars)
def test_multiplication_agrees_with_a_second_implementation(s: int, t: int) -> None:
    P = edwards.mul(t, edwards.GENERATOR)
    assert Edwards25519().mul(s, point(t)) == edwards.encode(edwards.mul(s, P))


@given(scalars, scalars)
def test_addition_and_subtraction_agree_with_a_second_implementation(s: int, t: int) -> None:
    P, Q = edwards.mul(s, edwards.GENERATOR), edwards.mul(t, edwards.GENERATOR)
    assert Edwards25519().add(point(s), point(t)) == edwards.encode(edwards.add(P, Q))
    assert Edwards25519().sub(point(s), point(t)) == edwards.encode(edwards.add(P, edwards.negate(Q)))


def alone(data: bytes) -> Element:
    return Edwards25519().decode(data)


def multiplied(data: bytes) -> Element:
    P, product = Edwards25519().decode_times(7, data)
    assert product == Edwards25519().mul(7, P)
    return P


READ = pytest.mark.parametrize("read", [alone, multiplied])


@pytest.mark.parametrize("make", [Element, Element.fromhex, lambda _: Element()])
def test_nobody_but_a_group_makes_an_element(make: Callable[[str], Element]) -> None:
    with pytest.raises(TypeError, match="only a group"):
        make(GENERATOR.hex())


def test_a_copy_of_an_element_is_the_element() -> None:
    assert copy.deepcopy([GENERATOR])[0] is GENERATOR


@READ
@given(data=st.binary(min_size=32, max_size=32))
def test_the_point_check_agrees_with_a_second_implementation_on_any_32_bytes(
    read: Callable[[bytes], Element], data: bytes
) -> None:
    try:
        P = edwards.decode(data)
        valid = edwards.mul(edwards.Q, P) == edwards.NEUTRAL != P
    except ValueError:
        valid = False
    if valid:
        assert read(data) == data
    else:
        with pytest.raises(MalformedError):
            read(data)


@READ
@pytest.mark.parametrize("encoding", SMALL_ORDER, ids=bytes.hex)
def test_points_of_small_order_and_points_with_a_small_order_part_are_refused(
    read: Callable[[bytes], Element], encoding: bytes
) -> None:
    assert edwards.mul(8, edwards.decode(encoding)) == edwards.NEUTRAL
    with pytest.raises(MalformedError):
        read(encoding)
    if encoding != IDENTITY:
        mixed = edwards.encode(edwards.add(edwards.GENERATOR, edwards.decode(encoding)))
        with pytest.raises(MalformedError):
            read(mixed)


@READ
@pytest.mark.parametrize("y", [edwards.P, edwards.P + 1, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_non_canonical_encodings_are_refused(read: Callable[[bytes], Element], y: int, sign: int) -> None:
    with pytest.raises(MalformedError):
        read((y | sign << 255).to_bytes(32, "little"))


@READ
@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_encodings_of_another_length_are_refused(read: Callable[[bytes], Element], length: int) -> None:
    with pytest.raises(MalformedError):
        read(bytes(length))


def test_what_is_read_and_multiplied_by_zero_is_the_identity(group: Group) -> None:
    assert group.decode_times(0, bytes(GENERATOR)) == (GENERATOR, IDENTITY)


def test_a_list_that_was_foreseen_is_multiplied_while_it_is_read_and_another_is_not() -> None:
    group, points = CountingGroup(Edwards25519()), [point(s) for s in range(2, 7)]
    group.foresee(3, len(points))
    assert group.decode_each(points[1:]) == points[1:]
    assert not group.counts["mul"]
    assert group.decode_each(points) == points
    assert group.counts["mul"] == len(points)
    assert group.mul_each(3, points[::-1]) == [point(3 * s) for s in range(6, 1, -1)]
    assert group.counts["mul"] == len(points)
    assert group.mul_each(3, points) == [point(3 * s) for s in range(2, 7)]
    assert group.counts["mul"] == 2 * len(points)
    group.foresee(3, len(points))
    group.decode_each(points)
    assert group.mul_each(4, points) == [point(4 * s) for s in range(2, 7)]


def test_multiplication_is_total(group: Group) -> None:
    assert (
        group.mul(0, GENERATOR)
        == group.mul(ORDER, GENERATOR)
        == group.mul(5, IDENTITY)
        == group.mul_base(0)
        == IDENTITY
    )
    assert group.mul(-1, GENERATOR) == group.sub(IDENTITY, GENERATOR)
    assert group.mul_base(1) == group.add(GENERATOR, IDENTITY) == GENERATOR
    assert group.sub(GENERATOR, GENERATOR) == IDENTITY


@given(st.lists(scalars, min_size=1, max_size=40))
def test_a_long_sum_is_the_sum_of_its_terms_with_and_without_threads(values: list[int]) -> None:
    points = [point(i + 2) for i in range(len(values))]
    expected = point(sum(s * (i + 2) for i, s in enumerate(values)))
    with ThreadPoolExecutor(2) as pool:
        for group in (Edwards25519(), Edwards25519(parallel=pool.map)):
            assert group.msm(values, points) == expected
            assert group.mul_each(values[0], points) == [group.mul(values[0], P) for P in points]
            assert group.decode_each([bytes(P) for P in points]) == points


def test_a_sum_of_nothing_or_of_unequal_lists_is_the_callers_mistake(group: Group) -> None:
    with pytest.raises(LocalError):
        group.msm([], [])
    with pytest.raises(ValueError, match="zip"):
        group.msm([1, 2], [GENERATOR])


@given(scalars)
def test_scalars_come_back_from_their_encoding(s: int) -> None:
    assert decode_scalar(encode_scalar(s)) == s


@pytest.mark.parametrize("data", [ORDER.to_bytes(32, "little"), b"\xff" * 32, bytes(31), bytes(33)], ids=bytes.hex)
def test_scalars_not_below_q_or_of_another_length_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedError):
        decode_scalar(data)


def test_hashes_to_the_group_are_elements_that_differ_by_tag_and_fields(group: Group) -> None:
    points = [
        group.hash_to_group(tag, *fields) for tag in ("a", "b") for fields in ((), (1,), ("1",), (b"1",), ((1,),))
    ]
    assert len(set(points)) == len(points)
    for P in points:
        assert group.decode(P) == P


# RFC 9380, appendix J.5.1, suite edwards25519_XMD:SHA-512_ELL2_RO_: message, P.x, P.y.
RFC_9380 = [
    (
        "",
        "3c3da6925a3c3c268448dcabb47ccde5439559d9599646a8260e47b1e4822fc6",
        "09a6c8561a0b22bef63124c588ce4c62ea83a3c899763af26d795302e115dc21",
    ),
    (
        "abc",
        "608040b42285cc0d72cbb3985c6b04c935370c7361f4b7fbdb1ae7f8c1a8ecad",
        "1a8395b88338f22e435bbd301183e7f20a5f9de643f11882fb237f88268a5531",
    ),
    (
        "abcdef0123456789",
        "6d7fabf47a2dc03fe7d47f7dddd21082c5fb8f86743cd020f3fb147d57161472",
        "53060a3d140e7fbcda641ed3cf42c88a75411e648a1add71217f70ea8ec561a6",
    ),
    (
        "q128_" + 128 * "q",
        "5fb0b92acedd16f3bcb0ef83f5c7b7a9466b5f1e0d8d217421878ea3686f8524",
        "2eca15e355fcfa39d2982f67ddb0eea138e2994f5956ed37b7f72eea5e89d2f7",
    ),
]


@pytest.mark.parametrize(("message", "x", "y"), RFC_9380, ids=[f"{len(m)} bytes" for m, _, _ in RFC_9380])
def test_hashing_to_the_curve_gives_the_points_of_rfc_9380(message: str, x: str, y: str) -> None:
    domain = b"QUUX-V01-CS02-with-edwards25519_XMD:SHA-512_ELL2_RO_"
    assert hash_to_curve(message.encode(), domain) == edwards.encode((int(x, 16), int(y, 16)))


@pytest.mark.parametrize("accepts", [lambda _: True, lambda point: point != IDENTITY, lambda _: False])
def test_a_library_with_a_wrong_point_check_is_not_used(
    monkeypatch: pytest.MonkeyPatch, accepts: Callable[[bytes], bool]
) -> None:
    monkeypatch.setattr(bindings, "crypto_core_ed25519_is_valid_point", accepts)
    with pytest.raises(UnsafeLibraryError, match="1\\.6\\.2"):
        Edwards25519()
