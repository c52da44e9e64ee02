"""What strangers may use of a node's time: it adds up, leaks away, and is shared."""

from hypothesis import given
from hypothesis import strategies as st

from p2p_sheriff.node.allowance import Allowance, Bucket
from p2p_sheriff.node.limits import DEFAULT, Limits

LIMITS = Limits(stranger_bytes_per_second=100, stranger_bytes=1000, stranger_share=0.1, stranger_seconds=1)


def test_what_fits_is_used_at_once_and_the_rest_waits_until_it_has_leaked_away() -> None:
    bucket = Bucket(2, 10)
    bucket.add(10, 5.0)
    assert bucket.wait(5.0) == 0
    bucket.add(6, 5.0)
    assert bucket.wait(5.0) == 3
    assert bucket.wait(6.0) == 2
    assert bucket.wait(8.0) == 0


def test_single_units_are_given_out_as_long_as_there_are_any() -> None:
    bucket = Bucket(1, 2)
    assert [bucket.take(0.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1.0) for _ in range(2)] == [True, False]


@given(st.lists(st.tuples(st.floats(0, 5), st.integers(1, 3000)), min_size=1, max_size=40))
def test_who_waits_as_told_never_uses_more_than_the_bucket_and_its_rate(uses: list[tuple[float, int]]) -> None:
    bucket, now, used = Bucket(100, 1000), 0.0, 0
    for pause, amount in uses:
        now += pause + bucket.wait(now + pause)
        assert used <= 1000 + 100 * now + 1e-6
        bucket.add(amount, now)
        used += amount


def test_a_stranger_who_sends_much_waits_for_the_bytes() -> None:
    allowance = Allowance(LIMITS, Bucket(1, 100))
    assert allowance.read(1000, 0.0) == 0
    assert allowance.read(200, 0.0) == 2


def test_a_stranger_who_costs_much_waits_for_the_time() -> None:
    allowance = Allowance(LIMITS, Bucket(1, 100))
    allowance.worked(1.5, 0.0)
    assert allowance.read(1, 0.0) == 5


def test_many_strangers_share_what_there_is_for_all_of_them() -> None:
    shared = Bucket(0.5, 1)
    crowd = [Allowance(LIMITS, shared) for _ in range(5)]
    for stranger in crowd:
        stranger.worked(0.5, 0.0)
    assert [stranger.read(1, 0.0) for stranger in crowd] == [3] * 5


def test_of_a_game_of_four_seconds_strangers_take_less_than_half_of_what_would_make_it_half_as_long_again() -> None:
    shared, used = Bucket(DEFAULT.strangers_share, DEFAULT.strangers_seconds), 0.0
    crowd = [Allowance(DEFAULT, shared) for _ in range(8)]
    for millisecond in range(6000):
        for stranger in crowd:
            if stranger.read(20, millisecond / 1000) == 0:
                stranger.worked(0.001, millisecond / 1000)
                used += 0.001
    assert 0.5 < used < 1
