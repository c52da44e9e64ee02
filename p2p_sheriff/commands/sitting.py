"""A person's game from its first line to the transcript: what all commands for people share."""

import asyncio
from collections.abc import Coroutine

from p2p_sheriff.commands.company import NAMES as BOTS
from p2p_sheriff.commands.lineseat import Keyboard, LineSeat
from p2p_sheriff.commands.rematch import play_again
from p2p_sheriff.commands.teller import tell
from p2p_sheriff.lobby import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.words import game_words
from p2p_sheriff.rules import State, new_game
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session
from p2p_sheriff.usage import UsageError

_SETTLE_SECONDS = 10
_INTERRUPTED = 130
"""The exit code of a program that was stopped from the keyboard."""


def run_game(game: Coroutine[None, None, None]) -> int:
    """Runs a game; whatever ends it, what is on disk stays.

    Raises:
        UsageError: The profile's folder does not work, or the table is not to be had.
    """
    try:
        asyncio.run(game)
    except (StoreError, LobbyError) as error:
        raise UsageError(str(error)) from error
    except KeyboardInterrupt:
        tell("Stopped. `p2p-sheriff resume` goes on with a game that has begun.")
        return _INTERRUPTED
    return 0


async def sit(
    node: Node, profile: Profile, session: Session, told: State | None = None, keyboard: Keyboard | None = None
) -> None:
    """Lets a person play, again and again with the same people if they like.

    Args:
        node: Where they play.
        profile: Where the transcripts are kept.
        session: A game that has begun.
        told: The state that a resumed game goes on from.
        keyboard: What they type on, if they have typed already: there can be one only.
    """
    keyboard = keyboard or Keyboard()
    game: Session | None = session
    while game is not None and await _play(node, profile, game, told, keyboard):
        game, told = await play_again(node, game, keyboard), None


async def _play(node: Node, profile: Profile, session: Session, told: State | None, keyboard: Keyboard) -> bool:
    """Lets a person play one game, and keeps its transcript; returns whether it came to its end."""
    game = session.table.charter.game
    _remember(profile, session)
    tell(f"The words of this table: {' '.join(game_words(game))}.")
    tell("Everybody sees the same ones, unless somebody is in between.")
    if not await LineSeat(node, session, told or new_game(session.play.state.setup), keyboard).play():
        tell("You left the table for now. `p2p-sheriff resume` goes on with the game.")
        return False
    if not session.play.is_over or node.keeper is None:
        return False
    path = profile.keep_transcript(game, record_of(session.table).to_bytes())
    if not await node.settle(_SETTLE_SECONDS):
        tell("Not all others have seen the end of the game; it is on the disks of those who have.")
    await node.finish()
    tell(f"The transcript is in {path}; `p2p-sheriff audit` checks it.")
    return True


def _remember(profile: Profile, session: Session) -> None:
    """Notes who has which name: nobody else may come with it. Those of bots are everybody's."""
    for seat, player in enumerate(session.table.charter.players):
        if seat != session.seat and player.name not in BOTS:
            profile.pin(player.name, player.identity)
