"""What an entry of the game says: acts, one after the other, and one proof of all they claim about hidden cards."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.rules.cards import Claim, Handle, Seat
from p2p_sheriff.rules.moves import Move
from protocol.deck import Change
from protocol.typed import Codec, Plain, sized, utf8, word
from protocol.zones import Rearrangement

MAX_ACTS = 8
MAX_TEXT_BYTES = 400


@word("shuffle")
@dataclass(frozen=True, slots=True)
class Shuffles:
    """Permutes the list that goes around, under a fresh lock."""

    change: Change


@word("lock")
@dataclass(frozen=True, slots=True)
class Locks:
    """Puts a fresh lock on the cards that go around, in place of the own one where there is one."""

    change: Change


@word("strip")
@dataclass(frozen=True, slots=True)
class Strips:
    """Takes the own lock off the cards that go around."""

    change: Change


@word("rearrange")
@dataclass(frozen=True, slots=True)
class Rearranges:
    """Lays the hidden cards of an own zone anew."""

    rearrangement: Rearrangement


@word("open")
@dataclass(frozen=True, slots=True)
class Opens:
    """Opens the commitment of the bag."""

    handles: tuple[Handle, ...]
    salt: bytes


@word("show")
@dataclass(frozen=True, slots=True)
class Shows:
    """Says of which kinds these cards are."""

    cards: tuple[Claim, ...]


@word("prove")
@dataclass(frozen=True, slots=True)
class Proves:
    """Says what is demanded of the cards that are not shown."""


@word("commit")
@dataclass(frozen=True, slots=True)
class Commits:
    """Commits to a share of the joint coin."""

    commitment: bytes


@word("reveal")
@dataclass(frozen=True, slots=True)
class Reveals:
    """Reveals the share of the joint coin."""

    share: bytes


@word("move")
@dataclass(frozen=True, slots=True)
class Moves:
    """Makes a choice that the rules ask for."""

    move: Move


@word("take")
@dataclass(frozen=True, slots=True)
class Takes:
    """The sheriff takes up a merchant's acceptance of an offer of the sheriff's own: the deal is closed."""

    merchant: Seat
    number: int


@word("seal")
@dataclass(frozen=True, slots=True)
class Seals:
    """Signs the result."""

    result: bytes


Act: TypeAlias = (
    Shuffles | Locks | Strips | Rearranges | Opens | Shows | Proves | Commits | Reveals | Moves | Takes | Seals
)

Telling: TypeAlias = Moves | Takes | Opens | Shows | Proves
"""Acts of words: what their author alone has to say next goes into the same entry."""


@dataclass(frozen=True, slots=True)
class Payload(Plain):
    """What a slot entry carries."""

    acts: Annotated[tuple[Act, ...], sized(1, MAX_ACTS)]
    proof: bytes = b""
    """One membership proof of all kinds that the acts claim; empty if they claim none."""


@word("say")
@dataclass(frozen=True, slots=True)
class Says:
    """A free entry: words to all."""

    text: Annotated[str, utf8(0, MAX_TEXT_BYTES)]


@word("negotiate")
@dataclass(frozen=True, slots=True)
class Negotiates:
    """A free entry: an offer, its withdrawal, or a merchant's acceptance of an offer of the sheriff's."""

    move: Move


@word("see")
@dataclass(frozen=True, slots=True)
class Sees:
    """A free entry without words: its heads say what its author has seen."""


Free: TypeAlias = Says | Negotiates | Sees

FREE: Final = Codec[Free](Free)
"""The payloads of free entries."""
