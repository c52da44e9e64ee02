"""Every numbered rule of the sections that the engine plays has a test named after it."""

import re
from pathlib import Path

import pytest

from tests.rules import rulebook

SECTIONS = [*range(1, 17), 19]


def rules_with_tests() -> set[str]:
    """Return the numbers of the rules that tests are named after."""
    here = Path(__file__).parent
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(here.glob("test_section_*.py")))
    return {f"{section}.{rule}" for section, rule in re.findall(r"^def test_r(\d+)_(\d+)_\w+", text, re.MULTILINE)}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_rule_of_the_section_has_a_test(section: int) -> None:
    rules = rulebook.numbered_rules(section)
    assert rules
    assert [rule for rule in rules if rule not in rules_with_tests()] == []


def test_no_test_is_named_after_a_rule_that_does_not_exist() -> None:
    written = {rule for section in SECTIONS for rule in rulebook.numbered_rules(section)}
    assert rules_with_tests() <= written


def rules_in(folder: Path, files: str) -> set[str]:
    """Return the numbers of rules that stand in quotes in these files: those that refusals give."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(folder.rglob(files)))
    return set(re.findall(r'"(\d+\.\d+)"', text))


def test_every_rule_that_the_engine_refuses_by_exists_and_is_expected_by_a_test() -> None:
    here = Path(__file__).parent
    given = rules_in(here.parents[1] / "p2p_sheriff" / "rules", "*.py")
    assert given
    assert given <= {rule for section in SECTIONS for rule in rulebook.numbered_rules(section)}
    assert given <= rules_in(here, "test_section_*.py")


def test_rules_are_numbered_without_gaps() -> None:
    for section in SECTIONS:
        rules = rulebook.numbered_rules(section)
        assert rules == [f"{section}.{number}" for number in range(1, len(rules) + 1)]
