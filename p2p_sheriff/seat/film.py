"""A finished game as a film: what the screen shows after every step of it, all at once in memory.

The pictures share almost everything with each other, so that going back is as easy as going on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from p2p_sheriff.rules import Handle, Phase, Seat, View
from p2p_sheriff.rules.facts import Looked, Opened
from p2p_sheriff.seat import story
from p2p_sheriff.seat.picture import Picture
from p2p_sheriff.session.happenings import GameEvent, Happened
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

    pictures: tuple[Picture, ...]
    """The first one is before anything happened."""

    def __len__(self) -> int:
        return len(self.pictures)

    @property
    def is_over(self) -> bool:
        """Whether the game came to its end."""
        last = self.pictures[-1].told
        return last is not None and last.phase is Phase.OVER

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


def shoot(begin: Picture, takes: Sequence[Take], keepsake: Keepsake | None = None) -> Film:
    """Returns the film of a game.

    Args:
        begin: Names, words, and the state before the first step.
        takes: What happened, entry by entry; one with which nobody saw anything is no picture of its own.
        keepsake: What one player remembers: then it is seen from that seat.
    """
    openings = _openings(takes, keepsake.seat) if keepsake else []
    now = begin
    pictures = [_from_seat(now, keepsake, (), ())]
    looks: tuple[Looked, ...] = ()
    for number, take in enumerate(takes):
        bag = next((handles for at, handles in openings if at >= number), ())
        before = now = replace(now, reveals=())
        if take.acts:
            now = story.proved(now, take.seat, take.acts, take.size, take.seconds)
        for event in take.events:
            now = story.after_event(now, event, (), 0.0)
            inputs = event.inputs if isinstance(event, Happened) else ()
            looks += tuple(item for item in inputs if isinstance(item, Looked))
        if now.told is not before.told or now.log is not before.log:
            pictures.append(_from_seat(now, keepsake, bag, looks))
    return Film(tuple(pictures))


def _from_seat(
    picture: Picture, keepsake: Keepsake | None, bag: tuple[Handle, ...], looks: tuple[Looked, ...]
) -> Picture:
    """Returns what is seen by the player who remembers, or by everybody."""
    told, haggled = picture.told, picture.haggled
    knowledge = keepsake.knowledge(told, bag, looks) if keepsake and told else None
    return picture if knowledge is None or haggled is None else replace(picture, view=View(haggled, knowledge))


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
