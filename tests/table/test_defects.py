"""Where the game itself does not hold together, no seat is blamed for it: nodes stop, and the audit says so."""

import json
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

import pytest

from p2p_sheriff.commands import audit
from p2p_sheriff.rules import Phase, Seat, Setup, State, Zone, demands, new_game
from p2p_sheriff.rules.cards import Handle
from p2p_sheriff.rules.demands import Redeal
from p2p_sheriff.rules.facts import Left
from p2p_sheriff.rules.state import Loot, LootCard
from p2p_sheriff.rules.steps import AskFirst, MarketTurn, MixLoot, Step
from p2p_sheriff.session.acts import Act, Payload
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.replay import Finding, FindingError, Flaw, replay
from p2p_sheriff.texts import ENGLISH
from protocol.deck import Card
from protocol.entry import SignedEntry
from protocol.errors import LocalError
from protocol.table import Table, Turn
from tests.drbg import Drbg
from tests.protocol.toy import charter_of, identities, sign
from tests.table.tables import GROUP
from tests.table.transcripts import Game, finished_game

FIRST, SECOND = DEPUTIES = (Seat(1), Seat(4))
PLAYERS = identities(6, "deputies")
CHARTER = charter_of(PLAYERS)


def with_deputies(step: Step, phase: Phase = Phase.INSPECT, **changes: object) -> State:
    """Returns a game among six with two deputies who have that to do, and a market afterwards."""
    todo = (step, MarketTurn(Seat(0)))
    return new_game(Setup(6)).but(phase=phase, round=1, officers=DEPUTIES, todo=todo, **changes)


def table_at(state: State, **cards: Card) -> Table[Play]:
    handles = {Handle(int(name[1:])): card for name, card in cards.items()}
    return Table(CHARTER, Play(CHARTER.game, state, GROUP, Drbg("deputies"), handles))


def said(table: Table[Play], seat: Seat, act: Act) -> SignedEntry:
    return sign(CHARTER, PLAYERS[seat], table.transcript.heads, Payload((act,)).to_value(), step=0)


class TestLoot:
    LOOT = (LootCard(Handle(1), None), LootCard(Handle(2), "apples"), LootCard(Handle(3), None))

    def state(self) -> State:
        state = with_deputies(MixLoot(), loot=Loot(cards=self.LOOT), next_handle=9)
        return state.with_player(FIRST, hand=(Handle(4),), stack=(Handle(5), Handle(6)))

    def test_its_hidden_cards_are_its_own_and_the_same_for_both_deputies(self) -> None:
        for seat in DEPUTIES:
            assert self.state().hidden_in(seat, Zone.LOOT) == (1, 3)
        assert self.state().hidden_in(FIRST, Zone.STACK) == (5, 6)
        assert self.state().hidden_in(FIRST, Zone.HAND) == (4,)
        assert self.state().hidden_of(FIRST) == (4, 5, 6)


class TestOver:
    def test_a_game_that_waits_for_what_no_entry_brings_is_not_over(self) -> None:
        play = table_at(with_deputies(AskFirst(), Phase.MARKET)).game.record(Left((Seat(2),)))
        assert isinstance(demands(play.state)[0], Redeal)
        assert play.expected() == ()
        assert not play.is_over

    def test_a_game_is_over_when_all_who_are_in_it_have_signed(self) -> None:
        over = finished_game().sessions[0].play
        assert over.is_over
        for seat in over.sealed:
            assert not replace(over, sealed=tuple(one for one in over.sealed if one != seat)).is_over


class TestRecords:
    PLACE = 7

    @pytest.fixture
    def game(self, monkeypatch: pytest.MonkeyPatch) -> Game:
        """A sound game, and a program that stumbles over one of its entries."""
        game, fold = finished_game(), Play.fold

        def stumbling(play: Play, turn: Turn) -> Play:
            if turn.entry == game.signed[self.PLACE].entry:
                raise LocalError("no such card")
            return fold(play, turn)

        assert game.signed[self.PLACE].entry.step is not None
        monkeypatch.setattr(Play, "fold", stumbling)
        return game

    def test_replay_stops_at_the_entry_and_names_nobody(self, game: Game) -> None:
        steps = replay(game.record, GROUP, Drbg("replay"))
        assert [next(steps).place for _ in range(self.PLACE)] == list(range(self.PLACE))
        with pytest.raises(FindingError) as caught:
            next(steps)
        finding = caught.value.finding
        reason = f"an entry of step {game.signed[self.PLACE].entry.step} can't be judged: no such card"
        assert finding == Finding(self.PLACE, Flaw.DEFECT, reason)
        assert not finding.is_proven

    def test_the_audit_says_that_it_can_not_judge_and_names_nobody(
        self, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "game.sheriff"
        file.write_bytes(game.content)
        options = Namespace(file=file, json=False, texts=ENGLISH)
        assert audit.run(options) == 1
        told = capsys.readouterr().out
        assert f"Undecided at entry {self.PLACE} of the file: an entry of step" in told
        assert "This program has a defect" in told
        assert not any(word in told for word in ("seat", "player ", "Fault", "Valid"))
        options.json = True
        assert audit.run(options) == 1
        report = json.loads(capsys.readouterr().out)
        assert (report["verdict"], report["fault"]["code"]) == ("undecided", "DEFECT")
        assert (report["fault"]["seat"], report["fault"]["name"], report["fault"]["proven"]) == (None, None, False)
