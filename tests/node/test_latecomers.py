"""Who comes back when the others have left the game gets its end from whoever of them is still there."""

import asyncio
from pathlib import Path

from p2p_sheriff.audit import Valid, audit
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.words import Words
from tests.drbg import Drbg
from tests.node.mortal import GROUP
from tests.node.nodes import HOST, Party, Place
from tests.node.running import awaited
from tests.node.test_runner import die
from tests.seat.memory import MemoryFront
from tests.table.games import assert_agreed


def back_before_the_end(folder: Path, name: str, game: bytes) -> None:
    """Takes from a log what was stored when the game was decided: so its player died before they heard of it."""
    with Profile.open(name, folder) as profile:
        records = 0
        while records == 0 or resumed(profile, game).session.play.is_decided:
            log = profile.game_log(game)
            *before, _ = log.read()
            records = len(before)
            log.rewrite(before)
            log.close()


def resumed(profile: Profile, game: bytes) -> Keeper:
    keeper = Keeper.resume(profile, game, GROUP, Drbg("back"))
    keeper.log.close()
    return keeper


async def leave_at_the_end(place: Place) -> Driver:
    """Stays at a game that is decided until it is kept, then leaves it."""
    driver = Driver(place.node, place.profile, MemoryFront(), Words(), audits=False, settle_seconds=1)
    await driver.run()
    return driver


@awaited
async def test_who_returns_when_one_of_the_others_has_left_the_game_and_one_the_network_gets_the_result(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        assert_agreed(sessions)
        anna, ben, cleo = party.places
        game = sessions[0].table.charter.game
        await die(ben)
        await die(cleo)
        await leave_at_the_end(anna)
        assert anna.node.keeper is None
        guest = (
            ben.node.identity.public
        )  # Who has played the last game may come for its end, and has no more than that.
        assert anna.node._is_companion(guest)
        assert not anna.node._is_player(guest)
        await asyncio.to_thread(back_before_the_end, tmp_path, "Ben", game)
        back = await party.add("Ben")
        keeper = await asyncio.to_thread(Keeper.resume, back.profile, game, GROUP, Drbg("again"))
        assert not keeper.session.play.is_decided
        await back.node.dial(HOST, anna.node.port)
        await back.node.resume(keeper)
        await leave_at_the_end(back)
        assert keeper.session.play.state == sessions[0].play.state
        for place in (anna, back):
            report = audit((place.profile.folder / "games" / f"{game.hex()}.sheriff").read_bytes(), GROUP)
            assert isinstance(report.verdict, Valid)
            assert place.profile.unfinished_games() == ()
            assert not list(place.profile.folder.rglob("*.keys"))
        assert keeper.session.secrets.keys.secrets() == ()


@awaited
async def test_who_returns_when_all_others_have_left_the_network_keeps_the_result_alone(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        await party.play()
        game = sessions[0].table.charter.game
        for place in party.places:
            await die(place)
        back = await party.add("Ben")
        keeper = await asyncio.to_thread(Keeper.resume, back.profile, game, GROUP, Drbg("alone"))
        await back.node.resume(keeper)
        await leave_at_the_end(back)
        record = (back.profile.folder / "games" / f"{game.hex()}.sheriff").read_bytes()
        assert isinstance(audit(record, GROUP).verdict, Valid)
        assert back.profile.unfinished_games() == ()
        assert not list(back.profile.folder.rglob("*.keys"))
        assert keeper.session.secrets.keys.secrets() == ()
