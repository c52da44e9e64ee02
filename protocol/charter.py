"""The charter: who plays what, agreed upon and fresh, before the first entry (docs/protocol.md, Charter).

Every player commits to a nonce, then all reveal. The id of the game is a hash over all of it: nobody could choose it,
it was never seen before, and what is signed in this game means nothing in another.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Final

from protocol.codec import Value, decode, encode
from protocol.commitment import commit, verify_opening
from protocol.errors import InvalidOpeningError, LocalError, MalformedError
from protocol.group import Group
from protocol.hashing import digest
from protocol.identity import PublicIdentity
from protocol.typed import Codec, Plain, sized

NONCE_BYTES: Final = 32
MAX_SEATS: Final = 16
MAX_NAME_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class Player(Plain):
    """A seat at the table."""

    identity: PublicIdentity
    name: str
    """What the player wants to be called; proves nothing."""


@dataclass(frozen=True, slots=True)
class Proposal(Plain):
    """What is to be played, by whom, in which order around the table."""

    players: Annotated[tuple[Player, ...], sized(2, MAX_SEATS)]
    terms: Value
    """The game's own terms: opaque here."""

    def __post_init__(self) -> None:
        if not 2 <= len(self.players) <= MAX_SEATS:
            raise LocalError(f"a table has 2 to {MAX_SEATS} seats, not {len(self.players)}")
        if len({player.identity for player in self.players}) != len(self.players):
            raise LocalError("an identity can't take two seats")
        if not all(_is_name(player.name) for player in self.players):
            raise LocalError(f"a name is text of at most {MAX_NAME_BYTES} bytes")

    def commit_nonce(self, seat: int, nonce: bytes) -> bytes:
        """Returns the seat's commitment to its 32-byte nonce, for this proposal alone."""
        return commit(("nonce", digest("proposal", self.to_value()), seat), b"", nonce)


@dataclass(frozen=True, slots=True)
class Charter:
    """A proposal, and every seat's nonce."""

    proposal: Proposal
    nonces: tuple[bytes, ...]
    game: bytes = field(init=False)
    """The id of the game."""
    roster: bytes = field(init=False)
    """Digest of all seats' identities."""
    _seats: dict[PublicIdentity, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if [len(nonce) for nonce in self.nonces] != [NONCE_BYTES] * len(self.proposal.players):
            raise LocalError("a charter has one nonce of 32 bytes from every seat")
        object.__setattr__(self, "game", digest("charter", self.proposal.to_value(), self.nonces))
        keys = tuple(player.identity.key for player in self.proposal.players)
        object.__setattr__(self, "roster", digest("roster", keys))
        object.__setattr__(self, "_seats", {player.identity: seat for seat, player in enumerate(self.players)})

    @classmethod
    def sealed(cls, proposal: Proposal, commitments: Sequence[bytes], nonces: Sequence[bytes]) -> "Charter":
        """Returns the charter of nonces that were committed to before any was known.

        Raises:
            InvalidOpeningError: A nonce is not the one that its seat committed to.
            LocalError: There is not one commitment and one nonce of every seat.
        """
        if not len(commitments) == len(nonces) == len(proposal.players):
            raise LocalError("a charter is sealed with one commitment and one nonce of every seat")
        terms = digest("proposal", proposal.to_value())
        for seat, (commitment, nonce) in enumerate(zip(commitments, nonces, strict=True)):
            try:
                verify_opening(commitment, ("nonce", terms, seat), b"", nonce)
            except InvalidOpeningError as error:
                raise InvalidOpeningError(f"seat {seat} revealed another nonce than it had committed to") from error
        return cls(proposal, tuple(nonces))

    @property
    def players(self) -> tuple[Player, ...]:
        """The seats."""
        return self.proposal.players

    def seat_of(self, identity: PublicIdentity) -> int | None:
        """Returns the seat of an identity, if it has one."""
        return self._seats.get(identity)

    def to_bytes(self) -> bytes:
        """Returns the canonical encoding."""
        return encode((self.proposal.to_value(), self.nonces))

    @classmethod
    def from_bytes(cls, group: Group, data: bytes) -> "Charter":
        """Reads a received charter.

        Raises:
            MalformedError: It is none.
        """
        try:
            return cls(*_CHARTER.read(decode(data), group))
        except LocalError as error:
            raise MalformedError(f"no charter: {error}") from error


_CHARTER: Final = Codec[tuple[Proposal, tuple[bytes, ...]]](tuple[Proposal, tuple[bytes, ...]])


def _is_name(name: str) -> bool:
    try:
        return len(name.encode()) <= MAX_NAME_BYTES
    except UnicodeEncodeError:
        return False
