"""Which of very many cases a run tries: some, others after each change; in a soak as many as are asked for, or all.

A run that fails says its ``SEED``, and with that in its environment another run tries the same cases.
"""

import os
import subprocess
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Final

import pytest
from _pytest.mark import ParameterSet  # pytest has no public name for what its own function returns.


def _state() -> str:
    """Returns a name for what is tested, as it was committed: documents alone change nothing of that."""
    trees = ["HEAD:protocol", "HEAD:p2p_sheriff", "HEAD:tests"]
    try:
        asked = subprocess.run(["git", "rev-parse", *trees], cwd=Path(__file__).parent, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):  # A copy without its history.
        return "none"
    return sha256(asked.stdout).hexdigest()[:12]


SEED: Final = os.environ.setdefault("SEED", _state())  # Workers inherit it, and choose the same.
SOAK: Final = os.environ.get("CASES", "")
"""How many of each are tried in a soak: a number, or ``all``; empty in any other run."""


def some(cases: Sequence[object], few: int) -> list[ParameterSet]:
    """Returns the cases for a test's parameter: few of them, or in a soak as many as are asked for."""
    count = len(cases) if SOAK == "all" else int(SOAK or few)
    chosen = Random(f"{SEED} {len(cases)}").sample(range(len(cases)), min(count, len(cases)))
    return [pytest.param(cases[place], marks=pytest.mark.soak) for place in sorted(chosen)]
