"""Which dialogue answers what the game asks; it stays as it is while the same is asked."""

from dataclasses import replace

from p2p_sheriff.fronts.tui import desk, options, paying, picking
from p2p_sheriff.fronts.tui.model import Dialogue, Model, Progress
from p2p_sheriff.rules import Choice, Phase, Seat, View


def seen(
    model: Model,
    view: View,
    choice: Choice | None,
    waiting_for: tuple[Seat, ...] = (),
    progress: Progress | None = None,
) -> Model:
    """Returns the model with the game as it is now.

    Args:
        model: As it was.
        view: What the player sees now.
        choice: What the player has to choose now, if anything.
        waiting_for: Whom the game waits for.
        progress: Work that goes around the table.
    """
    same = choice is model.choice
    sending, notice = (model.sending, model.notice) if same else (False, None)
    model = replace(model, view=view, choice=choice, waiting_for=waiting_for, progress=progress)
    model = replace(model, sending=sending, notice=notice)
    dialogue = model.dialogue.renewed(model) if model.dialogue else None
    overlay = model.overlay.renewed(model) if model.overlay else None
    if model.overlay is not None and overlay is None:
        model = model.saying(model.words("status.changed"))
    return replace(model, dialogue=dialogue or _dialogue(model), overlay=overlay)


def _dialogue(model: Model) -> Dialogue | None:
    if model.view is None or model.view.state.phase is Phase.OVER:
        return None
    if model.choice in (None, Choice.ACT):
        fresh = desk.of_phase(model.view.state)
        return fresh.renewed(model) if fresh else None
    return picking.of_choice(model) or paying.of_choice(model) or options.of_choice(model)
