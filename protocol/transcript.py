"""One history without a server: every seat's chain of signed entries, delivered in causal order (docs/protocol.md).

An entry is delivered when everything that its author had seen has been delivered. So whoever has delivered an entry
knows at least what its author knew, and every node can judge it by the author's own past.
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from protocol.ballots import Ballots, Certificates, is_vote, read_vote
from protocol.budget import RECORD_BYTES, Spent
from protocol.charter import Charter
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import MalformedError
from protocol.faults import Fault, FaultCode
from protocol.history import CausalPast, History
from protocol.pending import Pending

MAX_AHEAD: Final = 512
"""How far beyond a chain's end entries are asked for: what is behind them when its time has come."""

MAX_ASIDE_BYTES: Final = RECORD_BYTES // 2
"""How much is delivered of branches that are not followed: two liars could sign and name them without end."""


Scrutiny: TypeAlias = Callable[[SignedEntry, CausalPast, Certificates], Fault | None]
"""Says what else is wrong with an entry whose past is all here, by that past alone: else nodes would disagree."""


@dataclass(frozen=True, slots=True, order=True)
class Missing:
    """An entry that somebody claims to have and we do not: ask for it."""

    seat: int
    sequence: int
    claimed_by: int
    """Who named it, and must be able to show it."""


class Transcript:
    """All chains of a game, as far as one node has them."""

    def __init__(self, charter: Charter, own: int | None = None, judge: Scrutiny = lambda *_: None) -> None:
        """Starts with empty chains, whose head is the id of the game; ``own`` is this node's seat.

        A seat's own node knows what it has never written. So after a restart it first gives back, in their order, the
        entries that it had stored: else it would blame others for naming its own.
        """
        self.charter = charter
        self.history = History(len(charter.players))
        self.ballots = Ballots(self.history)
        self.chains = self.history.chains
        """Of each seat the branch that this node follows: all that was delivered, unless the seat has forked."""
        self.delivered: list[SignedEntry] = []
        """All of it, in the order in which it was delivered here."""
        self._tips: tuple[Head, ...] | None = None
        """What ``tips`` has worked out, until it changes."""
        self._spent: dict[bytes, Spent] = {}
        self._own, self._judge = own, judge
        self._pending = Pending(len(charter.players))
        self._aside_bytes = 0
        """How much was delivered of branches that were not followed."""
        self._last_fault: tuple[tuple[bytes, int] | None, Fault | None] = (None, None)
        """What was found of an entry with so many delivered: an own one is judged before it is taken, and then too."""
        self._liars: set[int] = set()
        """Who was found out, and is asked for nothing more, nor anybody for its entries: it could go on for ever."""

    @property
    def keeps_rivals(self) -> bool:
        """Whether second versions are kept that nobody has named yet: by who reads what was stored or recorded."""
        return self._pending.keeps_all

    @keeps_rivals.setter
    def keeps_rivals(self, keeps_rivals: bool) -> None:
        self._pending.keeps_all = keeps_rivals

    def head(self, seat: int, length: int | None = None) -> Head:
        """Returns how much of a seat's chain is delivered here, or its head at an earlier length."""
        chain = self.chains[seat]
        length = len(chain) if length is None else length
        return Head(length, chain[length - 1].hash if length else self.charter.game)

    @property
    def tips(self) -> tuple[Head, ...]:
        """How much of every chain is here."""
        if self._tips is None:
            self._tips = tuple(self.head(seat) for seat in range(len(self.chains)))
        return self._tips

    @property
    def heads(self) -> tuple[Head, ...]:
        """What an entry written now would name: of another seat that is out, what counts."""
        tips = self.tips
        if not self.history.past.votes:  # Then nobody is out.
            return tips
        past = self._past_of(tips)
        cut = self.cut(self.ballots.best(past, tips)) if past.votes else {}
        return tuple(head if seat == self._own else cut.get(seat, head) for seat, head in enumerate(tips))

    @property
    def named(self) -> CausalPast:
        """What an entry written now would rest on: what counts, and no branches that only a liar stands on."""
        return self._past_of(self.heads)

    def _past_of(self, heads: Iterable[Head]) -> CausalPast:
        return self.history.join(self.history.upto(head.hash) for head in heads if head.length)

    def cut(self, certificates: Certificates) -> dict[int, Head]:
        """Returns how much counts of each seat that these certificates put out."""
        cut: dict[int, Head] = {}
        for place, certificate in enumerate(certificates):
            cut |= self.ballots.cut(certificates[:place], certificate)
        return cut

    def follow_most(self) -> bool:
        """Follows, of each seat that has forked, the branch that most others stand on; returns if that is another one.

        So does who only looks on: a liar may have shown it any branch first. A player stays with what it has built on.
        """
        before = self.tips
        for seat in self.history.past.forked:
            here = self.head(seat).hash
            end = max(self.history.past.ends[seat], key=lambda end: (self._standing_on(end), end == here))
            if end != here:
                self.history.follow(end)
                self._tips = None
        return self.tips != before

    def _standing_on(self, end: bytes) -> int:
        """Returns how many other seats' last entries name something of a branch."""
        author = self.history[end].entry.author
        heads = [chain[-1].entry.heads[author] for seat, chain in enumerate(self.chains) if chain and seat != author]
        return sum(self.history.follows(end, head.hash) for head in heads if head.length)

    def spent(self, seat: int, head: Head | None = None) -> Spent:
        """Returns what a chain has used of its budget, here or at an earlier head."""
        return self._spent.get((head or self.head(seat)).hash, Spent())

    def get(self, seat: int, sequence: int) -> SignedEntry | None:
        """Returns an entry that is here, delivered or not."""
        chain = self.chains[seat]
        return chain[sequence] if sequence < len(chain) else self._pending.ahead[seat].get(sequence)

    def versions(self, seat: int, sequence: int) -> list[SignedEntry]:
        """Returns all delivered entries with a number: several, if the seat has forked."""
        links = {self.history.ancestor(end, sequence) for end in self.history.past.ends[seat]}
        return [self.history[link] for link in sorted(filter(None, links))]

    def receive(self, signed: SignedEntry) -> Iterator[SignedEntry | Fault]:
        """Takes an entry whose signature was checked; yields what can be delivered now, in order, and faults."""
        entry = signed.entry
        if signed.hash in self.history:
            return
        pending, known, is_new = self._pending, self.get(entry.author, entry.sequence), signed not in self._pending
        if known is None:  # The next one of a chain is always kept, so that the game can go on.
            if is_new and (entry.sequence == len(self.chains[entry.author]) or pending.has_room(signed)):
                pending.add(signed)
                yield from self._deliver()
        elif known.hash != signed.hash:
            self._liars.add(entry.author)
            reason = "two different entries have one number"
            yield Fault(entry.author, FaultCode.EQUIVOCATION, reason, (known, signed))
            if is_new and pending.add_version(signed) and self._follows_known(entry):
                yield from self._deliver()

    def missing(self) -> tuple[Missing, ...]:
        """Returns the entries that are not here, or are others here, and are named by what is to be delivered next.

        An entry that several seats have named is there once for each of them: one of them may lie.
        """
        missing: set[Missing] = set()
        for author, (ahead, versions) in enumerate(zip(self._pending.ahead, self._pending.versions, strict=True)):
            first = [ahead[min(ahead)]] if ahead and author not in self._liars else []
            for signed in (*first, *versions.values()):
                for seat, head in enumerate(signed.entry.heads):
                    missing |= {Missing(seat, number, author) for number in self._lacking(seat, head)}
        return tuple(sorted(missing))

    def _lacking(self, seat: int, head: Head) -> Iterator[int]:
        """Yields the numbers of entries that lead to a head and are not here, or are others here."""
        if head.length == 0 or head.hash in self.history or head.hash in self._pending.versions[seat]:
            return
        end = len(self.chains[seat])
        if seat not in self._liars:
            named = range(end, min(head.length, end + MAX_AHEAD))
            yield from (number for number in named if number not in self._pending.ahead[seat])
        here = self.get(seat, head.length - 1)
        if here is not None and here.hash != head.hash:
            yield head.length - 1

    def in_order(self, past: CausalPast | None = None) -> Iterator[SignedEntry]:
        """Yields all delivered entries, or a past, in the one canonical order: of those that can come next, the first.

        That is the one of the lowest seat; of several of a seat that has forked, the one with the lowest hash.
        """
        ends = (past or self.history.past).ends
        left = [
            sorted({one.hash: one for end in own for one in self.history.branch(end)}.values(), key=_place)
            for own in ends
        ]
        placed: set[bytes] = set()
        while any(left):
            for chain, own in zip(left, ends, strict=True):
                next_ones = chain[:1] if len(own) < 2 else chain
                found = next((one for one in next_ones if self._follow(one, placed)), None)
                if found is not None:
                    chain.remove(found)
                    placed.add(found.hash)
                    yield found
                    break

    @staticmethod
    def _follow(signed: SignedEntry, placed: Collection[bytes]) -> bool:
        return all(head.length == 0 or head.hash in placed for head in signed.entry.heads)

    def _deliver(self) -> Iterator[SignedEntry | Fault]:
        progress = True
        while progress:
            progress = False
            for seat, versions in enumerate(self._pending.versions):
                aside = [one for one in versions.values() if self._follows_known(one.entry)]
                for signed in itertools.chain(self._next_of(seat), aside):
                    if signed not in self._pending:
                        continue
                    is_deliverable = self._is_deliverable(signed)
                    fault = self._false_links(signed) or (self.fault(signed) if is_deliverable else None)
                    if fault is not None:
                        self._liars.add(fault.seat)
                        self._pending.drop(signed, is_other_branch=fault.code is FaultCode.BROKEN_CHAIN)
                        yield fault
                    elif is_deliverable:
                        self._add(signed)
                        progress = True
                        yield signed

    def _next_of(self, seat: int) -> Iterator[SignedEntry]:
        """Yields what may come next of what waits: on the branch that is followed, and on others what somebody names.

        Who has forked could go on with any of its branches without end.
        """
        ahead = self._pending.ahead[seat]
        if seat in self.history.past.forked:
            for number in sorted(ahead):  # The one after the other, as each is delivered.
                one = ahead.get(number)
                if one is None:
                    continue
                if self._pending.is_wanted(one) if self._is_aside(one) else number == self.head(seat).length:
                    yield one
        elif (one := ahead.get(len(self.chains[seat]))) is not None:
            yield one

    def _is_aside(self, signed: SignedEntry) -> bool:
        """Whether an entry goes on with another branch of its author than the one that is followed."""
        own = signed.entry.heads[signed.entry.author]
        return own != self.head(signed.entry.author) and self._follows_known(signed.entry)

    def _add(self, signed: SignedEntry) -> None:
        entry, seat = signed.entry, signed.entry.author
        self._pending.remove(signed)
        if self._is_aside(signed):
            self._aside_bytes += len(signed.body)
        self._spent[signed.hash] = self.spent(seat, entry.heads[seat]).after(signed)
        self.history.add(signed, is_vote=is_vote(entry))
        self.delivered.append(signed)
        self._tips = None
        if is_vote(entry):
            self.ballots.add(signed)

    def _is_deliverable(self, signed: SignedEntry) -> bool:
        """Whether all that it names is here. What differs here is a dispute: one of two seats has lied, so it waits."""
        has_room = self.keeps_rivals or self._aside_bytes < MAX_ASIDE_BYTES or not self._is_aside(signed)
        return has_room and all(head.length == 0 or self.history.named(head) is not None for head in signed.entry.heads)

    def fault(self, signed: SignedEntry) -> Fault | None:
        """Returns what is wrong with an entry that follows those here: its heads, its size, or what the judge says."""
        known = (signed.hash, len(self.delivered))
        if self._last_fault[0] != known:
            self._last_fault = known, self._fault(signed)
        return self._last_fault[1]

    def _fault(self, signed: SignedEntry) -> Fault | None:
        entry, seat = signed.entry, signed.entry.author
        past = self.history.past_of(entry)
        certificates = self.ballots.best(past, entry.heads)
        cut = self.cut(certificates)
        if (fault := self._open_heads(signed, past, cut)) is not None:
            return fault
        excess = self.spent(seat, entry.heads[seat]).excess(signed, len(self.chains))
        if excess is None and entry.is_acknowledgement and not self._names_news(entry):
            excess = "entries that say nothing, and name no step of another that the one before did not"
        if excess is not None:
            return Fault(seat, FaultCode.OVER_BUDGET, f"too much is written: {excess}", (signed,))
        if is_vote(entry):  # They are counted here, whoever judges.
            try:
                read_vote(entry)
            except MalformedError as error:
                return Fault(seat, FaultCode.MALFORMED, str(error), (signed,))
        return self._judge(signed, past, certificates)

    def _open_heads(self, signed: SignedEntry, past: CausalPast, cut: Mapping[int, Head]) -> Fault | None:
        """Returns what is wrong with what an entry names, by what it names alone.

        Of a seat that is out in its past it names what counts, of one that has forked there the branch that it had.
        """
        entry, seat = signed.entry, signed.entry.author
        previous = self.history.named(entry.heads[seat])
        chains = self.ballots.chains(past, entry.heads) if past.votes else ()
        gone = {number for one in chains for last in one[-1:] for number in last.out}
        exempt = {*gone, *past.forked}
        if previous and any(
            number not in gone and _went_back(old, new)
            for number, (old, new) in enumerate(zip(previous.entry.heads, entry.heads, strict=True))
        ):
            reason = "the author has seen less than before"
            return Fault(seat, FaultCode.HEADS_WENT_BACK, reason, (previous, signed))
        if any(not self.history.follows(previous.hash, end) for end in past.ends[seat] if previous):
            reason = "it names another branch of its own author's chain"
            return Fault(seat, FaultCode.OPEN_HEADS, reason, (signed,))
        for head in entry.heads:
            named = self.history.named(head)
            if named and any(
                number not in exempt and theirs.length > ours.length
                for number, (theirs, ours) in enumerate(zip(named.entry.heads, entry.heads, strict=True))
            ):
                reason = (
                    f"it names entry {head.length - 1} of seat {named.entry.author}, and not all that this one names"
                )
                return Fault(seat, FaultCode.OPEN_HEADS, reason, (named, signed))
        if not past.forked and any(entry.heads[out] != head for out, head in cut.items() if out != seat):
            reason = "it names another end of a seat that is out than the votes do"
            return Fault(seat, FaultCode.OPEN_HEADS, reason, (signed,))
        return None

    def _names_news(self, entry: Entry) -> bool:
        """Whether it names a step or a vote of somebody else that its author's last entry did not."""
        previous = self.history.named(entry.heads[entry.author])
        before = previous.entry.heads if previous else ()
        return any(
            signed.entry.step is not None or is_vote(signed.entry)
            for seat, head in enumerate(entry.heads)
            if seat != entry.author
            for signed in self.history.between(seat, before[seat].length if before else 0, head)
        )

    def _false_links(self, signed: SignedEntry) -> Fault | None:
        """Returns what is wrong with the links of the next entry of a chain by its author's own words, or by ours."""
        entry, seat = signed.entry, signed.entry.author
        last = self.chains[seat][-1:]
        if signed.hash not in self._pending.versions[seat] and not self._follows_known(entry):
            reason = "the entry does not follow the one before it"
            return Fault(seat, FaultCode.BROKEN_CHAIN, reason, (*last, signed))
        if any(head.length == 0 and head.hash != self.charter.game for head in entry.heads):
            reason = "the entry names another game as the beginning of a chain"
            return Fault(seat, FaultCode.UNKNOWN_HEADS, reason, (signed,))
        if self._own is not None:
            head = entry.heads[self._own]
            if head.length > len(self.chains[self._own]) or head != self.head(self._own, head.length):
                reason = "the entry names an entry of ours that we never wrote"
                return Fault(seat, FaultCode.UNKNOWN_HEADS, reason, (signed,))
        return None

    def _follows_known(self, entry: Entry) -> bool:
        own = entry.heads[entry.author]
        return own.hash == self.charter.game if own.length == 0 else self.history.named(own) is not None


def _place(signed: SignedEntry) -> tuple[int, bytes]:
    return signed.entry.sequence, signed.hash


def _went_back(old: Head, new: Head) -> bool:
    return new.length < old.length or (new.length == old.length and new.hash != old.hash)
