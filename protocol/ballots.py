"""How the seats agree to go on without some of them: votes, and the certificates that they make (docs/protocol.md).

A vote is a free entry. Nobody gathers votes: which ballots are complete, which of them counts, and how much counts of
the chains of those who are out, follows from a past alone, so all who have seen the same say the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Annotated, Final, TypeAlias

from protocol.codec import Value
from protocol.entry import Entry, Head, SignedEntry
from protocol.errors import MalformedError, VerificationError
from protocol.history import CausalPast, History
from protocol.typed import Codec, Plain, between, sized, word

MAX_SEATS: Final = 64
MAX_TRY: Final = 1 << 20
_MOST_VERSIONS: Final = 24
"""How many combinations of votes are tried that liars have signed twice."""

Seats: TypeAlias = Annotated[tuple[Annotated[int, between(0, MAX_SEATS)], ...], sized(0, MAX_SEATS)]
"""In ascending order, each once."""

Key: TypeAlias = tuple[Annotated[int, between(0, MAX_TRY)], Seats]
"""Which certificate: its try, and the seats that it puts out."""


class FalseVoteError(VerificationError):
    """A vote that its author may not cast."""


@word("vote")
@dataclass(frozen=True, slots=True)
class Vote(Plain):
    """A free entry: its author wants to go on without these seats, or with all if there are none."""

    below: Annotated[tuple[Key, ...], sized(0, MAX_SEATS)]
    """The certificates that it builds on."""
    out: Seats
    attempt: Annotated[int, between(0, MAX_TRY)]
    """Higher than in all earlier votes of its author."""

    @property
    def key(self) -> Key:
        """Which certificate it would make."""
        return (self.attempt, self.out)


_VOTE: Final = Codec[Vote](Vote)
WORD: Final = "vote"


def is_vote(entry: Entry) -> bool:
    """Whether a free entry says that it is a vote."""
    payload = entry.payload
    return entry.step is None and isinstance(payload, tuple) and payload[:1] == (WORD,)


def read_vote(entry: Entry) -> Vote:
    """Returns what a vote says.

    Raises:
        MalformedError: It is none.
    """
    vote = _VOTE.read(entry.payload)
    for seats in (vote.out, *(out for _, out in vote.below)):
        if list(seats) != sorted(set(seats)) or any(seat >= len(entry.heads) for seat in seats):
            raise MalformedError("a vote names seats of this table in ascending order, each once")
    return vote


def vote_payload(vote: Vote) -> Value:
    """Returns the payload of a vote."""
    return _VOTE.write(vote)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A complete ballot: equal votes of all seats that it leaves in, more than half of those who were."""

    attempt: int
    out: tuple[int, ...]
    votes: tuple[bytes, ...]
    """Their hashes, by seat."""

    @property
    def key(self) -> Key:
        """Which certificate it is."""
        return (self.attempt, self.out)


Certificates: TypeAlias = tuple[Certificate, ...]
"""Each builds on those before it."""


def keys(certificates: Certificates) -> tuple[Key, ...]:
    """Returns what votes on top of these certificates name."""
    return tuple(certificate.key for certificate in certificates)


def last_try(certificates: Certificates) -> int:
    """Returns the try of the last one; -1 if there is none."""
    return certificates[-1].attempt if certificates else -1


