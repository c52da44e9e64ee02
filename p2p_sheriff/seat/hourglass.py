"""The time for the bags (rule 12.2) by the clock of one node: when it begins, stands still and is over.

No rule knows a clock: who sees the time run out says so, and counts like anybody. After a restart it begins anew.
"""

from dataclasses import replace
from typing import TypeVar

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Phase, State, demands, may_time_out
from p2p_sheriff.rules.setup import MINUTE
from p2p_sheriff.seat.picture import Picture, Timer
from p2p_sheriff.session.happenings import TimeCalled

P = TypeVar("P", bound=Picture)


def after_event(picture: P, event: NodeEvent, now: float, minute: float = MINUTE) -> P:
    """Returns the picture with the time as it is after something that the node tells."""
    if isinstance(event, TimeCalled):
        picture = replace(picture, called={**picture.called, event.seat: event.round})
    state, timer = picture.told, picture.timer
    if state is None or state.phase is not Phase.INSPECT or not may_time_out(state):
        return picture if timer is None else replace(picture, timer=None)
    if timer is None or timer.round != state.round:
        timer = Timer(state.round, now + minute * len(state.merchants))
    return replace(picture, timer=timer.running(now, stands=_is_asked(state)))


def _is_asked(state: State) -> bool:
    """Whether the rules demand something of a merchant, or of all, that must come before the next act on a bag."""
    return any(not demand.by or set(demand.by).intersection(state.merchants) for demand in demands(state))


def is_due(picture: Picture, now: float) -> bool:
    """Whether the own node has to say that the time is up."""
    is_here = not (picture.is_out or picture.coming_back)
    return is_here and _is_to_call(picture) and picture.timer is not None and picture.timer.left(now) <= 0


def next_look(picture: Picture, now: float) -> float | None:
    """Returns when the time will be up, if nothing happens before."""
    timer = picture.timer
    if timer is None or timer.stands_since is not None or timer.until <= now or not _is_to_call(picture):
        return None
    return timer.until


def _is_to_call(picture: Picture) -> bool:
    return picture.timer is not None and picture.seat is not None and _last_call(picture) != picture.timer.round


def _last_call(picture: Picture) -> int:
    return picture.called.get(picture.seat, 0) if picture.seat is not None else 0


def told(picture: Picture, now: float) -> str:
    """Returns how much time is left for the bags, in a sentence; nothing if that is not limited."""
    timer = picture.timer
    if timer is None:
        return ""
    key = "table.clock" if timer.stands_since is None else "table.clock_stands"
    return picture.words.texts(key, time=picture.words.time(timer.left(now)))
