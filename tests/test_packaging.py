"""What pyproject.toml lists by hand is complete: every package of ours, and every one that is imported."""

import ast
import re
import sys
import tomllib
from importlib.metadata import files, packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[1]
OURS = ("protocol", "p2p_sheriff")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def imported(file: Path) -> set[str]:
    """Returns the top-level packages that a module imports, wherever in it."""
    names = set[str]()
    for node in ast.walk(ast.parse(file.read_bytes())):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name.split(".")[0] for alias in aliases}
            case ast.ImportFrom(module=str(module)):
                names.add(module.split(".")[0])
            case _:
                pass
    return names


def test_every_library_that_is_imported_is_declared_and_no_other() -> None:
    declared = {re.split("[<>=]", line)[0].lower().replace("-", "_") for line in PROJECT["project"]["dependencies"]}
    modules = set.union(*(imported(file) for top in OURS for file in (ROOT / top).rglob("*.py")))
    libraries = modules - sys.stdlib_module_names - set(OURS)
    assert {packages_distributions()[name][0].lower().replace("-", "_") for name in libraries} == declared


def test_every_package_of_the_source_is_listed() -> None:
    listed = PROJECT["tool"]["setuptools"]["packages"]
    found = {
        ".".join(file.parent.relative_to(ROOT).parts)
        for top in OURS
        for pattern in ("*.py", "*.json")
        for file in (ROOT / top).rglob(pattern)
    }
    assert sorted(listed) == sorted(found)


def test_setting_up_warns_of_nothing_for_an_editable_install_is_a_path_without_a_finder() -> None:
    installed = [file.name for file in files("p2p-sheriff") or ()]
    assert installed
    assert not [name for name in installed if name.endswith("_finder.py")], "setuptools warns when it writes one"
