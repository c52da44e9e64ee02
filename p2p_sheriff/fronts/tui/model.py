"""What the screen of a game shows: a value. Everything that happens, and every key, makes a new one.

`view` and `choice` come from the game. `dialogue` is how the player answers what is asked; `overlay` is what the
player has opened over it: a deal, the composer of an offer, the log. Both are values with the methods of `Dialogue`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Protocol, TypeAlias

from p2p_sheriff.fronts.tui.canvas import Canvas, clip
from p2p_sheriff.fronts.tui.screen import Intent
from p2p_sheriff.fronts.tui.words import Words
from p2p_sheriff.rules import Card, Choice, Handle, Kind, LegalMove, Move, Phase, Seat, State, View, legal_moves
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.texts.cleaning import clean

# -- what the player wants


@dataclass(frozen=True, slots=True)
class Play(Intent):
    """Make this move."""

    move: Move


@dataclass(frozen=True, slots=True)
class LoadBag(Intent):
    """Put these cards into the bag and close it."""

    handles: tuple[Handle, ...]


@dataclass(frozen=True, slots=True)
class Say(Intent):
    """Say this to all."""

    text: str


@dataclass(frozen=True, slots=True)
class AskHelp(Intent):
    """Show the rules."""


@dataclass(frozen=True, slots=True)
class Rematch(Intent):
    """Play again with the same people."""


# -- what is told


class Topic(Enum):
    """What a line of the log is about; the log can be filtered by it."""

    GAME = "game"
    DEALS = "deals"
    CHAT = "chat"
    TROUBLE = "trouble"
    ROUND = "round"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One sentence of the log."""

    topic: Topic
    text: str
    round: int = 0


@dataclass(frozen=True, slots=True)
class ProofLine:
    """A proof that this node has checked, or made."""

    seat: Seat
    what: str
    size: int
    milliseconds: float | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Work that goes around the table, as far as it is."""

    what: str
    """A key of the words."""
    done: int
    of: int


@dataclass(frozen=True, slots=True)
class Reveal:
    """A bag that opens in front of everybody."""

    owner: Seat
    inspected: bool
    count: int
    declared: Kind
    cards: tuple[Kind | None, ...]
    """In the order in which they are turned up; None for one that stays hidden."""
    fine: int
    payers: tuple[Seat, ...]
    """Who pays the fine."""
    started: float | None = None
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence in the line above the keys, until the next key."""

    text: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Model:
    """All that the screen of a game shows."""

    names: tuple[str, ...]
    words: Words
    view: View | None = None
    """None until there is something to see."""
    told: State | None = None
    """The state up to which the log tells the game."""
    choice: Choice | None = None
    """What the player is asked."""
    waiting_for: tuple[Seat, ...] = ()
    progress: Progress | None = None
    away: Mapping[Seat, float] = field(default_factory=dict)
    """Who is not connected, and since when."""
    deadline: float | None = None
    """When the time of this phase is over, if it is limited."""
    now: float = 0.0
    log: tuple[LogLine, ...] = ()
    proofs: tuple[ProofLine, ...] = ()
    compared: tuple[str, ...] = ()
    """The words of this table, which are the same for everybody."""
    wealth: tuple[tuple[int, ...], ...] = ()
    """What everybody could be seen to have, at the end of every round."""
    reveals: tuple[Reveal, ...] = ()
    """Bags that are being opened, the one that is shown first."""
    calm_until: float = 0.0
    """Until then keys do nothing: they were meant for a bag that has just closed by itself."""
    dialogue: "Dialogue | None" = field(default=None, repr=False)
    overlay: "Dialogue | None" = field(default=None, repr=False)
    notice: Notice | None = None
    sending: bool = False
    """Whether a move is on its way."""
    ending: tuple[str, ...] = ()
    """What is said under the score sheet: where the transcript is, what the audit found."""
    signed: bool = True
    """Whether all have signed the result, once the game is over."""
    rematch: bool = False
    """Whether a rematch can be asked for."""

    # -- who and what

    @property
    def state(self) -> State | None:
        """What everybody sees."""
        is_over = self.told is not None and self.told.phase is Phase.OVER
        return self.view.state if self.view and not is_over else self.told

    @property
    def seat(self) -> Seat | None:
        """The own seat; None for who only watches."""
        return self.view.seat if self.view else None

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return clip(clean(self.names[seat]), _NAME_CELLS) if 0 <= seat < len(self.names) else self.words("player.loot")

    def names_of(self, seats: tuple[Seat, ...]) -> str:
        """Returns the names of several players."""
        return self.words.listed([self.name(seat) for seat in seats])

    @property
    def narrator(self) -> Narrator:
        """Who puts what happens into sentences."""
        return Narrator([clip(clean(name), _NAME_CELLS) for name in self.names], self.words.texts)

    def legal(self) -> tuple[LegalMove, ...]:
        """Returns what the player may do now."""
        return legal_moves(self.view.state, self.view.seat) if self.view else ()

    # -- changes

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

    def working(self, waiting_for: tuple[Seat, ...], progress: Progress | None) -> "Model":
        """Returns the model with work that goes around the table."""
        return replace(self, waiting_for=waiting_for, progress=progress)

    def at_the_end(self) -> "Model":
        """Returns the model when all have signed the result."""
        return replace(self, signed=True, sending=False, notice=None, choice=None, waiting_for=(), progress=None)

    def asking(self, dialogue: "Dialogue | None") -> "Model":
        """Returns the model with the player's answer as far as it is composed."""
        return replace(self, dialogue=dialogue)

    def over(self, overlay: "Dialogue | None") -> "Model":
        """Returns the model with something opened over the table, or closed again."""
        return replace(self, overlay=overlay)

    def logging(self, *lines: LogLine) -> "Model":
        """Returns the model with further lines in the log."""
        return replace(self, log=(*self.log, *lines)[-_MOST_LINES:])


_NAME_CELLS = 24
"""So much of a name is shown in sentences."""
_MOST_LINES = 2000
"""How much of the log is kept: more than a whole game."""

Turn: TypeAlias = tuple[Model, tuple[Intent, ...]]
"""What comes of a key."""


class Dialogue(Protocol):
    """Something that takes keys: an answer being composed, or a panel. A frozen dataclass."""

    def draw(self, model: Model, canvas: Canvas) -> int:
        """Draws itself into its place; returns how many lines it used."""

    def press(self, model: Model, key: str) -> Turn | None:
        """Returns what comes of a key; None if it means nothing here."""

    def prompt(self, model: Model) -> str:
        """Returns what is asked of the player."""

    def keys(self, model: Model) -> tuple[tuple[str, str], ...]:
        """Returns which keys do something now, each with a word for what."""

    def renewed(self, model: Model) -> "Dialogue | None":
        """Returns itself for a game that has gone on; None if there is nothing left to ask."""


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
