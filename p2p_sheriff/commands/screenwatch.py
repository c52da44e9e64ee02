"""Somebody who looks on at a game, with a screen: everything that all players see, and nothing else."""

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import replace

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.model import AskHelp, Model
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.events import NodeEvent, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.wire import GameInfo
from p2p_sheriff.rules import Seat, new_game
from p2p_sheriff.seat.tablepicture import after_event, progress_of
from p2p_sheriff.session.spectator import Spectator
from p2p_sheriff.texts import translated
from p2p_sheriff.usage import UsageError


async def watch_on_screen(node: Node, info: GameInfo, words: Words, *, ascii_only: bool = False) -> Spectator:
    """Shows a game to its end, or until the onlooker goes; returns all that was seen of it.

    Raises:
        LobbyError: It can't be watched.
        UsageError: The node can't go on.
    """
    spectator = await node.watch(info)
    try:
        await _Onlooker(node, spectator, words, ascii_only=ascii_only).look_on()
    finally:
        await node.put_down()
    return spectator


class _Onlooker:
    """One game that is watched."""

    def __init__(
        self,
        node: Node,
        spectator: Spectator,
        words: Words,
        *,
        ascii_only: bool,
        environment: Mapping[str, str] = os.environ,
    ) -> None:
        charter = spectator.table.charter
        self._node, self._spectator, self._words = node, spectator, words
        self._players = [player.identity for player in charter.players]
        names = tuple(player.name for player in charter.players)
        told, compared = new_game(spectator.state.setup), game_words(charter.game)
        model = Model(names, words, told=told, compared=compared, signed=False)
        ascii_only = ascii_only or needs_ascii(environment)
        self._app = App(TableScreen(model), self._act, words, depth_of(environment), ascii_only=ascii_only)

    async def look_on(self) -> None:
        follow, showing = asyncio.ensure_future(self._follow()), asyncio.ensure_future(self._app.run())
        try:
            await asyncio.wait({showing, follow}, return_when=asyncio.FIRST_COMPLETED)
            if follow.done():
                follow.result()
        finally:
            follow.cancel()
            await asyncio.gather(follow, return_exceptions=True)
            self._app.leave()
            await showing

    @property
    def _model(self) -> Model:
        screen = self._app.screen
        if not isinstance(screen, TableScreen):
            raise TypeError("The first screen of a game is its table.")
        return screen.model

    def _show(self, model: Model) -> None:
        self._app.change(TableScreen(model))

    async def _follow(self) -> None:
        while True:
            self._see(await self._node.events.get())
            play = self._spectator.play
            waiting = tuple(Seat(seat) for seat in play.expected())
            model = self._model.working(waiting, progress_of(play))
            if not self._node.is_idle or not self._node.events.empty():
                model = replace(model, reveals=())  # What was played before is told, but not shown bag by bag.
            self._show(model.at_the_end() if play.is_over else model)

    def _see(self, event: NodeEvent) -> None:
        if isinstance(event, Trouble):
            raise UsageError(translated(event.sentence, self._words.texts))
        self._show(after_event(self._model, event, self._players, time.time()))

    def _act(self, intent: Intent) -> None:
        match intent:
            case AskHelp():
                self._app.push(HelpScreen.of(self._spectator.state.setup, self._words))
            case _:
                self._show(self._model.saying(self._words("watch.only"), refused=True))
