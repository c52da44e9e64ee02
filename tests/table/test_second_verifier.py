"""A second program, written from the specification alone, judges every file as ours does."""

import ast
import importlib.util
import json
import sys
from dataclasses import replace
from importlib import resources
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from p2p_sheriff.audit import as_json, audit
from p2p_sheriff.rules import OPTIONS, Edition, Phase, Seat
from p2p_sheriff.session.passes import Redealing
from p2p_sheriff.session.record import Record, record_of
from protocol.codec import Value
from protocol.entry import Entry, Head, SignedEntry
from protocol.identity import SEED_BYTES, Identity
from protocol.transcript import Transcript
from tests.drbg import Drbg
from tests.recorded import GAMES, GROUP
from tests.table.departures import GapNet
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


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "modules" else name for name in GAMES]
)
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


@pytest.mark.parametrize("name", ["fork", "twice"])
def test_it_judges_what_comes_before_and_after_a_fork_is_settled_as_ours_does(name: str) -> None:
    """Cut off behind each entry from the fork on: first somebody is to blame, then the others have gone on."""
    record = Record.from_bytes(GROUP, (GAMES_FOLDER / f"{name}.sheriff").read_bytes())
    verdicts = list[str]()
    for end in range(60, 76):
        content = replace(record, entries=record.entries[:end]).to_bytes()
        ours = json.loads(as_json(audit(content, GROUP)))
        theirs = SECOND.audit(content)
        assert _said(theirs) == _said(ours)
        assert theirs.get("waits_for") == ours.get("waits_for")
        verdicts.append(ours["verdict"])
    assert [verdict for verdict, _ in groupby(verdicts)] == ["unfinished", "fault", "unfinished"]


ADDED: dict[str, tuple[int, tuple[int, ...], Value, int | None, tuple[str, str | None]]] = {
    # Who adds something, of whom another branch is named, what, for which step, and what an audit says.
    "who has forked names both own branches": (4, (), ("say", "but"), None, ("fault", "OPEN_HEADS")),
    "who is out says more": (4, (4,), ("say", "but"), None, ("unfinished", None)),
    "who is out takes a step": (4, (4,), (), 60, ("unfinished", None)),
    "who is out votes": (4, (4,), ("vote", (), (), 0), None, ("unfinished", None)),
    "who is out votes falsely": (4, (4,), ("vote", (), (), 1), None, ("unfinished", None)),
    "who is out takes the step of the fork again": (4, (4,), (), 39, ("unfinished", None)),
    "a vote below the certificate": (3, (), ("vote", (), (), 1), None, ("fault", "FALSE_VOTE")),
    "a vote on the certificate": (3, (), ("vote", ((0, (4,)),), (), 1), None, ("unfinished", None)),
    "a vote against who is out": (3, (), ("vote", ((0, (4,)),), (4,), 1), None, ("fault", "FALSE_VOTE")),
    "words on the branch that does not count": (3, (4,), ("say", "so"), None, ("unfinished", None)),
    "words of nobody": (3, (), ("shout", "so"), None, ("fault", "MALFORMED")),
    "a step that is not there": (3, (), (), 60, ("fault", "OUT_OF_TURN")),
}


@pytest.mark.parametrize("name", ADDED)
def test_it_judges_what_is_added_to_a_forked_game_as_ours_does(name: str) -> None:
    seat, aside, payload, step, (word, code) = ADDED[name]
    record = Record.from_bytes(GROUP, (GAMES_FOLDER / "fork.sheriff").read_bytes())
    rng, here = Drbg("gap 7"), Transcript(record.charter)
    identity = [Identity(rng(SEED_BYTES)) for _ in record.charter.players][seat]
    here.keeps_rivals = True
    for data in record.entries:
        tuple(here.receive(SignedEntry.from_bytes(record.charter, data)))
    heads = list(here.heads)
    for other in aside:
        (rival,) = (one for one in here.versions(other, 12) if one.hash != heads[other].hash)
        heads = list(rival.entry.heads) if other == seat else heads  # Who has forked has seen nothing since.
        heads[other] = Head(13, rival.hash)
    signed = SignedEntry.sign(identity, Entry(record.charter.game, seat, tuple(heads), step, payload))
    content = replace(record, entries=(*record.entries, signed.to_bytes())).to_bytes()
    ours = json.loads(as_json(audit(content, GROUP)))
    assert (ours["verdict"], (ours["fault"] or {}).get("code")) == (word, code)
    assert _said(SECOND.audit(content)) == _said(ours)


def test_it_deals_all_decks_around_both_if_another_leaves_while_they_are_dealt_around_one() -> None:
    net = GapNet(table_for(5, Edition.SECOND, ("laws",)), 3).goes_on(lambda play: len(play.state.laws) == 2)
    net.leaves(Seat(2)).goes_on(lambda play: isinstance(play.passing, Redealing) and play.passing.deck.name == "laws")
    net.leaves(Seat(4)).goes_on(lambda play: play.state.phase is Phase.LOAD)
    content = record_of(net.sessions[0].table).to_bytes()
    ours, theirs = json.loads(as_json(audit(content, GROUP))), SECOND.audit(content)
    assert ours["verdict"] == "unfinished"
    assert _said(theirs) == _said(ours)
    assert theirs["waits_for"] == ours["waits_for"]


def test_laws_are_drawn_anew_when_all_decks_are_dealt_around_both_who_left_one_of_them_a_deputy() -> None:
    net = GapNet(table_for(6, Edition.SECOND, ("laws",)), 3).goes_on(lambda play: bool(play.state.drawn_laws))
    net.leaves(net.play.state.merchants[0]).leaves(net.play.state.officers[1])
    net.goes_on(lambda play: play.state.phase is Phase.LOAD)
    assert len(net.play.state.laws) == 2
    content = record_of(net.sessions[net.seats[0]].table).to_bytes()
    ours, theirs = json.loads(as_json(audit(content, GROUP))), SECOND.audit(content)
    assert ours["verdict"] == "unfinished"
    assert _said(theirs) == _said(ours)


BALLOTS: Any = json.loads(resources.files("protocol.vectors").joinpath("ballots.json").read_text("ascii"))


@pytest.mark.parametrize("case", [*BALLOTS["valid"], *BALLOTS["invalid"]], ids=lambda case: case["comment"])
def test_it_counts_votes_as_the_vectors_say(case: dict[str, Any]) -> None:
    charter = SECOND.read_charter(bytes.fromhex(case["charter"]))
    here = SECOND.Transcript(charter)
    for message in case["entries"]:
        here.add(SECOND.read_entry(bytes.fromhex(message), charter))
    if case["call"] == "vote":
        with pytest.raises(getattr(SECOND, case["error"].removesuffix("Error"))):
            here.judge_vote(SECOND.read_entry(bytes.fromhex(case["message"]), charter))
        return
    best = here.best(here.everything, here.tips)
    assert [[one.attempt, [*one.out], [vote.hash.hex() for vote in one.votes]] for one in best] == case["certificates"]
    assert SECOND.remaining(SECOND.names_of(best), charter.seats) == case["remaining"]
    assert [[seat, n, link.hex()] for seat, (n, link) in sorted(here.cuts(best).items())] == case["cut"]


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
