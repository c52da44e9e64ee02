"""Whom a game waits for, and for what, in a sentence; and when it is time to say so."""

from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import Final, assert_never

from p2p_sheriff.rules import Choose, Phase, Seat
from p2p_sheriff.rules.demands import Around, Open, Prove, Rearrange, Show, ShowKinds
from p2p_sheriff.seat.picture import Progress
from p2p_sheriff.session.play import Play
from p2p_sheriff.texts import ENGLISH, Texts

PATIENCE_SECONDS: Final = 10
"""How long a game may stand still before it is said whom it waits for."""


def what(play: Play, seat: Seat, texts: Texts = ENGLISH) -> str:
    """Returns what a seat that is waited for has to do."""
    if play.state.phase is Phase.OVER:
        return texts("waiting.signing")
    if seat not in play.expected() and not (
        play.is_haggling and seat in play.state.officers
    ):  # All must have seen votes that were cast, and a choice that shows cards.
        return texts("waiting.noting")
    if play.passing is not None:
        return texts(f"waiting.{play.passing.name}")
    demand = play.demand_to(seat)
    match demand:
        case Choose(_, choice):
            return texts(f"waiting.{choice.name.lower()}")
        case Open():
            return texts("waiting.opening")
        case Rearrange():
            return texts("waiting.rearranging")
        case Show() | ShowKinds() | Prove():
            return texts("waiting.showing")
        case Around():
            raise LookupError("What goes around the table is the business of its pass.")
        case _:
            assert_never(demand)


def progress_of(play: Play) -> Progress | None:
    """Returns how far the work is that goes around the table, if any does."""
    passing = play.passing
    return None if passing is None else Progress(f"progress.{passing.name}", passing.done, passing.of)


def sentence(
    play: Play,
    seats: Sequence[Seat],
    names: Sequence[str],
    away: Mapping[Seat, str],
    me: Seat | None = None,
    texts: Texts = ENGLISH,
) -> str:
    """Returns whom the game waits for.

    Args:
        play: The game.
        seats: Whose entries it waits for: others may have written theirs already.
        names: By seat.
        away: Who is not connected, and since when, if that is known.
        me: The own seat: when the game waits for it, others may still have to see what it answers.
        texts: The language.
    """
    if me in seats:
        here = [seat for seat in play.state.seats if seat in away]
        return texts("waiting.all_must_see", absence=_absence(here, names, away, texts)) if here else ""
    if not seats:
        return ""
    doing = texts.every(dict.fromkeys(what(play, seat, texts) for seat in seats))
    line = texts("waiting.waits", names=_listed([names[seat] for seat in seats], texts), doing=doing)
    return " ".join(filter(None, [line, _absence([seat for seat in seats if seat in away], names, away, texts)]))


def _absence(seats: Sequence[Seat], names: Sequence[str], away: Mapping[Seat, str], texts: Texts) -> str:
    return " ".join(
        texts("waiting.away_since", name=names[seat], time=away[seat])
        if away[seat]
        else texts("waiting.away", name=names[seat])
        for seat in seats
    )


def coming_back(seats: Collection[Seat], names: Sequence[str], texts: Texts = ENGLISH) -> str:
    """Returns whom a game waits for that was interrupted here."""
    return texts("waiting.coming_back", names=_listed([names[seat] for seat in sorted(seats)], texts))


def _listed(names: Sequence[str], texts: Texts) -> str:
    """Returns names as people list them."""
    return texts.every(filter(None, [", ".join(names[:-1]), *names[-1:]]))


class Patience:
    """Says when the same has been waited for long enough: once."""

    def __init__(self) -> None:
        """Waits for nothing yet."""
        self._wanted, self._since = "", 0.0

    def ends(self, wanted: str, now: float) -> bool:
        """Returns whether it is to be said now."""
        if wanted != self._wanted:
            self._wanted, self._since = wanted, now
        if not wanted or now < self._since + PATIENCE_SECONDS:
            return False
        self._since = inf
        return True
