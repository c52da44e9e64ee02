"""A second program, written from the specification alone, judges every file as ours does."""

import ast
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from p2p_sheriff.audit import as_json, audit
from p2p_sheriff.rules import OPTIONS, Edition
from tests.recorded import GAMES, GROUP
from tests.table.games import bot_game, game_bytes
from tests.table.test_corpus import BASE, CORPUS
from tests.table.test_module_games import table_for
from tests.table.transcripts import game_of
from tests.vectors.notation import GAMES_FOLDER

PROGRAM = Path(__file__).parents[2] / "examples" / "verify.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("second_verifier", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # Its dataclasses ask for it.
    spec.loader.exec_module(module)
    return module


SECOND: Any = _load()


def test_it_imports_nothing_but_what_comes_with_the_language() -> None:
    imported = set[str]()
    for node in ast.walk(ast.parse(PROGRAM.read_text("utf-8"))):
        match node:
            case ast.Import(names):
                imported.update(name.name.split(".")[0] for name in names)
            case ast.ImportFrom(module, _, level):
                assert level == 0
                imported.add((module or "").split(".")[0])
            case ast.Call(ast.Name("__import__" | "exec" | "eval")):
                pytest.fail("it loads something by another way")
            case _:
                pass
    assert imported
    assert imported <= sys.stdlib_module_names - {"importlib", "subprocess"}


@pytest.mark.parametrize("name", GAMES)
def test_it_comes_to_the_same_state_after_every_entry_of_a_recorded_game(name: str) -> None:
    beside, states = json.loads((GAMES_FOLDER / f"{name}.json").read_text("utf-8")), list[str]()
    content = (GAMES_FOLDER / f"{name}.sheriff").read_bytes()

    def watch(table: Any, _entry: Any) -> None:
        states.append(SECOND.digest("state", *table.folder.game.public_state(table.folder.missing())).hex())

    found = SECOND.audit(content, watch)
    assert states == beside["states"]
    assert _said(found) == _said(json.loads(as_json(audit(content, GROUP))))


@pytest.mark.parametrize("case", CORPUS["cases"], ids=lambda case: case["comment"])
def test_it_finds_the_fault_of_every_file_of_the_corpus(case: dict[str, Any]) -> None:
    content = BASE[: case["offset"]] + bytes.fromhex(case["inserted"]) + BASE[case["offset"] + case["removed"] :]
    try:
        found = SECOND.audit(content)
    except SECOND.NotSuchAFile:
        found = {"verdict": "no record", "fault": None}
    fault = found["fault"] or {}
    names = ("code", "entry", "seat", "number")
    assert (found["verdict"], *map(fault.get, names)) == (case["verdict"], *(case[name] for name in names)), fault


@pytest.mark.slow
@pytest.mark.parametrize(("players", "edition", "seed"), [(3, Edition.SECOND, 1), (4, Edition.FIRST, 2)])
def test_it_comes_to_the_same_scores_in_a_game_that_was_just_played_with_all_modules(
    players: int, edition: Edition, seed: int
) -> None:
    content = game_of(bot_game(table_for(players, edition, OPTIONS), GROUP, seed), game_bytes(seed)).content
    ours = json.loads(as_json(audit(content, GROUP)))
    assert ours["verdict"] == "valid"
    assert _said(SECOND.audit(content)) == _said(ours)


def _said(report: dict[str, Any]) -> tuple[object, ...]:
    fault = report["fault"] or {}
    scores = [(one["seat"], one["total"]) for one in report["scores"] or ()]
    return report["verdict"], scores, fault.get("code"), fault.get("entry"), fault.get("seat"), fault.get("number")
