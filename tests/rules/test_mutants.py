"""The tests of the rules are worth something: an engine with one line changed breaks exactly the tests of one rule."""

import pytest

from tests.rules.mutants import MUTANTS, ROOT, Mutant, complaint, run_all


def test_at_least_40_rules_have_a_mutant() -> None:
    assert len({mutant.rule for mutant in MUTANTS}) >= 40


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: f"{mutant.rule} {mutant.file}")
def test_the_line_that_a_mutant_changes_is_there_once(mutant: Mutant) -> None:
    text = (ROOT / "p2p_sheriff" / "rules" / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    assert mutant.old != mutant.new


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_mutant_breaks_exactly_the_tests_of_its_rule() -> None:
    assert [problem for mutant, broken in run_all().items() if (problem := complaint(mutant, broken))] == []
