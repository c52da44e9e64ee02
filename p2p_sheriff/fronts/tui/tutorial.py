"""Three short rounds with a coach, on the screen of the game: honest, with a bluff, and with the badge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from p2p_sheriff.fronts.tui.canvas import Canvas
from p2p_sheriff.fronts.tui.help import HelpScreen
from p2p_sheriff.fronts.tui.keyboard import readings
from p2p_sheriff.fronts.tui.lessons import LESSONS, YOU, Lesson
from p2p_sheriff.fronts.tui.model import Model
from p2p_sheriff.fronts.tui.questions import seen
from p2p_sheriff.fronts.tui.revealing import is_shown, moved_on
from p2p_sheriff.fronts.tui.screen import AskHelp, Pop, Pressed, Push, Wish
from p2p_sheriff.fronts.tui.table import draw_table
from p2p_sheriff.fronts.tui.table import press as press_table
from p2p_sheriff.rules import Choice, LoadBag, Move, Seat, Transition, View
from p2p_sheriff.rules.moves import Offer
from p2p_sheriff.seat import story
from p2p_sheriff.seat.intents import Say
from p2p_sheriff.seat.words import Words
from p2p_sheriff.texts.cells import wrap

_LEAST_LINES, _MOST_LINES = 2, 3
"""What the coach says takes so many lines; the rest of the screen is the table."""


class Stage(Protocol):
    """A game in which the others know their parts. It is a value: `after` returns how it goes on."""

    @property
    def told(self) -> tuple[Transition, ...]:
        """All that was put into the rules since the lesson before."""

    def after(self, intent: Wish | None) -> "Stage":
        """Returns the game after the player did this, and the others what their parts say."""

    def view(self) -> View:
        """Returns what the player sees."""

    def asked(self) -> dict[Seat, Choice]:
        """Returns who has to choose what."""


@dataclass(frozen=True, slots=True)
class Tutorial:
    """A lesson at the table."""

    stage: Stage
    model: Model
    words: Words
    number: int = 0
    is_leaving: bool = False
    """Whether the next Escape leaves."""

    @classmethod
    def of(cls, stage: Stage, words: Words, begin: Model) -> "Tutorial":
        """Begins; `begin` has the names, and the state before anything happened."""
        return cls(stage, begin, words)._shown()

    @property
    def lesson(self) -> Lesson:
        """What is being taught."""
        return LESSONS[self.number]

    # -- the screen

    def at(self, now: float) -> "Tutorial":
        """Returns it at that time."""
        return replace(self, model=moved_on(self.model.at(now)))

    @property
    def moves(self) -> bool:
        """Whether a bag is being opened, or a question is so new that it takes no keys yet."""
        return is_shown(self.model) or self.model.is_calm

    def press(self, key: str) -> Pressed:
        """Plays; the coach waits until what the lesson asks for is done."""
        if is_shown(self.model) or self.model.is_calm:
            return self._on_the_table(key)
        if self._means_to_leave(key):
            return self._leaving()
        here = replace(self, is_leaving=False)
        if self.lesson.wish is None and key == "enter" and self.model.overlay is None:
            return here._on(None)
        return here._on_the_table(key)

    def _means_to_leave(self, key: str) -> bool:
        """Whether a key is for the tutorial, and not for what is open over the table: there, "q" may be a letter."""
        if key == "escape":
            return not self._takes_escape()
        return key == "c-c" or ("q" in readings(key) and self.model.overlay is None)

    def _takes_escape(self) -> bool:
        """Whether there is something to take back, or to close, before leaving is meant."""
        keys = self.model.dialogue.keys(self.model) if self.model.dialogue else ()
        return self.model.overlay is not None or any(key == "Esc" for key, _ in keys)

    def _leaving(self) -> Pressed:
        if self.is_leaving:
            return self, (Pop(),)
        return replace(self, is_leaving=True, model=self.model.saying(self.words("tutorial.leave"))), ()

    def _on_the_table(self, key: str) -> Pressed:
        model, intents = press_table(self.model, key)
        here = replace(self, model=model)
        for intent in intents:
            match intent:
                case AskHelp():
                    return here, (Push(HelpScreen.of(self.stage.view().state.setup, model.words)),)
                case Say(text):
                    return replace(here, model=story.said(model, YOU, text)), ()
                case _ if isinstance(intent, LoadBag | Move) and self.lesson.is_met(intent, self.stage.view()):
                    return here._on(intent)
                case _:
                    sentence = self.words("tutorial.not_yet", do=self.words(f"tutorial.{self.lesson.key}.do"))
                    return replace(here, model=model.refused(sentence)), ()
        return here, ()

    def _on(self, intent: Wish | None) -> Pressed:
        """Goes on to the next lesson; after the last one, leaves."""
        if self.number == len(LESSONS) - 1:
            return self, (Pop(),)
        return replace(self, number=self.number + 1, stage=self.stage.after(intent))._shown(), ()

    def _shown(self) -> "Tutorial":
        """Returns it with all that has happened on the stage."""
        model = self.model.arrived()
        for change in self.stage.told:
            if isinstance(change.item, Offer):
                model = story.negotiated(model, change.item)
            model = story.happened(model, change)
        for seat, key in self.lesson.says:
            model = story.said(model, seat, self.words(key))
        asked = self.stage.asked()
        model = seen(model, self.stage.view(), asked.get(YOU), tuple(asked))
        # All that is new here comes of the player's own keys: none was meant for something else.
        return replace(self, model=moved_on(replace(model, is_new=False)))

    # -- the picture

    def draw(self, canvas: Canvas) -> None:
        """Draws the coach above the table."""
        words, key = self.words, self.lesson.key
        text, do = words(f"tutorial.{key}.text"), words(f"tutorial.{key}.do")
        if is_shown(self.model):
            text, do = words("tutorial.watch"), words("tutorial.watch_do")
        lines = wrap(text, canvas.width - 4)[:_MOST_LINES]
        rows = max(_LEAST_LINES, len(lines)) + 2
        self._draw_coach(canvas.part(0, 0, canvas.width, rows), lines, do)
        draw_table(self.model, canvas.part(0, rows, canvas.width, canvas.height - rows))

    def _draw_coach(self, canvas: Canvas, lines: Sequence[str], do: str) -> None:
        words, key = self.words, self.lesson.key
        canvas.put(0, 0, "━" * canvas.width, "border.on")
        title = words("tutorial.title", n=self.number + 1, of=len(LESSONS), title=words(f"tutorial.{key}.title"))
        canvas.put(2, 0, f" {title} ", "title")
        canvas.put_right(0, f" {words('tutorial.skip')} ", "muted", margin=2)
        for y, line in enumerate(lines, start=1):
            canvas.put(2, y, line, "strong")
        canvas.put_pieces(2, canvas.height - 1, [("border.on", "▶ "), ("win", do)])
        if self.lesson.wish is None or is_shown(self.model):
            canvas.click("enter", 0, canvas.height - 1)
