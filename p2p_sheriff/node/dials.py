"""Which addresses of strangers are dialled, and when: an announcement costs nothing, and may name anybody's machine."""

from collections import Counter, OrderedDict
from typing import TypeAlias

from p2p_sheriff.node.allowance import Bucket
from p2p_sheriff.node.limits import Limits

Place: TypeAlias = tuple[str, int]
"""A host and a port."""


class Dials:
    """Those under way, and where it was in vain."""

    def __init__(self, limits: Limits, futile_seconds: float) -> None:
        """Takes the bounds, and for how long an address where it was in vain is left alone."""
        self._limits, self._futile_seconds = limits, futile_seconds
        self._under_way: Counter[str] = Counter()
        self._rate = Bucket(limits.dials_per_second, limits.dials_in_a_row)
        self._futile: OrderedDict[Place, float] = OrderedDict()
        """Until when."""

    def begin(self, place: Place, now: float) -> bool:
        """Notes a dial that begins, if there may be one more now; returns whether there may."""
        is_crowded = self._under_way.total() >= self._limits.dials
        if is_crowded or self._under_way[place[0]] >= self._limits.dials_per_address or not self._rate.take(now):
            return False
        self._under_way[place[0]] += 1
        return True

    def end(self, place: Place) -> None:
        """Notes that it is over."""
        self._under_way[place[0]] -= 1
        self._under_way += Counter()  # Which drops those at zero: hosts that nobody dials any more.

    def leave_alone(self, places: list[Place], now: float) -> None:
        """Notes where it was in vain, often enough."""
        for place in places:
            self._futile[place] = now + self._futile_seconds
            self._futile.move_to_end(place)
        while len(self._futile) > self._limits.futile_dials:
            self._futile.popitem(last=False)

    def is_futile(self, place: Place, now: float) -> bool:
        """Whether an address is left alone for a while."""
        return self._futile.get(place, now) > now
