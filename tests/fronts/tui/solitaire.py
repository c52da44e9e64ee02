"""A game of one person with bots, without cryptography, in this terminal: `python -m tests.fronts.tui.solitaire`."""

import asyncio
import os
import sys
from dataclasses import replace

from p2p_sheriff.fronts.tui.app import App
from p2p_sheriff.fronts.tui.model import LoadBag, Play, Say
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.story import said
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.fronts.tui.theme import depth_of, needs_ascii
from p2p_sheriff.rules import Setup
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

    def _act(self, intent: Intent) -> None:
        self._take_over()
        scene = self._scene
        match intent:
            case Play(move):
                scene.submit(move)
            case LoadBag(handles):
                scene.load(scene.seat, handles)
            case Say(text):
                scene.model = said(scene.model, scene.seat, text)
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
    asyncio.run(Solitaire(Scene.of(Setup(players=4), seed)).play())
    sys.stdout.write("The game was left.\n")


if __name__ == "__main__":
    main()
