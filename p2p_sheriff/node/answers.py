"""What is sent to those who lack something: as fast as they can take it, and never the same again for the asking."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from p2p_sheriff.node.copy import GameCopy
from protocol.entry import Head
from protocol.identity import PublicIdentity

MAX_ANSWER_BYTES: Final = 1 << 20
"""More than a whole game: who comes late has it all with the first answer."""


@dataclass(slots=True)
class _Answer:
    """The last one to somebody about a game."""

    heads: tuple[Head, ...]
    """What they had."""
    sent: Sequence[int]
    """How much of each chain they have when it has arrived."""
    shown: int
    """How many entries of ours they were shown for which they have others, in this turn."""
    time: float


class Answers:
    """Remembers what is on the way to whom, for checking a game takes longer than sending it."""

    def __init__(self, pause_seconds: float, most_bytes: int = MAX_ANSWER_BYTES) -> None:
        """Takes how long nobody gets another answer after one, and how much of entries one has at the most."""
        self._pause_seconds, self._most_bytes = pause_seconds, most_bytes
        self._last: dict[tuple[PublicIdentity, bytes], _Answer] = {}

    def forget(self, peer: PublicIdentity) -> None:
        """Starts from the beginning with somebody: what was on the way may be lost."""
        self._last = {key: answer for key, answer in self._last.items() if key[0] != peer}

    def to(self, peer: PublicIdentity, copy: GameCopy, heads: tuple[Head, ...], now: float) -> list[bytes]:
        """Returns the entries to send to somebody who has these heads, in an order in which they can be taken.

        What was sent before is sent again only to who has got nowhere since.

        Raises:
            MalformedError: They are not the heads of this game.
        """
        since, last = [head.length for head in copy.checked(heads)], self._last.get((peer, copy.game))
        if last is not None:
            if now < last.time + self._pause_seconds:
                return []
            if heads != last.heads:
                since = [max(pair) for pair in zip(since, last.sent, strict=True)]
        disputed, until = copy.disputed(heads), [head.length for head in copy.heads]
        for seat in disputed:  # Of these, whatever was sent may have been dropped: they are shown again, all in turn.
            since[seat] = until[seat]
        answer, size = list[bytes](), 0
        for signed in copy.between(since, until):
            size += len(signed.body)
            if size > self._most_bytes:
                break
            answer.append(signed.to_bytes())
            since[signed.entry.author] += 1
        aside = [signed for ours in disputed.values() for signed in ours]
        shown, size = last.shown if last is not None and last.shown < len(aside) else 0, 0
        for signed in aside[shown:]:
            size += len(signed.body)
            if size > self._most_bytes:
                break
            answer.append(signed.to_bytes())
            shown += 1
        time = now if answer else last.time if last is not None else -inf
        self._last[peer, copy.game] = _Answer(heads, since, shown, time)
        return answer
