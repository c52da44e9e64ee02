"""Shows screens in a terminal: with the window, all that knows prompt-toolkit. It only draws, and passes keys on."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from prompt_toolkit.application import Application
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.styles import Style

from p2p_sheriff.fronts.tui.canvas import Canvas, Cell
from p2p_sheriff.fronts.tui.screen import Leave, Pop, Push, Screen, Wish, draw, is_too_small
from p2p_sheriff.fronts.tui.theme import Depth, styles
from p2p_sheriff.fronts.tui.window import PictureWindow, class_of
from p2p_sheriff.seat.words import Words

_ARROWS = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
_OTHERS = ("enter", "escape", "tab", "backspace", "delete", "c-c", *(f"f{number}" for number in range(1, 13)))
_NAMED_KEYS = {"s-tab": "backtab", **{name: name for name in (*_ARROWS, *_OTHERS)}}
"""What prompt-toolkit calls a key, and what screens do."""

_TICK_SECONDS = 0.1
_ESCAPE_SECONDS = 0.05
"""How long an escape may be the beginning of something longer."""


class App:
    """Shows one screen, and others on top of it, until it is left.

    `change` is how the outside tells the first screen that something happened; `act` is how the app tells the outside
    what the player wants. Neither waits: a key is answered at once.
    """

    def __init__(
        self,
        screen: Screen,
        act: Callable[[Wish], None],
        words: Words,
        depth: Depth = Depth.TRUE,
        *,
        ascii_only: bool = False,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Takes the first screen; nothing is shown before `run`.

        `act` is called with every intent that is not about screens; it must not block. Without `terminal_input` and
        `terminal_output` the terminal is meant.
        """
        self._screens: list[Screen] = [screen.at(clock())]
        self._act, self._words, self._clock = act, words, clock
        self.picture = Canvas(0, 0)
        """What was drawn last."""
        self._application: Application[None] = Application(
            layout=Layout(PictureWindow(self.draw, self._hear_mouse, ascii_only=ascii_only)),
            style=Style([(class_of(name), style) for name, style in styles(depth).items() if style]),
            key_bindings=self._bindings(),
            full_screen=True,
            mouse_support=True,
            max_render_postpone_time=None,  # A key is answered at once, whatever else there is to do.
            color_depth=ColorDepth(f"DEPTH_{depth.value}_BIT"),
            input=terminal_input,
            output=terminal_output,
        )
        self._application.ttimeoutlen = _ESCAPE_SECONDS
        self._application.timeoutlen = _ESCAPE_SECONDS

    # -- for the outside

    @property
    def screen(self) -> Screen:
        """The first screen, as it is now."""
        return self._screens[0]

    def change(self, screen: Screen) -> None:
        """Puts another screen in the place of the first one; those on top of it stay."""
        self._screens[0] = screen.at(self._clock())
        self._application.invalidate()

    def push(self, screen: Screen) -> None:
        """Shows a screen on top of the others."""
        self._screens.append(screen.at(self._clock()))
        self._application.invalidate()

    async def run(self) -> None:
        """Shows the screens until the player leaves, or `leave` is called."""
        ticking = asyncio.ensure_future(self._tick())
        try:
            await self._application.run_async(handle_sigint=False)
        finally:
            self._application.output.clear_title()
            ticking.cancel()
            with suppress(asyncio.CancelledError):
                await ticking

    def leave(self) -> None:
        """Ends `run`."""
        if self._application.is_running and not self._application.is_done:
            self._application.exit()

    def call(self, title: str, *, rings: bool) -> None:
        """Gives the window a title, and rings if the player should look up."""
        output = self._application.output
        output.set_title(title)
        if rings:
            output.bell()
        output.flush()

    # -- keys

    def press(self, key: str) -> None:
        """Gives a key to the topmost screen; in a window that is too small nobody sees what it would do."""
        if self.picture.width and is_too_small(self.picture.width, self.picture.height):
            if key == "c-c":
                self.leave()
            return
        now = self._clock()
        screen, intents = self._screens[-1].at(now).press(key)
        self._screens[-1] = screen.at(now)
        for intent in intents:
            match intent:
                case Push(screen):
                    self._screens.append(screen.at(self._clock()))
                case Pop() if len(self._screens) > 1:
                    self._screens.pop()
                case Pop() | Leave():
                    self.leave()
                case _:
                    self._act(intent)
        self._application.invalidate()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def named(name: str) -> Callable[[KeyPressEvent], None]:
            return lambda _event: self.press(name)

        for key, name in _NAMED_KEYS.items():
            bindings.add(key)(named(name))

        @bindings.add(Keys.ControlL)
        def paint_anew(event: KeyPressEvent) -> None:
            event.app.renderer.clear()
            self._application.invalidate()

        @bindings.add(Keys.Any)
        def letter(event: KeyPressEvent) -> None:
            if event.data.isprintable():
                self.press("space" if event.data == " " else event.data)

        @bindings.add(Keys.BracketedPaste)
        def paste(event: KeyPressEvent) -> None:
            for one in event.data:
                if one.isprintable():
                    self.press("space" if one == " " else one)

        return bindings

    def _hear_mouse(self, event: MouseEvent) -> None:
        """Gives the key to the topmost screen that a place stands for, or the wheel."""
        match event.event_type:
            case MouseEventType.MOUSE_UP:
                if key := self.picture.key_at(event.position.x, event.position.y):
                    self.press(key)
            case MouseEventType.SCROLL_UP:
                self.press("wheel-up")
            case MouseEventType.SCROLL_DOWN:
                self.press("wheel-down")
            case _:
                pass

    # -- pictures

    def draw(self, width: int, height: int) -> list[list[Cell]]:
        """Draws the topmost screen."""
        self.picture = draw(self._screens[-1], width, height, self._words)
        return self.picture.to_cells()

    async def _tick(self) -> None:
        since = 0.0
        while True:
            await asyncio.sleep(_TICK_SECONDS)
            since += _TICK_SECONDS
            if self._screens[-1].moves or since >= 1:
                since = 0.0
                self._screens = [screen.at(self._clock()) for screen in self._screens]
                self._application.invalidate()
