"""A node's copy of one game, as it is compared with the copies of others: each sends what the other lacks."""

from collections.abc import Iterator, Sequence

from p2p_sheriff.node.events import Seen
from p2p_sheriff.node.figures import Figures
from p2p_sheriff.rules import Seat
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
        self.seen = Seen(player.table.game, awaited=self.awaited, votes=self.votes)
        """What can be seen of the game, as it was looked at last: a value, which anybody may read at any time."""

    def look(self) -> None:
        """Looks at the game as it is now."""
        self.seen = Seen(self._table.game, awaited=self.awaited, votes=self.votes)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Whose entry is not here yet that the game goes on with; after a ballot, who has not seen its votes."""
        table, votes = self._table, self._table.unconfirmed
        unseen = (seat for seat in table.seats if not all(table.has_seen(seat, vote) for vote in votes))
        return tuple(map(Seat, unseen)) or self._player.waits_for

    @property
    def votes(self) -> dict[Seat, tuple[Seat, ...]]:
        """Of each seat that has voted in a ballot that is not complete: whom it wants to go on without."""
        return {Seat(seat): tuple(map(Seat, vote.out)) for seat, vote in sorted(self._table.ballot.items())}

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
        return self._table.transcript.tips

    @property
    def evidence(self) -> list[SignedEntry]:
        """What proves the faults that were found here."""
        return [signed for fault in list(self._table.faults.values()) for signed in fault.evidence]

    def disputed(self, heads: Sequence[Head]) -> dict[Seat, list[SignedEntry]]:
        """Returns our branch of each chain of which somebody with these heads has another one, from its end back.

        Two versions of an entry prove who lied: so the one comes first of which they must have another. And what was
        written on either must reach everybody who votes on that. An entry of another branch is kept by who has one that
        names it: so the last comes first of all others.

        Raises:
            MalformedError: They are not the heads of this game.
        """
        transcript, ours = self._table.transcript, dict[Seat, list[SignedEntry]]()
        chains = zip(transcript.chains, self.checked(heads), self.heads, strict=True)
        for seat, (chain, theirs, own) in enumerate(chains):
            end = min(theirs.length, own.length)
            if end and self._is_other_branch(chain[end - 1], theirs):
                known = transcript.history.branch(theirs.hash) if transcript.history.named(theirs) else ()
                shared = {signed.hash for signed in known}
                others = (signed for signed in chain[: own.length][::-1] if signed.hash not in shared)
                ours[Seat(seat)] = list(dict.fromkeys((chain[end - 1], *others)))
        return ours

    def _is_other_branch(self, ours: SignedEntry, theirs: Head) -> bool:
        """Whether a head is known not to be on the branch of an entry of ours that is not longer."""
        if ours.entry.sequence == theirs.length - 1:
            return ours.hash != theirs.hash
        history = self._table.transcript.history
        return history.named(theirs) is not None and not history.follows(theirs.hash, ours.hash)

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
