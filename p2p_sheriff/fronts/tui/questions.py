"""Which dialogue answers what the game asks; it stays as it is while the same is asked."""

from dataclasses import replace

from p2p_sheriff.fronts.tui import options, paying, picking
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
    dialogue = model.dialogue.renewed(model) if model.dialogue else None
    overlay = model.overlay.renewed(model) if model.overlay else None
    if model.overlay is not None and overlay is None:
        model = model.saying(model.words("status.changed"))
    return replace(model, dialogue=dialogue or _dialogue(model), overlay=overlay)


def _dialogue(model: Model) -> Dialogue | None:
    if model.choice in (None, Choice.ACT):
        return Desk().renewed(model)
    return picking.of_choice(model) or paying.of_choice(model) or options.of_choice(model)
