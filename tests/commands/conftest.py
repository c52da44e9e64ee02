"""The commands speak English in these tests, whatever the system speaks that they run on."""

from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="session")
def _english() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LC_ALL", "C.UTF-8")
        yield
