"""What the screen of a game shows: a picture, and how far the player is with answering it.

`view` and `choice` come from the game. `dialogue` is how the player answers what is asked; `overlay` is what the
player has opened over it: a deal, the composer of an offer, the log. Both are values with the methods of `Dialogue`.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Protocol, TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Card, Kind, State, View
from p2p_sheriff.seat.picture import Notice, Picture
from p2p_sheriff.seat.story import MOST_REVEALS


@dataclass(frozen=True, slots=True)
class Model(Picture):
    """All that the screen of a game shows."""

    now: float = 0.0
    calm_until: float = 0.0
    """Until then keys do nothing: they were meant for a bag that has just closed by itself."""
    dialogue: "Dialogue | None" = field(default=None, repr=False)
    overlay: "Dialogue | None" = field(default=None, repr=False)
    notice: Notice | None = None
    sending: bool = False
    """Whether a move is on its way."""

    @property
    def mine(self) -> View:
        """The view of who is asked something: who only looks on never is."""
        assert self.view is not None  # noqa: S101 - see above.
        return self.view

    def showing(self, picture: Picture) -> "Model":
        """Returns the model with the game as it is in a picture; bags that open are added to those being shown."""
        shown = {one.name: getattr(picture, one.name) for one in fields(Picture)}
        return replace(self, **shown | {"reveals": (*self.reveals, *picture.reveals)[-MOST_REVEALS:]})

    def saying(self, text: str, *, refused: bool = False) -> "Model":
        """Returns the model with a sentence for the player."""
        return replace(self, notice=Notice(text, refused))

    def refusing(self, key: str, **fields: object) -> "Model":
        """Returns the model with the reason why a key did nothing."""
        return self.saying(self.words(key, **fields), refused=True)

    def refused(self, sentence: str) -> "Model":
        """Returns the model after a move was refused: the player is asked again."""
        return replace(self.saying(sentence, refused=True), sending=False)

    def arrived(self) -> "Model":
        """Returns the model after a move has reached the table."""
        return replace(self, sending=False)

    def asking(self, dialogue: "Dialogue | None") -> "Model":
        """Returns the model with the player's answer as far as it is composed."""
        return replace(self, dialogue=dialogue)

    def over(self, overlay: "Dialogue | None") -> "Model":
        """Returns the model with something opened over the table, or closed again."""
        return replace(self, overlay=overlay)


Turn: TypeAlias = tuple[Model, tuple[Wish, ...]]
"""What comes of a key."""


class Dialogue(Protocol):
    """Something that takes keys: an answer being composed, or a panel. A frozen dataclass."""

    __slots__ = ()

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws itself into its place; returns how many lines it used."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Returns what comes of a key; None if it means nothing here."""

    def prompt(self, model: Model) -> str:
        """Returns what is asked of the player."""

    def keys(self, model: Model) -> Keys:
        """Returns which keys do something now, each with the key of a word for what."""

    def renewed(self, _model: Model, /) -> "Dialogue | None":
        """Returns itself for a game that has gone on; None if there is nothing left to ask."""
        return self


# -- small questions about goods


def good_style(state: State, kind: Kind) -> str:
    """Returns the style of a good."""
    if kind in ("apples", "cheese", "bread", "chicken"):
        return f"good.{kind}"
    return f"good.{state.setup.table[kind].side.value}"


def in_order(state: State, cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns cards in the order of the table of goods: legal ones first."""
    order = list(state.setup.table)
    return tuple(sorted(cards, key=lambda card: (order.index(card.kind), card.handle)))
