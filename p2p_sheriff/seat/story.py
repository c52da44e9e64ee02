"""What happens at the table, told: lines for the log, bags that open, and who has how much."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from p2p_sheriff.node.events import AtGame, Checked, NodeEvent, PeerDown, PeerUp, Wrote
from p2p_sheriff.rules import Input, Kind, Phase, Seat, State, Transition
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.law import value_of
from p2p_sheriff.rules.moves import Accept, Act, Offer, Refuse, Talk, Withdraw
from p2p_sheriff.rules.scoring import orders_score
from p2p_sheriff.rules.steps import Judge, ShowBag, ShowPassing
from p2p_sheriff.seat.chronicle import closed_by, continued
from p2p_sheriff.seat.numbering import numbered
from p2p_sheriff.seat.picture import LogLine, Picture, ProofLine, Reveal, Topic
from p2p_sheriff.seat.stakes import fine_for
from p2p_sheriff.session.happenings import (
    Departed,
    Happened,
    Introduced,
    Negotiated,
    Rested,
    Said,
    TakenBack,
    TimeCalled,
    Voted,
    WentOn,
)
from p2p_sheriff.texts.cleaning import clean
from protocol.faults import Fault
from protocol.identity import PublicIdentity

P = TypeVar("P", bound=Picture)

_SUMS_UP = (Phase.REVEAL, Phase.OVER)

_MOST_PROOFS = 500
_MOST_STEPS = 64
"""What was told that many steps ago counts: all have named it since."""
MOST_REVEALS = 2
"""Who comes late to look sees the last bags only: the log has the others."""


def after_event(picture: P, event: NodeEvent, players: Sequence[PublicIdentity], now: float) -> P:
    """Returns the picture after something that the node tells; the players are by seat."""
    match event:
        case WentOn():
            return agreed(_remembering(picture), event)
        case Happened(_, changes):
            return happened(_remembering(picture), *changes)
        case Voted(seat, out):
            key = "parting.votes_out" if out else "parting.votes_on"
            return told(picture, key, name=picture.name(seat), names=picture.names_of(out))
        case Departed(seat):
            return told(picture, "parting.departs", name=picture.name(seat))
        case TakenBack(steps):
            return taken_back(picture, steps)
        case Negotiated(Accept(seat)) if picture.told is not None and seat in picture.told.officers:
            return picture  # A deputy's word is told when it counts (rule 10.4).
        case Negotiated(Offer() | Withdraw() | Refuse() | Accept() as move):
            return negotiated(picture, move)
        case Said(seat, text):
            return said(picture, seat, text)
        case Rested(seat, number) if number == _round(picture):
            line = LogLine(Topic.DEALS, picture.words.texts("narration.rests", name=picture.name(seat)), number)
            return picture.logging(line)
        case TimeCalled(seat, number) if number == _round(picture):
            line = LogLine(Topic.GAME, picture.words.texts("narration.calls_time", name=picture.name(seat)), number)
            return picture.logging(line)
        case Introduced(seat, style, patience):
            return introduced(picture, seat, style, patience)
        case Fault():
            reason = clean(event.reason)
            return troubled(picture, picture.words("trouble.fault", name=picture.name(Seat(event.seat)), reason=reason))
        case Checked(seat, what, size, seconds) | Wrote(seat, what, size, seconds):
            return proved(picture, Seat(seat), what, size, seconds)
        case PeerDown(identity) if identity in players:
            return connected(picture, Seat(players.index(identity)), now=now)
        case PeerUp(identity) if identity in players:
            return connected(picture, Seat(players.index(identity)), now=None)
        case AtGame(identity, is_there) if identity in players:
            keys = ("trouble.returned", "trouble.left")
            return connected(picture, Seat(players.index(identity)), now=None if is_there else now, keys=keys)
        case _:
            return picture


def happened(picture: P, *changes: Transition) -> P:
    """Returns the picture after what was put into the rules, in order."""
    for change in changes:
        item, after = change.item, change.after
        if isinstance(item, Talk):  # They were told when they were made.
            picture = replace(picture, said=tuple(move for move in picture.said if move != item))
        else:
            lines = picture.narrator.tell(change.before, item, after)
            picture = picture.logging(*(_line(after, item, text) for text in lines))
            picture = picture.logging(*(LogLine(Topic.DEALS, text, after.round) for text in _gone(picture, change)))
        if isinstance(item, Shown) and (reveal := _reveal(change.before, item)):
            picture = replace(picture, reveals=(*picture.reveals, reveal)[-MOST_REVEALS:])
        if 0 < change.before.round != after.round or after.phase in _SUMS_UP:
            picture = replace(picture, wealth=(*picture.wealth[: change.before.round - 1], wealth(after)))
        numbers = picture.numbered if after.round == change.before.round else {}
        picture = replace(picture, told=after, rounds=continued(picture.rounds, change), numbered=numbers)
    return picture


def _gone(picture: Picture, change: Transition) -> Iterator[str]:
    """Yields which offers are gone because a bag that they were about was dealt with, but for the deal that did it."""
    before, after = change.before, change.after
    taken = closed_by(before, change.item)
    for bag in before.closed_bags:
        if after[bag].out:
            continue
        if (fate := after.bag_of(bag).fate if after.round == before.round else None) is None:
            continue
        for standing in before.offers:
            if bag in standing.offer.bags and standing.offer != taken:
                yield picture.narrator.off(standing.offer, Act(bag, fate))


def negotiated(picture: P, move: Talk | Accept) -> P:
    """Returns the picture after words about bags."""
    if isinstance(move, Offer):
        state = picture.haggled
        standing = [one.offer for one in state.offers] if state is not None else []
        picture = replace(picture, numbered=numbered(picture.numbered, move, standing))
    if not isinstance(move, Accept):
        picture = replace(picture, said=(*picture.said, move))
    return picture.logging(LogLine(Topic.DEALS, picture.narrator.negotiation(move), _round(picture)))


def said(picture: P, seat: Seat, text: str) -> P:
    """Returns the picture after somebody said something."""
    if seat in picture.muted:
        return picture
    return picture.logging(LogLine(Topic.CHAT, f"{picture.name(seat)}: {clean(text)[:400]}", _round(picture)))


def introduced(picture: P, seat: Seat, style: str, patience: int) -> P:
    """Returns the picture after somebody said that a bot plays there, or none any more; who changes, is told of."""
    bots = {other: known for other, known in picture.bots.items() if other != seat}
    patient = {other: known for other, known in picture.patience.items() if other != seat}
    if _round(picture) > 0 and (seat in picture.bots) != bool(style):
        key = "parting.autopilot" if style else "parting.person"
        picture = told(picture, key, name=picture.name(seat))
    if style:
        bots, patient = {**bots, seat: style}, {**patient, seat: patience}
    return replace(picture, bots=bots, patience=patient)


def agreed(picture: P, event: WentOn) -> P:
    """Returns the picture after all who stay have agreed to go on, without some or with all."""
    picture = replace(picture, ballots=picture.ballots + 1)
    return happened(picture, *event.changes) if event.out else told(picture, "parting.all_stay")


def _remembering(picture: P) -> P:
    """Returns the picture with how it is before a step."""
    before = (picture.told, picture.rounds, picture.wealth)
    return replace(picture, earlier=(*picture.earlier, before)[-_MOST_STEPS:])


def taken_back(picture: P, steps: int) -> P:
    """Returns the picture as it was before the last steps, which do not count: only the log keeps them."""
    if earlier := picture.earlier[-steps:]:
        before, rounds, wealth = earlier[0]
        picture = replace(picture, told=before, rounds=rounds, wealth=wealth, earlier=picture.earlier[:-steps])
    return told(picture, "parting.taken_back")


def told(picture: P, key: str, **fields: object) -> P:
    """Returns the picture with a sentence about who is in the game."""
    return troubled(picture, picture.words.texts(key, **fields))


def troubled(picture: P, text: str) -> P:
    """Returns the picture after something went wrong."""
    return picture.logging(LogLine(Topic.TROUBLE, text, _round(picture)))


def proved(picture: P, seat: Seat, what: tuple[str, ...], size: int, seconds: float) -> P:
    """Returns the picture after an entry with its proofs was checked, or made; `what` names its acts."""
    named = ", ".join(dict.fromkeys(picture.words(f"proof.{act.lower()}") for act in what))
    line = ProofLine(seat, named, size, seconds * 1000)
    return replace(picture, proofs=(*picture.proofs, line)[-_MOST_PROOFS:])


def connected(
    picture: P, seat: Seat, *, now: float | None, keys: tuple[str, str] = ("trouble.back", "trouble.gone")
) -> P:
    """Returns the picture after somebody's connection came back, or was lost at that time; who is out is not missed."""
    if picture.told is not None and picture.told[seat].out:
        return picture
    away = {other: since for other, since in picture.away.items() if other != seat}
    if now is not None:
        away[seat] = picture.away.get(seat, now)
    if (now is None) == (seat in picture.away):
        key = keys[0] if now is None else keys[1]
        picture = troubled(picture, picture.words(key, name=picture.name(seat)))
    return replace(picture, away=away)


