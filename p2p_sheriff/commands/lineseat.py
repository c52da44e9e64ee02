"""A person at a node, with a keyboard and lines of text: every power of the game, and nothing that needs a screen."""

import asyncio
import sys
import threading
from collections.abc import Callable, Sequence

from p2p_sheriff.commands import waiting
from p2p_sheriff.commands.teller import Teller, printable, tell
from p2p_sheriff.linemode import Intent, LoadBag, Look, NotUnderstood, Say, understand
from p2p_sheriff.lobby import LobbyError
from p2p_sheriff.node.events import NodeEvent, Obstacle, PeerDown, PeerUp, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.node.words import game_words
from p2p_sheriff.rules import Choice, Phase, Refusal, Seat, State, View, legal_moves
from p2p_sheriff.rules.bounds import HandOverBounds, PayInKindBounds, TradeBounds
from p2p_sheriff.rules.moves import HandOver
from p2p_sheriff.session.session import Session
from p2p_sheriff.tableau import Tableau
from p2p_sheriff.usage import UsageError


class Keyboard:
    """Lines that are typed, as they come; None at the end of input."""

    def __init__(self) -> None:
        """Starts to read in a thread of its own: a read can't be cancelled, and must not keep the program alive."""
        self.lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in sys.stdin:
                self._loop.call_soon_threadsafe(self.lines.put_nowait, line.rstrip("\n"))
            self._loop.call_soon_threadsafe(self.lines.put_nowait, None)
        except RuntimeError:  # The loop is closed: nobody listens any more.
            pass


class LineSeat:
    """Lets a person play one game."""

    def __init__(
        self, node: Node, session: Session, told: State, keyboard: Keyboard, show: Callable[[str], None] = tell
    ) -> None:
        """Takes a game that has begun; ``told`` is the state before the node's next event."""
        charter = session.table.charter
        self._node, self._keyboard, self._show = node, keyboard, show
        self._seat, self._game = session.seat, charter.game
        self._teller = Teller([player.name for player in charter.players], told, show)
        self._names = self._teller.names
        self._tableau = Tableau(self._names)
        self._absence = waiting.Absence(node, [player.identity for player in charter.players])
        self._play = session.play
        self._view: View | None = None
        self._choice: Choice | None = None
        self._asked: tuple[Choice, int] | None = None
        self._patience = waiting.Patience()
        self._is_home = node.is_home
        self._trouble = ""
        self._over = False
        self._event = asyncio.ensure_future(node.events.get())

    async def play(self) -> bool:
        """Plays until the game is over, and returns True; or until the player stops, and returns False.

        Raises:
            UsageError: The node can't go on.
        """
        line = asyncio.ensure_future(self._keyboard.lines.get())
        if not self._is_home and self._node.keeper is not None:
            self._show(waiting.coming_back(self._node.keeper.waits_for, self._names))
        await self._refresh()
        if self._teller.told.round > 0 and self._view is not None:
            for text in self._tableau.table(self._view):
                self._show(text)
        try:
            while not self._over:
                await asyncio.wait({self._event, line}, timeout=1, return_when=asyncio.FIRST_COMPLETED)
                if line.done() and not self._event.done():
                    typed = line.result()
                    if typed is None or typed.strip().lower() == "quit":
                        return False
                    await self._type(typed)
                    line = asyncio.ensure_future(self._keyboard.lines.get())
                else:
                    await self._refresh()
        finally:
            self._event.cancel()
            line.cancel()
        if self._trouble:
            raise UsageError(self._trouble)
        self._teller.score_sheet()
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
        self._teller.see(event)
        self._absence.see(event)
        match event:
            case PeerDown(identity, name, reason) if self._absence.is_player(identity):
                self._show(f"{printable(name)} is not connected any more ({printable(reason)}). The game waits.")
            case PeerUp(identity, name) if self._absence.is_player(identity):
                self._show(f"{printable(name)} is connected.")
            case Obstacle(sentence):
                self._show(sentence)
            case Trouble(sentence):
                self._trouble = self._trouble or sentence
            case _:
                pass

    async def _refresh(self) -> None:
        """Looks at the game, and asks what the player has to choose; the same question is asked once."""

        def look(session: Session) -> None:
            self._play = session.play
            self._over = session.play.is_over
            self._choice = session.choice()
            if not self._over:
                self._view = session.view()

        try:
            await self._node.do(look)
        except LobbyError as error:
            if self._node.keeper is None:
                self._over, self._trouble = True, str(error)
        self._see_all()  # All that happened before the look is there by now: the question comes after it.
        self._over = self._over or bool(self._trouble)
        if self._over:
            return
        self._ask()
        wanted = self._whom_it_waits_for()
        if self._patience.ends(wanted, asyncio.get_running_loop().time()):
            self._show(wanted)

    def _ask(self) -> None:
        if not self._is_home:
            self._is_home = self._node.is_home
            if self._is_home:
                self._show("Everybody has shown what they have: the game goes on.")
        if self._choice is None or self._view is None or not self._is_home:
            self._asked = None
            return
        question = (self._choice, self._view.state.next_handle + len(self._view.state.closed_bags))
        if question != self._asked:
            self._asked = question
            for text in (*self._tableau.prompt(self._view, self._choice), *hints(self._view, self._choice)):
                self._show(text)

    def _whom_it_waits_for(self) -> str:
        if not self._is_home and self._node.keeper is not None:
            return waiting.coming_back(self._node.keeper.waits_for, self._names)
        return waiting.sentence(self._play, self._names, self._absence.away(), self._seat) if not self._asked else ""

    # -- what is typed

    async def _type(self, line: str) -> None:
        if self._view is None or not line.strip():
            return
        try:
            if not self._manage(line):
                await self._do(self._view, line)
        except (NotUnderstood, Refusal, LobbyError) as refusal:
            self._show(sentence_of(refusal))
        await self._refresh()
        if self._view.state.phase is Phase.DECLARE and (stakes := self._tableau.stakes(self._view)):
            self._show(stakes)

    def _manage(self, line: str) -> bool:
        """Does what is no part of the game; returns whether there was such a thing to do."""
        verb, _, rest = line.strip().partition(" ")
        match verb.lower():
            case "mute":
                seat = player_called(self._names, rest)
                self._teller.muted.add(seat)
                self._show(f"You don't see any more what {self._names[seat]} says. Offers and moves are always shown.")
            case "unmute":
                seat = player_called(self._names, rest)
                self._teller.muted.discard(seat)
                self._show(f"You see again what {self._names[seat]} says.")
            case "words":
                self._show(f"The words of this table: {' '.join(game_words(self._game))}.")
                self._show("Everybody at the table has the same, or somebody is in between.")
            case _:
                return False
        return True

    async def _do(self, view: View, line: str) -> None:
        intent = self._understood(view, line)
        match intent:
            case Look(about):
                for text in self._tableau.about(view, self._choice, about):
                    self._show(text)
                for text in self._more_about(view, about):
                    self._show(text)
            case _ if not self._node.is_home:
                self._show("Wait a moment: after a restart, all others must be connected before you can act.")
            case Say(words):
                await self._node.do(lambda session: session.say(words))
            case LoadBag(handles):
                await self._node.do(lambda session: session.load(handles))
            case _:
                await self._node.do(lambda session: session.submit(intent))

    def _understood(self, view: View, line: str) -> Intent:
        verb, _, rest = line.strip().partition(" ")
        if self._choice is Choice.HAND_OVER and verb.lower() == "give":
            return gift(view, rest)
        return understand(view, self._names, self._choice, line)

    def _more_about(self, view: View, about: str) -> list[str]:
        match about:
            case "help":
                return ["And: mute NAME, unmute NAME (what they say), words (to compare with the others)."]
            case "table":
                return [*black_market(view.state), *filter(None, [self._whom_it_waits_for()])]
            case _:
                return []


