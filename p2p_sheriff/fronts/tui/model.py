"""What the screen of a game shows: a picture, and how far the player is with answering it.

`view` and `choice` come from the game. `dialogue` is how the player answers what is asked; `overlay` is what the
player has opened over it: a deal, the composer of an offer, the log. Both are values with the methods of `Dialogue`.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol, TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.keyboard import Keys
from p2p_sheriff.fronts.tui.screen import Wish
from p2p_sheriff.rules import Kind, State, View
from p2p_sheriff.seat.chronicle import Round
from p2p_sheriff.seat.picture import Notice, Picture
from p2p_sheriff.seat.story import MOST_REVEALS

SECONDS_OF_CALM = 0.4
"""Nobody reads a question and answers it so soon."""


@dataclass(frozen=True, slots=True)
class Model(Picture):
    """All that the screen of a game shows."""

    now: float = 0.0
    is_new: bool = False
    """Whether something else is asked than when the clock was looked at last."""
    calm_until: float = 0.0
    """Until then keys do nothing: they were meant for what was here before."""
    dialogue: "Dialogue | None" = field(default=None, repr=False)
    overlay: "Dialogue | None" = field(default=None, repr=False)
    notice: Notice | None = None
    summaries: tuple[Round, ...] = ()
    """Rounds that are over and were not yet looked at."""
    summed_since: float | None = None
    """Since when the first of them is shown."""
    sending: bool = False
    """Whether a move is on its way."""

    @property
    def mine(self) -> View:
        """The view of who is asked something: who only looks on never is."""
        assert self.view is not None  # noqa: S101 - see above.
        return self.view

    def showing(self, picture: Picture) -> "Model":
        """Returns the model with the game as it is in a picture; bags that open are added to those being shown."""
        unrevealed = self.unrevealed if self.reveals else picture.unrevealed
        reveals = (*self.reveals, *picture.reveals)[-MOST_REVEALS:]
        return replace(self, **_shown(picture) | {"reveals": reveals, "unrevealed": unrevealed})

    @property
    def behind(self) -> "Model":
        """What lies behind a bag that opens: the table as it was, so that neither gold nor log tells of it first."""
        if not self.reveals or self.unrevealed is None:
            return self
        # Its time goes on meanwhile.
        times = {"open_until": self.open_until, "timer": self.timer}
        return replace(self, **_shown(self.unrevealed) | {"dialogue": None} | times)

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

    def at(self, now: float) -> "Model":
        """Returns the model at that time: what is new takes no keys for a moment."""
        calm_until = now + SECONDS_OF_CALM if self.is_new else self.calm_until
        return replace(self, now=now, is_new=False, calm_until=calm_until)

    @property
    def is_calm(self) -> bool:
        """Whether keys do nothing yet. What the player has opened, and goes on typing in, always takes them."""
        return self.now < self.calm_until and self.overlay is None

    def asking(self, dialogue: "Dialogue | None") -> "Model":
        """Returns the model with the player's answer as far as it is composed."""
        return replace(self, dialogue=dialogue)

    def over(self, overlay: "Dialogue | None") -> "Model":
        """Returns the model with something opened over the table, or closed again."""
        return replace(self, overlay=overlay)


def _shown(picture: Picture) -> dict[str, Any]:
    return {one.name: getattr(picture, one.name) for one in fields(Picture)}


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
