"""What an entry of the game says: acts, one after the other, and one proof of all they claim about hidden cards."""

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from p2p_sheriff.rules.cards import Claim, Handle, Seat
from p2p_sheriff.rules.moves import Accept, Apart, Inspect, Move, Pass, Stance, Talk
from protocol.coin import SHARE_BYTES
from protocol.commitment import COMMITMENT_BYTES, SALT_BYTES
from protocol.deck import Change
from protocol.hashing import DIGEST_BYTES
from protocol.typed import Codec, Plain, between, sized, utf8, word
from protocol.zones import Rearrangement

MAX_ACTS = 8
MAX_TEXT_BYTES = 400
MAX_STYLE_BYTES = 32
MAX_PATIENCE_SECONDS = 3600
MAX_ROUND = 99


@word("shuffle")
@dataclass(frozen=True, slots=True)
class Shuffles:
    """Permutes the list that goes around, under a fresh lock; the proof comes when all have done so."""

    change: Change


@word("attest")
@dataclass(frozen=True, slots=True)
class Attests:
    """Proves the own list, when the last one is there."""

    proof: bytes


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
    """In ascending order: what was committed to."""
    salt: Annotated[bytes, sized(SALT_BYTES)]


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

    commitment: Annotated[bytes, sized(COMMITMENT_BYTES)]


@word("reveal")
@dataclass(frozen=True, slots=True)
class Reveals:
    """Reveals the share of the joint coin."""

    share: Annotated[bytes, sized(SHARE_BYTES)]


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


Request: TypeAlias = Accept | Stance | Apart | Pass | Inspect
"""What the deputy who was drawn second says of bags (rule 10.4): it is done when the first one's chain takes it up."""


@word("heed")
@dataclass(frozen=True, slots=True)
class Heeds:
    """The first-drawn deputy takes up a word of somebody else's that settles a bag: it is done (rule 10.4)."""

    move: Request


@word("time-up")
@dataclass(frozen=True, slots=True)
class EndsTime:
    """The sheriff acts on no more bags: more than half have called time, so all that are left pass (rule 12.2)."""


@word("seal")
@dataclass(frozen=True, slots=True)
class Seals:
    """Signs the result."""

    result: Annotated[bytes, sized(DIGEST_BYTES)]


Act: TypeAlias = (
    Shuffles
    | Attests
    | Locks
    | Strips
    | Rearranges
    | Opens
    | Shows
    | Proves
    | Commits
    | Reveals
    | Moves
    | Takes
    | Heeds
    | EndsTime
    | Seals
)

Telling: TypeAlias = Moves | Takes | Heeds | Opens | Shows | Proves
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
    """A free entry: an offer, its withdrawal or refusal, an acceptance by who is not the sequencer, or a request."""

    move: Talk | Request


@word("rest")
@dataclass(frozen=True, slots=True)
class Rests:
    """A free entry: its author has nothing more to say about the own bag in this round. No rule asks for it."""

    round: Annotated[int, between(0, MAX_ROUND)]


@word("bot")
@dataclass(frozen=True, slots=True)
class Introduces:
    """A free entry: a bot plays at its author's node. Its node's word, which no rule rests on."""

    style: Annotated[str, utf8(0, MAX_STYLE_BYTES)]
    """Of which style; empty: none does any more, the player is back."""
    patience: Annotated[int, between(0, MAX_PATIENCE_SECONDS)]
    """How many seconds it leaves a person's bag open, as sheriff, after the last offer about it."""


@word("leave")
@dataclass(frozen=True, slots=True)
class Departs:
    """A free entry: its author leaves the game for good. The others need not wait before they vote (rule 19.2)."""


@word("time")
@dataclass(frozen=True, slots=True)
class CallsTime:
    """A free entry: by its author's clock the time of this round's inspect phase has run out (rule 12.2)."""

    round: Annotated[int, between(0, MAX_ROUND)]


Free: TypeAlias = Says | Negotiates | Rests | Introduces | Departs | CallsTime
"""What a free entry says; one without a payload says only, by its heads, what its author has seen."""

FREE: Final = Codec[Free](Free)
"""The payloads of free entries."""
