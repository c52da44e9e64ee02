"""The page on robustness is true: the tests that it names are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "robustness.md").read_text("utf-8")
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)+)`", PAGE)))
LINES = [line.split("|")[1:-1] for line in PAGE.splitlines() if "`tests/" in line and line.startswith("|")]


@cache
def names_in(path: str) -> frozenset[str]:
    """Returns the tests of a file as they are called, those of a class behind its name."""
    module = ast.parse((ROOT / path).read_text("utf-8"))
    classes = [(f"{one.name}::", one.body) for one in module.body if isinstance(one, ast.ClassDef)]
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(
        f"{prefix}{one.name}"
        for prefix, body in [("", module.body), *classes]
        for one in body
        if isinstance(one, functions)
    )


@pytest.mark.parametrize("named", NAMED)
def test_a_test_that_the_page_names_is_there(named: str) -> None:
    path, _, test = named.partition("::")
    assert test in names_in(path)


def test_every_hole_has_a_line_that_says_what_stops_it_and_names_a_test() -> None:
    holes = {int(number[0]) for hole, *_ in LINES if (number := re.findall(r"^ (\d+) ", hole))}
    assert holes == set(range(1, 22))
    assert all(stop.strip() and "::test_" in tests for _, stop, tests in LINES)
