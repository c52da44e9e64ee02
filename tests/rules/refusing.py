"""Assertions about inputs that the engine does not take."""

import pytest

from p2p_sheriff.rules import Input, Move, NotAllowed, NotAMove, apply
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.texts import refusal_sentence
from tests.rules.plain import dump
from tests.rules.scenario import Scenario


def refused(game: Scenario, item: Move | Opened, rule: str, *, cheating: bool = False) -> None:
    """Assert that the input is refused by this rule, with a sentence for its author, and changes nothing."""
    before = dump(game.state)
    with pytest.raises(NotAllowed) as caught:
        apply(game.state, item)
    assert caught.value.rule == rule, str(caught.value)
    assert caught.value.seat == item.seat
    assert caught.value.cheating is cheating
    assert refusal_sentence(caught.value)
    assert dump(game.state) == before


def no_move(game: Scenario, item: Input) -> None:
    """Assert that the input is no move at all, and changes nothing."""
    before = dump(game.state)
    with pytest.raises(NotAMove):
        apply(game.state, item)
    assert dump(game.state) == before
