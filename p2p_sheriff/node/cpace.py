"""How two nodes prove to each other that they know the same passphrase (docs/protocol.md, Passphrase): CPace.

What is sent tells nothing about the passphrase: whoever is at the other end can try one guess, and it shows.
"""

import hmac
import unicodedata
from dataclasses import dataclass, field

from protocol.errors import LocalError
from protocol.group import Element, Group, hash_secret_to_group
from protocol.hashing import digest
from protocol.randomness import Rng, nonzero_scalar


@dataclass(frozen=True, slots=True)
class Passphrase:
    """What all who meet at a private table know, however they type it."""

    group: Group = field(repr=False)
    secret: str = field(repr=False)

    @classmethod
    def typed(cls, group: Group, text: str) -> "Passphrase":
        """Reads what somebody has typed.

        Raises:
            LocalError: It is empty.
        """
        secret = unicodedata.normalize("NFKC", text).strip()
        if not secret:
            raise LocalError("a passphrase has at least one character")
        return cls(group, secret)

    def share(self, context: bytes, rng: Rng) -> "Share":
        """Begins on one side of one handshake."""
        y = nonzero_scalar(rng)
        return Share(self.group, context, y, self.group.mul(y, hash_secret_to_group("cpace", self.secret, context)))


@dataclass(frozen=True, slots=True)
class Tags:
    """Who shows the tag of its role has used the same passphrase."""

    client: bytes = field(repr=False)
    server: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Share:
    """One side of one handshake: Y is sent."""

    _group: Group = field(repr=False)
    _context: bytes = field(repr=False)
    _y: int = field(repr=False)
    Y: Element

    def as_client(self, Y_s: bytes) -> Tags:
        """Returns the tags, for what the server has sent.

        Raises:
            MalformedError: That is no element of the group.
        """
        return self._tags(self.Y, Y_s, Y_s)

    def as_server(self, Y_c: bytes) -> Tags:
        """Returns the tags, for what the client has sent.

        Raises:
            MalformedError: That is no element of the group.
        """
        return self._tags(Y_c, self.Y, Y_c)

    def _tags(self, Y_c: bytes, Y_s: bytes, received: bytes) -> Tags:
        K = self._group.mul(self._y, self._group.decode(received))
        key = digest("cpace", self._context, Y_c, Y_s, K)
        return Tags(hmac.digest(key, b"client", "sha256"), hmac.digest(key, b"server", "sha256"))