def wealth(state: State) -> tuple[int, ...]:
    """Returns what everybody can be seen to have: gold, and what lies open."""
    return tuple(
        player.gold
        + sum(
            value_of(state.setup, kind) for kind in kinds_of(player.stall) + kinds_of(player.revealed) + player.prizes
        )
        + sum(points for _, points in orders_score(state, Seat(seat)))
        for seat, player in enumerate(state.players)
    )


def _round(picture: Picture) -> int:
    return picture.told.round if picture.told else 0


def _line(state: State, item: Input, text: str) -> LogLine:
    if text.startswith("==="):
        return LogLine(Topic.ROUND, text.strip("= "), state.round)
    return LogLine(Topic.DEALS if isinstance(item, Accept) else Topic.GAME, text, state.round)


def _reveal(before: State, item: Shown) -> Reveal | None:
    """Returns the bag that opens with these cards, if one does."""
    step = before.todo[0] if before.todo else None
    if not isinstance(step, ShowBag | ShowPassing) or step.seat != item.seat:
        return None
    bag = before.bag_of(item.seat)
    declared, shown = bag.kind or "", dict(item.cards)
    kinds: list[Kind | None] = [shown.get(handle) for handle in bag.handles]
    order = [*before.setup.table, None]
    man = (bag.man_name,) if bag.man is not None else ()
    cards = (*sorted(kinds, key=lambda kind: (kind != declared, order.index(kind))), *man)
    inspected = isinstance(step, ShowBag)
    known = [kind for kind in kinds if kind is not None]
    is_lie = bool(man) or any(kind != declared for kind in known)
    judges = [one.officers for one in before.todo if isinstance(one, Judge) and one.seat == item.seat]
    payers = ((item.seat,) if is_lie else judges[0]) if inspected and judges else ()
    fine = fine_for(before, known, declared, bag.man_name, payers) if inspected else 0
    return Reveal(item.seat, inspected, bag.count or len(cards), declared, cards, fine, payers, bag.man_name)
