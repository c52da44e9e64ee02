"""Real tables go through the schedules of the model: with signatures, and the code that plays.

What they write is noted in the ledger of the model too, so the model judges it, and its checks hold of both.
"""

from dataclasses import dataclass, replace

from protocol.ballots import Vote as RealVote
from protocol.ballots import is_vote, keys, read_vote, vote_payload
from protocol.codec import Value
from protocol.entry import Entry as RealEntry
from protocol.entry import Head, SignedEntry
from protocol.errors import LocalError, MalformedError
from protocol.table import Table, Turn
from tests.ballots.counting import Counting, Gone, Log, Protections, Taken
from tests.ballots.ledger import Entry, Ledger, Seats, See, Slot, Vote, Words
from tests.ballots.schedules import BrokenError, Play
from tests.protocol.toy import charter_of, identities


@dataclass(frozen=True, slots=True)
class Walk:
    """A game without content: each writes in turn, and in every fourth step all at once, as in the model."""

    seated: Seats
    step: int = 0
    written: tuple[int, ...] = ()

    def expected(self) -> tuple[int, ...]:
        order = sorted(self.seated)
        if len(order) < 2:
            return ()
        stage = order if self.step % 4 == 3 else order[self.step % len(order) :][:1]
        return tuple(seat for seat in stage if seat not in self.written)

    def fold(self, turn: Turn) -> "Walk":
        if not isinstance(turn.entry.payload, int):
            raise MalformedError("a step is a number")
        after = replace(self, written=(*self.written, turn.entry.author))
        return after if after.expected() else Walk(self.seated, self.step + 1)

    def left(self, seats: tuple[int, ...]) -> "Walk":
        return Walk(self.seated - set(seats), self.step + 1)

    def check_words(self, entry: RealEntry) -> None:
        if not isinstance(entry.payload, int):
            raise MalformedError("words are numbers")


class Press:
    """Prints what the ledger holds as signed entries, and the other way round."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger, self.players = ledger, identities(len(ledger.seats), "ballots")
        self.charter = charter_of(self.players, seed="ballots")
        self._printed: dict[int, SignedEntry] = {}
        self._noted: dict[bytes, Entry] = {}

    def signed(self, entry: Entry) -> SignedEntry:
        """Returns an entry of the ledger as it is sent; only liars' ones are not there yet."""
        if entry.number not in self._printed:
            heads = tuple(self._head(head) for head in entry.heads)
            step, payload = _content(entry.words)
            real = RealEntry(self.charter.game, entry.author, heads, step, payload)
            self._keep(entry, SignedEntry.sign(self.players[entry.author], real))
        return self._printed[entry.number]

    def note(self, signed: SignedEntry) -> Entry:
        """Returns an entry that a table has written as it stands in the ledger."""
        if signed.hash not in self._noted:
            heads = tuple(self._noted[head.hash] if head.length else None for head in signed.entry.heads)
            draft = self.ledger.draft(signed.entry.author, heads, _words(signed.entry))
            self._keep(self.ledger.add(draft), signed)
        return self._noted[signed.hash]

    def _keep(self, entry: Entry, signed: SignedEntry) -> None:
        self._printed[entry.number], self._noted[signed.hash] = signed, entry

    def _head(self, entry: Entry | None) -> Head:
        return Head(entry.sequence + 1, self.signed(entry).hash) if entry else Head(0, self.charter.game)


def _content(words: Words) -> tuple[int | None, Value]:
    match words:
        case Slot(step, choice):
            return step, choice
        case Vote(below, out, attempt):
            under = tuple((each, tuple(sorted(gone))) for each, gone in below)
            return None, vote_payload(RealVote(under, tuple(sorted(out)), attempt))
        case See(choice):
            return None, choice or None


def _words(entry: RealEntry) -> Words:
    if is_vote(entry):
        vote = read_vote(entry)
        return Vote(tuple((each, frozenset(gone)) for each, gone in vote.below), frozenset(vote.out), vote.attempt)
    choice = entry.payload if isinstance(entry.payload, int) else 0
    return See(choice) if entry.step is None else Slot(entry.step, choice)


