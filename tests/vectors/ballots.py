from collections.abc import Sequence

from protocol.ballots import Vote, vote_payload
from protocol.codec import Value
from protocol.entry import SignedEntry
from protocol.transcript import Transcript
from tests.protocol.toy import say, sign
from tests.vectors.charter import IDENTITIES, charter_of
from tests.vectors.notation import BYTES, ERRORS, Case, VectorFile, prose

DESCRIPTION = prose(
    """
    Votes and certificates in the game whose charter is `charter`. A case's `call` says what to do. `best`: of the
    messages `entries` (entry.json), in the order in which they were delivered (all of them, also second versions; of
    who has forked, the branch is followed that came first), the certificates that count are `certificates`, each [try,
    seats that are out, hashes of the votes by seat]; `remaining` are still in; of each seat that is out counts what
    `cut` says: [seat, length, hash]. `vote`: after `entries`, the message `message` is a free entry that says it is a
    vote, and must be refused: with MalformedError by its form, with FalseVoteError because its author may not cast it
    (docs/protocol.md, Ballots).
    """
)
CHARTER = charter_of(("Anna", "Ben", "Cleo", "Dora"))


class Voters:
    """A table at which everybody has seen everything."""

    def __init__(self) -> None:
        self.here, self.entries = Transcript(CHARTER), list[SignedEntry]()

    def say(self, *words: str) -> "Voters":
        for word in words:
            self.entries.append(say(self.here, IDENTITIES[int(word[0])], ("say", word)))
        return self

    def vote(
        self, *seats: int, out: tuple[int, ...], attempt: int, below: tuple[tuple[int, tuple[int, ...]], ...] = ()
    ) -> "Voters":
        for seat in seats:
            payload = vote_payload(Vote(below, out, attempt))
            self.entries.append(say(self.here, IDENTITIES[seat], payload))
        return self

    def signed(self, seat: int, payload: Value) -> SignedEntry:
        return sign(CHARTER, IDENTITIES[seat], self.here.heads, payload)


class Halves:
    """A table at which seats show different entries with one number to different others."""

    def __init__(self) -> None:
        self.entries = list[SignedEntry]()
        self._nodes = [_onlooker() for _ in IDENTITIES]

    @property
    def here(self) -> Transcript:
        """What somebody has who was given all of it, in this order."""
        onlooker = _onlooker()
        for signed in self.entries:
            tuple(onlooker.receive(signed))
        return onlooker

    def say(self, seat: int, payload: Value, *receivers: int) -> "Halves":
        """A seat says something that only these hear; its own node does not, so that it can say something else."""
        self.entries.append(sign(CHARTER, IDENTITIES[seat], self._nodes[seat].heads, payload))
        for receiver in receivers:
            tuple(self._nodes[receiver].receive(self.entries[-1]))
        return self

    def vote(
        self, *seats: int, out: tuple[int, ...], attempt: int, below: tuple[tuple[int, tuple[int, ...]], ...] = ()
    ) -> "Halves":
        """These vote without having heard each other."""
        for seat in seats:
            self.say(seat, vote_payload(Vote(below, out, attempt)), seat)
        return self

    def share(self, *seats: int) -> "Halves":
        """These hear all that others have said."""
        for seat in seats:
            for signed in self.entries:
                if signed.entry.author != seat:
                    tuple(self._nodes[seat].receive(signed))
        return self


def _onlooker() -> Transcript:
    transcript = Transcript(CHARTER)
    transcript.keeps_rivals = True
    return transcript


def _forked() -> list[tuple[str, Halves]]:
    one, out = ((0, (2,)),), vote_payload(Vote((), (2,), 0))
    return [
        (
            "seat 2 has forked: the branch counts that two of three voters name, though the other came first",
            Halves().say(2, ("say", "b"), 3).say(2, ("say", "a"), 0, 1).vote(0, 1, 3, out=(2,), attempt=0),
        ),
        (
            "seat 2 has forked, as many name each branch: that of the lowest voter counts",
            Halves().say(2, ("say", "b"), 3).say(2, ("say", "a"), 0).vote(0, 1, 3, out=(2,), attempt=0),
        ),
        (
            "a longer head of the same branch",
            Halves().say(2, ("say", "a"), 0, 1, 2).say(2, ("say", "more"), 1).vote(0, 1, 3, out=(2,), attempt=0),
        ),
        (
            "seat 3 has voted twice with one number, and is put out: the branch counts with the vote that was counted",
            Halves()
            .vote(0, 1, out=(2,), attempt=0)
            .say(3, vote_payload(Vote((), (), 0)), 0)
            .say(3, out, 1)
            .share(0, 1)
            .vote(0, 1, out=(3,), attempt=1, below=one),
        ),
        (
            "seat 3 has cast the same vote in two entries with one number: the one that counts is in the certificate",
            Halves()
            .vote(0, 1, out=(2,), attempt=0)
            .say(3, out, 1)
            .share(3)
            .say(3, out, 0)
            .share(0, 1)
            .vote(0, 1, out=(3,), attempt=1, below=one),
        ),
        (
            "votes that name two branches of a seat that stays make no certificate",
            Halves().say(3, ("say", "a"), 0).say(3, ("say", "b"), 1, 3).vote(0, 1, 3, out=(2,), attempt=0),
        ),
    ]


