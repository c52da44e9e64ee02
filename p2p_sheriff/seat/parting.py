"""When the game may go on without somebody, and what a node votes by itself: all of it is here, and none of it a rule.

Who has left for good, or provably cheated, is voted out at once and without a question. Who is absent or idle is waited
for first; then the player may choose. Whoever comes back, by a connection or a word, is nobody's to be voted out. Bots
do what people at their table want; where none is left, they go on by themselves, and wait for who is only slow. Who is
there and idle is not put out: their own node says so, and lets a bot play until they do something.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Phase, Seat
from p2p_sheriff.seat.picture import Ground, Missed, Picture
from p2p_sheriff.session.happenings import (
    Acknowledged,
    Departed,
    Happened,
    Introduced,
    Negotiated,
    Rested,
    Said,
    TimeCalled,
    Voted,
)
from p2p_sheriff.session.session import MOST_JOINED
from p2p_sheriff.session.terms import ABSENT_SECONDS, IDLE_SECONDS
from p2p_sheriff.texts.cleaning import clean
from protocol.faults import Fault, FaultCode

LEEWAY_SECONDS: Final = 10
"""By how much sooner than here somebody may be overdue for others: they don't see everything at the same moment."""

MOST_PATIENCE: Final = 3
"""So many times the time for the idle, somebody is waited for who is expected and only talks, or comes and goes."""

P = TypeVar("P", bound=Picture)


@dataclass(frozen=True, slots=True)
class Grace:
    """How many seconds others are waited for before the game may go on without them: as in the charter."""

    absent: float = ABSENT_SECONDS
    idle: float = IDLE_SECONDS

    def of(self, ground: Ground) -> float:
        """Returns the grace time for a reason."""
        return {Ground.ABSENT: self.absent, Ground.IDLE: self.idle}.get(ground, 0.0)


@dataclass(frozen=True, slots=True)
class Will:
    """What the player has said about those who are missed."""

    without: frozenset[Seat] = frozenset()
    """Whom to go on without."""
    spared: frozenset[Seat] = frozenset()
    """Whom to wait for."""

    def still(self, picture: Picture, now: float) -> "Will":
        """Returns what is left of it: nothing was said about who has come back, and is missed again later."""
        return Will(self.without & may_go(picture, now), self.spared & picture.missed.keys())


# -- who is missed


def after_event(picture: P, event: NodeEvent, now: float, grace: Grace) -> P:
    """Returns the picture with whom the game misses, after something that the node tells."""
    match event:
        case Departed(seat):
            picture = replace(picture, parted=picture.parted | {seat})
        case Fault(seat, code, reason) if code is not FaultCode.UNKNOWN_HEADS:  # Of that, nobody else has a proof.
            picture = replace(picture, faults={Seat(seat): reason, **picture.faults})
        case _:
            pass
    state, writer = picture.state, _writer(event)
    if writer in picture.coming_back:  # Words show nothing of what they have: they could talk for ever.
        writer = None
    seats = state.seats if state is not None and not picture.is_ended else ()
    # With a timer, a merchant has one time for all that is asked about a bag, during which that stands still (12.2).
    hurried = state.merchants if state is not None and state.setup.timed and state.phase is Phase.INSPECT else ()
    missed, left = dict[Seat, Missed](), dict(picture.idle_left) if hurried else {}
    expected = _expected(picture, now)
    for seat in seats:
        is_own = seat == picture.seat
        ground, before = _ground(picture, seat, expected), picture.idling if is_own else picture.missed.get(seat)
        if before is not None and before.ground is ground and seat != writer:
            missed[seat] = before
            continue
        if before is not None and before.ground is Ground.IDLE and seat in left:
            left[seat] = max(0.0, before.until - now)
        if ground is not None and (ground is Ground.IDLE or not is_own):
            is_hurried = ground is Ground.IDLE and seat in hurried
            seconds = left.setdefault(seat, grace.idle) if is_hurried else grace.of(ground)
            latest = _latest(before, ground, now) if seat != writer or not isinstance(event, Happened) else None
            latest = latest or now + MOST_PATIENCE * grace.idle
            missed[seat] = Missed(ground, min(now + seconds, latest), latest)
    idling = missed.pop(picture.seat, None) if picture.seat is not None else None
    is_same = (missed, idling, left) == (picture.missed, picture.idling, picture.idle_left)
    return picture if is_same else replace(picture, missed=missed, idling=idling, idle_left=left)


