"""The bell and the title of the window tell whoever looks elsewhere that it is their turn; or nothing does."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2p_sheriff.fronts.tui.screenfront import ScreenFront
from p2p_sheriff.seat.words import Words
from tests.fronts.tui.gallery import model_of
from tests.fronts.tui.halls import BUSY
from tests.fronts.tui.test_screenfront import ENVIRONMENT, Eyes
from tests.node.nodes import until
from tests.node.running import awaited

_TITLE = re.compile("\x1b]2;([^\x07]*)\x07")


class Ears(Eyes):
    """A terminal that also keeps all that it was sent."""

    def __init__(self) -> None:
        super().__init__()
        self._sent = ""

    def write(self, text: str) -> int:
        self._sent += text
        return super().write(text)

    @property
    def titles(self) -> list[str]:
        return _TITLE.findall(self._sent)

    @property
    def rings(self) -> int:
        return _TITLE.sub("", self._sent).count("\x07")


@contextmanager
def front_with(ears: Ears, *, quiet: bool = False) -> Iterator[tuple[ScreenFront, PipeInput]]:
    with create_pipe_input() as keyboard, create_app_session():
        output = Vt100_Output(ears, lambda: Size(24, 80), term="xterm-256color", enable_cpr=False)
        yield (
            ScreenFront(Words(), quiet=quiet, environment=ENVIRONMENT, terminal_input=keyboard, terminal_output=output),
            keyboard,
        )


def test_the_bell_rings_once_for_every_question_and_the_title_says_whose_turn_it_is() -> None:
    ears = Ears()
    with front_with(ears) as (front, _):
        front.show(BUSY)
        assert (ears.titles, ears.rings) == (["Sheriff"], 0)
        front.show(model_of("waiting"))
        assert (ears.titles, ears.rings) == (["Sheriff"], 0)
        front.show(model_of("set_aside"))
        assert (ears.titles, ears.rings) == (["Sheriff", "Sheriff: your turn"], 1)
        front.show(model_of("set_aside"))
        assert ears.rings == 1
        front.show(model_of("load"))
        assert (ears.titles[-1], ears.rings) == ("Sheriff: your turn", 2)
        front.show(model_of("waiting"))
        assert (ears.titles[-1], ears.rings) == ("Sheriff", 2)


def test_who_wants_it_quiet_hears_no_bell_and_the_window_keeps_its_title() -> None:
    ears = Ears()
    with front_with(ears, quiet=True) as (front, _):
        for scene in (BUSY, model_of("waiting"), model_of("set_aside"), model_of("load")):
            front.show(scene)
        assert (ears.titles, ears.rings) == ([], 0)


@awaited
async def test_a_key_switches_the_bell_off_and_on_again() -> None:
    ears = Ears()
    with front_with(ears) as (front, keyboard):
        async with front:
            front.show(model_of("waiting"))
            await until(lambda: not front.model.is_calm)
            keyboard.send_text("b")
            await until(lambda: "Nothing rings any more" in ears.text)
            front.show(model_of("load"))
            assert ears.rings == 0
            await until(lambda: not front.model.is_calm)
            keyboard.send_text("b")
            await until(lambda: "At your turn the bell rings" in ears.text)
            front.show(model_of("declare"))
            assert ears.rings == 1
