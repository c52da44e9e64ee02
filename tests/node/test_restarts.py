"""A node dies at every point of storing and sending, comes back from its disk, and the game goes on."""

import asyncio
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.connection import Connection
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.resume import Kept
from p2p_sheriff.session.session import Session
from p2p_sheriff.usage import UsageError
from protocol.entry import SignedEntry
from protocol.group import SCALAR_BYTES
from tests.drbg import Drbg
from tests.node.mortal import (
    GROUP,
    CrashError,
    MortalNet,
    Point,
    assert_no_number_was_used_twice,
    everything_under,
)
from tests.node.nodes import HOST, Party, Place, seat
from tests.node.running import awaited
from tests.node.test_runner import die
from tests.node.wiretap import tapped
from tests.table.games import SHORT_DECK, assert_agreed

SETUP = Setup(3, short=SHORT_DECK)
LAST_DEATH = 24
"""A round takes fewer entries; a bot that has forgotten its offers with every death could haggle for ever."""


@pytest.mark.parametrize("point", Point, ids=lambda point: point.name.lower())
def test_a_node_that_dies_there_at_every_entry_plays_on(tmp_path: Path, point: Point) -> None:
    number = list(Point).index(point)
    net = MortalNet(
        tmp_path, number, Seat(number % 3), lambda entry: point if entry < LAST_DEATH else None, setup=SETUP, rounds=1
    )
    net.live()
    assert net.deaths[point] >= 8
    assert_no_number_was_used_twice(net)
    plays = [session.play for session in net.sessions]
    assert plays[0].state.round == 2
    assert plays[0] == plays[1] == plays[2]
    assert all(session.table.faults == {} for session in net.sessions)


def stored_keys(net: MortalNet) -> set[bytes]:
    """Returns all secret keys that are anywhere in the log."""
    keys = set()
    for record in net.keeper.log.read()[1:]:
        match Kept.from_value(record).secrets:
            case (bytes(joined), *_):
                keys |= {joined[i : i + SCALAR_BYTES] for i in range(0, len(joined), SCALAR_BYTES)}
            case _:
                pass
    return keys


def test_a_node_that_dies_at_random_points_plays_to_the_end_and_leaves_no_secret(tmp_path: Path) -> None:
    rng = Random(4)
    net = MortalNet(
        tmp_path, 4, Seat(1), lambda _: rng.choice(list(Point)) if rng.random() < 0.15 else None, setup=SETUP
    )
    net.live()
    assert net.deaths.total() >= 4
    assert_no_number_was_used_twice(net)
    assert_agreed(net.sessions)
    keys = stored_keys(net)
    assert len(keys) >= 10
    net.finish()
    assert not any(key in data for key in keys for data in everything_under(tmp_path).values())
    assert net.keeper.session.secrets.keys.secrets() == ()
    with Profile.open("mortal", tmp_path) as profile:
        assert profile.unfinished_games() == ()
        profile.game_log(net.keeper.game).close()


class Witness:
    """Notes every entry that is sent, and lets a node die before it sends an own one for the so-manyth time."""

    def __init__(self, victim: Place, seat: int) -> None:
        self.victim, self.seat = victim, seat
        self.sends_left = 0
        self.sent: dict[tuple[int, int], set[bytes]] = {}

    def hear(self, connection: Connection, signed: SignedEntry) -> None:
        if signed.entry.author == self.seat and connection in self.victim.node.connections:
            self.sends_left -= 1
            if self.sends_left == 0:
                raise CrashError
        self.sent.setdefault((signed.entry.author, signed.entry.sequence), set()).add(signed.hash)


def session_of(place: Place) -> Session:
    assert place.node.keeper is not None
    return place.node.keeper.session


@awaited
async def test_a_real_node_that_dies_before_between_and_after_its_sends_plays_on_and_uses_no_number_twice(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        *survivors, victim = party.places
        charter, port, witness = sessions[0].table.charter, survivors[0].node.port, Witness(victim, sessions[2].seat)
        with tapped(charter, witness.hear):
            playing = [asyncio.create_task(seat(place).play()) for place in survivors]
            for number in (1, 2, 3, 4, 8):
                witness.victim, witness.sends_left = victim, number
                with pytest.raises((UsageError, LobbyError), match="CrashError"):
                    await seat(victim).play()
                await die(victim)
                victim = await party.add(victim.node.name)
                rng = Drbg(f"life {number}")
                keeper = await asyncio.to_thread(Keeper.resume, victim.profile, charter.game, GROUP, rng)
                await victim.node.dial(HOST, port)
                await victim.node.resume(keeper)
            await asyncio.gather(seat(victim).play(), *playing)
        assert_agreed([*sessions[:2], session_of(victim)])
        assert all(len(hashes) == 1 for hashes in witness.sent.values())
        assert {author for author, _ in witness.sent} == {0, 1, 2}