def _latest(before: Missed | None, ground: Ground, now: float) -> float | None:
    """Returns until when at the most somebody is waited for who was missed before; None if that begins anew.

    So it does for who has come back when the others could have gone on, and have waited.
    """
    is_same = before is not None and (before.ground is ground or before.until > now)
    return before.latest if before is not None and is_same else None


def _ground(picture: Picture, seat: Seat, expected: Collection[Seat]) -> Ground | None:
    if seat in picture.parted:
        return Ground.LEFT
    if seat in picture.faults:
        return Ground.CHEATED
    if seat in picture.away:
        return Ground.ABSENT
    return Ground.IDLE if seat in expected else None


def _expected(picture: Picture, now: float) -> Collection[Seat]:
    """Returns whom the game waits for: while a ballot is open, for their votes and nothing else.

    A vote against somebody who is there is none: honest nodes take it back. Nor is a call that nobody joins any more.
    """
    if picture.coming_back or picture.state is None:
        return picture.coming_back
    gone, is_worn = may_go(picture, now), picture.ballots >= MOST_JOINED
    cast = {seat for seat, out in picture.votes.items() if (gone.issuperset(out) if out else not is_worn)}
    return set(picture.state.seats) - cast if cast else picture.waiting_for


def _writer(event: NodeEvent) -> Seat | None:
    """Returns whose entry this is about, and so who is there."""
    match event:
        case Negotiated(move):
            return move.seat
        case Said() | Happened() | Voted() | Rested() | Introduced() | Departed() | Acknowledged() | TimeCalled():
            return event.seat
        case _:
            return None


# -- what may be voted


def overdue(picture: Picture, now: float) -> frozenset[Seat]:
    """Returns whom nobody needs to wait for any more."""
    return frozenset(seat for seat, one in picture.missed.items() if one.until <= now)


def named(picture: Picture) -> frozenset[Seat]:
    """Returns whom somebody wants to go on without."""
    return frozenset(seat for out in picture.votes.values() for seat in out)


def has_idled(picture: Picture, now: float) -> bool:
    """Whether others want to go on without the own player, who has done nothing for so long by the own clock too."""
    is_overdue = picture.idling is not None and picture.idling.until <= now + LEEWAY_SECONDS
    return is_overdue and picture.seat in named(picture)


def may_go(picture: Picture, now: float) -> frozenset[Seat]:
    """Returns whom the player may vote out: the overdue, and those whom others want to go on without, a little sooner.

    Not who has just come back, and is waited for like anybody who is there.
    """
    return overdue(picture, now) | (named(picture) & overdue(picture, now + LEEWAY_SECONDS))


def asked(picture: Picture, now: float) -> tuple[Seat, ...]:
    """Returns whom the player is asked to go on without: as others have proposed it, or else all who are overdue."""
    mine = picture.votes.get(picture.seat) if picture.seat is not None else None
    if picture.seat is None or picture.is_out:
        return ()
    proposed = Counter(out for out in picture.votes.values() if out and set(out) <= may_go(picture, now))
    out = proposed.most_common(1)[0][0] if proposed else tuple(sorted(overdue(picture, now)))
    return out if out != mine and is_enough(picture, out) else ()


def is_enough(picture: Picture, out: tuple[Seat, ...]) -> bool:
    """Whether more than half of those who are in the game would stay."""
    seats = picture.state.seats if picture.state is not None else ()
    return 2 * len(set(seats) - set(out)) > len(seats)


# -- what is voted


