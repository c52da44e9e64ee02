"""The games in docs/vectors are still what they were: their audits say the same, and so does every public state."""

import json
import re

import pytest

from p2p_sheriff.session.record import Record
from p2p_sheriff.session.replay import replay
from protocol.proofs.context import Context
from tests.drbg import Drbg
from tests.recorded import GAMES, GROUP, described
from tests.test_specification import PAGE
from tests.vectors.notation import GAMES_FOLDER


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_game_has_the_verdict_and_the_states_that_stand_beside_it(name: str) -> None:
    record = Record.from_bytes(GROUP, (GAMES_FOLDER / f"{name}.sheriff").read_bytes())
    assert described(GAMES[name].comment, record) == (GAMES_FOLDER / f"{name}.json").read_text("utf-8")


def test_the_folder_has_these_games_and_no_others() -> None:
    assert {path.stem for path in GAMES_FOLDER.iterdir()} == GAMES.keys() | {"corpus"}


def test_states_tell_entries_apart_that_take_a_step() -> None:
    states = json.loads((GAMES_FOLDER / "whole.json").read_text("utf-8"))["states"]
    assert len(set(states)) > len(states) // 2


def test_the_table_of_operations_has_every_place_of_a_proof_in_these_games(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = re.findall(r"^\| `[^|]*\| `([\w ]+)` \| ([^|]*) \| ([^|]*) \|", PAGE, re.MULTILINE)
    with_handles = {operation for operation, _, handles in rows if handles != "none"}
    seen, digest = dict[Context, None](), Context.to_bytes

    def spy(context: Context) -> bytes:
        seen[context] = None
        return digest(context)

    monkeypatch.setattr(Context, "to_bytes", spy)
    for name in GAMES:
        tuple(replay(Record.from_bytes(GROUP, (GAMES_FOLDER / f"{name}.sheriff").read_bytes()), GROUP, Drbg("weights")))
    found = {context.operation for context in seen}
    assert found >= {
        "shuffle",
        "gather",
        "match",
        "deal",
        "take",
        "give",
        "rearrange",
        "claim",
        "turn over",
        "unveil",
        "return",
    }
    assert found <= {operation for operation, _, _ in rows}
    assert all(bool(context.handles) == (context.operation in with_handles) for context in seen)
    assert {context.deck for context in seen if context.operation == "claim"} == {"goods"}
    assert {context.deck for context in seen} == {"goods", "orders", "laws", "merry men"}
