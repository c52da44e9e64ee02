"""The games of a player's own that are on the disk: those that were interrupted, and those that are over."""

import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from p2p_sheriff.node.profile import Profile
from p2p_sheriff.seat.hall import PastGame
from p2p_sheriff.session.record import MAX_CHARTER_BYTES, NotARecordError, Record
from protocol.errors import MalformedError
from protocol.group import Edwards25519

MOST: Final = 100
"""So many transcripts are listed, the latest."""


def waiting(profile: Profile) -> tuple[PastGame, ...]:
    """Returns the games that can be resumed, in the order in which the profile gives them."""
    games = profile.unfinished_games()
    return tuple(filter(None, (_found(profile.folder / "games" / f"{game.hex()}.log") for game in games)))


def over(profile: Profile) -> tuple[PastGame, ...]:
    """Returns the games that can be replayed, the latest first."""
    return kept_in(profile.folder)


def kept_in(folder: Path) -> tuple[PastGame, ...]:
    """Returns the same of a profile's folder that is only looked into: it may be in use."""
    games = _latest_first((folder / "games").glob("*.sheriff"))[:MOST]
    return tuple(replace(game, names=_players(game.path)) for game in games)


def told_time(when: float) -> str:
    """Returns a moment as it is written everywhere: 2026-03-01 20:15."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def _latest_first(paths: Iterable[Path]) -> list[PastGame]:
    return sorted(filter(None, map(_found, paths)), key=lambda game: game.when, reverse=True)


def _players(path: Path) -> tuple[str, ...]:
    """Returns who played; nobody if that can't be read: what is wrong is said when somebody wants to see the game.

    The charter comes first, so the beginning of the file is enough.
    """
    try:
        with path.open("rb") as file:
            charter = Record.from_bytes(Edwards25519(), file.read(2 * MAX_CHARTER_BYTES)).charter
    except (OSError, NotARecordError, MalformedError):
        return ()
    return tuple(player.name for player in charter.players)


def _found(path: Path) -> PastGame | None:
    """Returns the game in a file; None if its name is none of ours, or it is gone."""
    try:
        return PastGame(bytes.fromhex(path.stem), path, path.stat().st_mtime)
    except (ValueError, OSError):
        return None
