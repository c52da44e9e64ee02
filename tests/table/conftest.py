"""Whoever was caught at a table is put out at the end of the test, and the others go on."""

from collections.abc import Iterator

import pytest

from tests.table.tables import CAUGHT, assert_goes_on_without_the_cheat


@pytest.fixture(autouse=True)
def the_others_go_on_without_the_cheat() -> Iterator[None]:
    CAUGHT.clear()
    yield
    for net in CAUGHT:
        assert_goes_on_without_the_cheat(net)
