"""Whom a game waits for, and for what, in a sentence; and when it is time to say so."""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import inf
from typing import Final

from p2p_sheriff.node.events import NodeEvent, PeerDown
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choice, Choose, Phase, Seat
from p2p_sheriff.rules.demands import Open, Rearrange
from p2p_sheriff.session.passes import Committing, Dealing, Gathering, Giving, Mixing, Revealing
from p2p_sheriff.session.play import Play
from protocol.identity import PublicIdentity

PATIENCE_SECONDS: Final = 10
"""How long a game may stand still before it is said whom it waits for."""

_CHOICES: Final = {
    Choice.NAME_FIRST: "naming who goes to the market first",
    Choice.SET_ASIDE: "choosing at the market",
    Choice.LOAD: "loading the bag",
    Choice.DECLARE: "declaring",
    Choice.ACT: "dealing with the bags",
    Choice.HAND_OVER: "choosing cards to give",
    Choice.PAY_IN_KIND: "paying a fine in goods",
    Choice.TRADE: "deciding about the black market",
}


def what(play: Play, seat: Seat) -> str:
    """Returns what a seat that is waited for has to do."""
    if play.state.phase is Phase.OVER:
        return "signing the result"
    match play.passing:
        case Mixing():
            return "shuffling the cards"
        case Gathering():
            return "gathering the discards"
        case Dealing():
            return "dealing cards"
        case Committing() | Revealing():
            return "tossing the coin"
        case Giving():
            return "handing cards over"
        case None:
            pass
    match play.demand_to(seat):
        case Choose(_, choice):
            return _CHOICES.get(choice, choice.value)
        case Open():
            return "opening the bag"
        case Rearrange():
            return "rearranging cards"
        case _:
            return "showing cards"


def sentence(play: Play, names: Sequence[str], away: Mapping[Seat, str], me: Seat | None = None) -> str:
    """Returns whom the game waits for.

    Args:
        play: The game.
        names: By seat.
        away: Who is not connected, and since when, if that is known.
        me: The own seat: when the game waits for it, others may still have to see what it answers.
    """
    seats = [Seat(seat) for seat in play.expected()]
    if me in seats:
        here = [seat for seat in play.state.seats if seat in away]
        return f"Everybody must see what you answer. {_absence(here, names, away)}" if here else ""
    if not seats:
        return ""
    doing = " and ".join(dict.fromkeys(what(play, seat) for seat in seats))
    line = f"Waiting for {listed(names[seat] for seat in seats)}: {doing}."
    return " ".join([line, *filter(None, [_absence([seat for seat in seats if seat in away], names, away)])])


def _absence(seats: Sequence[Seat], names: Sequence[str], away: Mapping[Seat, str]) -> str:
    return " ".join(
        f"{names[seat]} has been away since {away[seat]}." if away[seat] else f"{names[seat]} is not connected."
        for seat in seats
    )


def coming_back(seats: Collection[Seat], names: Sequence[str]) -> str:
    """Returns whom a game waits for that was interrupted here."""
    people = listed(names[seat] for seat in sorted(seats))
    return f"Waiting for {people} to come back: they must show what they have of your game."


def listed(names: Iterable[str]) -> str:
    """Returns names as people list them."""
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


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


class Absence:
    """Who of a game's players is not connected, and since when."""

    def __init__(self, node: Node, players: Sequence[PublicIdentity]) -> None:
        """Takes the players by seat."""
        self._node, self._players = node, players
        self._since: dict[PublicIdentity, str] = {}

    def is_player(self, identity: PublicIdentity) -> bool:
        """Whether somebody plays: others come and go without a word."""
        return identity in self._players

    def see(self, event: NodeEvent) -> None:
        """Notes who goes."""
        if isinstance(event, PeerDown):
            self._since[event.identity] = time.strftime("%H:%M")

    def away(self) -> dict[Seat, str]:
        """Returns who is away, each with the time since when, if it is known."""
        here = {*self._node.connected(), self._node.identity.public}
        return {Seat(seat): self._since.get(who, "") for seat, who in enumerate(self._players) if who not in here}
