"""What a player sees of a game: a value. Everything that happens makes a new one, and every front shows the same.

A front adds what is its own (a cursor, a dialogue, the line that is being typed) and nothing about the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self, TypeAlias

from p2p_sheriff.rules import (
    Choice,
    Kind,
    Knowledge,
    LegalMove,
    Phase,
    Refusal,
    Seat,
    State,
    Transition,
    View,
    apply,
    legal_moves,
)
from p2p_sheriff.rules.moves import Offer, Withdraw
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import clip
from p2p_sheriff.texts.cleaning import clean

_NAME_CELLS = 24
"""So much of a name is shown."""
_MOST_LINES = 2000
"""How much of the log is kept: more than a whole game."""
NOBODY = Seat(-1)
"""The seat of who only looks on."""


def short(name: str) -> str:
    """Returns a name of anybody's choosing as it fits into a sentence."""
    return clip(clean(name), _NAME_CELLS)


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

    @property
    def told(self) -> str:
        """The sentence as a line among others: a new round stands out."""
        return f"=== {self.text} ===" if self.topic is Topic.ROUND else self.text


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for this player alone."""

    text: str
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """What the player wanted last is done; or it was refused, and this is why."""

    refusal: str = ""


News: TypeAlias = LogLine | Notice | Answered | Transition
"""What has changed, told once: a line of the log, a word to this player, or what happened to the game itself."""


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
class Picture:
    """All that is known of a game at one seat, or by who looks on."""

    names: tuple[str, ...]
    words: Words
    view: View | None = None
    """None until there is something to see, and for who only looks on."""
    told: State | None = None
    """The state up to which the log tells the game."""
    said: tuple[Offer | Withdraw, ...] = ()
    """Words about bags that nobody has acted on yet: they are not in what was told."""
    choice: Choice | None = None
    """What the player is asked."""
    waiting_for: tuple[Seat, ...] = ()
    waits: str = ""
    """Whom the game waits for and for what, in a sentence."""
    progress: Progress | None = None
    away: Mapping[Seat, float] = field(default_factory=dict)
    """Who is not connected, and since when."""
    coming_back: tuple[Seat, ...] = ()
    """After a restart: who must still show what they have before the player may go on."""
    deadline: float | None = None
    """When the time of this phase is over, if it is limited."""
    log: tuple[LogLine, ...] = ()
    proofs: tuple[ProofLine, ...] = ()
    game: bytes = b""
    """The id of the game."""
    compared: tuple[str, ...] = ()
    """The words of this table, which are the same for everybody."""
    bots: Mapping[str, str] = field(default_factory=dict)
    """The player's own bots: name and style."""
    muted: frozenset[Seat] = frozenset()
    """Whose words are not shown. What they offer and do always is."""
    wealth: tuple[tuple[int, ...], ...] = ()
    """What everybody could be seen to have, at the end of every round."""
    reveals: tuple[Reveal, ...] = ()
    """Bags that are being opened, the one that is shown first."""
    is_behind: bool = False
    """Whether what was played before the player came is still being told."""
    ending: tuple[str, ...] = ()
    """What is said under the score sheet: where the transcript is, what the audit found."""
    signed: bool = True
    """Whether all have signed the result, once the game is over."""
    rematch: bool = False
    """Whether a rematch can be asked for."""
    wanted_by: tuple[str, ...] = ()
    """Who has asked for a rematch."""

    @property
    def state(self) -> State | None:
        """What everybody sees."""
        is_over = self.told is not None and self.told.phase is Phase.OVER
        return self.view.state if self.view and not is_over else self.told

    @property
    def haggled(self) -> State | None:
        """What everybody sees, with the offers that nobody has acted on yet."""
        state = self.told
        if state is None:
            return None
        for move in self.said:
            try:
                state = apply(state, move)
            except Refusal:  # It comes too late, or was never possible: nobody will act on it.
                continue
        return state

    @property
    def public_view(self) -> View | None:
        """The table from the own seat; for who only looks on, from nobody's."""
        state = self.haggled
        return self.view or (View(state, Knowledge(NOBODY, {})) if state is not None else None)

    @property
    def seat(self) -> Seat | None:
        """The own seat; None for who only watches."""
        return self.view.seat if self.view else None

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return short(self.names[seat]) if 0 <= seat < len(self.names) else self.words("player.loot")

    def names_of(self, seats: Sequence[Seat]) -> str:
        """Returns the names of several players."""
        return self.words.listed([self.name(seat) for seat in seats])

    @property
    def narrator(self) -> Narrator:
        """Who puts what happens into sentences."""
        return Narrator([short(name) for name in self.names], self.words.texts)

    def legal(self) -> tuple[LegalMove, ...]:
        """Returns what the player may do now."""
        return legal_moves(self.view.state, self.view.seat) if self.view else ()

    def logging(self, *lines: LogLine) -> Self:
        """Returns the picture with further lines in the log."""
        return replace(self, log=(*self.log, *lines)[-_MOST_LINES:])

    @property
    def is_ended(self) -> bool:
        """Whether the game is over, and all have signed the result."""
        return self.signed and self.told is not None and self.told.phase is Phase.OVER

    def muting(self, seat: Seat, *, is_muted: bool) -> Self:
        """Returns the picture without, or again with, what somebody says."""
        return replace(self, muted=self.muted | {seat} if is_muted else self.muted - {seat})

    def at_the_end(self) -> Self:
        """Returns the picture when all have signed the result."""
        return replace(self, signed=True, choice=None, waiting_for=(), waits="", progress=None)
