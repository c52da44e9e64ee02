"""Tells a game in lines of text, event by event: to a player, an onlooker, or whoever reads a demo."""

import sys
from collections.abc import Callable, Sequence

from p2p_sheriff.node.events import NodeEvent
from p2p_sheriff.rules import Move, Refusal, Seat, State, apply, outcome
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.seat.narration import Narrator
from p2p_sheriff.session.happenings import Happened, Negotiated, Said
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.cleaning import clean
from protocol.faults import Fault


def tell(line: str) -> None:
    """Shows a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def printable(words: str) -> str:
    """Returns what strangers wrote, clean, and as much of it as a line should hold."""
    return clean(words)[:400]


class Teller:
    """Tells what happens at one table, from a state on."""

    def __init__(
        self, names: Sequence[str], told: State, show: Callable[[str], None] = tell, texts: Texts = ENGLISH
    ) -> None:
        """Takes the names by seat, the state before the next event, and the language to tell it in."""
        self.names = [printable(name) for name in names]
        self.told = told
        """The state after all that was told: offers that nobody has acted on yet are not in it."""
        self.muted: set[Seat] = set()
        """Whose words are not shown. What they offer and do always is."""
        self.is_quiet = False
        """Whether nothing is shown, only followed."""
        self._narrator, self._show, self._texts = Narrator(self.names, texts), show, texts
        self._said: list[Move] = []

    def see(self, event: NodeEvent) -> None:
        """Shows an event of the game; others are somebody else's business."""
        match event:
            case Happened(_, inputs):
                self._said = [move for move in self._said if move not in inputs]
                for item in inputs:
                    after = apply(self.told, item)
                    if not isinstance(item, Offer | Withdraw):  # They were shown when they were made.
                        self._tell(*self._narrator.tell(self.told, item, after))
                    self.told = after
            case Negotiated(Offer() | Withdraw() | Accept() as move):
                self._said.append(move)
                self._tell(self._narrator.negotiation(move))
            case Said(seat, words) if seat not in self.muted:
                self._tell(f"{self.names[seat]}: {printable(words)}")
            case Fault():
                self._tell(self._texts("seat.fault", name=self.names[event.seat], reason=event.reason))
            case _:
                pass

    def state(self) -> State:
        """Returns what was told, with the offers that nobody has acted on yet."""
        state = self.told
        for move in self._said:
            try:
                state = apply(state, move) if isinstance(move, Offer | Withdraw) else state
            except Refusal:  # It comes too late, or was never possible: nobody will act on it.
                continue
        return state

    def score_sheet(self) -> None:
        """Shows the score of a game that is over."""
        self._tell(*self._narrator.score_sheet(outcome(self.told)))

    def _tell(self, *lines: str) -> None:
        if not self.is_quiet:
            for line in lines:
                self._show(clean(line))
