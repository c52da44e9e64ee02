"""How much of a node strangers may use: what is over it waits, where TCP slows the sender down.

A *bucket* fills with what is used and leaks at a fixed rate. Who shares our game has none: what they may send is judged
from their chains. Guests at our table have some of their own: at most tables anybody may sit down.
"""

from dataclasses import dataclass

from p2p_sheriff.node.limits import Limits


@dataclass(slots=True)
class Bucket:
    """What was used lately. It is full when it holds as much as may be used in one go."""

    per_second: float
    size: float
    _used: float = 0.0
    _time: float = 0.0

    def add(self, amount: float, now: float) -> None:
        """Notes that something was used, also beyond what is allowed: then it takes longer until more is."""
        self._used = self._left(now) + amount
        self._time = now

    def wait(self, now: float) -> float:
        """Returns for how many seconds nothing more may be used."""
        return max(0.0, self._left(now) - self.size) / self.per_second

    def has_room(self, now: float) -> bool:
        """Whether one unit may be used now."""
        return self._left(now) + 1 <= self.size

    def take(self, now: float) -> bool:
        """Uses one unit, if that is allowed now; returns whether it is."""
        if not self.has_room(now):
            return False
        self.add(1, now)
        return True

    def _left(self, now: float) -> float:
        return max(0.0, self._used - (now - self._time) * self.per_second)


class Allowance:
    """What one connection may use of our time and reading; all strangers together share another one."""

    def __init__(self, limits: Limits, shared: Bucket | None) -> None:
        """Takes the bucket of working time that all strangers fill; a guest at our table fills none but the own."""
        self._bytes = Bucket(limits.stranger_bytes_per_second, limits.stranger_bytes)
        self._times = [Bucket(limits.stranger_share, limits.stranger_seconds), *([shared] if shared else [])]

    def read(self, size: int, now: float) -> float:
        """Notes a frame that has come; returns how long it has to wait before it is worked on."""
        self._bytes.add(size, now)
        return max(bucket.wait(now) for bucket in (self._bytes, *self._times))

    def worked(self, seconds: float, now: float) -> None:
        """Notes how long a frame was worked on."""
        for bucket in self._times:
            bucket.add(seconds, now)
