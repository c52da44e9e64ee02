"""A seat that keeps the rules, and an onlooker: procedures 1, 4, 5, 8, 9 and 10 on top of the counting."""

from tests.ballots.counting import Certificates, Counting, Fold, Log, Protections, View, keys, last_try
from tests.ballots.ledger import Entry, Heads, Ledger, Mask, Seats, See, Slot, Vote, Words, chain, past
from tests.ballots.schedules import Play


class PlainSeat:
    """What it folds is a function of what it has delivered and of its own chain: there is nothing else to restore."""

    def __init__(self, counting: Counting, seat: int | None) -> None:
        self.counting, self.seat = counting, seat
        self.received: Mask = 0
        self.view = View(0, (None,) * len(counting.ledger.seats))
        self.last: Entry | None = None
        self._folded: tuple[View, Entry | None, Fold] | None = None

    @property
    def best(self) -> Certificates:
        return self.counting.best(self.view)

    @property
    def fold(self) -> Fold:
        if self._folded is None or self._folded[:2] != (self.view, self.last):
            self._folded = self.view, self.last, self.counting.fold(*self.counting.held(self.view, self.last))
        return self._folded[2]

    @property
    def is_bound(self) -> bool:
        return self.counting.open_vote(self.view, self.last) is not None

    @property
    def log(self) -> Log:
        return self.fold.log

    @property
    def step(self) -> int:
        return self.fold.step

    @property
    def seated(self) -> Seats:
        return self.fold.seated

    @property
    def staying(self) -> Seats:
        return self.counting.seated(self.best)

    @property
    def is_out(self) -> bool:
        return self.seat is not None and self.seat not in self.seated

    def deliver(self, entry: Entry) -> None:
        """4 RECEIVE: takes an entry, and delivers what has all its heads here, on whatever branch."""
        self.received |= 1 << entry.number
        is_new = True
        while is_new:
            is_new = False
            for each in self.counting.ledger.of(self.received & ~self.view.delivered):
                if not each.before & ~self.view.delivered:
                    self._append(each)
                    is_new = True
        self._follow_votes()

    def _follow_votes(self) -> None:
        """Goes by the branch of a seat that holds its vote for what counts: else no later entry has it in its past."""
        tips = list(self.view.tips)
        for vote in (vote for certificate in self.best for vote in certificate.votes):
            if not chain(tips[vote.author]) >> vote.number & 1:
                own = self.counting.ledger.of(self.view.delivered & self.counting.ledger.by[vote.author])
                later = [entry for entry in own if entry.chain >> vote.number & 1]
                tips[vote.author] = max(later, key=lambda entry: entry.sequence)
        self.view = View(self.view.delivered, tuple(tips))

    def _append(self, entry: Entry) -> None:
        tips = list(self.view.tips)
        if tips[entry.author] is entry.previous:
            tips[entry.author] = entry
        self.view = View(self.view.delivered | 1 << entry.number, tuple(tips))

    def restart(self) -> None:
        """Forgets what was delivered after the last own entry."""
        self.received = self.last.past if self.last else 0
        tips = list(self.last.heads if self.last else (None,) * len(self.view.tips))
        if self.seat is not None:
            tips[self.seat] = self.last
        self.view = View(self.received, tuple(tips))

    def heads(self) -> Heads:
        """8 HEADS: the own branches; of other seats that are out, the cut, once all votes are named."""
        heads, best = list(self.view.tips), self.best
        for place, certificate in enumerate(best):
            if not certificate.mask & ~past(heads):
                for seat, head in self.counting.cut(best[:place], certificate).items():
                    heads[seat] = self.last if seat == self.seat else head
        return tuple(heads)

    def _write(self, words: Words) -> Entry | None:
        if self.seat is None:
            return None
        ledger = self.counting.ledger
        self.last = ledger.add(ledger.draft(self.seat, self.heads(), words))
        self.deliver(self.last)
        return self.last

    def see(self) -> Entry | None:
        """Names what is new, if it matters."""
        if self.seat is None or self.is_out:
            return None
        draft = self.counting.ledger.draft(self.seat, self.heads(), See())
        return self._write(See()) if self.counting.names_news(draft) else None

    def slot(self) -> Entry | None:
        """9 RESUME SLOTS: writes the slot entry of this step, if it is the own turn and nothing forbids it."""
        counting, fold, best, seat = self.counting, self.fold, self.best, self.seat
        if seat is None or self.is_bound or not counting.is_due(fold, seat, self.last, best):
            return None
        if counting.ledger.forks(self.view.delivered, fold.seated):
            return None
        must_be_seen = fold.prior if fold.is_secret else 0
        if counting.protections.confirmation and best:
            must_be_seen |= best[-1].mask
        others = fold.seated - {seat}
        if all(counting.has_seen(other, must_be_seen, self.view.delivered, best) for other in others if must_be_seen):
            return self._write(Slot(fold.step))
        return None

    def vote(self, out: Seats) -> Entry | None:
        """1 WRITE VOTE: joins those who vote for the same, or begins a new try."""
        best, named = self.best, past(self.heads())
        if self.seat is None or self.is_out:
            return None
        attempt = max(self._tries(out, named), default=-1)
        if attempt <= self.counting.highest(chain(self.last)):
            attempt = 1 + self.counting.highest(named)
        vote = Vote(keys(best), out, attempt)
        return self._write(vote) if self.counting.may_vote(self.seat, vote, self.last, best) else None

    def join(self, unwanted: Seats) -> Entry | None:
        """10 JOIN: votes for what the player wants, if somebody must go or a ballot is open, and there is news."""
        best, named = self.best, past(self.heads())
        out = unwanted & self.counting.seated(best)
        open_tries = [vote.attempt for _, vote in self._on_best(named) if vote.attempt > last_try(best)]
        if not out and not self.is_bound and not open_tries:
            return None
        mine = [vote for _, vote in self.counting.ledger.votes_in(chain(self.last))][-1:]
        is_said = mine == [Vote(keys(best), out, max(self._tries(out, named), default=-1))]
        return None if is_said else self.vote(out)

    def _on_best(self, named: Mask) -> list[tuple[Entry, Vote]]:
        under = keys(self.best)
        return [(entry, vote) for entry, vote in self.counting.ledger.votes_in(named) if vote.below == under]

    def _tries(self, out: Seats, named: Mask) -> list[int]:
        return [vote.attempt for _, vote in self._on_best(named) if vote.out == out]


def plain_table(seats: int, liars: Seats = frozenset(), protections: Protections | None = None) -> Play:
    """Returns a table of such seats, with an onlooker beside it."""
    ledger = Ledger(seats)
    counting = Counting(ledger, protections or Protections())
    return Play(ledger, [PlainSeat(counting, seat) for seat in [*range(seats), None]], liars, counting.fault)
