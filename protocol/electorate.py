"""The votes as one node has them: which certificates count for it, what binds it, and who has seen what."""

from protocol.ballots import Certificates, FalseVoteError, Vote, is_vote, keys, last_try, read_vote
from protocol.entry import Entry, SignedEntry
from protocol.history import CausalPast
from protocol.transcript import Transcript


class Electorate:
    """Those who vote at a table, seen from one seat, or by an onlooker."""

    def __init__(self, transcript: Transcript, seat: int | None) -> None:
        """Takes what is here, and whose node it is."""
        self._transcript, self._seat = transcript, seat
        self._history, self._ballots = transcript.history, transcript.ballots

    @property
    def best(self) -> Certificates:
        """The certificates that count by all that is here."""
        return self._ballots.best(self._history.past, self._transcript.tips) if self._history.past.votes else ()

    @property
    def named(self) -> Certificates:
        """The certificates that an entry of this node would build on."""
        return self._ballots.best(self._transcript.named, self._transcript.tips) if self._history.past.votes else ()

    @property
    def open_vote(self) -> SignedEntry | None:
        """The first own vote that the certificates do not answer: it binds this node.

        Whom a certificate puts out that all others have seen is bound no more: it would wait for ever.
        """
        best = self.best
        vote, staying = self.unanswered(None, best), self._ballots.remaining(best)
        if vote is None or self._seat in staying:
            return vote
        cast = [self._history[link] for link in best[-1].votes]
        return None if all(self.has_seen(seat, one, best) for one in cast for seat in staying) else vote

    def unanswered(self, end: int | None, certificates: Certificates) -> SignedEntry | None:
        """Returns the first own vote before that number with a higher try than these certificates."""
        before = (one for one in self._own_votes if end is None or one.entry.sequence < end)
        return next((one for one in before if self._ballots[one.hash].attempt > last_try(certificates)), None)

    @property
    def _own_votes(self) -> list[SignedEntry]:
        if self._seat is None or not self._history.past.votes:
            return []
        return [signed for signed in self._transcript.chains[self._seat] if is_vote(signed.entry)]

    @property
    def open_ballot(self) -> dict[int, Vote]:
        """The last vote of each seat in the ballots that are open: on top of what counts, and with a higher try."""
        votes: dict[int, Vote] = {}
        if not self._history.past.votes:
            return votes
        under, top = keys(self.best), last_try(self.best)
        for link in self._history.past.votes:
            vote, author = self._ballots[link], self._history[link].entry.author
            is_last = author not in votes or votes[author].attempt < vote.attempt
            if is_last and vote.below == under and vote.attempt > top:
                votes[author] = vote
        return votes

    def voters(self, vote: Vote) -> set[int]:
        """Returns the seats that have cast a vote, whatever they have voted for later."""
        past = self._history.past
        return {self._history[link].entry.author for link in past.votes if self._ballots[link] == vote}

    def next_vote(self, out: tuple[int, ...]) -> Vote:
        """Returns the own vote to go on without these: the try of others who want the same, or one above all."""
        under, votes = keys(self.named), [self._ballots[link] for link in self._transcript.named.votes]
        own = max((self._ballots[one.hash].attempt for one in self._own_votes), default=-1)
        joined = max((vote.attempt for vote in votes if (vote.below, vote.out) == (under, out)), default=-1)
        attempt = joined if joined > own else max((vote.attempt for vote in votes), default=-1) + 1
        return Vote(under, out, attempt)

    def times_cast(self, out: tuple[int, ...]) -> int:
        """Returns how often this seat has voted to go on without these, on the certificates of its next vote."""
        under, own = keys(self.named), (self._ballots[one.hash] for one in self._own_votes)
        return sum((vote.below, vote.out) == (under, out) for vote in own)

    def has_seen(self, seat: int, signed: SignedEntry, certificates: Certificates) -> bool:
        """Returns whether a seat has named an entry while no vote has bound it beyond these certificates."""
        if seat == signed.entry.author:
            return True
        chain, top = self._transcript.chains[seat], last_try(certificates)
        free = len(chain)
        if self._history.past.votes:
            votes = ((self._history[link], self._ballots[link]) for link in self._history.past.votes)
            bound = (one.entry.sequence for one, vote in votes if one.entry.author == seat and vote.attempt > top)
            free = min((free, *bound))  # A liar's vote may be on a longer branch than the one that is followed.
        named = self._history.named(chain[free - 1].entry.heads[signed.entry.author]) if free else None
        is_here = signed.hash in self._history
        return is_here and named is not None and self._history.follows(named.hash, signed.hash)

    # -- what others write

    def last_try(self, entry: Entry) -> int:
        """Returns the highest try among an author's votes before this entry."""
        before = self._history.between(entry.author, 0, entry.heads[entry.author])
        return max((self._ballots[one.hash].attempt for one in before if is_vote(one.entry)), default=-1)

    def check_vote(self, entry: Entry, past: CausalPast, certificates: Certificates) -> None:
        """Returns if the author may cast this vote, by its past alone and the certificates that count in it.

        Raises:
            VerificationError: Not so.
        """
        vote = read_vote(entry)
        built = [one for one in self._ballots.chains(past, entry.heads) if keys(one) == vote.below]
        if not built or last_try(built[0]) != last_try(certificates):
            raise FalseVoteError("a vote builds on the certificates that count for its author")
        within = self._ballots.remaining(built[0])
        if entry.author not in within or entry.author in vote.out:
            raise FalseVoteError("only who stays in the game votes")
        if not set(vote.out) <= set(within) or 2 * (len(within) - len(vote.out)) <= len(within):
            raise FalseVoteError("more than half of those who are in the game must stay")
        seen = max((self._ballots[link].attempt for link in past.votes), default=-1)
        if not self.last_try(entry) < vote.attempt <= seen + 1:
            raise FalseVoteError("the try of a vote is above its author's last, and one above all others at most")
