"""What keys come to at a table."""

from collections.abc import Sequence

from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.fronts.tui.table import TableScreen
from p2p_sheriff.rules import Handle, LoadBag, Move
from p2p_sheriff.rules.stalls import in_order
from tests.fronts.tui.scenes import pressed


def intents_of(model: Model, *keys: str) -> Sequence[Wish]:
    """Returns what the last of these keys asks for."""
    before = pressed(model, *keys[:-1])
    _, intents = TableScreen(before).press(keys[-1])
    return intents


def hand_of(model: Model) -> list[Handle]:
    assert model.view is not None
    return [card.handle for card in in_order(model.view.state.setup, model.view.hand)]


def played(intents: Sequence[Wish]) -> object:
    (intent,) = intents
    assert isinstance(intent, LoadBag | Move)
    return intent
