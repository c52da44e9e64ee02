"""``p2p-sheriff bot``: a bot that joins a table, like any player."""

import argparse
import asyncio
import os
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import replace
from math import inf
from random import Random
from secrets import token_bytes

from p2p_sheriff.bots import STYLES, make_bot
from p2p_sheriff.commands.botseat import BotSeat
from p2p_sheriff.commands.network import (
    add_network_arguments,
    add_table_arguments,
    find_table,
    next_event,
    open_node,
    setup_of,
    wait_for_start,
)
from p2p_sheriff.commands.sitting import run_game
from p2p_sheriff.fronts.lines.lineseat import Keyboard
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.node.events import GameStarted, NodeEvent, Trouble
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.store import Keeper
from p2p_sheriff.rules import BadSetup, Goods, Phase, Setup
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.result import result_digest
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import chosen, refusal_sentence, translated
from p2p_sheriff.usage import UsageError
from protocol.charter import Charter
from protocol.group import Edwards25519

_FIND_SECONDS = 60
_SETTLE_SECONDS = 60
_REMATCH_SECONDS = 600
_PATIENCE = 10
"""How far bots on a leash let their player go first: the screen must not wait for their proofs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options of the command."""
    add_network_arguments(parser)
    add_table_arguments(parser)
    parser.add_argument("--join", metavar="TABLE", help="the table's title; default: any table with a free seat")
    parser.add_argument("--style", choices=STYLES, default=STYLES[-1], help="how it plays")
    parser.add_argument("--seed", type=int, help="repeats its choices; its secrets are never seeded")
    parser.add_argument("--pace", type=float, default=1.0, metavar="SECONDS", help="how long it lets others talk")
    parser.add_argument("--resume", action="store_true", help="go on with the profile's interrupted game")
    parser.add_argument("--rematch", action="store_true", help="sit down again when somebody wants a rematch")
    parser.add_argument("--open", type=int, metavar="PLAYERS", help="open a table for so many, in place of joining one")
    # For whoever starts bots to play along: which table or game is theirs, and an end with who has started them.
    parser.add_argument("--table", type=bytes.fromhex, metavar="ID", help=argparse.SUPPRESS)
    parser.add_argument("--game", type=bytes.fromhex, metavar="ID", help=argparse.SUPPRESS)
    parser.add_argument("--leash", action="store_true", help=argparse.SUPPRESS)
    # For trying out networks with bots alone: a deck that is soon shuffled, and lines that tell when to pull a cable.
    parser.add_argument("--deck", type=_deck, default=(), metavar="KIND=COUNT,...", help=argparse.SUPPRESS)
    parser.add_argument("--phases", action="store_true", help=argparse.SUPPRESS)


def run(options: argparse.Namespace) -> int:
    """Plays one game, and rematches of it."""
    if options.leash and hasattr(os, "nice"):
        os.nice(_PATIENCE)
    try:
        return run_game(_until_let_go(_play(options)) if options.leash else _play(options))
    except LobbyError as error:
        raise UsageError(refusal_sentence(error, chosen(options))) from error


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


async def _play(options: argparse.Namespace) -> None:
    async with open_node(options) as (node, profile):
        session: Session | None = await _session(options, node, profile)
        while session is not None:
            await _play_one(options, node, profile, session)
            session = await _rematch(node, session.table.charter, options) if options.rematch else None


async def _play_one(options: argparse.Namespace, node: Node, profile: Profile, session: Session) -> None:
    rng = Random(options.seed)  # noqa: S311 - for choices, not for secrets.
    watch = _Phases(session).see if options.phases else (lambda _: None)
    await BotSeat(node, make_bot(options.style, session.seat, rng), max(options.pace, 0.05), watch).play()
    game = session.table.charter.game
    try:
        profile.keep_transcript(game, record_of(session.table).to_bytes())
        await node.settle(_SETTLE_SECONDS)
    finally:
        if node.keeper is not None:
            await node.finish()
    tell(f"result {result_digest(game, session.play.state).hex()}")


async def _rematch(node: Node, charter: Charter, options: argparse.Namespace) -> Session | None:
    """Waits until somebody wants to play again with the same people; None if nobody does for long."""
    await node.put_down()
    loop = asyncio.get_running_loop()
    end = loop.time() + (inf if options.leash else _REMATCH_SECONDS)
    while loop.time() < end:
        event = await next_event(node, 1.0)
        match event:
            case GameStarted(session):
                return session
            case Trouble(sentence):
                raise UsageError(translated(sentence, chosen(options)))
            case _:
                pass
        if node.gathering is None and any(info.again == charter.game for info in node.tables.values()):
            with suppress(LobbyError):  # The table was closed, or its opener is gone: another one may come.
                await node.rematch(charter, None)
                await node.at_table(lambda gathering: gathering.set_ready(True))
    return None


async def _session(options: argparse.Namespace, node: Node, profile: Profile) -> Session:
    def fits(info: TableInfo) -> bool:
        return options.join in (None, info.title) and options.table in (None, info.id)

    texts = chosen(options)
    if options.resume:
        unfinished = [game for game in profile.unfinished_games() if options.game in (None, game)]
        if not unfinished:
            raise UsageError(texts("seat.no_game"))
        keeper = await asyncio.to_thread(Keeper.resume, profile, unfinished[0], Edwards25519(), token_bytes)
        await node.resume(keeper)
        return keeper.session
    if options.open:
        await node.open_table(texts("gather.title", name=node.name), _setup(options))
        tell(f"open {node.port}")
    else:
        await node.join_table(await find_table(node, fits, _FIND_SECONDS, texts=texts))
    await node.at_table(lambda gathering: gathering.set_ready(True))
    return await wait_for_start(node, texts=texts)


class _Phases:
    """Tells every phase of the game when it begins."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: tuple[int, Phase] | None = None

    def see(self, _event: NodeEvent) -> None:
        state = self._session.play.state
        if self._told != (state.round, state.phase):
            self._told = (state.round, state.phase)
            tell(f"phase {state.phase.value} of round {state.round}")


def _deck(text: str) -> Goods:
    try:
        return tuple((kind, int(count)) for kind, _, count in (item.partition("=") for item in text.split(",")))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no KIND=COUNT,...") from None


def _setup(options: argparse.Namespace) -> Setup:
    try:
        return replace(setup_of(options, options.open), short=options.deck)
    except BadSetup as problem:
        raise UsageError(str(problem)) from problem
