"""What arrives from outside is taken or refused, whatever it is: sound inputs with changes, and any bytes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fuzz.corpus import inputs_of
from tests.fuzz.targets import SEEDS

Target = Callable[[bytes], None]


def name_of(target: Target) -> str:
    return target.__name__


@pytest.mark.parametrize("target", SEEDS, ids=name_of)
def test_what_a_fuzzer_has_found_is_taken_or_refused(target: Target) -> None:
    for data in (*SEEDS[target], *inputs_of(name_of(target))):
        target(data)


@pytest.mark.parametrize("target", SEEDS, ids=name_of)
@given(data=st.data())
def test_sound_inputs_with_changes_are_taken_or_refused(target: Target, data: st.DataObject) -> None:
    changed = bytearray(data.draw(st.sampled_from(SEEDS[target])))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(changed)))
        removed = data.draw(st.integers(0, 4))
        changed[place : place + removed] = data.draw(st.binary(max_size=4))
    target(bytes(changed))


@pytest.mark.parametrize("target", SEEDS, ids=name_of)
@given(data=st.binary(max_size=300))
def test_any_bytes_are_taken_or_refused(target: Target, data: bytes) -> None:
    target(data)
