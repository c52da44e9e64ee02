"""Leaving, waiting and going on without somebody, in lines of text."""

import time
from dataclasses import replace

import pytest

from p2p_sheriff.fronts.lines.linefront import LineFront
from p2p_sheriff.fronts.lines.understanding import NotUnderstood, understand
from p2p_sheriff.rules import Knowledge, View
from p2p_sheriff.seat.intents import Autopilot, GoOnWithout, Intent, LeaveForGood, LeaveGame, WaitOn
from p2p_sheriff.seat.picture import Ground, Missed, Picture
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import LANGUAGES, Texts
from tests.fronts.lines.test_linefront import Screen, Typist
from tests.fronts.virtual_time import run
from tests.rules.notation import ANN, BEN, CAT, DAN
from tests.rules.situations import at_inspection

NAMES = ("Ann", "Ben", "Cat", "Dan")
STATE = at_inspection({}).state
VIEW = View(STATE, Knowledge(BEN, dict.fromkeys(STATE.hidden_of(BEN), "apples")))
PICTURE = Picture(NAMES, Words(), VIEW, VIEW.state, game=b"a game", signed=False, rematch=True)
AWAY = replace(PICTURE, missed={DAN: Missed(Ground.ABSENT, 60.0)})


class Seat:
    """A person with lines of text, whose clock a test turns."""

    def __init__(self, picture: Picture = PICTURE) -> None:
        self.typist, self.screen, self.now = Typist(), Screen(), 0.0
        self.front = LineFront(self.typist, picture.words.texts, self.screen.lines.append, clock=lambda: self.now)
        self.front.show(picture)

    async def types(self, *lines: str) -> Intent | None:
        for line in lines:
            self.typist.lines.put_nowait(line)
        return await self.front.wish()

    async def sees(self, picture: Picture, now: float) -> list[str]:
        """Returns what is said when that is to be seen, at that time."""
        said, self.now = len(self.screen.lines), now
        self.front.show(picture)
        await self.types("table", "quit")
        return self.screen.lines[said:]


@pytest.mark.parametrize("line", ["without dan", "without Dan and cat"])
def test_without_names_whom_to_go_on_without(line: str) -> None:
    seats = (CAT, DAN) if "cat" in line else (DAN,)
    assert understand(VIEW, NAMES, None, line) == GoOnWithout(seats)


def test_without_nobody_asks_who_is_meant() -> None:
    with pytest.raises(NotUnderstood, match="Who is meant"):
        understand(VIEW, NAMES, None, "without")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_are_there_in_every_language(language: str) -> None:
    texts = Texts.of(language)
    for verb, wanted in (("without", GoOnWithout((DAN,))), ("wait", WaitOn()), ("autopilot", Autopilot(is_on=True))):
        for word in texts.words(f"verbs.{verb}"):
            assert understand(VIEW, NAMES, None, f"{word} dan", texts) == wanted


def test_the_countdown_is_said_and_then_what_can_be_typed() -> None:
    async def sit() -> tuple[list[str], list[str], list[str]]:
        seat = Seat()
        return await seat.sees(AWAY, 1.0), await seat.sees(AWAY, 31.0), await seat.sees(AWAY, 61.0)

    early, soon, now = run(sit())
    assert not any("Dan is not here" in line for line in early)
    assert "Dan is not here. In 0:29 the game may go on without Dan." in soon
    assert "Dan is not here. The game may go on without Dan, or wait." in now
    assert "Type: without Dan; or: wait." in now


def test_what_others_vote_is_said_with_whose_vote_is_missing_and_only_once() -> None:
    async def sit() -> tuple[list[str], list[str]]:
        seat, picture = Seat(), replace(AWAY, votes={ANN: (DAN,)})
        return await seat.sees(picture, 61.0), await seat.sees(picture, 62.0)

    first, again = run(sit())
    assert any("To go on without Dan: Ann. Still to vote: Ben and Cat." in line for line in first)
    assert not any("Still to vote" in line for line in again)


def test_leaving_for_good_is_asked_for_twice_and_quitting_is_for_now() -> None:
    async def sit() -> tuple[Intent | None, ...]:
        return await Seat().types("leave", "yes"), await Seat().types("leave", "no", "quit")

    assert run(sit()) == (LeaveForGood(), LeaveGame())


def test_on_autopilot_anything_typed_takes_over_and_does_nothing_else() -> None:
    async def sit() -> tuple[Intent | None, Intent | None]:
        seat = Seat(replace(PICTURE, autopilot=True))
        return await seat.types("quit"), await Seat().types("autopilot")

    assert run(sit()) == (Autopilot(is_on=False), Autopilot(is_on=True))


def test_an_onlooker_leaves_when_all_players_have_been_gone_for_a_minute_and_not_while_one_is_there() -> None:
    since = time.time() - 61
    one_is_there = Picture(NAMES, Words(), told=STATE, game=b"a game", away=dict.fromkeys((ANN, BEN, CAT), since))
    seat = Seat(one_is_there)
    assert run(seat.types("quit")) == LeaveGame()
    assert not any("have been gone" in line for line in seat.screen.lines)
    seat.front.show(replace(one_is_there, away=dict.fromkeys((ANN, BEN, CAT, DAN), since)))
    assert run(seat.types()) == LeaveGame()
    assert "All players have been gone for a minute" in seat.screen.lines[-1]
