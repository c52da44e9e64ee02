"""What a node tells the player, or whoever plays for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from p2p_sheriff.gathering.gathering import Changed, Chatted, Closed
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.phrase import Phrase
from p2p_sheriff.rules import Choice, Seat, State, View
from p2p_sheriff.session.happenings import GameEvent
from p2p_sheriff.session.play import Play
from p2p_sheriff.session.session import Session
from p2p_sheriff.session.spectator import Spectator
from protocol.identity import PublicIdentity


@dataclass(frozen=True, slots=True)
class PeerUp:
    """Somebody is connected."""

    identity: PublicIdentity
    name: str


@dataclass(frozen=True, slots=True)
class PeerDown:
    """Somebody is not connected any more."""

    identity: PublicIdentity
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A node was found, but there is no connection with it, for a reason that people must know. Told once for each."""

    name: str
    """What it calls itself: not proved."""
    sentence: Phrase


@dataclass(frozen=True, slots=True)
class TablesChanged:
    """The list of tables on the network is another one."""

    tables: tuple[TableInfo, ...]


@dataclass(frozen=True, slots=True)
class GamesChanged:
    """The list of games on the network that may be watched is another one."""


@dataclass(frozen=True, slots=True)
class AtGame:
    """A player of the own game has put it down, or taken it up again, as their node says."""

    identity: PublicIdentity
    is_there: bool


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The game begins, or goes on after a restart."""

    session: Session
    told: State
    """The state before the next event."""
    goes_on: bool = False
    """Whether it was played before: that is told first."""


@dataclass(frozen=True, slots=True)
class WatchingStarted:
    """A game is being watched from now on: what was played so far comes first."""

    spectator: Spectator


@dataclass(frozen=True, slots=True)
class Seen:
    """What the own player sees of the game now, or who looks on: told after whatever has changed it."""

    play: Play = field(compare=False)
    view: View | None = None
    """None once the game is decided, and for who only looks on."""
    choice: Choice | None = None
    """What the player has to choose now, if anything."""
    waits_for: frozenset[Seat] = frozenset()
    """After a restart: who has not yet shown what they have. Until then the player may not act."""
    awaited: tuple[Seat, ...] = ()
    """Whose entry is not here yet that the game goes on with."""
    votes: Mapping[Seat, tuple[Seat, ...]] = field(default_factory=dict)
    """Of each seat that has voted in a ballot that is not complete: whom it wants to go on without."""
    is_out: bool = False
    """Whether the others have gone on without the own player, by the votes that are here."""


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The game can't go on at this node until the player has done something; then it does, by itself."""

    sentence: Phrase


@dataclass(frozen=True, slots=True)
class Trouble:
    """This node can't go on; the sentence says why, and what to do."""

    sentence: Phrase


@dataclass(frozen=True, slots=True)
class Checked:
    """An entry of somebody else was checked, and has changed the game."""

    seat: int
    what: tuple[str, ...]
    """What it did: the names of its acts."""
    size: int
    """In bytes."""
    seconds: float
    """How long it took. Entries that came to count at the same moment share the time by their sizes."""


@dataclass(frozen=True, slots=True)
class Wrote:
    """An own entry was made, with its proofs."""

    seat: int
    what: tuple[str, ...]
    size: int
    seconds: float


NodeEvent: TypeAlias = (
    PeerUp
    | PeerDown
    | Refused
    | TablesChanged
    | GamesChanged
    | AtGame
    | Changed
    | Chatted
    | Closed
    | GameStarted
    | WatchingStarted
    | GameEvent
    | Seen
    | Checked
    | Wrote
    | Obstacle
    | Trouble
)
