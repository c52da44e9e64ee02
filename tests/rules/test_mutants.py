"""The tests of the rules are worth something: an engine with one line changed breaks exactly the tests of one rule."""

from pathlib import Path

import pytest

from p2p_sheriff.rules.modules.law_cards import LAWS
from p2p_sheriff.rules.modules.merry_cards import MEN
from tests.cases import some
from tests.rules.mutants import MUTANTS, ROOT, Mutant, broken_by, complaint, copy_of_the_engine, failing_tests


def name(mutant: Mutant) -> str:
    return f"{mutant.rule} {mutant.file}"


def test_at_least_40_rules_have_a_mutant() -> None:
    assert len({mutant.rule for mutant in MUTANTS}) >= 40


def test_every_merry_man_and_every_effect_of_a_law_has_a_mutant() -> None:
    broken = {mutant.rule for mutant in MUTANTS}
    men = {man for man in MEN if f"merry man {plain(man)}" in broken}
    effects = {type(law.effect) for name, law in LAWS.items() if f"law {plain(name)}" in broken}
    assert men == MEN.keys()
    assert effects == {type(law.effect) for law in LAWS.values()}


def plain(card: str) -> str:
    return card.lower().replace("'", "").replace("-", " ")


@pytest.mark.parametrize("mutant", MUTANTS, ids=name)
def test_the_line_that_a_mutant_changes_is_there_once(mutant: Mutant) -> None:
    text = (ROOT / "p2p_sheriff" / "rules" / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1
    assert mutant.old != mutant.new


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the engine, compiled by a run of its tests in which none fails."""
    folder = tmp_path_factory.mktemp("engine") / "copy"
    copy_of_the_engine(folder)
    assert failing_tests(folder) == set()
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("mutant", some(MUTANTS, few=12), ids=name)
def test_a_mutant_breaks_exactly_the_tests_of_its_rule(mutant: Mutant, engine: Path) -> None:
    assert complaint(mutant, broken_by(mutant, engine)) is None
