"""What others may take of a node: places, memory, time and dials. Each is named in docs/protocol.md, Limits."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Limits:
    """All bounds against strangers in one value. *Companions* share our game or our table: they have places kept."""

    frame_bytes: int = 1 << 18
    """The largest entry, two shuffled lists with their proofs, is about half of this."""

    queue_bytes: int = 1 << 23
    """What may wait to be sent to one peer: a whole game several times over."""

    handshakes: int = 64
    handshakes_per_address: int = 32
    """Strangers at once. Over this they are hung up on before TLS costs anything."""

    handshakes_per_second: float = 8
    handshakes_in_a_row: int = 64
    """Of all addresses of strangers together; each address of a companion has as many of its own."""

    connections: int = 256
    connections_per_address: int = 64
    """Proved strangers at once. One machine may run as many nodes as a demonstration of several tables needs."""

    failed_tries_per_second: float = 0.1
    failed_tries_in_a_row: int = 1
    """With the passphrase of a private table, by all whom we don't know together; as many when it is we who dial."""

    inbox_frames: int = 256
    """How many frames may wait to be worked on before a node stops to read more."""

    stranger_frames: int = 8
    """How many of these may be strangers': so no companion ever waits behind a crowd."""

    stranger_bytes_per_second: float = 1 << 17
    stranger_bytes: int = 1 << 20
    """What is read of one stranger: a whole game in one go, then this much a second."""

    stranger_share: float = 0.02
    stranger_seconds: float = 0.25
    """How long we work for one stranger: this part of the time, and so many seconds in one go."""

    strangers_share: float = 0.05
    strangers_seconds: float = 0.5
    """The same for all strangers together: of a game of a few seconds it is not much either."""

    frame_seconds: float = 0.0002
    """What each of their frames costs besides: it is deciphered, waits, and may be looked at in a thread."""

    onlookers_behind: int = 16
    """While so many have not read what was sent, no other onlooker is answered: each has a whole game waiting here."""

    strangers_known: int = 64
    """Of how many strangers without a connection we remember where they may be."""

    names_resolved: int = 16
    names_waiting: int = 256
    """Of how many announced names we ask at once where they are; and how many wait for it."""

    dials: int = 16
    dials_per_address: int = 4
    """To strangers at once: an announcement may name anybody's machine."""

    dials_per_second: float = 8
    dials_in_a_row: int = 64
    """To strangers in all."""

    dialled: int = 128
    """Connections with strangers that we dialled: whoever announces nodes may let them answer."""

    failures: int = 6
    """So often somebody who is no companion is dialled in vain before they are forgotten."""

    futile_dials: int = 512
    """Of how many addresses we remember that it was in vain, and leave them alone for a while."""


DEFAULT: Final = Limits()
