"""What an entry of the game says: acts, one after the other, and one proof of all they claim about hidden cards."""

from dataclasses import dataclass
from typing import TypeAlias

from p2p_sheriff.rules.cards import Claim, Handle, Kind, Seat
from p2p_sheriff.rules.moves import Move
from p2p_sheriff.rules.plain import from_plain, to_plain
from p2p_sheriff.rules.refusals import NotAMove
from p2p_sheriff.texts import refusal_sentence
from protocol.codec import Value
from protocol.deck import Change
from protocol.errors import MalformedError
from protocol.zones import Rearrangement

MAX_ACTS = 8
MAX_TEXT_BYTES = 400


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Permutes the list that goes around, under a fresh lock."""

    change: Change


@dataclass(frozen=True, slots=True)
class Locks:
    """Puts a fresh lock on the cards that go around, in place of the own one where there is one."""

    change: Change


@dataclass(frozen=True, slots=True)
class Strips:
    """Takes the own lock off the cards that go around."""

    change: Change


@dataclass(frozen=True, slots=True)
class Rearranges:
    """Lays the hidden cards of an own zone anew."""

    rearrangement: Rearrangement


@dataclass(frozen=True, slots=True)
class Opens:
    """Opens the commitment of the bag."""

    handles: tuple[Handle, ...]
    salt: bytes


@dataclass(frozen=True, slots=True)
class Shows:
    """Says of which kinds these cards are."""

    cards: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Proves:
    """Says what is demanded of the cards that are not shown."""


@dataclass(frozen=True, slots=True)
class Commits:
    """Commits to a share of the joint coin."""

    commitment: bytes


@dataclass(frozen=True, slots=True)
class Reveals:
    """Reveals the share of the joint coin."""

    share: bytes


@dataclass(frozen=True, slots=True)
class Moves:
    """Makes a choice that the rules ask for."""

    move: Move


@dataclass(frozen=True, slots=True)
class Takes:
    """The sheriff takes up a merchant's acceptance of an offer of the sheriff's own: the deal is closed."""

    merchant: Seat
    number: int


@dataclass(frozen=True, slots=True)
class Seals:
    """Signs the result."""

    result: bytes


Act: TypeAlias = (
    Shuffles | Locks | Strips | Rearranges | Opens | Shows | Proves | Commits | Reveals | Moves | Takes | Seals
)


@dataclass(frozen=True, slots=True)
class Payload:
    """What a slot entry carries."""

    acts: tuple[Act, ...]
    proof: bytes = b""
    """One membership proof of all kinds that the acts claim; empty if they claim none."""

    def to_value(self) -> Value:
        """Returns the plain form."""
        return (tuple(_act_to_value(act) for act in self.acts), self.proof)

    @classmethod
    def from_value(cls, value: Value) -> "Payload":
        """Reads the plain form.

        Raises:
            MalformedError: It has another shape.
        """
        match value:
            case (tuple(acts), bytes(proof)) if 1 <= len(acts) <= MAX_ACTS:
                return cls(tuple(_act_from_value(act) for act in acts), proof)
            case _:
                raise MalformedError("an entry of the game has acts and a proof")


def _act_to_value(act: Act) -> Value:
    match act:
        case Shuffles(change):
            return ("shuffle", change.to_value())
        case Locks(change):
            return ("lock", change.to_value())
        case Strips(change):
            return ("strip", change.to_value())
        case Rearranges(rearrangement):
            return ("rearrange", rearrangement.to_value())
        case Opens(handles, salt):
            return ("open", tuple(handles), salt)
        case Shows(cards):
            return ("show", tuple((handle, kind) for handle, kind in cards))
        case Proves():
            return ("prove",)
        case Commits(commitment):
            return ("commit", commitment)
        case Reveals(share):
            return ("reveal", share)
        case Moves(move):
            return ("move", move_to_value(move))
        case Takes(merchant, number):
            return ("take", merchant, number)
        case Seals(result):
            return ("seal", result)


def _act_from_value(value: Value) -> Act:
    match value:
        case ("shuffle", change):
            return Shuffles(Change.from_value(change))
        case ("lock", change):
            return Locks(Change.from_value(change))
        case ("strip", change):
            return Strips(Change.from_value(change))
        case ("rearrange", rearrangement):
            return Rearranges(Rearrangement.from_value(rearrangement))
        case ("open", tuple(handles), bytes(salt)):
            return Opens(tuple(Handle(_number(handle)) for handle in handles), salt)
        case ("show", tuple(cards)):
            return Shows(tuple(_claim(card) for card in cards))
        case ("prove",):
            return Proves()
        case ("commit", bytes(commitment)):
            return Commits(commitment)
        case ("reveal", bytes(share)):
            return Reveals(share)
        case ("move", move):
            return Moves(move_from_value(move))
        case ("take", merchant, number):
            return Takes(Seat(_number(merchant)), _number(number))
        case ("seal", bytes(result)):
            return Seals(result)
        case _:
            raise MalformedError("an act that this game does not know")


def move_to_value(move: Move) -> Value:
    """Returns the plain form of a move."""
    return _frozen(to_plain(move))


def move_from_value(value: Value) -> Move:
    """Reads the plain form of a move.

    Raises:
        MalformedError: It is none.
    """
    try:
        item = from_plain(value)
    except NotAMove as problem:
        raise MalformedError(refusal_sentence(problem)) from problem
    if not isinstance(item, Move):
        raise MalformedError("facts are proved, not claimed")
    return item


def _frozen(plain: object) -> Value:
    if isinstance(plain, list):
        return tuple(_frozen(one) for one in plain)
    if plain is None or isinstance(plain, bool | int | str | bytes):
        return plain
    raise TypeError(f"{plain!r} is no plain value")


def _claim(value: Value) -> Claim:
    match value:
        case (handle, str(kind)):
            return Handle(_number(handle)), Kind(kind)
        case _:
            raise MalformedError("a card that is shown is a handle and a kind")


def _number(value: Value) -> int:
    if type(value) is not int:
        raise MalformedError("a number was expected")
    return value


@dataclass(frozen=True, slots=True)
class Says:
    """A free entry: words to all."""

    text: str


@dataclass(frozen=True, slots=True)
class Negotiates:
    """A free entry: an offer, its withdrawal, or a merchant's acceptance of an offer of the sheriff's."""

    move: Move


@dataclass(frozen=True, slots=True)
class Sees:
    """A free entry without words: its heads say what its author has seen."""


Free: TypeAlias = Says | Negotiates | Sees


def free_to_value(free: Free) -> Value:
    """Returns the plain form of a free entry's payload."""
    match free:
        case Says(text):
            return ("say", text)
        case Negotiates(move):
            return ("negotiate", move_to_value(move))
        case Sees():
            return ("see",)


def free_from_value(value: Value) -> Free:
    """Reads the plain form of a free entry's payload.

    Raises:
        MalformedError: It is none.
    """
    match value:
        case ("say", str(text)) if len(text.encode()) <= MAX_TEXT_BYTES:
            return Says(text)
        case ("negotiate", move):
            return Negotiates(move_from_value(move))
        case ("see",):
            return Sees()
        case _:
            raise MalformedError("words that this game does not know")
