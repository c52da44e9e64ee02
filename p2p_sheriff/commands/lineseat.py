"""A person at a node, with a keyboard and lines of text: every power of the game, and nothing that needs a screen."""

import asyncio
import sys
import threading
from collections.abc import Callable

from p2p_sheriff.linemode import LoadBag, Look, NotUnderstood, Say, understand
from p2p_sheriff.lobby import LobbyError
from p2p_sheriff.narration import Narrator
from p2p_sheriff.node.events import NodeEvent, PeerDown, PeerUp, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choice, Phase, Refusal, State, View, apply, outcome
from p2p_sheriff.rules.moves import Accept, Offer, Withdraw
from p2p_sheriff.session.happenings import Happened, Negotiated, Said
from p2p_sheriff.session.session import Session
from p2p_sheriff.tableau import Tableau
from protocol.faults import Fault


class Keyboard:
    """Lines that are typed, as they come; None at the end of input."""

    def __init__(self) -> None:
        """Starts to read in a thread of its own: a read can't be cancelled, and must not keep the program alive."""
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._loop.call_soon_threadsafe(self.lines.put_nowait, line.rstrip("\n"))
        self._loop.call_soon_threadsafe(self.lines.put_nowait, None)


def tell(line: str) -> None:
    """Shows a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class LineSeat:
    """Lets a person play one game."""

    def __init__(
        self, node: Node, session: Session, told: State, keyboard: Keyboard, show: Callable[[str], None] = tell
    ) -> None:
        """Takes a game that has begun; ``told`` is the state before the node's next event."""
        names = [player.name for player in session.table.charter.players]
        self._node, self._keyboard, self._show = node, keyboard, show
        self._names, self._narrator, self._tableau = names, Narrator(names), Tableau(names)
        self._told = told
        self._view: View | None = None
        self._choice: Choice | None = None
        self._asked: tuple[Choice, int] | None = None
        self._over = False
        self._event = asyncio.ensure_future(node.events.get())

    async def play(self) -> bool:
        """Plays until the game is over, and returns True; or until the player stops, and returns False."""
        line = asyncio.ensure_future(self._keyboard.lines.get())
        await self._refresh()
        try:
            while not self._over:
                await asyncio.wait({self._event, line}, return_when=asyncio.FIRST_COMPLETED)
                if self._event.done():
                    await self._refresh()
                elif line.done():
                    typed = line.result()
                    if typed is None or typed.strip().lower() == "quit":
                        return False
                    await self._type(typed)
                    line = asyncio.ensure_future(self._keyboard.lines.get())
        finally:
            self._event.cancel()
            line.cancel()
        for text in self._narrator.score_sheet(outcome(self._told)):
            self._show(text)
        return True

    # -- what happens

    def _see_all(self) -> None:
        """Shows everything that has happened so far."""
        while self._event.done():
            event = self._event.result()
            self._event = asyncio.ensure_future(self._node.events.get())
            self._see(event)
            while not self._node.events.empty():
                self._see(self._node.events.get_nowait())

    def _see(self, event: NodeEvent) -> None:
        match event:
            case Happened(_, inputs):
                for item in inputs:
                    after = apply(self._told, item)
                    if not isinstance(item, Offer | Withdraw):  # They were shown when they were made.
                        for text in self._narrator.tell(self._told, item, after):
                            self._show(text)
                    self._told = after
            case Negotiated(Offer() | Withdraw() | Accept() as move):
                self._show(self._narrator.negotiation(move))
            case Said(seat, words):
                self._show(f"{self._names[seat]}: {printable(words)}")
            case Fault():
                self._show(f"{self._names[event.seat]} broke the protocol: {event.reason}. All nodes have the proof.")
            case PeerDown(_, name, reason):
                self._show(f"{printable(name)} is not connected any more ({printable(reason)}). The game waits.")
            case PeerUp(_, name):
                self._show(f"{printable(name)} is connected.")
            case Trouble(sentence):
                self._show(sentence)
                self._over = True
            case _:
                pass

    async def _refresh(self) -> None:
        """Looks at the game, and asks what the player has to choose; the same question is asked once."""

        def look(session: Session) -> None:
            self._over = session.play.is_over
            self._choice = session.choice()
            if not self._over:
                self._view = session.view()

        try:
            await self._node.do(look)
        except LobbyError:
            self._over = True
        self._see_all()  # All that happened before the look is there by now: the question comes after it.
        if self._choice is None or self._view is None or self._over:
            self._asked = None
            return
        question = (self._choice, self._view.state.next_handle + len(self._view.state.closed_bags))
        if question != self._asked:
            self._asked = question
            for text in self._tableau.prompt(self._view, self._choice):
                self._show(text)

    # -- what is typed

    async def _type(self, line: str) -> None:
        if self._view is None or not line.strip():
            return
        try:
            intent = understand(self._view, self._names, self._choice, line)
            match intent:
                case Look(what):
                    for text in self._tableau.about(self._view, self._choice, what):
                        self._show(text)
                case _ if not self._node.is_home:
                    self._show("Wait a moment: after a restart, all others must be connected before you can act.")
                case Say(words):
                    await self._node.do(lambda session: session.say(words))
                case LoadBag(handles):
                    await self._node.do(lambda session: session.load(handles))
                case _:
                    await self._node.do(lambda session: session.submit(intent))
        except (NotUnderstood, Refusal, LobbyError) as refusal:
            self._show(sentence_of(refusal))
        await self._refresh()
        if self._view.state.phase is Phase.DECLARE and (stakes := self._tableau.stakes(self._view)):
            self._show(stakes)


def sentence_of(refusal: Exception) -> str:
    """Returns what a refusal says to the player."""
    return str(getattr(refusal, "sentence", refusal))


def printable(words: str) -> str:
    """Returns other people's text without what could confuse a terminal."""
    return "".join(letter if letter.isprintable() else " " for letter in words)[:400]
