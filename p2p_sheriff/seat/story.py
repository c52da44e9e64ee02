"""What happens at the table, told: lines for the log, bags that open, and who has how much."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from p2p_sheriff.node.events import Checked, NodeEvent, PeerDown, PeerUp, Wrote
from p2p_sheriff.rules import Input, Kind, Phase, Seat, State, Transition
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.law import fine_of, value_of
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.rules.steps import Judge, ShowBag, ShowPassing
from p2p_sheriff.seat.picture import LogLine, Picture, ProofLine, Reveal, Topic
from p2p_sheriff.session.happenings import Happened, Negotiated, Said
from p2p_sheriff.texts.cleaning import clean
from protocol.faults import Fault
from protocol.identity import PublicIdentity

P = TypeVar("P", bound=Picture)

_SUMS_UP = (Phase.END_OF_ROUND, Phase.REVEAL, Phase.OVER)

_MOST_PROOFS = 500
MOST_REVEALS = 2
"""Who comes late to look sees the last bags only: the log has the others."""


def after_event(picture: P, event: NodeEvent, players: Sequence[PublicIdentity], now: float) -> P:
    """Returns the picture after something that the node tells; the players are by seat."""
    match event:
        case Happened(_, changes):
            return happened(picture, *changes)
        case Negotiated(Offer() | Withdraw() | Accept() as move):
            return negotiated(picture, move)
        case Said(seat, text):
            return said(picture, seat, text)
        case Fault():
            reason = clean(event.reason)
            return troubled(picture, picture.words("trouble.fault", name=picture.name(Seat(event.seat)), reason=reason))
        case Checked(seat, what, size, seconds):
            return proved(picture, Seat(seat), what, size, seconds)
        case Wrote(what, size, seconds) if picture.seat is not None:
            return proved(picture, picture.seat, what, size, seconds)
        case PeerDown(identity) if identity in players:
            return connected(picture, Seat(players.index(identity)), now=now)
        case PeerUp(identity) if identity in players:
            return connected(picture, Seat(players.index(identity)), now=None)
        case _:
            return picture


def happened(picture: P, *changes: Transition) -> P:
    """Returns the picture after what was put into the rules, in order."""
    for change in changes:
        item, after = change.item, change.after
        if isinstance(item, Offer | Withdraw):  # They were told when they were made.
            picture = replace(picture, said=tuple(move for move in picture.said if move != item))
        else:
            lines = picture.narrator.tell(change.before, item, after)
            picture = picture.logging(*(_line(after, item, text) for text in lines))
        if isinstance(item, Shown) and (reveal := _reveal(change.before, item)):
            picture = replace(picture, reveals=(*picture.reveals, reveal)[-MOST_REVEALS:])
        if after.phase in _SUMS_UP:
            picture = replace(picture, wealth=(*picture.wealth[: after.round - 1], wealth(after)))
        picture = replace(picture, told=after)
    return picture


def negotiated(picture: P, move: Offer | Withdraw | Accept) -> P:
    """Returns the picture after words about bags."""
    if not isinstance(move, Accept):
        picture = replace(picture, said=(*picture.said, move))
    return picture.logging(LogLine(Topic.DEALS, picture.narrator.negotiation(move), _round(picture)))


def said(picture: P, seat: Seat, text: str) -> P:
    """Returns the picture after somebody said something."""
    if seat in picture.muted:
        return picture
    return picture.logging(LogLine(Topic.CHAT, f"{picture.name(seat)}: {clean(text)[:400]}", _round(picture)))


def troubled(picture: P, text: str) -> P:
    """Returns the picture after something went wrong."""
    return picture.logging(LogLine(Topic.TROUBLE, text, _round(picture)))


def proved(picture: P, seat: Seat, what: tuple[str, ...], size: int, seconds: float) -> P:
    """Returns the picture after an entry with its proofs was checked, or made; `what` names its acts."""
    named = ", ".join(dict.fromkeys(picture.words(f"proof.{act.lower()}") for act in what))
    line = ProofLine(seat, named, size, seconds * 1000)
    return replace(picture, proofs=(*picture.proofs, line)[-_MOST_PROOFS:])


def connected(picture: P, seat: Seat, *, now: float | None) -> P:
    """Returns the picture after somebody's connection came back, or was lost at that time."""
    away = {other: since for other, since in picture.away.items() if other != seat}
    if now is not None:
        away[seat] = picture.away.get(seat, now)
    if (now is None) == (seat in picture.away):
        key = "trouble.back" if now is None else "trouble.gone"
        picture = troubled(picture, picture.words(key, name=picture.name(seat)))
    return replace(picture, away=away)


def wealth(state: State) -> tuple[int, ...]:
    """Returns what everybody can be seen to have: gold, and what lies open."""
    return tuple(
        player.gold
        + sum(
            value_of(state.setup, kind) for kind in kinds_of(player.stall) + kinds_of(player.revealed) + player.prizes
        )
        for player in state.players
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
    cards = tuple(sorted(kinds, key=lambda kind: (kind != declared, order.index(kind))))
    inspected = isinstance(step, ShowBag)
    lies = [kind for kind in cards if kind is not None and kind != declared]
    fine = sum(fine_of(before, kind) for kind in lies or cards if kind is not None) if inspected else 0
    judges = [one.officers for one in before.todo if isinstance(one, Judge) and one.seat == item.seat]
    payers = ((item.seat,) if lies else judges[0]) if inspected and judges else ()
    return Reveal(item.seat, inspected, bag.count or len(cards), declared, cards, fine, payers)
