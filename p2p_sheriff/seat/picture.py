"""What a player sees of a game: a value. Everything that happens makes a new one, and every front shows the same.

A front adds what is its own (a cursor, a dialogue, the line that is being typed) and nothing about the game.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import inf
from typing import Self, TypeAlias

from p2p_sheriff.rules import (
    Choice,
    Handle,
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
from p2p_sheriff.rules.cards import Goods, kinds_of
from p2p_sheriff.rules.moves import Talk
from p2p_sheriff.rules.stalls import count_goods
from p2p_sheriff.rules.steps import TakeOffice
from p2p_sheriff.seat.chronicle import Round
from p2p_sheriff.seat.modules import seen_alone
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.seat.numbering import Numbers, numbered
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
    passing: bool = False
    """One of many on the way: a screen shows each in the place of the one before, lines leave it out."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What the player wanted last is done; or it was refused, and this is why."""

    refusal: str = ""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A bag opens in front of everybody. It comes before the log and the gold tell what was in it."""

    reveal: "Reveal"


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round is over: what everybody did in it. It comes after the last bag of it, and before anything of the next."""

    round: Round


News: TypeAlias = LogLine | Notice | Answered | Revealed | RoundEnded | Transition
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


class Ground(Enum):
    """Why the game may go on without somebody (rule 19.2)."""

    LEFT = "left"
    CHEATED = "cheated"
    ABSENT = "absent"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Missed:
    """Somebody who is still in the game, and does not play."""

    ground: Ground
    until: float
    """Until when they are waited for: by the clock that never goes back (`time.monotonic`)."""
    latest: float = inf
    """Until when at the most, whatever they say, and however often they come and go."""


