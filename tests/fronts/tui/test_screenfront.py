"""A person with a screen at a real node: a whole game by keys against bots, and what the others never see."""

import asyncio
import io
from collections.abc import Callable
from pathlib import Path

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.tui.screenfront import ScreenFront
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.words import Words
from tests.fronts.tui.terminal import KEYS
from tests.node.nodes import Party, seat, until
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

    def __init__(self, party: Party) -> None:
        self.eyes, self.keys, self._place = Eyes(), asyncio.Queue[str](), party.places[0]

    async def play(self) -> str:
        """Returns the last word."""
        with create_pipe_input() as pipe:
            front = ScreenFront(
                Words(),
                environment=ENVIRONMENT,
                terminal_input=pipe,
                terminal_output=Vt100_Output(self.eyes, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False),
            )
            typing = asyncio.ensure_future(_type(self.keys, pipe.send_text))
            try:
                async with front:
                    driver = Driver(self._place.node, self._place.profile, front, Words(), settle_seconds=1)
                    await driver.run()
                return driver.last_word
            finally:
                typing.cancel()

    async def begin(self) -> None:
        """Waits for the words that are compared, and goes on to the table."""
        await until(lambda: "Are the words the same" in self.eyes.text)
        self.keys.put_nowait("enter")
        await until(lambda: "Round 1 of 9" in self.eyes.text)


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
    if "wins with" in text or "share the win" in text:
        return []  # Who presses Enter there leaves, and sees nothing more.
    return [] if "On its way" in text or "Waiting for" in text else ["enter"]


@awaited
async def test_a_person_plays_a_whole_game_with_keys(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.begin()
        person = Person(party)
        keys = person.keys
        bots = asyncio.gather(*(seat(place).play() for place in party.places[1:]))
        playing = asyncio.ensure_future(person.play())
        await person.begin()
        while "The transcript" not in person.eyes.text:
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
        assert "The transcript is in" in await playing


@awaited
async def test_who_leaves_has_not_ended_the_game_and_can_come_back(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person = Person(party)
        keys = person.keys
        playing = asyncio.ensure_future(person.play())
        await person.begin()
        keys.put_nowait("q")
        await until(lambda: "Leave the table?" in person.eyes.text)
        keys.put_nowait("enter")
        assert "You left the table for now" in await playing
        assert not sessions[0].play.is_over


@awaited
async def test_what_is_said_is_on_everybody_s_screen(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        await party.begin()
        person = Person(party)
        keys = person.keys
        playing = asyncio.ensure_future(person.play())
        await person.begin()
        await party.places[1].node.do(lambda session: session.say("good evening"))
        await until(lambda: "good evening" in person.eyes.text)
        for key in ("t", "1"):
            keys.put_nowait(key)
        await until(lambda: "Trust me!" in person.eyes.text and "Quick phrases" not in person.eyes.text)
        for key in ("q", "enter"):
            keys.put_nowait(key)
        await playing
