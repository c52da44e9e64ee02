"""What a player may want, from the lobby to the rematch: values, the same for every front.

A move of the rules and `LoadBag` are intents as they are. What a front does by itself (a cursor, help, a look at the
pile) is none.
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from p2p_sheriff.rules import LoadBag, Move, Seat, Setup
from p2p_sheriff.seat.settings import Tempo
from protocol.identity import PublicIdentity

# -- on the network


@dataclass(frozen=True, slots=True)
class OpenTable:
    """Open a table; with bots on all other seats, or for people, perhaps only those who know a passphrase."""

    setup: Setup
    with_bots: bool = False
    passphrase: str = field(default="", repr=False)
    purse: int | None = None
    tempo: Tempo | None = None
    """How the own bots play; None: as before."""


@dataclass(frozen=True, slots=True)
class Join:
    """Sit down at a table."""

    table: bytes
    purse: int | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Look on at a game."""

    game: bytes


@dataclass(frozen=True, slots=True)
class Dial:
    """Connect to an address."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class GoPrivate:
    """See only those who know this passphrase; with an empty one, everybody again."""

    passphrase: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rename:
    """Be called like this."""

    name: str


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a game that was interrupted: this one, or the latest."""

    game: bytes | None = None


@dataclass(frozen=True, slots=True)
class StartTutorial:
    """Learn the game by playing a round of it."""


@dataclass(frozen=True, slots=True)
class EnterLobby:
    """Go to the lobby, from the welcome."""


# -- at a table that is being gathered


@dataclass(frozen=True, slots=True)
class BeReady:
    """Be ready, or not any more."""

    ready: bool


@dataclass(frozen=True, slots=True)
class ShowPurse:
    """Say how much cash the player carries; None: don't say."""

    coins: int | None


@dataclass(frozen=True, slots=True)
class Arrange:
    """Let the members sit in this order."""

    order: tuple[PublicIdentity, ...]


@dataclass(frozen=True, slots=True)
class SendAway:
    """Send a member away from the table."""

    who: PublicIdentity


@dataclass(frozen=True, slots=True)
class AddBot:
    """Let a bot of this style take a free seat; None: of any."""

    style: str | None


@dataclass(frozen=True, slots=True)
class SayAtTable:
    """Say this to all who sit at the table."""

    text: str


@dataclass(frozen=True, slots=True)
class MuteMember:
    """Don't show any more what somebody at the table says; or show it again."""

    who: PublicIdentity
    is_muted: bool


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Stand up; who has opened the table closes it."""


# -- in a game


@dataclass(frozen=True, slots=True)
class Say:
    """Say this to all."""

    text: str


@dataclass(frozen=True, slots=True)
class NothingMore:
    """Say to all that there is nothing more to say about the own bag: a bot that is sheriff waits no longer.

    A new offer takes it back.
    """


@dataclass(frozen=True, slots=True)
class PassTheRest:
    """Let all bags pass that are still closed, one after the other, until somebody says something new."""


@dataclass(frozen=True, slots=True)
class Introduce:
    """Say to all that a bot plays here, of this style, which leaves a bag open for so many seconds as sheriff."""

    style: str
    patience: int


@dataclass(frozen=True, slots=True)
class Mute:
    """Don't show any more what somebody says; or show it again."""

    seat: Seat
    is_muted: bool


@dataclass(frozen=True, slots=True)
class LeaveGame:
    """Get up from a game that is played, watched or over; one that is not over can be resumed."""


@dataclass(frozen=True, slots=True)
class LeaveForGood:
    """Leave a game that is not over, and never come back: the others need not wait."""


@dataclass(frozen=True, slots=True)
class GoOnWithout:
    """Vote to go on without these, who are missed."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class WaitOn:
    """Wait for all who are missed: take back what was voted, and refuse what others want."""


@dataclass(frozen=True, slots=True)
class Autopilot:
    """Let a bot play the own seat, or play again."""

    is_on: bool


@dataclass(frozen=True, slots=True)
class Rematch:
    """Play again with the same people."""


Coming: TypeAlias = (
    OpenTable | Join | Watch | Dial | Resume | BeReady | ShowPurse | Arrange | SendAway | AddBot | SayAtTable
)
"""What leads to a game, or is done at the table before it."""
HallIntent: TypeAlias = Coming | MuteMember | LeaveTable
"""What the node can do for a player who plays nothing."""
Departure: TypeAlias = OpenTable | GoPrivate | Rename | StartTutorial | EnterLobby
"""What needs another node, or none: a table too, if it has a passphrase of its own."""
Deed: TypeAlias = Move | LoadBag | Say | NothingMore | PassTheRest | Introduce
"""What is done in a game, and all can see."""
Parting: TypeAlias = LeaveForGood | GoOnWithout | WaitOn | Autopilot
"""What concerns who is at the table, and who plays at it."""
GameIntent: TypeAlias = Deed | Parting | Mute | LeaveGame | Rematch

Intent: TypeAlias = HallIntent | Departure | GameIntent
