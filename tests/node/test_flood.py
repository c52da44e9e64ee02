"""Strangers attack a node in all ways at once while it plays: the game ends, and nobody got more than a named limit."""

from pathlib import Path

import pytest

from p2p_sheriff.node.farewell import Why
from tests.node.flood import ATTACKER, COUNTS, SHORT_DECK, play
from tests.node.lan import laid, missing

FEW = {name: count // 50 for name, count in COUNTS.items()}
ENDS = {"accepted", "announced", "hung-up", "sent-all", "slowed-down", "ConnectionResetError", "ConnectionRefusedError"}
"""Refused connections are those that come after the game, when the node has gone."""


@pytest.mark.slow
def test_a_game_ends_although_strangers_attack_one_of_its_nodes_in_every_way_at_once(tmp_path: Path) -> None:
    if why := missing():
        pytest.skip(why)
    with laid(ATTACKER) as lan:
        outcome = play(lan, tmp_path / "game", FEW, SHORT_DECK)
    assert outcome.memory < 150 << 20
    assert set(outcome.ends) <= ENDS | set(map(str, Why))
    assert outcome.ends["announced"] == FEW["announce"]
