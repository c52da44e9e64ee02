"""The example game proves that ``protocol`` knows no game: it has no other import of ours."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from examples import high_card
from protocol.codec import Value
from protocol.faults import FaultCode

SOURCE = Path(high_card.__file__)


def test_three_players_play_to_the_same_end() -> None:
    hands = high_card.seat(["Anna", "Ben", "Cleo"])
    high_card.play(hands)
    games = [hand.table.game for hand in hands]
    assert games[0].shown == games[1].shown == games[2].shown
    assert len(set(games[0].shown)) == 3
    assert games[0].shown[games[0].winner] == max(games[0].shown)


def test_a_player_who_claims_a_better_card_is_named_by_all(monkeypatch: pytest.MonkeyPatch) -> None:
    hands = high_card.seat(["Anna", "Ben", "Cleo"])
    honest = high_card.Hand.payload

    def boasting(hand: high_card.Hand) -> Value:
        payload = honest(hand)
        match payload:
            case (int(label), proof) if hand is hands[1]:
                return ((label + 1) % high_card.CARDS, proof)
            case _:
                return payload

    monkeypatch.setattr(high_card.Hand, "payload", boasting)
    for _ in range(20):
        for hand in hands:
            if entry := hand.play():
                for other in hands:
                    if other is not hand:
                        other.table.receive(entry)
    for hand in hands:
        assert {seat: fault.code for seat, fault in hand.table.faults.items()} == {1: FaultCode.FALSE_PROOF}
        assert len(hand.table.game.shown) == 1


def test_it_runs_as_a_program_and_names_a_winner() -> None:
    run = subprocess.run([sys.executable, str(SOURCE)], capture_output=True, text=True, check=True)
    assert run.stdout.rstrip().endswith("wins")


def test_it_is_short_and_stands_on_protocol_alone() -> None:
    text = SOURCE.read_text("utf-8")
    assert len(text.splitlines()) < 150
    roots = {
        (node.module or "").split(".")[0] for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)
    }
    assert "protocol" in roots
    assert "p2p_sheriff" not in roots
