"""A person with a screen at a real node: a whole game by keys against bots, and what the others never see."""

import asyncio
import io
from collections.abc import Callable
from pathlib import Path

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.commands.screenseat import ScreenSeat
from p2p_sheriff.rules import new_game
from p2p_sheriff.session.session import Session
from tests.fronts.tui.terminal import KEYS
from tests.node.nodes import SETUP, Party, seat, until
from tests.node.running import awaited

ENVIRONMENT = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


class Eyes(io.StringIO):
    """A terminal's screen as a stream that can be looked at."""

    def __init__(self) -> None:
        super().__init__()
        self._screen = pyte.Screen(80, 24)
        self._stream = pyte.Stream(self._screen)

    def write(self, text: str) -> int:
        self._stream.feed(text)
        return len(text)

    @property
    def text(self) -> str:
        return "\n".join(self._screen.display)


class Person:
    """Sits at the first node, looks, and presses keys."""

    def __init__(self, party: Party, session: Session) -> None:
        self.eyes = Eyes()
        self._node, self._session = party.places[0].node, session

    async def play(self, keys: "asyncio.Queue[str]") -> bool:
        with create_pipe_input() as pipe:
            screen = ScreenSeat(
                self._node,
                self._session,
                new_game(SETUP),
                environment=ENVIRONMENT,
                at_the_end=_transcript,
                terminal_input=pipe,
                terminal_output=Vt100_Output(self.eyes, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False),
            )
            typing = asyncio.ensure_future(_type(keys, pipe.send_text))
            try:
                return await screen.play()
            finally:
                typing.cancel()


async def _transcript() -> tuple[str, ...]:
    return ("The transcript is kept.",)


async def _type(keys: "asyncio.Queue[str]", send: Callable[[str], None]) -> None:
    while True:
        key = await keys.get()
        send(KEYS.get(key, key))


def answer(text: str) -> list[str]:
    """Returns the first keys that answer what is asked."""
    if "any key goes on" in text:
        return ["space"]
    if "Load your bag" in text:
        return ["1", "2", "enter"]
    if "inspect a bag, let it pass" in text:
        return ["p", "enter"]
    if "give goods worth" in text:
        return ["right", "enter", "down"]
    return [] if "On its way" in text or "Waiting for" in text else ["enter"]


@awaited
async def test_a_person_plays_a_whole_game_with_keys(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person, keys = Person(party, sessions[0]), asyncio.Queue[str]()
        bots = asyncio.gather(*(seat(place).play() for place in party.places[1:]))
        playing = asyncio.ensure_future(person.play(keys))
        await until(lambda: "Round 1 of 9" in person.eyes.text)
        while "The transcript is kept" not in person.eyes.text:
            for key in answer(person.eyes.text):
                keys.put_nowait(key)
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.03)
        assert "wins with" in person.eyes.text
        keys.put_nowait("space")
        await bots
        while not playing.done():
            keys.put_nowait("enter")
            await asyncio.sleep(0.1)
        assert await playing


@awaited
async def test_who_leaves_has_not_ended_the_game_and_can_come_back(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person, keys = Person(party, sessions[0]), asyncio.Queue[str]()
        playing = asyncio.ensure_future(person.play(keys))
        await until(lambda: "Round 1 of 9" in person.eyes.text)
        keys.put_nowait("q")
        await until(lambda: "Leave the table?" in person.eyes.text)
        keys.put_nowait("enter")
        assert not await playing
        assert not sessions[0].play.is_over


@awaited
async def test_what_is_said_is_on_everybody_s_screen(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person, keys = Person(party, sessions[0]), asyncio.Queue[str]()
        playing = asyncio.ensure_future(person.play(keys))
        await until(lambda: "Round 1 of 9" in person.eyes.text)
        await party.places[1].node.do(lambda session: session.say("good evening"))
        await until(lambda: "good evening" in person.eyes.text)
        for key in ("t", "1"):
            keys.put_nowait(key)
        await until(lambda: "Trust me!" in person.eyes.text and "Quick phrases" not in person.eyes.text)
        for key in ("q", "enter"):
            keys.put_nowait(key)
        await playing
