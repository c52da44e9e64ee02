"""A person with a screen at a real node: a whole game by keys against bots, and what the others never see."""

import asyncio
import io
import re
from collections.abc import Callable
from pathlib import Path

import pyte
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.person import farewell
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
        self.farewell: dict[bool, list[str]] = {}
        """What is printed when they have gone, whether or not a screen was there."""

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
                self.farewell = {shown: farewell(driver, Words(), on_screen=shown) for shown in (True, False)}
                return driver.last_word
            finally:
                typing.cancel()

    async def begin(self) -> None:
        """Waits for the words that are compared, and goes on to the table."""
        await until(lambda: "Are the words the same" in self.eyes.text)
        self.keys.put_nowait("enter")
        await until(lambda: "Round 1 of 9" in self.eyes.text)

    async def press_until(self, key: str, words: str) -> None:
        """Presses a key until something is on the screen: what is new takes none for a moment."""
        while words not in self.eyes.text:
            self.keys.put_nowait(key)
            await asyncio.sleep(0.2)


async def _type(keys: "asyncio.Queue[str]", send: Callable[[str], None]) -> None:
    while True:
        key = await keys.get()
        send(KEYS.get(key, key))


def answer(text: str) -> list[str]:
    """Returns the first keys that answer what is asked."""
    if "Enter goes on" in text:
        return ["space"]
    if "Load your bag" in text:
        return ["1", "2", "enter"]
    if "inspect a bag, let it pass" in text:
        return ["p", "enter"]
    if "give goods worth" in text:
        return ["right", "enter", "down"]
    if "wins with" in text or "share the win" in text:
        return []
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
        while "The transcript" not in (text := person.eyes.text) or "Enter goes on" in text:
            for key in answer(person.eyes.text):
                keys.put_nowait(key)
                await asyncio.sleep(0.02)
            await asyncio.sleep(0.03)
        assert re.search("wins with|share the win", person.eyes.text)
        keys.put_nowait("space")
        await bots
        while not playing.done():
            keys.put_nowait("q")
            keys.put_nowait("enter")  # If it asks: somebody has not yet signed.
            await asyncio.sleep(0.1)
        last_word = await playing
        assert "The transcript is in" in last_word
        *score, transcript, next_ = person.farewell[True]
        assert {line.partition(":")[0] for line in score[:3]} == {place.node.name for place in party.places}
        assert transcript == last_word
        assert re.search(r"replay 1.*play.*begins another", next_)
        assert person.farewell[False] == [next_]


@awaited
async def test_who_leaves_has_not_ended_the_game_and_can_come_back(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person = Person(party)
        playing = asyncio.ensure_future(person.play())
        await person.begin()
        await person.press_until("q", "Leave the table?")
        person.keys.put_nowait("enter")
        assert "You left the table for now" in await playing
        assert person.farewell == {True: [await playing], False: []}
        assert not sessions[0].play.is_over


@awaited
async def test_who_finds_that_the_words_differ_leaves_with_one_key_before_anything_is_played(tmp_path: Path) -> None:
    async with Party(tmp_path) as party:
        await party.meet(3)
        sessions = await party.begin()
        person = Person(party)
        playing = asyncio.ensure_future(person.play())
        await until(lambda: "they differ: leave" in person.eyes.text)
        person.keys.put_nowait("d")
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
        await person.press_until("t", "Ready phrases")
        for key in ("down", "enter"):
            keys.put_nowait(key)
        await until(lambda: "Trust me!" in person.eyes.text and "Ready phrases" not in person.eyes.text)
        await person.press_until("q", "Leave the table?")
        keys.put_nowait("enter")
        await playing
