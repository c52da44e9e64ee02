"""The list of packages in pyproject.toml is written by hand: it must name every one."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_every_package_of_the_source_is_listed() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        listed = tomllib.load(file)["tool"]["setuptools"]["packages"]
    found = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for top in ("protocol", "p2p_sheriff")
        for pattern in ("*.py", "*.json")
        for file in (ROOT / top).rglob(pattern)
    }
    assert sorted(listed) == sorted(found)
