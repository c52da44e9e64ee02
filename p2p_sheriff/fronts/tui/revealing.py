"""A bag opens card by card; Enter shows the rest at once, and once more goes on."""

from dataclasses import replace

from p2p_sheriff.fronts.tui import summing
from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.confirming import box_in
from p2p_sheriff.fronts.tui.hand import CARD_ROWS, Marks, draw_cards
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.model import SECONDS_OF_CALM, Model
from p2p_sheriff.rules import Card, Handle
from p2p_sheriff.seat.picture import Reveal
from p2p_sheriff.seat.printed import man_name

SECONDS_PER_CARD = {True: 0.5, False: 0.25}
SECONDS_AFTER = {True: 3.0, False: 1.5}
"""An inspection is a moment; a bag that passes soon makes room for what else goes on."""
_WIDTH = 15
REVEAL_KEYS: Keys = (("Enter", "key.go_on"),)


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
    if not is_shown(model):
        return model
    if not model.reveals:
        return _summed(model)
    first, *rest = model.reveals
    calm_until = model.calm_until
    if first.started is None:  # Keys were meant for what it covers; and then for it, not for what it covered.
        first, calm_until = replace(first, started=model.now), model.now + SECONDS_OF_CALM
    elif model.now - first.started > _seconds(first):
        return _gone(replace(model, reveals=tuple(rest)))
    return replace(model, reveals=(first, *rest), calm_until=calm_until)


def is_shown(model: Model) -> bool:
    """Whether a bag is being opened, or a round summed up; who writes or reads something sees it afterwards."""
    return bool(model.reveals or model.summaries) and model.overlay is None


def _summed(model: Model) -> Model:
    if model.summed_since is None:
        return replace(model, summed_since=model.now, calm_until=model.now + SECONDS_OF_CALM)
    if model.now - model.summed_since > summing.SECONDS:
        return _gone(replace(model, summaries=model.summaries[1:], summed_since=None))
    return model


def _gone(model: Model) -> Model:
    """Returns the model when something has gone by itself: what it refused may be just what is asked now."""
    notice = None if model.notice is not None and model.notice.refused else model.notice
    return moved_on(replace(model, notice=notice, calm_until=model.now + SECONDS_OF_CALM))


def skipped(model: Model) -> Model:
    """Returns the model after Enter: the rest is shown at once, or the next thing."""
    if not model.reveals:
        return replace(model, summaries=model.summaries[1:], summed_since=None)
    first, *rest = model.reveals
    if is_whole(first, model.now):
        return replace(model, reveals=tuple(rest))
    return replace(model, reveals=(replace(first, skipped=True), *rest))


def title_of(model: Model) -> str:
    """Returns whose bag opens, and why; or which round is summed up."""
    if not model.reveals:
        return model.words("summary.title", n=model.summaries[0].number)
    reveal = model.reveals[0]
    name = model.name(reveal.owner)
    return model.words("reveal.title_inspect" if reveal.inspected else "reveal.title_pass", name=name)


def draw_reveal(model: Model, canvas: Canvas) -> None:
    """Draws the bag that is being opened over the table."""
    state, words = model.state, model.words
    if state is None:
        return
    if not model.reveals:
        summing.draw_summary(model, canvas, model.summaries[0])
        return
    reveal = model.reveals[0]
    name = model.name(reveal.owner)
    inside = max(56, 2 + _WIDTH * len(reveal.cards))
    inner = box_in(canvas, inside + 4, CARD_ROWS + 6, title_of(model))
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
    inner.put_right(CARD_ROWS + 3, words("key.skip", key=words.cap("Enter")), "faint")
    canvas.click("enter", 0, 0, canvas.width, canvas.height)


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
        got_in = f"{words('reveal.man', man=man_name(words.texts, reveal.man))} " if reveal.man else ""
        if hidden:
            return "good.contraband", got_in + words("reveal.hidden", n=hidden)
        return "win", got_in + words("reveal.honest")
    if all(kind == reveal.declared for kind in reveal.cards):
        return "win", words("reveal.true", payer=payer, name=name, n=reveal.fine) if payer else words(
            "reveal.true_free"
        )
    return "loss", words("reveal.lie", payer=payer, n=reveal.fine)
