"""A rematch, as its players see it: who is asked, who does not play again, and who may have their seats."""

from functools import partial
from pathlib import Path

from p2p_sheriff.seat.company import Company
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import AddBot
from p2p_sheriff.seat.picture import Answered
from p2p_sheriff.seat.settings import NodeOptions, Tempo
from p2p_sheriff.seat.sight import Sight
from p2p_sheriff.seat.words import Words
from tests.node.nodes import HOST, Party, Place, found, until
from tests.node.running import awaited
from tests.node.test_foyer import info_of, played
from tests.seat.memory import MemoryFront
from tests.seat.test_leaving import told


def hall_of(sight: Sight) -> Hall:
    scene, _ = sight.scene()
    assert isinstance(scene, Hall)
    return scene


def hears(place: Place, sight: Sight, line: str) -> bool:
    return line in told(place, sight)


@awaited
async def test_a_rematch_invites_everybody_visibly_and_tells_who_declines(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        opener, second, third = party.places
        sights = [Sight(place.node, Words()) for place in party.places]
        (session, *_) = await party.begin()
        charter = session.table.charter
        for place, sight in zip(party.places, sights, strict=True):
            await place.node.put_down()
            told(place, sight)
        sights[0].picture = None  # As the driver does.
        await opener.node.rematch(charter)
        told(opener, sights[0])
        expected = hall_of(sights[0]).expected
        assert {one.name for one in expected} == {second.node.name, third.node.name}
        assert hall_of(sights[0]).open_seats == 0

        def invited(sight: Sight) -> bool:
            return sight.picture is not None and sight.picture.wanted_by == (opener.node.name,)

        await until(lambda: (told(second, sights[1]), invited(sights[1]))[1])
        sights[1].picture = None
        await second.node.rematch(charter)
        await third.node.decline(charter.game)
        line = f"{third.node.name} does not play again."
        watchers = list(zip(party.places, sights, strict=True))[:2]
        for place, sight in watchers:
            await until(partial(hears, place, sight, line))
            assert told(place, sight).count(line) == 1
            (missing,) = hall_of(sight).awaited
            assert (missing.person.name, missing.has_declined) == (third.node.name, True)
            assert hall_of(sight).open_seats == 1


@awaited
async def test_a_bot_gets_the_seat_of_who_does_not_play_again_and_no_other(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        charter = await played(party)
        opener, _, third = party.places
        options = NodeOptions(interfaces=(HOST,), tempo=Tempo())
        async with Company(opener.profile, opener.node.port, options) as company:
            driver = Driver(opener.node, opener.profile, MemoryFront(), Words(), company=company)
            await opener.node.rematch(charter)
            refused = await driver.submit(AddBot("honest"))
            assert refused == Answered("Free seats are kept for those of the last game who may still come.")
            await found(third)
            await third.node.decline(charter.game)
            await until(lambda: bool(info_of(opener).declined))
            assert await driver.submit(AddBot("honest")) == Answered()
            await until(lambda: [one.bot for one in info_of(opener).members] == ["", "honest"])
            refused = await driver.submit(AddBot("honest"))
            assert "kept for those of the last game" in refused.refusal