@dataclass(frozen=True, slots=True)
class Timer:
    """The time of a round's inspect phase (rule 12.2), as this node measures it."""

    round: int
    until: float
    """When it has run out, if it does not stand still: by the clock that never goes back (`time.monotonic`)."""
    stands_since: float | None = None

    def left(self, now: float) -> float:
        """Returns how many seconds are left."""
        return self.until - (now if self.stands_since is None else self.stands_since)

    def running(self, now: float, *, stands: bool) -> "Timer":
        """Returns it as it runs, or stands still, from now on."""
        if stands:
            return self if self.stands_since is not None else replace(self, stands_since=now)
        return self if self.stands_since is None else replace(self, until=now + self.left(now), stands_since=None)

    def shifted(self, seconds: float) -> "Timer":
        """Returns it by a clock that is ahead by so much."""
        since = self.stands_since
        return replace(self, until=self.until + seconds, stands_since=None if since is None else since + seconds)


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
    man: str = ""
    """The merry man in it, who is the last of the cards."""
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
    said: tuple[Talk, ...] = ()
    """Words about bags that nobody has acted on yet: they are not in what was told."""
    numbered: Numbers = field(default_factory=dict)
    """The numbers of the offers of this round, as they were told."""
    choice: Choice | None = None
    """What the player is asked."""
    waiting_for: tuple[Seat, ...] = ()
    waits: str = ""
    """Whom the game waits for and for what, in a sentence."""
    progress: Progress | None = None
    away: Mapping[Seat, float] = field(default_factory=dict)
    """Who is not connected, and since when."""
    parted: frozenset[Seat] = frozenset()
    """Who has said that they leave the game for good."""
    faults: Mapping[Seat, str] = field(default_factory=dict)
    """Who has provably broken the protocol, and how."""
    missed: Mapping[Seat, Missed] = field(default_factory=dict)
    """Whom the game may go on without, now or soon."""
    idling: Missed | None = None
    """The same of the own player, while the game waits for them, as the others must see it."""
    idle_left: Mapping[Seat, float] = field(default_factory=dict)
    """For how many seconds each merchant is still waited for in all about the own bag, where its time is limited."""
    votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    """Of each player who has voted about that: whom they want to go on without. Empty if no ballot is open."""
    ballots: int = 0
    """How often all who stay have agreed to go on."""
    is_out: bool = False
    """Whether the others have gone on without the own player."""
    autopilot: bool = False
    """Whether a bot plays for the player, until a key is pressed."""
    coming_back: tuple[Seat, ...] = ()
    """After a restart: who must still show what they have before the player may go on."""
    timer: Timer | None = None
    """The time for the bags, if it is limited and there are any left."""
    called: Mapping[Seat, int] = field(default_factory=dict)
    """The last round in which each player has said that this time is up."""
    log: tuple[LogLine, ...] = ()
    """What was told, the last lines of it."""
    logged: int = 0
    """How many lines were told in all."""
    proofs: tuple[ProofLine, ...] = ()
    game: bytes = b""
    """The id of the game."""
    compared: tuple[str, ...] = ()
    """The words of this table, which are the same for everybody."""
    bots: Mapping[Seat, str] = field(default_factory=dict)
    """Who is a bot by its own word, anybody's, and of which style."""
    patience: Mapping[Seat, int] = field(default_factory=dict)
    """How many seconds each bot leaves a person's bag open, as sheriff."""
    open_until: Mapping[Seat, float] = field(default_factory=dict)
    """Until when a bot that is sheriff leaves each person's bag open, unless they are done before: by the clock that
    never goes back (`time.monotonic`). Bags that nobody waits for are not in it."""
    open_at_most: Mapping[Seat, float] = field(default_factory=dict)
    """Until when it does so at the latest, whatever is offered."""
    silent: frozenset[Seat] = frozenset()
    """Who has nothing more to say about the own bag in this round."""
    rounds: tuple[Round, ...] = ()
    """What everybody did, round by round; the last one is being played, or was the last of the game."""
    new_kinds: Goods = ()
    """What was drawn last into the own hand, until cards leave it."""
    muted: frozenset[Seat] = frozenset()
    """Whose words are not shown. What they offer and do always is."""
    wealth: tuple[tuple[int, ...], ...] = ()
    """What everybody could be seen to have, at the end of every round."""
    earlier: tuple[tuple[State | None, tuple[Round, ...], tuple[tuple[int, ...], ...]], ...] = ()
    """What was told, the rounds and the wealth before each of the last steps: some may turn out not to count."""
    reveals: tuple[Reveal, ...] = ()
    """Bags that are being opened, the one that is shown first."""
    unrevealed: "Picture | None" = None
    """How it looked before the first of them opened: what to show until they have been seen."""
    is_behind: bool = False
    """Whether what was played before the player came is still being told."""
    ending: tuple[str, ...] = ()
    """What is said under the score sheet: where the transcript is, what the audit found."""
    signed: bool = True
    """Whether the result is known to the node, and no longer waited for."""
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

    @property
    def is_met_anew(self) -> bool:
        """Whether there are people to compare words with: nobody comes between bots, or into a game that goes on."""
        return self.rematch and not self.is_behind and len(self.names) - len(self.bots) > 1

    @property
    def round(self) -> int:
        """The round that is being played: the next one begins with its market, not while hands are filled for it."""
        state = self.state
        if state is None:
            return 0
        has_changed_hands = state.phase is Phase.END_OF_ROUND and TakeOffice() not in state.todo
        return state.round - has_changed_hands

    @property
    def new_cards(self) -> frozenset[Handle]:
        """Cards of the own hand that were drawn last; of equal ones, which are new makes no difference."""
        left, new = Counter(dict(self.new_kinds)), set[Handle]()
        for card in self.view.hand if self.view is not None else ():
            if left[card.kind] > 0:
                left[card.kind] -= 1
                new.add(card.handle)
        return frozenset(new)

    def drawing(self, view: View) -> Self:
        """Returns the picture with this view, and what is new in the hand."""
        before = Counter(card.kind for card in self.view.hand) if self.view is not None else Counter[Kind]()
        after = Counter(card.kind for card in view.hand)
        new = Counter(dict(self.new_kinds)) if after >= before else Counter[Kind]()
        new += after - before if before else Counter()  # The first hand is new as a whole.
        alone = seen_alone(self.words.texts, self.name, self.view, view)
        told = (LogLine(Topic.GAME, text, self.round) for text in alone)
        return replace(self, view=view, new_kinds=tuple(new.items())).logging(*told)

    @property
    def discards(self) -> tuple[Goods, ...]:
        """What lies on each discard pile, counted by good, in the order of the goods."""
        state = self.state
        return tuple(count_goods(state.setup, kinds_of(pile)) for pile in state.piles) if state is not None else ()

    def name(self, seat: Seat) -> str:
        """Returns what a player is called."""
        return short(self.names[seat]) if 0 <= seat < len(self.names) else self.words("player.loot")

    def names_of(self, seats: Sequence[Seat]) -> str:
        """Returns the names of several players."""
        return self.words.listed([self.name(seat) for seat in seats])

    @property
    def narrator(self) -> Narrator:
        """Who puts what happens into sentences."""
        return Narrator([short(name) for name in self.names], self.words.texts, self.seat, self.numbers)

    @property
    def numbers(self) -> Numbers:
        """By which number each offer of this round is read and chosen."""
        numbers, standing = self.numbered, [one.offer for one in self.view.state.offers] if self.view else []
        for offer in standing:  # Almost always it was told before it stands.
            numbers = numbered(numbers, offer, standing)
        return numbers

    def legal(self) -> tuple[LegalMove, ...]:
        """Returns what the player may do now."""
        return legal_moves(self.view.state, self.view.seat) if self.view else ()

    def logging(self, *lines: LogLine) -> Self:
        """Returns the picture with further lines in the log."""
        return replace(self, log=(*self.log, *lines)[-_MOST_LINES:], logged=self.logged + len(lines))

    def told_since(self, before: Self) -> tuple[LogLine, ...]:
        """Returns the lines that an earlier picture does not have, also when the log is full."""
        return self.log[max(0, len(self.log) - (self.logged - before.logged)) :]

    @property
    def is_ended(self) -> bool:
        """Whether the game is over; who has not signed the result is not waited for."""
        return self.signed and self.told is not None and self.told.phase is Phase.OVER

    def muting(self, seat: Seat, *, is_muted: bool) -> Self:
        """Returns the picture without, or again with, what somebody says."""
        return replace(self, muted=self.muted | {seat} if is_muted else self.muted - {seat})

    def at_the_end(self) -> Self:
        """Returns the picture when the game is decided."""
        return replace(self, signed=True, choice=None, waiting_for=(), waits="", progress=None)
