"""A node's copy of one game, as it is compared with the copies of others: each sends what the other lacks."""

from collections.abc import Iterator, Sequence

from p2p_sheriff.node.events import Seen
from p2p_sheriff.node.figures import Figures
from p2p_sheriff.session.happenings import GameEvent
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.charter import Charter
from protocol.entry import Head, SignedEntry
from protocol.errors import MalformedError


class GameCopy:
    """All entries of a game that are here."""

    def __init__(self, player: Session | Spectator) -> None:
        """Takes who checks and folds them: who plays, or looks on."""
        self._player, self._table = player, player.table
        self.figures = Figures(player.table)
        self.seen = Seen(player.table.game)
        """What can be seen of the game, as it was looked at last: a value, which anybody may read at any time."""

    def look(self) -> None:
        """Looks at the game as it is now."""
        self.seen = Seen(self._table.game)

    def take_events(self) -> list[GameEvent]:
        """Returns what happened since the last call."""
        events, self._player.events = self._player.events, []
        return events

    @property
    def charter(self) -> Charter:
        """What is played, and by whom."""
        return self._table.charter

    @property
    def game(self) -> bytes:
        """The id of the game."""
        return self._table.charter.game

    @property
    def heads(self) -> tuple[Head, ...]:
        """How much of each chain may be told to others."""
        return self._table.transcript.heads

    def disputed(self, heads: Sequence[Head]) -> list[bytes]:
        """Returns our versions of entries of which somebody with these heads has other ones: both prove who lied.

        Raises:
            MalformedError: They are not the heads of this game.
        """
        chains, ours = self._table.transcript.chains, self.heads
        return [
            chain[theirs.length - 1].to_bytes()
            for chain, theirs, own in zip(chains, self.checked(heads), ours, strict=True)
            if 0 < theirs.length <= own.length and chain[theirs.length - 1].hash != theirs.hash
        ]

    def checked(self, heads: Sequence[Head]) -> Sequence[Head]:
        """Returns these heads.

        Raises:
            MalformedError: They are not the heads of this game.
        """
        if len(heads) != len(self._table.charter.players):
            raise MalformedError("there is one head for every seat")
        return heads

    def between(self, since: Sequence[int], until: Sequence[int]) -> Iterator[SignedEntry]:
        """Yields a part of all chains, each entry after those that it names, as far as they are in this part."""
        chains, lengths = self._table.transcript.chains, list(since)
        is_going_on = True
        while is_going_on:
            is_going_on = False
            for seat, chain in enumerate(chains):
                while lengths[seat] < until[seat] and _follows(chain[lengths[seat]], lengths):
                    yield chain[lengths[seat]]
                    lengths[seat] += 1
                    is_going_on = True


class WatchedCopy(GameCopy):
    """The copy of somebody who only looks: nothing is written, nothing is kept."""

    def __init__(self, spectator: Spectator) -> None:
        """Takes who looks."""
        super().__init__(spectator)
        self.spectator = spectator

    def receive(self, data: bytes) -> None:
        """Takes an entry from anywhere.

        Raises:
            VerificationError: It is no entry of this game.
        """
        with self.figures.timed(writes=False):
            self.spectator.receive(data)
        self.look()


def _follows(signed: SignedEntry, lengths: Sequence[int]) -> bool:
    return all(head.length <= length for head, length in zip(signed.entry.heads, lengths, strict=True))
