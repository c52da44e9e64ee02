"""The screen as a front: scenes become screens, and what comes of keys goes to the seat."""

import asyncio
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.beginning import Beginning
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.lobby import LobbyScreen
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import shown
from p2p_sheriff.fronts.tui.replay import Replay
from p2p_sheriff.fronts.tui.screen import AskHelp, Leave, Pop, Push, Screen, SeeAgain, SwitchBell, Wish
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.rules import Setup
from p2p_sheriff.seat.film import Film
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import BeReady, Intent, Rematch, StartTutorial
from p2p_sheriff.seat.picture import Answered, LogLine, News, Notice, Picture, RoundEnded
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.words import Words

_HELPED_PLAYERS = 4
"""The rules that are shown before somebody sits at a table are those for so many."""


class ScreenFront:
    """A person with a full screen. ``async with`` it: it is shown until then.

    Keys are answered in the event loop at once. What they ask for waits in a queue for the seat: the screen never
    waits for it.
    """

    def __init__(
        self,
        words: Words,
        *,
        ascii_only: bool = False,
        quiet: bool = False,
        first: Screen | None = None,
        teach: Callable[[], Screen] | None = None,
        develop: Callable[[Path], Film | None] | None = None,
        environment: Mapping[str, str] = os.environ,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        """Takes the language, what is shown before the first scene, and what makes the screen of the tutorial.

        `develop` checks the transcript of a finished game, which takes seconds, and returns the film of it, or
        nothing if it does not hold; it is called in a thread of its own.
        `quiet` is never to ring, nor to name the window, when it is the player's turn. `ascii_only` is to draw without
        box lines, whatever the locale in the `environment` says, which also says how many colours there are. Without
        `terminal_input` and `terminal_output` the terminal is meant.
        """
        self._words, self._teach, self._develop, self._quiet, self._title = words, teach, develop, quiet, ""
        self._intents: asyncio.Queue[Intent] = asyncio.Queue()
        self._showing: asyncio.Task[None] | None = None
        self._developing: asyncio.Task[None] | None = None
        self._app = App(
            first or TableScreen(Model((), words)),
            self._act,
            words,
            depth_of(environment),
            ascii_only=ascii_only or needs_ascii(environment),
            terminal_input=terminal_input,
            terminal_output=terminal_output,
        )

    async def __aenter__(self) -> Self:
        """Takes the screen."""
        self._showing = asyncio.ensure_future(self._app.run())
        await asyncio.sleep(0)  # So that it is taken before anything can end it again.
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Gives the screen back."""
        self.leave()
        if self._showing is not None:
            await self._showing

    def leave(self) -> None:
        """Ends what is shown, as the player can with a key."""
        self._app.leave()

    @property
    def model(self) -> Model:
        """The game as it is shown now."""
        screen = self._app.screen
        return screen.model if isinstance(screen, TableScreen) else Model((), self._words)

    async def wish(self) -> Intent | None:
        """Waits for what the player wants next; None if they have left the screen."""
        if self._showing is None:
            return None
        next_one = asyncio.ensure_future(self._intents.get())
        try:
            await asyncio.wait({next_one, self._showing}, return_when=asyncio.FIRST_COMPLETED)
            return next_one.result() if next_one.done() else None
        finally:
            next_one.cancel()

    def _act(self, wish: Wish) -> None:
        match wish:
            case AskHelp():
                self._app.push(HelpScreen.of(self._setup(), self._words))
            case Rematch():  # Who asks for one is ready for it.
                self._intents.put_nowait(wish)
                self._intents.put_nowait(BeReady(True))
            case SwitchBell():
                self._quiet = not self._quiet
                said = self._words("bell.off" if self._quiet else "bell.on")
                match self._app.screen:
                    case TableScreen(model):
                        self._app.change(TableScreen(model.saying(said)))
                    case LobbyScreen() as lobby:
                        self._app.change(lobby.saying(said))
                    case _:
                        pass
            case StartTutorial() if self._teach is not None:
                self._app.push(self._teach())
            case SeeAgain(transcript) if self._develop is not None:
                if self._developing is None or self._developing.done():
                    self._developing = asyncio.ensure_future(self._see_again(transcript, self._develop))
            case Push() | Pop() | Leave() | SeeAgain():
                raise TypeError("What is about screens is the app's.")
            case _:
                self._intents.put_nowait(wish)

    async def _see_again(self, transcript: Path, develop: Callable[[Path], Film | None]) -> None:
        """Shows a finished game, unless the player has gone to a table before it is checked."""
        if isinstance(lobby := self._app.screen, LobbyScreen):
            self._app.change(lobby.saying(self._words("past.checking")))
        film = await asyncio.to_thread(develop, transcript)
        match self._app.screen, film:
            case LobbyScreen() as lobby, None:
                self._app.change(lobby.saying(self._words("past.wrong"), refused=True))
            case LobbyScreen(hall=Hall(table=None)) as lobby, Film():
                self._app.change(replace(lobby, notice=None))
                self._app.push(Replay.of(film, self._words))
            case _:
                pass

    def _setup(self) -> Setup:
        match self._app.screen:
            case TableScreen(Model(told=told)) if told is not None:
                return told.setup
            case LobbyScreen(hall=Hall(table=table)) if table is not None:
                return table.setup
            case _:
                return Setup(_HELPED_PLAYERS)

    # -- what is shown

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Shows the lobby or the table as it is now."""
        match scene:
            case Hall():
                self._app.change(self._lobby(scene, news))
                self._call(asks=False)
            case Picture():
                before = self.model
                self._app.change(TableScreen(self._table(scene, news)))
                asks = scene.choice is not None and not scene.autopilot
                self._call(asks=asks, anew=scene.choice is not before.choice)

    def _call(self, *, asks: bool, anew: bool = False) -> None:
        """Lets whoever looks elsewhere know that it is their turn."""
        title = self._words("bell.turn" if asks else "bell.title")
        rings = asks and (anew or title != self._title)
        if not self._quiet and (title != self._title or rings):
            self._title = title
            self._app.call(title, rings=rings)

    def _lobby(self, hall: Hall, news: Sequence[News]) -> LobbyScreen:
        screen = self._app.screen
        lobby = screen.seeing(hall) if isinstance(screen, LobbyScreen) else LobbyScreen(hall, self._words)
        for one in news:
            match one:
                case LogLine(text=text):
                    lobby = lobby.hearing(text)
                case Notice(text, refused):
                    lobby = lobby.saying(text, refused=refused)
                case Answered(refusal) if refusal:
                    lobby = lobby.saying(refusal, refused=True)
                case _:
                    pass
        return lobby

    def _table(self, picture: Picture, news: Sequence[News]) -> Model:
        # The seat's clock never goes back; the screen's is the one on the wall.
        ahead = time.time() - time.monotonic()
        open_until = {seat: until + ahead for seat, until in picture.open_until.items()}
        missed = {seat: replace(one, until=one.until + ahead) for seat, one in picture.missed.items()}
        timer = picture.timer.shifted(ahead) if picture.timer is not None else None
        picture = replace(picture, open_until=open_until, missed=missed, timer=timer)
        screen = self._app.screen
        if isinstance(screen, TableScreen) and screen.model.game == picture.game:
            model = shown(screen.model, picture)
        else:
            model = shown(Model(picture.names, self._words), picture)
            if picture.told is not None and picture.told.round == 0 and picture.is_met_anew:
                names = tuple(picture.name(seat) for seat in picture.told.seats)
                self._app.push(Beginning(self._words, names, picture.compared))
        for one in news:
            match one:
                case Notice(text, refused):
                    model = model.saying(text, refused=refused)
                case Answered(refusal):
                    model = model.refused(refusal) if refusal else model.arrived()
                case RoundEnded(round_) if not picture.is_behind:
                    model = replace(model, summaries=(*model.summaries, round_)[-1:])
                case _:
                    pass
        return model
