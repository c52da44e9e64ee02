"""The game goes on without who leaves: real nodes, drivers and fronts in memory."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from p2p_sheriff.audit import Valid, as_text, audit
from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.fronts.botfront import BotFront
from p2p_sheriff.node.wire import EntryOf
from p2p_sheriff.rules import Choice, Ending, Seat, Setup, outcome
from p2p_sheriff.rules.setup import MINUTE
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.intents import Autopilot, GoOnWithout, Intent, LeaveForGood, Say, WaitOn
from p2p_sheriff.seat.parting import Grace, told
from p2p_sheriff.seat.picture import LogLine, Notice, Picture
from p2p_sheriff.seat.settings import Tempo
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.words import Words
from protocol.entry import Entry, SignedEntry
from protocol.group import Edwards25519
from tests.node.nodes import Party, Place, until
from tests.node.running import awaited
from tests.seat.memory import MemoryFront
from tests.table.departures import SHORT

FOUR = Setup(4, short=SHORT)
AT_ONCE = Grace(0.0, 600.0)
LATE = Grace(600.0, 600.0)


class Person(MemoryFront):
    """Plays as simply as can be, unless told to sit still, and wants what a test says."""

    def __init__(self) -> None:
        super().__init__()
        self.stops_at: Choice | None = None
        """What is not answered."""
        self._wanted: list[Intent] = []

    def wants(self, *intents: Intent) -> None:
        self._wanted += intents
        self._changed.set()

    def _next(self, scene: Scene) -> Intent | None:
        if self._wanted:
            return self._wanted.pop(0)
        if isinstance(scene, Picture) and (scene.autopilot or scene.choice is self.stops_at is not None):
            return None
        return super()._next(scene)

    @property
    def picture(self) -> Picture:
        scene = self.scenes[-1] if self.scenes else None
        return scene if isinstance(scene, Picture) else Picture((), Words())

    @property
    def log(self) -> list[str]:
        return [one.text for one in self.news if isinstance(one, LogLine)]


@dataclass
class Seated:
    """A player at a node."""

    place: Place
    seat: Seat
    front: Person
    running: asyncio.Task[object]

    @property
    def transcript(self) -> Path:
        return next((self.place.profile.folder / "games").glob("*.sheriff"))


def pilot() -> BotFront:
    return BotFront(lambda seat: make_bot(STYLES[0], seat, Random(1)), Tempo(0.02, 0))


@asynccontextmanager
async def table(
    folder: Path, setup: Setup = FOUR, grace: Grace = LATE, bots: int = 0, minute: float = MINUTE, fast: int = 6
) -> AsyncIterator[tuple[Party, list[Seated]]]:
    """Yields people, and bots behind them, whose game has begun; so many of them have minutes of another length."""
    async with Party(folder) as party:
        await party.meet(setup.players)
        sessions = await party.begin(setup)
        crowd = []
        for number, (place, session) in enumerate(zip(party.places, sessions, strict=True)):
            front, is_bot = Person(), number >= setup.players - bots
            driver = Driver(
                place.node,
                place.profile,
                _Both(front) if is_bot else front,
                Words(),
                audits=False,
                settle_seconds=5,
                grace=grace,
                minute=minute if number < fast else MINUTE,
                is_bot=is_bot,
                pilot=None if is_bot else pilot,
            )
            crowd.append(Seated(place, session.seat, front, asyncio.ensure_future(driver.run())))
        try:
            yield party, crowd
        finally:
            for one in crowd:
                one.running.cancel()
            await asyncio.gather(*(one.running for one in crowd), return_exceptions=True)


class _Both:
    """A bot that plays, and somebody who keeps what it is shown."""

    def __init__(self, person: Person) -> None:
        self._bot, self._person = pilot(), person

    def show(self, *shown: object) -> None:
        self._person.show(*shown)  # type: ignore[arg-type]
        self._bot.show(*shown)  # type: ignore[arg-type]

    async def wish(self) -> Intent | None:
        return await self._bot.wish()


async def ended(crowd: list[Seated]) -> None:
    """Waits until these have kept the transcript; it is the same, and its audit passes."""
    await until(lambda: all(one.front.picture.ending for one in crowd))
    records = {one.transcript.read_bytes() for one in crowd}
    assert len(records) == 1
    assert isinstance(audit(records.pop(), Edwards25519()).verdict, Valid)


def is_out(seat: Seat, *crowd: Seated) -> Callable[[], bool]:
    return lambda: all((told := one.front.picture.told) is not None and told[seat].out for one in crowd)


def is_asked(one: Seated, choice: Choice) -> Callable[[], bool]:
    """That player is asked this, and does not answer."""
    one.front.stops_at = choice
    return lambda: one.front.picture.choice is choice


@asynccontextmanager
async def one_is_asked(
    folder: Path, setup: Setup = FOUR, grace: Grace = LATE
) -> AsyncIterator[tuple[Seated, list[Seated]]]:
    """Yields who is asked to load a bag, and does not, and the others."""
    async with table(folder, setup, grace) as (_, (first, *others)):
        await until(is_asked(first, Choice.LOAD))
        yield first, others


@pytest.mark.slow
@awaited
async def test_who_leaves_for_good_is_voted_out_at_once_and_the_others_play_to_the_end(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path) as (leaver, others):
        name = leaver.place.node.name
        leaver.front.wants(LeaveForGood())
        await leaver.running
        await until(is_out(leaver.seat, *others))
        assert leaver.place.profile.unfinished_games() == ()
        for one in others:
            assert f"{name} leaves the game for good." in one.front.log
        await ended(others)


@pytest.mark.slow
@awaited
async def test_of_one_who_is_gone_the_players_say_wait_or_go_on_and_all_see_who_has_voted(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path, grace=AT_ONCE) as (victim, (ann, *others)):
        gone = victim.seat
        await victim.place.node.kill()
        await until(lambda: all(gone in one.front.picture.away for one in (ann, *others)))
        ann.front.wants(GoOnWithout((gone,)))
        await until(lambda: all(one.front.picture.votes == {ann.seat: (gone,)} for one in others))
        assert any("Still to vote: " in line for line in told(others[0].front.picture, 0.0))
        others[0].front.wants(WaitOn())
        await until(lambda: ann.front.picture.votes.get(others[0].seat) == ())
        for one in others:
            one.front.wants(GoOnWithout((gone,)))
        await until(is_out(gone, ann, *others))
        await ended([ann, *others])


@pytest.mark.slow
@awaited
async def test_who_is_voted_out_is_told_once_looks_on_and_keeps_the_transcript(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path) as (victim, others):
        await victim.place.node.do(lambda session: session.depart())
        await until(is_out(victim.seat, *others))
        await until(lambda: victim.front.picture.is_out)
        await ended(others)
        told = [line for line in victim.front.log if line.startswith("The others have gone on without you.")]
        assert len(told) == 1
        await until(lambda: bool(victim.front.picture.ending))
        # It is kept when the game is decided, and again when the last signature has come.
        await until(lambda: victim.transcript.read_bytes() == others[0].transcript.read_bytes())


@pytest.mark.slow
@awaited
async def test_bots_alone_vote_a_killed_one_out_by_themselves_and_finish(tmp_path: Path) -> None:
    async with table(tmp_path, grace=Grace(0.5, 600.0), bots=4) as (_, crowd):
        victim, *others = crowd
        await until(lambda: (told := victim.front.picture.told) is not None and told.round == 1)
        await victim.place.node.kill()
        await until(is_out(victim.seat, *others))
        await ended(others)


@pytest.mark.slow
@awaited
async def test_a_player_who_is_there_and_named_refuses_and_all_play_on_together(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path, grace=Grace(600.0, 0.0)) as (slow, (ann, *others)):
        await until(lambda: slow.seat in ann.front.picture.missed)
        ann.front.wants(GoOnWithout((slow.seat,)))
        await until(lambda: "All have voted to go on together." in others[0].front.log)
        assert f"{ann.place.node.name} votes to go on without {slow.place.node.name}." in slow.front.log
        assert f"{slow.place.node.name} votes to wait for everybody." in ann.front.log
        slow.front.stops_at = None
        slow.front.wants(Say("here I am"))
        await ended([slow, ann, *others])


@pytest.mark.slow
@awaited
async def test_who_is_idle_when_others_want_to_go_on_has_a_bot_play_until_they_do_something(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path, grace=Grace(600.0, 0.0)) as (slow, (ann, *others)):
        await until(lambda: slow.seat in ann.front.picture.missed)
        ann.front.wants(GoOnWithout((slow.seat,)))
        await until(lambda: slow.front.picture.autopilot and all(slow.seat in one.front.picture.bots for one in others))
        assert any(isinstance(one, Notice) and "a bot plays for you" in one.text for one in slow.front.news)
        await until(lambda: others[0].front.picture.round > 1)
        slow.front.stops_at = None
        slow.front.wants(Say("here I am"))
        await until(lambda: all(slow.seat not in one.front.picture.bots for one in others))
        await ended([slow, ann, *others])


@pytest.mark.slow
@awaited
async def test_a_bot_plays_for_who_must_go_until_they_want_something_and_all_are_told(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path) as (busy, others):
        busy.front.wants(Autopilot(True))
        await until(lambda: busy.front.picture.autopilot and busy.front.picture.round > 2)
        for one in others:
            assert busy.seat in one.front.picture.bots
        busy.front.wants(Autopilot(False))
        await until(lambda: all(busy.seat not in one.front.picture.bots for one in (busy, *others)))
        assert not busy.front.picture.autopilot
        assert f"{busy.place.node.name} plays again." in others[0].front.log
        busy.front.wants(Autopilot(True))
        await ended([busy, *others])
        assert not busy.front.picture.autopilot


@pytest.mark.slow
@awaited
async def test_with_fewer_than_three_left_the_game_is_abandoned_with_scores_and_without_a_winner(
    tmp_path: Path,
) -> None:
    async with one_is_asked(tmp_path, Setup(3, short=SHORT)) as (leaver, others):
        leaver.front.wants(LeaveForGood())
        await ended(others)
        state = others[0].front.picture.told
        assert state is not None
        result = outcome(state)
        assert result.ending is Ending.ABANDONED
        assert result.winners == ()
        assert sorted(score.seat for score in result.scores) == sorted(state.seats)
        sheet = others[0].front.picture.narrator.score_sheet(result)
        assert sheet[-2:] == ["Anna left before the end.", "The game was abandoned: nobody wins."]
        checked = as_text(audit(others[0].transcript.read_bytes(), Edwards25519()))
        assert "Left before the end: seat 0 (Anna)." in checked
        assert "The game was abandoned: nobody wins." in checked


@pytest.mark.slow
@awaited
async def test_who_provably_cheats_is_voted_out_at_once_and_named_with_the_proof(tmp_path: Path) -> None:
    async with one_is_asked(tmp_path) as (cheat, others):
        node, gone = cheat.place.node, cheat.seat
        assert node.keeper is not None
        session = node.keeper.session
        lie = Entry(node.keeper.game, gone, session.table.transcript.heads, session.table.step, ("nonsense",))
        data = SignedEntry.sign(node.identity, lie).to_bytes()
        for other in others:
            await node._mesh.tell(other.place.node.identity.public, EntryOf(node.keeper.game, data))
        await until(is_out(gone, *others))
        for one in others:
            assert any(line.startswith(f"{node.name} broke the protocol: ") for line in one.front.log)
            assert any(isinstance(told, Notice) and "What proves it is in " in told.text for told in one.front.news)
        await ended(others)
