"""Faulty files, each with the verdict, the code, the entry and the seat that every audit must name."""

import json
from typing import Any

import pytest

from p2p_sheriff.audit import as_json, audit
from p2p_sheriff.session.record import NotARecordError
from p2p_sheriff.session.replay import Flaw
from protocol.faults import FaultCode
from tests.table.transcripts import GROUP
from tests.vectors.corpus import to_text
from tests.vectors.corpus_cases import spoilt
from tests.vectors.notation import GAMES_FOLDER

CORPUS: Any = json.loads((GAMES_FOLDER / "corpus.json").read_text("ascii"))
BASE = (GAMES_FOLDER / CORPUS["base"]).read_bytes()


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: case["comment"])
def test_a_file_of_the_corpus_is_judged_as_it_says(case: dict[str, Any]) -> None:
    behind = case["offset"] + case["removed"]
    content = BASE[: case["offset"]] + bytes.fromhex(case["inserted"]) + BASE[behind:]
    try:
        found = json.loads(as_json(audit(content, GROUP)))
    except NotARecordError:
        found = {"verdict": "no record", "fault": None}
    fault = found["fault"] or {}
    assert (found["verdict"], *(fault.get(name) for name in ("code", "entry", "seat", "number"))) == (
        case["verdict"],
        case["code"],
        case["entry"],
        case["seat"],
        case["number"],
    ), fault.get("reason")


def test_the_corpus_is_what_its_game_makes_today() -> None:
    assert (GAMES_FOLDER / "corpus.json").read_text("ascii") == to_text(spoilt()), "run python -m tests.recorded corpus"


def test_every_code_that_a_file_can_have_is_there() -> None:
    codes = {case["code"] for case in CORPUS["cases"]} - {None}
    assert codes == {code.name for code in (*Flaw, *FaultCode)} - {"DEFECT"}
