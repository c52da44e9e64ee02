from collections.abc import Callable, Mapping
from inspect import get_annotations
from typing import Any, get_args

import pytest

from p2p_sheriff.rules import Move
from p2p_sheriff.rules.engine import CARRIED_OUT, FACTS, MOVES
from p2p_sheriff.rules.facts import Fact


@pytest.mark.parametrize(("words", "table"), [(Move, MOVES), (Fact, FACTS)])
def test_every_move_and_every_fact_has_its_rule(words: object, table: Mapping[type, object]) -> None:
    assert set(table) == set(get_args(words))


@pytest.mark.parametrize("table", [MOVES, FACTS, CARRIED_OUT])
def test_a_rule_takes_just_the_word_that_it_stands_beside(table: Mapping[type, Callable[..., Any]]) -> None:
    for word, rule in table.items():
        _, taken, _ = get_annotations(rule).values()
        assert taken is word
