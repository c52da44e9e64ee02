"""The joint coin."""

from dataclasses import dataclass, replace

from p2p_sheriff.rules import Seat
from p2p_sheriff.rules.demands import Toss
from p2p_sheriff.rules.facts import Coin
from p2p_sheriff.session.acts import Act, Commits, Reveals
from p2p_sheriff.session.board import Board
from p2p_sheriff.session.passes.passing import B, Maker, Passing, asked
from protocol.codec import Value
from protocol.coin import SHARE_BYTES, commit_share, toss, verify_share
from protocol.table import ForbiddenError, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Tossing(Passing):
    """All seats at once commit to a share of the joint coin; then all at once reveal theirs."""

    name = "coin"
    coin: Toss
    context: tuple[Value, ...]
    """Which toss it is, and who is out: when somebody leaves, it is another one."""
    commitments: tuple[tuple[Seat, bytes], ...] = ()
    entries: tuple[tuple[Seat, int], ...] = ()
    """Which entries they are in: seat and number."""
    shares: tuple[bytes, ...] = ()

    @classmethod
    def begin(cls, board: Board, coin: Toss) -> "Tossing":
        """Returns a coin that is to be tossed."""
        state, seats = board.state, board.state.seats
        gone = (seat for seat in state.setup.seats if seat not in seats)
        context = (board.game, state.round, coin.purpose.value, *gone)
        return cls(waiting=seats, of=2 * len(seats), coin=coin, context=context)

    @property
    def is_committed(self) -> bool:
        """Whether all have committed, so that all reveal now."""
        return 2 * len(self.commitments) == self.of

    @property
    def done(self) -> int:
        return len(self.commitments) + len(self.shares)

    @property
    def expected(self) -> tuple[Seat, ...]:
        return self.waiting

    @property
    def releasers(self) -> tuple[Seat, ...]:
        return self.waiting if self.is_committed else ()

    def make(self, maker: Maker, _turn: Turn, _index: int) -> Act:
        if self.is_committed:
            return Reveals(maker.share)
        maker.share = maker.rng(SHARE_BYTES)
        return Commits(commit_share(self.context, maker.seat, maker.share))

    def after(self, board: Board, turn: Turn, act: Act, _index: int) -> Passing:
        author = Seat(turn.entry.author)
        rest = tuple(seat for seat in self.waiting if seat != author)
        if self.is_committed:
            share = asked(Reveals, turn, act).share
            if not all(turn.shows(seat, *entry) for seat in board.state.seats for entry in self.entries):
                raise ForbiddenError("a share is revealed when all have seen all commitments, and not before")
            verify_share(dict(self.commitments)[author], self.context, author, share)
            return replace(self, shares=(*self.shares, share), waiting=rest)
        commitments = (*self.commitments, (author, asked(Commits, turn, act).commitment))
        entries = (*self.entries, (author, turn.entry.sequence))
        return replace(self, commitments=commitments, entries=entries, waiting=rest or board.state.seats)

    def completed(self, board: B) -> B:
        return board.record(Coin(self.coin.purpose, toss(self.context, self.shares, self.coin.sides)))

    def lost(self, maker: Maker) -> tuple[str, ...]:
        promised = dict(self.commitments).get(maker.seat)
        is_kept = bool(maker.share) and commit_share(self.context, maker.seat, maker.share) == promised
        return () if promised is None or is_kept else ("its share of the coin",)
