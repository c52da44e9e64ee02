import os

import pytest
from hypothesis import HealthCheck, settings

from protocol.group import Edwards25519
from tests.cases import SEED, SOAK
from tests.drbg import Drbg

# No deadline: the machine may be busy, and timing is the benchmark's business. A shared fixture is immutable here.
_calm = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
settings.register_profile("dev", _calm, max_examples=25)
settings.register_profile("ci", _calm, max_examples=50, derandomize=True)
settings.register_profile("soak", _calm, max_examples=int(SOAK) if SOAK.isdigit() else 1000)
settings.load_profile("soak" if SOAK else "ci" if os.environ.get("CI") else "dev")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says how to try the same cases again."""
    if terminalreporter.stats.get("failed"):
        terminalreporter.write_line(f"The cases of this run were chosen by SEED={SEED}.")


@pytest.fixture(scope="session")
def group() -> Edwards25519:
    return Edwards25519()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> Drbg:
    return Drbg(request.node.nodeid)
