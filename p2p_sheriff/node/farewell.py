"""Why a connection ends, or never began: a reason that both sides understand, and a sentence for people."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from protocol.codec import decode, encode
from protocol.errors import MalformedError

MAX_SENTENCE: Final = 240
"""Characters; a line or two on a screen."""

ENDING_BYTES: Final = 4 * MAX_SENTENCE + 32
"""The sentence in UTF-8, the reason and the headers of the encoding."""


class Why(StrEnum):
    """The reasons, by the word that stands for each on the wire."""

    LEFT = "left"
    """Closed by a node that leaves the network."""
    CLOSED = "closed"
    """Closed on purpose by a node that stays; the sentence says what for."""
    LOST = "lost"
    """Broke off without a word."""
    UNREACHABLE = "unreachable"
    """Nobody answers at that address."""
    TLS = "tls"
    """Who answers speaks no TLS 1.3."""
    CERTIFICATE = "certificate"
    """The server's certificate is not that of an identity."""
    IDENTITY = "identity"
    """The server is somebody else than the one who was dialled."""
    SELF = "self"
    """Both ends are the same identity."""
    PROOF = "proof"
    """The client has not proved to be who it says."""
    PASSPHRASE = "passphrase"  # noqa: S105 - the word for the reason, no secret.
    """A private table, and no passphrase or a wrong one."""
    NAME = "name"
    """The name belongs to another identity."""
    VERSION = "version"
    """The other side speaks another version."""
    LATE = "late"
    """The handshake took too long."""
    CROWDED = "crowded"
    """Too many connections."""
    SLOW = "slow"
    """More is waiting to be sent than the other side reads."""
    MALFORMED = "malformed"
    """Bytes that mean nothing."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """Why a connection ended."""

    why: Why
    sentence: str
    by_peer: bool = False
    """Whether the other side said so; else it is our own judgement."""

    def __str__(self) -> str:
        """Says it to a person."""
        return f"the other side says: {self.sentence}" if self.by_peer else self.sentence

    def to_bytes(self) -> bytes:
        """Returns what the other side is told."""
        return encode((self.why.value, self.sentence[:MAX_SENTENCE]))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Farewell":
        """Reads what the other side said; characters that could disturb a screen are left out.

        Raises:
            MalformedError: It said nothing that can be understood.
        """
        match decode(data, ENDING_BYTES):
            case (str(word), str(sentence)) if word in set(Why):
                return cls(Why(word), "".join(filter(str.isprintable, sentence))[:MAX_SENTENCE], by_peer=True)
            case _:
                raise MalformedError("a goodbye has a known reason and a sentence")


class TransportError(Exception):
    """There is no connection, or no longer; ``ending`` says why."""

    def __init__(self, ending: Farewell) -> None:
        """Takes the reason."""
        super().__init__(str(ending))
        self.ending = ending


def refusal(why: Why, sentence: str) -> TransportError:
    """Returns the error for our own judgement of the other side."""
    return TransportError(Farewell(why, sentence))
