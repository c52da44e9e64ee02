"""A node that finds a defect of its own stops with a sentence: nothing is stored after it, and nobody is blamed."""

import asyncio
import re
from pathlib import Path

import pytest

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import Trouble
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import translated
from protocol.errors import DefectError, LocalError
from protocol.group import Edwards25519
from protocol.table import Turn
from tests.drbg import Drbg
from tests.node.nodes import Party, Place, seat, until
from tests.node.running import awaited

SENTENCE = "This node has a defect and stops: DefectError: "


def troubles(place: Place) -> list[str]:
    events = [place.node.events.get_nowait() for _ in range(place.node.events.qsize())]
    return [translated(event.sentence) for event in events if isinstance(event, Trouble)]


@awaited
async def test_a_node_that_can_not_judge_what_others_write_stops_and_blames_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        victim, fold = party.places[2], Play.fold
        stumbles: list[int] = []

        def stumbling(play: Play, turn: Turn) -> Play:
            keeper = victim.node.keeper
            if keeper is not None and play is keeper.session.play and turn.entry.author != keeper.session.seat:
                stumbles.append(len(keeper.log.read()))
                raise LocalError("half a card")
            return fold(play, turn)

        sessions = await party.begin()
        game = sessions[0].table.charter.game
        monkeypatch.setattr(Play, "fold", stumbling)
        others = [asyncio.create_task(seat(place).play()) for place in party.places[:2]]
        await until(lambda: victim.node.keeper is None)
        for task in others:
            task.cancel()
        assert len(stumbles) == 1  # Nothing is judged after it.
        assert [
            one for one in troubles(victim) if re.match(rf"{SENTENCE}an entry of step \d+ can't be judged: half", one)
        ]
        with pytest.raises(LobbyError, match=r"troubles\.defect detail=DefectError: .* half a card"):
            await victim.node.put_down()
        assert all(session.table.faults == {} for session in sessions)
        assert victim.profile.unfinished_games() == (game,)
        assert len(victim.profile.game_log(game).read()) == stumbles[0]


@awaited
async def test_a_defect_that_shows_in_what_the_player_does_stops_the_node_too(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        victim = party.places[1]

        def stumble(_session: Session) -> None:
            raise DefectError("half a card")

        with pytest.raises(LobbyError, match=r"troubles\.defect detail=DefectError: half a card"):
            await victim.node.do(stumble)
        assert victim.node.keeper is None
        assert troubles(victim) == [f"{SENTENCE}half a card"]
        assert all(session.table.faults == {} for session in sessions)


@awaited
async def test_a_game_over_which_this_version_stumbles_is_not_resumed_and_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        (session, *_) = await party.begin()
        await until(lambda: session.play.goods.undrawn != ())
    first, game = party.places[0], session.table.charter.game
    with type(first.profile).open("Anna", tmp_path) as profile:

        def stumbling(_play: Play, _turn: Turn) -> Play:
            raise LocalError("half a card")

        monkeypatch.setattr(Play, "fold", stumbling)
        with pytest.raises(
            StoreError, match="this program has a defect: an entry of step 0 can't be judged: half a card"
        ):
            Keeper.resume(profile, game, Edwards25519(), Drbg("again"))