def next_vote(picture: Picture, will: Will, now: float, *, is_bot: bool = False) -> tuple[Seat, ...] | None:
    """Returns whom the own node votes to go on without now, nobody among it; None: it votes nothing.

    Args:
        picture: What is seen.
        will: What the player has said.
        now: By the clock that never goes back.
        is_bot: Whether no person is here who could be asked.
    """
    if picture.seat is None or picture.state is None or picture.is_out or picture.is_ended:
        return None
    if picture.seat in picture.parted:  # Who has left has no say in it.
        return None
    mine, votes, people = picture.votes.get(picture.seat), picture.votes, _people(picture, now)
    wanted = _sure(picture, will, now) | (will.without & may_go(picture, now))
    if is_bot:
        wanted |= _proposed(picture, people) & may_go(picture, now) if people else _lost(picture, now)
    out = tuple(sorted(wanted))
    if out and is_enough(picture, out):
        return out if out != mine else None
    is_worn = picture.ballots >= MOST_JOINED and not will.spared  # Else who proposes it on and on uses up all votes.
    if not votes or mine == () or is_worn:
        return None
    is_open = may_go(picture, now) & named(picture) - will.spared and picture.seat not in named(picture)
    is_decided = is_bot and any(votes.get(seat) == () for seat in people)
    return None if is_open and not mine and not is_decided else ()


def _sure(picture: Picture, will: Will, now: float) -> frozenset[Seat]:
    """Returns whom nobody needs to be asked about, unless the player has said to wait for them."""
    sure = (Ground.LEFT, Ground.CHEATED)
    return frozenset(seat for seat in overdue(picture, now) if picture.missed[seat].ground in sure) - will.spared


def _lost(picture: Picture, now: float) -> frozenset[Seat]:
    """Returns whom bots alone go on without: not a person who is there, and keeps nobody but them waiting."""
    missed, bots = picture.missed, picture.bots
    return frozenset(seat for seat in overdue(picture, now) if seat in bots or missed[seat].ground is not Ground.IDLE)


def _people(picture: Picture, now: float) -> list[Seat]:
    """Returns the people who are at the table, and not overdue."""
    seats = picture.state.seats if picture.state is not None else ()
    gone = overdue(picture, now) | picture.bots.keys() | {picture.seat}
    return [seat for seat in seats if seat not in gone]


def _proposed(picture: Picture, people: list[Seat]) -> frozenset[Seat]:
    """Returns whom people want to go on without, if none of them wants to wait."""
    sets = [picture.votes[seat] for seat in people if seat in picture.votes]
    most = Counter(sets).most_common(1)
    return frozenset(most[0][0] if most and () not in sets else ())


def next_look(picture: Picture, now: float) -> float | None:
    """Returns when somebody will be overdue next."""
    return min((one.until for one in picture.missed.values() if one.until > now), default=None)


# -- in words


def told(picture: Picture, now: float) -> tuple[str, ...]:
    """Returns what is voted, by whom, and whose vote is missing; then whom the game may go on without, and when."""
    return (*_ballots(picture), *_countdowns(picture, now))


def _ballots(picture: Picture) -> Iterator[str]:
    texts, seats = picture.words.texts, picture.state.seats if picture.state is not None else ()
    for out in dict.fromkeys(picture.votes.values()):
        voters = [seat for seat in picture.votes if picture.votes[seat] == out]
        key = "parting.ballot" if out else "parting.waiting"
        yield texts(key, names=picture.names_of(out), voters=picture.names_of(voters))
        if missing := [seat for seat in seats if seat not in (*voters, *out)]:
            yield texts("parting.missing", names=picture.names_of(missing))


def _countdowns(picture: Picture, now: float) -> Iterator[str]:
    words = picture.words
    for seat, one in picture.missed.items():
        told = {"name": picture.name(seat), "reason": clean(picture.faults.get(seat, ""))}
        yield words.texts(f"parting.{one.ground.value}", **told)
        if seat not in named(picture) and one.ground in (Ground.ABSENT, Ground.IDLE):
            left = one.until - now
            yield words.texts("parting.soon" if left > 0 else "parting.now", time=words.time(left), **told)
