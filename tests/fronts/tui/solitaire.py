"""A game of one person with bots, without cryptography, in this terminal: `python -m tests.fronts.tui.solitaire`.

A seed may follow, and options of the rules: `python -m tests.fronts.tui.solitaire 1 orders,laws,merry-men`.
"""

import asyncio
import os
import sys
from dataclasses import replace

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.rules import LoadBag, Move, Setup
from p2p_sheriff.seat.intents import LeaveGame, Say
from p2p_sheriff.seat.story import said
from tests.fronts.tui.scenes import Scene

PACE_SECONDS = 0.05


class Solitaire:
    """Keeps a scene and an app in step."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        environment = os.environ
        self._app = App(
            TableScreen(scene.model),
            self._act,
            scene.model.words,
            depth_of(environment),
            ascii_only=needs_ascii(environment),
        )

    async def play(self) -> None:
        others = asyncio.ensure_future(self._let_others_play())
        await self._app.run()
        others.cancel()

    async def _let_others_play(self) -> None:
        while choices := self._scene.dealer.choices():
            await asyncio.sleep(PACE_SECONDS)
            if self._scene.seat not in {one.seat for one in choices} or choices[0].seat != self._scene.seat:
                self._take_over()
                self._scene.step()
                self._show()

    def _act(self, intent: Wish) -> None:
        self._take_over()
        scene = self._scene
        match intent:
            case LeaveGame():
                self._app.leave()
            case Say(text):
                scene.model = said(scene.model, scene.seat, text)
            case _ if isinstance(intent, LoadBag | Move):
                scene.submit(intent)
            case _:
                pass
        scene.model = replace(scene.model, sending=False)
        self._show()

    def _take_over(self) -> None:
        screen = self._app.screen
        assert isinstance(screen, TableScreen)
        self._scene.model = screen.model

    def _show(self) -> None:
        self._app.change(TableScreen(self._scene.model))


def main() -> None:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    options = frozenset(sys.argv[2].split(",")) if len(sys.argv) > 2 else frozenset[str]()
    asyncio.run(Solitaire(Scene.of(Setup(players=4, options=options), seed)).play())
    sys.stdout.write("The game was left.\n")


if __name__ == "__main__":
    main()
