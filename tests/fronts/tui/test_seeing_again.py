"""A past game is opened in the lobby: it is checked in a thread of its own, and then shown over the lobby."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input.defaults import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.tui.screenfront import ScreenFront
from p2p_sheriff.seat.film import Film
from p2p_sheriff.seat.words import Words
from tests.fronts.tui.films import played
from tests.fronts.tui.halls import OWN, PAST
from tests.fronts.tui.test_screenfront import ENVIRONMENT, Eyes
from tests.node.nodes import until
from tests.node.running import awaited


class Lobby:
    """A lobby with past games, a keyboard, and a check that lasts until it is released."""

    def __init__(self, film: Film | None) -> None:
        self.eyes, self.checked, self._film, self._released = Eyes(), list[Path](), film, threading.Event()
        self.front: ScreenFront
        self.press: Callable[[str], None]

    def develop(self, transcript: Path) -> Film | None:
        self.checked.append(transcript)
        assert self._released.wait(60)
        return self._film

    def release(self) -> None:
        self._released.set()

    async def sees(self, words: str) -> None:
        await until(lambda: words in self.eyes.text)


@asynccontextmanager
async def lobby(film: Film | None) -> AsyncIterator[Lobby]:
    here = Lobby(film)
    with create_pipe_input() as pipe:
        output = Vt100_Output(here.eyes, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False)
        here.front = ScreenFront(
            Words(), develop=here.develop, environment=ENVIRONMENT, terminal_input=pipe, terminal_output=output
        )
        here.press = pipe.send_text
        async with here.front:
            here.front.show(PAST)
            await here.sees("past games")
            try:
                yield here
            finally:
                here.release()


@awaited
async def test_while_a_game_is_checked_that_is_said_and_then_it_is_shown_over_the_lobby_until_it_is_left() -> None:
    async with lobby(played().film()) as here:
        here.press("h")
        await here.sees("Which one do you want to see again?")
        here.press("\r")
        await here.sees("One moment")
        here.press("h\r")  # One at a time.
        here.release()
        await here.sees("all of it holds")
        assert here.checked == [PAST.past[0].path]
        here.press("q")
        await here.sees("On this network")
        assert "One moment" not in here.eyes.text


@awaited
async def test_of_a_transcript_that_does_not_hold_it_is_said_who_tells_more() -> None:
    async with lobby(None) as here:
        here.release()
        here.press("h\r")
        await here.sees("That transcript does not hold: `p2p-sheriff audit` says what is wrong with it.")


@awaited
async def test_who_sits_at_a_table_before_the_game_is_checked_stays_there() -> None:
    async with lobby(played().film()) as here:
        here.press("h\r")
        await here.sees("One moment")
        here.front.show(OWN)
        here.release()
        await here.sees("Seats: 3 of 5 taken")
        await asyncio.sleep(0.5)
        assert "Seats: 3 of 5 taken" in here.eyes.text


@pytest.mark.parametrize("is_over", [True, False])
def test_a_film_knows_whether_its_game_came_to_its_end(*, is_over: bool) -> None:
    film = played().film()
    assert Film(film.pictures if is_over else film.pictures[:-1]).is_over == is_over
