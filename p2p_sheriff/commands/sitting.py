"""A person's game from its first line to the transcript: what all commands for people share."""

import asyncio
from collections.abc import Coroutine

from p2p_sheriff.commands.lineseat import Keyboard, LineSeat, printable, tell
from p2p_sheriff.lobby import Changed
from p2p_sheriff.node.disk import StoreError
from p2p_sheriff.node.events import NodeEvent, PeerUp
from p2p_sheriff.node.profile import Profile
from p2p_sheriff.node.runner import Node
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
        UsageError: The profile's folder does not work.
    """
    try:
        asyncio.run(game)
    except StoreError as error:
        raise UsageError(str(error)) from error
    except KeyboardInterrupt:
        tell("Stopped. `p2p-sheriff resume` goes on with the game.")
        return _INTERRUPTED
    return 0


async def sit(node: Node, profile: Profile, session: Session, told: State | None = None) -> None:
    """Lets a person play, and keeps the transcript; ``told`` is the state that a resumed game goes on from."""
    told = told or new_game(session.play.state.setup)
    if not await LineSeat(node, session, told, Keyboard()).play():
        tell("You left the table for now. `p2p-sheriff resume` goes on with the game.")
    elif session.play.is_over and node.keeper is not None:
        path = profile.keep_transcript(session.table.charter.game, record_of(session.table).to_bytes())
        if not await node.settle(_SETTLE_SECONDS):
            tell("Not all others have seen the end of the game; it is on the disks of those who have.")
        await asyncio.to_thread(node.keeper.finish)
        tell(f"The transcript is in {path}; `p2p-sheriff audit` checks it.")


def say_who(event: NodeEvent) -> None:
    """Tells who comes and sits down while a table is being gathered."""
    match event:
        case PeerUp(_, name):
            tell(f"{printable(name)} is on the network.")
        case Changed(info):
            seats = ", ".join(f"{printable(one.name)}{'' if one.ready else ' (not ready)'}" for one in info.members)
            tell(f"At the table: {seats}. Free seats: {info.free_seats}.")
        case _:
            pass
