from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError
from protocol.hashing import ORDER
from protocol.randomness import below, nonzero_scalar, permutation, scalar, scalars
from tests.drbg import Drbg


@given(st.integers(1, 2**260), st.text())
def test_choices_stay_below_their_bound(bound: int, seed: str) -> None:
    assert 0 <= below(Drbg(seed), bound) < bound


def test_an_empty_range_is_the_callers_mistake(rng: Drbg) -> None:
    with pytest.raises(LocalError):
        below(rng, 0)


def test_the_only_choice_below_one_needs_no_randomness() -> None:
    assert below(bytes, 1) == 0


def test_a_candidate_not_below_the_bound_is_drawn_again_and_never_folded() -> None:
    draws = iter([b"\xff", b"\xa0", b"\x50"])
    assert below(lambda _: next(draws), 10) == 5
    assert next(draws, None) is None


def test_scalars_reach_both_ends_of_their_range() -> None:
    ones = ORDER - 1
    assert scalar(bytes) == 0
    assert nonzero_scalar(bytes) == 1
    assert scalar(lambda _: (ones << 3).to_bytes(32)) == ones
    assert nonzero_scalar(lambda _: (ones - 1 << 3).to_bytes(32)) == ones


def test_scalars_are_independent(rng: Drbg) -> None:
    assert len(set(scalars(rng, 100))) == 100


@given(st.integers(0, 60), st.text())
def test_a_permutation_holds_every_index_once(count: int, seed: str) -> None:
    assert sorted(permutation(Drbg(seed), count)) == list(range(count))


def test_every_permutation_is_equally_likely(rng: Drbg) -> None:
    seen = Counter(permutation(rng, 4) for _ in range(4800))
    # Chi-square with 23 degrees of freedom: 57.1 is about the 0.0001 quantile, and the seed is fixed.
    assert len(seen) == 24
    assert sum((n - 200) ** 2 / 200 for n in seen.values()) < 57.1