def sentence_of(refusal: Exception) -> str:
    """Returns what a refusal says to the player."""
    return str(getattr(refusal, "sentence", refusal))


def player_called(names: Sequence[str], word: str) -> Seat:
    """Returns who is meant.

    Raises:
        NotUnderstood: Nobody, or several.
    """
    fits = [seat for seat, name in enumerate(names) if name.lower().startswith(word.strip().lower())]
    if not word.strip() or len(fits) != 1:
        raise NotUnderstood(f"Who is {word.strip() or 'meant'}? At the table: {', '.join(names)}.")
    return Seat(fits[0])


# -- what a question needs besides


def hints(view: View, choice: Choice) -> list[str]:
    """Returns what must be known to answer: how much is owed, and what there is to choose from."""
    if choice not in (Choice.HAND_OVER, Choice.PAY_IN_KIND, Choice.TRADE):
        return []
    for bounds in legal_moves(view.state, view.seat):
        match bounds:
            case HandOverBounds(handles=handles, count=count):
                cards = [f"{place} {view.knowledge.kinds[handle]}" for place, handle in enumerate(handles, 1)]
                return [f"You give {count} of these: {', '.join(cards)}."]
            case PayInKindBounds(amount=amount, goods=goods):
                lines = [f"You still owe {amount}: give goods worth as much, and no card more than it takes."]
                open_goods = ", ".join(f"{number} {kind}" for kind, number in goods)
                return [*lines, *([f"On your stall: {open_goods}."] if open_goods else [])]
            case TradeBounds():
                return black_market(view.state)
            case _:
                pass
    return black_market(view.state) if choice is Choice.TRADE else []


def black_market(state: State) -> list[str]:
    """Returns what the black market has, if it is played with."""
    cards = [pair[0] for pair in state.market if pair]
    return [f"The black market has: {', '.join(cards)}."] if cards else []


def gift(view: View, rest: str) -> HandOver:
    """Reads which of the promised cards are given: they may lie face down, or in the bag.

    Raises:
        NotUnderstood: Those are no numbers of the list that ``hints`` shows.
    """
    among = next((one.handles for one in legal_moves(view.state, view.seat) if isinstance(one, HandOverBounds)), ())
    places = rest.replace(",", " ").split()
    if not all(place.isdecimal() and 1 <= int(place) <= len(among) for place in places):
        raise NotUnderstood(f"Name cards by their numbers, each once: 1 to {len(among)}.")
    return HandOver(view.seat, tuple(among[int(place) - 1] for place in places))