class RealSeat:
    """A table with an identity, or an onlooker's without."""

    def __init__(self, press: Press, seat: int | None, liars: Seats) -> None:
        self._press, self.seat, self._liars = press, seat, liars
        self._received: dict[bytes, SignedEntry] = {}
        self._table = self._sit_down()

    def _sit_down(self) -> Table[Walk]:
        identity = None if self.seat is None else self._press.players[self.seat]
        return Table(self._press.charter, Walk(self._press.ledger.seats), identity)

    @property
    def log(self) -> Log:
        return tuple(self._item(step, entries) for step, entries in self._table.log)

    def _item(self, step: int, entries: tuple[SignedEntry, ...]) -> Taken | Gone:
        if is_vote(entries[0].entry):
            vote = read_vote(entries[0].entry)
            return Gone(step, (vote.attempt, frozenset(vote.out)))
        return Taken(step, self._press.note(entries[0]))

    @property
    def step(self) -> int:
        return self._table.step

    @property
    def seated(self) -> Seats:
        return frozenset(self._table.seats)

    @property
    def staying(self) -> Seats:
        return frozenset(self._table.transcript.ballots.remaining(self._table.best))

    @property
    def is_out(self) -> bool:
        return self.seat is not None and self.seat not in self.seated

    def deliver(self, entry: Entry) -> None:
        signed = self._press.signed(entry)
        self._received[signed.hash] = signed
        self._hear()

    def _hear(self) -> None:
        """Takes all that is here and was not taken yet: a second version is kept only once somebody names it."""
        transcript, before = self._table.transcript, None
        while left := [one for one in self._received.values() if one.hash not in transcript.history]:
            now = len(left), transcript.missing()
            if now == before:
                break
            before = now
            for signed in left:
                self._table.take(signed)
        if blamed := set(self._table.faults) - self._liars:
            raise BrokenError(f"P5: {blamed} are blamed: {self._table.faults}")

    def restart(self) -> None:
        """Forgets what came after the last own entry."""
        transcript = self._table.transcript
        own = transcript.chains[self.seat] if self.seat is not None else []
        entries = list(transcript.in_order(transcript.history.upto(own[-1].hash))) if own else []
        self._received = {signed.hash: signed for signed in entries}
        self._table = self._sit_down()
        self._hear()

    def _written(self, data: bytes) -> Entry:
        signed = SignedEntry.from_bytes(self._press.charter, data)
        self._received[signed.hash] = signed
        return self._press.note(signed)

    def slot(self) -> Entry | None:
        if not self._table.may_write or not self._may_release():
            return None
        return self._written(self._table.write(0)[0])

    def _may_release(self) -> bool:
        """Whether all have seen what a secret answers: the entries of the step before, or votes."""
        log = self._table.log
        prior = [signed for step, entries in log if step == self.step - 1 for signed in entries]
        others = [seat for seat in self._table.seats if seat != self.seat]
        return self.step % 2 == 0 or all(self._table.has_seen(seat, signed) for signed in prior for seat in others)

    def see(self) -> Entry | None:
        if self.seat is None or self.is_out:
            return None
        try:
            return self._written(self._table.write(None, free=True)[0])
        except LocalError:
            return None

    def vote(self, out: Seats) -> Entry | None:
        if self.seat is None or self.is_out:
            return None
        try:
            return self._written(self._table.vote(tuple(sorted(out)))[0])
        except LocalError:
            return None

    def join(self, unwanted: Seats) -> Entry | None:
        table = self._table
        out = tuple(sorted(unwanted & self.staying))
        if self.seat is None or not (out or table.is_bound or table.ballot):
            return None
        mine = table.ballot.get(self.seat)
        tries = [vote.attempt for vote in table.ballot.values() if vote.out == out]
        is_said = mine is not None and (mine.below, mine.out) == (keys(table.best), out)
        return None if is_said and mine and mine.attempt >= max(tries) else self.vote(frozenset(out))


def real_table(seats: int, liars: Seats = frozenset()) -> Play:
    """Returns a table of such seats, with an onlooker beside it; the model judges what they write."""
    ledger = Ledger(seats)
    press, counting = Press(ledger), Counting(ledger, Protections())
    return Play(ledger, [RealSeat(press, seat, liars) for seat in [*range(seats), None]], liars, counting.fault)
