"""What is said and signed when a list of players becomes a charter (docs/protocol.md, Gathering a table)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.session.terms import PLAYERS
from protocol.charter import Charter, Proposal
from protocol.codec import encode
from protocol.commitment import COMMITMENT_BYTES
from protocol.errors import MalformedError
from protocol.hashing import digest
from protocol.identity import SIGNATURE_BYTES, Identity, PublicIdentity
from protocol.typed import between, sized, word

TABLE_ID_BYTES: Final = 16
TableId: TypeAlias = Annotated[bytes, sized(TABLE_ID_BYTES)]
Version: TypeAlias = Annotated[int, between(0)]
"""Counts the changes of a list: an older one never replaces a newer one."""

_PURPOSE: Final = "pledge"
_DIGEST_BYTES: Final = 32

Signature: TypeAlias = Annotated[bytes, sized(SIGNATURE_BYTES)]
Signatures: TypeAlias = Annotated[tuple[Signature, ...], sized(PLAYERS[0], PLAYERS[-1])]


class PledgeStep(StrEnum):
    """What is said, in this order."""

    BEGIN = "begin"
    COMMIT = "commit"
    ECHO = "echo"
    REVEAL = "reveal"


@word("pledge")
@dataclass(frozen=True, slots=True)
class Pledge:
    """What one seat has said and signed about one list; anybody may pass it on."""

    table: TableId
    version: Version
    terms: Annotated[bytes, sized(_DIGEST_BYTES)]
    """The digest of the list's proposal, as its author has seen it."""
    seat: Annotated[int, between(0, PLAYERS[-1] - 1)]
    step: PledgeStep
    value: Annotated[bytes, sized(_DIGEST_BYTES)]
    """Of `begin`: the terms. Else the commitment, the digest of all commitments, or the nonce."""
    signature: Signature

    @classmethod
    def sign(
        cls, author: Identity, table: bytes, version: int, terms: bytes, seat: int, step: PledgeStep, value: bytes
    ) -> "Pledge":
        """Says something in the author's name."""
        signature = author.sign(_PURPOSE, _statement(table, version, terms, seat, step, value))
        return cls(table, version, terms, seat, step, value, signature)

    def verify(self, author: PublicIdentity) -> None:
        """Returns if its author has signed it.

        Raises:
            InvalidSignatureError: They have not.
        """
        said = _statement(self.table, self.version, self.terms, self.seat, self.step, self.value)
        author.verify(_PURPOSE, self.signature, said)


@word("agreed")
@dataclass(frozen=True, slots=True)
class Agreed:
    """The charter, with what proves that every seat has agreed to it: what they echoed, and what they revealed."""

    table: TableId
    version: Version
    charter: Charter
    commitments: Annotated[tuple[Annotated[bytes, sized(COMMITMENT_BYTES)], ...], sized(PLAYERS[0], PLAYERS[-1])]
    echoes: Signatures
    reveals: Signatures

    def verify(self) -> None:
        """Returns if all seats have agreed.

        Raises:
            VerificationError: One of them has not, or it was to something else.
        """
        players, nonces = self.charter.players, self.charter.nonces
        if not len(players) == len(self.commitments) == len(self.echoes) == len(self.reveals):
            raise MalformedError("there is one commitment, one echo and one nonce of every seat")
        Charter.sealed(self.charter.proposal, self.commitments, nonces)
        terms, echo = terms_of(self.charter.proposal), echo_of(self.commitments)
        for seat, player in enumerate(players):
            for step, value, signature in (
                (PledgeStep.ECHO, echo, self.echoes[seat]),
                (PledgeStep.REVEAL, nonces[seat], self.reveals[seat]),
            ):
                Pledge(self.table, self.version, terms, seat, step, value, signature).verify(player.identity)


def terms_of(proposal: Proposal) -> bytes:
    """Returns what stands for a proposal in what is signed about it."""
    return digest("proposal", proposal.to_value())


def echo_of(commitments: Sequence[bytes]) -> bytes:
    """Returns what stands for all commitments, in the order of seats."""
    return digest("echo", tuple(commitments))


def _statement(table: bytes, version: int, terms: bytes, seat: int, step: PledgeStep, value: bytes) -> bytes:
    return encode((table, version, terms, seat, step.value, value))
