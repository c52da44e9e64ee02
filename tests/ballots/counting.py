"""How votes are counted, and what follows from them: functions of what a seat has delivered (procedures 2, 3, 6, 7).

Everything about an entry is judged by its past alone, so that all nodes judge alike, whatever else they have.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

from tests.ballots.ledger import Entry, Heads, Keys, Ledger, Mask, Seats, Slot, Vote, chain, past


@dataclass(frozen=True, slots=True)
class Protections:
    """What the rules protect by, each of which can be left out: a schedule must then find what it is for."""

    confirmation: bool = True
    """After a certificate nobody goes on before all have seen all its votes."""
    naming_free: bool = True
    """What a seat names while it is bound does not count as seen."""
    binding: bool = True
    """Who has voted folds nothing and writes no slot entry until a certificate of that try counts."""
    consistency: bool = True
    """Votes whose past shows two branches of somebody who would stay are no certificate."""


@dataclass(frozen=True, slots=True)
class Certificate:
    attempt: int
    out: Seats
    votes: tuple[Entry, ...]

    @property
    def mask(self) -> Mask:
        return sum(1 << vote.number for vote in self.votes)


Certificates: TypeAlias = tuple[Certificate, ...]


def keys(certificates: Certificates) -> Keys:
    return tuple((each.attempt, each.out) for each in certificates)


def last_try(certificates: Certificates) -> int:
    return certificates[-1].attempt if certificates else -1


@dataclass(frozen=True, slots=True)
class View:
    """What somebody has: all that was delivered, and of each seat the end of the branch that it goes by."""

    delivered: Mask
    tips: Heads


def view_of(entry: Entry) -> View:
    """Returns what an entry was written on."""
    return View(entry.before, entry.heads)


@dataclass(frozen=True, slots=True)
class Taken:
    """A slot entry has changed the state."""

    step: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Gone:
    """A certificate has."""

    step: int
    key: tuple[int, Seats]


Log: TypeAlias = tuple[Taken | Gone, ...]


@dataclass(frozen=True)
class Fold:
    log: Log
    step: int
    waiting: dict[int, Entry]
    """The entries of this step that are there, by seat."""
    prior: Mask
    """What this step answers: the entries of the one before, or the votes of a certificate."""
    seated: Seats

    @cached_property
    def expected(self) -> tuple[int, ...]:
        """Whose entry comes next: each in turn, and in every fourth step all at once."""
        order = sorted(self.seated)
        return tuple(order if self.step % 4 == 3 else order[self.step % len(order) :][:1]) if len(order) > 1 else ()

    @property
    def is_secret(self) -> bool:
        """Whether an entry of this step releases secrets, in answer to the choice of the one before."""
        return self.step % 2 == 1


class Counting:
    """Counts in a ledger; it remembers what it has counted."""

    def __init__(self, ledger: Ledger, protections: Protections) -> None:
        self.ledger, self.protections = ledger, protections
        self._best: dict[View, Certificates] = {}
        self._states: dict[Certificates, Fold] = {}
        self._folds: dict[tuple[Certificates, View], Fold] = {}

    def seated(self, certificates: Certificates) -> Seats:
        return self.ledger.seats.difference(*(each.out for each in certificates))

    def complete(self, mask: Mask, below: Certificates) -> Iterator[Certificate]:
        """2 COMPLETE: yields what the votes of a set decide on top of some certificates, in every version."""
        seated, under = self.seated(below), keys(below)
        ballots: dict[tuple[int, Seats], dict[int, list[Entry]]] = defaultdict(lambda: defaultdict(list))
        for entry, vote in self.ledger.votes_in(mask):
            if vote.below == under and vote.attempt > last_try(below):
                ballots[vote.attempt, vote.out][entry.author].append(entry)
        for (attempt, out), versions in ballots.items():
            voters = sorted(seated - out)
            if out <= seated and 2 * len(voters) > len(seated) and versions.keys() >= set(voters):
                for votes in product(*(versions[voter] for voter in voters)):
                    if not (self.protections.consistency and self.ledger.forks(past(votes), voters)):
                        yield Certificate(attempt, out, votes)

    def all_complete(self, mask: Mask) -> Iterator[Certificates]:
        """Yields every chain of complete ballots."""
        ahead: list[Certificates] = [()]
        while ahead:
            below = ahead.pop()
            for certificate in self.complete(mask, below):
                ahead.append((*below, certificate))
                yield ahead[-1]

    def best(self, view: View) -> Certificates:
        """3 BEST: the certificates that count."""
        if view not in self._best:

            def rank(certificates: Certificates) -> tuple[int, list[tuple[int, list[int]]]]:
                return last_try(certificates), [(own(each), lowest(each)) for each in reversed(certificates)]

            def own(certificate: Certificate) -> int:
                return sum(chain(view.tips[vote.author]) >> vote.number & 1 for vote in certificate.votes)

            def lowest(certificate: Certificate) -> list[int]:
                return [-vote.number for vote in certificate.votes]

            top: Certificates = max([(), *self.all_complete(view.delivered)], key=rank)
            found = list(top)
            for place in reversed(range(len(found))):
                for seat, head in self.cut(tuple(found[:place]), found[place]).items():
                    found[:place] = [self._on_branch(below, seat, head) for below in found[:place]]
            self._best[view] = tuple(found)
        return self._best[view]

    def _on_branch(self, certificate: Certificate, seat: int, head: Entry | None) -> Certificate:
        """Replaces the vote of a seat that was put out later by its version on the branch that counts."""

        def version(vote: Entry) -> Entry:
            own = self.ledger.votes_in(chain(head)) if vote.author == seat else ()
            return next((other for other, words in own if words == vote.words), vote)

        return Certificate(certificate.attempt, certificate.out, tuple(version(vote) for vote in certificate.votes))

    def cut(self, below: Certificates, certificate: Certificate) -> dict[int, Entry | None]:
        """6 CUT: returns the last entry that counts of each seat that a certificate puts out."""
        return {seat: self._cut(seat, below, certificate) for seat in sorted(certificate.out)}

    def _cut(self, seat: int, below: Certificates, certificate: Certificate) -> Entry | None:
        named = [(head, vote.author) for vote in certificate.votes if (head := vote.heads[seat]) is not None]
        voted = {key for key, each in zip(keys(below), below, strict=True) if seat not in each.out}

        def holds(head: Entry) -> bool:
            return voted <= {(vote.attempt, vote.out) for _, vote in self.ledger.votes_in(head.chain)}

        kept = [head for head, _ in named if holds(head)] or [head for head, _ in named]
        counted: Entry | None = None
        while nexts := {self._after(counted, head) for head in kept if head.chain & ~chain(counted)}:

            def support(entry: Entry) -> tuple[int, int]:
                voters = [voter for head, voter in named if head.chain >> entry.number & 1]
                return len(voters), -min(voters)

            counted = step = max(nexts, key=support)
            kept = [head for head in kept if head.chain >> step.number & 1]
        return counted

    def _after(self, entry: Entry | None, head: Entry) -> Entry:
        return min(self.ledger.of(head.chain & ~chain(entry)), key=lambda later: later.sequence)

    def fold(self, certificates: Certificates, view: View) -> Fold:
        """7 REBUILD: returns the state after some certificates, and after what was written on the last of them."""
        if (certificates, view) not in self._folds:
            before = self._certified(certificates)
            astray = sum(self.ledger.by[seat] & view.delivered & ~chain(view.tips[seat]) for seat in before.seated)
            slots = self._slots(view.delivered, certificates, before.seated, astray)
            self._folds[certificates, view] = self._run(before, slots, is_last=False)
        return self._folds[certificates, view]

    def _certified(self, certificates: Certificates) -> Fold:
        if not certificates:
            return Fold((), 0, {}, 0, self.ledger.seats)
        if certificates not in self._states:
            below, last = certificates[:-1], certificates[-1]
            before, mask = self._certified(below), past(last.votes)
            astray = sum(self.ledger.by[seat] & mask & ~chain(head) for seat, head in self.cut(below, last).items())
            done = self._run(before, self._slots(mask, below, before.seated, astray), is_last=True)
            log = (*done.log, Gone(done.step, (last.attempt, last.out)))
            self._states[certificates] = Fold(log, done.step + 1, {}, last.mask, done.seated - last.out)
        return self._states[certificates]

    def _slots(self, mask: Mask, written_on: Certificates, seated: Seats, astray: Mask) -> list[Entry]:
        return [
            entry
            for entry in self.ledger.of(mask & self.ledger.slots)
            if entry.author in seated and not entry.past & astray and self.best(view_of(entry)) == written_on
        ]

    def _run(self, fold: Fold, slots: list[Entry], *, is_last: bool) -> Fold:
        """Folds what is in turn, in the order of seats; before somebody leaves, also what waits for a lower seat."""
        log, taken = list(fold.log), 0
        while True:
            waiting: dict[int, Entry] = {}
            for seat in fold.expected:
                mine = [each for each in slots if each.author == seat and _step(each) == fold.step]
                entry = min((each for each in mine if not taken & ~each.past), key=_sequence, default=None)
                if entry is not None:
                    waiting[seat] = entry
                    log.append(Taken(fold.step, entry))
                elif not is_last:
                    break
            if not waiting or len(waiting) < len(fold.expected):
                return Fold(tuple(log), fold.step, waiting, fold.prior, fold.seated)
            prior = sum(1 << entry.number for entry in waiting.values())
            taken |= prior
            fold = Fold(tuple(log), fold.step + 1, {}, prior, fold.seated)

    def has_seen(self, seat: int, mask: Mask, delivered: Mask, certificates: Certificates) -> bool:
        """Whether a seat has named entries, while it was not bound."""
        for entry in self.ledger.of(delivered & self.ledger.by[seat]):
            named = sum(chain(head) for head in entry.heads) | 1 << entry.number
            if not mask & ~named and not (self.protections.naming_free and self._is_bound(entry, certificates)):
                return True
        return False

    def _is_bound(self, entry: Entry, certificates: Certificates) -> bool:
        return any(vote.attempt > last_try(certificates) for _, vote in self.ledger.votes_in(chain(entry.previous)))

    def is_final(self, view: View, certificates: Certificates) -> bool:
        """Whether all seats still in have seen all votes of the last certificate: no other can take its place."""
        mask = certificates[-1].mask if certificates else 0
        return all(self.has_seen(seat, mask, view.delivered, certificates) for seat in self.seated(certificates))

    def open_vote(self, view: View, last: Entry | None) -> Entry | None:
        """5 BOUND: returns the first vote of a seat, whose last entry is given, that the certificates do not answer.

        Whom a certificate puts out that all others have seen is bound no more: else it would wait for ever.
        """
        best = self.best(view)
        own = self.ledger.votes_in(chain(last)) if self.protections.binding else ()
        vote = next((entry for entry, words in own if words.attempt > last_try(best)), None)
        return None if vote and vote.author not in self.seated(best) and self.is_final(view, best) else vote

    def held(self, view: View, last: Entry | None) -> tuple[Certificates, View]:
        """Returns what a seat folds: while it is bound, what it had before, as its own chain says."""
        while (vote := self.open_vote(view, last)) is not None:
            view, last = view_of(vote), vote.previous
        return self.best(view), view

    def highest(self, mask: Mask) -> int:
        return max((vote.attempt for _, vote in self.ledger.votes_in(mask)), default=-1)

    def is_due(self, fold: Fold, seat: int, last: Entry | None, certificates: Certificates) -> bool:
        """Whether it is a seat's turn, and it has not written this step on these certificates."""
        return (
            seat in fold.expected
            and seat not in fold.waiting
            and not any(
                _step(own) == fold.step and self.best(view_of(own)) == certificates
                for own in self.ledger.of(chain(last) & self.ledger.slots)
            )
        )

    def may_vote(self, seat: int, vote: Vote, last: Entry | None, certificates: Certificates) -> bool:
        """1 WRITE VOTE, what all can check."""
        seated = self.seated(certificates)
        stays = seated - vote.out
        return (
            seat in stays
            and vote.out <= seated
            and 2 * len(stays) > len(seated)
            and (vote.attempt > self.highest(chain(last)))
        )

    def fault(self, entry: Entry) -> str | None:
        """Returns what is wrong with an entry, by its past alone: nobody takes it."""
        view, previous = view_of(entry), entry.previous
        certificates = self.best(view)
        if entry.author not in self.seated(self.held(view, previous)[0]):
            return "its author is out"
        if (reason := self._open_heads(entry)) is not None:
            return reason
        match entry.words:
            case Vote() as vote:
                if not self.may_vote(entry.author, vote, previous, certificates):
                    return "no vote of this seat"
                if last_try(certificates) > max((attempt for attempt, _ in vote.below), default=-1):
                    return "a vote beside a certificate that its author had"
                if vote.attempt > 1 + self.highest(entry.before):
                    return "a try out of nowhere"
            case Slot(step):
                fold = self.fold(certificates, view)
                if self.open_vote(view, previous) is not None:
                    return "a slot entry of a seat that is bound"
                if step != fold.step or not self.is_due(fold, entry.author, previous, certificates):
                    return "not its turn"
            case _:
                if not self.names_news(entry):
                    return "it names nothing new"
        return None

    def names_news(self, entry: Entry) -> bool:
        """Whether it names a step or a vote of somebody else with a higher number than its previous entry did."""
        heads = entry.previous.heads if entry.previous else (None,) * len(entry.heads)
        known = [chain(head).bit_count() for head in heads]
        named = sum(chain(head) for seat, head in enumerate(entry.heads) if seat != entry.author)
        telling = self.ledger.of(named & (self.ledger.slots | self.ledger.votes))
        return any(each.sequence >= known[each.author] for each in telling)

    def _open_heads(self, entry: Entry) -> str | None:
        ledger = self.ledger
        gone = {seat for found in self.all_complete(entry.before) for seat in found[-1].out}
        split = ledger.forks(entry.before, ledger.seats)
        for seat in ledger.seats - gone - {entry.author}:
            here = chain(entry.heads[seat])
            if seat not in split and entry.previous and chain(entry.previous.heads[seat]) & ~here:
                return "heads went back"
            if seat not in split and entry.before & ledger.by[seat] & ~here:
                return "heads are not closed"
        return (
            "it names its own other branch" if entry.before & ledger.by[entry.author] & ~chain(entry.previous) else None
        )


def _step(entry: Entry) -> int:
    return entry.words.step if isinstance(entry.words, Slot) else -1


def _sequence(entry: Entry) -> int:
    return entry.sequence
