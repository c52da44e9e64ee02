"""A front in memory: it plays the simplest game that the rules allow, from the lobby to the rematch."""

import asyncio
from collections.abc import Sequence

from p2p_sheriff.bots.routine import hand_over, pay_in_kind
from p2p_sheriff.rules import Choice, LoadBag, View
from p2p_sheriff.rules.law import declarable_kinds, value_of
from p2p_sheriff.rules.moves import Declare, Move, NameFirst, Pass, SetAside, Trade
from p2p_sheriff.seat.hall import Hall
from p2p_sheriff.seat.intents import BeReady, Intent, LeaveGame, Rematch
from p2p_sheriff.seat.picture import News, Picture
from p2p_sheriff.seat.sight import Scene


def answer(view: View, choice: Choice) -> Move | LoadBag:
    """Keeps all cards, loads the first, calls it the first good that can be declared, and lets all bags pass."""
    state, seat = view.state, view.seat
    match choice:
        case Choice.NAME_FIRST:
            return NameFirst(seat, state.merchants[0])
        case Choice.SET_ASIDE:
            return SetAside(seat, ())
        case Choice.LOAD:
            return LoadBag(seat, view.me.hand[:1])
        case Choice.DECLARE:
            return Declare(seat, len(view.knowledge.bag), declarable_kinds(state)[0])
        case Choice.ACT:
            return Pass(seat, state.closed_bags[0])
        case Choice.PAY_IN_KIND:
            return pay_in_kind(view, {kind: float(value_of(state.setup, kind)) for kind in state.setup.table})
        case Choice.HAND_OVER:
            return hand_over(view)
        case _:
            return Trade(seat)


class MemoryFront:
    """Keeps what it is shown; plays so many games, and then leaves."""

    def __init__(self, games: int = 1) -> None:
        self.scenes: list[Scene] = []
        self.news: list[News] = []
        self._left, self._changed = games, asyncio.Event()

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        self.scenes.append(scene)
        self.news += news
        self._changed.set()

    async def wish(self) -> Intent | None:
        while (intent := self._next(self.scenes[-1])) is None:
            self._changed.clear()
            await self._changed.wait()
        return intent

    def _next(self, scene: Scene) -> Intent | None:
        match scene:
            case Hall(me=me, table=table) if table is not None:
                member = table.member(me.identity)
                return BeReady(True) if member is not None and not member.ready else None
            case Picture(ending=(_, *_)):
                self._left -= 1
                return Rematch() if self._left else LeaveGame()
            case Picture(view=view, choice=choice) if view is not None and choice is not None:
                return answer(view, choice)
            case _:
                return None
