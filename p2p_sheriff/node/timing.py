"""How long a node waits for what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Timing:
    """All waiting times of a node in one value, which is handed in: tests hand in a quick one."""

    heartbeat_seconds: float = 2
    """How often a node shows that it is there."""

    dead_after_seconds: float = 6
    """After three missed heartbeats a connection is closed and dialled anew: TCP by itself needs half a minute."""

    handshake_seconds: float = 5
    """From the first packet to a proven identity. A stranger can hold a place for this long, and no longer."""

    goodbye_seconds: float = 1
    """How long who ends a connection waits for the other side to have read why."""

    rescan_seconds: float = 10
    """How often the lobby looks for nodes that were cut off when they started."""

    reconnect_seconds: float = 0.5
    """The first pause between two attempts to connect; each is twice the one before ..."""

    most_reconnect_seconds: float = 8
    """... up to this."""

    courtesy_seconds: float = 0.4
    """How long the one with the larger key of two nodes that want each other lets the other one dial first."""

    seat_seconds: float = 15
    """How long who is cut off keeps the seat at a table that is being gathered."""

    futile_seconds: float = 20
    """How long an address where strangers were dialled in vain is left alone."""
