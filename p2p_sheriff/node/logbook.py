"""What a node notes for whoever looks for a fault: connections, refusals, games, never a secret.

Only the events below are noted, and of them only what everybody on the network may know: names, reasons, ids. What is
in a bag, a hand or a key is in none of them; what people say to each other is their own business.
"""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from time import monotonic
from typing import Final

from p2p_sheriff.gathering.gathering import Closed
from p2p_sheriff.node import events
from p2p_sheriff.node.allowance import Bucket
from p2p_sheriff.node.disk import PRIVATE_FILE
from p2p_sheriff.node.events import NodeEvent
from protocol.charter import Charter
from protocol.faults import Fault
from protocol.identity import PublicIdentity

NAME: Final = "log"
_MAX_BYTES: Final = 1 << 20
_OLD_FILES: Final = 2

_LINES_PER_SECOND: Final = 0.1
_LINES_IN_A_ROW: Final = 500
"""About who comes and goes: strangers do so as often as they like, and would rotate all that matters away."""

_log = logging.getLogger(__name__)


class EventQueue(asyncio.Queue[NodeEvent]):
    """What the player is told; it is noted as it comes. Of events that replace each other, the last one waits."""

    _queue: deque[NodeEvent]

    def __init__(self) -> None:
        """Starts empty."""
        super().__init__()
        self._lines = Bucket(_LINES_PER_SECOND, _LINES_IN_A_ROW)
        self._unnoted = 0

    def _put(self, item: NodeEvent) -> None:
        self._note(item)
        if isinstance(
            item, events.TablesChanged | events.GamesChanged
        ):  # Strangers change these as often as they like.
            for waiting in (one for one in self._queue if type(one) is type(item)):
                self._queue.remove(waiting)
                break
        self._queue.append(item)

    def _note(self, item: NodeEvent) -> None:
        if isinstance(item, events.PeerUp | events.PeerDown | events.Refused):
            if not self._lines.take(monotonic()):
                self._unnoted += 1
                return
            if self._unnoted:
                _log.info("%d times somebody came, went or was refused, and it is not noted", self._unnoted)
                self._unnoted = 0
        _note(item)


def _note(event: NodeEvent) -> None:
    match event:
        case events.PeerUp(identity, name):
            _log.info("connected: %s, key %s", name, _short(identity))
        case events.PeerDown(identity, name, reason):
            _log.info("not connected any more: %s, key %s: %s", name, _short(identity), reason)
        case events.Refused(name, sentence):
            _log.info("no connection with %s: %s", name, sentence)
        case events.GameStarted(session):
            is_new = session.play.state.next_handle == 0
            _log.info("game %s: %s", _game(session.table.charter), "begins" if is_new else "goes on after a restart")
        case events.WatchingStarted(spectator):
            _log.info("game %s is watched", _game(spectator.table.charter))
        case Closed(reason):
            _log.info("the table is closed: %s", reason)
        case Fault():
            _log.warning("fault of seat %d: %s: %s", event.seat, event.code.name, event.reason)
        case events.Obstacle(sentence):
            _log.warning("obstacle: %s", sentence)
        case events.Trouble(sentence):
            _log.error("trouble: %s", sentence)
        case _:
            pass


def _short(identity: PublicIdentity) -> str:
    return identity.key.hex()[:8]


def _game(charter: Charter) -> str:
    return f"{charter.game.hex()[:8]} of {', '.join(player.name for player in charter.players)}"


# -- the file


@contextmanager
def keep_log(folder: Path) -> Iterator[None]:
    """Writes what is noted into a file in this folder; it begins a new one when it is large, and keeps two old ones.

    The folder need not exist before something is noted.
    """
    handler = _PrivateFile(folder / NAME, maxBytes=_MAX_BYTES, backupCount=_OLD_FILES, encoding="utf-8", delay=True)
    handler.setFormatter(_Printable("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root, ours = logging.getLogger(), logging.getLogger("p2p_sheriff")
    level, raising = ours.level, logging.raiseExceptions
    root.addHandler(handler)
    ours.setLevel(logging.INFO)
    logging.raiseExceptions = False  # A full disk must not fill the player's screen: the game itself tells of it.
    try:
        yield
    finally:
        root.removeHandler(handler)
        with suppress(OSError):  # A full disk, again.
            handler.close()
        ours.setLevel(level)
        logging.raiseExceptions = raising


class _PrivateFile(RotatingFileHandler):
    """A log that only its owner can read."""

    def _open(self) -> TextIOWrapper:
        opener = partial(os.open, mode=PRIVATE_FILE)
        return open(self.baseFilename, "a", encoding="utf-8", errors="backslashreplace", opener=opener)


class _Printable(logging.Formatter):
    """One record, one line: what others are called or say can't begin a line of its own, nor move a cursor."""

    def format(self, record: logging.LogRecord) -> str:
        """Returns the line, and the lines of an exception after it."""
        return "\n".join(map(_escaped, super().format(record).split("\n")))

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Returns the line itself: what looks like its end is not."""
        return _escaped(super().formatMessage(record))


def _escaped(line: str) -> str:
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in line)