class Ballots:
    """Counts the votes of a history."""

    def __init__(self, history: History) -> None:
        """Counts those that will be delivered there."""
        self._history = history
        self.seats = tuple(range(len(history.chains)))
        """All seats of the table."""
        self._votes: dict[bytes, Vote] = {}
        self._best: dict[tuple[frozenset[bytes], tuple[bytes, ...]], Certificates] = {}

    def add(self, signed: SignedEntry) -> None:
        """Takes a vote that was delivered."""
        self._votes[signed.hash] = read_vote(signed.entry)

    def __getitem__(self, link: bytes) -> Vote:
        """Returns what a delivered vote says."""
        return self._votes[link]

    def remaining(self, certificates: Certificates) -> tuple[int, ...]:
        """Returns the seats that are still in after these certificates."""
        if not certificates:
            return self.seats
        gone = {seat for certificate in certificates for seat in certificate.out}
        return tuple(seat for seat in self.seats if seat not in gone)

    # -- which counts

    def best(self, past: CausalPast, tips: Sequence[Head]) -> Certificates:
        """Returns the certificates that count in a past: of all complete ballots the highest try, and those below it.

        ``tips`` are the branches to prefer where somebody has signed two versions of one vote.
        """
        if not past.votes:
            return ()
        memo = (past.votes, tuple(head.hash for head in tips) if past.forked else ())
        if memo not in self._best:
            self._best[memo] = self._on_counted_branches(self._highest(past, tips))
        return self._best[memo]

    def chains(self, past: CausalPast, tips: Sequence[Head]) -> Iterator[Certificates]:
        """Yields all complete ballots of a past, each with those below it; first that there is none."""
        todo: list[Certificates] = [()]
        while todo:
            certificates = todo.pop()
            yield certificates
            todo += (
                (*certificates, complete)
                for complete in self._complete(past, certificates, tips)
                if complete.attempt > last_try(certificates)
            )

    def _highest(self, past: CausalPast, tips: Sequence[Head]) -> Certificates:
        def rank(certificates: Certificates) -> tuple[int, int, tuple[bytes, ...]]:
            votes = certificates[-1].votes if certificates else ()
            return last_try(certificates), *self._rank(votes, tips)

        return max(self.chains(past, tips), key=rank)

    def _rank(self, votes: Iterable[bytes], tips: Sequence[Head]) -> tuple[int, tuple[bytes, ...]]:
        """Returns how votes compare with other versions of them: most on the preferred branches, then lowest hashes."""
        followed = sum(self._is_followed(vote, tips) for vote in votes)
        return followed, tuple(bytes(255 - byte for byte in vote) for vote in votes)

    def _is_followed(self, vote: bytes, tips: Sequence[Head]) -> bool:
        tip = tips[self._history[vote].entry.author]
        return self._history.named(tip) is not None and self._history.follows(tip.hash, vote)

    def _complete(self, past: CausalPast, below: Certificates, tips: Sequence[Head]) -> Iterator[Certificate]:
        """Yields the ballots on top of these certificates for which all who would be left have voted.

        Each is there once: liars could sign so many versions of their votes that nobody would ever have counted them.
        Those on the preferred branches are tried first, so none that come later can undo what was complete.
        """
        within, under = self.remaining(below), keys(below)
        ballots: dict[Key, dict[int, list[bytes]]] = {}
        for link in sorted(past.votes, key=lambda link: (not self._is_followed(link, tips), link)):
            vote = self._votes[link]
            if vote.below == under and set(vote.out) <= set(within):
                ballots.setdefault(vote.key, {}).setdefault(self._history[link].entry.author, []).append(link)
        for (attempt, out), votes in ballots.items():
            stay = [seat for seat in within if seat not in out]
            if 2 * len(stay) <= len(within) or not set(stay) <= set(votes):
                continue
            tried = islice(product(*(votes[seat] for seat in stay)), _MOST_VERSIONS)
            whole = [versions for versions in tried if self.past_of(versions).forked.isdisjoint(stay)]
            if whole:
                yield Certificate(attempt, out, max(whole, key=lambda versions: self._rank(versions, tips)))

    def past_of(self, votes: Iterable[bytes]) -> CausalPast:
        """Returns all that these votes rest on, themselves included."""
        return self._history.join(map(self._history.upto, votes))

    def _on_counted_branches(self, certificates: Certificates) -> Certificates:
        """Returns them with the votes of seats that were put out later as they stand in what counts of these."""
        counted = list(certificates)
        for place in range(len(counted) - 1, 0, -1):
            for seat, head in self.cut(tuple(counted[:place]), counted[place]).items():
                for earlier, certificate in enumerate(counted[:place] if head.length else ()):
                    counted[earlier] = self._with_votes_of(certificate, seat, head)
        return tuple(counted)

    def _with_votes_of(self, certificate: Certificate, seat: int, head: Head) -> Certificate:
        votes = list(certificate.votes)
        for place, link in enumerate(votes):
            if self._history[link].entry.author == seat and not self._history.follows(head.hash, link):
                said = self._votes[link]
                for signed in self._history.branch(head.hash):
                    if self._votes.get(signed.hash) == said:
                        votes[place] = signed.hash
        return Certificate(certificate.attempt, certificate.out, tuple(votes))

    # -- what counts of those who are out

    def cut(self, below: Certificates, certificate: Certificate) -> dict[int, Head]:
        """Returns for each seat that a certificate puts out how much of its chain counts: what the votes name."""
        return {seat: self._counted(seat, below, certificate) for seat in certificate.out}

    def _counted(self, seat: int, below: Certificates, certificate: Certificate) -> Head:
        voters = [self._history[vote].entry for vote in certificate.votes]
        heads = {entry.author: entry.heads[seat] for entry in voters if entry.heads[seat].length}
        if not heads:
            return voters[0].heads[seat]
        wanted = {vote for one in below for vote in one.votes if self._history[vote].entry.author == seat}
        true = [head for head in heads.values() if all(self._has_voted(head, vote) for vote in wanted)]
        counted, *others = true or list(heads.values())
        for head in others:
            counted = self._stronger(heads, counted, head)
        return counted

    def _has_voted(self, head: Head, vote: bytes) -> bool:
        """Whether a branch holds this vote, or the same in other words of a liar."""
        said = self._votes[vote]
        return any(self._votes.get(signed.hash) == said for signed in self._history.branch(head.hash))

    def _stronger(self, heads: dict[int, Head], one: Head, other: Head) -> Head:
        """Returns the longer of two heads or, where they fork, the one on the branch that most votes name."""
        shorter = min(one.length, other.length)
        fork = next(
            (n for n in range(shorter) if self._history.ancestor(one.hash, n) != self._history.ancestor(other.hash, n)),
            None,
        )
        if fork is None:
            return max(one, other, key=lambda head: head.length)

        def weight(head: Head) -> tuple[int, int]:
            child = self._history.ancestor(head.hash, fork)
            voters = [voter for voter, named in heads.items() if self._history.ancestor(named.hash, fork) == child]
            return len(voters), -min(voters)

        return max(one, other, key=weight)
