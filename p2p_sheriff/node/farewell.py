"""Why a connection ends, or never began: a word that both sides understand, and what it is about."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from p2p_sheriff.phrase import Phrase, Told
from p2p_sheriff.texts.cleaning import clean
from protocol.codec import decode, encode
from protocol.errors import MalformedError

MAX_DETAIL: Final = 120
"""Characters; a line or two on a screen, with the sentence around it."""

ENDING_BYTES: Final = 4 * MAX_DETAIL + 32
"""The detail in UTF-8, the word and the headers of the encoding."""


class Why(StrEnum):
    """The reasons (docs/protocol.md, Endings): the word on the wire, and of the text in the catalogues (`endings`)."""

    LEFT = "left"
    CLOSED = "closed"
    LOST = "lost"
    UNREACHABLE = "unreachable"
    TLS = "tls"
    CERTIFICATE = "certificate"
    IDENTITY = "identity"
    SELF = "self"
    PROOF = "proof"
    PASSPHRASE = "passphrase"  # noqa: S105 - the word for the reason, no secret.
    TRIES = "tries"
    PRIVATE = "private"
    PUBLIC = "public"
    NAME = "name"
    VERSION = "version"
    LATE = "late"
    CROWDED = "crowded"
    SLOW = "slow"
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Farewell:
    """Why a connection ended."""

    why: Why
    detail: str = ""
    """Which name, which versions, what made no sense: a word or two that the sentence may hold."""
    by_peer: bool = False
    """Whether the other side said so; else it is our own judgement."""

    @property
    def phrase(self) -> Phrase:
        """What people are told."""
        reason = Phrase(f"endings.{self.why}", detail=self.detail)
        return Phrase("news.other_side", reason=reason) if self.by_peer else reason

    def to_bytes(self) -> bytes:
        """Returns what the other side is told."""
        return encode((self.why.value, self.detail[:MAX_DETAIL]))

    @classmethod
    def from_bytes(cls, data: bytes) -> "Farewell":
        """Reads what the other side said; characters that could disturb a screen are left out.

        Raises:
            MalformedError: It said nothing that can be understood.
        """
        match decode(data, ENDING_BYTES):
            case (str(word), str(detail)) if word in set(Why):
                return cls(Why(word), clean(detail)[:MAX_DETAIL], by_peer=True)
            case _:
                raise MalformedError("a goodbye has a known reason and a detail")


class TransportError(Told):
    """There is no connection, or no longer; ``ending`` says why."""

    def __init__(self, ending: Farewell) -> None:
        super().__init__(ending.phrase)
        self.ending = ending


def refusal(why: Why, detail: str = "") -> TransportError:
    """Returns the error for our own judgement of the other side."""
    return TransportError(Farewell(why, detail))
