"""A person at a node, with a screen: the node's events become pictures, and the player's keys become moves."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace

from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from p2p_sheriff.fronts.tui import story
from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.model import AskHelp, LoadBag, Model, Play, Rematch, Say
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.screen import Intent, Screen
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.events import NodeEvent, Obstacle, Trouble, Wrote
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choice, Refusal, Seat, State, View
from p2p_sheriff.seat.tablepicture import after_event, progress_of
from p2p_sheriff.session.play import Play as Game
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import refusal_sentence, translated
from p2p_sheriff.usage import UsageError

_LOOK_SECONDS = 0.25
"""How often the progress of work on the cards is looked at."""


class ScreenSeat:
    """Lets a person play one game on the screen.

    Keys are answered in the event loop at once. What they ask for waits in a queue for the node, which does its heavy
    work in threads: the screen never waits for it.
    """

    def __init__(
        self,
        node: Node,
        session: Session,
        told: State,
        *,
        words: Words | None = None,
        ascii_only: bool = False,
        help_screen: Callable[[Model], Screen] | None = None,
        at_the_end: Callable[[], Awaitable[tuple[str, ...]]] | None = None,
        rematch: bool = False,
        environment: Mapping[str, str] = os.environ,
        terminal_input: Input | None = None,
        terminal_output: Output | None = None,
    ) -> None:
        """Takes a game that has begun.

        Args:
            node: Where it is played.
            session: The game.
            told: The state before the node's next event.
            words: The language.
            ascii_only: Whether to draw without box lines, whatever the locale says.
            help_screen: Makes the screen with the rules.
            at_the_end: Is called once when the game is over, and returns what is said under the score sheet: where the
                transcript is, what the audit found.
            rematch: Whether the player can ask for one.
            environment: What says how many colours the terminal has.
            terminal_input: Where keys come from; by default the terminal.
            terminal_output: Where pictures go; by default the terminal.
        """
        charter = session.table.charter
        self._node, self._session, self._help, self._at_the_end = node, session, help_screen, at_the_end
        self._players = [player.identity for player in charter.players]
        self._words = words or Words()
        names = tuple(player.name for player in charter.players)
        compared = game_words(charter.game)
        model = Model(names, self._words, told=told, compared=compared, signed=False, rematch=rematch)
        self._app = App(
            TableScreen(model),
            self._act,
            self._words,
            depth_of(environment),
            ascii_only=ascii_only or needs_ascii(environment),
            terminal_input=terminal_input,
            terminal_output=terminal_output,
        )
        self._intents: asyncio.Queue[Intent] = asyncio.Queue()
        self._seen_play: Game | None = None
        self._trouble = ""
        self.wants_rematch = False
        """Whether the player has asked to play again, once `play` is over."""

    async def play(self) -> bool:
        """Plays until the game is over and its score was seen, and returns True; or until the player stops: False.

        Raises:
            UsageError: The node can't go on.
        """
        tasks = [asyncio.ensure_future(one) for one in (self._follow(), self._obey(), self._watch_progress())]
        showing = asyncio.ensure_future(self._app.run())
        try:
            await asyncio.wait({showing, *tasks}, return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            self._app.leave()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await showing
        if self._trouble:
            raise UsageError(self._trouble)
        return self._session.play.is_over

    # -- what is shown

    @property
    def _model(self) -> Model:
        screen = self._app.screen
        if not isinstance(screen, TableScreen):
            raise TypeError("The first screen of a game is its table.")
        return screen.model

    def _show(self, model: Model) -> None:
        self._app.change(TableScreen(model))

    # -- what happens

    async def _follow(self) -> None:
        """Shows everything that the node tells, and what the game looks like after it."""
        self._note_absence()
        await self._look()
        while True:
            self._see(await self._node.events.get())
            while not self._node.events.empty():
                self._see(self._node.events.get_nowait())
            await self._look()
            if self._trouble:
                return

    def _see(self, event: NodeEvent) -> None:
        match event:
            case Wrote(what, size, seconds):
                self._show(story.proved(self._model, self._session.seat, what, size, seconds))
            case Obstacle(sentence):
                said = translated(sentence, self._words.texts)
                self._show(story.troubled(self._model, said).saying(said, refused=True))
            case Trouble(sentence):
                self._trouble = self._trouble or translated(sentence, self._words.texts)
            case _:
                self._show(after_event(self._model, event, self._players, time.time()))

    def _note_absence(self) -> None:
        here = {*self._node.connected(), self._node.identity.public}
        for seat, identity in enumerate(self._players):
            if identity not in here:
                self._show(story.connected(self._model, Seat(seat), now=time.time()))

    async def _look(self) -> None:
        """Asks the node for the game as it is now."""
        found: list[tuple[View, Choice | None]] = []

        def look(session: Session) -> None:
            if not session.play.is_over:
                found.append((session.view(), session.choice()))

        try:
            await self._node.do(look)
        except LobbyError as error:
            if self._node.keeper is None and not self._session.play.is_over:
                self._trouble = self._trouble or refusal_sentence(error, self._words.texts)
            return
        play = self._session.play
        for view, choice in found:
            self._show(seen(self._model, view, choice, _expected(play), progress_of(play)))
        if play.is_over and not self._model.signed:
            self._show(self._model.at_the_end())
            if self._at_the_end is not None:
                ending = await self._at_the_end()  # Meanwhile the player may open something, or ask for a rematch.
                self._show(replace(self._model, ending=ending))

    async def _watch_progress(self) -> None:
        """Shows how far work on the cards is while the node is busy with it: the game is a value, read as one."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            play = self._session.play
            if play is not self._seen_play:
                self._seen_play = play
                self._show(self._model.working(_expected(play), progress_of(play)))

    # -- what the player wants

    def _act(self, intent: Intent) -> None:
        match intent:
            case AskHelp():
                if self._help is not None:
                    self._app.push(self._help(self._model))
            case Rematch():
                self.wants_rematch = True
                self._app.leave()
            case _:
                self._intents.put_nowait(intent)

    async def _obey(self) -> None:
        """Does what the player asked for, one thing after the other."""
        while True:
            intent = await self._intents.get()
            try:
                await self._do(intent)
            except (Refusal, LobbyError) as refusal:
                self._show(self._model.refused(refusal_sentence(refusal, self._words.texts)))
            await self._look()
            self._show(self._model.arrived())

    def _do(self, intent: Intent) -> Awaitable[None]:
        if not self._node.is_home:
            raise LobbyError("tui.status.coming_back")
        match intent:
            case Play(move):
                return self._node.do(lambda session: session.submit(move))
            case LoadBag(handles):
                return self._node.do(lambda session: session.load(handles))
            case Say(text):
                return self._node.do(lambda session: session.say(text))
            case _:
                raise TypeError(f"Nobody can do this here: {intent}.")


def _expected(play: Game) -> tuple[Seat, ...]:
    return tuple(Seat(seat) for seat in play.expected())
