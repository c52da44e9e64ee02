"""A finished game as a film: what the screen shows after every step of it, all at once in memory.

The pictures share almost everything with each other, so that going back is as easy as going on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.fronts.tui import story
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.rules import Handle, Refusal, Seat, State, apply, view
from p2p_sheriff.rules.facts import Opened
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.session.happenings import GameEvent, Happened, Negotiated, Said
from p2p_sheriff.session.keepsake import Keepsake


@dataclass(frozen=True, slots=True)
class Take:
    """One entry of the game: who wrote it, what came of it, and what it took to check it."""

    seat: Seat
    events: tuple[GameEvent, ...]
    acts: tuple[str, ...] = ()
    """What it proves, by the names of its acts."""
    size: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Film:
    """What a game looked like, picture by picture."""

    pictures: tuple[Model, ...]
    """The first one is before anything happened."""

    def __len__(self) -> int:
        return len(self.pictures)

    def rounds(self) -> Iterator[int]:
        """Yields the places where a round begins."""
        before = 0
        for place, picture in enumerate(self.pictures):
            if picture.told is not None and picture.told.round != before:
                before = picture.told.round
                yield place

    def bags(self) -> Iterator[int]:
        """Yields the places where a bag opens."""
        return (place for place, picture in enumerate(self.pictures) if picture.reveals)


def shoot(begin: Model, takes: Sequence[Take], memory: Keepsake | None = None) -> Film:
    """Returns the film of a game.

    Args:
        begin: Names, words, and the state before the first step.
        takes: What happened, entry by entry; one with which nobody saw anything is no picture of its own.
        memory: What one player remembers: then it is seen from that seat.
    """
    camera = _Camera(begin, memory)
    openings = _openings(takes, memory.seat) if memory else []
    pictures = [camera.picture(())]
    for number, take in enumerate(takes):
        bag = next((handles for at, handles in openings if at >= number), ())
        if camera.follow(take):
            pictures.append(camera.picture(bag))
    return Film(tuple(pictures))


class _Camera:
    def __init__(self, begin: Model, memory: Keepsake | None) -> None:
        self._model, self._memory = begin, memory
        self._said: list[Offer | Withdraw] = []

    def follow(self, take: Take) -> bool:
        """Follows what happened; returns whether there was anything to see."""
        before = self._model = replace(self._model, reveals=())
        if take.acts:
            self._model = story.proved(self._model, take.seat, take.acts, take.size, take.seconds)
        for event in take.events:
            match event:
                case Happened(_, inputs):
                    self._said = [move for move in self._said if move not in inputs]
                    self._model = story.happened(self._model, *inputs)
                case Negotiated(Offer() | Withdraw() | Accept() as move):
                    if not isinstance(move, Accept):
                        self._said.append(move)
                    self._model = story.negotiated(self._model, move)
                case Said(seat, text):
                    self._model = story.said(self._model, Seat(seat), text)
                case _:
                    pass
        return self._model.told is not before.told or self._model.log is not before.log

    def picture(self, bag: tuple[Handle, ...]) -> Model:
        """Returns what is seen now: by the player who remembers, or by everybody."""
        told = self._model.told
        knowledge = self._memory.knowledge(told, bag) if self._memory and told else None
        if knowledge is None or told is None:
            return replace(self._model, view=None, dialogue=None)
        return seen(self._model, view(self._haggled(told), knowledge), None)

    def _haggled(self, state: State) -> State:
        """Returns the state with the offers that nobody has acted on yet."""
        for move in self._said:
            try:
                state = apply(state, move)
            except Refusal:  # It came too late, or was never possible: nobody acts on it.
                continue
        return state


def _openings(takes: Sequence[Take], seat: Seat) -> list[tuple[int, tuple[Handle, ...]]]:
    """Returns when the bag of a seat opened, and with which cards."""
    return [
        (number, item.handles)
        for number, take in enumerate(takes)
        for event in take.events
        if isinstance(event, Happened)
        for item in event.inputs
        if isinstance(item, Opened) and item.seat == seat
    ]