def vectors() -> VectorFile:
    one = ((0, (2,)),)
    said = ("2:hello", "0:hi")
    valid = [
        _best("nobody has voted", Voters().say(*said)),
        _best("two of three votes", Voters().say(*said).vote(0, 1, out=(2,), attempt=0)),
        _best("all who stay have voted", Voters().say(*said).vote(0, 1, 3, out=(2,), attempt=0)),
        _best(
            "two ballots: the second is complete",
            Voters().vote(0, out=(2,), attempt=0).vote(1, 0, 2, out=(3,), attempt=1),
        ),
        _best("all go on together", Voters().vote(0, out=(2,), attempt=0).vote(2, 1, 3, 0, out=(), attempt=1)),
        _best(
            "one certificate on top of another",
            Voters()
            .say(*said)
            .vote(0, 1, 3, out=(2,), attempt=0)
            .say("3:?")
            .vote(0, 1, out=(3,), attempt=1, below=one),
        ),
        *(_best(comment, table) for comment, table in _forked()),
    ]
    two = Voters().say(*said).vote(0, 1, out=(2,), attempt=0)
    done = Voters().vote(0, 1, 3, out=(2,), attempt=0)
    malformed: list[tuple[str, Voters, int, Value]] = [
        ("seats that do not ascend", two, 3, ("vote", (), (2, 1), 0)),
        ("a seat that nobody has", two, 3, ("vote", (), (4,), 0)),
        ("a try below nothing", two, 3, ("vote", (), (2,), -1)),
        ("a field too few", two, 3, ("vote", (), (2,))),
    ]
    false: list[tuple[str, Voters, int, Value]] = [
        ("a vote against oneself", two, 3, ("vote", (), (3,), 1)),
        ("two of four must not go on", two, 3, ("vote", (), (1, 2), 1)),
        ("a try that is two above all others", two, 3, ("vote", (), (2,), 2)),
        ("the try of an earlier vote of one's own", two, 1, ("vote", (), (3,), 0)),
        ("on a certificate that there is not", two, 3, ("vote", ((0, (2,)),), (1,), 1)),
        ("past a certificate that counts", done, 3, ("vote", (), (1,), 1)),
        ("by who is out", done, 2, ("vote", ((0, (2,)),), (), 1)),
        ("against who is out already", done, 3, ("vote", ((0, (2,)),), (2,), 1)),
    ]
    invalid = [
        *(_refused(*case, error="MalformedError") for case in malformed),
        *(_refused(*case, error="FalseVoteError") for case in false),
    ]
    return VectorFile(" ".join((DESCRIPTION, BYTES, ERRORS)), valid, invalid)


def _messages(entries: Sequence[SignedEntry]) -> Case:
    return {"charter": CHARTER.to_bytes().hex(), "entries": [entry.to_bytes().hex() for entry in entries]}


def _best(comment: str, table: Voters | Halves) -> Case:
    transcript = table.here
    ballots = transcript.ballots
    best = ballots.best(transcript.history.past, transcript.tips)
    head: Case = {"comment": comment, "call": "best"}
    return (
        head
        | _messages(table.entries)
        | {
            "certificates": [[one.attempt, list(one.out), [vote.hex() for vote in one.votes]] for one in best],
            "remaining": list(ballots.remaining(best)),
            "cut": [[seat, head.length, head.hash.hex()] for seat, head in sorted(transcript.cut(best).items())],
        }
    )


def _refused(comment: str, table: Voters, seat: int, payload: Value, *, error: str) -> Case:
    message = table.signed(seat, payload).to_bytes().hex()
    head: Case = {"comment": comment, "call": "vote"}
    return head | _messages(table.entries) | {"message": message, "error": error}
