"""Whom a game waits for, and for what, in a sentence; and when it is time to say so."""

import time
from collections.abc import Collection, Mapping, Sequence
from math import inf
from typing import Final

from p2p_sheriff.node.events import NodeEvent, PeerDown
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choose, Phase, Seat
from p2p_sheriff.rules.demands import (
    Draw,
    Give,
    Open,
    Prove,
    Rearrange,
    Redeal,
    Reshuffle,
    Show,
    ShowKinds,
    Shuffle,
    Toss,
)
from p2p_sheriff.session.passes import Committing, Dealing, Gathering, Giving, Mixing, Revealing
from p2p_sheriff.session.play import Play
from p2p_sheriff.texts import ENGLISH, Texts
from protocol.identity import PublicIdentity

PATIENCE_SECONDS: Final = 10
"""How long a game may stand still before it is said whom it waits for."""

_PASSES: Final = {
    Mixing: "waiting.mixing",
    Gathering: "waiting.gathering",
    Dealing: "waiting.dealing",
    Committing: "waiting.coin",
    Revealing: "waiting.coin",
    Giving: "waiting.giving",
}


def what(play: Play, seat: Seat, texts: Texts = ENGLISH) -> str:
    """Returns what a seat that is waited for has to do."""
    if play.state.phase is Phase.OVER:
        return texts("waiting.signing")
    if play.passing is not None:
        return texts(_PASSES[type(play.passing)])
    match play.demand_to(seat):
        case Choose(_, choice):
            return texts(f"waiting.{choice.name.lower()}")
        case Open():
            return texts("waiting.opening")
        case Rearrange():
            return texts("waiting.rearranging")
        case Show() | ShowKinds() | Prove():
            return texts("waiting.showing")
        case Shuffle() | Reshuffle() | Redeal() | Toss() | Draw() | Give():
            return texts("waiting.dealing")


def sentence(
    play: Play, names: Sequence[str], away: Mapping[Seat, str], me: Seat | None = None, texts: Texts = ENGLISH
) -> str:
    """Returns whom the game waits for.

    Args:
        play: The game.
        names: By seat.
        away: Who is not connected, and since when, if that is known.
        me: The own seat: when the game waits for it, others may still have to see what it answers.
        texts: The language.
    """
    seats = [Seat(seat) for seat in play.expected()]
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
