"""A person at a node, with a keyboard and lines of text: every power of the game, and nothing that needs a screen."""

import asyncio
import sys
import threading
from collections.abc import Callable

from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.teller import Teller, printable, tell
from p2p_sheriff.fronts.lines.understanding import LoadBag, Look, Mute, NotUnderstood, Say, is_quit, understand
from p2p_sheriff.gathering.gathering import LobbyError
from p2p_sheriff.node.compared import game_words
from p2p_sheriff.node.events import NodeEvent, Obstacle, PeerDown, PeerUp, Trouble
from p2p_sheriff.node.runner import Node
from p2p_sheriff.rules import Choice, Phase, Refusal, State, View, legal_moves
from p2p_sheriff.rules.bounds import HandOverBounds, PayInKindBounds
from p2p_sheriff.seat import waiting
from p2p_sheriff.session.session import Session
from p2p_sheriff.texts import ENGLISH, Texts, refusal_sentence, translated
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
        self,
        node: Node,
        session: Session,
        told: State,
        keyboard: Keyboard,
        show: Callable[[str], None] = tell,
        texts: Texts = ENGLISH,
    ) -> None:
        """Takes a game that has begun, and the language; ``told`` is the state before the node's next event."""
        charter = session.table.charter
        self._node, self._keyboard, self._show, self._texts = node, keyboard, show, texts
        self._seat, self._game = session.seat, charter.game
        self._teller = Teller([player.name for player in charter.players], told, show, texts)
        self._names = self._teller.names
        self._tableau = Tableau(self._names, texts)
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
            self._show(waiting.coming_back(self._node.keeper.waits_for, self._names, self._texts))
        await self._refresh()
        if self._teller.told.round > 0 and self._view is not None:
            for text in self._tableau.table(self._view):
                self._show(text)
        try:
            while not self._over:
                await asyncio.wait({self._event, line}, timeout=1, return_when=asyncio.FIRST_COMPLETED)
                if line.done() and not self._event.done():
                    typed = line.result()
                    if typed is None or is_quit(typed, self._texts):
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
            case PeerDown(identity, name, _) if self._absence.is_player(identity):
                self._show(self._texts("seat.gone", name=printable(name)))
            case PeerUp(identity, name) if self._absence.is_player(identity):
                self._show(self._texts("seat.back", name=printable(name)))
            case Obstacle(sentence):
                self._show(translated(sentence, self._texts))
            case Trouble(sentence):
                self._trouble = self._trouble or translated(sentence, self._texts)
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
                self._over, self._trouble = True, refusal_sentence(error, self._texts)
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
                self._show(self._texts("seat.all_home"))
        if self._choice is None or self._view is None or not self._is_home:
            self._asked = None
            return
        question = (self._choice, self._view.state.next_handle + len(self._view.state.closed_bags))
        if question != self._asked:
            self._asked = question
            *question_lines, what_to_type = self._tableau.prompt(self._view, self._choice)
            for text in (*question_lines, *hints(self._view, self._choice, self._texts), what_to_type):
                self._show(text)

    def _whom_it_waits_for(self) -> str:
        if not self._is_home and self._node.keeper is not None:
            return waiting.coming_back(self._node.keeper.waits_for, self._names, self._texts)
        if self._asked:
            return ""
        return waiting.sentence(self._play, self._names, self._absence.away(), self._seat, self._texts)

    # -- what is typed

    async def _type(self, line: str) -> None:
        if self._view is None or not line.strip():
            return
        try:
            await self._do(self._view, line)
        except (NotUnderstood, Refusal, LobbyError) as refusal:
            self._show(refusal_sentence(refusal, self._texts))
        await self._refresh()
        if self._view.state.phase is Phase.DECLARE and (stakes := self._tableau.stakes(self._view)):
            self._show(stakes)

    async def _do(self, view: View, line: str) -> None:
        intent = understand(view, self._names, self._choice, line, self._texts)
        match intent:
            case Look(about):
                for text in self._about(view, about):
                    self._show(text)
            case Mute(seat, is_muted):
                (self._teller.muted.add if is_muted else self._teller.muted.discard)(seat)
                self._show(self._texts("seat.muted" if is_muted else "seat.unmuted", name=self._names[seat]))
            case _ if not self._node.is_home:
                self._show(self._texts("seat.not_home"))
            case Say(words):
                await self._node.do(lambda session: session.say(words))
            case LoadBag(handles):
                await self._node.do(lambda session: session.load(handles))
            case _:
                await self._node.do(lambda session: session.submit(intent))

    def _about(self, view: View, about: str) -> list[str]:
        if about == "words":
            return table_words(self._game, self._texts)
        lines = self._tableau.about(view, self._choice, about)
        if about == "table":
            lines += [*black_market(view.state, self._texts), *filter(None, [self._whom_it_waits_for()])]
        return lines


def table_words(game: bytes, texts: Texts = ENGLISH) -> list[str]:
    """Returns the words that everybody at a table compares."""
    return [texts("seat.words", words=" ".join(game_words(game))), texts("seat.words_same")]


# -- what a question needs besides


def hints(view: View, choice: Choice, texts: Texts = ENGLISH) -> list[str]:
    """Returns what must be known to answer: how much is owed, and what there is to choose from."""
    if choice is Choice.TRADE:
        return black_market(view.state, texts)
    if choice not in (Choice.HAND_OVER, Choice.PAY_IN_KIND):
        return []
    for bounds in legal_moves(view.state, view.seat):
        match bounds:
            case HandOverBounds(handles=handles, count=count):
                kinds = [texts.good(view.knowledge.kinds[handle], 1) for handle in handles]
                cards = ", ".join(f"{place} {kind}" for place, kind in enumerate(kinds, 1))
                return [texts("seat.give", n=count, cards=cards)]
            case PayInKindBounds(amount=amount, goods=goods):
                on_stall = [texts("seat.on_stall", goods=texts.goods(goods))] if goods else []
                return [texts("seat.owe", n=amount), *on_stall]
            case _:
                pass
    return []


def black_market(state: State, texts: Texts = ENGLISH) -> list[str]:
    """Returns what the black market has, if it is played with."""
    cards = ", ".join(texts.name(pair[0]) for pair in state.market if pair)
    return [texts("seat.black_market", goods=cards)] if cards else []
