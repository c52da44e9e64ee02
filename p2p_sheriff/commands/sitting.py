"""A person's game from its first line to the transcript: what all commands for people share."""

import asyncio
from collections.abc import Coroutine

from p2p_sheriff.commands.company import NAMES as BOTS
from p2p_sheriff.fronts.lines.lineseat import Keyboard, LineSeat, table_words
from p2p_sheriff.fronts.lines.rematch import play_again
from p2p_sheriff.fronts.lines.teller import tell
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import State, new_game
from p2p_sheriff.session.record import record_of
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import ENGLISH, Texts, refusal_sentence
from p2p_sheriff.usage import UsageError

_SETTLE_SECONDS = 10
_INTERRUPTED = 130
"""The exit code of a program that was stopped from the keyboard."""


def run_game(game: Coroutine[None, None, None], texts: Texts = ENGLISH) -> int:
    """Runs a game; whatever ends it, what is on disk stays.

    Raises:
        UsageError: The profile's folder does not work, or the table is not to be had.
    """
    try:
        asyncio.run(game)
    except (StoreError, LobbyError) as error:
        raise UsageError(refusal_sentence(error, texts)) from error
    except KeyboardInterrupt:
        tell(texts("seat.stopped"))
        return _INTERRUPTED
    return 0


async def sit(
    node: Node,
    profile: Profile,
    session: Session,
    told: State | None = None,
    keyboard: Keyboard | None = None,
    texts: Texts = ENGLISH,
) -> None:
    """Lets a person play, again and again with the same people if they like.

    Args:
        node: Where they play.
        profile: Where the transcripts are kept.
        session: A game that has begun.
        told: The state that a resumed game goes on from.
        keyboard: What they type on, if they have typed already: there can be one only.
        texts: The language.
    """
    keyboard = keyboard or Keyboard()
    game: Session | None = session
    while game is not None and await _play(node, profile, game, told, keyboard, texts):
        game, told = await play_again(node, game, keyboard, texts), None


async def _play(
    node: Node, profile: Profile, session: Session, told: State | None, keyboard: Keyboard, texts: Texts
) -> bool:
    """Lets a person play one game, and keeps its transcript; returns whether it came to its end."""
    game = session.table.charter.game
    remember(profile, session)
    for line in table_words(game, texts):
        tell(line)
    if not await LineSeat(node, session, told or new_game(session.play.state.setup), keyboard, texts=texts).play():
        tell(texts("seat.left"))
        return False
    if not session.play.is_over or node.keeper is None:
        return False
    path = profile.keep_transcript(game, record_of(session.table).to_bytes())
    if not await node.settle(_SETTLE_SECONDS):
        tell(texts("seat.unsettled"))
    await node.finish()
    tell(texts("seat.transcript", path=path))
    return True


def remember(profile: Profile, session: Session) -> None:
    """Notes who has which name: nobody else may come with it. Those of bots are everybody's."""
    for seat, player in enumerate(session.table.charter.players):
        if seat != session.seat and player.name not in BOTS:
            profile.pin(player.name, player.identity)
