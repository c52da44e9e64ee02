"""Lines of text as a front: every power of the game, and nothing that needs a screen."""

import asyncio
from collections.abc import Callable, Sequence

from p2p_sheriff.bots import STYLES
from p2p_sheriff.fronts.lines import lobbylines
from p2p_sheriff.fronts.lines.console import Keyboard, tell
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.understanding import Look, NotUnderstood, is_quit, understand
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.rules import Choice, Phase, outcome
from p2p_sheriff.seat.hall import Hall, changes
from p2p_sheriff.seat.intents import Intent, LeaveGame, Mute, Rematch
from p2p_sheriff.seat.picture import Answered, LogLine, News, Notice, Picture, short
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.waiting import Patience
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.cleaning import clean
from p2p_sheriff.texts.vocabulary import Vocabulary

_LOOK_SECONDS = 0.5
"""How often it is asked whether the same has been waited for long enough."""
_LOOKS = frozenset({"table", "offers", "pile", "words"})
"""What an onlooker may look at."""


class LineFront:
    """A person with a keyboard, and lines of text."""

    def __init__(
        self,
        keyboard: Keyboard,
        texts: Texts = ENGLISH,
        show: Callable[[str], None] = tell,
        *,
        from_start: bool = False,
    ) -> None:
        """Takes the language; an onlooker may want to be told all that was played before, in place of a summary."""
        self._keyboard, self._texts, self._print, self._from_start = keyboard, texts, show, from_start
        self._vocabulary = Vocabulary(texts)
        self._scene: Scene | None = None
        self._picture = Picture((), Words(texts))
        """The game that was shown last."""
        self._patience = Patience()
        self._asked: tuple[Choice, int] | None = None
        self._has_ended = False

    def say(self, *lines: str) -> None:
        """Shows lines; nothing in them can steer a terminal."""
        for line in lines:
            self._print(clean(line))

    # -- what is shown

    def show(self, scene: Scene, news: Sequence[News] = ()) -> None:
        """Tells what has changed, and asks what the player has to choose; the same question is asked once."""
        before, self._scene = self._scene, scene
        known = self._picture if isinstance(scene, Picture) and self._picture.game == scene.game else None
        is_quiet = isinstance(scene, Picture) and scene.is_behind and not self._from_start
        if isinstance(scene, Picture):
            self._picture = scene
            if known is None:
                self._begin(scene)
        for one in news:
            match one:
                case LogLine() if not is_quiet and not (isinstance(scene, Hall) and scene.table is None):
                    self.say(one.told)
                case Notice(text) if text not in self._picture.ending:
                    self.say(text)
                case Answered(refusal) if refusal:
                    self.say(refusal)
                case _:
                    pass
        match scene:
            case Hall(table=table) if table is not None:
                self._gather(before.table if isinstance(before, Hall) else None, table, scene)
            case Picture():
                self._play(known, scene)
                if isinstance(before, Hall) and scene.is_ended:  # There is no rematch at the table that was gathered.
                    self.say(self._texts("rematch.question"))
            case _:
                pass

    def _gather(self, before: TableInfo | None, table: TableInfo, hall: Hall) -> None:
        me, texts = hall.me.identity, self._texts
        if before is None:
            self.say(*lobbylines.terms(table.setup, texts), *lobbylines.seats(table, hall, texts), texts("gather.hint"))
        elif before.id != table.id:  # Two have opened a table for the same rematch: one of them goes over to the other.
            self.say(texts("gather.goes_over", title=short(table.title)), *lobbylines.seats(table, hall, texts))
        else:
            self.say(*changes(before, table, me, texts))
        if table.is_complete and not (before is not None and before.is_complete):
            self.say(texts("gather.begins"))

    def _begin(self, picture: Picture) -> None:
        self._asked, self._has_ended = None, False
        if not picture.rematch:
            self.say(self._texts("watch.intro", names=", ".join(map(short, picture.names))), self._texts("watch.help"))
        else:
            self.say(*self._words(picture))
        if picture.coming_back:
            self.say(picture.waits)

    def _words(self, picture: Picture) -> list[str]:
        return [self._texts("seat.words", words=" ".join(picture.compared)), self._texts("seat.words_same")]

    def _play(self, before: Picture | None, picture: Picture) -> None:
        """Shows what the log does not tell."""
        texts = self._texts
        if before is not None and before.coming_back and not picture.coming_back:
            self.say(texts("seat.all_home"))
        if before is not None and before.is_behind and not picture.is_behind and not self._from_start:
            self.say(texts("watch.so_far"), *self._about(picture, "table"))
        if picture.is_ended:
            self._end(before, picture)
        elif not picture.is_behind:
            self._ask(before, picture)

    def _ask(self, before: Picture | None, picture: Picture) -> None:
        view, choice = picture.view, picture.choice
        if view is None:
            return
        bag, earlier = view.me.bag, before.view.me.bag if before is not None and before.view is not None else None
        if bag is not None and bag.kind is not None and (earlier is None or earlier.kind is None):
            self.say(*filter(None, [self._tableau(picture).stakes(view)]))
        if choice is None or picture.coming_back:
            self._asked = None
            return
        question = choice, view.state.next_handle + len(view.state.closed_bags)
        if question != self._asked:
            self._asked = question
            self.say(*self._tableau(picture).prompt(view, choice))

    def _end(self, before: Picture | None, picture: Picture) -> None:
        told = before.ending if before is not None else ()
        if not self._has_ended and picture.told is not None:
            self._has_ended = True
            self.say(*picture.narrator.score_sheet(outcome(picture.told)))
        if picture.ending != told:
            self.say(*picture.ending[len(told) :])
            if not told:
                self.say(self._texts("rematch.question"))
        if picture.ending:
            wished = before.wanted_by if before is not None and told else ()
            self.say(*(self._texts("rematch.wish", name=name) for name in picture.wanted_by if name not in wished))

    def _tableau(self, picture: Picture) -> Tableau:
        return Tableau([short(name) for name in picture.names], self._texts)

    # -- what is typed

    async def wish(self) -> Intent | None:
        """Waits for what the player wants next; None if nothing more can be typed."""
        while True:
            if isinstance(self._scene, Picture) and self._scene.is_ended and not self._scene.rematch:
                return LeaveGame()  # An onlooker has seen it all.
            self._wait()
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    line = await self._keyboard.lines.get()
            except TimeoutError:
                continue
            if line is None and self._is_reading:
                continue
            if line is None:
                return None
            try:
                if line.strip() and (intent := self._understood(line)) is not None:
                    return intent
            except NotUnderstood as refusal:
                self.say(str(refusal))

    @property
    def _is_reading(self) -> bool:
        """Whether somebody looks on who may go on reading when there is nothing more to type."""
        return isinstance(self._scene, Picture) and not self._scene.rematch

    def _wait(self) -> None:
        """Says whom the game waits for, once for each thing that takes long."""
        picture = self._scene
        waits = picture.waits if isinstance(picture, Picture) and self._asked is None else ""
        if self._patience.ends(waits, asyncio.get_running_loop().time()):
            self.say(waits)

    def _understood(self, line: str) -> Intent | None:
        match self._scene:
            case Hall(table=table) as hall if table is not None:
                return self._at_table(hall, table, line)
            case Picture() as picture if picture.is_ended:
                return self._after_game(line)
            case Picture(view=None) as picture if not picture.rematch:
                return self._onlooking(picture, line)
            case Picture() as picture:
                return self._in_game(picture, line)
            case _:
                return None

    def _at_table(self, hall: Hall, table: TableInfo, line: str) -> Intent | None:
        wish = lobbylines.understand(table, hall.me.identity, line, STYLES, self._texts)
        if isinstance(wish, Look):
            self.say(*lobbylines.about(wish.what, table, hall, self._texts))
            return None
        return wish

    def _after_game(self, line: str) -> Intent | None:
        match self._vocabulary.verb(line.strip()):
            case "rematch":
                return Rematch()
            case "quit":
                return LeaveGame()
            case _:
                self.say(self._texts("rematch.over", question=self._texts("rematch.question")))
                return None

    def _onlooking(self, picture: Picture, line: str) -> Intent | None:
        verb, view = self._vocabulary.verb(line.strip().partition(" ")[0]), picture.public_view
        if verb == "quit":
            return LeaveGame()
        if verb in _LOOKS:
            self.say(*self._about(picture, verb))
        elif verb in ("mute", "unmute") and view is not None:
            match understand(view, self._names(picture), None, line, self._texts):
                case Mute() as mute:
                    return self._muting(picture, mute)
                case _:
                    pass
        else:
            self.say(self._texts("watch.help"))
        return None

    def _in_game(self, picture: Picture, line: str) -> Intent | None:
        view = picture.view
        if is_quit(line, self._texts):
            return LeaveGame()
        if view is None:
            return None
        match understand(view, self._names(picture), picture.choice, line, self._texts):
            case Look(what):
                self.say(*self._about(picture, what))
                return None
            case Mute() as mute:
                return self._muting(picture, mute)
            case intent:
                return intent

    def _names(self, picture: Picture) -> list[str]:
        return [short(name) for name in picture.names]

    def _muting(self, picture: Picture, mute: Mute) -> Mute:
        self.say(self._texts("seat.muted" if mute.is_muted else "seat.unmuted", name=picture.name(mute.seat)))
        return mute

    def _about(self, picture: Picture, what: str) -> list[str]:
        view = picture.public_view
        if what == "words":
            return self._words(picture)
        if view is None:
            return []
        lines = self._tableau(picture).about(view, picture.choice, what)
        if what == "table" and picture.waits and view.state.phase is not Phase.OVER:
            lines.append(picture.waits)
        return lines
