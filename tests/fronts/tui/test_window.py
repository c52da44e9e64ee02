"""What the terminal shows is the last picture, whatever was there before: only lines that differ are sent to it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO

import pyte
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.screen import Pressed
from p2p_sheriff.seat.words import Words

WIDTH, HEIGHT = 80, 24
LINES = st.lists(st.text("ab 森é─", max_size=12), max_size=5)
PICTURES = st.lists(LINES, min_size=1, max_size=6)


@dataclass(frozen=True, slots=True)
class Lines:
    """A screen that shows lines."""

    lines: tuple[str, ...]

    def draw(self, canvas: Canvas) -> None:
        for y, line in enumerate(self.lines):
            canvas.put(2 * y, y, line, "gold" if y % 2 else "")

    def press(self, key: str) -> Pressed:
        return Lines((*self.lines, key)), ()

    def at(self, now: float) -> "Lines":  # noqa: ARG002 - nothing moves.
        return self

    @property
    def moves(self) -> bool:
        return False


class Watched:
    """An app whose output a terminal understands."""

    def __init__(self) -> None:
        self.sent = StringIO()
        self._screen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.Stream(self._screen)

    def seen(self) -> str:
        """Returns what the terminal shows, and forgets what was sent to it."""
        self._stream.feed(self.sent.getvalue())
        self.sent.seek(0)
        self.sent.truncate()
        return "\n".join(self._screen.display)


async def show(pictures: Sequence[tuple[str, ...]]) -> list[tuple[str, str, int]]:
    """Shows one picture after the other; returns what was drawn, what was seen, and how much was sent."""
    watched, shown = Watched(), []
    with create_pipe_input() as keys, create_app_session():
        output = Vt100_Output(watched.sent, lambda: Size(HEIGHT, WIDTH), term="xterm-256color", enable_cpr=False)
        app = App(Lines(pictures[0]), lambda _: None, Words(), terminal_input=keys, terminal_output=output)
        running = asyncio.ensure_future(app.run())
        for picture in pictures:
            app.change(Lines(picture))
            expected = Canvas(WIDTH, HEIGHT)
            Lines(picture).draw(expected)
            async with asyncio.timeout(300):
                while app.picture.to_text() != expected.to_text():  # noqa: ASYNC110 - drawing has no event.
                    await asyncio.sleep(0)
            size = len(watched.sent.getvalue())
            shown.append((expected.to_text(), watched.seen(), size))
        app.leave()
        await running
    return shown


@given(PICTURES)
def test_the_terminal_shows_every_picture_as_it_was_drawn(pictures: list[list[str]]) -> None:
    for drawn, seen, _ in asyncio.run(show([tuple(lines) for lines in pictures])):
        assert seen == drawn


def test_only_what_differs_is_sent_whether_or_not_a_line_has_changed_before() -> None:
    pictures = [("a" * 60, "b" * 60), ("a" * 60, "d" + "b" * 59), ("e" + "a" * 59, "d" + "b" * 59)]
    first, *others = asyncio.run(show(pictures))
    assert first[2] > 120
    for drawn, seen, sent in others:
        assert seen == drawn
        assert sent < 70


def test_a_window_that_is_too_small_takes_no_keys() -> None:
    with create_pipe_input() as keys, create_app_session():
        output = Vt100_Output(StringIO(), lambda: Size(HEIGHT, WIDTH), term="xterm-256color", enable_cpr=False)
        app = App(Lines(()), lambda _: None, Words(), terminal_input=keys, terminal_output=output)
        for width, height in ((WIDTH - 1, HEIGHT), (WIDTH, HEIGHT - 1)):
            app.draw(width, height)
            app.press("enter")
            assert app.screen == Lines(())
        app.draw(WIDTH, HEIGHT)
        app.press("enter")
        assert app.screen == Lines(("enter",))
