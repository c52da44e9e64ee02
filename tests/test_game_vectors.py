"""Replays the vectors of the game, from their files alone: terms of tables, and the result that all sign."""

import json
from typing import Any

import pytest

from p2p_sheriff.rules import Ending, Setup, outcome
from p2p_sheriff.session.result import result_digest, result_value
from p2p_sheriff.session.terms import setup_from_value, setup_to_value
from protocol.codec import decode, encode
from protocol.errors import MalformedError
from protocol.hashing import PROTOCOL, sha512
from tests.test_grammar import RULES
from tests.vectors.notation import GAME_FOLDER
from tests.vectors.reading import unhex, value
from tests.vectors.seal import Seated, ended

TERMS, SEAL = (json.loads((GAME_FOLDER / name).read_text("ascii")) for name in ("terms.json", "seal.json"))


@pytest.mark.parametrize("case", TERMS["valid"], ids=lambda case: case["comment"])
def test_a_table_has_the_terms_that_the_file_says(case: dict[str, Any]) -> None:
    names = ("players", "edition", "options", "extra", "short", "candidates")
    setup = Setup.from_value(tuple(value(case[name]) for name in names))
    assert encode(setup_to_value(setup)).hex() == case["encoded"]
    assert setup_from_value(decode(unhex(case["encoded"]))) == setup
    assert decode(unhex(case["encoded"])) == value(case["terms"])
    assert RULES.matches("terms", value(case["terms"]))


@pytest.mark.parametrize("case", TERMS["invalid"], ids=lambda case: case["comment"])
def test_other_terms_are_refused(case: dict[str, Any]) -> None:
    assert case["error"] == "MalformedError"
    with pytest.raises(MalformedError):
        setup_from_value(value(case["terms"]))


@pytest.mark.parametrize("case", SEAL["valid"], ids=lambda case: case["comment"])
def test_what_lies_on_the_table_has_the_result_and_the_seal_that_the_file_says(case: dict[str, Any]) -> None:
    seated = [
        Seated(seat, gold, _listed(stall), _listed(stack), tuple(prizes))
        for seat, gold, stall, stack, prizes in case["players"]
    ]
    state = ended(setup_from_value(value(case["terms"])), seated, Ending(case["ending"]))
    assert result_value(outcome(state)) == value(case["outcome"])
    assert result_digest(unhex(case["game"]), state).hex() == case["expected"]
    assert sha512(unhex(case["encoded"]))[:32].hex() == case["expected"]
    assert decode(unhex(case["encoded"])) == (PROTOCOL, "result", (unhex(case["game"]), value(case["outcome"])))
    assert RULES.matches("hashed", decode(unhex(case["encoded"])))


def _listed(kinds: list[str]) -> str:
    return ",".join(f"1 {kind}" for kind in kinds)


def test_the_example_of_the_rules_has_its_sum() -> None:
    result: Any = value(SEAL["valid"][0]["outcome"])
    assert dict(dict(result)["scores"][0])["total"] == 125
