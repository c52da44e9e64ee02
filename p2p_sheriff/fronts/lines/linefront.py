"""Lines of text as a front: every power of the game, and nothing that needs a screen."""

import asyncio
import time
from collections.abc import Callable, Sequence
from math import inf

from p2p_sheriff.bots import STYLES
from p2p_sheriff.fronts.lines import lobbylines
from p2p_sheriff.fronts.lines.console import Keyboard, tell
from p2p_sheriff.fronts.lines.discards import shortage
from p2p_sheriff.fronts.lines.retelling import history, summary
from p2p_sheriff.fronts.lines.tableau import Tableau
from p2p_sheriff.fronts.lines.understanding import (
    Look,
    NotUnderstood,
    Understood,
    is_numbers,
    is_quit,
    stake,
    understand,
)
from p2p_sheriff.gathering.tables import TableInfo
from p2p_sheriff.rules import Choice, Phase, View, outcome
from p2p_sheriff.seat import hourglass, parting
from p2p_sheriff.seat.chronicle import Round
from p2p_sheriff.seat.conditions import conditions
from p2p_sheriff.seat.hall import Hall, changes
from p2p_sheriff.seat.intents import Autopilot, Intent, LeaveForGood, LeaveGame, Mute, Rematch
from p2p_sheriff.seat.picture import Answered, LogLine, News, Notice, Picture, RoundEnded, short
from p2p_sheriff.seat.sight import Scene
from p2p_sheriff.seat.waiting import Patience
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts import ENGLISH, Texts
from p2p_sheriff.texts.cleaning import clean
from p2p_sheriff.texts.vocabulary import Vocabulary

