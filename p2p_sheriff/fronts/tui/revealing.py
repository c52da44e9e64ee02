"""A bag opens card by card; any key shows the rest at once, and one more goes on."""

from dataclasses import replace

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.hand import CARD_ROWS, Marks, draw_cards
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.rules import Card, Handle
from p2p_sheriff.seat.picture import Reveal

SECONDS_PER_CARD = {True: 0.5, False: 0.25}
SECONDS_AFTER = {True: 3.0, False: 1.5}
"""An inspection is a moment; a bag that passes soon makes room for what else goes on."""
_WIDTH = 15
SECONDS_OF_CALM = 0.4
"""Who wanted to skip what has just gone by itself must not answer the question under it."""


def turned_up(reveal: Reveal, now: float) -> int:
    """Returns how many cards have been turned up."""
    if reveal.skipped or reveal.started is None:
        return len(reveal.cards) if reveal.skipped else 0
    return min(len(reveal.cards), int((now - reveal.started) / SECONDS_PER_CARD[reveal.inspected]))


def is_whole(reveal: Reveal, now: float) -> bool:
    """Whether everything has been turned up."""
    return turned_up(reveal, now) == len(reveal.cards)


def _seconds(reveal: Reveal) -> float:
    return SECONDS_PER_CARD[reveal.inspected] * len(reveal.cards) + SECONDS_AFTER[reveal.inspected]


def moved_on(model: Model) -> Model:
    """Returns the model with its reveals as they are now: one begins, and goes when it was seen for a while."""
    if not model.reveals:
        return model
    first, *rest = model.reveals
    if first.started is None:
        first = replace(first, started=model.now)
    elif model.now - first.started > _seconds(first):
        return moved_on(replace(model, reveals=tuple(rest), calm_until=model.now + SECONDS_OF_CALM))
    return replace(model, reveals=(first, *rest))


def skipped(model: Model) -> Model:
    """Returns the model after any key: the rest is shown at once, or the next thing."""
    first, *rest = model.reveals
    if is_whole(first, model.now):
        return replace(model, reveals=tuple(rest))
    return replace(model, reveals=(replace(first, skipped=True), *rest))


def title_of(model: Model, reveal: Reveal) -> str:
    """Returns whose bag opens, and why."""
    name = model.name(reveal.owner)
    return model.words("reveal.title_inspect" if reveal.inspected else "reveal.title_pass", name=name)


def draw_reveal(model: Model, canvas: Canvas) -> None:
    """Draws the bag that is being opened over the table."""
    state, words = model.state, model.words
    if state is None:
        return
    reveal = model.reveals[0]
    name = model.name(reveal.owner)
    inside = max(56, 2 + _WIDTH * len(reveal.cards))
    inner = box_in(canvas, inside + 4, CARD_ROWS + 6, title_of(model, reveal))
    inner.put(0, 0, words("reveal.said", goods=words.counted(reveal.declared, reveal.count)), "declared")
    up = turned_up(reveal, model.now)
    for place, kind in enumerate(reveal.cards):
        slot = inner.part(place * _WIDTH, 1, _WIDTH + 1, CARD_ROWS)
        if place < up and kind is not None:
            wrong = reveal.inspected and kind != reveal.declared
            draw_cards(model, state, slot, [Card(Handle(place), kind, reveal.owner)], Marks())
            slot.put(1, 0, "╭", "loss" if wrong else "win")
            slot.put(2, 0, " ✗ " if wrong else " ✓ ", "loss" if wrong else "win")
        else:
            _draw_back(slot, words("reveal.back") if place < up else "")
    if is_whole(reveal, model.now):
        style, text = _verdict(model, reveal, name)
        inner.put_wrapped(0, CARD_ROWS + 2, text, style, rows=1)
    inner.put_right(CARD_ROWS + 3, words("key.skip"), "faint")


def _draw_back(slot: Canvas, mark: str) -> None:
    card = slot.part(1, 0, _WIDTH - 1, CARD_ROWS)
    inner = card.box(style="back")
    inner.fill("back", "░")
    if mark:
        inner.put_centred(1, f" {mark} ", "good.contraband")


def _verdict(model: Model, reveal: Reveal, name: str) -> tuple[str, str]:
    words = model.words
    payer = model.names_of(reveal.payers)
    if not reveal.inspected:
        hidden = sum(kind is None for kind in reveal.cards)
        if hidden:
            return "good.contraband", words("reveal.hidden", n=hidden)
        return "win", words("reveal.honest")
    if all(kind == reveal.declared for kind in reveal.cards):
        return "win", words("reveal.true", payer=payer, name=name, n=reveal.fine) if payer else words(
            "reveal.true_free"
        )
    return "loss", words("reveal.lie", payer=payer, n=reveal.fine)
