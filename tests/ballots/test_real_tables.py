"""The code goes through the schedules of the model, and the model judges what it writes: nothing promised is broken."""

import pytest

from tests.ballots.real import real_table
from tests.ballots.test_random_schedules import MANY, TABLES, go_through
from tests.cases import some


@pytest.mark.parametrize("seed", some(range(MANY), few=5))
@pytest.mark.parametrize(("seats", "lying", "may_fork"), TABLES)
def test_real_tables_keep_what_the_model_promises(seats: int, lying: int, may_fork: bool, seed: int) -> None:
    go_through(real_table, seats, lying, may_fork, seed)
