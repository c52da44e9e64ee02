"""``p2p-sheriff bot``: a bot that joins a table, like any player."""

import argparse
import asyncio
import os
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random

from p2p_sheriff import arguments
from p2p_sheriff.bots import Bot, Level, make_bot
from p2p_sheriff.fronts.botfront import BotFront
from p2p_sheriff.fronts.lines.console import Keyboard, tell
from p2p_sheriff.fronts.person import run_game
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import BadSetup, Phase, Seat, Setup
from p2p_sheriff.seat.driver import Driver
from p2p_sheriff.seat.finding import find_table
from p2p_sheriff.seat.intents import Intent, Join, OpenTable, Resume
from p2p_sheriff.seat.parting import Grace
from p2p_sheriff.seat.picture import News, Picture
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.starting import open_node
from p2p_sheriff.seat.words import Words
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.texts import Texts
from p2p_sheriff.usage import UsageError

_FIND_SECONDS = 60
_SETTLE_SECONDS = 60
_REMATCH_SECONDS = 600
_IDLE = 3
"""So many times longer than for the absent, bots wait for who is there and does nothing."""
_PATIENCE = 10
"""How far bots on a leash let their player go first: the screen must not wait for their proofs."""


def run(given: argparse.Namespace) -> int:
    """Plays one game, and rematches of it."""
    if given.leash and hasattr(os, "nice"):
        os.nice(_PATIENCE)
    options = arguments.node_options(given)
    first = _first(given, options.texts)

    async def game() -> None:
        async with open_node(options) as (node, profile):
            patience = (None if given.leash else _REMATCH_SECONDS) if given.rematch else 0.0
            see = _Watcher(phases=given.phases).see
            front = BotFront(_maker(given), options.tempo, see, patience)
            words = Words(options.texts)
            grace = Grace() if given.grace is None else Grace(given.grace, _IDLE * given.grace)
            driver = Driver(
                *(node, profile, front, words),
                audits=False,
                settle_seconds=_SETTLE_SECONDS,
                grace=grace,
                is_bot=True,
            )
            await driver.run(await first(node, profile))
            if driver.went_wrong:
                raise UsageError(driver.last_word)

    return run_game(_until_let_go(game()) if given.leash else game(), options)


def _maker(given: argparse.Namespace) -> Callable[[Seat], Bot]:
    style, level = given.style, Level(given.level)
    return lambda seat: make_bot(style, seat, Random(given.seed), level)  # noqa: S311 - for choices, not for secrets.


async def _until_let_go(work: Coroutine[None, None, None]) -> None:
    """Ends the work when standard input ends: whoever has started this process is gone."""
    working, gone = asyncio.ensure_future(work), asyncio.ensure_future(_end_of_input())
    await asyncio.wait({working, gone}, return_when=asyncio.FIRST_COMPLETED)
    if not working.done():
        working.cancel()
    gone.cancel()
    with suppress(asyncio.CancelledError):
        await working


async def _end_of_input() -> None:
    keyboard = Keyboard()
    while await keyboard.lines.get() is not None:
        pass


def _first(given: argparse.Namespace, texts: Texts) -> Callable[[Node, Profile], Coroutine[None, None, Intent]]:
    """Returns how the bot comes to its table: it resumes a game, opens a table, or finds one."""

    def fits(info: TableInfo) -> bool:
        return given.join in (None, info.title) and given.table in (None, info.id)

    async def resume(_node: Node, profile: Profile) -> Intent:
        unfinished = [game for game in profile.unfinished_games() if given.game in (None, game)]
        if not unfinished:
            raise UsageError(texts("seat.no_game"))
        return Resume(unfinished[0])

    async def open_one(node: Node, _profile: Profile) -> Intent:
        tell(f"open {node.port}")
        return OpenTable(_setup(given))

    async def join(node: Node, _profile: Profile) -> Intent:
        return Join((await find_table(node, fits, texts, lambda _: None, _FIND_SECONDS)).id)

    return resume if given.resume else open_one if given.open else join


class _Watcher:
    """Tells who reads our output the phases of a game, if they want to know, and its result."""

    def __init__(self, *, phases: bool) -> None:
        self._tells_phases = phases
        self._told: tuple[int, Phase] | None = None
        self._ended = b""

    def see(self, scene: Scene, _news: Sequence[News]) -> None:
        if not isinstance(scene, Picture) or scene.told is None:
            return
        if self._tells_phases and self._told != (now := (scene.told.round, scene.told.phase)):
            self._told = now
            office = " as sheriff" if scene.seat in scene.told.officers else ""
            tell(f"phase {scene.told.phase.value} of round {scene.told.round}{office}")
        if scene.ending and self._ended != scene.game:
            self._ended = scene.game
            tell(f"result {result_digest(scene.game, scene.told).hex()}")


def _setup(given: argparse.Namespace) -> Setup:
    try:
        return replace(arguments.setup_of(given, given.open), short=given.deck)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
