"""Who gets up from a game is missed at once, also while their node stays connected."""

from pathlib import Path

from p2p_sheriff.seat.picture import LogLine, Picture
from p2p_sheriff.seat.sight import Sight
from p2p_sheriff.seat.words import Words
from tests.node.nodes import Party, Place, until
from tests.node.running import awaited


def told(place: Place, sight: Sight) -> list[str]:
    while not place.node.events.empty():
        sight.take(place.node.events.get_nowait())
    return [one.text for one in sight.news if isinstance(one, LogLine)]


@awaited
async def test_who_leaves_the_table_is_told_to_all_at_once(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sights = [Sight(place.node, Words()) for place in party.places[:2]]
        await party.begin()
        await until(lambda: all(len(place.node.games) == 1 for place in party.places))
        leaver, watchers = party.places[2], list(zip(party.places, sights, strict=False))
        for place, sight in watchers:
            told(place, sight)
        await leaver.node.put_down()
        line = f"{leaver.node.name} has left the table. The game waits."
        await until(lambda: all(line in told(place, sight) for place, sight in watchers))
        for _, sight in watchers:
            assert isinstance(sight.picture, Picture)
            assert list(sight.picture.away) == [leaver_seat(sight, leaver)]


def leaver_seat(sight: Sight, leaver: Place) -> int:
    assert sight.charter is not None
    seat = sight.charter.seat_of(leaver.node.identity.public)
    assert seat is not None
    return seat