_LOOK_SECONDS = 0.5
"""How often it is asked whether the same has been waited for long enough."""
_READ_SECONDS = 0.7
"""Nobody reads a question and answers it faster: what comes sooner was typed for the one before."""
_DESERTED_SECONDS = 60
_COUNTED = (30, 10, 5)
"""When it is said how many seconds are left to haggle."""
_SUMMARY_SECONDS = 20.0
"""So long a summary waits for who reads it, like that of a screen."""
_CLOCKED = (60, *_COUNTED)
"""When it is said how many are left for all bags, besides when they begin."""
_LOOKS = frozenset({"table", "offers", "pile", "words", "history", "cards"})
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
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Takes the language; an onlooker may want to be told all that was played before, in place of a summary."""
        self._clock = clock
        self._keyboard, self._texts, self._print, self._from_start = keyboard, texts, show, from_start
        self._vocabulary = Vocabulary(texts)
        self._scene: Scene | None = None
        self._picture = Picture((), Words(texts))
        """The game that was shown last."""
        self._patience = Patience()
        self._asked: tuple[Choice | None, int] | None = None
        """The question that stands: a choice, or what to say about the own bag."""
        self._asked_at = 0.0
        self._last_seen = inf
        """How many seconds were left to haggle when that was looked at last."""
        self._last_left = inf
        """The same of the time for all bags."""
        self._to_confirm: Understood | None = None
        """What is done if the player says yes."""
        self._has_ended = False
        self._stage: tuple[object, ...] = (0, (), ())
        """How far the countdowns and the votes were that were told of last."""
        self._reads_until = 0.0
        """Until when a summary is read: what is said after it waits."""
        self._unsaid: list[str] = []

    def say(self, *lines: str) -> None:
        """Shows lines, after what is being read; nothing in them can steer a terminal."""
        if self._reads_until:
            self._unsaid += lines
            return
        for line in lines:
            self._print(clean(line))

    def _go_on(self) -> None:
        """Shows what has waited until a summary was read: a question is asked from now on."""
        if self._reads_until:
            unsaid, self._unsaid, self._reads_until, self._asked_at = self._unsaid, [], 0.0, self._clock()
            self.say(*unsaid)

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
                case Notice(text, passing=False) if text not in self._picture.ending:
                    self.say(text)
                case Answered(refusal) if refusal:
                    self.say(refusal)
                case RoundEnded(ended) if not is_quiet and isinstance(scene, Picture):
                    self._sum_up(scene, ended)
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

    def _sum_up(self, picture: Picture, ended: Round) -> None:
        """Tells what a round was. Who plays is given time to read it, before the next one begins."""
        self.say("", *summary(picture, ended, self._texts))
        if picture.seat is not None and not picture.autopilot and not self._reads_until:
            self.say(picture.words("key.skip", key=picture.words.cap("Enter")))
            self._reads_until = self._clock() + _SUMMARY_SECONDS

    def _gather(self, before: TableInfo | None, table: TableInfo, hall: Hall) -> None:
        me, texts = hall.me.identity, self._texts
        if before is None:
            self.say(*conditions(table.setup, texts), *lobbylines.seats(table, hall, texts), texts("gather.hint"))
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
        elif picture.is_met_anew:
            self.say(*self._words(picture))
        if picture.coming_back:
            self.say(picture.waits)

    def _words(self, picture: Picture) -> list[str]:
        return [self._texts("seat.words", words=" ".join(picture.compared)), self._texts("seat.words_differ")]

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
        if picture.autopilot:  # What the bot leaves open is asked when the player plays again.
            self._asked = None
            return
        bag, earlier = view.me.bag, before.view.me.bag if before is not None and before.view is not None else None
        if bag is not None and bag.kind is not None and (earlier is None or earlier.kind is None):
            self.say(*filter(None, [self._tableau(picture).stakes(view)]))
        question = _question(picture, view)
        if question == self._asked:
            return
        self._asked, self._asked_at = question, self._clock()
        self._to_confirm = None
        if question is None:
            return
        if choice is not None:
            self.say(*self._tableau(picture).prompt(view, choice))
        else:
            left = _seconds_left(picture, self._clock())
            self._last_seen = inf if left is None else left
            self.say(*self._tableau(picture).haggling(view, None if left is None else round(left)))

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
        bots = {seat: picture.words.style(style) for seat, style in picture.bots.items()}
        return Tableau(self._names(picture), self._texts, bots, picture.new_cards, picture.narrator)

    # -- what is typed

    async def wish(self) -> Intent | None:
        """Waits for what the player wants next; None if nothing more can be typed."""
        while True:
            if isinstance(self._scene, Picture) and self._scene.is_ended and not self._scene.rematch:
                return LeaveGame()  # An onlooker has seen it all.
            if self._is_reading and self._is_deserted:
                self.say(self._texts("watch.deserted"))
                return LeaveGame()
            self._wait()
            try:
                async with asyncio.timeout(_LOOK_SECONDS):
                    line = await self._keyboard.lines.get()
            except TimeoutError:
                continue
            self._go_on()
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

    @property
    def _is_deserted(self) -> bool:
        """Whether all players of a game have been gone for so long that an onlooker waits for nothing."""
        away = self._picture.away
        return len(away) == len(self._picture.names) and max(away.values()) < time.time() - _DESERTED_SECONDS

    def _wait(self) -> None:
        """Says whom the game waits for, once for each thing that takes long; and how long the own bag stays open."""
        picture = self._scene
        if self._clock() >= self._reads_until:
            self._go_on()
        if isinstance(picture, Picture):
            self._count_down(picture)
            self._tell_time(picture)
            self._part(picture)
        waits = picture.waits if isinstance(picture, Picture) and self._asked is None else ""
        if self._patience.ends(waits, asyncio.get_running_loop().time()):
            self.say(waits)

    def _count_down(self, picture: Picture) -> None:
        left = _seconds_left(picture, self._clock())
        if left is None:
            return
        passed = [seconds for seconds in _COUNTED if left <= seconds < self._last_seen]
        self._last_seen = left
        if passed:
            self.say(self._texts("table.seconds_left", n=max(0, round(left))))

    def _tell_time(self, picture: Picture) -> None:
        left = inf if picture.timer is None else picture.timer.left(self._clock())
        if left < self._last_left == inf or any(left <= seconds < self._last_left for seconds in _CLOCKED):
            self.say(hourglass.told(picture, self._clock()))
        self._last_left = left

    def _part(self, picture: Picture) -> None:
        """Says whom the game may go on without, now or soon, and what is voted about that; and what can be typed."""
        now = self._clock()
        left = min((one.until - now for one in picture.missed.values() if one.until > now), default=inf)
        counted, asked = sum(left <= seconds for seconds in _COUNTED), parting.asked(picture, now)
        stage = (counted, tuple(picture.votes.items()), asked)
        if stage == self._stage:
            return
        self._stage = stage
        if counted or picture.votes or asked:
            self.say(" ".join(parting.told(picture, now)))
        if asked:
            self.say(self._texts("line.parting", names=picture.names_of(asked)))

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
        if picture.autopilot:
            self.say(self._texts("line.autopilot_off"))
            return Autopilot(is_on=False)
        if is_quit(line, self._texts):
            return LeaveGame()
        if view is None:
            return None
        pending, self._to_confirm = self._to_confirm, None
        if pending is not None and not isinstance(pending, Look) and self._vocabulary.means("yes", line.strip()):
            return pending
        if is_numbers(line) and self._clock() < self._asked_at + _READ_SECONDS:
            raise NotUnderstood(self._texts("line.too_soon", line=line.strip()))
        match understand(view, self._names(picture), picture.choice, line, self._texts, picture.numbers):
            case Look(what):
                self.say(*self._about(picture, what))
                return None
            case Mute() as mute:
                return self._muting(picture, mute)
            case LeaveForGood() as leave:
                self._to_confirm = leave
                self.say(self._texts("line.for_good"))
                return None
            case Autopilot() as autopilot:
                self.say(self._texts("line.autopilot_on"))
                return autopilot
            case intent if (most := shortage(view, intent)) is not None:
                self._to_confirm = intent
                self.say(self._texts("line.short_hand", n=most))
                return None
            case intent if gold := stake(view, intent):
                self._to_confirm = intent
                self.say(self._texts("line.sure", n=gold, purse=view.me.gold))
                return None
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
        if what == "history":
            return history(picture, self._texts)
        if view is None:
            return []
        lines = self._tableau(picture).about(view, picture.choice, what)
        if what == "table" and view.state.phase is not Phase.OVER:
            lines += filter(None, [hourglass.told(picture, self._clock()), picture.waits])
        return lines


def _question(picture: Picture, view: View) -> tuple[Choice | None, int] | None:
    """Returns what the player is asked now, as something that another question differs from."""
    state = view.state
    if picture.coming_back:
        return None
    if picture.choice is not None:
        return picture.choice, state.next_handle + len(state.closed_bags)
    is_open = state.phase is Phase.INSPECT and view.seat in state.closed_bags and view.seat not in state.officers
    return (None, state.round) if is_open and view.seat not in picture.silent else None


def _seconds_left(picture: Picture, now: float) -> float | None:
    """Returns how long a bot that is sheriff still leaves the own bag open."""
    until = None if picture.seat is None else picture.open_until.get(picture.seat)
    return None if until is None else until - now
