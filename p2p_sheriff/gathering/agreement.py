"""How a list of players becomes a charter: begin, commit, echo, reveal, each signed and passed on to all. Pure.

Nobody reveals before everybody has said, signed, which commitments they have: so one who tells different things to
different people splits nobody. What everybody has said once they all have revealed is proof that they agreed, also for
one of them who has lost everything meanwhile.
"""

from p2p_sheriff.gathering.pledges import Agreed, Pledge, PledgeStep, echo_of, terms_of
from protocol.charter import NONCE_BYTES, Charter, Proposal
from protocol.errors import MalformedError
from protocol.identity import Identity, PublicIdentity
from protocol.randomness import Rng


class TwoFacedError(Exception):
    """A seat has signed two things where it may say one."""

    def __init__(self, first: Pledge, second: Pledge) -> None:
        """Takes both: together they prove it."""
        self.evidence = (first, second)
        super().__init__(f"seat {first.seat} has signed two different things at the step {first.step}")


class UnequalError(Exception):
    """A seat says, signed, that it was told other commitments than this one."""

    def __init__(self, seat: int) -> None:
        """Takes who says so."""
        self.seat = seat
        super().__init__(f"seat {seat} was told other commitments")


class Agreement:
    """What was said about one version of a list, as one of its members has heard it."""

    def __init__(
        self, rng: Rng, identity: Identity, table: bytes, version: int, proposal: Proposal, opener: PublicIdentity
    ) -> None:
        """Takes the list; the own identity has a seat in it."""
        self._rng, self._identity = rng, identity
        self._table, self._version, self._proposal = table, version, proposal
        keys = [player.identity for player in proposal.players]
        self._keys, self._seat, self._opener = keys, keys.index(identity.public), keys.index(opener)
        self._nonce = b""
        self._said: dict[tuple[PledgeStep, int], Pledge] = {}
        self.terms = terms_of(proposal)

    @property
    def said(self) -> tuple[Pledge, ...]:
        """All that was said, in the order in which it can be understood."""
        return tuple(self._said.values())

    def has_said(self, step: PledgeStep) -> bool:
        """Whether this seat has."""
        return (step, self._seat) in self._said

    def begin(self) -> list[Pledge]:
        """Says, as who keeps the list, that it is complete; returns what is to be sent to all."""
        return [] if self.has_said(PledgeStep.BEGIN) else [self._say(PledgeStep.BEGIN, self.terms), *self._go_on()]

    def take(self, pledge: Pledge) -> list[Pledge]:
        """Takes what was said of this list; returns what is to be sent to all: it, and what follows from it.

        Raises:
            VerificationError: It makes no sense, or was not signed by its author.
            TwoFacedError: Its author has said something else to somebody else.
            UnequalError: Its author was told other commitments.
        """
        place = (pledge.step, pledge.seat)
        if pledge.seat >= len(self._keys):
            raise MalformedError("nobody has that seat")
        known = self._said.get(place)
        if known == pledge:
            return []
        pledge.verify(self._keys[pledge.seat])
        if pledge.seat == self._seat:
            return []  # This seat knows what it has said; who else signs with its key is for others to name.
        if pledge.step is PledgeStep.BEGIN and (pledge.seat != self._opener or pledge.value != self.terms):
            raise MalformedError("a game begins when who keeps the list says so")
        if pledge.step is PledgeStep.REVEAL:
            committed = self._said.get((PledgeStep.COMMIT, pledge.seat))
            if committed is None:
                return []  # It comes again, behind what it is about.
            if self._proposal.commit_nonce(pledge.seat, pledge.value) != committed.value:
                raise MalformedError("a nonce that was not committed to")
        if known is not None:
            if known.value != pledge.value:
                raise TwoFacedError(known, pledge)
            return []
        self._said[place] = pledge
        return [pledge, *self._go_on()]

    def _go_on(self) -> list[Pledge]:
        """Says what is to be said next, if anything is."""
        if (PledgeStep.BEGIN, self._opener) not in self._said:
            return []
        said = list[Pledge]()
        if not self.has_said(PledgeStep.COMMIT):
            self._nonce = self._rng(NONCE_BYTES)
            said.append(self._say(PledgeStep.COMMIT, self._proposal.commit_nonce(self._seat, self._nonce)))
        commitments = self._values(PledgeStep.COMMIT)
        if len(commitments) == len(self._keys):
            echo = echo_of(commitments)
            if not self.has_said(PledgeStep.ECHO):
                said.append(self._say(PledgeStep.ECHO, echo))
            echoes = [pledge for (step, _), pledge in self._said.items() if step is PledgeStep.ECHO]
            for pledge in echoes:
                if pledge.value != echo:
                    raise UnequalError(pledge.seat)
            if len(echoes) == len(self._keys) and not self.has_said(PledgeStep.REVEAL):
                said.append(self._say(PledgeStep.REVEAL, self._nonce))
        return said

    @property
    def agreed(self) -> Agreed | None:
        """The charter and its proof, once all have revealed."""
        nonces = self._values(PledgeStep.REVEAL)
        if len(nonces) < len(self._keys) or not self.has_said(PledgeStep.REVEAL):
            return None
        commitments = tuple(self._values(PledgeStep.COMMIT))
        charter = Charter.sealed(self._proposal, commitments, nonces)
        echoes, reveals = (
            tuple(one.signature for one in self._at(step)) for step in (PledgeStep.ECHO, PledgeStep.REVEAL)
        )
        return Agreed(self._table, self._version, charter, commitments, echoes, reveals)

    def _at(self, step: PledgeStep) -> list[Pledge]:
        """Returns what was said at a step, in the order of seats."""
        return [self._said[step, seat] for seat in range(len(self._keys)) if (step, seat) in self._said]

    def _values(self, step: PledgeStep) -> list[bytes]:
        return [pledge.value for pledge in self._at(step)]

    def _say(self, step: PledgeStep, value: bytes) -> Pledge:
        pledge = Pledge.sign(self._identity, self._table, self._version, self.terms, self._seat, step, value)
        self._said[step, self._seat] = pledge
        return pledge
