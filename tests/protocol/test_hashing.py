import pytest

from protocol.codec import Value
from protocol.hashing import ORDER, Oracle, digest, sha512

# FIPS 180-4 examples, as published by NIST with the Secure Hash Standard.
SHA512 = {
    b"": "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
    "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e",
    b"abc": "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
    "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
}


@pytest.mark.parametrize(("message", "expected"), SHA512.items())
def test_sha512_gives_the_published_values(message: bytes, expected: str) -> None:
    assert sha512(message).hex() == expected


def test_digests_differ_by_tag_by_type_and_by_where_one_field_ends() -> None:
    fields: list[tuple[Value, ...]] = [
        (),
        ("ab", "c"),
        ("a", "bc"),
        ("abc",),
        (b"abc",),
        (1,),
        (True,),
        ("1",),
        ((1,),),
        (None,),
        (0,),
    ]
    digests = [digest(tag, *field) for tag in ("a", "ab") for field in fields]
    assert len(set(digests)) == len(digests)
    assert {len(d) for d in digests} == {32}


def challenge(*absorbed: tuple[str, Value], tag: str = "t", context: bytes = b"c", name: str = "x") -> int:
    oracle = Oracle(tag, context)
    for label, value in absorbed:
        oracle.absorb(label, value)
    return oracle.scalar(name)


def test_a_challenge_depends_on_everything_before_it() -> None:
    challenges = [
        challenge(),
        challenge(tag="u"),
        challenge(context=b"d"),
        challenge(name="y"),
        challenge(("a", 1)),
        challenge(("b", 1)),
        challenge(("a", 2)),
        challenge(("a", 1), ("a", 2)),
        challenge(("a", 2), ("a", 1)),
        challenge(("a", (1, 2))),
    ]
    assert len(set(challenges)) == len(challenges)
    assert challenge(("a", 1)) == challenges[4]


def test_each_challenge_binds_the_next() -> None:
    plain, squeezed = Oracle("t", b""), Oracle("t", b"")
    squeezed.scalar("first")
    assert plain.scalar("second") != squeezed.scalar("second")


def test_several_challenges_are_different_scalars_and_depend_on_their_number() -> None:
    many = Oracle("t", b"").scalars("x", 500)
    assert len(set(many)) == 500
    assert all(0 <= s < ORDER for s in many)
    assert Oracle("t", b"").scalars("x", 499) != many[:499]


def test_challenges_are_spread_evenly_over_the_scalars() -> None:
    buckets = [0] * 16
    for s in Oracle("t", b"").scalars("x", 3200):
        buckets[s * 16 // ORDER] += 1
    # Chi-square with 15 degrees of freedom: 44.3 is the 0.0001 quantile, and the seed is fixed.
    assert sum((n - 200) ** 2 / 200 for n in buckets) < 44.3
