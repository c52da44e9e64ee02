import os

import pytest
from hypothesis import HealthCheck, settings

from protocol.group import Edwards25519
from tests.drbg import Drbg

# No deadline: the machine may be busy, and timing is the benchmark's business. A shared fixture is immutable here.
_calm = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
settings.register_profile("dev", _calm, max_examples=25)
settings.register_profile("ci", _calm, max_examples=50, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def group() -> Edwards25519:
    return Edwards25519()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Drbg:
    return Drbg(request.node.nodeid)
