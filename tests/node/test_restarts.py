"""A node dies at every point of storing and sending, comes back from its disk, and the game goes on."""

import asyncio
import errno
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.gathering.pledges import Agreed, Pledge, PledgeStep, echo_of, terms_of
from p2p_sheriff.gathering.tables import Member, TableInfo
from p2p_sheriff.node.connection import Connection
from p2p_sheriff.node.events import Obstacle, Trouble
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.node.transport import connect
from p2p_sheriff.node.wire import TableTalk, to_bytes
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Seat, Setup
from p2p_sheriff.session.session import Session
from p2p_sheriff.usage import UsageError
from protocol.charter import Charter
from protocol.entry import SignedEntry
from protocol.identity import Identity
from tests.drbg import Drbg
from tests.node.mortal import (
    EVERY_DEATH,
    GROUP,
    CrashError,
    Death,
    MortalNet,
    Point,
    Step,
    WeakDisk,
    assert_no_number_was_used_twice,
)
from tests.node.nodes import HOST, QUICK, TITLE, Party, Place, seat, until
from tests.node.running import awaited
from tests.node.test_obstacles import says
from tests.node.test_runner import die
from tests.node.wiretap import tapped
from tests.table.games import SHORT_DECK, assert_agreed

SETUP = Setup(3, short=SHORT_DECK)
LAST_DEATH = 24
"""A round takes fewer entries; a bot that has forgotten its offers with every death could haggle for ever."""


@pytest.mark.parametrize("death", EVERY_DEATH, ids=lambda death: f"{death.step.name} {death.point.name}".lower())
def test_a_node_that_dies_there_at_every_entry_plays_on(tmp_path: Path, death: Death) -> None:
    number = EVERY_DEATH.index(death)

    def dies(entry: int) -> Death | None:
        if entry == 0 and death.step is Step.OLD_KEY:
            return Death(Point.AFTER_SENDS)  # Who comes back begins the next epoch: so there is an old key every time.
        return death if entry < LAST_DEATH else None

    net = MortalNet(tmp_path, number, Seat(number % 3), dies, setup=SETUP, rounds=1)
    net.has_time = death.step is not Step.NEXT_KEY
    net.live()
    assert net.deaths[death] >= (8 if death.step is Step.RECORD else 2)
    assert_no_number_was_used_twice(net)
    plays = [session.play for session in net.sessions]
    assert plays[0].state.round == 2
    assert plays[0] == plays[1] == plays[2]
    assert all(session.table.faults == {} for session in net.sessions)


def test_a_node_that_dies_at_random_points_plays_to_the_end(tmp_path: Path) -> None:
    rng = Random(4)
    net = MortalNet(
        tmp_path, 4, Seat(1), lambda _: rng.choice(EVERY_DEATH) if rng.random() < 0.15 else None, setup=SETUP
    )
    net.live()
    assert net.deaths.total() >= 4
    assert_no_number_was_used_twice(net)
    assert_agreed(net.sessions)
    net.finish()
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


@awaited
async def test_a_node_that_dies_when_it_has_revealed_and_stored_nothing_comes_back_into_the_game(
    tmp_path: Path,
) -> None:
    disk = WeakDisk()
    async with Party(tmp_path, disks={"Cleo": disk}) as party:
        await party.meet(3)
        await party.gather()
        *survivors, victim = party.places
        disk.write_error = errno.EIO
        starting = asyncio.create_task(party.start())
        await until(lambda: all(place.node.keeper is not None for place in survivors))
        await until(
            lambda: any(isinstance(event, Trouble) for event in victim.drain())
        )  # Then no thread writes any more.
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await die(victim)
        disk.write_error = None
        back = await party.add("Cleo")
        assert back.profile.unfinished_games() == ()
        party.places = [*survivors, back]
        await back.node.dial(HOST, survivors[0].node.port)
        sessions = await party.sessions()
        await party.play()
        assert_agreed(sessions)


@awaited
async def test_the_players_of_a_game_that_is_being_checked_are_no_strangers(tmp_path: Path) -> None:
    """What they send to who comes back would be more than strangers may: it hung up on them."""
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        *survivors, victim = party.places
        await die(victim)
        back, charter = await party.add("Cleo"), sessions[0].table.charter
        friends = [place.node.identity.public for place in survivors]
        assert not any(map(back.node._is_companion, friends))
        back.node.expect(back.profile.charter(charter.game))
        assert all(map(back.node._is_companion, friends))
        back.node.expect(None)
        assert not any(map(back.node._is_companion, friends))
        assert back.profile.charter(bytes(32)) is None


@awaited
async def test_a_stranger_brings_nobody_into_a_game_that_they_have_not_agreed_to(tmp_path: Path) -> None:
    """As for somebody who was down when it began: but all signatures are the stranger's."""
    eve, accomplice = Identity.generate(Drbg("eve")), Identity.generate(Drbg("accomplice"))
    async with Party(tmp_path) as party:
        anna = await party.add("Anna")
        keys = (eve.public, anna.node.identity.public, accomplice.public)
        members = tuple(Member(key, f"Nobody {seat}", "", 4000) for seat, key in enumerate(keys))
        proposal = TableInfo(bytes(16), TITLE, SETUP, eve.public, members).proposal()
        nonces = tuple(bytes([seat]) * 32 for seat in range(3))
        commitments = tuple(proposal.commit_nonce(seat, nonce) for seat, nonce in enumerate(nonces))
        terms, echo = terms_of(proposal), echo_of(commitments)

        def signed(seat: int, step: PledgeStep, value: bytes) -> bytes:
            return Pledge.sign(eve, bytes(16), 0, terms, seat, step, value).signature

        echoes = tuple(signed(seat, PledgeStep.ECHO, echo) for seat in range(3))
        reveals = tuple(signed(seat, PledgeStep.REVEAL, nonce) for seat, nonce in enumerate(nonces))
        agreed = Agreed(bytes(16), 0, Charter(proposal, nonces), commitments, echoes, reveals)
        connection = await connect(eve, "Eve", QUICK, HOST, anna.node.port)
        await connection.send(to_bytes(TableTalk(agreed)))
        async for _ in connection:
            pass
        assert connection.ended is not None
        assert "not a signature of this key" in connection.ended.detail
        assert anna.node.keeper is None
        assert anna.profile.unfinished_games() == ()


@awaited
async def test_a_player_who_comes_back_with_an_old_copy_is_told_that_it_rests_on_the_words_of_others(
    tmp_path: Path,
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        *survivors, victim = party.places
        await until(lambda: any(session.choice() is not None for session in sessions))
        log = victim.profile.folder / "games" / f"{sessions[0].table.charter.game.hex()}.log"
        backup = b""
        for words in ("one", "two"):
            backup = await asyncio.to_thread(log.read_bytes)
            await victim.node.do(says(words))
        number = len(sessions[2].table.transcript.chains[2])
        await until(lambda: all(len(one.table.transcript.chains[2]) == number for one in sessions[:2]))
        await die(victim)
        await asyncio.to_thread(log.write_bytes, backup)
        back = await party.add("Cleo")
        game = sessions[0].table.charter.game
        keeper = await asyncio.to_thread(Keeper.resume, back.profile, game, GROUP, Drbg("back"))
        await back.node.dial(HOST, survivors[0].node.port)
        await back.node.resume(keeper)
        warned = Obstacle(Phrase("troubles.old_copy", n=1))
        await until(lambda: warned in back.drain())
