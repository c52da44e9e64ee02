"""What happens at the table, told to the screen: lines for the log, bags that open, and who has how much."""

from dataclasses import replace

from p2p_sheriff.fronts.tui.model import LogLine, Model, ProofLine, Reveal, Topic
from p2p_sheriff.rules import Input, Kind, Phase, Seat, State, apply
from p2p_sheriff.rules.cards import kinds_of
from p2p_sheriff.rules.facts import Shown
from p2p_sheriff.rules.law import fine_of, value_of
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.rules.steps import Judge, ShowBag, ShowPassing
from p2p_sheriff.texts.cleaning import clean

_SUMS_UP = (Phase.END_OF_ROUND, Phase.REVEAL, Phase.OVER)

_MOST_PROOFS = 500
_MOST_REVEALS = 2
"""Who comes late to look sees the last bags only: the log has the others."""


def happened(model: Model, *inputs: Input, quiet: bool = False) -> Model:
    """Returns the model after what was put into the rules, in order.

    Args:
        model: It has a state that was told so far.
        inputs: What was put into the rules.
        quiet: Whether bags open without being shown: for what happened before the player came.
    """
    for item in inputs:
        before = model.told
        if before is None:
            return model
        after = apply(before, item)
        if not isinstance(item, Offer | Withdraw):  # They were told when they were made.
            lines = model.narrator.tell(before, item, after)
            model = model.logging(*(_line(after, item, text) for text in lines))
        if not quiet and isinstance(item, Shown) and (reveal := _reveal(before, item)):
            model = replace(model, reveals=(*model.reveals, reveal)[-_MOST_REVEALS:])
        if after.phase in _SUMS_UP:
            model = replace(model, wealth=(*model.wealth[: after.round - 1], wealth(after)))
        model = replace(model, told=after)
    return model


def negotiated(model: Model, move: Offer | Withdraw | Accept) -> Model:
    """Returns the model after words about bags."""
    return model.logging(LogLine(Topic.DEALS, model.narrator.negotiation(move), _round(model)))


def said(model: Model, seat: Seat, text: str) -> Model:
    """Returns the model after somebody said something."""
    return model.logging(LogLine(Topic.CHAT, f"{model.name(seat)}: {clean(text)[:400]}", _round(model)))


def troubled(model: Model, text: str) -> Model:
    """Returns the model after something went wrong."""
    return model.logging(LogLine(Topic.TROUBLE, text, _round(model)))


def broke(model: Model, seat: Seat, reason: str) -> Model:
    """Returns the model after somebody was caught."""
    return troubled(model, model.words("trouble.fault", name=model.name(seat), reason=clean(reason)))


def proved(model: Model, seat: Seat, what: tuple[str, ...], size: int, seconds: float) -> Model:
    """Returns the model after an entry with its proofs was checked, or made; `what` names its acts."""
    named = ", ".join(dict.fromkeys(model.words(f"proof.{act.lower()}") for act in what))
    line = ProofLine(seat, named, size, seconds * 1000)
    return replace(model, proofs=(*model.proofs, line)[-_MOST_PROOFS:])


def connected(model: Model, seat: Seat, *, now: float | None) -> Model:
    """Returns the model after somebody's connection came back, or was lost at that time."""
    away = {other: since for other, since in model.away.items() if other != seat}
    if now is not None:
        away[seat] = model.away.get(seat, now)
    if (now is None) == (seat in model.away):
        model = troubled(model, model.words("trouble.back" if now is None else "trouble.gone", name=model.name(seat)))
    return replace(model, away=away)


def wealth(state: State) -> tuple[int, ...]:
    """Returns what everybody can be seen to have: gold, and what lies open."""
    return tuple(
        player.gold
        + sum(
            value_of(state.setup, kind) for kind in kinds_of(player.stall) + kinds_of(player.revealed) + player.prizes
        )
        for player in state.players
    )


def _round(model: Model) -> int:
    return model.told.round if model.told else 0


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
