"""An onlooker whom a liar has shown another beginning of the game sees the one that all others see, to its end."""

import asyncio
from pathlib import Path

import pytest

from p2p_sheriff.node.wire import EntryOf, GameInfo, to_bytes
from p2p_sheriff.rules import Setup
from p2p_sheriff.session.acts import FREE, Says
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session
from protocol.entry import Entry, Head, SignedEntry
from protocol.faults import FaultCode
from tests.node.nodes import HOST, TITLE, Party, Place, seat, until
from tests.node.running import awaited
from tests.node.test_watch import stranger
from tests.table.departures import SHORT

FOUR = Setup(4, short=SHORT)
LIAR = 1


async def deceived(party: Party, sessions: list[Session]) -> Place:
    """Adds an onlooker who was shown a first entry of one seat that the players have never seen."""
    guest = await party.add("Wanda")
    party.places.remove(guest)
    charter = sessions[0].table.charter
    spectator = await guest.node.watch(GameInfo(TITLE, charter))
    nothing = tuple(Head(0, charter.game) for _ in charter.players)
    identity = party.places[LIAR].node.identity
    forged = SignedEntry.sign(identity, Entry(charter.game, LIAR, nothing, None, FREE.write(Says("hello"))))
    bearer = await stranger(guest)
    await bearer.send(to_bytes(EntryOf(charter.game, forged.to_bytes())))
    await until(lambda: spectator.table.transcript.chains[LIAR] == [forged])
    await bearer.close("enough")
    return guest


def sees_the_end(guest: Place) -> bool:
    assert guest.node.is_running, "the node has broken down"
    return guest.node.watched is not None and guest.node.watched.spectator.play.is_over


def assert_saw_the_end(guest: Place, sessions: list[Session]) -> None:
    """Asserts that an onlooker has the game of the honest players, and knows who has lied."""
    assert guest.node.watched is not None
    table = guest.node.watched.spectator.table
    assert [session.play == table.game for session in sessions if session.seat != LIAR] == [True, True, True]
    assert record_of(table) == record_of(sessions[0].table)
    assert {number: fault.code for number, fault in table.faults.items()} == {LIAR: FaultCode.EQUIVOCATION}


@awaited
@pytest.mark.parametrize("moment", [0, 100])
async def test_an_onlooker_who_was_shown_a_forged_first_entry_sees_the_liar_put_out_and_the_end_of_the_game(
    tmp_path: Path, moment: int
) -> None:
    async with Party(tmp_path) as party:
        await party.meet(4)
        sessions = await party.begin(FOUR)
        guest = await deceived(party, sessions)
        honest = [place for place in party.places if place is not party.places[LIAR]]
        lying = asyncio.create_task(seat(party.places[LIAR]).play())
        playing = asyncio.gather(*(seat(place).play() for place in honest))
        await until(lambda: sum(map(len, sessions[0].table.transcript.chains)) >= moment)
        await guest.node.dial(HOST, honest[0].node.port)
        await playing
        lying.cancel()
        await asyncio.gather(lying, return_exceptions=True)
        await until(lambda: sees_the_end(guest))
        assert_saw_the_end(guest, sessions)
        assert LIAR not in sessions[0].table.seats


@awaited
async def test_an_onlooker_who_was_shown_a_forged_first_entry_and_comes_when_all_is_over_sees_the_end_of_the_game(
    tmp_path: Path,
) -> None:
    """In a decided game nobody votes, so no certificate tells what counts of the liar."""
    async with Party(tmp_path) as party:
        await party.meet(4)
        sessions = await party.begin(FOUR)
        guest = await deceived(party, sessions)
        await party.play()
        await guest.node.dial(HOST, party.places[0].node.port)
        await until(lambda: sees_the_end(guest))
        assert_saw_the_end(guest, sessions)
