"""How long a bot that is sheriff leaves a person's bag open: counted by everybody from what they see themselves.

The bot and the person count alike, so the countdown that is shown is the one that the bot keeps to, but for the way of
a message. Nothing of it is in the rules.
"""

from dataclasses import replace
from typing import Final, TypeVar

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Phase, Seat
from p2p_sheriff.rules.deals import find_offer
from p2p_sheriff.rules.moves import Offer, Refuse
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.session.happenings import Happened, Introduced, Negotiated, Rested

AT_MOST: Final = 3
"""So many times its patience a bot leaves one bag open, whatever is offered about it."""
MARGIN_SECONDS: Final = 5
"""So long before the time of the phase is over, nobody is waited for any more (rule 12.2)."""

P = TypeVar("P", bound=Picture)


def after_event(before: Picture, picture: P, event: NodeEvent, now: float) -> P:
    """Returns the picture with what was said and done counted in.

    Args:
        before: The picture before the event: what was refused still stands in it.
        picture: The picture after it.
        event: What has happened.
        now: By a clock that never goes back.
    """
    match event:
        case Negotiated(Offer() as offer):
            answered = {offer.seat} | (set(offer.parties) if offer.seat in _officers(picture) else set())
            picture = replace(picture, silent=picture.silent - (answered & offer.bags))
            return _waiting(picture, now, offer.bags)
        case Negotiated(Refuse(seat, author, number)):
            state = before.haggled
            standing = find_offer(state, author, number) if state is not None else None
            if standing is not None and author in _officers(picture) and seat in standing.offer.bags:
                picture = replace(picture, silent=picture.silent | {seat})
        case Rested(seat, number) if picture.told is not None and number == picture.told.round:
            picture = replace(picture, silent=picture.silent | {seat})
        case Happened() | Introduced():
            pass
        case _:
            return picture
    return _waiting(picture, now, frozenset())


def _officers(picture: Picture) -> tuple[Seat, ...]:
    return picture.told.officers if picture.told is not None else ()


def _waiting(picture: P, now: float, talked: frozenset[Seat]) -> P:
    """Returns the picture with the bags that are waited for, after an offer about these."""
    state, patience = picture.told, _patience(picture)
    if state is None or state.phase is not Phase.INSPECT or not patience:
        is_next = state is None or state.phase is not Phase.INSPECT
        return replace(picture, open_until={}, open_at_most={}, silent=frozenset() if is_next else picture.silent)
    at_most, until = dict(picture.open_at_most), dict(picture.open_until)
    for bag in state.closed_bags:
        if bag in picture.bots:
            continue
        if bag not in at_most:
            latest = now + AT_MOST * patience
            at_most[bag] = min(latest, picture.timer.until - MARGIN_SECONDS) if picture.timer is not None else latest
        if bag in talked or bag not in until:
            until[bag] = min(now + patience, at_most[bag])
    waited = {bag for bag in until if bag in state.closed_bags and bag not in picture.silent | picture.bots.keys()}
    return replace(picture, open_at_most=at_most, open_until={bag: until[bag] for bag in until if bag in waited})


def _patience(picture: Picture) -> int:
    """Returns how long bags are left open in this round: by bots alone, and as long as the most patient of them."""
    officers = _officers(picture)
    return max((picture.patience.get(officer, 0) for officer in officers), default=0) * all(
        officer in picture.bots for officer in officers
    )
