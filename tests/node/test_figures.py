"""What checks and proofs took: one figure for each turn."""

from pathlib import Path

from p2p_sheriff.lab.simnet import open_table
from p2p_sheriff.node.events import Checked, Wrote
from p2p_sheriff.node.figures import Figures, acts_of
from p2p_sheriff.rules import Setup
from protocol.group import Edwards25519
from tests.drbg import Drbg
from tests.node.nodes import Party, until
from tests.node.running import SECONDS, awaited
from tests.node.test_obstacles import told
from tests.node.test_watch import visitor, watch
from tests.table.games import SHORT_DECK

SETUP = Setup(3, short=SHORT_DECK)


class Clock:
    """A second passes at each look."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_own_turns_are_written_and_those_of_others_checked_when_they_count() -> None:
    first, second, _ = open_table(SETUP, Edwards25519(), Drbg("figures"))
    while not first.table.may_write:
        second.advance()
        first.receive(second.outbox.pop(0))
    own, others = Figures(first.table, Clock()), Figures(second.table, Clock())
    with own.timed(writes=True):
        first.say("a word is no turn")
    assert own.take() == []
    with own.timed(writes=True):
        assert first.advance()
    (signed,) = (one for one in first.table.transcript.chains[0] if one.entry.step is not None)
    assert own.take() == [Wrote(signed.entry.author, acts_of(signed.entry), len(signed.body), 1.0)]
    assert own.take() == []
    for data in first.outbox:
        with others.timed(writes=False):
            second.receive(data)
    assert others.take() == [Checked(0, acts_of(signed.entry), len(signed.body), 1.0)]


@awaited
async def test_players_and_onlookers_are_told_what_every_turn_took(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        guest = await visitor(party)
        spectator = await watch(guest)
        await party.play()
        for place in party.places:
            assert await place.node.settle(SECONDS)
        chains = sessions[0].table.transcript.chains
        turns = [[one for one in chain if one.entry.step is not None] for chain in chains]
        for seat, place in enumerate(party.places):
            own = [(wrote.what, wrote.size) for wrote in told(place, Wrote)]
            assert own == [(acts_of(one.entry), len(one.body)) for one in turns[seat]]
            checked = told(place, Checked)
            for other in {0, 1, 2} - {seat}:
                sizes = [(one.what, one.size) for one in checked if one.seat == other]
                assert sizes == [(acts_of(one.entry), len(one.body)) for one in turns[other]]
            assert {one.seat for one in checked} == {0, 1, 2} - {seat}
            assert all(one.seconds > 0 for one in checked)
            assert ("shuffles",) in {one.what for one in checked}
        await until(lambda: spectator.play.is_over)
        assert len(told(guest, Checked)) == sum(map(len, turns))
        assert told(guest, Wrote) == []
