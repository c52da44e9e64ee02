"""Which dialogue answers what the game asks; it stays as it is while the same is asked."""

from dataclasses import replace

from p2p_sheriff.fronts.tui import choosing, options, paying, picking, splitting, swapping
from p2p_sheriff.fronts.tui.desk import Desk
from p2p_sheriff.fronts.tui.model import Dialogue, Model
from p2p_sheriff.rules import Choice, Seat, View
from p2p_sheriff.seat.picture import Picture


def shown(model: Model, picture: Picture) -> Model:
    """Returns the model with the game as it is in a picture."""
    return _renewed(model, model.showing(picture))


def seen(model: Model, view: View, choice: Choice | None, waiting_for: tuple[Seat, ...] = ()) -> Model:
    """Returns the model with another view, choice, and whom the game waits for."""
    return _renewed(model, replace(model, view=view, choice=choice, waiting_for=waiting_for, progress=None))


def _renewed(before: Model, model: Model) -> Model:
    """Returns the model with its questions as they are now; what is asked anew forgets what was said before."""
    if model.choice is not before.choice:
        model = replace(model, sending=False, notice=None)
    dialogue = (model.dialogue.renewed(model) if model.dialogue else None) or _dialogue(model)
    overlay = model.overlay.renewed(model) if model.overlay else None
    is_lost = model.overlay is not None and overlay is None
    if overlay != model.overlay:
        model = model.saying(model.words("status.changed"))
    is_new = model.is_new or is_lost or (dialogue is not None and dialogue is not model.dialogue)
    return replace(model, dialogue=dialogue, overlay=overlay, is_new=is_new)


def _dialogue(model: Model) -> Dialogue | None:
    if model.choice in (None, Choice.ACT):
        return Desk().renewed(model)
    dialogue = picking.of_choice(model) or paying.of_choice(model) or splitting.of_choice(model)
    return dialogue or swapping.of_choice(model) or choosing.of_choice(model) or options.of_choice(model)
